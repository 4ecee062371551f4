"""Where a run stands: its variables, its place in the loops, and the ports it may use."""

from __future__ import annotations

from collections import ChainMap
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sopbench.engine.budgets import MODEL_CALL, TOOL_CALL, Account, CircuitBreaker, Spent, require_left
from sopbench.errors import LimitReached
from sopbench.sop.nodes import LoopNode, TaskNode

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, MutableMapping

    from sopbench.events.types import Event
    from sopbench.ports.browser import Browser
    from sopbench.ports.clock import Clock
    from sopbench.ports.llm import LanguageModel, ModelAnswer
    from sopbench.ports.operator import Operator
    from sopbench.ports.tool import Tool
    from sopbench.sop.actions import AnyAction
    from sopbench.sop.document import Interruption, Limits, Skill, Sop
    from sopbench.sop.flow import Flow
    from sopbench.sop.targets import Target

Capture = Literal["off", "failure", "steps"]
Tier = Literal["exact", "retried", "interrupted", "healed", "alternative", "explored", "assisted"]
"""How a step got done: the last of these that it needed."""


class Autonomy(StrEnum):
    """What the engine may do by itself."""

    DETERMINISTIC = "deterministic"
    """Only what the document says; no model is asked and nothing is guessed."""
    LIGHT = "light"
    """Models decide and read where the document asks for it; stale targets are healed, and the operator may help."""
    FULL = "full"
    """Also bounded exploration."""


@dataclass
class Frame:
    """A loop or compound task the run is inside of."""

    node: LoopNode | TaskNode
    step: int
    started: float
    items: list[Any] = field(default_factory=list)
    """Of a loop; empty for a compound task."""
    index: int = -1
    key: str = ""
    """Of the item, among all of its loop."""
    deeds: list[str] = field(default_factory=list)
    """What was, or may have been, done in this item that cannot be undone."""
    account: Account | None = None

    @property
    def is_loop(self) -> bool:
        return isinstance(self.node, LoopNode)

    @property
    def loop(self) -> LoopNode:
        """Its node. Raises: TypeError for a compound task, which has no items."""
        if not isinstance(self.node, LoopNode):
            raise TypeError(f"{self.node.id!r} is no loop")
        return self.node


