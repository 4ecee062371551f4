"""Ways that explorations found in past runs, and how one becomes part of the document."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import TypeAdapter

from sopbench.errors import UsageError
from sopbench.events.log import read_log
from sopbench.events.types import (
    ActionFailed,
    AlternativeTaken,
    Event,
    ExplorationFinished,
    ExplorationStarted,
    RunStarted,
    StepFinished,
    StepStarted,
)
from sopbench.records.heals import Proposal, State, rejected, runs_by_document
from sopbench.sop.actions import AnyAction
from sopbench.sop.document import Sop
from sopbench.sop.loader import load
from sopbench.sop.nodes import ExploreNode
from sopbench.sop.patching import with_added, with_several, with_value
from sopbench.sop.places import place_of

_OF_AN_EXPLORATION = ("goal", "done_when", "allowed", "origins", "max_steps")
_ACTION: TypeAdapter[AnyAction] = TypeAdapter(AnyAction)


@dataclass(frozen=True)
class FoundWay:
    """One way that reached its goal, in a step that went on to finish."""

    document: Path
    sha256: str
    node: str
    label: str
    way: tuple[dict[str, Any], ...]
    app: str
    """Host of where it was found."""
    in_loop: bool
    action: int | None
    """Which action of the skill it did without; None for the way of an exploring node."""
    skill: str = ""
    """Of the alternative it was in; empty for the step's primary skill."""

    @property
    def place(self) -> str:
        parts = (self.node, self.skill, "way" if self.action is None else f"{self.action}/way")
        return "/".join(part for part in parts if part)


def ways_in(events: Sequence[Event]) -> Iterator[FoundWay]:
    """The ways that explorations of one run found."""
    started = next((event for event in events if isinstance(event, RunStarted)), None)
    if started is None:
        return
    document = Path(str(started.context.get("document", "")))
    finished = {event.step for event in events if isinstance(event, StepFinished)}
    steps = {event.step: event for event in events if isinstance(event, StepStarted)}
    failed: dict[int, int] = {}
    stands_for: dict[int, int | None] = {}
    skills: dict[int, str] = {}
    apps: dict[int, str] = {}
    for event in events:
        match event:
            case ActionFailed():
                failed[event.step] = event.action
            case AlternativeTaken():
                skills[event.step] = event.skill
            case ExplorationStarted():
                stands_for[event.step] = failed.get(event.step)
                apps[event.step] = urlsplit(event.origins[0]).hostname or "" if event.origins else ""
            case ExplorationFinished() if event.reached and event.way and event.step in finished:
                step = steps[event.step]
                explores = step.kind == "explore"
                yield FoundWay(
                    document, started.sha256, step.node, step.label, event.way, apps.get(event.step, ""),
                    bool(step.path), None if explores else stands_for.get(event.step), skills.get(event.step, ""),
                )  # fmt: skip
            case _:
                pass


def way_proposals(records: Path, *, last: int, before: int) -> list[Proposal]:
    """What the last runs of each document propose; numbered on from ``before``."""
    found: list[Proposal] = []
    for document, runs in runs_by_document(records, last):
        ways = [(run, way) for run in runs for way in ways_in(read_log(run))]
        found += _of_document(document, ways, len(runs), before + len(found))
    return found


def _of_document(document: Path, ways: Sequence[tuple[Path, FoundWay]], of: int, before: int) -> Iterator[Proposal]:
    alike: dict[str, list[tuple[Path, FoundWay]]] = {}
    for run, way in ways:
        alike.setdefault(json.dumps([way.place, way.way], sort_keys=True), []).append((run, way))
    sha256 = hashlib.sha256(document.read_bytes()).hexdigest() if document.is_file() else ""
    sop = load(document).sop if any(way.sha256 == sha256 for _, way in ways) else None
    for number, same in enumerate(alike.values(), start=before + 1):
        way = same[-1][1]
        pointer, state, why = _state(way, sop, sha256)
        yield Proposal(
            number=number,
            document=document,
            pointer=pointer,
            node=way.node,
            action=-1 if way.action is None else way.action,
            label=way.label,
            says="\n".join(str(_ACTION.validate_python(each)) for each in way.way),
            target={},
            times=len(same),
            runs=len({run for run, _ in same}),
            of=of,
            state=state,
            why=why,
            place=way.place,
            way=way.way,
            app=way.app,
        )


