"""Labelled decisions of a scenario, one or all of them: replayed, live or recorded anew. No browser is opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sopbench import wiring
from sopbench.errors import SopbenchError, UsageError
from sopbench.sop.loader import load
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.page import Element
from sopbench.trials.decision_cases import KnownWrong, load_decisions
from sopbench.trials.decision_trial import DecisionTrial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from sopbench.adapters.vcr_cassettes import Cassette
    from sopbench.ports.llm import LanguageModel
    from sopbench.sop.loader import Loaded
    from sopbench.trials.decision_cases import DecisionCase
    from sopbench.wiring import Settings


@dataclass(frozen=True)
class Tried:
    """A labelled decision that was tried."""

    case: DecisionCase
    branch: str
    """Empty where it could not be made."""
    unrecorded: bool
    """Whether that is for want of a recorded answer."""
    error: str
    trial: DecisionTrial

    @property
    def right(self) -> bool:
        return self.branch == self.case.expect


def cassette_path(document: Path, folder: Path) -> Path:
    """Where a folder's decisions are recorded."""
    return document.parent / "cassettes" / f"{folder.name}.json"


def decision_trial(case: DecisionCase, procedure: Loaded, settings: Settings, model: LanguageModel) -> DecisionTrial:
    """One decision, ready to be made. Raises: UsageError."""
    return DecisionTrial(
        case=case,
        sop=procedure.sop,
        limits=wiring.limits(procedure, settings),
        engine=wiring.engine(settings, model, wiring.operator(settings)),
        browser=FakeBrowser(_elements(case.page, case.id)),
    )


def decisions_recorded_in(cassette: Path) -> tuple[Path, Path] | None:
    """The document and the folder of the decisions that a cassette is of; None when it is of a case.

    Raises: CaseInvalid, DocumentInvalid.
    """
    scenario = cassette.parent.parent
    folder = scenario / cassette.stem
    if not any(folder.glob("*.toml")) or (folder / "case.toml").exists():
        return None
    node = load_decisions(folder)[0].node
    documents = (path for path in sorted(scenario.glob("*.sop.json")) if node in _ids(load(path)))
    return next(((document, folder) for document in documents), None)


async def try_all(
    cases: Iterable[DecisionCase],
    procedure: Loaded,
    settings: Settings,
    cassette: Cassette | None,
    say: Callable[[Tried], None] = lambda _: None,
) -> list[Tried]:
    """Make every decision, one after the other; when recording, until one cannot be made. Raises: UsageError."""
    model = wiring.model(settings, cassette)
    tried: list[Tried] = []
    try:
        for case in cases:
            tried.append(await _tried(decision_trial(case, procedure, settings, model)))
            say(tried[-1])
            if settings.llm == "record" and not tried[-1].branch:
                break
    finally:
        await model.aclose()
    return tried


def known_wrong(tried: Sequence[Tried], cassette: Cassette) -> KnownWrong:
    """What a recording that was just made gets wrong. Raises: UsageError when a decision could not be made."""
    if broken := next((each for each in tried if not each.branch), None):
        raise UsageError(f"{broken.case.id} could not be made, and nothing is kept: {broken.error}")
    header = cassette.recorded_from
    return KnownWrong(
        model=header.model if header else "",
        recorded=header.recorded if header else "",
        wrong={each.case.id: each.branch for each in tried if not each.right},
    )


async def _tried(trial: DecisionTrial) -> Tried:
    try:
        branch, error = await trial.made(), ""
    except SopbenchError as failed:
        branch, error = "", str(failed)
    return Tried(trial.case, branch, trial.unrecorded, error, trial)


def _elements(page: Iterable[Mapping[str, Any]], case: str) -> list[Element]:
    try:
        return [Element(**{**each, "children": _elements(each.get("children", ()), case)}) for each in page]
    except TypeError as error:
        raise UsageError(f"{case}: the page has an element that cannot be read: {error}") from error


def _ids(procedure: Loaded) -> set[str]:
    return {node.id for node in procedure.sop.public.nodes}
