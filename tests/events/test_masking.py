"""No secret is written down, however it is spelled."""

from __future__ import annotations

import html
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from sopbench.events.masking import MASK, Masker
from sopbench.events.types import ActionStarted, DecisionMade, RunFinished, StepFinished, VariableSet, parse_event

SECRETS = ["hunter2", "q", "密码🔑", 'a"b', "back\\slash", "it's", "p(ss) w!rd~*", "a&b<c>", "two\nlines", "50%/+="]
SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "python": lambda text: repr(text)[1:-1],
    "json": lambda text: json.dumps(text)[1:-1],
    "json with unicode": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "json in json": lambda text: json.dumps(json.dumps(text))[3:-3],
    "address": quote,
    "form": quote_plus,
    "form of a browser": lambda text: quote_plus(text, safe="*").replace("~", "%7E"),
    "encodeURIComponent": lambda text: quote(text, safe="!'()*~"),
    "html": html.escape,
    "html in json": lambda text: json.dumps(html.escape(text))[1:-1],
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_masked_in_every_spelling(secret: str, spelling: str) -> None:
    spelled = SPELLINGS[spelling](secret)

    assert Masker([secret]).text(f"[{spelled}]") == f"[{MASK}]"


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_masked_in_every_file_of_an_archive(secret: str, spelling: str, tmp_path: Path) -> None:
    spelled = SPELLINGS[spelling](secret).encode()
    path = tmp_path / "trace.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("0.trace", b"[" + spelled + b"]")
        archive.writestr("resources/raw", b"\xff\x00[" + spelled + b"]\xfe")

    Masker([secret]).zip_file(path)

    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == ["0.trace", "resources/raw"]
        assert archive.read("0.trace") == b"[" + MASK.encode() + b"]"
        assert archive.read("resources/raw") == b"\xff\x00[" + MASK.encode() + b"]\xfe"
    assert list(tmp_path.iterdir()) == [path]


def test_without_secrets_an_archive_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "trace.zip"
    path.write_bytes(b"not even a zip file")

    Masker([""]).zip_file(path)

    assert path.read_bytes() == b"not even a zip file"


def test_the_longer_secret_goes_first() -> None:
    assert Masker(["pass", "password"]).text("password pass") == f"{MASK} {MASK}"


def test_secrets_are_masked_deep_within_keys_and_values() -> None:
    masker = Masker(["hunter2"])

    masked = masker.value({"a": [{"hunter2": ("x hunter2",)}], "n": 1, "none": None, "b": True})

    assert masked == {"a": [{MASK: [f"x {MASK}"]}], "n": 1, "none": None, "b": True}


def test_numbers_that_are_secrets_are_masked_but_not_those_that_merely_contain_one() -> None:
    assert Masker(["1234"]).value([1234, 1234.5, 11234]) == [MASK, 1234.5, 11234]


@pytest.mark.parametrize("secret", ["a", "e", "1", "exact", "completed", "model", "no", ":", "-", "_"])
def test_a_short_secret_does_not_touch_the_words_of_the_engine(secret: str) -> None:
    masker = Masker([secret])
    events = [
        StepFinished(seq=1, at="2026-01-01T12:00:00+00:00", step=1, node="x", condition="z", tier="exact",
                     attempts=1, duration_s=1.0),
        RunFinished(seq=1, status="completed", reason="z", steps=1, duration_s=1.0),
        DecisionMade(seq=1, step=1, branch="x", by="model", evidence="z"),
        VariableSet(seq=1, step=1, name="x", value=["z"], source="model"),
    ]  # fmt: skip

    masked = [masker.event(event) for event in events]

    assert masked == events
    assert [parse_event(event.model_dump_json()) for event in masked] == events


def test_an_event_is_masked_wherever_a_document_or_a_page_may_have_put_the_secret() -> None:
    started = ActionStarted(
        step=1,
        action=0,
        do="fill",
        says="fill hunter2",
        effect="read",
        arguments={"value": "hunter2", "k": ["hunter2"]},
    )

    masked = Masker(["hunter2"]).event(started)

    assert masked.says == f"fill {MASK}"
    assert masked.arguments == {"value": MASK, "k": [MASK]}
    assert started.says == "fill hunter2"
