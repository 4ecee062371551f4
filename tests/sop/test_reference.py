"""The reference of actions says what the models say."""

from __future__ import annotations

from pathlib import Path

from sopbench.sop.reference import reference

PAGE = Path(__file__).parents[2] / "docs" / "actions.md"


def test_the_page_is_the_one_the_models_give() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), "run: python -m sopbench.sop.reference docs/actions.md"
