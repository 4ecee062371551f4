"""Does the same thing happen again? Stored trials that failed, each held once more by ``sopbench replay``.

``python benchmarks/replays.py --records reports/runs --kept reports/replays.jsonl -n 2`` holds those again that are not
in the file yet, several beside each other, and says how many were the same event by event, and where the others part.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sopbench.records.folder import TRIAL_NAME, read_trial
from sopbench.reliability.intervals import wilson
from sopbench.trials.record import TrialRecord
from sopbench.trials.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

REPLAY = (sys.executable, "-m", "sopbench.cli", "replay", "--json")
WITHIN_S = 600.0
ANSWERS: dict[int | None, Answer] = {0: "same", 1: "different"}
Answer = Literal["same", "different", "cannot be told"]


@dataclass(frozen=True)
class Replayed:
    """One failed trial that was held again."""

    run: str
    condition: str
    verdict: str
    answer: Answer
    where: str = ""
    """Where the two part, or why that cannot be told."""


def failed(records: Iterable[Path]) -> Iterator[tuple[Path, TrialRecord]]:
    """The trials below these folders that neither passed nor broke."""
    for file in sorted(file for path in records for file in path.rglob(TRIAL_NAME)):
        record = TrialRecord.model_validate(read_trial(file.parent))
        if record.judgement.verdict not in (Verdict.PASSED, Verdict.BROKEN):
            yield file.parent, record


async def held_again(folder: Path, record: TrialRecord, command: Sequence[str] = REPLAY) -> Replayed:
    """Ask ``sopbench replay`` about one of them."""
    process = await asyncio.create_subprocess_exec(
        *command, str(folder), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), WITHIN_S)
    except TimeoutError:
        process.kill()
        await process.wait()
        out, err = b"", f"no answer within {WITHIN_S:g} s".encode()
    answer = ANSWERS.get(process.returncode, "cannot be told") if out else "cannot be told"
    return Replayed(
        folder.name, record.condition, str(record.judgement.verdict), answer, _where(answer, out.decode(), err.decode())
    )


def _where(answer: Answer, out: str, err: str) -> str:
    if answer == "same":
        return ""
    if answer == "cannot be told":
        return err.strip().splitlines()[-1] if err.strip() else ""
    told = json.loads(out)
    parts = told["difference"]
    if parts is None:
        return " → ".join(told["verdicts"])
    kinds = [each["type"] if each else "the end" for each in (parts["one"], parts["other"])]
    at = f"event {told['events_same'] + 1} of {told['events']}"
    return f"{at}: {kinds[0]}: {', '.join(parts['fields'])}" if kinds[0] == kinds[1] else f"{at}: {' → '.join(kinds)}"


def lines(replayed: Sequence[Replayed]) -> list[str]:
    """How many were the same, and each that was not."""
    counted = Counter(each.answer for each in replayed)
    asked = counted["same"] + counted["different"]
    told = [f"{count} {answer}" for answer, count in counted.most_common()]
    if asked:
        low, high = wilson(counted["same"], asked)
        told.append(
            f"the same: {counted['same']} of {asked} ({counted['same'] / asked:.1%}; 95 % {low:.1%} to {high:.1%})"
        )
    return told + [f"{each.answer}: {each.run}: {each.where}" for each in replayed if each.answer != "same"]


def read(kept: Path) -> list[Replayed]:
    """What was held again so far."""
    if not kept.exists():
        return []
    return [Replayed(**json.loads(line)) for line in kept.read_text("utf-8").splitlines()]


async def _all(trials: Sequence[tuple[Path, TrialRecord]], beside: int, kept: Path) -> None:
    turn = asyncio.Semaphore(beside)
    done = 0

    async def one(folder: Path, record: TrialRecord) -> None:
        nonlocal done
        async with turn:
            replayed = await held_again(folder, record)
        with kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(replayed), ensure_ascii=False) + "\n")
        done += 1
        print(f"{done:>4} of {len(trials)}  {replayed.answer:<14}  {replayed.run}  {replayed.where}", flush=True)

    await asyncio.gather(*(one(folder, record) for folder, record in trials))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=Path, nargs="+", default=[Path("reports/runs")])
    parser.add_argument(
        "--kept", type=Path, default=Path("reports/replays.jsonl"), help="a line for each that was held"
    )
    parser.add_argument("-n", type=int, default=2, dest="beside", help="how many beside each other")
    given = parser.parse_args()
    given.kept.parent.mkdir(parents=True, exist_ok=True)
    before = {each.run for each in read(given.kept)}
    asyncio.run(_all([each for each in failed(given.records) if each[0].name not in before], given.beside, given.kept))
    print("\n".join(lines(read(given.kept))))


if __name__ == "__main__":
    main()
