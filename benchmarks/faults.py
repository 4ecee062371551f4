"""The figures of a scenario under faults, from what was held: put into a README between two marks.

``sopbench matrix SCENARIO --condition single --out reports/singles`` and ``--pairs 300 --out reports/pairs`` write the
verdicts, ``benchmarks/replays.py`` what happened again. ``python benchmarks/faults.py --singles reports/singles/S.json
--records reports/runs --pairs reports/pairs/S.json --replays reports/replays.jsonl --into README.md`` makes tables of
them; the causes are attributed anew from the logs.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import causes, replays
from benchmarks.readme import put
from sopbench.reliability.intervals import wilson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VERDICTS = ("clean", "recovered", "assisted", "failed_safe", "failed_silent", "failed_harmful", "broken")


def totals(told: Mapping[str, Any]) -> list[str]:
    """One matrix in a table of two rows: those that a careful person gets through, and the others."""
    lines = table_head("a careful person", "trials", "passed", *VERDICTS)
    for title, recoverable in (("gets through", True), ("stops", False)):
        rows = [row["counts"] for row in told["rows"] if row["recoverable"] is recoverable]
        counts = {verdict: sum(row[verdict] for row in rows) for verdict in VERDICTS}
        trials, passed = sum(counts.values()), counts["clean"] + counts["recovered"] + counts["assisted"]
        lines.append(cells(title, trials, share(passed, trials), *counts.values()))
    return lines


def conditions(told: Mapping[str, Any], attributed: Mapping[str, Mapping[str, int]]) -> list[str]:
    """A row for each condition: what came of its trials, and to what it was put down."""
    lines = table_head("condition", "true cause", "clean", "recovered", "failed safe", "untouched", "attributed to")
    for row in told["rows"]:
        name = f"`{row['condition']}`" + ("" if row["recoverable"] else " (stops)")
        found = ", ".join(f"{cause} {count}" for cause, count in attributed.get(row["condition"], {}).items())
        counts = row["counts"]
        lines.append(
            cells(
                name, ", ".join(row["true_causes"]),
                *(counts[each] or "" for each in ("clean", "recovered", "failed_safe")), row["untouched"] or "", found,
            )
        )  # fmt: skip
    return lines


def confusion(found: causes.Study) -> list[str]:
    """True cause → attributed cause."""
    matrix = found.matrix()
    columns = [cause for cause in (*causes.CAUSES, causes.NONE) if any(row.get(cause) for row in matrix.values())]
    lines = table_head("true ↓ attributed →", *columns)
    lines += [cells(true, *(row.get(column, "") for column in columns)) for true, row in matrix.items()]
    return [*lines, "", f"Right: {share(found.right, len(found.trials))}, {found.right} of {len(found.trials)}."]


def again(held: Sequence[replays.Replayed], failed: int) -> str:
    """How many of the failed trials did the same once more, of those that were held again."""
    same = sum(each.answer == "same" for each in held)
    return f"{share(same, len(held))}, {same} of {len(held)}; {failed} had failed."


def share(hits: int, number: int) -> str:
    """With Wilson's interval of 95 %."""
    if not number:
        return "–"
    low, high = wilson(hits, number)
    return f"{hits / number:.1%} ({low:.1%} – {high:.1%})"


def table_head(*columns: str) -> list[str]:
    return [cells(*columns), cells(*("---" for _ in columns))]


def cells(*values: object) -> str:
    return f"| {' | '.join(map(str, values))} |"


def figures(singles: Path, records: Sequence[Path], pairs: Path, held: Path) -> list[str]:
    """All of it, as Markdown."""
    single, found = json.loads(singles.read_text("utf-8")), causes.study(records)
    failed = sum(1 for _ in replays.failed(records))
    attributed: dict[str, dict[str, int]] = {}
    for each in found.trials:
        row, cause = attributed.setdefault(each.condition, {}), each.found.cause if each.found else causes.NONE
        row[cause] = row.get(cause, 0) + 1
    return [
        "One fault at a time:", "", *totals(single), "",
        "Two faults at a time:", "", *totals(json.loads(pairs.read_text("utf-8"))), "",
        f"Failed trials that `sopbench replay` found the same event by event: {again(replays.read(held), failed)}", "",
        "The cause, of single faults, in all trials that recovered or failed after their fault struck:", "",
        *confusion(found), "",
        "Condition by condition:", "", *conditions(single, attributed),
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--singles", type=Path, required=True)
    parser.add_argument("--records", type=Path, nargs="+", required=True)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--replays", type=Path, required=True)
    parser.add_argument("--into", type=Path)
    given = parser.parse_args()
    lines = figures(given.singles, given.records, given.pairs, given.replays)
    print("\n".join(lines))
    if given.into:
        put(given.into, "faults", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
