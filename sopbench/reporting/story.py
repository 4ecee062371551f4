"""The story of one run, step by step, for a terminal: what ``sopbench show`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from sopbench.events.types import ActionFailed, LoopEntered, StepFailed, StepFinished
from sopbench.records.figures import figures
from sopbench.reporting.steps import Step, fold
from sopbench.reporting.story_facts import tell_fact
from sopbench.reporting.terminal import Lines
from sopbench.reporting.why import why_lines
from sopbench.reporting.wording import count, dollars, fields, one_line, seconds, value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.events.types import Event
    from sopbench.records.figures import Figures
    from sopbench.reporting.steps import FoldedRun, Iteration
    from sopbench.trials.record import TrialRecord
    from sopbench.trials.verdict import Judgement

VERDICT_STYLES = {
    "passed": "green",
    "failed_silent": "bold red",
    "failed_harmful": "bold red",
    "failed_safe": "red",
    "broken": "yellow",
}


def story(events: Sequence[Event], record: TrialRecord | None = None, *, brief: bool = False) -> Lines:
    """One run as a rich renderable, readable from 80 columns on.

    ``record`` is what the trial was worth, where it was judged. ``brief`` gives one line per step.
    """
    run, lines = fold(events), Lines()
    _tell_header(lines, run, figures(events), record)
    for step in run.steps:
        _tell_step(lines, step, depth=0, brief=brief)
    _tell_end(lines, run, record)
    return lines


def _tell_header(lines: Lines, run: FoldedRun, counted: Figures, record: TrialRecord | None) -> None:
    started = run.started
    if started is None:
        lines.add(("the log does not say what was run", "bold"))
    else:
        lines.add((one_line(started.title), "bold"), (f"  {started.sop} {started.version}", "dim"))
    lines.add("  ", " · ".join(filter(None, _setting(run, record))), rows=2, hang=2)
    parts = [count(counted.steps, "step")]
    if counted.retries:
        parts.append(count(counted.retries, "retry", "retries"))
    if counted.model_calls:
        tokens = count(counted.input_tokens + counted.output_tokens, "token")
        parts.append(f"{count(counted.model_calls, 'model call')} ({counted.live_calls} live, {tokens})")
    if counted.cost_usd is not None:
        parts.append(dollars(counted.cost_usd))
    lines.add("  ", *_verdict(counted, record), right=seconds(counted.duration_s) if run.finished else "")
    lines.add("  ", (" · ".join(parts), "dim"))
    if started and started.variables:
        lines.add("  ", ("given  ", "dim"), fields(started.variables, 400), rows=3, hang=9)
    lines.add("")


def _setting(run: FoldedRun, record: TrialRecord | None) -> list[str]:
    if record:
        names = [record.scenario, record.case, record.condition, f"trial {record.trial}", f"seed {record.seed}"]
        return [*names, f"{record.site} site", record.llm, record.autonomy]
    context: dict[str, Any] = run.started.context if run.started else {}
    told = [f"{key} {item}" if key in {"trial", "seed"} else str(item) for key, item in context.items()]
    return [*(one_line(text, 40) for text in told), run.started.autonomy if run.started else ""]


def _verdict(counted: Figures, record: TrialRecord | None) -> list[Text]:
    if record is None:
        return [Text(counted.status, "bold"), Text(" (not judged)", "dim")]
    judged = record.judgement
    word = judged.verdict.value
    details = ", ".join(filter(None, (judged.grade.value if judged.grade else "", judged.cause)))
    return [Text(word, VERDICT_STYLES[word]), Text(f" ({details})" if details else "")]


def _tell_step(lines: Lines, step: Step, depth: int, *, brief: bool) -> None:
    started, finished = step.started, step.finished
    indent = "   " * depth
    if step.resumed:
        why = one_line(step.resumed.why)
        lines.add(indent, (f"begun again, {count(step.resumed.done, 'item')} done: {why}", "yellow"), rows=3, hang=2)
    mark, style = _mark(finished)
    tags = [started.kind]
    if isinstance(finished, StepFinished) and finished.tier != "exact":
        tags.append(finished.tier)
    if finished and finished.attempts > 1:
        tags.append(f"{finished.attempts} attempts")
    way = f" → {finished.condition}" if isinstance(finished, StepFinished) and finished.condition != "next" else ""
    lines.add(
        f"{indent}{started.step:>3} ",
        (f"{mark} ", style),
        (one_line(started.label) or started.node, "bold"),
        (f"  {', '.join(tags)}", "yellow" if len(tags) > 1 else "dim"),
        ("" if started.kind == "decision" and not brief else way, "cyan"),
        right=seconds(finished.duration_s) if finished else "",
    )
    column = len(indent) + 6
    if not brief:
        for fact in step.facts:
            tell_fact(lines, fact, column)
    if isinstance(finished, StepFailed) and (brief or not _told_already(step, finished)):
        lines.add(" " * column, (f"{finished.error}: {one_line(finished.message)}", "red"), rows=4, hang=column)
    for number, turn in enumerate(step.iterations, start=1):
        _tell_turn(lines, turn, number, step, depth + 1, brief=brief)


def _told_already(step: Step, finished: StepFailed) -> bool:
    ends = [fact.end for fact in step.facts if fact.end]
    return bool(ends) and isinstance(ends[-1], ActionFailed) and ends[-1].message == finished.message


def _tell_turn(lines: Lines, turn: Iteration, number: int, loop: Step, depth: int, *, brief: bool) -> None:
    total = next((fact.event.items for fact in loop.facts if isinstance(fact.event, LoopEntered)), None)
    place = f"{number} of {total}" if total else f"{number}"
    item = turn.started.item
    shown = fields(item, 200) if isinstance(item, dict) else value(item, 200)
    lines.add(f"{'   ' * depth}   ", (f"· item {place}  ", "cyan"), (shown, "dim"))
    for step in turn.steps:
        _tell_step(lines, step, depth, brief=brief)
    if turn.finished and turn.finished.failed:
        indent = "   " * depth + "   "
        lines.add(indent, ("✗ given up: ", "red"), one_line(turn.finished.reason), rows=3, hang=len(indent) + 2)


def _mark(finished: StepFinished | StepFailed | None) -> tuple[str, str]:
    if finished is None:
        return "…", "yellow"
    return ("✗", "red") if isinstance(finished, StepFailed) else ("✓", "green")


def _tell_end(lines: Lines, run: FoldedRun, record: TrialRecord | None) -> None:
    lines.add("")
    end = run.finished
    if end is None:
        lines.add(("the log ends here: the run was killed", "bold yellow"))
    elif end.status == "completed":
        lines.add(("completed", "green"), f"  {one_line(end.reason)}", rows=3, hang=2)
    else:
        where = f" at '{end.node}'" if end.node else ""
        cause = f" ({end.cause})" if end.cause else ""
        lines.add((f"{end.status.replace('_', ' ')}{where}{cause}: ", "red"), one_line(end.reason), rows=5, hang=2)
    if record is not None:
        _tell_judgement(lines, record.judgement, end.reason if end else "")
        for number, text in enumerate(why_lines(record.attribution)):
            lines.add(("why: " if not number else "     ", "bold"), text, rows=3, hang=5)


def _tell_judgement(lines: Lines, judged: Judgement, told: str) -> None:
    word, outcome = judged.verdict.value, judged.outcome
    if not outcome.as_expected:
        lines.add((f"{word}: ", VERDICT_STYLES[word]), "what the oracle found")
        for title, found in (("wrong", outcome.wrong), ("missing", outcome.missing)):
            for part in found:
                lines.add(f"  {title:<7}  ", one_line(part), rows=3, hang=11)
    elif judged.reason and judged.reason != told:
        lines.add((f"{word}: ", VERDICT_STYLES[word]), one_line(judged.reason), rows=5, hang=2)
