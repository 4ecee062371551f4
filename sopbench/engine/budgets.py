"""What a run has used up, what it may use, and what is left to do when it may not go on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sopbench.errors import LimitReached, ModelUnavailable, SopbenchError
from sopbench.sop.nodes import LoopNode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sopbench.engine.context import Frame
    from sopbench.sop.document import Limits
    from sopbench.sop.nodes import Budget, Node


@dataclass(frozen=True)
class Spent:
    """Used so far. Answers from cassettes count as when they were recorded: a replay ends where the run did."""

    model_calls: int = 0
    tokens: int = 0
    cost_usd: float = 0.0
    tool_calls: int = 0

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.model_calls + other.model_calls,
            self.tokens + other.tokens,
            self.cost_usd + other.cost_usd,
            self.tool_calls + other.tool_calls,
        )

    def __sub__(self, other: Spent) -> Spent:
        return Spent(
            self.model_calls - other.model_calls,
            self.tokens - other.tokens,
            self.cost_usd - other.cost_usd,
            self.tool_calls - other.tool_calls,
        )


@dataclass(frozen=True)
class Account:
    """A node with a budget that the run is in, and what the run had spent when it was reached."""

    node: Node
    before: Spent


MODEL_CALL = ("model_calls", "tokens", "cost_usd")
TOOL_CALL = ("tool_calls",)


def require_left(kinds: Sequence[str], spent: Spent, limits: Limits, accounts: Sequence[Account]) -> None:
    """That another call may be made. Raises: LimitReached naming what is used up, and whose it was."""
    _require(kinds, spent, limits, "")
    for account in accounts:
        if account.node.budget is not None:
            _require(kinds, spent - account.before, account.node.budget, f", the budget of step {account.node.label!r}")


def _require(kinds: Sequence[str], spent: Spent, allowed: Limits | Budget, whose: str) -> None:
    for kind in kinds:
        limit: Any = getattr(allowed, kind)
        if limit is not None and getattr(spent, kind) >= limit:
            raise LimitReached(f"{_says(kind, limit)} are used up{whose}", limit=kind)


def _says(kind: str, limit: float) -> str:
    return f"{limit:g} US dollars" if kind == "cost_usd" else f"{limit} {kind.replace('_', ' ')}"


def left_to_do(label: str, frames: Sequence[Frame]) -> str:
    """Where the work would go on: the step that was not done, and of each loop the items not finished, inmost first."""
    loops = (
        f"{len(frame.items) - frame.index} of {len(frame.items)} items of loop {frame.node.label!r}"
        for frame in reversed(frames)
        if isinstance(frame.node, LoopNode) and frame.index >= 0
    )
    return "; left to do: " + ", ".join((f"step {label!r} and what follows it", *loops))


class CircuitBreaker:
    """Counts failures in a row, for each thing that is called; what failed too often is not called again in the run."""

    def __init__(self, failures: int) -> None:
        self._allowed = failures
        self._failures: Counter[str] = Counter()

    def require_closed(self, name: str, error: Callable[[str], SopbenchError] = ModelUnavailable) -> None:
        """Raises: ModelUnavailable, or the error given, at once when it is open."""
        if self._failures[name] >= self._allowed:
            message = f"{name} failed {self._failures[name]} times in a row and is not asked again in this run"
            raise error(message)

    def failed(self, name: str) -> None:
        self._failures[name] += 1

    def worked(self, name: str) -> None:
        del self._failures[name]
