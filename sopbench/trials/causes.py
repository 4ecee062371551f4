"""Why a trial did not pass clean: told from the log of its run alone, by small rules in a fixed order.

The rules look at one *episode*: the step in which the run failed, or else the first one in which it had to recover. The
first rule that finds something says the cause, and shows on which events it rests. No rule knows of conditions, of
faults, or of any particular site.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from sopbench.events.types import DecisionMade, OfStep, ScreenshotTaken, VariableSet
from sopbench.trials.cause_rules import RULES, Finding
from sopbench.trials.cause_words import READ_IN_TWO_WAYS
from sopbench.trials.episodes import episode_of
from sopbench.trials.verdict import Grade, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.events.types import Event
    from sopbench.trials.verdict import Judgement

_MOST_EXCERPT = 240
_MOST_EVIDENCE = 5


class Evidence(BaseModel):
    """One event that bears a cause out."""

    model_config = ConfigDict(frozen=True)

    seq: int
    """Its number in the log."""
    says: str
    """What of it counts."""
    picture: str = ""
    """Of what the page looked like then; relative to the run's folder."""


class Attribution(BaseModel):
    """Why a trial did not pass clean."""

    model_config = ConfigDict(frozen=True)

    cause: str
    """From the closed list."""
    rule: str
    """The one that found it."""
    because: str
    """In a sentence."""
    evidence: tuple[Evidence, ...] = ()


def attribute(events: Sequence[Event]) -> Attribution | None:
    """Why the run did not pass clean; None when all of it went as written, as far as its log tells."""
    episode = episode_of(events)
    if episode is None:
        return None
    for rule in RULES:
        finding = rule(episode)
        if finding is not None:
            return _attribution(rule.__name__, finding, events)
    return None


def attribute_trial(events: Sequence[Event], judgement: Judgement) -> Attribution | None:
    """Why the trial was not passed clean; None for one that was, for a broken one, and where nothing tells it.

    A run that completed without trouble and yet was wrong was led astray by what it believed: a date that can be read
    in two ways, a model's answer, if one decided its way, or else the document.
    """
    if judgement.verdict is Verdict.BROKEN or judgement.grade is Grade.CLEAN:
        return None
    found = attribute(events)
    if found is not None or judgement.verdict is not Verdict.FAILED_SILENT:
        return found
    dates = [event for event in events if isinstance(event, VariableSet) and _is_of_two_readings(event)]
    if dates:
        read = tuple((event, str(event.value)) for event in dates)
        finding = Finding("data", "a date that can be read in two ways was taken for one of them", read)
        return _attribution("believed_what_was_wrong", finding, events)
    decided = [event for event in events if isinstance(event, DecisionMade) and event.by == "model"]
    evidence = [(event, f"{event.question} → {event.choice or event.branch}") for event in decided]
    if evidence:
        finding = Finding("model", "nothing failed, and the model's answers decided its way", tuple(evidence))
    else:
        finding = Finding("procedure", "nothing failed, and the document saw nothing wrong")
    return _attribution("believed_what_was_wrong", finding, events)


def _is_of_two_readings(event: VariableSet) -> bool:
    shown = event.source in ("page", "tool") and isinstance(event.value, str)
    return shown and READ_IN_TWO_WAYS.match(event.value) is not None


def _attribution(rule: str, finding: Finding, events: Sequence[Event]) -> Attribution:
    pictures = [event for event in events if isinstance(event, ScreenshotTaken)]
    evidence = []
    for event, says in finding.events[:_MOST_EVIDENCE]:
        after = next((each for each in pictures if each.seq > event.seq), None)
        own = isinstance(event, OfStep) and after is not None and after.step == event.step
        excerpt = " ".join(says.split())[:_MOST_EXCERPT]
        evidence.append(Evidence(seq=event.seq, says=excerpt, picture=after.path if own and after else ""))
    return Attribution(cause=finding.cause, rule=rule, because=finding.because, evidence=tuple(evidence))
