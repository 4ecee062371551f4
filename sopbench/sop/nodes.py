"""The kinds of nodes that a procedure's graph is made of. Pure data; nothing in it runs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, model_validator

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
    TaskNode | DecisionNode | LoopNode | WaitNode | GenerateNode | ExploreNode | TriggerNode | EndNode,
    Discriminator("type"),
]
