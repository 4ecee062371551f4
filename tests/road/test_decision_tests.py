"""Labelled decisions on the whole road: recorded by the command, replayed as items of pytest."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sopbench.cli import main
from tests.adapters.fake_anthropic import FakeAnthropic

QUESTION = {
    "ask": "What is it?",
    "about": "{{ text }}",
    "choices": {"order": {"means": "an order", "then": "yes"}, "other": {"means": "anything else", "then": "no"}},
}
DOCUMENT = {
    "meta": {"id": "s", "title": "S", "version": "1", "goal": "g", "schema": "1.0"},
    "public": {
        "nodes": [
            {"id": "d", "type": "decision", "label": "An order?", "criteria": {"question": QUESTION}},
            {"id": "end", "type": "end", "label": "Done"},
        ],
        "edges": [{"source": "d", "target": "end", "condition": branch} for branch in ("yes", "no")],
        "variables": {"text": {"type": "string"}},
    },
}
LABELLED = """
node = "d"

[[decision]]
name = "ten chairs"
expect = "yes"
why = "It orders chairs."
given = { text = "Please send us ten chairs." }

[[decision]]
name = "asks for a quote"
expect = "no"
why = "It asks what they cost, and orders nothing."
given = { text = "What would ten chairs cost us?" }
"""
TEST = """
import pytest

pytestmark = pytest.mark.sop("shop.sop.json", decisions="decisions")


async def test_the_decision_is_what_its_owner_wants(decision):
    assert await decision.made() == decision.expected