@dataclass
class ExecutionContext:
    """One run's position, variables and ports."""

    sop: Sop
    flow: Flow
    skills: dict[str, tuple[Skill, ...]]
    """Node id → the skills that do it: the primary one, then its alternatives."""
    browser: Browser
    model: LanguageModel
    operator: Operator
    tools: Tool
    clock: Clock
    emit: Callable[[Event], None]
    limits: Limits
    autonomy: Autonomy
    variables: ChainMap[str, Any]
    """Innermost iteration first; what an iteration sets goes with it."""
    folder: Path | None = None
    """Of the run's records; None keeps no pictures."""
    capture: Capture = "off"
    frames: list[Frame] = field(default_factory=list)
    steps: int = 0
    """How many were begun."""
    step: int = 0
    """Number of the one that is being done."""
    node: str = ""
    """Id of the node that is being done."""
    skill: Skill | None = None
    """What the current step is being done by; None before its first action, and where it has no skill."""
    may_heal: bool = False
    """Whether the current step may take something else for what its document names."""
    spent: Spent = field(default_factory=Spent)
    account: Account | None = None
    """Of the current step; those of what is around it are in ``frames``."""
    used: set[Tier] = field(default_factory=set)
    """The tiers that the current step needed so far, retries apart."""
    step_approved: bool = False
    """Whether the operator approved the current step, and thereby its actions as they are written."""
    approved: list[tuple[int, AnyAction]] = field(default_factory=list)
    """Actions of the current step that the operator approved: position and action, variables filled in."""
    stale: set[int] = field(default_factory=set)
    """The actions (by ``id``) whose target was healed in this run: they are not waited for as long again."""
    stand_ins: dict[str, Target] = field(default_factory=dict)
    """What was taken for a target that was stale, by its words: see ``stand_ins``."""
    deeds: list[str] = field(default_factory=list)
    """What was, or may have been, done outside of loops that cannot be undone."""
    interrupted: Callable[[int, ExecutionContext], Awaitable[Interruption | None]] | None = None
    """Deals with what came between, given the number of the action that failed; which it was, if anything was."""
    _around: tuple[str, ...] = ()
    """The loops around a step that others are done apart from."""
    breaker: CircuitBreaker = field(init=False)
    tool_breaker: CircuitBreaker = field(init=False)
    api_origins: frozenset[str] = frozenset()
    """Where requests may go, besides what their own addresses spell out."""
    record_targets: bool = False
    """Whether to note what each element is like before it is acted on."""

    def __post_init__(self) -> None:
        self.breaker = CircuitBreaker(self.limits.model_failures)
        self.tool_breaker = CircuitBreaker(self.limits.tool_failures)

    def set(self, name: str, value: Any) -> None:
        """Set a variable of the innermost iteration."""
        self.variables[name] = value

    def enter_scope(self, values: MutableMapping[str, Any]) -> None:
        self.variables = self.variables.new_child(dict(values))

    def leave_scope(self) -> None:
        self.variables = self.variables.parents

    def path(self) -> tuple[str, ...]:
        """The loops around the current position, outermost first."""
        return (*self._around, *(f"{frame.node.id}[{frame.index}]" for frame in self.frames if frame.is_loop))

    def count_step(self) -> int:
        """Number of the next step. Raises: LimitReached."""
        if self.steps >= self.limits.steps:
            raise LimitReached(f"{self.limits.steps} steps are done and the procedure has not ended", limit="steps")
        self.steps += 1
        self.step = self.steps
        return self.step

    def note_deed(self, said: str) -> None:
        """Something was, or may have been, done that cannot be undone: in the item that is being worked on, if any."""
        loop = next((frame for frame in reversed(self.frames) if frame.is_loop), None)
        (self.deeds if loop is None else loop.deeds).append(said)

    def done_for_good(self) -> tuple[str, ...]:
        """What stands against beginning again: it cannot be undone, and would be done twice."""
        loops = ((frame.node, frame.deeds) for frame in self.frames)
        in_items = (deeds for node, deeds in loops if isinstance(node, LoopNode) and not node.repeatable)
        return (*self.deeds, *(said for deeds in in_items for said in deeds))

    @contextmanager
    def aside(self) -> Iterator[None]:
        """While the block lasts other steps may be done; then the current one goes on as it was left."""
        kept = {name: getattr(self, name) for name in _OF_A_STEP}
        self._around, self.frames, self.used, self.approved = self.path(), [], set(), []
        try:
            yield
        finally:
            for name, value in kept.items():
                setattr(self, name, value)

    def count_model_call(self) -> None:
        """Raises: LimitReached when calls, tokens or money are used up, of the run or of a node it is in."""
        require_left(MODEL_CALL, self.spent, self.limits, self._accounts())
        self.spent += Spent(model_calls=1)

    def count_answer(self, answer: ModelAnswer) -> None:
        self.spent += Spent(tokens=answer.input_tokens + answer.output_tokens, cost_usd=answer.cost_usd or 0.0)

    def count_tool_call(self) -> None:
        """Raises: LimitReached."""
        require_left(TOOL_CALL, self.spent, self.limits, self._accounts())
        self.spent += Spent(tool_calls=1)

    def _accounts(self) -> list[Account]:
        own = [self.account] if self.account is not None else []
        return own + [frame.account for frame in reversed(self.frames) if frame.account is not None]


_OF_A_STEP = (
    "_around", "frames", "step", "node", "skill", "may_heal", "account", "used", "step_approved", "approved",
)  # fmt: skip
