"""Whatever a recording holds, it becomes a procedure without errors, or is refused in words."""

from __future__ import annotations

import contextlib
import json
import random
from pathlib import Path
from typing import Any

import pytest

from sopbench.errors import UsageError
from sopbench.sop import graph
from sopbench.sop.document import Sop
from sopbench.sop.loader import load
from sopbench.sop.recordings import devtools_recorder, playwright_codegen
from sopbench.sop.recordings.importing import import_recording
from sopbench.sop.recordings.recorded import Recording
from sopbench.sop.recordings.recorded_document import written
from sopbench.sop.schema_errors import schema_findings

RECORDINGS = Path(__file__).with_name("recordings")
STEPS = json.loads((RECORDINGS / "new_order.json").read_text())["steps"]
SCRIPTS = [path.read_text().splitlines(keepends=True) for path in sorted(RECORDINGS.glob("*.py.txt"))]
ODD: list[Any] = [
    None, True, False, 0, -1, 1.5, 10**400, "", " ", "x" * 3000, "\x00", "\ud800", "{{ x }}", "{%", "💥", "a\nb", [],
    {}, [[]], [""], [[""]], [["aria/"]], [["xpath/"]], [["text/"]], [["pierce/"]], [["aria/[role=\"\"]"]],
    [["#\\31 \\"]], [["a[b='"]], [["'"]], [["aria/a", 7]], [7], [["css=", "text/x"]], "aria/Name", [-1], [0, "1"],
    ["main"], {"type": []}, "http://[", "https://", "javascript:1", "https://x.example/\n{{", [{"type": "navigation"}],
    [None, 3], [{"type": "navigation", "url": 7}], [{"type": "navigation", "url": "http://["}], "==", "<=", "Control",
    "ControlLeft", [["aria/Password"]], "C:\\fakepath\\", "C:\\fakepath\\{{.png",
]  # fmt: skip
KEYS = [
    "type", "selectors", "value", "key", "url", "target", "frame", "assertedEvents", "offsetX", "offsetY", "button",
    "x", "y", "operator", "count", "visible", "attributes", "properties", "timeout", "width", "expression", "name",
]  # fmt: skip
PIECES = [
    "page", "context", "expect", ".goto", ".click", ".fill", ".nth", ".first", ".filter", ".get_by_role", ".locator",
    ".content_frame", ".frame_locator", ".press", ".to_have_url", ".to_have_count", ".value", ".select_option", ".or_",
    "()", '("x")', "(re.compile('^[a'))", "(re.compile('a(?P<b>c)'))", "(page)", "(7)", "(None)", "(name=7)",
    '(has="x")', "([])", '(["a", 1])', '(**{"a": 1})', "(*args)", '("")', '("{{ x }}")', "(button=7)", "(-1)",
    "(lambda d: d.accept())",
]  # fmt: skip


def errors(recording: Recording, variables: bool) -> list[Any]:
    document = json.loads(json.dumps(written(recording, name="odd", file="odd", variables=variables).document))
    return [*schema_findings("1.0", document), *_found(Sop.model_validate(document))]


def _found(sop: Sop) -> list[Any]:
    return [each for each in graph.check(sop) if each.severity == "error"]


@pytest.mark.parametrize("seed", range(60))
def test_odd_steps_do_no_harm(seed: int) -> None:
    chance = random.Random(seed)
    steps: list[Any] = []
    for _ in range(30):
        step: Any = dict(chance.choice(STEPS))
        for _ in range(chance.randint(0, 3)):
            step[chance.choice(KEYS)] = chance.choice(ODD)
        steps.append(chance.choice(ODD) if chance.random() < 0.1 else step)

    recording = devtools_recorder.read({"title": chance.choice(ODD), "steps": steps}, file="odd", name="odd")

    assert len(recording.actions) + len(recording.caveats) > 0
    assert errors(recording, variables=seed % 2 == 0) == []


@pytest.mark.parametrize("seed", range(60))
def test_odd_scripts_do_no_harm(seed: int) -> None:
    chance = random.Random(seed)
    lines = [line for line in chance.choice(SCRIPTS) if chance.random() > 0.1]
    for _ in range(12):
        made = "page" + "".join(chance.choices(PIECES, k=chance.randint(1, 6)))
        lines.insert(chance.randrange(len(lines)), f"    {made}\n")

    with contextlib.suppress(UsageError):  # no Python any more
        recording = playwright_codegen.read("".join(lines), file="odd", name="odd")
        assert errors(recording, variables=seed % 2 == 0) == []


@pytest.mark.parametrize("seed", range(80))
def test_odd_calls_do_no_harm(seed: int) -> None:
    chance = random.Random(seed)
    calls: list[str] = []
    while len(calls) < 20:
        call = chance.choice(["page", "expect(page)", "with page"]) + "".join(chance.choices(PIECES, k=4))
        with contextlib.suppress(SyntaxError):
            compile(f"{call}\n", "odd", "exec")
            calls.append(f"    {call}")

    source = "\n".join(["def run(page):", "    page.goto('https://x.example')", *calls])
    recording = playwright_codegen.read(source, file="odd", name="odd")

    assert errors(recording, variables=seed % 2 == 0) == []


@pytest.mark.parametrize("cut", range(0, len(STEPS), 6))
def test_any_part_of_a_recording_loads(tmp_path: Path, cut: int) -> None:
    (tmp_path / "part.json").write_text(json.dumps({"title": "Part", "steps": STEPS[cut : cut + 9]}))

    made = import_recording(tmp_path / "part.json", tmp_path / "part.sop.json", variables=True)

    assert load(made.file).runnable


def test_a_deeply_nested_script_is_refused_or_read() -> None:
    deep = "page.locator('a')" + ".locator('a')" * 400 + ".click()"

    source = f"def run(page):\n    {deep}\n    page.goto('https://x.example')"

    recording = playwright_codegen.read(source, file="f", name="n")

    assert [each.action.do for each in recording.actions][-1] == "navigate"