def _state(way: FoundWay, sop: Sop | None, sha256: str) -> tuple[str, State, str]:
    """Pointer of what the way would stand in place of, and what can become of the proposal."""
    if not sha256:
        return "", "void", "the document is gone"
    if sop is None or sha256 != way.sha256:
        return "", "void", "the document has changed since"
    pointer = _pointer(way, sop)
    if pointer is None:
        return "", "void", "what it stands for is not in the document"
    if {"way": list(way.way)} in rejected(way.document).get(way.place, []):
        return pointer, "rejected", "it was rejected"
    if way.in_loop:
        return pointer, "by hand", "it was found for one item of a loop: only a person can say what holds for all"
    targets = json.dumps([each.get("target") for each in way.way])
    if "{{" in targets or "{%" in targets:
        return pointer, "by hand", "the page's words look like a template"
    return pointer, "open", ""


def _pointer(way: FoundWay, sop: Sop) -> str | None:
    if way.action is None:
        nodes = enumerate(sop.public.nodes)
        index = next((i for i, node in nodes if isinstance(node, ExploreNode) and node.id == way.node), None)
        return None if index is None else f"/public/nodes/{index}"
    try:
        return place_of(sop, way.node, way.action, way.skill).pointer
    except LookupError:
        return None


def adopted_way(proposal: Proposal) -> tuple[str, str]:
    """The document's text before, and with the way written into it.

    Raises: UsageError when the proposal is not open.
    """
    if proposal.state != "open":
        raise UsageError(f"proposal {proposal.number} is {proposal.state}: {proposal.why}")
    text = proposal.document.read_text(encoding="utf-8")
    data = json.loads(text)
    if proposal.pointer.startswith("/public/nodes/"):
        return text, _as_task(text, data, proposal)
    old = _at(data, proposal.pointer)
    return text, with_several(text, proposal.pointer, _expecting(proposal.way, old.get("expect", [])))


def _as_task(text: str, data: dict[str, Any], proposal: Proposal) -> str:
    """The exploring node as a task, with a skill of its own that goes the way."""
    node = _at(data, proposal.pointer)
    kept = {key: value for key, value in node.items() if key not in _OF_AN_EXPLORATION}
    task = {**kept, "type": "task", "intent": node.get("intent") or node["goal"]}
    taken = {skill["id"] for skill in data.get("private", {}).get("skills", [])}
    name = next(each for each in _names(f"{node['id']}_explored") if each not in taken)
    skill = {"id": name, "app": proposal.app or "ui", "actions": _expecting(proposal.way, [node["done_when"]])}
    text = with_value(text, proposal.pointer, task)
    if "private" not in data:
        text = with_added(text, "", {}, "private")
    for key, entry in (("skills", skill), ("steps", {"node_id": node["id"], "primary_skill": name})):
        if key in data.get("private", {}):
            text = with_added(text, f"/private/{key}", entry)
        else:
            text = with_added(text, "/private", [entry], key)
    return text


def _names(wanted: str) -> Iterator[str]:
    yield wanted
    number = 2
    while True:
        yield f"{wanted}_{number}"
        number += 1


def _expecting(way: Sequence[dict[str, Any]], expect: Sequence[Any]) -> list[dict[str, Any]]:
    """The actions, the last of which must bring about what decided the goal."""
    *first, last = way
    return [*first, {**last, "expect": list(expect)}]


def _at(data: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        data = data[int(step)] if isinstance(data, list) else data[step]
    return data
