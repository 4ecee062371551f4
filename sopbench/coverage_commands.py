"""``sopbench coverage``: which ways of a procedure its stored trials took, and which none ever did."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

from sopbench.errors import UsageError
from sopbench.records.coverage import coverage as covered_by
from sopbench.reporting.coverage import coverage_lines
from sopbench.reporting.terminal import text_lines
from sopbench.sop.loader import load
from sopbench.trials.stored import LeftOut, read_trials
from sopbench.trials.trying import took

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.records.coverage import Covered
    from sopbench.sop.loader import Loaded
    from sopbench.trials.stored import StoredTrial


@dataclass(frozen=True)
class _Coverage:
    """Of one document."""

    procedure: Loaded
    conditions: dict[str, int]
    covered: tuple[Covered, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def exit_code(self) -> int:
        """2 without a trial, 1 when something other than a tier of recovery was never taken."""
        if not self.conditions:
            return 2
        return int(any(not each.trials for each in self.covered if each.way.kind != "tier"))


@click.command()
@click.argument("documents", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--records", type=click.Path(path_type=Path), default=Path("reports/runs"), show_default=True, help="Stored runs."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON array, an object per document.")
def coverage(documents: tuple[Path, ...], records: Path, as_json: bool) -> None:
    """Tell which nodes, branches, loops, skills, expectations and tiers of recovery were ever taken.

    What was never taken comes first. Trials of another version of a document do not count, nor do broken ones.

    Exit code 1 when something was never taken (tiers apart), 2 when there is no trial.

    \b
    sopbench coverage scenarios/gmail_airtable/gmail_airtable.sop.json
    """  # noqa: D301 - click wants the character itself
    stored = read_trials(records)
    found = [_coverage(load(document), stored.trials) for document in documents]
    if as_json:
        click.echo(json.dumps([_told(each) for each in found], indent=2, ensure_ascii=False))
    else:
        console = Console()
        for each in found:
            meta = each.procedure.sop.meta
            title = f"{each.procedure.path} · {meta.id} {meta.version}"
            report = coverage_lines(title, each.conditions, each.covered)
            click.echo("\n".join(text_lines(report, console.width, colour=console.is_terminal)))
            for left in each.left_out:
                click.echo(f"left out: {left}")
        for left in stored.left_out:
            click.echo(f"left out: {left}")
    sys.exit(max(each.exit_code for each in found))


def _coverage(procedure: Loaded, trials: Sequence[StoredTrial]) -> _Coverage:
    conditions: Counter[str] = Counter()
    runs, left_out = [], dict[str, list[str]]()
    for trial in trials:
        if trial.start is None or trial.start.sop != procedure.sop.meta.id:
            continue
        why = _why_not(trial, procedure)
        if why:
            left_out.setdefault(why, []).append(trial.run)
            continue
        try:
            runs.append((trial.record.condition, set(took(trial, procedure))))
        except UsageError:
            left_out.setdefault("with a log that cannot be read", []).append(trial.run)
            continue
        conditions[trial.record.condition] += 1
    left = tuple(LeftOut(why, tuple(names)) for why, names in left_out.items())
    return _Coverage(procedure, dict(conditions), covered_by(procedure.sop, runs), left)


def _why_not(trial: StoredTrial, procedure: Loaded) -> str:
    if trial.start is None or trial.start.sha256 != procedure.sha256:
        return "of another version of the document"
    return "that broke" if trial.is_broken else ""


def _told(each: _Coverage) -> dict[str, Any]:
    ordered = sorted(each.covered, key=lambda covered: bool(covered.trials))
    return {
        "document": str(each.procedure.path),
        "sop": each.procedure.sop.meta.id,
        "version": each.procedure.sop.meta.version,
        "sha256": each.procedure.sha256,
        "trials": each.conditions,
        "ways": [
            {
                "kind": covered.way.kind,
                "node": covered.way.node,
                "what": covered.way.what,
                "says": covered.way.says,
                "trials": covered.trials,
                "conditions": covered.conditions,
            }
            for covered in ordered
        ],
        "left_out": [str(left) for left in each.left_out],
    }
