"""How each fact of a step reads in Allure: a name, a status, and parameters."""

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
    TargetHealed,
    TargetUnclear,
    TextGenerated,
    VariableSet,
)
from sopbench.records.figures import CAUSE_OF_ERROR
from sopbench.reporting.why import page_says
from sopbench.reporting.wording import one_line, seconds, value
from sopbench.targeting.shown import says

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sopbench.events.types import Event
    from sopbench.reporting.steps import Fact

BROKEN_BY = {"browser", "network", "model", "operator", "limit"}
"""Causes for which a step is ``broken``: something around the procedure gave out. For others it ``failed``."""


def name_of(event: Event) -> str:  # noqa: C901 - one case per kind of event
    """What a fact is called; empty for one that is told elsewhere."""
    match event:
        case ActionStarted() | ActionSkipped():
            return one_line(event.says, 200)
        case ArtifactKept():
            return f"kept {event.path} ({event.size:,} bytes, sha256 {event.sha256[:12]}…)"
        case AttemptStarted():
            return f"attempt {event.attempt}, after {seconds(event.waited_s)}"
        case ModelAsked():
            return f"ask the model: {one_line(event.question, 160)}"
        case OperatorAsked():
            return f"ask the operator: {one_line(event.question, 160)}"
        case ApprovalDecided():
            return f"{event.decision}: {one_line(event.says, 160)}"
        case TextGenerated():
            return f"text of {event.chars:,} characters, by {event.by}, attempt {event.attempt}"
        case PageSeen():
            return f"the page then: {one_line(page_says(event), 200)}"
        case TargetHealed():
            return f"taken for it: {one_line(event.says, 160)}"
        case TargetUnclear():
            return f"none taken for it: {one_line(event.why, 160)}"
        case Interrupted():
            return f"came between: {one_line(event.label, 160)} ({one_line('; '.join(event.seen), 160)})"
        case InterruptionEnded():
            return f"not dealt with: {one_line(event.reason, 160)}" if event.failed else "dealt with"
        case ItemPassedOver():
            return f"item {event.index + 1} was done before"
        case AlternativeTaken():
            return f"by another skill: {event.skill} ({event.method}) instead of {event.instead_of}"
        case ExplorationStarted():
            return f"explore: {one_line(event.goal, 160)}"
        case ExplorationStep():
            return f"{event.number}. {one_line(event.chosen, 160)}"
        case ExplorationFinished():
            return f"{'reached' if event.reached else 'not reached'}: {one_line(event.why, 160)}"
        case DecisionMade():
            return f"→ {event.branch}, by {event.by}: {one_line(event.evidence, 160)}"
        case _:
            return ""


def end_of(fact: Fact) -> tuple[str, str, dict[str, str]]:  # noqa: C901 - one case per kind of fact
    """Status of a fact, why it has it, and what else there is to tell."""
    match fact.event, fact.end:
        case _, ActionFinished() as end:
            waited = "; ".join(f"{what}, {seconds(length)}" for what, length in end.waited_s.items())
            return "passed", "", {"seen": "; ".join(end.expected), "waited": waited, "remark": end.remark}
        case _, ActionFailed() as end:
            status = "broken" if CAUSE_OF_ERROR.get(end.error, "model") in BROKEN_BY else "failed"
            return status, f"{end.error}: {end.message}", {}
        case ModelAsked() as asked, ModelAnswered() as end:
            told = {name: value(answer, 200) for name, answer in end.answer.items()}
            tokens = f"{end.input_tokens:,} + {end.output_tokens:,}"
            source = f"{end.model}, {'replayed' if end.replayed else 'live'}"
            return "passed", "", {"purpose": asked.purpose, **told, "model": source, "tokens": tokens}
        case _, ModelFailed() as end:
            return "broken", f"{end.error}: {end.message}", {}
        case _, OperatorAnswered() as end:
            return "passed", "", {"answer": end.answer, "operator": end.operator}
        case ApprovalDecided() as decided, _:
            status = "passed" if decided.decision == "approve" else "broken"
            return status, decided.why, {"rule": decided.rule, "by": decided.by}
        case TargetHealed() as healed, _:
            sure = "" if healed.probability is None else f"{healed.probability:.1%}"
            told = {"by": healed.by, "sure": sure, "candidates": str(healed.candidates)}
            return "passed", "", told | {"target": value(healed.target, 200)}
        case ExplorationStep() as turn, _:
            effect = f"{turn.effect}: {turn.because}" if turn.effect else ""
            return "passed", "", {"offered": str(turn.elements), "why": one_line(turn.why, 160), "effect": effect}
        case ExplorationFinished() as end, _:
            told = {"steps": str(end.steps), "refused": "; ".join(one_line(each, 100) for each in end.refused)}
            return "passed" if end.reached else "failed", "" if end.reached else end.why, told
        case DecisionMade() as made, _:
            piece = str(made.piece or "")
            about = {"question": one_line(made.question, 160), "choice": made.choice}
            return "passed", "", about | {"quote": made.quote, "piece": piece, "confidence": made.confidence}
        case TextGenerated() as text, _:
            return "failed" if text.objections else "passed", "; ".join(text.objections), {}
        case TargetUnclear() as unclear, _:
            best = {str(each["number"]): one_line(says(each), 100) for each in unclear.best}
            return "failed", unclear.why, best
        case AlternativeTaken() as taken, _:
            return "passed", taken.why, {"forgotten": ", ".join(taken.dropped)}
        case ActionSkipped() as skipped, _:
            return "skipped", skipped.why, {}
        case ((ActionStarted() | ModelAsked() | OperatorAsked()), None):
            return "broken", "begun, never finished", {}
        case _:
            return "passed", "", {}


def values_of(facts: Iterable[Fact]) -> dict[str, str]:
    """What variables got their values, for the parameters of a step."""
    events = (fact.event for fact in facts)
    return {
        event.name: value(event.value, 200)
        for event in events
        if isinstance(event, VariableSet) and event.source != "loop"
    }
