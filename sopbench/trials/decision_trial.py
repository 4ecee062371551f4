"""One decision of a procedure, made by itself: what it is shown is given, and no browser is opened."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sopbench.errors import SopbenchError, UsageError
from sopbench.events.log import EventLog
from sopbench.events.masking import Masker
from sopbench.events.types import DecisionMade, ModelFailed
from sopbench.sop.document import Edge, Sop, Variable
from sopbench.sop.nodes import DecisionNode, EndNode
from sopbench.sop.problems import did_you_mean

if TYPE_CHECKING:
    from sopbench.engine.run import Engine
    from sopbench.events.types import Event
    from sopbench.ports.browser import Browser
    from sopbench.sop.document import Limits
    from sopbench.trials.decision_cases import DecisionCase

_END = "decided"


@dataclass
class DecisionTrial:
    """A labelled decision, ready to be made."""

    case: DecisionCase
    sop: Sop
    """The whole procedure."""
    limits: Limits
    engine: Engine
    browser: Browser
    """The page as it is said to be."""
    events: list[Event] = field(default_factory=list)
    """All that happened."""

    def __post_init__(self) -> None:
        """Raises: UsageError when the procedure has no such decision, or the decision no such branch."""
        self._node = _decision(self.sop, self.case.node)
        self._branches = [edge.condition for edge in self.sop.public.edges if edge.source == self._node.id]
        if self.expected not in (*self._branches, self._node.on_unsure):
            known = ", ".join(map(repr, self._branches))
            raise UsageError(f"{self.case.id}: the decision has no branch {self.expected!r}; there are {known}")

    @property
    def expected(self) -> str:
        """The branch that the procedure's owner wants."""
        return self.case.expect

    @property
    def decision(self) -> DecisionMade | None:
        """How it was made, with the evidence; None before, and where the procedure stopped instead."""
        return next((event for event in reversed(self.events) if isinstance(event, DecisionMade)), None)

    @property
    def unrecorded(self) -> bool:
        """Whether a question had no recorded answer."""
        return any(isinstance(event, ModelFailed) and event.error == "CassetteMiss" for event in self.events)

    async def made(self) -> str:
        """Make it, and give the branch; ``stop`` or ``ask`` where unsure means that.

        Raises: SopbenchError when it could not be made.
        """
        with EventLog(None, now=lambda: datetime.now(UTC), masker=Masker(), listeners=(self.events.append,)) as log:
            result = await self.engine.run(
                self._by_itself(), browser=self.browser, log=log, variables=self._variables(), limits=self.limits
            )
        if result.status == "stopped":
            return self._node.on_unsure
        made = self.decision
        if not result.completed or made is None:
            raise SopbenchError(f"{self.case.id}: {result.reason}")
        return made.branch

    def _by_itself(self) -> Sop:
        """The procedure cut down to this one decision."""
        alone = self._node.model_copy(update={"parent_id": None, "children": ()})
        edges = tuple(Edge(source=alone.id, target=_END, condition=branch) for branch in self._branches)
        nodes = (alone, EndNode(id=_END, type="end", label="Decided"))
        public = self.sop.public.model_copy(update={"nodes": nodes, "edges": edges, "triggers": ()})
        private = self.sop.private.model_copy(update={"skills": (), "steps": ()})
        return self.sop.model_copy(update={"public": public, "private": private})

    def _variables(self) -> dict[str, Any]:
        declared = {
            name: item.default if isinstance(item, Variable) else item
            for name, item in self.sop.public.variables.items()
        }
        return {name: item for name, item in declared.items() if item is not None} | self.case.given


def _decision(sop: Sop, node_id: str) -> DecisionNode:
    decisions = {node.id: node for node in sop.public.nodes if isinstance(node, DecisionNode)}
    if node_id not in decisions:
        hint = did_you_mean(node_id, decisions, before="; ")
        raise UsageError(f"the procedure has no decision {node_id!r}{hint}")
    return decisions[node_id]
