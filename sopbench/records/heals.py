"""What was healed in past runs, and what of it may become part of the document."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sopbench.errors import UsageError
from sopbench.events.log import LOG_NAME, read_log
from sopbench.events.types import (
    ActionFailed,
    AlternativeTaken,
    RunStarted,
    StepFinished,
    StepStarted,
    TargetHealed,
)
from sopbench.sop.loader import load
from sopbench.sop.patching import with_part
from sopbench.sop.places import place_of
from sopbench.sop.walk import texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.events.types import Event
    from sopbench.sop.document import Sop

LAST_RUNS = 10
TOO_OFTEN = 2
"""More heals of one step than this in its last runs are worth a warning."""

State = Literal["open", "void", "rejected", "by hand"]


@dataclass(frozen=True)
class Heal:
    """One proven heal: the step went on to finish."""

    document: Path
    sha256: str
    node: str
    label: str
    event: TargetHealed
    skill: str = ""
    """Of the alternative it was in; empty for the step's primary skill."""

    @property
    def place(self) -> str:
        """Which action it was."""
        return f"{self.node}/{self.skill}/{self.event.action}" if self.skill else f"{self.node}/{self.event.action}"


@dataclass(frozen=True)
class Proposal:
    """A target to be written into a document in place of a stale one."""

    number: int
    document: Path
    pointer: str
    """Of the target in the document; empty when the document is no longer the one that ran."""
    node: str
    action: int
    label: str
    says: str
    """What was taken, in words."""
    target: dict[str, Any]
    times: int
    runs: int
    """Of the last runs of the document, how many it was healed in."""
    of: int
    """How many runs that were."""
    state: State
    why: str = ""
    """Why it is not open."""
    place: str = ""
    """Which action of which skill, as rejections name it."""
    way: tuple[dict[str, Any], ...] = ()
    """Actions that an exploration found, to be written in; empty for a heal."""
    app: str = ""
    """Host of where they were found."""


def heals_in(events: Sequence[Event]) -> Iterator[Heal]:
    """The proven heals of one run: what was done to the element went well, and so did the rest of that skill."""
    started = next((event for event in events if isinstance(event, RunStarted)), None)
    if started is None:
        return
    document = Path(str(started.context.get("document", "")))
    labels = {event.step: event.label for event in events if isinstance(event, StepStarted)}
    taken: dict[int, dict[int, TargetHealed]] = {}
    skills: dict[int, str] = {}
    for event in events:
        match event:
            case TargetHealed():
                taken.setdefault(event.step, {})[event.action] = event
            case ActionFailed():
                taken.get(event.step, {}).pop(event.action, None)
            case AlternativeTaken():
                taken.pop(event.step, None)
                skills[event.step] = event.skill
            case StepFinished():
                for heal in taken.pop(event.step, {}).values():
                    label, skill = labels.get(event.step, ""), skills.get(event.step, "")
                    yield Heal(document, started.sha256, event.node, label, heal, skill)
            case _:
                pass


def proposals(records: Path, *, last: int = LAST_RUNS) -> list[Proposal]:
    """What the last runs of each document propose, in the order in which it was first healed.

    Raises: UsageError when there is no such folder.
    """
    if not records.is_dir():
        raise UsageError(f"{records}: no such folder of runs; see --records")
    found: list[Proposal] = []
    for document, runs in runs_by_document(records, last):
        heals = [(run, heal) for run in runs for heal in heals_in(read_log(run))]
        found += _of_document(document, heals, len(runs), len(found))
    return found


def runs_by_document(records: Path, last: int) -> Iterator[tuple[Path, list[Path]]]:
    """Each document with its last runs, oldest first."""
    runs: dict[Path, list[Path]] = {}
    for log in sorted(records.glob(f"*/{LOG_NAME}")):
        with log.open(encoding="utf-8") as lines:
            first = lines.readline()
        try:
            context = json.loads(first).get("context", {})
        except ValueError:
            continue  # killed before its first line was whole
        if "document" in context:
            runs.setdefault(Path(context["document"]), []).append(log.parent)
    for document, folders in runs.items():
        yield document, folders[-last:]


