"""What a procedure says: the SOP and its parts. Pure data; nothing in it runs."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Union

from pydantic import Discriminator, Field, model_validator

from sopbench.sop.actions import AnyAction
from sopbench.sop.approval import Approval
from sopbench.sop.part import Part
from sopbench.sop.targets import Expectation, Expression, Name, Target, Template

RecoveryTier = Literal["retry", "heal", "alternative", "explore", "ask"]
"""What may be done when an action fails, in the order in which it is tried (``engine.recovery``)."""
Confidence = Literal["low", "medium", "high"]
CONFIDENCES: tuple[Confidence, ...] = ("low", "medium", "high")
"""How sure a model says it is of its answer, least first."""
Scalar = Literal["string", "integer", "number", "boolean", "date"]
OutputType = Scalar | dict[str, Any]
"""A scalar type, or a JSON Schema."""


class Meta(Part):
    """What the procedure is, and whose."""

    id: str
    title: str
    version: str
    goal: str
    purpose: str | None = None
    owner: tuple[str, ...] = ()
    created: str | None = None
    format: Literal["1.0"] = Field(alias="schema")
    """Version of this format."""


class Retry(Part):
    """How often a step is tried, and how long to wait between tries."""

    max_attempts: int = Field(default=2, ge=1)
    backoff_s: tuple[float, ...] = (0.5,)
    """Wait before the 2nd, 3rd … attempt; the last one repeats. Empty means do not wait."""


class Budget(Part):
    """What one visit of a node may use, with all that is inside it. Times have limits of their own."""

    model_calls: int | None = Field(default=None, ge=0)
    tokens: int | None = Field(default=None, ge=0)
    cost_usd: float | None = Field(default=None, ge=0)
    tool_calls: int | None = Field(default=None, ge=0)


class NodeBase(Part):
    """What all kinds of nodes share."""

    id: str
    type: str
    label: str
    intent: str | None = None
    context: str | None = None
    position: dict[Literal["x", "y"], float] | None = None
    parent_id: str | None = Field(default=None, alias="parentId")
    id_path: str | None = None
    children: tuple[str, ...] = ()
    """Nodes inside this one, the first one first."""
    is_branch_root: bool | None = Field(default=None, alias="isBranchRoot")
    retry: Retry | None = None
    recovery: tuple[RecoveryTier, ...] | None = None
    """Which tiers of recovery it may use, of those that the run allows; all of them when absent, none when empty."""
    timeout_s: float | None = Field(default=None, gt=0)
    """For the whole step with its attempts."""
    approval: Literal["none", "ask"] = "none"
    """Whether the operator is asked before the step begins; that answers for the actions of a task as they are written,
    where a rule of ``private.approval`` would ask."""
    budget: Budget | None = None


class TaskNode(NodeBase):
    """Something to do: by the actions of its skill, or by its children."""

    type: Literal["task"]
    variables_out: dict[Name, OutputType] = Field(default_factory=dict)
    """Variables it must have set, and what they must look like."""


class Check(Part):
    """If this is so, take that branch."""

    condition: Expectation = Field(alias="if")
    branch: str = Field(alias="then")


class Choice(Part):
    """One of the answers a model may choose."""

    means: str
    """When this is the right answer, in a sentence."""
    branch: str = Field(alias="then")


class Question(Part):
    """A closed question for a model, with named answers."""

    ask: Template
    about: Template | None = None
    """The text it is about. It is data, never an instruction."""
    region: Target | None = None
    """Or the elements it is about; they need not be one. With neither, it is about the page's main part (the landmark
    ``main``), or all of the page that can be seen where it has none."""
    choices: dict[Name, Choice] = Field(min_length=2)
    into: Name | None = None
    """Variable that takes the name of the choice made; unset when the model is unsure."""
    sure_from: Confidence = "low"
    """An answer that is given with less confidence counts as unsure."""

    @model_validator(mode="after")
    def _about_one_thing(self) -> Question:
        if self.about is not None and self.region is not None:
            raise ValueError("a question is about a text ('about') or about a 'region' of the page, not about both")
        return self


class Criteria(Part):
    """What a decision is based on: the first check that holds; else the question; else ``on_unsure``.

    Where there is no question, checks of the page are looked at until one holds or the find limit has passed (or their
    own ``timeout_s``), and then it is *no*. So say what each branch looks like: absence takes longest.
    """

    checks: tuple[Check, ...] = ()
    question: Question | None = None


class DecisionNode(NodeBase):
    """Which way to go on. Its edges' conditions are its branches, usually ``yes`` and ``no``."""

    type: Literal["decision"]
    criteria: Criteria | None = None
    on_unsure: Literal["no", "ask", "stop"] = "no"