"""


@pytest.fixture
def server() -> Iterator[FakeAnthropic]:
    server = FakeAnthropic()
    yield server
    server.stop()


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    return build(tmp_path)


def build(root: Path) -> Path:
    folder = root / "shop"
    (folder / "decisions").mkdir(parents=True)
    (folder / "shop.sop.json").write_text(json.dumps(DOCUMENT), "utf-8")
    (folder / "decisions" / "plain.toml").write_text(LABELLED, "utf-8")
    (folder / "test_decisions.py").write_text(TEST, "utf-8")
    (root / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\naddopts = --import-mode=importlib\n", "utf-8")
    return folder


def record(scenario: Path, server: FakeAnthropic, *choices: str, more: tuple[str, ...] = ("--yes",)) -> Result:
    """Record with a model that gives these answers, quoting the mail."""
    quotes = ["Please send us ten chairs", "What would ten chairs cost"]
    for choice, quote in zip(choices, quotes, strict=True):
        server.will_say(json.dumps({"choice": choice, "confidence": "high", "piece": 1, "quote": quote}))
    arguments = ["--decisions", str(scenario / "decisions"), "--llm-base-url", server.url, "--llm-model", "small"]
    return CliRunner().invoke(main, ["cassettes", "record", str(scenario), *arguments, *more])


def status(scenario: Path) -> Any:
    return json.loads(CliRunner().invoke(main, ["cassettes", "status", str(scenario), "--json"]).stdout)[0]


def items_of(scenario: Path, *options: str) -> str:
    command = [sys.executable, "-m", "pytest", str(scenario), "-rA", "--durations=0", "--durations-min=0", "-v"]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", *options],
        capture_output=True, text=True, timeout=120, check=False, cwd=scenario.parent,
    )  # fmt: skip
    return done.stdout


@dataclass(frozen=True)
class Replayed:
    """Two decisions that were recorded, one of them wrong, and what pytest showed of them."""

    scenario: Path
    recorded: Result
    shown: str


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Replayed:
    scenario, model = build(tmp_path_factory.mktemp("replayed")), FakeAnthropic()
    recorded = record(scenario, model, "order", "order")
    model.stop()
    return Replayed(scenario, recorded, items_of(scenario))


def test_what_is_recorded_is_replayed_and_what_is_wrong_is_told(replayed: Replayed) -> None:
    recorded, shown = replayed.recorded, replayed.shown

    assert recorded.exit_code == 0, recorded.output
    assert "✗ plain-asks_for_a_quote: yes, labelled no" in recorded.stdout
    assert "1 of 2 decisions are as labelled" in recorded.stdout
    known = replayed.scenario / "decisions" / "known_wrong.json"
    assert json.loads(known.read_text("utf-8"))["wrong"] == {"plain-asks_for_a_quote": "yes"}
    assert "1 passed, 1 xfailed" in shown
    assert "the recorded model takes 'yes'" in shown


def test_a_replayed_decision_takes_milliseconds(replayed: Replayed) -> None:
    calls = [float(each) for each in re.findall(r"^([\d.]+)s call ", replayed.shown, re.MULTILINE)]

    assert len(calls) == 2
    assert min(calls) < 0.05


def test_a_model_that_has_become_right_is_told_by_its_item(scenario: Path, server: FakeAnthropic) -> None:
    record(scenario, server, "order", "order")
    wrong = (scenario / "decisions" / "known_wrong.json").read_text("utf-8")
    record(scenario, server, "order", "other")
    (scenario / "decisions" / "known_wrong.json").write_text(wrong, "utf-8")

    shown = items_of(scenario)

    assert "1 failed, 1 passed" in shown
    assert "[XPASS(strict)] the recorded model takes 'yes'" in shown
    assert status(scenario)["stale"] == ["the list of what it gets wrong is not its own"]


def test_what_changes_when_it_is_recorded_anew_is_told(scenario: Path, server: FakeAnthropic) -> None:
    record(scenario, server, "order", "order")

    again = record(scenario, server, "order", "other", more=("--yes", "--json"))

    told = json.loads(again.stdout)
    assert told["known_wrong"] == {}
    assert [(change["old"], change["new"]) for change in told["drift"]["changes"]] == [("order", "other")]


def test_nothing_is_asked_without_yes_and_the_cost_is_told(scenario: Path, server: FakeAnthropic) -> None:
    record(scenario, server, "order", "other")
    asked = len(server.asked)

    told = record(scenario, server, "order", "other", more=())

    assert told.exit_code == 1
    assert "about 2 calls to small at" in told.stdout
    assert "nothing was recorded: say --yes to do it" in told.stdout
    assert len(server.asked) == asked


def test_a_decision_that_cannot_be_made_leaves_the_old_recording(scenario: Path, server: FakeAnthropic) -> None:
    record(scenario, server, "order", "other")
    before = (scenario / "cassettes" / "decisions.json").read_bytes()
    server.stop()

    told = record(scenario, server, "order", "other")

    assert told.exit_code == 2
    assert "plain-ten_chairs could not be made, and nothing is kept" in told.stderr
    assert (scenario / "cassettes" / "decisions.json").read_bytes() == before


def test_a_decision_that_was_never_recorded_makes_the_cassette_stale(scenario: Path, server: FakeAnthropic) -> None:
    record(scenario, server, "order", "other")
    more = LABELLED.replace("ten chairs", "six tables")
    (scenario / "decisions" / "more.toml").write_text(more, "utf-8")

    shown, told = items_of(scenario), status(scenario)

    assert told["stale"] == ["2 of 4 labelled decisions ask what is not in it"]
    assert "2 failed, 2 passed" in shown
    assert "nothing recorded for this question" in shown
    assert "sopbench/" not in shown.partition("collected ")[2]  # the header names the interpreter


def test_decisions_are_skipped_where_other_things_are_recorded(scenario: Path, server: FakeAnthropic) -> None:
    record(scenario, server, "order", "other")

    shown = items_of(scenario, "--llm", "record", "--llm-base-url", server.url)

    assert "2 skipped" in shown


def test_wrong_use_is_told_when_items_are_collected(scenario: Path) -> None:
    test = scenario / "test_decisions.py"
    right = test.read_text("utf-8")
    test.unlink()
    for name, change in {
        "nowhere": ('decisions="decisions"', 'decisions="nowhere"'),
        "without": (', decisions="decisions"', ""),
        "misspelt": ("decisions=", "decision="),
    }.items():
        (scenario / f"test_{name}.py").write_text(right.replace(*change), "utf-8")

    shown = " ".join(items_of(scenario).split())

    told = dict(re.findall(r"_ ERROR collecting shop/test_(\w+)\.py _+ (.*?)(?= _{3,} ERROR| =====)", shown))
    assert told.keys() == {"nowhere", "without", "misspelt"}, shown
    assert "there are no labelled decisions" in told["nowhere"]
    assert "a test of decisions needs their folder" in told["without"]
    assert "pytest.mark.sop has no 'decision'" in told["misspelt"]