def _of_document(document: Path, heals: Sequence[tuple[Path, Heal]], of: int, before: int) -> Iterator[Proposal]:
    alike: dict[str, list[tuple[Path, Heal]]] = {}
    for run, heal in heals:
        key = json.dumps([heal.place, heal.event.target], sort_keys=True)
        alike.setdefault(key, []).append((run, heal))
    sha256 = hashlib.sha256(document.read_bytes()).hexdigest() if document.is_file() else ""
    sop = load(document).sop if any(heal.sha256 == sha256 for _, heal in heals) else None
    for number, same in enumerate(alike.values(), start=before + 1):
        heal = same[-1][1]
        pointer, state, why = _state(heal, sop, sha256)
        yield Proposal(
            number=number,
            document=document,
            pointer=pointer,
            node=heal.node,
            action=heal.event.action,
            label=heal.label,
            says=heal.event.says,
            target=_kept(heal.event),
            times=len(same),
            runs=len({run for run, _ in same}),
            of=of,
            state=state,
            why=why,
            place=heal.place,
        )


def _kept(event: TargetHealed) -> dict[str, Any]:
    """The new target, with what it was like now: so that it can be found again when it changes once more."""
    return {**event.target, "fingerprint": event.new}


def _state(heal: Heal, sop: Sop | None, sha256: str) -> tuple[str, State, str]:
    """Pointer of the stale target, and what can become of the proposal; ``sha256`` is the document's now."""
    if not sha256:
        return "", "void", "the document is gone"
    if sop is None or sha256 != heal.sha256:
        return "", "void", "the document has changed since"
    place = place_of(sop, heal.node, heal.event.action, heal.skill)
    pointer, element = f"{place.pointer}/target", place.action.element()
    if heal.event.target in rejected(heal.document).get(heal.place, []):
        return pointer, "rejected", "it was rejected"
    if element and next((each for each in texts(element[1]) if "{{" in each.value), None):
        return pointer, "by hand", "the target depends on variables: only a person can say how"
    if "{{" in json.dumps(heal.event.target) or "{%" in json.dumps(heal.event.target):
        return pointer, "by hand", "the page's words look like a template"
    return pointer, "open", ""


def rejections(document: Path) -> Path:
    """Where the rejected proposals of a document are kept: beside it."""
    return document.with_name(document.name.removesuffix(".json").removesuffix(".sop") + ".rejected-heals.json")


def rejected(document: Path) -> dict[str, list[dict[str, Any]]]:
    """Rejected targets and ways by ``node/action``, or ``node/skill/action`` of an alternative."""
    file = rejections(document)
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def healed_too_often(records: Iterable[tuple[str, ...]]) -> list[tuple[str, int]]:
    """Nodes healed more than twice in the last ten of these runs, with how often; each run is its healed nodes."""
    last = list(records)[-LAST_RUNS:]
    nodes = dict.fromkeys(node for run in last for node in run)
    counts = [(node, sum(run.count(node) for run in last)) for node in nodes]
    return [(node, number) for node, number in counts if number > TOO_OFTEN]


def adopted(proposal: Proposal) -> tuple[str, str]:
    """The document's text before, and with the proposal written into it.

    Raises: UsageError when the proposal is not open.
    """
    if proposal.state != "open":
        raise UsageError(f"proposal {proposal.number} is {proposal.state}: {proposal.why}")
    text = proposal.document.read_text(encoding="utf-8")
    return text, with_part(text, proposal.pointer, proposal.target)


def reject(proposal: Proposal) -> Path:
    """Never propose it again; the file that says so. Raises: UsageError when it is void or rejected already."""
    if proposal.state in ("void", "rejected"):
        raise UsageError(f"proposal {proposal.number} is {proposal.state}: {proposal.why}")
    target = {key: value for key, value in proposal.target.items() if key != "fingerprint"}
    refused = {"way": list(proposal.way)} if proposal.way else target
    kept = rejected(proposal.document)
    kept[proposal.place] = [*kept.get(proposal.place, []), refused]
    file = rejections(proposal.document)
    file.write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return file
