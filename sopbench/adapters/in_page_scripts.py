"""The scripts that look at a page from inside it, one function per file."""

from __future__ import annotations

from importlib.resources import files


def script(name: str) -> str:
    """The source of one function, as Playwright's ``evaluate`` takes it."""
    return files("sopbench.adapters.in_page").joinpath(f"{name}.js").read_text(encoding="utf-8")
