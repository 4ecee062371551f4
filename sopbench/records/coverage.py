"""Coverage of a procedure: all the ways it has, and which of them a run took.

A rate says nothing of a way that was never taken.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from sopbench.events.types import (
    ActionFinished,
    ActionSkipped,
    ActionStarted,
    AlternativeTaken,
    AttemptStarted,
    ExplorationStarted,
    Interrupted,
    LoopEntered,
    RunResumed,
    StepFinished,
    StepStarted,
    TargetHealed,
)
from sopbench.sop.branches import chosen_branches
from sopbench.sop.flow import Flow
from sopbench.sop.nodes import DecisionNode, ExploreNode, LoopNode, TaskNode, TriggerNode, WaitNode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sopbench.events.types import Event
    from sopbench.sop.document import Skill, Sop
    from sopbench.sop.nodes import Node, RecoveryTier

Kind = Literal["node", "branch", "loop", "skill", "when", "expectation", "interruption", "tier"]
KINDS: tuple[Kind, ...] = ("node", "branch", "loop", "skill", "when", "expectation", "interruption", "tier")
TIERS: dict[RecoveryTier, str] = {
    "retry": "retried",
    "heal": "healed",
    "alternative": "alternative",
    "explore": "explored",
    "ask": "assisted",
}
"""What may be done about a failure → what a step is called that needed it."""
_WAITED = "until"
_RESUMED = "resumed"


@dataclass(frozen=True)
class Way:
    """One thing that a run may do, or not."""

    kind: Kind
    node: str
    """Empty for an interruption and a tier: those are counted over the whole procedure."""
    what: str = ""
    """The branch; ``no``, ``one`` or ``many`` items; the skill; skill and action, for ``when`` with the outcome; the
    interruption; the tier. Empty for a node."""
    says: str = field(default="", compare=False)
    """For people: the node's label, the action."""

    @property
    def name(self) -> str:
        """What it is called in reports."""
        match self.kind:
            case "node":
                return self.node
            case "branch":
                return f"{self.node} → {self.what}"
            case "loop":
                return f"{self.node}: {self.what} {'item' if self.what == 'one' else 'items'}"
            case "interruption" | "tier":
                return self.what
            case _:
                return f"{self.node}: {self.what}"


@dataclass(frozen=True)
class Covered:
    """A way, and how many trials took it, under which conditions."""

    way: Way
    conditions: dict[str, int]
    """Condition → trials; without zeros."""

    @property
    def trials(self) -> int:
        return sum(self.conditions.values())


def ways(sop: Sop) -> list[Way]:
    """All there are, in the order of the document.

    A node that only deals with an interruption is no way of its own: nobody comes to it unless he is interrupted.
    """
    flow, skills = Flow(sop), _skills(sop)
    beside = _beside(sop, flow)
    found: list[Way] = []
    for node in sop.public.nodes:
        if not isinstance(node, TriggerNode):
            own = _of_node(node, flow, skills.get(node.id, ()))
            found += [way for way in own if way.kind != "node" or node.id not in beside]
    found += [Way("interruption", "", each.id, each.label) for each in sop.public.interruptions]
    return found + list(_tiers(sop, skills))


def taken(sop: Sop, events: Iterable[Event]) -> set[Way]:
    """Those that one run took. A skill counts from its first action on, an expectation when it held, an
    interruption when it was met.
    """
    return _Reader(sop).read(events)


def coverage(sop: Sop, runs: Iterable[tuple[str, set[Way]]]) -> tuple[Covered, ...]:
    """How many runs took each way; a run is its condition and what it took."""
    counts: dict[Way, Counter[str]] = {way: Counter() for way in ways(sop)}
    for condition, took in runs:
        for way in took & counts.keys():
            counts[way][condition] += 1
    return tuple(Covered(way, dict(counted)) for way, counted in counts.items())


def _beside(sop: Sop, flow: Flow) -> set[str]:
    """Nodes that are done only when an interruption is met, with all that is inside them."""
    pointed_at = {edge.target for edge in sop.public.edges}
    first = {node for each in sop.public.interruptions for node in each.do if node not in pointed_at}
    return first | {node.id for node in sop.public.nodes if first & set(flow.around(node.id))}


def _of_node(node: Node, flow: Flow, skills: Sequence[Skill]) -> Iterator[Way]:
    yield Way("node", node.id, says=node.label)
    match node:
        case DecisionNode():
            branches = dict.fromkeys((*chosen_branches(node), *flow.branches(node.id)))
            for branch in branches:
                yield Way("branch", node.id, branch, node.label)
        case LoopNode():
            for items in ("no", "one", "many"):
                yield Way("loop", node.id, items, node.label)
        case WaitNode() if node.until:
            yield Way("expectation", node.id, _WAITED, " and ".join(map(str, node.until)))
        case ExploreNode():
            yield Way("expectation", node.id, _WAITED, str(node.done_when))
        case _:
            pass
    for skill in skills:
        yield from _of_skill(node, skill)


