"""Every error sopbench raises, in one tree.

SopbenchError                      something this package has a clear word for
├── UsageError                     the way it was called: an option, a missing secret, a missing browser
│   ├── MissingSecret              a variable taken from the environment is not there
│   ├── BrowserMissing             no browser to be found, and what to do about it
│   ├── CaseInvalid                a case folder that cannot be read
│   ├── ConditionInvalid           a condition's file that cannot be read, or asks for a fault that is not there
│   └── PolicyInvalid              a gate's policy that cannot be read, or asks what cannot be told
├── DocumentInvalid                a document that cannot be run; holds every problem found
├── StepError                      a step did not get done; says why, and whether its effect took place
│   ├── TargetNotFound             no element, or several, or one that cannot take the action
│   ├── ExpectationFailed          the action was done, but what it should bring about was not seen
│   ├── ValueNotHeld               a field was given a value, and holds another one
│   ├── DialogFailed               a dialog of the browser came up that nobody expected, or did not come
│   ├── NavigationFailed           a page did not load
│   │   └── NetworkFailed          … because the network or the server failed
│   ├── DataInvalid                a value is missing, or not what its schema says
│   ├── TextInvalid                a text that was written says what its inputs do not, or breaks its limits
│   ├── TemplateFailed             a template names something that is not there
│   ├── WayLost                    what came between was dealt with, and may have taken with it what was under way
│   ├── GoalNotReached             an exploration ended, and what decides its goal does not hold
│   ├── ToolUnavailable            a tool could not be reached, or gave no answer
│   ├── ToolRefused                a tool answered that it will not do it, or may not be asked
│   └── BrowserLost                the browser or its page is gone
├── ModelError                     no usable answer from a model
│   ├── CassetteMiss               nothing recorded for this question; shows the nearest recording
│   ├── ModelUnavailable           refused, overloaded, or out of reach
│   ├── AnswerUnusable             an answer that does not fit what was asked for
│   └── AnswersDiffer              asked the same once more, the model said something else
├── OperatorStopped                the operator said no, or nobody was there to answer
│   └── Rejected                   a step or an action was not approved; nothing of it was done
├── LimitReached                   time, steps, iterations or model calls are used up
└── SiteError                      a mock site could not be served; the trial says nothing about the procedure

Every error carries its data as attributes and survives pickling (trials run in worker processes).
"""

from __future__ import annotations

from typing import Any


class SopbenchError(Exception):
    """Base of all errors of this package. Keyword arguments become attributes."""

    def __init__(self, message: str, **data: Any) -> None:
        super().__init__(message)
        self.message = message
        self.data = data

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.message, self.data)


def _rebuild(kind: type[SopbenchError], message: str, data: dict[str, Any]) -> SopbenchError:
    return kind(message, **data)


class UsageError(SopbenchError):
    """The call cannot be carried out as given."""


class MissingSecret(UsageError):
    """A variable that comes from the environment has no value there."""


class BrowserMissing(UsageError):
    """No browser was found and none could be installed."""


class CaseInvalid(UsageError):
    """A case folder cannot be read."""


class ConditionInvalid(UsageError):
    """A condition cannot be read, or asks for a fault that is not there; one line for each mistake."""


class PolicyInvalid(UsageError):
    """A gate's policy cannot be read, or asks what cannot be told; ``data["faults"]`` names each."""


class DocumentInvalid(SopbenchError):
    """A document has problems; ``data["problems"]`` holds them all."""


class StepError(SopbenchError):
    """A step could not be done.

    ``performed`` tells whether the action's effect may have taken place: False when it surely did not, None when
    nobody can know, True when it did but the outcome was not as expected.
    """

    cause = "procedure"

    def __init__(self, message: str, *, performed: bool | None = None, **data: Any) -> None:
        super().__init__(message, performed=performed, **data)
        self.performed = performed


class TargetNotFound(StepError):
    """No single element fits the target, or the one that fits cannot take the action.

    Where none or several fit, ``data`` holds the ``target`` in words and how many: ``count``.
    """

    cause = "target"


class ExpectationFailed(StepError):
    """What should be true after the action was not seen in time."""

    cause = "timing"


class ValueNotHeld(StepError):
    """A field does not hold the value it was given, whichever way it was entered."""

    cause = "data"


class DialogFailed(StepError):
    """A dialog of the browser came up unexpectedly, said something else, or did not come."""

    cause = "navigation"


class NavigationFailed(StepError):
    """A page did not load."""

    cause = "navigation"


class NetworkFailed(NavigationFailed):
    """A page did not load because the network or its server failed."""

    cause = "network"


class DataInvalid(StepError):
    """A value is missing, or is not what its schema says."""

    cause = "data"


class TextInvalid(StepError):
    """A text that was written may not be used; ``data["objections"]`` says why, each in a sentence."""

    cause = "model"


class TemplateFailed(StepError):
    """A template names a variable that is not there, or cannot be evaluated."""

    cause = "procedure"


class WayLost(StepError):
    """Something came between, was dealt with, and may have taken with it what was under way: begin again."""

    cause = "navigation"


class GoalNotReached(StepError):
    """An exploration gave up, went round in circles, left its bounds, or used up its steps."""

    cause = "target"


class ToolUnavailable(StepError):
    """A tool could not be reached, or it is not known what became of the call."""

    cause = "network"


class ToolRefused(StepError):
    """A tool answered, but did not do it; or it may not be asked. Asking again would not help."""

    cause = "data"


class BrowserLost(StepError):
    """The browser, or its page, is gone."""

    cause = "browser"


class ModelError(SopbenchError):
    """No usable answer from a model."""

    cause = "model"


class CassetteMiss(ModelError):
    """Nothing is recorded for this question."""


class ModelUnavailable(ModelError):
    """The model's endpoint refused, was overloaded, or is out of reach."""


class AnswerUnusable(ModelError):
    """The model answered, but not with what was asked for."""


class AnswersDiffer(ModelError):
    """The model was asked the same more than once, and did not say the same: nothing that it says is acted on."""


class OperatorStopped(SopbenchError):
    """The operator said no, or nobody was there to answer."""

    cause = "operator"


class Rejected(OperatorStopped):
    """A step or an action may not be done, by a rule or by the operator's word; nothing of it was done.

    A loop that passes over failed items goes on with the next one; elsewhere the run ends.
    """


class LimitReached(SopbenchError):
    """A limit of the run is used up; ``data["limit"]`` names it."""

    cause = "limit"


class SiteError(SopbenchError):
    """A mock site could not be served."""
