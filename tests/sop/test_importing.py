"""``sopbench import``: files in, files out, and what people are told."""

from __future__ import annotations

import json
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sopbench.cli import main
from sopbench.errors import UsageError
from sopbench.sop import graph
from sopbench.sop.loader import load
from sopbench.sop.recordings.compact_json import dumps
from sopbench.sop.recordings.importing import import_recording

Json = dict[str, Any]

RECORDINGS = Path(__file__).with_name("recordings")
NAMES = ["new_order.json", "new_device.py", "new_company.py", "search.py"]
CLICK = {"type": "click", "selectors": [['aria/Save[role="button"]']], "offsetX": 1, "offsetY": 1}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the recordings in it."""
    for each in RECORDINGS.iterdir():
        shutil.copy(each, tmp_path / each.name.removesuffix(".txt"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["import", *arguments])


@pytest.mark.parametrize("variables", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_an_imported_recording_loads_without_errors_and_can_be_run(here: Path, name: str, variables: bool) -> None:
    made = import_recording(here / name, variables=variables)

    loaded = load(made.file)
    assert loaded.runnable
    assert [each for each in loaded.problems if each.severity == "error"] == []
    assert loaded.sop.meta.id == name.partition(".")[0].replace("_", "-")


@pytest.mark.parametrize("name", NAMES)
def test_every_task_is_bound_to_actions_and_the_last_leads_to_the_end(here: Path, name: str) -> None:
    made = import_recording(here / name)

    sop = load(made.file).sop
    tasks = [node.id for node in sop.public.nodes if node.type == "task"]
    assert [binding.node_id for binding in sop.private.steps] == tasks
    assert all(skill.actions for skill in sop.private.skills)
    assert [(edge.source, edge.target) for edge in sop.public.edges] == list(pairwise([*tasks, "E_end"]))
    assert made.tasks == len(tasks)
    assert made.actions == sum(len(skill.actions) for skill in sop.private.skills)


def test_the_rich_recording_loses_only_what_no_procedure_can_say(here: Path) -> None:
    made = import_recording(here / "new_order.json")

    lost = [(each.place.rpartition(" ")[2], each.what.split()[0]) for each in made.caveats if each.lost]
    assert lost == [
        ("2", "emulateNetworkConditions"),
        ("23", "waitForElement's"),
        ("24", "waitForExpression"),
        ("32", "customStep"),
    ]
    assert made.problems == ()


def test_the_procedure_goes_into_the_current_folder_under_the_recordings_name(here: Path) -> None:
    result = run("new_order.json")

    assert result.exit_code == 0, result.output
    assert (here / "new_order.sop.json").exists()
    assert "new_order.sop.json: 7 tasks, 24 actions, 1 variable\n" in result.output
    assert "  set NEW_ORDER_PASSWORD before it is run\n" in result.output
    assert "new_order.json: step 24: waitForExpression 'new Promise(" in result.output


def test_a_file_that_is_there_is_replaced_only_by_force(here: Path) -> None:
    (here / "mine.sop.json").write_text("precious")

    refused = run("search.py", "-o", "mine.sop.json")
    kept = (here / "mine.sop.json").read_text()
    forced = run("search.py", "-o", "mine.sop.json", "--force")

    assert (refused.exit_code, kept) == (2, "precious")
    assert "--force" in refused.output
    assert forced.exit_code == 0
    assert load(here / "mine.sop.json").runnable


def test_json_says_all_that_was_made(here: Path) -> None:
    result = run("new_device.py", "--variables", "--json")

    told = json.loads(result.output)
    assert told["file"] == "new_device.sop.json"
    assert told["runnable"] is True
    assert told["environment"] == ["NEW_DEVICE_PASSWORD"]
    assert told["variables"]["serial"]["default"] == "NW-1001"
    assert {each["lost"] for each in told["caveats"]} == {True, False}


def test_a_procedure_that_cannot_be_run_is_written_and_said_to_be_so(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph, "MAX_NODES", 3)
    steps = [{"type": "navigate", "url": f"https://x.example/{number}"} for number in range(3)]
    (here / "long.json").write_text(json.dumps({"title": "Long", "steps": steps}))

    result = run("long.json")

    assert result.exit_code == 1
    assert "4 nodes are more than 3" in result.output
    assert result.output.endswith("long.sop.json cannot be run yet\n")
    assert (here / "long.sop.json").exists()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.json", "", "the file is empty"),
        ("cut.json", '{"steps": [', "not JSON: the file ends too early"),
        ("list.json", "[1, 2]", "no recording: it has no list of 'steps'"),
        ("other.json", '{"title": "x"}', "no recording: it has no list of 'steps'"),
        ("done.sop.json", '{"meta": {}, "public": {}}', "this is a procedure already"),
        ("none.json", '{"title": "x", "steps": []}', "nothing in it can be carried over"),
        ("odd.json", '{"title": "x", "steps": [7]}', "step 1: something that is no step"),
        ("notes.txt", "Dear all,\nplease find", "notes.txt:1: neither JSON nor Python"),
        ("plain.py", "print('hello')\n", "no recording: no Playwright script in Python"),
        ("script.ts", "await page.goto('x')", "playwright codegen --target python"),
        ("latin.py", b"# gr\xfc\xdfe", "not UTF-8"),
    ],
)
def test_what_is_no_recording_is_refused_in_a_line(here: Path, name: str, content: str | bytes, said: str) -> None:
    (here / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    result = run(name, "-o", "out.sop.json")

    assert result.exit_code == 2
    assert said in result.output
    assert not (here / "out.sop.json").exists()


def test_a_recording_that_is_not_there_is_refused(here: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: no such file"):
        import_recording(here / "nowhere.json")


def test_a_place_that_cannot_be_written_is_said(here: Path) -> None:
    result = run("search.py", "-o", "no/such/folder.sop.json")

    assert result.exit_code == 2
    assert "cannot be written" in result.output


def test_half_a_character_does_not_keep_a_procedure_from_being_written(here: Path) -> None:
    (here / "half.json").write_text(json.dumps({"title": "\ud83d half", "steps": [CLICK]}))

    made = import_recording(here / "half.json")

    assert load(made.file).sop.meta.title == "\ufffd half"


def test_short_things_stand_in_a_line() -> None:
    text = dumps({"a": {"b": [{"c": 1, "d": ["e", "f"]}], "g": {"h": "x" * 120}}, "i": []})

    assert text.splitlines() == [
        "{",
        '  "a": {',
        '    "b": [{"c": 1, "d": ["e", "f"]}],',
        '    "g": {',
        f'      "h": "{"x" * 120}"',
        "    }",
        "  },",
        '  "i": []',
        "}",
    ]
