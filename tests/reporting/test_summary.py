"""The end of a session counts honestly, and fits the terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from sopbench.records.figures import Figures, Retried
from sopbench.reporting.groups import summarise
from sopbench.reporting.summary import summary_lines
from sopbench.trials.verdict import Grade, Judgement, Outcome, Verdict, broken, judge

if TYPE_CHECKING:
    from collections.abc import Callable

    from sopbench.trials.record import TrialRecord

    Trial = Callable[..., TrialRecord]


def retried(step: int = 14, cause: str = "timing", calls: int = 0) -> Figures:
    again = Retried(step=step, node="save", label="Save the record", attempts=2, cause=cause)
    return Figures(
        status="completed", duration_s=16.9, steps=14, tiers={"exact": 13, "retried": 1}, retried=(again,),
        model_calls=calls, input_tokens=800 * calls, output_tokens=12 * calls,
        cost_usd=0.001 * calls if calls else None,
    )  # fmt: skip


def stopped(reason: str, outcome: Outcome | None = None) -> Judgement:
    return judge(Figures(status="failed", reason=reason, cause="target"), outcome or Outcome())


def text(records: list[TrialRecord], width: int = 80) -> str:
    return "\n".join(summary_lines(records, width=width, colour=False))


def test_a_good_session_reads_as_in_the_book(trial: Trial) -> None:
    records = [trial(number, llm="live") for number in range(1, 20)]
    records.append(trial(20, llm="live", figures=retried(calls=28)))

    lines = summary_lines(records, width=80, colour=False, runs="reports/runs", allure="reports/allure-results")

    assert lines == [
        "gmail_airtable · ordinary_day · clean              20 trials    95 % interval",
        "  passed          20   (19 clean, 1 recovered)       100.0 %   83.2 – 100.0 %",
        "    clean         19   at the first attempt           95.0 %   75.1 –  99.9 %",
        "  failed           0   silent 0 · harmful 0 · safe 0      broken 0",
        "  retries          1   step 14 'Save the record' (timing)",
        "  duration    11.1 s   median, 11.9 s p95",
        "  model           28   calls, 0 live · 22,400 + 336 tokens · $0.028 if live",
        "",
        "no claim decided: 99 % at 95 % confidence takes 299 trials without a failure",
        "runs: reports/runs    allure: reports/allure-results",
    ]


def test_without_trials_there_is_nothing_to_say() -> None:
    assert summarise([]) == []
    assert summary_lines([], width=80, colour=False) == []


def test_trials_are_grouped_in_the_order_in_which_they_came(trial: Trial) -> None:
    records = [trial(1, case="b"), trial(1, case="a"), trial(2, case="b"), trial(1, case="b", condition="slow-network")]

    groups = summarise(records)

    assert [(group.name.split(" · ", 1)[1], group.trials) for group in groups] == [
        ("b · clean", 2),
        ("a · clean", 1),
        ("b · slow-network", 1),
    ]


def test_every_verdict_is_counted_by_its_own_name(trial: Trial) -> None:
    wrong = Outcome(wrong=("'Acme' is there twice",))
    records = [
        trial(1),
        trial(2, judgement=judge(Figures(status="completed"), wrong)),
        trial(3, judgement=stopped("no link", wrong)),
        trial(4, judgement=stopped("no link")),
        trial(5, judgement=broken("no site")),
        trial(6, judgement=Judgement(verdict=Verdict.PASSED, grade=Grade.ASSISTED)),
    ]

    (group,) = summarise(records)

    assert group.verdicts == {
        Verdict.PASSED: 2,
        Verdict.FAILED_SILENT: 1,
        Verdict.FAILED_SAFE: 1,
        Verdict.FAILED_HARMFUL: 1,
        Verdict.BROKEN: 1,
    }
    assert (group.failed, group.broken) == (3, 1)
    assert group.grades == {Grade.CLEAN: 1, Grade.RECOVERED: 0, Grade.ASSISTED: 1}


def test_broken_trials_leave_the_rate_and_are_also_shown_as_failures(trial: Trial) -> None:
    records = [trial(number) for number in range(1, 5)] + [trial(5, judgement=broken("no site"))]

    (group,) = summarise(records)

    assert group.passed is not None
    assert group.counting_broken is not None
    assert (group.passed.hits, group.passed.of) == (4, 4)
    assert (group.counting_broken.hits, group.counting_broken.of) == (4, 5)
    assert re.search(r"of all +4 +broken ones as failures +80\.0 %", text(records))


def test_when_all_broke_there_is_no_rate(trial: Trial) -> None:
    records = [trial(1, judgement=broken("no site"), figures=Figures(status="killed"))]

    (group,) = summarise(records)

    assert group.passed is None
    assert group.duration_median_s is None
    assert "no rate: every trial broke" in text(records)


def test_replayed_trials_of_one_seed_count_once_and_pass_only_together(trial: Trial) -> None:
    records = [trial(1, seed=1), trial(2, seed=1), trial(3, seed=2), trial(4, seed=2, judgement=stopped("no link"))]

    (group,) = summarise(records)

    assert group.passed
    assert (group.passed.hits, group.passed.of, group.units) == (1, 2, 2)
    assert "the rates count each of 2 seeds once" in " ".join(text(records).split())


def test_live_trials_of_one_seed_are_trials_of_their_own(trial: Trial) -> None:
    (group,) = summarise([trial(1, seed=1, llm="live"), trial(2, seed=1, llm="live")])

    assert group.units == 2


@pytest.mark.parametrize(("llm", "calls", "told"), [("replay", 3, True), ("replay", 0, False), ("live", 3, False)])
def test_replayed_decisions_are_said_to_be_replayed(trial: Trial, llm: str, calls: int, told: bool) -> None:
    figures = Figures(status="completed", duration_s=1, tiers={"exact": 1}, model_calls=calls)

    shown = " ".join(text([trial(1, llm=llm, figures=figures)]).split())

    assert ("decisions replayed from one cassette" in shown) is told


def test_retries_are_grouped_by_node_and_cause(trial: Trial) -> None:
    records = [trial(1, figures=retried(14)), trial(2, figures=retried(9)), trial(3, figures=retried(14, "target"))]

    (group,) = summarise(records)

    assert [(kind.cause, kind.retries, kind.step) for kind in group.retries] == [("timing", 2, None), ("target", 1, 14)]
    assert "2 × 'Save the record' (timing)" in text(records)
    assert "1 × step 14 'Save the record' (target)" in text(records)


def test_steps_that_were_recovered_otherwise_are_counted_by_how(trial: Trial) -> None:
    ways = Figures(status="completed", tiers={"exact": 3, "alternative": 2, "assisted": 1, "healed": 4})

    assert "otherwise        6   steps: 4 alternative, 2 assisted" in text(
        [trial(1, figures=ways), trial(2, figures=ways)]
    )
    assert "steps:" not in text([trial(1, figures=retried())])


def test_the_slowest_of_few_is_not_called_a_percentile(trial: Trial) -> None:
    few, many = ([trial(number) for number in range(1, count + 1)] for count in (19, 20))

    assert "11.9 s slowest" in text(few)
    assert "11.9 s p95" in text(many)


def test_a_rate_is_only_called_whole_when_it_is(trial: Trial) -> None:
    records = [trial(number) for number in range(1, 2001)] + [trial(2001, judgement=stopped("no link"))]

    assert re.search(r"passed +2,000 .* 99\.9 % +99\.7 – +99\.9 %", text(records))


def test_at_most_ten_trials_are_named_the_worst_first(trial: Trial) -> None:
    silent = judge(Figures(status="completed"), Outcome(wrong=("'Acme' is there twice",)))
    records = [trial(number, judgement=stopped("no link named 'Inbox'")) for number in range(1, 12)]
    records.append(trial(12, judgement=silent))

    lines = text(records).splitlines()
    named = [line for line in lines if line.startswith("ordinary_day-clean-")]

    assert named[0] == "ordinary_day-clean-12  failed_silent  'Acme' is there twice"
    assert named[1] == "ordinary_day-clean-1  failed_safe (target)  no link named 'Inbox'"
    assert len(named) == 10
    assert "    sopbench show reports/runs/20261121-180501-ordinary_day-clean-12" in lines
    assert "and 2 more" in lines


def test_lines_keep_to_the_width_but_paths_stay_whole(trial: Trial) -> None:
    folder = "reports/runs/" + "x" * 90
    records = [trial(1, folder=folder, judgement=stopped("no such link " * 30), scenario="a_long_name_" * 8)]

    lines = summary_lines(records, width=80, colour=False)

    assert f"    sopbench show {folder}" in lines
    assert all(cell_len(line) <= 80 for line in lines if folder not in line)


def test_colours_are_there_only_when_asked_for(trial: Trial) -> None:
    records = [trial(1)]

    assert "\x1b[" in "".join(summary_lines(records, width=80, colour=True))
    assert "\x1b[" not in "".join(summary_lines(records, width=80, colour=False))
