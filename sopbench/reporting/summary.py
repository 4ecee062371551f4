"""The end of a session: how reliable each case was, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.records.heals import LAST_RUNS, healed_too_often
from sopbench.reliability.intervals import trials_needed
from sopbench.reporting.groups import summarise
from sopbench.reporting.terminal import Lines, text_lines
from sopbench.reporting.wording import count, dollars, one_line, percent, seconds
from sopbench.trials.verdict import Grade, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.reporting.groups import Group, Rate, RetriesOf
    from sopbench.trials.record import TrialRecord

SHOWN_TRIALS = 10
SHOWN_RETRIES = 4
FEWEST_FOR_P95 = 20
"""With fewer, the 95th percentile is the slowest one, and is called so."""
STYLES = {
    Verdict.FAILED_SILENT: "bold red",
    Verdict.FAILED_HARMFUL: "bold red",
    Verdict.FAILED_SAFE: "red",
    Verdict.BROKEN: "yellow",
}
"""Of what did not pass, the worst first."""
REPLAYED = "decisions replayed from one cassette: the interval speaks of the browser part, not of the model"

# The columns of a row, in characters: `  passed          20   (19 clean, 1 recovered)      100.0 %    83.2 – 100.0 %`
LABEL, NUMBER, DETAIL, RATE, INTERVAL = 10, 8, 30, 7, 17


def summary_lines(
    records: Sequence[TrialRecord],
    *,
    width: int,
    colour: bool,
    runs: str = "",
    allure: str = "",
    gated: bool = False,
) -> list[str]:
    """The whole summary, ready to be written; colours are escape sequences, and only there when asked for."""
    return text_lines(render(summarise(records), runs=runs, allure=allure, gated=gated), width, colour=colour)


def render(groups: Sequence[Group], *, runs: str = "", allure: str = "", gated: bool = False) -> Lines:
    """The summary as a rich renderable, without a title; empty when there was no trial.

    ``runs`` and ``allure`` say where the runs' folders and the results of Allure lie; ``gated`` that a gate speaks of
    claims, so that this need not.
    """
    lines = Lines()
    if not groups:
        return lines
    for group in groups:
        _tell_group(lines, group)
    _tell_not_passed(lines, groups)
    claim = f"99 % at 95 % confidence takes {trials_needed(0.99, 0.95)} trials without a failure"
    if not gated:
        lines.add((f"no claim decided: {claim}", "dim"))
    places = [f"{name}: {place}" for name, place in (("runs", runs), ("allure", allure)) if place]
    if places:
        lines.add(("    ".join(places), "dim"), rows=0)
    return lines


def _tell_group(lines: Lines, group: Group) -> None:
    head, trials = f"{group.name}  ", count(group.trials, "trial")
    room = max(0, 2 + LABEL + NUMBER + 3 + DETAIL + RATE - len(trials))
    lines.add((head.ljust(room), "bold"), trials, (f"{'95 % interval':>{INTERVAL}}", "dim"))
    passed, verdicts = group.trials - len(group.not_passed), group.verdicts
    grades = ", ".join(f"{number:,} {grade.value}" for grade, number in group.grades.items() if number)
    _row(lines, "passed", passed, f"({grades})" if grades else "", group.passed, style="green" if passed else "")
    if group.passed and group.clean and group.clean.hits != group.passed.hits:
        _row(lines, "  clean", group.grades[Grade.CLEAN], "at the first attempt", group.clean)
    if group.passed is None:
        lines.add("  no rate: every trial broke, and says nothing about the procedure")
    if group.counting_broken:
        _row(lines, "  of all", passed, "broken ones as failures", group.counting_broken)
    if group.units < group.trials - group.broken:
        once = f"the rates count each of {count(group.units, 'seed')} once"
        note = f"replayed trials of one seed are not independent: {once}"
        lines.add("  ", (note, "dim"), rows=2, hang=2)
    if group.replayed and group.passed:
        lines.add("  ", (REPLAYED, "dim"), rows=2, hang=2)
    kinds = (("silent", Verdict.FAILED_SILENT), ("harmful", Verdict.FAILED_HARMFUL), ("safe", Verdict.FAILED_SAFE))
    lines.add(
        _label("failed"),
        (f"{group.failed:>{NUMBER},}   ", "bold red" if group.failed else ""),
        *_joined(
            [(f"{name} {verdicts[verdict]:,}", STYLES[verdict] if verdicts[verdict] else "") for name, verdict in kinds]
        ),
        (f"      broken {group.broken:,}", STYLES[Verdict.BROKEN] if group.broken else ""),
    )
    _tell_retries(lines, group.retries)
    _tell_heals(lines, group)
    if group.other_ways:
        told = ", ".join(f"{number:,} {tier}" for tier, number in group.other_ways.items())
        lines.add(f"{_label('otherwise')}{sum(group.other_ways.values()):>{NUMBER},}   steps: {told}")
    if group.resumed:
        lines.add(f"{_label('resumed')}{group.resumed:>{NUMBER},}   times begun again from the start")
    _tell_cost(lines, group)
    lines.add("")


def _row(lines: Lines, label: str, number: int, detail: str, rate: Rate | None, style: str = "") -> None:
    shown = f"{percent(rate.share)} %" if rate else ""
    interval = f"{percent(rate.low)} – {percent(rate.high):>5} %" if rate else ""
    head = (_label(label), (f"{number:>{NUMBER},}", style), "   ")
    figures = (f"{shown:>{RATE}}", "bold"), f"{interval:>{INTERVAL}}"
    if len(detail) < DETAIL:
        lines.add(*head, f"{detail:<{DETAIL}}", *figures)
    else:
        lines.add(*head, " " * DETAIL, *figures)
        lines.add(" " * (2 + LABEL + NUMBER + 3), detail)


def _tell_retries(lines: Lines, retries: Sequence[RetriesOf]) -> None:
    total = sum(kind.retries for kind in retries)
    for number, kind in enumerate(retries[:SHOWN_RETRIES]):
        head = f"{_label('retries')}{total:>{NUMBER},}   " if number == 0 else " " * (2 + LABEL + NUMBER + 3)
        times = f"{kind.retries:,} × " if len(retries) > 1 else ""
        step = f"step {kind.step} " if kind.step else ""
        cause = f" ({kind.cause})" if kind.cause else ""
        lines.add(head, times, f"{step}'{one_line(kind.label, 60) or kind.node}'{cause}")
    if len(retries) > SHOWN_RETRIES:
        lines.add(" " * (2 + LABEL + NUMBER + 3), f"and at {count(len(retries) - SHOWN_RETRIES, 'other step')}")
    if not retries:
        lines.add(f"{_label('retries')}{0:>{NUMBER}}")


def _tell_heals(lines: Lines, group: Group) -> None:
    total = sum(map(len, group.healed))
    if not total:
        return
    trials = sum(map(bool, group.healed))
    lines.add(f"{_label('heals')}{total:>{NUMBER},}   in {count(trials, 'trial')}: sopbench heals")
    for node, number in healed_too_often(group.healed):
        note = (
            f"{node} was healed {number} times in its last {min(len(group.healed), LAST_RUNS)} runs: adopt or mend it"
        )
        lines.add(" " * (2 + LABEL + NUMBER + 3), (note, "yellow"), rows=2, hang=2 + LABEL + NUMBER + 3)


def _tell_cost(lines: Lines, group: Group) -> None:
    if group.duration_median_s is not None and group.duration_p95_s is not None and group.duration_max_s is not None:
        many = group.durations >= FEWEST_FOR_P95
        slow = f"{seconds(group.duration_p95_s)} p95" if many else f"{seconds(group.duration_max_s)} slowest"
        lines.add(f"{_label('duration')}{seconds(group.duration_median_s):>{NUMBER}}   median, {slow}")
    if group.model_calls:
        tokens = f"{group.input_tokens:,} + {group.output_tokens:,} tokens"
        parts = [f"{'call' if group.model_calls == 1 else 'calls'}, {group.live_calls:,} live", tokens]
        if group.cost_usd is not None:
            parts.append(dollars(group.cost_usd) if group.live_calls else f"{dollars(group.cost_usd)} if live")
        lines.add(f"{_label('model')}{group.model_calls:>{NUMBER},}   {' · '.join(parts)}")


def _tell_not_passed(lines: Lines, groups: Sequence[Group]) -> None:
    order = list(STYLES)
    records = [record for group in groups for record in group.not_passed]
    records.sort(key=lambda record: order.index(record.judgement.verdict))
    several = len({record.scenario for record in records}) > 1
    for record in records[:SHOWN_TRIALS]:
        judged = record.judgement
        name = f"{record.case}-{record.condition}-{record.trial}"
        cause = f" ({judged.cause})" if judged.cause else ""
        lines.add(
            f"{record.scenario} {name}" if several else name,
            (f"  {judged.verdict.value}{cause}", STYLES[judged.verdict]),
            f"  {one_line(judged.reason)}",
        )
        lines.add((f"    sopbench show {record.folder}", "dim"), rows=0)
    if len(records) > SHOWN_TRIALS:
        lines.add(f"and {len(records) - SHOWN_TRIALS} more")
    if records:
        lines.add("")


def _label(name: str) -> str:
    return f"  {name:<{LABEL}}"


def _joined(parts: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [part for name, style in parts for part in ((name, style), (" · ", ""))][:-1]
