"""What happened in a run: one frozen type per fact, all in the past tense, all plain data.

Times are the only thing in which two runs of the same trial may differ: ``at`` and every field that ends in ``_s``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Union

from pydantic import BaseModel, ConfigDict, Discriminator, TypeAdapter


class Event(BaseModel):
    """A fact of one run."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    type: str
    seq: int = 0
    """Position in the log, from 1; given by the log."""
    at: str = ""
    """UTC, ISO 8601 with microseconds; given by the log."""


class OfStep(Event):
    """A fact of one step."""

    step: int
    """Number of the step in the run, from 1."""


class RunStarted(Event):
    """The engine set out."""

    type: Literal["run_started"] = "run_started"
    sop: str
    """The document's id."""
    title: str
    version: str
    sha256: str
    """Of the document's bytes; empty when it was not read from a file."""
    autonomy: str
    variables: dict[str, Any]
    """What it was given; secrets are masked."""
    limits: dict[str, Any]
    context: dict[str, Any] = {}
    """Scenario, case, condition, seed: whatever the caller wants to find again."""


class StepStarted(OfStep):
    """A node was reached and is about to be done."""

    type: Literal["step_started"] = "step_started"
    node: str
    kind: str
    label: str
    path: tuple[str, ...] = ()
    """The loops it is in, outermost first, each as ``loop[index]``."""


class AttemptStarted(OfStep):
    """A further try of the step; the first one goes without saying."""

    type: Literal["attempt_started"] = "attempt_started"
    attempt: int
    """From 2."""
    waited_s: float


class AlternativeTaken(OfStep):
    """The step's skill failed, and another one is begun in its place: the actions after this are that one's."""

    type: Literal["alternative_taken"] = "alternative_taken"
    skill: str
    """The id of the one that is begun."""
    method: Literal["ui", "api", "mcp"]
    instead_of: str
    """The id of the one that failed."""
    why: str
    dropped: tuple[str, ...] = ()
    """Variables that the failed one had set: they are again as they were before it."""


class Interrupted(OfStep):
    """An action failed because something had come between that the document knows; it is dealt with now.

    The steps that do it come next, with numbers of their own.
    """

    type: Literal["interrupted"] = "interrupted"
    action: int
    interruption: str
    label: str
    seen: tuple[str, ...]
    """What it was known by, in words."""


class InterruptionEnded(OfStep):
    """What had come between is dealt with, or could not be; the step goes on."""

    type: Literal["interruption_ended"] = "interruption_ended"
    interruption: str
    failed: bool = False
    reason: str = ""


class ActionStarted(OfStep):
    """Written before the action touches anything."""

    type: Literal["action_started"] = "action_started"
    action: int
    """Position in the skill, from 0."""
    do: str
    says: str
    """The action as a person would say it, variables filled in."""
    effect: str
    arguments: dict[str, Any]


class ActionFinished(OfStep):
    """The action was done and all it should bring about was seen."""

    type: Literal["action_finished"] = "action_finished"
    action: int
    duration_s: float
    """Of the action with its expectations."""
    expected: tuple[str, ...] = ()
    """What was checked afterwards, and held."""
    remark: str = ""
    """What went another way than the plain one."""
    waited_s: dict[str, float] = {}
    """What the page made it wait for → how long."""


class ArtifactKept(OfStep):
    """An action left a file in the run's folder."""

    type: Literal["artifact_kept"] = "artifact_kept"
    action: int
    name: str
    """As the page calls it."""
    path: str
    """Relative to the run's folder."""
    size: int
    """Bytes."""
    sha256: str


class ActionSkipped(OfStep):
    """Not done: its ``when`` did not hold, or what it should bring about had come meanwhile."""

    type: Literal["action_skipped"] = "action_skipped"
    action: int
    says: str
    why: str


class ActionFailed(OfStep):
    """The action could not be done, or did not bring about what it should."""

    type: Literal["action_failed"] = "action_failed"
    action: int
    duration_s: float
    error: str
    """Name of the error's type."""
    message: str
    performed: bool | None
    """Whether its effect took place; None when nobody can know."""