def _of_skill(node: Node, skill: Skill) -> Iterator[Way]:
    yield Way("skill", node.id, skill.id, f"{skill.id} ({skill.method_type})")
    for number, action in enumerate(skill.actions):
        if action.when is not None:
            for outcome in (True, False):
                yield _when(node.id, skill, number, holds=outcome)
        if action.expect:
            yield _expectation(node.id, skill, number)


def _tiers(sop: Sop, skills: dict[str, tuple[Skill, ...]]) -> Iterator[Way]:
    nodes = [node for node in sop.public.nodes if isinstance(node, TaskNode) and node.id in skills]
    for tier, name in TIERS.items():
        able = [node for node in nodes if node.recovery is None or tier in node.recovery]
        if tier == "alternative":
            able = [node for node in able if len(skills[node.id]) > 1]
        if able:
            yield Way("tier", "", name)
    if sop.private.resume is not None:
        yield Way("tier", "", _RESUMED)


def _when(node: str, skill: Skill, number: int, *, holds: bool) -> Way:
    action = skill.actions[number]
    outcome = "holds" if holds else "does not hold"
    return Way("when", node, f"{skill.id}/{number} {outcome}", f"when {action.when} {outcome}: {action}")


def _expectation(node: str, skill: Skill, number: int) -> Way:
    action = skill.actions[number]
    expected = " and ".join(map(str, action.expect))
    return Way("expectation", node, f"{skill.id}/{number}", f"{action}: {expected}")


def _skills(sop: Sop) -> dict[str, tuple[Skill, ...]]:
    """Of each node those that have actions, the primary one first."""
    known = {skill.id: skill for skill in sop.private.skills if skill.actions}
    found = {
        binding.node_id: tuple(known[name] for name in (binding.primary_skill, *binding.alt_skills) if name in known)
        for binding in sop.private.steps
    }
    return {node: skills for node, skills in found.items() if skills}


class _Reader:
    """Goes through the log of one run."""

    def __init__(self, sop: Sop) -> None:
        self._skills = _skills(sop)
        self._nodes = {node.id: node for node in sop.public.nodes}
        self._steps: dict[int, str] = {}
        self._current: dict[int, Skill] = {}
        self._taken: set[Way] = set()

    def read(self, events: Iterable[Event]) -> set[Way]:
        for event in events:
            match event:
                case StepStarted():
                    self._steps[event.step] = event.node
                    self._taken.add(Way("node", event.node))
                    self._begin(event.step, self._skills.get(event.node, ())[:1])
                case AlternativeTaken():
                    self._taken.add(Way("tier", "", "alternative"))
                    named = self._skills.get(self._steps.get(event.step, ""), ())
                    self._begin(event.step, [skill for skill in named if skill.id == event.skill])
                case LoopEntered():
                    items = "no" if event.items == 0 else "one" if event.items == 1 else "many"
                    self._taken.add(Way("loop", event.node, items))
                case StepFinished():
                    self._finish(event)
                case ActionStarted() | ActionSkipped() | ActionFinished():
                    self._act(event)
                case _:
                    self._recover(event)
        return self._taken

    def _recover(self, event: Event) -> None:
        match event:
            case Interrupted():
                self._taken.add(Way("interruption", "", event.interruption))
            case RunResumed():
                self._taken.add(Way("tier", "", _RESUMED))
            case AttemptStarted():
                self._taken.add(Way("tier", "", "retried"))
            case TargetHealed():
                self._taken.add(Way("tier", "", "healed"))
            case ExplorationStarted() if event.step in self._current:
                self._taken.add(Way("tier", "", "explored"))
            case _:
                pass

    def _begin(self, step: int, skills: Sequence[Skill]) -> None:
        self._current.pop(step, None)
        for skill in skills:
            self._current[step] = skill

    def _finish(self, event: StepFinished) -> None:
        node = self._nodes.get(event.node)
        if isinstance(node, DecisionNode):
            self._taken.add(Way("branch", event.node, event.condition))
        elif isinstance(node, WaitNode | ExploreNode):
            self._taken.add(Way("expectation", event.node, _WAITED))
        if event.tier == "assisted":
            self._taken.add(Way("tier", "", "assisted"))

    def _act(self, event: ActionStarted | ActionSkipped | ActionFinished) -> None:
        skill, node = self._current.get(event.step), self._steps.get(event.step, "")
        if skill is None or event.action >= len(skill.actions):
            return  # what an exploration does is no action of the document
        action = skill.actions[event.action]
        self._taken.add(Way("skill", node, skill.id))
        unmet = isinstance(event, ActionSkipped) and event.why == f"{action.when} does not hold"
        if action.when is not None:
            self._taken.add(_when(node, skill, event.action, holds=not unmet))
        if action.expect and not unmet and not isinstance(event, ActionStarted):
            self._taken.add(_expectation(node, skill, event.action))
