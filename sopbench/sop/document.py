"""What a procedure says: the SOP and its parts. Pure data; nothing in it runs."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from sopbench.sop.actions import AnyAction
from sopbench.sop.approval import Approval
from sopbench.sop.nodes import Node, Retry
from sopbench.sop.part import Part
from sopbench.sop.targets import Expectation, Name, Template


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