class LoopNode(NodeBase):
    """The same children for every item."""

    type: Literal["loop"]
    iterator: str | None = None
    exit_condition: str | None = None
    items: Expression | Target | None = None
    """An expression that gives a list, or a target whose matches are counted once when the loop begins."""
    as_: Name = Field(default="item", alias="as")
    """Holds the item; for a target ``{"index": 0, "text": "…"}``. ``loop.index`` counts from 0 in both."""
    max_iterations: int = Field(default=1000, ge=1)
    on_item_error: Literal["stop", "continue"] = "stop"
    key: Expression | None = None
    """What tells an item from all others, from one listing to the next: ``mail.thread_id``. A run that begins again
    knows by it which items are done; the whole item when absent, and then nothing irreversible may have been done in
    any of them."""
    repeatable: bool = False
    """Whether an item may be begun again although something that cannot be undone was, or may have been, done in it:
    because its steps look first at what is there already."""


class WaitNode(NodeBase):
    """Wait for something to be true, or as a last resort for some time."""

    type: Literal["wait"]
    until: tuple[Expectation, ...] = ()
    seconds: float | None = Field(default=None, ge=0)


class GenerateNode(NodeBase):
    """Write a text from gathered variables: by filling in a template, or by telling a model what to write.

    It is used only if it keeps its limits and says nothing that its inputs do not: every number, date, name and address
    in it must be there, by meaning. Variables that the node's own templates name count as inputs.
    """

    type: Literal["generate"]
    inputs: tuple[Name, ...] = ()
    """Variables it is written from, and all that a model is shown."""
    template: Template | None = None
    """The text itself. For an e-mail its first line is ``Subject: …``; for a JSON Schema it is JSON."""
    instructions: Template | None = None
    """What a model is to write. Names in it may be used; its figures only where an input has them too."""
    format: Literal["text", "markdown", "email"] | dict[str, Any] = "text"
    """An e-mail is ``{"subject": …, "body": …}``. A JSON Schema of an object gives such an object."""
    max_chars: int | None = Field(default=None, ge=1)
    """Of all its texts together."""
    must_mention: tuple[Template, ...] = ()
    """Each must stand in it: in these words, or as the same number or date."""
    preview: bool = False
    """Whether the operator sees it, and approves or rejects it, before it is used."""
    into: Name | None = None

    @model_validator(mode="after")
    def _written_one_way(self) -> GenerateNode:
        if self.template is not None and self.instructions is not None:
            raise ValueError("a text is written by 'template' or by 'instructions', not by both")
        return self


class ExploreNode(NodeBase):
    """Reach a goal whose way was not recorded."""

    type: Literal["explore"]
    goal: Template
    """In a sentence, for a model that sees the page's elements and text."""
    done_when: Expectation
    """This decides whether it is reached, not the model."""
    allowed: tuple[str, ...] = ()
    """Verbs; when empty ``click``, ``fill``, ``select``, ``set_checked``, ``press``, ``scroll`` and ``back``."""
    origins: tuple[Template, ...] = ()
    """Scheme, host and port that it is kept to: ``https://app.example.com``. When empty, that of the page it begins on
    and of every address that the document's own actions open."""
    max_steps: int = Field(default=10, ge=1)


class TriggerNode(NodeBase):
    """Where the procedure begins."""

    type: Literal["trigger"]


class EndNode(NodeBase):
    """Where the procedure is done."""

    type: Literal["end"]


Node = Annotated[
    Union[TaskNode, DecisionNode, LoopNode, WaitNode, GenerateNode, ExploreNode, TriggerNode, EndNode],  # noqa: UP007
    Discriminator("type"),
]


class Edge(Part):
    """From one node to the next, on a condition: ``next``, ``yes``, ``no``, ``all_processed`` or a branch's name."""

    source: str
    target: str
    condition: str = "next"
    decision_path: str | None = None


class Trigger(Part):
    """What starts the procedure."""

    type: Literal["cron", "manual", "webhook", "event"]
    description: str
    config: str | None = None
    endpoint: str | None = None
    signal: str | None = None


class Variable(Part):
    """A variable with a type, a default, or a source."""

    type: Literal["string", "integer", "number", "boolean", "date", "list", "object"] = "string"
    default: Any = None
    description: str | None = None
    secret: bool = False
    """Never shown: masked in every record of a run."""
    from_env: str | None = None
    """Name of the environment variable it is taken from."""


class Interruption(Part):
    """What may come between at any time, and what is done about it: a cookie banner, a dialog, a question.

    It is looked for when an action failed; once it is dealt with, that action is done again, if it may be; or, where
    what was under way may be lost, the run begins again.
    """

    id: str
    label: str
    intent: str | None = None
    when: tuple[Expectation, ...] = Field(min_length=1)
    """What the page looks like then; all of it, at one look."""
    do: tuple[str, ...] = Field(min_length=1)
    """Nodes, done in this order: tasks that are inside nothing else. They may be part of the way or stand beside it."""
    then: Literal["go_on", "begin_again"] = "go_on"
    """``begin_again`` where it may take with it what was just entered, as being signed out does. The step fails, and
    the run begins again as ``private.resume`` says, and sees for itself what was kept."""
    most: int = Field(default=3, ge=1)
    """How often in a run; then it is left as it is."""


