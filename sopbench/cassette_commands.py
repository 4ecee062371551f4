"""``sopbench cassettes``: what is recorded, what has changed, and recording anew with the cost told first."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from sopbench import wiring
from sopbench.adapters.cassette_answers import Recorded, drift, read_recorded
from sopbench.adapters.vcr_cassettes import Cassette
from sopbench.decision_runs import Tried, cassette_path, decisions_recorded_in, known_wrong, try_all
from sopbench.engine.prompt_files import prompts
from sopbench.errors import UsageError
from sopbench.single_run import run_once
from sopbench.sop.loader import load
from sopbench.trials.case import default_case, load_case
from sopbench.trials.decision_cases import load_decisions, read_known_wrong, write_known_wrong
from sopbench.wiring import Settings, numbers, pairs


@click.group()
def cassettes() -> None:
    """What models answered when they were recorded: ``status``, ``diff``, ``record``."""


@cassettes.command()
@click.argument("scenario", type=click.Path(path_type=Path), default=Path("scenarios"))
@click.option("--json", "as_json", is_flag=True, help="One JSON array.")
def status(scenario: Path, as_json: bool) -> None:
    """List cassettes: what they hold, what from, and whether they are stale. Exit code 1 when one is.

    SCENARIO is a folder (default: scenarios), a document or a cassette.

    Example: sopbench cassettes status scenarios/gmail_airtable
    """
    versions = {purpose: text.version for purpose, text in prompts().items()}
    systems = {purpose: text.system for purpose, text in prompts().items()}
    told = [_with_decisions(read_recorded(path).told(versions, systems)) for path in _cassettes_of(scenario)]
    if as_json:
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        for each in told:
            click.echo("\n".join(_status_lines(each)))
    sys.exit(1 if any(each["stale"] for each in told) else 0)


@cassettes.command()
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path), required=False)
@click.option("--against", type=click.Path(path_type=Path), help="The other cassette, where OLD is a scenario.")
@click.option("--json", "as_json", is_flag=True, help="The comparison as JSON.")
def diff(old: Path, new: Path | None, against: Path | None, as_json: bool) -> None:
    """Tell which decisions differ between two cassettes of the same questions. Exit code 1 when one does.

    With --against, OLD is a scenario, and its cassette of the same name is compared with that file.

    \b
    sopbench cassettes diff before.json after.json
    sopbench cassettes diff scenarios/gmail_airtable --against recorded_elsewhere.json
    """  # noqa: D301 - click wants the character itself
    if (new is None) == (against is None):
        raise UsageError("name two cassettes, or a scenario and --against FILE")
    one, other = (_cassette_like(old, against), against) if against else (old, new or old)
    before, after = read_recorded(one), read_recorded(other)
    found = drift(before, after)
    if not found.compared:
        raise UsageError(f"{one} and {other} have no question in common")
    if as_json:
        told = {"old": str(one), "new": str(other), **asdict(found)}
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        click.echo(f"- {_from(before)}\n+ {_from(after)}")
        for change in found.changes:
            click.echo(f"  {change.about}\n    - {change.old}\n    + {change.new}")
        click.echo(
            f"{found.same} of {found.compared} decisions are the same, {len(found.changes)} differ"
            + (f"; {found.reworded} were asked in other words" if found.reworded else "")
            + (f"; only before: {found.only_old}" if found.only_old else "")
            + (f"; only after: {found.only_new}" if found.only_new else "")
        )
    sys.exit(1 if found.changes else 0)


@cassettes.command()
@click.argument("scenario", type=click.Path(path_type=Path))
@click.option("--case", type=click.Path(path_type=Path), help="A case folder, instead of the scenario's.")
@click.option("--decisions", type=click.Path(path_type=Path), help="A folder of labelled decisions, instead of a case.")
@click.option("--yes", is_flag=True, help="Do it. Without, only what it would take is told.")
@click.option("--site", type=click.Choice(["real", "mock"]), default="mock", show_default=True)
@click.option("--llm-base-url", help="Endpoint of the model, if not its maker's.")
@click.option("--llm-model", help="The model: anthropic/NAME or openai/NAME; without either, Anthropic's.")
@click.option("--llm-served-by", default="", help="What really answers there; goes into the cassette's header.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--records", type=click.Path(path_type=Path), default=Path("reports/runs"), show_default=True)
@click.option("--browser-executable", type=click.Path(path_type=Path), help="The browser to use.")
@click.option("--var", "variables", multiple=True, metavar="NAME=VALUE", help="A variable; repeatable.")
@click.option("--limit", "limits", multiple=True, metavar="NAME=VALUE", help="A limit of the run; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="What it would take, and the result, as JSON.")
def record(
    scenario: Path, case: Path | None, decisions: Path | None, yes: bool, seed: int, as_json: bool, **options: Any
) -> None:
    """Record a case's model traffic anew, after telling what the last recording lets expect.

    With --decisions, that of a folder of labelled decisions: without a browser, and with the list of those that the
    model gets wrong.

    Exit code 1 when nothing was recorded for want of --yes, or when the run was not good.

    \b
    sopbench cassettes record scenarios/gmail_airtable --case fixtures/cases/short_day --yes
    sopbench cassettes record scenarios/gmail_airtable --decisions scenarios/gmail_airtable/decisions --yes
    """  # noqa: D301 - click wants the character itself
    options["variables"] = pairs(options["variables"], "--var")
    options["limits"] = numbers(options["limits"])
    settings = Settings(llm="record", **options)
    document = _document(scenario)
    if decisions is not None:
        if case is not None:
            raise UsageError("record a case or labelled decisions, not both")
        _record_decisions(document, decisions, settings, yes=yes, as_json=as_json)
        return
    folder = case or (default_case(document) if settings.site == "mock" else None)
    name = load_case(folder).name if folder else "default"
    expected = _expected(document.parent / "cassettes" / f"{name}.json", settings)
    if not as_json:
        click.echo(_expected_line(expected))
    if not yes:
        click.echo(
            json.dumps({"expected": expected}, indent=2) if as_json else "nothing was recorded: say --yes to do it"
        )
        sys.exit(1)
    say = (lambda _: None) if as_json else click.echo
    result = asyncio.run(run_once(document, settings, folder, seed, say))
    if as_json:
        told = {"expected": expected, "result": result.model_dump(mode="json")}
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
    sys.exit(0 if result.good else 1)


def _record_decisions(document: Path, folder: Path, settings: Settings, *, yes: bool, as_json: bool) -> None:
    cases = load_decisions(folder)
    procedure = load(document)
    procedure.require_runnable()
    path = cassette_path(document, folder)
    expected = _expected(path, settings) | {"decisions": len(cases)}
    say = (lambda _: None) if as_json else click.echo
    say(_expected_line(expected))
    say(f"{len(cases)} decisions: a call each, and another where the first answer cannot be used")
    if not yes:
        say("nothing was recorded: say --yes to do it")
        if as_json:
            click.echo(json.dumps({"expected": expected}, indent=2))
        sys.exit(1)
    before = read_recorded(path) if path.is_file() else None
    with Cassette(path, "record", served_by=settings.llm_served_by) as cassette:
        tried = asyncio.run(try_all(cases, procedure, settings, cassette, lambda each: say(_tried_line(each))))
        known = known_wrong(tried, cassette)
    write_known_wrong(folder, known)
    found = drift(before, read_recorded(path)) if before else None
    if as_json:
        told = {"expected": expected, "known_wrong": known.wrong, "drift": asdict(found) if found else None}
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
        return
    say(f"{len(cases) - len(known.wrong)} of {len(cases)} decisions are as labelled")
    for change in found.changes if found else ():
        say(f"  {change.about}\n    - {change.old}\n    + {change.new}")


def _tried_line(tried: Tried) -> str:
    taken = tried.branch or tried.error
    return f"  {'✓' if tried.right else '✗'} {tried.case.id}: {taken}" + (
        "" if tried.right else f", labelled {tried.case.expect}"
    )


def _with_decisions(told: dict[str, Any]) -> dict[str, Any]:
    """What is told of a cassette of labelled decisions besides: whether it still answers them."""
    found = decisions_recorded_in(Path(told["path"]))
    if found is None:
        return told
    document, folder = found
    cases = load_decisions(folder)
    with Cassette(Path(told["path"]), "replay") as cassette:
        tried = asyncio.run(try_all(cases, load(document), Settings(), cassette))
    unrecorded = sum(each.unrecorded for each in tried)
    wrong = {each.case.id: each.branch for each in tried if each.branch and not each.right}
    known = read_known_wrong(folder)
    stale = list(told["stale"])
    if unrecorded:
        stale.append(f"{unrecorded} of {len(cases)} labelled decisions ask what is not in it")
    elif known is None or known.wrong != wrong:
        stale.append("the list of what it gets wrong is not its own")
    labelled = {"folder": str(folder), "labelled": len(cases), "wrong": len(wrong), "unrecorded": unrecorded}
    return told | {"stale": stale, "decisions": labelled}


def _expected(path: Path, settings: Settings) -> dict[str, Any]:
    """What recording takes, by the cassette that is there; None for what nobody can know."""
    model = wiring.model(settings, Cassette(path, "record"))
    expected: dict[str, Any] = {"cassette": str(path), "model": model.model, "endpoint": model.endpoint}
    if not path.is_file():
        return expected | dict.fromkeys(("calls", "input_tokens", "output_tokens", "cost_usd"))
    earlier = read_recorded(path)
    return expected | {
        "calls": len(earlier.answers),
        "input_tokens": earlier.input_tokens,
        "output_tokens": earlier.output_tokens,
        "cost_usd": model.expected_cost_usd(earlier.input_tokens, earlier.output_tokens),
    }


def _expected_line(expected: dict[str, Any]) -> str:
    asked = f"{expected['model']} at {expected['endpoint']}"
    if expected["calls"] is None:
        return f"{expected['cassette']} is not there yet: how many calls {asked} will get cannot be told"
    cost = expected["cost_usd"]
    price = "at a price that is not known" if cost is None else f"about {cost:.4f} US dollars"
    return (
        f"{expected['cassette']}: about {expected['calls']} calls to {asked}, "
        f"{expected['input_tokens']:,} + {expected['output_tokens']:,} tokens, {price}"
    )


def _status_lines(each: dict[str, Any]) -> list[str]:
    versions = ", ".join(f"{purpose} v{version}" for purpose, version in each["prompts"].items())
    return [
        each["path"],
        f"  {each['answers']} answers · {each['model']} · recorded {each['recorded']} · prompts: {versions or 'none'}",
        f"  served by {each['served_by']}",
        *_decision_lines(each.get("decisions")),
        *(f"  STALE: {reason}" for reason in each["stale"]),
    ]


def _decision_lines(decisions: dict[str, Any] | None) -> list[str]:
    if decisions is None:
        return []
    right = decisions["labelled"] - decisions["wrong"] - decisions["unrecorded"]
    return [f"  {decisions['labelled']} labelled decisions in {decisions['folder']}: {right} as labelled"]


def _from(recorded: Recorded) -> str:
    header = recorded.header
    return f"{recorded.path}: {len(recorded.answers)} answers · {header.model} · recorded {header.recorded}"


def _cassettes_of(scenario: Path) -> list[Path]:
    """Raises: UsageError when there are none."""
    if scenario.is_file() and not scenario.name.endswith(".sop.json"):
        return [scenario]
    folder = scenario.parent if scenario.is_file() else scenario
    found = sorted(path for path in folder.rglob("*.json") if path.parent.name == "cassettes")
    if not found:
        raise UsageError(f"{scenario}: there are no cassettes")
    return found


def _cassette_like(scenario: Path, other: Path) -> Path:
    """The scenario's cassette of the same name as another. Raises: UsageError."""
    found = _cassettes_of(scenario)
    same = found if len(found) == 1 else [path for path in found if path.name == other.name]
    if len(same) != 1:
        names = ", ".join(path.name for path in found)
        raise UsageError(f"{scenario} has no single cassette named {other.name}; there are {names}")
    return same[0]


def _document(scenario: Path) -> Path:
    """Raises: UsageError unless there is just one."""
    if scenario.is_file():
        return scenario
    found = sorted(scenario.glob("*.sop.json"))
    if len(found) != 1:
        raise UsageError(f"{scenario}: {len(found)} documents (*.sop.json); name one")
    return found[0]
