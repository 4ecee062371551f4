"""The ``sopbench`` command: a verb, then what it acts on.

Exit codes: 0 good, 1 the answer is no, 2 it could not be told.
"""

from __future__ import annotations

import asyncio
import difflib
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from sopbench.adapters.saved_logins import SIGN_IN_PAGES
from sopbench.cassette_commands import cassettes
from sopbench.coverage_commands import coverage
from sopbench.engine.context import Autonomy
from sopbench.errors import DocumentInvalid, SopbenchError
from sopbench.events.log import read_log
from sopbench.gate_commands import baseline, gate
from sopbench.matrix_commands import matrix_command
from sopbench.notebook_commands import notebooks
from sopbench.record_commands import records as record_tables
from sopbench.records.folder import read_trial
from sopbench.records.heals import LAST_RUNS, Proposal
from sopbench.records.heals import reject as reject_proposal
from sopbench.records.proposals import adopted, proposals
from sopbench.records.recorded_targets import with_fingerprints
from sopbench.replay_commands import bisect, replay
from sopbench.report_commands import dashboard, report, site
from sopbench.reporting.heals import heal_lines
from sopbench.reporting.story import story
from sopbench.reporting.terminal import text_lines
from sopbench.single_run import run_once, sign_in
from sopbench.sop.loader import load
from sopbench.sop.loader import validate as find_problems
from sopbench.sop.recordings.importing import import_recording, lines, told
from sopbench.trials.condition import find_conditions
from sopbench.trials.record import TrialRecord
from sopbench.wiring import Settings, numbers, pairs


class _TheAnswerIsNo(click.ClickException):
    exit_code = 1


class _CouldNotBeTold(click.ClickException):
    exit_code = 2


