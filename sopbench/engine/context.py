"""Where a run stands: its variables, its place in the loops, and the ports it may use."""

from __future__ import annotations

from collections import ChainMap
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sopbench.errors import LimitReached
from sopbench.sop.document import LoopNode, TaskNode

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

    from sopbench.events.types import Event
    from sopbench.ports.browser import Browser
    from sopbench.ports.clock import Clock
    from sopbench.ports.llm import LanguageModel
    from sopbench.ports.operator import Operator
    from sopbench.sop.document import Limits, Skill, Sop
    from sopbench.sop.flow import Flow

Capture = Literal["off", "failure", "steps"]


class Autonomy(StrEnum):
    """What the engine may do by itself."""

    DETERMINISTIC = "deterministic"
    """Only what the document says; no model is asked."""
    LIGHT = "light"
    """Models decide and read where the document asks for it."""
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
    failures: list[str] = field(default_factory=list)
    """Items given up, one line each."""

    @property
    def is_loop(self) -> bool:
        return isinstance(self.node, LoopNode)


@dataclass
class ExecutionContext:
    """One run's position, variables and ports."""

    sop: Sop
    flow: Flow
    skills: dict[str, Skill]
    """Node id → the skill that does it."""
    browser: Browser
    model: LanguageModel
    operator: Operator
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
    step: int = 0
    model_calls: int = 0
    assisted: bool = False
    """Whether an operator answered during the current step, other than that nothing be done."""
    healed: bool = False
    """Whether another element was taken for a stale target during the current step."""
    stale: set[int] = field(default_factory=set)
    """The actions (by ``id``) whose target was healed in this run: they are not waited for as long again."""
    record_targets: bool = False
    """Whether to note what each element is like before it is acted on."""

    def set(self, name: str, value: Any) -> None:
        """Set a variable of the innermost iteration."""
        self.variables[name] = value

    def enter_scope(self, values: MutableMapping[str, Any]) -> None:
        self.variables = self.variables.new_child(dict(values))

    def leave_scope(self) -> None:
        self.variables = self.variables.parents

    def path(self) -> tuple[str, ...]:
        """The loops around the current position, outermost first."""
        return tuple(f"{frame.node.id}[{frame.index}]" for frame in self.frames if frame.is_loop)

    def count_step(self) -> int:
        """Number of the next step. Raises: LimitReached."""
        if self.step >= self.limits.steps:
            raise LimitReached(f"{self.limits.steps} steps are done and the procedure has not ended", limit="steps")
        self.step += 1
        return self.step

    def count_model_call(self) -> None:
        """Raises: LimitReached."""
        if self.model_calls >= self.limits.model_calls:
            raise LimitReached(f"{self.limits.model_calls} model calls are used up", limit="model_calls")
        self.model_calls += 1
