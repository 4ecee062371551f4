"""How each fact of a step is told on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.events.types import (
    ActionFailed,
    ActionFinished,
    ActionSkipped,
    ActionStarted,
    AlternativeTaken,
    ApprovalDecided,
    ArtifactKept,
    AttemptStarted,
    DecisionMade,
    ExplorationFinished,
    ExplorationStarted,
    ExplorationStep,
    Interrupted,
    InterruptionEnded,
    ItemPassedOver,
    ModelAnswered,
    ModelAsked,
    ModelFailed,
    OperatorAnswered,
    OperatorAsked,
    PageSeen,
    ScreenshotTaken,
    TargetHealed,
    TargetUnclear,
    TextGenerated,
    VariableSet,
)
from sopbench.reporting.why import page_says
from sopbench.reporting.wording import count, dollars, fields, one_line, seconds, value
from sopbench.targeting.shown import says

if TYPE_CHECKING:
    from sopbench.events.types import Event
    from sopbench.reporting.steps import Fact
    from sopbench.reporting.terminal import Lines

DECIDED_BY = {
    "check": "a check decided",
    "model": "the model decided",
    "operator": "the operator decided",
    "unsure": "nobody could be sure",
}
DECISIONS = {"approve": "approved", "reject": "rejected", "stop": "stopped"}
SHOWN_CANDIDATES = 3
PERFORMED = {True: "its effect took place", None: "its effect may have taken place", False: ""}


def tell_fact(lines: Lines, fact: Fact, column: int) -> None:  # noqa: C901 - one case per kind of fact
    """Add the lines of one fact, from ``column`` on."""
    indent, event = " " * column, fact.event
    match event:
        case ActionStarted():
            _tell_action(lines, fact, event, column)
        case ActionSkipped():
            lines.add(indent, ("– ", "dim"), one_line(event.says), (f"  skipped: {one_line(event.why)}", "dim"))
        case ArtifactKept():
            about = f"  {count(event.size, 'byte')}, sha256 {event.sha256[:12]}…"
            lines.add(indent, ("+ ", "dim"), event.path, (about, "dim"))
        case AttemptStarted():
            waited = f", after {seconds(event.waited_s)}" if event.waited_s else ""
            lines.add(indent, (f"attempt {event.attempt}{waited}", "yellow"))
        case Interrupted():
            told = f"came between: {one_line(event.label)}"
            lines.add(
                indent, (told, "yellow"), (f"  {one_line('; '.join(event.seen))}", "dim"), rows=2, hang=column + 2
            )
        case InterruptionEnded():
            told = f"not dealt with: {one_line(event.reason)}" if event.failed else "dealt with"
            lines.add(indent, (told, "yellow"), rows=2, hang=column + 2)
        case ItemPassedOver():
            lines.add(indent, (f"item {event.index + 1} was done before: {value(event.item, 80)}", "dim"))
        case AlternativeTaken():
            told = f"by another skill: {event.skill} ({event.method}) instead of {event.instead_of}"
            dropped = f"; forgotten: {', '.join(event.dropped)}" if event.dropped else ""
            lines.add(indent, (f"{told}{dropped}", "yellow"), rows=2, hang=column + 2)
        case VariableSet() if event.source != "loop":
            lines.add(indent, ("= ", "dim"), f"{event.name} = {value(event.value, 200)}", (f"  {event.source}", "dim"))
        case ModelAsked():
            _tell_question(lines, fact, event, column)
        case DecisionMade():
            lines.add(
                indent, (f"→ {event.branch}  ", "bold cyan"), (f"{DECIDED_BY[event.by]}: ", "dim"),
                one_line(event.evidence), rows=2, hang=column + 2,
            )  # fmt: skip
        case TextGenerated():
            _tell_text(lines, event, column)
        case OperatorAsked():
            _tell_operator(lines, fact.end, event, column)
        case ApprovalDecided():
            style = "green" if event.decision == "approve" else "red"
            about = f"  {event.rule}, by {event.by}" + (f": {one_line(event.why)}" if event.why else "")
            lines.add(
                indent, ("! ", style), f"{DECISIONS[event.decision]}: {one_line(event.says)}", (about, "dim"),
                rows=2, hang=column + 2,
            )  # fmt: skip
        case TargetHealed():
            sure = "" if event.probability is None else f"  {event.probability:.1%} sure"
            head = (indent, ("~ ", "yellow"), f"taken for it: {one_line(event.says)}")
            lines.add(
                *head, (f"  by {event.by}{sure}, of {event.candidates:,} candidates", "dim"), rows=2, hang=column + 2
            )
            _tell_picture(lines, indent, event.picture)
        case TargetUnclear():
            lines.add(indent, ("~ ", "yellow"), f"none taken for it: {one_line(event.why)}", rows=2, hang=column + 2)
            for each in event.best[:SHOWN_CANDIDATES]:
                lines.add(f"{indent}  ", (f"{each['number']}: {one_line(says(each))}", "dim"))
            _tell_picture(lines, indent, event.picture)
        case ExplorationStarted():
            lines.add(indent, ("⌕ ", "cyan"), f"explore: {one_line(event.goal)}", rows=2, hang=column + 2)
        case ExplorationStep():
            more = f" and {event.left_out} more" if event.left_out else ""
            about = f"  of {count(event.elements, 'element')}{more}" + (f"; {event.why}" if event.why else "")
            lines.add(
                indent, (f"{event.number}. ", "cyan"), one_line(event.chosen), (one_line(about), "dim"), rows=2,
                hang=column + 3,
            )  # fmt: skip
        case ExplorationFinished():
            style = "green" if event.reached else "red"
            told = "reached" if event.reached else "not reached"
            refused = f"; {count(len(event.refused), 'address', 'addresses')} refused" if event.refused else ""
            about = f"  in {count(event.steps, 'step')}{refused}"
            lines.add(indent, ("⌕ ", style), f"{told}: {one_line(event.why)}", (about, "dim"), rows=3, hang=column + 2)
        case ScreenshotTaken():
            lines.add(indent, (f"  {event.path}", "dim"))
        case PageSeen():
            lines.add(indent, (f"  the page then: {one_line(page_says(event))}", "dim"), rows=3, hang=column + 4)
        case _:
            pass
    for inner in fact.inner:
        tell_fact(lines, inner, column + 2)


def _tell_picture(lines: Lines, indent: str, picture: str) -> None:
    if picture:
        lines.add(indent, (f"  {picture}", "dim"))


def _tell_action(lines: Lines, fact: Fact, event: ActionStarted, column: int) -> None:
    indent, end, says = " " * column, fact.end, one_line(event.says)
    match end:
        case ActionFinished():
            lines.add(indent, ("✓ ", "green"), says, right=seconds(end.duration_s))
            if end.expected:
                lines.add(indent, (f"  seen: {one_line('; '.join(end.expected))}", "dim"))
            for what, length in end.waited_s.items():
                lines.add(indent, (f"  waited {seconds(length)}: {one_line(what)}", "dim"))
            if end.remark:
                lines.add(f"{indent}  ", (one_line(end.remark), "yellow"), rows=2, hang=column + 2)
        case ActionFailed():
            lines.add(indent, ("✗ ", "red"), says, right=seconds(end.duration_s))
            effect = f" ({PERFORMED[end.performed]})" if event.effect != "read" and PERFORMED[end.performed] else ""
            text = f"{end.error}: {one_line(end.message)}{effect}"
            lines.add(f"{indent}  ", (text, "red"), rows=4, hang=column + 2)
        case _:
            effect = "" if event.effect == "read" else "; its effect may have taken place"
            lines.add(
                indent, ("… ", "yellow"), says, (f"  begun, never finished{effect}", "yellow"), rows=2, hang=column + 2
            )


def _tell_question(lines: Lines, fact: Fact, event: ModelAsked, column: int) -> None:
    indent, end = " " * column, fact.end
    duration = seconds(end.duration_s) if isinstance(end, ModelAnswered | ModelFailed) else ""
    about = one_line(event.about, 60)
    shown = f"  about: {about}" if about else ""
    lines.add(indent, ("? ", "magenta"), one_line(event.question, 200), (shown, "dim"), right=duration)
    match end:
        case ModelAnswered():
            lines.add(f"{indent}  ", fields(end.answer, 300), rows=3, hang=column + 2)
            lines.add(f"{indent}  ", (_source(end), "dim"))
        case ModelFailed():
            lines.add(f"{indent}  ", (f"{end.error}: {one_line(end.message)}", "red"), rows=4, hang=column + 2)
        case _:
            lines.add(f"{indent}  ", ("no answer is in the log", "yellow"))


def _tell_text(lines: Lines, event: TextGenerated, column: int) -> None:
    indent, style = " " * column, "yellow" if event.objections else "green"
    told = count(len(event.objections), "objection") if event.objections else "nothing against it"
    again = f", attempt {event.attempt}" if event.attempt > 1 else ""
    lines.add(
        indent, ("✎ ", style), f"text of {count(event.chars, 'character')}", (f"  by {event.by}{again}: {told}", "dim")
    )
    for each in event.objections:
        lines.add(f"{indent}  ", (one_line(each), "yellow"), rows=2, hang=column + 2)


def _source(answer: ModelAnswered) -> str:
    tokens = f"{count(answer.input_tokens, 'token')} in, {answer.output_tokens:,} out"
    parts = ["replayed" if answer.replayed else "live", answer.model, tokens]
    return " · ".join(parts + ([dollars(answer.cost_usd)] if answer.cost_usd is not None else []))


def _tell_operator(lines: Lines, end: Event | None, event: OperatorAsked, column: int) -> None:
    indent = " " * column
    options = f"  {' / '.join(event.options)}" if event.options else ""
    lines.add(indent, ("! ", "magenta"), one_line(event.question), (options, "dim"), rows=3, hang=column + 2)
    if isinstance(end, OperatorAnswered):
        lines.add(f"{indent}  ", (one_line(end.answer, 200), "bold"), (f"  answered by {end.operator}", "dim"))
    else:
        lines.add(f"{indent}  ", ("no answer is in the log", "yellow"))