class LoadTrouble(BaseModel):
    """Something that a page asked for, and that did not come as it should."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    method: str
    url: str
    """Without its query."""
    outcome: str
    """In words: ``answered 503``, ``ERR_CONNECTION_RESET``, ``no answer yet``, ``answered late``."""
    status: int | None = None
    """Of the answer, if there was one."""
    took_s: float
    """So far, where there is no answer yet."""


class PageSeen(OfStep):
    """What the page in front was like just after an action had failed on it."""

    type: Literal["page_seen"] = "page_seen"
    action: int
    url: str
    title: str
    headings: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    """What its dialogs and alerts say."""
    columns: tuple[str, ...] = ()
    """What its tables call their columns."""
    fields: tuple[str, ...] = ()
    """What can be filled in."""
    accounts: tuple[str, ...] = ()
    """Who it says is signed in."""
    asks_password: bool = False
    text: str = ""
    """The beginning of what a person can read."""
    troubles: tuple[LoadTrouble, ...] = ()
    """What it asked for lately, and had trouble with."""
    complaints: tuple[str, ...] = ()
    """Errors that its scripts did not expect."""


class TargetHealed(OfStep):
    """Another element was taken for one that was not found, or not alone. It is proven when the step finishes."""

    type: Literal["target_healed"] = "target_healed"
    action: int
    says: str
    """What was taken, in words."""
    by: Literal["score", "operator", "model"]
    old: dict[str, Any]
    """Fingerprint of what is meant."""
    new: dict[str, Any]
    """Fingerprint of what was taken."""
    target: dict[str, Any]
    """A target that fits it and nothing else."""
    candidates: int
    """How many elements could have taken the action."""
    score: float
    probability: float | None
    """That it is the one meant; None where the score did not choose."""
    margin: float | None
    """How far away the runner-up was; None where the score did not choose."""
    picture: str = ""
    """Relative to the run's folder."""


class TargetUnclear(OfStep):
    """No element was surely enough the one that is meant."""

    type: Literal["target_unclear"] = "target_unclear"
    action: int
    why: str
    candidates: int
    best: tuple[dict[str, Any], ...]
    """Fingerprints of those most alike, with their ``number`` on the picture."""
    picture: str = ""
    """Relative to the run's folder."""


class TargetSeen(OfStep):
    """What an element was like just before an action was done to it; only where targets are recorded."""

    type: Literal["target_seen"] = "target_seen"
    action: int
    fingerprint: dict[str, Any]
    exact: bool
    """Whether the target fits it also when its words must be all that the element says."""


class VariableSet(OfStep):
    """A variable got a value."""

    type: Literal["variable_set"] = "variable_set"
    name: str
    value: Any
    source: Literal["page", "model", "expression", "loop", "tool"]


class ModelAsked(OfStep):
    """Written before a question goes to a model."""

    type: Literal["model_asked"] = "model_asked"
    purpose: str
    """``decide``, ``decide_simply``, ``interpret``, ``choose_element``, ``generate`` or ``explore``."""
    question: str
    about: str
    """The text the model is shown."""


class ModelAnswered(OfStep):
    """A model answered."""

    type: Literal["model_answered"] = "model_answered"
    model: str
    answer: dict[str, Any]
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    """None when the model's price is not known."""
    replayed: bool
    """From a cassette."""
    cached_tokens: int = 0
    """Of the input, what came from the provider's cache."""
    form: str = "json_schema"
    """How the endpoint could be made to answer to the schema: ``json_schema``, ``json_object`` or ``tool_call``."""
    duration_s: float


class ModelFailed(OfStep):
    """No usable answer."""

    type: Literal["model_failed"] = "model_failed"
    error: str
    message: str
    duration_s: float


class DecisionMade(OfStep):
    """A way was chosen."""

    type: Literal["decision_made"] = "decision_made"
    branch: str
    by: Literal["check", "model", "operator", "unsure"]
    evidence: str
    """The check that held, or the answer given."""
    question: str = ""
    """What was asked, if a model was."""
    choice: str = ""
    """The answer that a model chose among those named, if it was taken."""
    quote: str = ""
    """What it quoted of what it was shown; looked up there, and found."""
    piece: int | None = None
    """The number of the piece that the quote is from, as ``ModelAsked.about`` shows it."""
    confidence: str = ""
    """The model's own: ``low``, ``medium`` or ``high``."""


class TextGenerated(OfStep):
    """A text was written and checked; it is used only if there is no objection to it."""

    type: Literal["text_generated"] = "text_generated"
    purpose: str
    """The node's label."""
    by: Literal["template", "model"]
    attempt: int
    """From 1."""
    chars: int
    """Of all its texts together."""
    objections: tuple[str, ...] = ()
    """What is wrong with it, each in a sentence: broken limits, and claims that are not in its inputs."""


class ExplorationStarted(OfStep):
    """A goal is going to be reached whose way is not known. The actions until it ends are the exploration's own, and
    are counted on from the end of the step's skill, if it has one.
    """

    type: Literal["exploration_started"] = "exploration_started"
    goal: str
    done_when: tuple[str, ...]
    """What must hold, in words."""
    allowed: tuple[str, ...]
    """Verbs."""
    origins: tuple[str, ...]
    max_steps: int


class ExplorationStep(OfStep):
    """What the page offered, and what was chosen; written before it is done, or refused."""

    type: Literal["exploration_step"] = "exploration_step"
    number: int
    """From 1."""
    observation: str
    """Digest of what was seen: the same for pages that look the same."""
    elements: int
    """How many were offered."""
    left_out: int
    """How many more there were."""
    chosen: str
    """In words."""
    why: str
    """The model's."""
    effect: str = ""
    """What it would do to the world: ``read``, ``idempotent``, ``irreversible``; empty where nothing was to be done."""
    because: str = ""
    """What tells that effect."""


