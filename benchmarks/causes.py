"""Is the cause that the log tells the true one? Trials under single faults, whose true cause is known.

``python benchmarks/causes.py --records reports/runs --json OUT`` reads stored trials that did not pass clean under
conditions of one fault, attributes each from its ``events.jsonl`` alone, and compares with the cause of the fault that
struck. A trial whose fault struck only after the trouble began says nothing, and neither does one that broke.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from sopbench.errors import SopbenchError
from sopbench.events.log import LOG_NAME, read_log
from sopbench.records.folder import TRIAL_NAME, read_trial
from sopbench.trials.causes import attribute_trial
from sopbench.trials.episodes import episode_of
from sopbench.trials.fault import Cause, read_strikes
from sopbench.trials.record import TrialRecord
from sopbench.trials.verdict import Grade, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sopbench.trials.causes import Attribution

CAUSES: tuple[str, ...] = get_args(Cause)
NONE = "none"
"""Where the rules found nothing."""


@dataclass(frozen=True)
class Attributed:
    """One trial whose true cause is known."""

    folder: Path
    condition: str
    verdict: str
    true: str
    found: Attribution | None

    @property
    def right(self) -> bool:
        return self.found is not None and self.found.cause == self.true


@dataclass
class Study:
    """All trials that say something, and why the others do not."""

    trials: list[Attributed]
    left_out: Counter[str]

    @property
    def right(self) -> int:
        return sum(each.right for each in self.trials)

    def matrix(self) -> dict[str, dict[str, int]]:
        """True cause → attributed cause → how often."""
        counted: dict[str, Counter[str]] = {}
        for each in self.trials:
            counted.setdefault(each.true, Counter())[each.found.cause if each.found else NONE] += 1
        return {true: dict(counted[true]) for true in CAUSES if true in counted}


def study(records: Iterable[Path]) -> Study:
    """Read every run below these folders."""
    found = Study([], Counter())
    for folder in sorted({file.parent for path in records for file in path.rglob(TRIAL_NAME)}):
        try:
            attributed = _attributed(folder)
        except (SopbenchError, ValueError) as error:
            found.left_out[f"cannot be read: {type(error).__name__}"] += 1
            continue
        if isinstance(attributed, str):
            found.left_out[attributed] += 1
        else:
            found.trials.append(attributed)
    return found


def _attributed(folder: Path) -> Attributed | str:
    """The trial, or why it says nothing."""
    record = TrialRecord.model_validate(read_trial(folder))
    judged = record.judgement
    if judged.verdict is Verdict.BROKEN or not (folder / LOG_NAME).exists():
        return "broken"
    if judged.grade is Grade.CLEAN:
        return "passed clean"
    if len({fault.fault for fault in record.faults}) != 1:
        return "not under a single fault"
    events = read_log(folder)
    episode = episode_of(events)
    ended = episode.events[-1].seq if episode is not None and episode.events else len(events)
    struck = [strike for strike in read_strikes(folder) if strike.seq <= ended]
    if not struck:
        return "the fault had not struck before the trouble"
    return Attributed(folder, record.condition, judged.verdict.value, struck[0].cause, attribute_trial(events, judged))


def lines(found: Study) -> list[str]:
    """The matrix as text: a row for each true cause, a column for each that was attributed."""
    matrix = found.matrix()
    columns = [cause for cause in (*CAUSES, NONE) if any(row.get(cause) for row in matrix.values())]
    told = [f"{'true / attributed':<18}" + "".join(f"{column:>11}" for column in columns)]
    for true, row in matrix.items():
        told.append(f"{true:<18}" + "".join(f"{row.get(column, 0) or '·':>11}" for column in columns))
    number = len(found.trials)
    if number:
        told.append(f"right: {found.right} of {number} ({found.right / number:.1%})")
    told += [f"left out, {why}: {count}" for why, count in sorted(found.left_out.items())]
    told += [
        f"wrong: {each.condition}: {each.true}, found {each.found.cause if each.found else NONE}"
        f" by {each.found.rule if each.found else '-'}: {each.folder}"
        for each in found.trials
        if not each.right
    ]
    return told


def as_json(found: Study) -> dict[str, Any]:
    return {
        "trials": len(found.trials),
        "right": found.right,
        "share": found.right / len(found.trials) if found.trials else None,
        "matrix": found.matrix(),
        "by_condition": _by_condition(found),
        "left_out": dict(found.left_out),
    }


def _by_condition(found: Study) -> dict[str, dict[str, Any]]:
    told: dict[str, dict[str, Any]] = {}
    for each in found.trials:
        row = told.setdefault(each.condition, {"true": each.true, "trials": 0, "right": 0})
        row["trials"] += 1
        row["right"] += each.right
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=Path, nargs="+", default=[Path("reports/runs")])
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found = study(given.records)
    print("\n".join(lines(found)))
    if given.json:
        given.json.write_text(json.dumps(as_json(found), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
