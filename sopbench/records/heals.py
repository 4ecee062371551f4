"""What was healed in past runs, and what of it may become part of the document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sopbench.errors import UsageError
from sopbench.events.log import LOG_NAME, read_log
from sopbench.events.types import RunStarted, StepFinished, StepStarted, TargetHealed
from sopbench.sop.document import Sop
from sopbench.sop.loader import load
from sopbench.sop.patching import with_part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.events.types import Event

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


def heals_in(events: Sequence[Event]) -> Iterator[Heal]:
    """The proven heals of one run."""
    started = next((event for event in events if isinstance(event, RunStarted)), None)
    if started is None:
        return
    document = Path(str(started.context.get("document", "")))
    labels = {event.step: event.label for event in events if isinstance(event, StepStarted)}
    nodes = {event.step: event.node for event in events if isinstance(event, StepFinished)}
    for event in events:
        if isinstance(event, TargetHealed) and event.step in nodes:
            yield Heal(document, started.sha256, nodes[event.step], labels.get(event.step, ""), event)


def proposals(records: Path, *, last: int = LAST_RUNS) -> list[Proposal]:
    """What the last runs of each document propose, in the order in which it was first healed.

    Raises: UsageError when there is no such folder.
    """
    if not records.is_dir():
        raise UsageError(f"{records}: no such folder of runs; see --records")
    found: list[Proposal] = []
    for document, runs in _runs_by_document(records, last):
        heals = [(run, heal) for run in runs for heal in heals_in(read_log(run))]
        found += _of_document(document, heals, len(runs), len(found))
    return found


def _runs_by_document(records: Path, last: int) -> Iterator[tuple[Path, list[Path]]]:
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
        key = json.dumps([heal.node, heal.event.action, heal.event.target], sort_keys=True)
        alike.setdefault(key, []).append((run, heal))
    current = _current(document)
    for number, same in enumerate(alike.values(), start=before + 1):
        heal = same[-1][1]
        pointer, state, why = _state(heal, current, document)
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
        )


def _kept(event: TargetHealed) -> dict[str, Any]:
    """The new target, with what it was like now: so that it can be found again when it changes once more."""
    return {**event.target, "fingerprint": event.new}


def _current(document: Path) -> tuple[Sop, str] | None:
    if not document.is_file():
        return None
    loaded = load(document)
    return loaded.sop, loaded.sha256


def _state(heal: Heal, current: tuple[Sop, str] | None, document: Path) -> tuple[str, State, str]:
    if current is None:
        return "", "void", "the document is gone"
    sop, sha256 = current
    if sha256 != heal.sha256:
        return "", "void", "the document has changed since"
    pointer, target = _place(sop, heal)
    if heal.event.target in rejected(document).get(f"{heal.node}/{heal.event.action}", []):
        return pointer, "rejected", "it was rejected"
    if "{{" in json.dumps(target):
        return pointer, "by hand", "the target depends on variables: only a person can say how"
    if "{{" in json.dumps(heal.event.target) or "{%" in json.dumps(heal.event.target):
        return pointer, "by hand", "the page's words look like a template"
    return pointer, "open", ""


def _place(sop: Sop, heal: Heal) -> tuple[str, Any]:
    """Pointer and value of the target that was stale."""
    skill = next(binding.primary_skill for binding in sop.private.steps if binding.node_id == heal.node)
    index = next(place for place, each in enumerate(sop.private.skills) if each.id == skill)
    action = sop.private.skills[index].actions[heal.event.action]
    target = getattr(action, "target").model_dump(mode="json", exclude={"fingerprint"})  # noqa: B009 - not every verb has one
    return f"/private/skills/{index}/actions/{heal.event.action}/target", target


def rejections(document: Path) -> Path:
    """Where the rejected proposals of a document are kept: beside it."""
    return document.with_name(document.name.removesuffix(".json").removesuffix(".sop") + ".rejected-heals.json")


def rejected(document: Path) -> dict[str, list[dict[str, Any]]]:
    """Rejected targets by ``node/action``."""
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
    place = f"{proposal.node}/{proposal.action}"
    target = {key: value for key, value in proposal.target.items() if key != "fingerprint"}
    kept = rejected(proposal.document)
    kept[place] = [*kept.get(place, []), target]
    file = rejections(proposal.document)
    file.write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return file