class _Commands(click.Group):
    """Shows our errors the way click shows its own."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except SopbenchError as error:
            raise (_TheAnswerIsNo if isinstance(error, DocumentInvalid) else _CouldNotBeTold)(str(error)) from error


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="sopbench")
def main() -> None:
    """Run written procedures in a browser, and say with evidence how reliably they work."""


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON array of problems.")
def validate(files: tuple[Path, ...], as_json: bool) -> None:
    """Check documents without running them.

    \b
    sopbench validate scenarios/gmail_airtable/gmail_airtable.sop.json
    """  # noqa: D301 - click wants the character itself
    problems = [problem for file in files for problem in find_problems(file)]
    errors = sum(problem.severity == "error" for problem in problems)
    if as_json:
        click.echo(json.dumps([asdict(problem) for problem in problems], indent=2, ensure_ascii=False))
    else:
        for problem in problems:
            click.echo(str(problem))
        counts = ", ".join(
            f"{number} {word}{'' if number == 1 else 's'}"
            for word in ("error", "warning", "note")
            if (number := sum(problem.severity == word for problem in problems))
        )
        click.echo(f"{', '.join(map(str, files))}: {counts or 'nothing to complain of'}")
    sys.exit(1 if errors else 0)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--brief", is_flag=True, help="One line per step.")
@click.option("--json", "as_json", is_flag=True, help="The events as a JSON array.")
def show(folder: Path, brief: bool, as_json: bool) -> None:
    """Tell the story of one run, step by step.

    \b
    sopbench show reports/runs/20261121-180501-gmail_airtable-short_day-clean-1
    """  # noqa: D301 - click wants the character itself
    events = read_log(folder)
    if as_json:
        click.echo(json.dumps([event.model_dump(mode="json") for event in events], indent=1, ensure_ascii=False))
        return
    kept = read_trial(folder) if folder.is_dir() else None
    record = TrialRecord.model_validate(kept) if kept else None
    console = Console()
    for line in text_lines(story(events, record, brief=brief), console.width, colour=console.is_terminal):
        click.echo(line)


@main.command()
@click.argument("document", type=click.Path(path_type=Path))
@click.option("--site", type=click.Choice(["real", "mock"]), default="real", show_default=True)
@click.option("--case", type=click.Path(path_type=Path), help="Case folder for the mock sites, and for the verdict.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--autonomy", type=click.Choice([mode.value for mode in Autonomy]), default="light", show_default=True)
@click.option("--llm", type=click.Choice(["replay", "record", "live"]), default="replay", show_default=True)
@click.option("--llm-base-url", help="Endpoint of the model, if not its maker's.")
@click.option("--llm-model", help="The model: anthropic/NAME or openai/NAME; without either, Anthropic's.")
@click.option("--llm-served-by", default="", help="What really answers there; goes into the cassette's header.")
@click.option(
    "--operator",
    default="unattended",
    show_default=True,
    metavar="unattended|terminal|FILE",
    help="Who answers the run's questions; a file of answers is TOML or JSON.",
)
@click.option("--screenshots", type=click.Choice(["off", "failure", "steps"]), default="steps", show_default=True)
@click.option("--tracing", type=click.Choice(["on", "off", "unless-clean"]), default="unless-clean", show_default=True)
@click.option("--records", type=click.Path(path_type=Path), default=Path("reports/runs"), show_default=True)
@click.option("--headed", is_flag=True, help="Show the browser.")
@click.option("--slowmo", "slow_mo_ms", type=float, default=0, help="Milliseconds to wait after each browser action.")
@click.option("--browser-executable", type=click.Path(path_type=Path), help="The browser to use.")
@click.option("--site-port", type=int, default=0, help="Port of the mock sites; 0 takes any free one.")
@click.option("--limit", "limits", multiple=True, metavar="NAME=VALUE", help="A limit of the run; repeatable.")
@click.option("--var", "variables", multiple=True, metavar="NAME=VALUE", help="A variable; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
def run(document: Path, case: Path | None, seed: int, as_json: bool, **options: Any) -> None:
    """Run a procedure once, on the addresses it names or on mock sites.

    \b
    sopbench run scenarios/gmail_airtable/gmail_airtable.sop.json --site mock
    sopbench run my.sop.json --var address=http://127.0.0.1:8090
    """  # noqa: D301 - click wants the character itself
    options["limits"] = numbers(options["limits"])
    options["variables"] = pairs(options["variables"], "--var")
    options["autonomy"] = Autonomy(options["autonomy"])
    say = (lambda _: None) if as_json else click.echo
    result = asyncio.run(run_once(document, Settings(**options), case, seed, say))
    if as_json:
        click.echo(json.dumps(result.model_dump(mode="json"), indent=2, ensure_ascii=False))
    sys.exit(0 if result.good else 1)


@main.command("import")
@click.argument("recording", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Default: <name>.sop.json in this folder.")
@click.option("--variables", is_flag=True, help="Every typed value, and the site's address, becomes a variable.")
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
@click.option("--json", "as_json", is_flag=True, help="What was made, as JSON.")
def import_(recording: Path, output: Path | None, variables: bool, force: bool, as_json: bool) -> None:
    """Turn a recording into a procedure: Chrome DevTools Recorder's JSON, or Playwright codegen's Python.

    What looks like a password never gets into the procedure: it is taken from an environment variable.

    Example: sopbench import new_order.json --variables
    """
    made = import_recording(recording, output, variables=variables, force=force)
    if as_json:
        click.echo(json.dumps(told(made), indent=2, ensure_ascii=False))
    else:
        for line in lines(made):
            click.echo(line)
    sys.exit(0 if made.runnable else 1)


@main.command("record-targets")
@click.argument("document", type=click.Path(path_type=Path))
@click.option("--site", type=click.Choice(["real", "mock"]), default="real", show_default=True)
@click.option("--case", type=click.Path(path_type=Path), help="Case folder for the mock sites, and for the verdict.")
@click.option("--records", type=click.Path(path_type=Path), default=Path("reports/runs"), show_default=True)
@click.option("--browser-executable", type=click.Path(path_type=Path), help="The browser to use.")
@click.option("--var", "variables", multiple=True, metavar="NAME=VALUE", help="A variable; repeatable.")
@click.option("--dry-run", is_flag=True, help="Show the change and write nothing.")
def record_targets(document: Path, case: Path | None, dry_run: bool, **options: Any) -> None:
    """Run a procedure, and write into its targets what their elements were like.

    Only a run that passes is recorded. With that a target that has gone stale can be found again.

    \b
    sopbench record-targets scenarios/gmail_airtable/gmail_airtable.sop.json --site mock
    """  # noqa: D301 - click wants the character itself
    options["variables"] = pairs(options["variables"], "--var")
    settings = Settings(record_targets=True, **options)
    result = asyncio.run(run_once(document, settings, case, 0, lambda line: click.echo(line, err=True)))
    if not result.good:
        raise _TheAnswerIsNo("the run did not pass: nothing was recorded")
    before = document.read_text(encoding="utf-8")
    after, number = with_fingerprints(before, load(document).sop, read_log(Path(result.folder)))
    _change(document, before, after, dry_run=dry_run)
    click.echo(f"{number} targets were recorded", err=True)


@main.group(invoke_without_command=True)
@click.option("--records", type=click.Path(path_type=Path), default=Path("reports/runs"), show_default=True)
@click.option("--last", type=click.IntRange(min=1), default=LAST_RUNS, show_default=True, help="Runs of each document.")
@click.option("--json", "as_json", is_flag=True, help="The proposals as a JSON array.")
@click.pass_context
def heals(context: click.Context, records: Path, last: int, as_json: bool) -> None:
    """List what was healed in the last runs, and what that proposes for the documents.

    \b
    sopbench heals
    sopbench heals adopt 1
    """  # noqa: D301 - click wants the character itself
    context.obj = proposals(records, last=last)
    if context.invoked_subcommand is not None:
        return
    if as_json:
        told = [asdict(each) | {"document": str(each.document)} for each in context.obj]
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
        return
    for line in heal_lines(context.obj):
        click.echo(line)


@heals.command()
@click.argument("number", type=click.IntRange(min=1))
@click.option("--dry-run", is_flag=True, help="Show the change and write nothing.")
@click.pass_obj
def adopt(found: list[Proposal], number: int, dry_run: bool) -> None:
    """Write proposal NUMBER into its document, and show the change."""
    proposal = _numbered(found, number)
    before, after = adopted(proposal)
    _change(proposal.document, before, after, dry_run=dry_run)


@heals.command()
@click.argument("number", type=click.IntRange(min=1))
@click.pass_obj
def reject(found: list[Proposal], number: int) -> None:
    """Never propose NUMBER again."""
    click.echo(f"kept: {reject_proposal(_numbered(found, number))}")


def _change(document: Path, before: str, after: str, *, dry_run: bool) -> None:
    """Show a change of a document, and make it."""
    lines = before.splitlines(keepends=True), after.splitlines(keepends=True)
    click.echo("".join(difflib.unified_diff(*lines, f"a/{document}", f"b/{document}")), nl=False)
    if not dry_run:
        document.write_text(after, encoding="utf-8")


def _numbered(found: list[Proposal], number: int) -> Proposal:
    if number > len(found):
        raise _CouldNotBeTold(f"there is no proposal {number}; there are {len(found)}: sopbench heals")
    return found[number - 1]


@main.command()
@click.argument("site", type=click.Choice(list(SIGN_IN_PAGES)))
@click.option("--url", help="Where to sign in, if not at the site's own address.")
@click.option("--browser-executable", type=click.Path(path_type=Path), help="The browser to use.")
def login(site: str, url: str | None, browser_executable: Path | None) -> None:
    """Sign in to a site by hand in a browser window, and keep the sign-in for ``--site real``.

    \b
    sopbench login gmail
    """  # noqa: D301 - click wants the character itself
    settings = Settings(site="real", headed=True, browser_executable=browser_executable)
    file = asyncio.run(sign_in(site, url or SIGN_IN_PAGES[site], settings, _wait_for_enter))
    click.echo(f"kept: {file}")


@main.command()
@click.argument("folders", nargs=-1, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON array of conditions, with their faults.")
def conditions(folders: tuple[Path, ...], as_json: bool) -> None:
    """List what ``pytest --condition`` takes: the conditions that are shipped, and those in FOLDERS.

    \b
    sopbench conditions
    sopbench conditions scenarios/gmail_airtable/conditions
    """  # noqa: D301 - click wants the character itself
    found = find_conditions(["all"], folders)
    if as_json:
        click.echo(json.dumps([condition.model_dump(mode="json") for condition in found], indent=1, ensure_ascii=False))
        return
    for condition in found:
        causes = ", ".join(dict.fromkeys(fault.does.cause for fault in condition.faults))
        ends = "" if condition.recoverable else "; a careful person would stop"
        click.echo(f"{condition.name:<24} {causes:<18} {condition.title}{ends}")


main.add_command(cassettes)
main.add_command(gate)
main.add_command(coverage)
main.add_command(baseline)
main.add_command(report)
main.add_command(dashboard)
main.add_command(site)
main.add_command(matrix_command)
main.add_command(replay)
main.add_command(bisect)
main.add_command(record_tables)
main.add_command(notebooks)


async def _wait_for_enter(_: object) -> None:
    await asyncio.to_thread(
        click.prompt, "Sign in in the browser window, then press Enter here", "", show_default=False
    )


if __name__ == "__main__":
    main()