class ExplorationFinished(OfStep):
    """The goal was reached, or was not."""

    type: Literal["exploration_finished"] = "exploration_finished"
    reached: bool
    steps: int
    why: str
    way: tuple[dict[str, Any], ...] = ()
    """The actions that led there, without detours, as a document would say them."""
    refused: tuple[str, ...] = ()
    """Addresses outside the origins that pages tried to open or to send to, and files that were not allowed."""


class OperatorAsked(OfStep):
    """Written before a question goes to the operator."""

    type: Literal["operator_asked"] = "operator_asked"
    question: str
    options: tuple[str, ...]


class OperatorAnswered(OfStep):
    """The operator answered."""

    type: Literal["operator_answered"] = "operator_answered"
    answer: str
    operator: str


class ApprovalDecided(OfStep):
    """Whether something may be done, where a rule or the step asked for that; written before it is begun."""

    type: Literal["approval_decided"] = "approval_decided"
    action: int | None = None
    """Position in the skill, from 0; None for the step as a whole."""
    says: str
    """What it is about, as a person would say it."""
    rule: str
    """What made it a question: ``rule 2 of the document``."""
    why: str = ""
    decision: Literal["approve", "reject", "stop"]
    by: str
    """``rule``, or the operator's name."""


class LoopEntered(OfStep):
    """A loop's items are known."""

    type: Literal["loop_entered"] = "loop_entered"
    node: str
    items: int


class IterationStarted(OfStep):
    """The next item is being worked on. ``step`` is the loop's."""

    type: Literal["iteration_started"] = "iteration_started"
    node: str
    index: int
    item: Any


class ItemPassedOver(OfStep):
    """An item that was done before the run began again. ``step`` is the loop's."""

    type: Literal["item_passed_over"] = "item_passed_over"
    node: str
    index: int
    item: Any


class IterationFinished(OfStep):
    """The item is done, or was given up where the document allows that."""

    type: Literal["iteration_finished"] = "iteration_finished"
    node: str
    index: int
    failed: bool = False
    reason: str = ""


class ScreenshotTaken(OfStep):
    """What the page looked like when the step ended."""

    type: Literal["screenshot_taken"] = "screenshot_taken"
    path: str
    """Relative to the run's folder."""
    duration_s: float


class StepFinished(OfStep):
    """The step is done, and this is the way on."""

    type: Literal["step_finished"] = "step_finished"
    node: str
    condition: str
    """Of the edge that is taken next."""
    tier: Literal["exact", "retried", "interrupted", "healed", "alternative", "explored", "assisted"]
    """The last of those that it needed, in this order."""
    attempts: int
    duration_s: float


class StepFailed(OfStep):
    """The step did not get done."""

    type: Literal["step_failed"] = "step_failed"
    node: str
    attempts: int
    duration_s: float
    error: str
    message: str
    cause: str
    """From the closed list of causes."""


class RunResumed(Event):
    """The run failed, and begins from its start again in an empty window; what is done is passed over."""

    type: Literal["run_resumed"] = "run_resumed"
    number: int
    """From 1."""
    why: str
    cause: str
    node: str
    """Where it had failed."""
    done: int
    """Items that are done and will be passed over."""
    waited_s: float


class RunFinished(Event):
    """The last event of every run that was not killed."""

    type: Literal["run_finished"] = "run_finished"
    status: Literal["completed", "failed", "stopped", "timed_out", "cancelled"]
    reason: str
    cause: str = ""
    node: str = ""
    """Where it ended, unless it completed."""
    steps: int
    duration_s: float


AnyEvent = Annotated[
    Union[  # noqa: UP007
        RunStarted, RunResumed, StepStarted, AttemptStarted, Interrupted, InterruptionEnded,
        ActionStarted, ActionFinished, ActionSkipped, ActionFailed,
        PageSeen,
        AlternativeTaken, ArtifactKept, TargetHealed, TargetUnclear, TargetSeen, VariableSet, ModelAsked, ModelAnswered,
        ModelFailed, ExplorationStarted, ExplorationStep, ExplorationFinished,
        DecisionMade, TextGenerated, OperatorAsked, OperatorAnswered, ApprovalDecided, LoopEntered, IterationStarted,
        ItemPassedOver, IterationFinished, ScreenshotTaken, StepFinished, StepFailed, RunFinished,
    ],
    Discriminator("type"),
]  # fmt: skip

_adapter: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)


def parse_event(line: str | bytes) -> AnyEvent:
    """Read one line of a log. Raises: pydantic.ValidationError."""
    return _adapter.validate_json(line)
