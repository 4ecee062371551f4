"""``sopbench gate`` and ``sopbench baseline``: deciding from stored runs, and what they are compared with.

Exit codes of ``gate``: 0 pass, 1 fail, 2 undecided or not to be told.
"""

from __future__ import annotations

import getpass
import json
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from sopbench.errors import UsageError
from sopbench.reliability.answers import percent
from sopbench.reporting.gate import gate_answer
from sopbench.reporting.terminal import text_lines
from sopbench.trials.baselines import BASELINE_NAME, Accepted, accepted, read_baselines, write_baselines
from sopbench.trials.stored import read_trials
from sopbench.trials.tallying import tallied
from sopbench.trials.trying import with_ways

if TYPE_CHECKING:
    from sopbench.reporting.terminal import Lines

RECORDS = click.option(
    "--records", type=click.Path(path_type=Path), default=Path("reports/runs"), show_default=True, help="Stored runs."
)
SINCE = click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]),
    help="Only runs that began then or later (UTC).",
)
BASELINE = click.option(
    "--baseline", "baseline_file", type=click.Path(path_type=Path), default=Path(BASELINE_NAME), show_default=True
)


@click.command()
@click.option("--policy", type=click.Path(path_type=Path), help="Default: gate.toml, or the table in pyproject.toml.")
@RECORDS
@SINCE
@BASELINE
@click.option("--json", "as_json", is_flag=True, help="The answer as JSON.")
def gate(policy: Path | None, records: Path, since: datetime | None, baseline_file: Path, as_json: bool) -> None:
    """Decide from stored runs whether what the policy claims holds.

    Exit code 0 when it passes, 1 when it fails, 2 when it is undecided.

    \b
    sopbench gate
    sopbench gate --policy nightly.toml --records reports/runs --since 2026-11-21
    """  # noqa: D301 - click wants the character itself
    from sopbench.reliability.gate import decide  # noqa: PLC0415 - scipy takes half a second
    from sopbench.reliability.policy_file import find_policy, read_policy  # noqa: PLC0415

    claimed = read_policy(policy or find_policy(Path()))
    stored = read_trials(records, _utc(since))
    found = tallied(stored.trials, read_baselines(baseline_file))
    covering = {(claims.scenario, claims.condition) for claims in claimed.claims if claims.coverage}
    answer = decide(claimed, with_ways(found.tallies, stored.trials, covering))
    left_out = (*stored.left_out, *found.left_out)
    if as_json:
        told = answer.model_dump(mode="json") | {"exit_code": answer.exit_code, "left_out": [*map(str, left_out)]}
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        _show(gate_answer(answer, left_out))
    sys.exit(answer.exit_code)


@click.group()
def baseline() -> None:
    """What later trials must not be worse than: ``accept``, ``show``."""


@baseline.command()
@click.argument("scenarios", nargs=-1)
@click.option("--condition", "conditions", multiple=True, help="Only under this one; repeatable.")
@click.option("--because", required=True, help="Why these trials are good enough; kept with them.")
@RECORDS
@SINCE
@BASELINE
@click.option("--json", "as_json", is_flag=True, help="What was accepted, as JSON.")
def accept(
    scenarios: tuple[str, ...],
    conditions: tuple[str, ...],
    because: str,
    records: Path,
    since: datetime | None,
    baseline_file: Path,
    as_json: bool,
) -> None:
    """Make the stored trials of SCENARIOS the baseline; without any, those of all.

    The file is meant to be kept with the project: its history says who moved the baseline, when and why.

    \b
    sopbench baseline accept gmail_airtable --because "first week in production"
    """  # noqa: D301 - click wants the character itself
    if not because.strip():
        raise UsageError("--because is empty: say why these trials are good enough")
    stored = read_trials(records, _utc(since))
    found = tallied(stored.trials)
    _check_named("scenario", scenarios, {tally.scenario for tally in found.tallies}, records)
    _check_named("condition", conditions, {tally.condition for tally in found.tallies}, records)
    who, now = _who(), datetime.now(UTC)
    taken = [
        accepted(
            tally,
            found.settings[tally.scenario],
            found.cases[tally.scenario, tally.condition],
            who=who,
            when=now,
            because=because.strip(),
        )
        for tally in found.tallies
        if (not scenarios or tally.scenario in scenarios) and (not conditions or tally.condition in conditions)
        if tally.scenario in found.settings
    ]
    if not taken:
        raise UsageError(f"{records}: no trials to accept")
    kept = {(each.scenario, each.condition): each for each in read_baselines(baseline_file)}
    before = {key: kept.get(key) for key in ((each.scenario, each.condition) for each in taken)}
    write_baselines(baseline_file, (kept | {(each.scenario, each.condition): each for each in taken}).values())
    if as_json:
        told = {
            "file": str(baseline_file),
            "accepted": [each.model_dump(mode="json") for each in taken],
            "left_out": [str(each) for each in (*stored.left_out, *found.left_out)],
        }
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
        return
    for each in taken:
        earlier = before[each.scenario, each.condition]
        was = f", before {_rate(earlier)}" if earlier else ""
        click.echo(f"{each.scenario} under {each.condition}: {_rate(each)}{was}")
    for left in (*stored.left_out, *found.left_out):
        click.echo(f"left out: {left}")
    click.echo(f"kept in {baseline_file}, by {who}: {because.strip()}")


@baseline.command()
@BASELINE
@click.option("--json", "as_json", is_flag=True, help="The baselines as JSON.")
def show(baseline_file: Path, as_json: bool) -> None:
    """Tell what was accepted, by whom, when and why.

    Example: sopbench baseline show
    """
    kept = read_baselines(baseline_file)
    if as_json:
        click.echo(json.dumps([each.model_dump(mode="json") for each in kept], indent=2, ensure_ascii=False))
        return
    if not kept:
        click.echo(f"{baseline_file}: nothing was accepted yet: sopbench baseline accept --because …")
    for each in kept:
        click.echo(f"{each.scenario} under {each.condition}: {_rate(each)}")
        click.echo(f"  {each.sop} {each.version} ({each.sha256[:8]}) on {', '.join(each.cases)}")
        click.echo(f"  site {each.site}, llm {each.llm}, autonomy {each.autonomy}; broken and left out: {each.broken}")
        click.echo(f"  {each.who}, {each.when}: {each.because}")


def _rate(each: Accepted) -> str:
    return f"{each.passed} of {each.trials} trials passed ({percent(each.passed / each.trials)})"


def _check_named(what: str, given: tuple[str, ...], there: set[str], records: Path) -> None:
    for name in given:
        if name not in there:
            known = ", ".join(sorted(there)) or "none"
            raise UsageError(f"{records}: there are no trials of the {what} {name!r}; there is {known}")


def _utc(since: datetime | None) -> datetime | None:
    return since.replace(tzinfo=UTC) if since else None


def _who() -> str:
    """The user git knows, or else the one the system knows."""
    git = shutil.which("git")
    parts = []
    for key in ("user.name", "user.email"):
        if git is None:
            break
        told = subprocess.run([git, "config", key], capture_output=True, text=True, check=False)  # noqa: S603 - git
        if told.returncode == 0 and told.stdout.strip():
            parts.append(told.stdout.strip())
    return " ".join(f"<{part}>" if "@" in part else part for part in parts) or getpass.getuser()


def _show(report: Lines) -> None:
    console = Console()
    for line in text_lines(report, console.width, colour=console.is_terminal):
        click.echo(line)
