"""The benchmark of replays: what failed is held again, and what differs is told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.replays import Answer, failed, held_again, lines
from sopbench.trials.verdict import Verdict

from .test_causes import keep

SAME = (
    """{"same": true, "events": 9, "events_same": 9, "difference": null, "verdicts": ["failed_safe", "failed_safe"]}"""
)
PARTED = """{"same": false, "events": 9, "events_same": 3, "verdicts": ["failed_safe", "failed_safe"],
 "difference": {"one": {"type": "action_failed"}, "other": {"type": "action_failed"}, "fields": ["message"]}}"""
OTHER_KINDS = PARTED.replace('"other": {"type": "action_failed"}', '"other": null')
OTHER_VERDICT = SAME.replace('"failed_safe"]', '"passed (clean)"]')


@pytest.mark.parametrize(
    ("code", "out", "answer", "where"),
    [
        (0, SAME, "same", ""),
        (1, PARTED, "different", "event 4 of 9: action_failed: message"),
        (1, OTHER_KINDS, "different", "event 4 of 9: action_failed → the end"),
        (1, OTHER_VERDICT, "different", "failed_safe → passed (clean)"),
        (2, "", "cannot be told", "its model was asked live"),
    ],
)
async def test_a_trial_that_failed_is_held_again(
    tmp_path: Path, code: int, out: str, answer: Answer, where: str
) -> None:
    keep(tmp_path, "removed", "target")
    keep(tmp_path, "passed", "target", verdict=Verdict.PASSED)
    keep(tmp_path, "broken", "target", verdict=Verdict.BROKEN)
    says = f"import sys; print({out!r}); print('its model was asked live', file=sys.stderr); sys.exit({code})"

    [(folder, record)] = failed([tmp_path])
    replayed = await held_again(folder, record, (sys.executable, "-c", says))

    assert (replayed.run, replayed.condition, replayed.verdict) == ("removed", "removed", "failed_safe")
    assert (replayed.answer, replayed.where) == (answer, where)
    told = lines([replayed])
    assert told[0] == f"1 {answer}"
    assert any(line.startswith("the same: ") for line in told) == (code != 2)
