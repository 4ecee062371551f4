"""``sopbench replay`` and ``sopbench bisect``: a stored trial again, whole, or with fewer and fewer of its faults."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sopbench.errors import UsageError
from sopbench.events.log import read_log
from sopbench.events.masking import MASK
from sopbench.reporting.replay import difference_lines, maker_lines
from sopbench.trial_runs import (
    NotHeld,
    begin,
    condition_option,
    held_of,
    hold_again,
    listed,
    run_of,
    stored_record,
)
from sopbench.trials.comparing import compare
from sopbench.trials.ddmin import ddmin
from sopbench.trials.sources import changed, maker_of, this_sopbench
from sopbench.trials.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from sopbench.trials.record import FaultRecord, TrialRecord


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--records", type=click.Path(path_type=Path), help="Keep the new run in this folder; else it is dropped.")
@click.option("--json", "as_json", is_flag=True, help="The answer as JSON.")
def replay(folder: Path, records: Path | None, as_json: bool) -> None:
    """Hold a stored trial again, and tell whether the same thing happened, event by event.

    The test that held it does so again: same document, case, condition, seed and cassette. Times, ports and what a page
    shows of a moment apart, the logs must be the same; otherwise the first difference is shown. Where another sopbench
    held it then, another version or another source, that is said: a difference may come from there.

    Exit code 0 when they are, 1 when not, 2 when it cannot be told: its document, case or cassette is another one now.

    \b
    sopbench replay reports/runs/20261121-180501-gmail_airtable-short_day-slow-network-1
    """  # noqa: D301 - click wants the character itself
    record = stored_record(folder)
    _require_repeatable(record)
    before, maker = read_log(folder), maker_of(held_of(record))
    with tempfile.TemporaryDirectory(prefix="sopbench-replay-") as temporary:
        again, new = run_of(hold_again(record, records or Path(temporary)), record.run)
        compared = compare(before, read_log(again))
    same_verdict = record.judgement.verdict is new.judgement.verdict and record.judgement.grade is new.judgement.grade
    same = compared.difference is None and same_verdict
    if as_json:
        told = {
            "same": same,
            "events": compared.events,
            "events_same": compared.same,
            "verdicts": [_worth(record), _worth(new)],
            "difference": asdict(compared.difference) if compared.difference else None,
            "sopbench": {
                "before": asdict(maker),
                "now": asdict(this_sopbench()),
                "same": maker == this_sopbench() if maker.source else None,
            },
            "folder": str(again) if records else None,
        }
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        lines = difference_lines(compared, _worth(record), _worth(new))
        for line in (*lines, *maker_lines(maker, this_sopbench())):
            click.echo(line)
    sys.exit(0 if same else 1)


@click.command()
@click.argument("where", type=click.Path(path_type=Path))
@click.option("--condition", help="With a scenario's folder: the condition whose trial is to be held first.")
@click.option("--case", "case", help="With a scenario's folder: the name of its case; else its first.")
@click.option("--trial", type=click.IntRange(min=1), default=1, show_default=True, help="With a scenario's folder.")
@click.option("--json", "as_json", is_flag=True, help="The answer as JSON.")
def bisect(where: Path, condition: str | None, case: str | None, trial: int, as_json: bool) -> None:
    """Find the smallest set of faults that still makes a trial fail: of a stored run, or of a scenario.

    Its condition's faults are tried in smaller and smaller parts, under the same seed: each fault strikes as it did.

    Exit code 0 when the set was found, 2 when it cannot be told: it does not fail again, or fails without any fault.

    \b
    sopbench bisect reports/runs/20261121-180501-gmail_airtable-short_day-bad_afternoon-1
    sopbench bisect scenarios/gmail_airtable --condition flaky-network+modal-dialog
    """  # noqa: D301 - click wants the character itself
    say: Callable[[str], object] = (lambda _: None) if as_json else click.echo
    with tempfile.TemporaryDirectory(prefix="sopbench-bisect-") as temporary:
        tries = _Tries(Path(temporary), say)
        record = _first(where, condition, case, trial, Path(temporary)) if condition else stored_record(where)
        faults = record.faults
        if not faults:
            raise UsageError(f"{record.condition}: a condition without faults cannot be made smaller")
        if not (tries.failed(record) if condition else tries.fails(record, faults)):
            raise UsageError("it passes this time: there is nothing to look for")
        if tries.fails(record, ()):
            raise UsageError("it fails without any fault, too: look at the procedure")
        smallest = ddmin(faults, lambda part: tries.fails(record, part))
    if as_json:
        told = {"condition": record.condition, "faults": [_told(fault) for fault in smallest], "trials": tries.held}
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
        return
    click.echo(f"{len(smallest)} of {len(faults)} faults make it fail, found in {tries.held} trials:")
    for fault in smallest:
        click.echo(f"  {fault.fault}  {json.dumps(_settings(fault), ensure_ascii=False)}")


class _Tries:
    """Holds a trial with some of its faults, and remembers how often."""

    def __init__(self, records: Path, say: Callable[[str], object]) -> None:
        self._records = records
        self._say = say
        self.held = 0

    def fails(self, record: TrialRecord, faults: tuple[FaultRecord, ...]) -> bool:
        """Whether the trial is not passed with these faults. Raises: UsageError when it could not be judged."""
        folder = self._records / f"{self.held + 1:03}"
        return self.failed(run_of(hold_again(record, folder, faults), record.run)[1], faults)

    def failed(self, record: TrialRecord, faults: tuple[FaultRecord, ...] | None = None) -> bool:
        """Whether a trial that was held just now was not passed; its faults are those of its record, or these.

        Raises: UsageError when it could not be judged.
        """
        self.held += 1
        judged = record.judgement
        faults = record.faults if faults is None else faults
        names = ", ".join(fault.fault for fault in faults) or "no fault"
        self._say(f"{self.held:>3}  {judged.verdict:<14}  {names}")
        if judged.verdict is Verdict.BROKEN:
            raise UsageError(f"the trial broke: {judged.reason}")
        return judged.verdict is not Verdict.PASSED


def _first(where: Path, condition: str, case: str | None, trial: int, folder: Path) -> TrialRecord:
    """The trial to be looked into, held now. Raises: UsageError."""
    arguments = [condition_option(condition), f"--trials={trial}"]
    there = [each for each in listed(where, arguments) if each.trial == trial and case in (None, each.case)]
    if not there:
        raise UsageError(f"{where}: no trial of {case or 'any case'} under {condition}")
    records, file = folder / "first", folder / "first.txt"
    begin(there[:1], arguments, records, file).wait()
    runs = sorted(records.iterdir()) if records.is_dir() else []
    if not runs:
        raise NotHeld(f"pytest did not hold {there[0].node}:\n{file.with_suffix('.log').read_text(encoding='utf-8')}")
    return run_of(runs, 1)[1]


def _require_repeatable(record: TrialRecord) -> None:
    """Raises: UsageError, saying what is not as it was."""
    held = held_of(record)
    if other := changed(held.sources):
        raise UsageError(f"it cannot be held again as it was: {'; '.join(other)}")
    if record.llm != "replay" and record.figures.model_calls:
        raise UsageError(f"its model was asked live (--llm {record.llm}): nobody knows what it would answer now")
    if any(MASK in option for option in held.options):
        raise UsageError("a secret was given to it on the command line, and is not kept: it cannot be held again")
    if record.site != "mock":
        raise UsageError("it was held on real sites, which are not as they were then")


def _worth(record: TrialRecord) -> str:
    judged = record.judgement
    return f"{judged.verdict} ({judged.grade})" if judged.grade else str(judged.verdict)


def _settings(fault: FaultRecord) -> dict[str, Any]:
    own = {"site": fault.site} if fault.site else {}
    return {**fault.parameters, **own, **({"when": fault.when} if fault.when else {})}


def _told(fault: FaultRecord) -> dict[str, Any]:
    return {"fault": fault.fault, **_settings(fault)}