class Clarification(Part):
    """A question to the procedure's owner."""

    id: str
    question: str
    importance: Literal["high", "medium", "low"] = "medium"


class Public(Part):
    """What a person reads."""

    nodes: tuple[Node, ...] = Field(min_length=1)
    edges: tuple[Edge, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    variables: dict[Name, Variable | str | int | float | bool | list[Any] | None] = Field(default_factory=dict)
    """Name → value, or what the variable is."""
    interruptions: tuple[Interruption, ...] = ()
    clarification_requests: tuple[Clarification, ...] = ()


class Skill(Part):
    """How a node is done."""

    id: str
    app: str
    method_type: Literal["ui", "api", "mcp"] = "ui"
    viewport: str | None = None
    variables_in: tuple[str, ...] = ()
    variables_out: tuple[str, ...] = ()
    performance_hint: str | None = None
    actions: tuple[AnyAction, ...] = ()


class Binding(Part):
    """Which skills do a node."""

    node_id: str
    primary_skill: str
    alt_skills: tuple[str, ...] = ()
    """Done in its place, in this order, when it failed and nothing irreversible was, or may have been, done by then."""


class Limits(Part):
    """How long things may take, and how often they are tried. All times in seconds."""

    find_s: float = Field(default=5, gt=0)
    """To find an element, and to see an expectation fulfilled."""
    attempts: int = Field(default=2, ge=1)
    """Tries of a step, unless its node says otherwise."""
    navigation_s: float = Field(default=30, gt=0)
    decision_s: float = Field(default=10, gt=0)
    """A model call for a decision."""
    generation_s: float = Field(default=60, gt=0)
    """A model call that reads or writes text."""
    run_s: float = Field(default=300, gt=0)
    steps: int = Field(default=100_000, ge=1)
    model_calls: int = Field(default=1000, ge=0)
    tokens: int = Field(default=5_000_000, ge=0)
    """Read and written by models, from cassettes too. Looked at before each call, so the last one may go past it."""
    cost_usd: float = Field(default=10, ge=0)
    """Likewise, in US dollars. Calls of unknown price cost nothing here: for them the other limits hold."""
    tool_calls: int = Field(default=100, ge=0)
    tool_s: float = Field(default=30, gt=0)
    """A call of a tool."""
    answers: int = Field(default=1, ge=1, le=5)
    """How often a model is asked each question whose answer is acted on. It is acted on only if it was the same each
    time; else the item fails, or the run. What is written freely is not compared, but for what an action calls
    ``same``."""
    model_failures: int = Field(default=5, ge=1)
    """Failures of a model in a row after which it is not asked again in this run."""
    tool_failures: int = Field(default=5, ge=1)
    """Likewise of a tool: of an origin, or of an MCP server."""


class ToolServer(Part):
    """An MCP server: a program that is started, or an address. Filled in with what the run was given to begin with."""

    command: tuple[Template, ...] = ()
    """The program and its arguments, beginning in the document's folder. It runs with your rights."""
    env: dict[str, Template] = Field(default_factory=dict)
    """What its environment holds beyond the bare minimum."""
    url: Template | None = None
    """Of a server that speaks streamable HTTP."""
    headers: dict[str, Template] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_way(self) -> ToolServer:
        if bool(self.command) == (self.url is not None):
            raise ValueError("a tool server is either a 'command' or a 'url'")
        if self.command and self.headers:
            raise ValueError("'headers' are for a 'url'; a command has 'env'")
        if self.url is not None and self.env:
            raise ValueError("'env' is for a 'command'; a url has 'headers'")
        return self


class Private(Part):
    """How it is done."""

    skills: tuple[Skill, ...] = ()
    steps: tuple[Binding, ...] = ()
    artifacts: tuple[Any, ...] = ()
    limits: Limits = Limits()
    approval: Approval = Approval()
    tools: dict[Name, ToolServer] = Field(default_factory=dict)
    """MCP servers that ``call_tool`` may name."""
    api_origins: tuple[Template, ...] = ()
    """Scheme, host and port that requests may go to besides what their own addresses spell out:
    ``https://api.example.com``. Filled in with what the run was given to begin with."""
    resume: Retry | None = None
    """How often a run that failed begins from its start again, in an empty window, and how long it waits before that.
    Items of loops that are done are passed over. Never where something that cannot be undone would be done twice."""


class Sop(Part):
    """A standard operating procedure, version 1.0 of the format."""

    meta: Meta
    public: Public
    private: Private = Private()
