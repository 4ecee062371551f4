"""``sopbench cassettes``: status, diff, record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from sopbench import cassette_commands, wiring
from sopbench.adapters.anthropic_llm import AnthropicModel
from sopbench.adapters.openai_llm import OpenAIModel
from sopbench.cli import main
from sopbench.errors import UsageError
from sopbench.single_run import SingleRun
from sopbench.wiring import Settings

if TYPE_CHECKING:
    from click.testing import Result

ROOT = Path(__file__).resolve().parents[2]
SCENARIO = ROOT / "scenarios/gmail_airtable"
SHORT_DAY = SCENARIO / "cassettes/short_day.json"
CASE = str(ROOT / "fixtures/cases/short_day")


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["cassettes", *map(str, arguments)])


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The short day with one decision changed, and one question gone."""
    whole: Any = json.loads(SHORT_DAY.read_text("utf-8"))
    body = whole["interactions"][0]["response"]["body"]
    body["content"][0]["text"] = json.dumps({"choice": "newsletter", "reason": ""})
    del whole["interactions"][-1]
    path = tmp_path / "short_day.json"
    path.write_text(json.dumps(whole), "utf-8")
    return path


def test_status_tells_what_the_shipped_cassettes_hold_and_that_they_are_not_stale() -> None:
    shown, as_json = call("status", SCENARIO), call("status", SCENARIO, "--json")

    told = {Path(each["path"]).stem: each for each in json.loads(as_json.stdout)}
    assert shown.exit_code == as_json.exit_code == 0
    assert (
        "9 answers · qwen2.5-coder-1.5b-instruct · recorded 2026-11-22 · prompts: decide v2, interpret v1"
        in shown.stdout
    )
    assert told["decisions"]["decisions"]["labelled"] == 66
    assert " labelled decisions in " in shown.stdout
    assert {name: (each["answers"], each["stale"]) for name, each in told.items()} == {
        "decisions": (73, []),
        "hard_day": (52, []),
        "ordinary_day": (34, []),
        "short_day": (9, []),
    }


def test_a_stale_cassette_is_named_with_the_reason(tmp_path: Path, other: Path) -> None:
    whole = json.loads(other.read_text("utf-8"))
    whole["recorded_from"]["prompts"] = {"decide": 99}
    other.write_text(json.dumps(whole), "utf-8")

    result = call("status", other)

    assert result.exit_code == 1
    assert "STALE: recorded for another prompt (decide v99, now v2)" in result.stdout


def test_a_folder_without_cassettes_cannot_be_told(tmp_path: Path) -> None:
    result = call("status", tmp_path)

    assert result.exit_code == 2
    assert "there are no cassettes" in result.stderr


def test_diff_shows_the_decisions_that_changed(other: Path) -> None:
    shown, as_json = call("diff", SHORT_DAY, other), call("diff", SCENARIO, "--against", other, "--json")

    told = json.loads(as_json.stdout)
    assert shown.exit_code == as_json.exit_code == 1
    assert "    - due_diligence_on_us\n    + newsletter\n" in shown.stdout
    assert shown.stdout.endswith("7 of 8 decisions are the same, 1 differ; only before: 1\n")
    assert [(change["old"], change["new"]) for change in told["changes"]] == [("due_diligence_on_us", "newsletter")]
    assert (told["same"], told["only_old"], told["only_new"]) == (7, 1, 0)


def test_a_cassette_does_not_differ_from_itself() -> None:
    assert call("diff", SHORT_DAY, SHORT_DAY).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((SHORT_DAY,), "name two cassettes, or a scenario and --against FILE"),
        ((SHORT_DAY, "nowhere.json"), "there is no such cassette"),
        ((SHORT_DAY, SCENARIO / "cassettes/ordinary_day.json"), "have no question in common"),
        ((SCENARIO, "--against", "long_day.json"), "no single cassette named long_day.json"),
    ],
)
def test_what_cannot_be_compared_is_said(arguments: tuple[Any, ...], message: str) -> None:
    result = call("diff", *arguments)

    assert result.exit_code == 2
    assert message in result.stderr


def test_record_tells_what_it_would_take_and_does_nothing_without_yes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cassette_commands, "run_once", lambda *_: pytest.fail("it ran"))
    before = SHORT_DAY.read_bytes()

    shown = call("record", SCENARIO, "--case", CASE, "--llm-model", "openai/gpt-4o")
    as_json = call("record", SCENARIO, "--case", CASE, "--llm-base-url", "http://127.0.0.1:1", "--json")

    assert shown.exit_code == as_json.exit_code == 1
    assert (
        "about 9 calls to gpt-4o at https://api.openai.com/v1, 3,055 + 352 tokens, about 0.0112 US dollars"
        in shown.stdout
    )
    assert "nothing was recorded: say --yes to do it" in shown.stdout
    assert json.loads(as_json.stdout)["expected"]["cost_usd"] is None
    assert SHORT_DAY.read_bytes() == before


def test_record_with_yes_runs_the_case_with_a_model_that_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Any] = []

    async def run_once(*arguments: Any) -> SingleRun:
        ran.append(arguments)
        return SingleRun(folder="runs/1", status="completed", reason="")

    monkeypatch.setattr(cassette_commands, "run_once", run_once)

    result = call("record", SCENARIO, "--case", CASE, "--yes", "--llm-model", "openai/gpt-4o", "--json")

    ((document, settings, case, seed, _),) = ran
    assert result.exit_code == 0
    assert (document.name, str(case), seed) == ("gmail_airtable.sop.json", CASE, 0)
    assert (settings.llm, settings.llm_model, settings.site) == ("record", "openai/gpt-4o", "mock")
    assert json.loads(result.stdout)["result"]["status"] == "completed"


def test_a_case_that_was_never_recorded_has_no_expected_cost() -> None:
    result = call("record", SCENARIO, "--case", str(ROOT / "fixtures/cases/empty_day"))

    assert result.exit_code == 1
    assert "is not there yet" in result.stdout


@pytest.mark.parametrize(
    ("name", "kind", "model", "endpoint"),
    [
        (None, AnthropicModel, "claude-haiku-5-5", "https://api.anthropic.com"),
        ("claude-sonnet-5-5", AnthropicModel, "claude-sonnet-5-5", "https://api.anthropic.com"),
        ("anthropic/claude-sonnet-5-5", AnthropicModel, "claude-sonnet-5-5", "https://api.anthropic.com"),
        ("openai/gpt-4o", OpenAIModel, "gpt-4o", "https://api.openai.com/v1"),
        ("openai/meta-llama/Llama-4", OpenAIModel, "meta-llama/Llama-4", "https://api.openai.com/v1"),
    ],
)
def test_the_word_before_a_models_name_says_what_its_endpoint_speaks(
    name: str | None, kind: type[object], model: str, endpoint: str
) -> None:
    chosen = wiring.model(Settings(llm_model=name), None)

    assert type(chosen) is kind
    assert (chosen.model, chosen.endpoint) == (model, endpoint)


@pytest.mark.parametrize("name", ["qwen/qwen3", "openai/"])
def test_a_name_that_says_nothing_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="not of the form anthropic/NAME or openai/NAME"):
        wiring.model(Settings(llm_model=name), None)
