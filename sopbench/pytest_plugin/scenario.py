"""What a scenario's marker says, and the trials that come of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sopbench.errors import UsageError
from sopbench.pytest_plugin.holding import held_by
from sopbench.pytest_plugin.options import number, option, options
from sopbench.trials.case import Case, load_case
from sopbench.trials.condition import CLEAN, Condition, find_conditions
from sopbench.trials.seeds import trial_seed
from sopbench.trials.trial import TrialSpec

if TYPE_CHECKING:
    from collections.abc import Iterable

MARKER_HELP = (
    "sop(document, sites=(), cases=None, decisions=None): a scenario: the procedure to run, the mock sites it needs, "
    "and a case folder, a folder of case folders, or a list of them; or a folder of labelled decisions; paths are "
    "relative to the test's file. Without cases there is one, 'default', that gives the procedure nothing"
)


@dataclass(frozen=True)
class Scenario:
    """A procedure with the sites and cases it is tried on."""

    name: str
    document: Path
    sites: tuple[str, ...]
    cases: tuple[Path, ...]
    decisions: Path | None = None
    """The folder of its labelled decisions."""


def scenario_of(test: pytest.Item, config: pytest.Config) -> Scenario:
    """Read a test's nearest ``sop`` marker. Raises: UsageError when there is none, or not what it should be."""
    file = test.path
    marker = test.get_closest_marker("sop")
    if marker is None or not marker.args:
        raise UsageError(f'{file}: a test with trials needs pytest.mark.sop("….sop.json", sites=[…], cases="…")')
    unknown = set(marker.kwargs) - {"sites", "cases", "decisions"}
    if unknown:
        known = "it takes a document, sites, cases and decisions"
        raise UsageError(f"{file}: pytest.mark.sop has no {min(unknown)!r}; {known}")
    given = [Path(path) for path in options(config, "case")]
    stated = marker.kwargs.get("cases") or ()
    own = [file.parent / path for path in ([stated] if isinstance(stated, str | Path) else stated)]
    return Scenario(
        name=file.parent.name,
        document=(file.parent / marker.args[0]).resolve(),
        sites=tuple(marker.kwargs.get("sites", ())),
        cases=tuple(_case_folders(given or own)),
        decisions=file.parent / marker.kwargs["decisions"] if marker.kwargs.get("decisions") else None,
    )


def _case_folders(paths: Iterable[Path]) -> list[Path]:
    folders = []
    for path in paths:
        if (path / "case.toml").is_file() or not path.is_dir():
            folders.append(path)
            continue
        inside = sorted(file.parent for file in path.glob("*/case.toml"))
        if not inside:
            raise UsageError(f"{path}: no case folder, and none in it: a case folder has a case.toml")
        folders += inside
    return folders


def trial_specs(scenario: Scenario, config: pytest.Config, loaded: dict[Path, Case], test: str) -> list[TrialSpec]:
    """All trials of a scenario: its cases × conditions × numbers. Raises: UsageError, ConditionInvalid, CaseInvalid."""
    conditions = _conditions(scenario, config)
    seed, trials = number(config, "seed", at_least=0), number(config, "trials", at_least=1)
    for path in scenario.cases:
        if path not in loaded:
            loaded[path] = load_case(path)
    cases = [loaded[path] for path in scenario.cases] or [Case(path=scenario.document.parent / "default", title="")]
    held = {case.name: held_by(config, test, seed, scenario.document, case.path) for case in cases}
    return [
        TrialSpec(
            scenario=scenario.name,
            case=case,
            condition=condition.name,
            faults=condition.faults,
            number=trial,
            seed=trial_seed(seed, trial),
            site=option(config, "site"),
            llm=option(config, "llm"),
            autonomy=option(config, "autonomy"),
            held=held[case.name],
        )
        for case in cases
        for condition in conditions
        for trial in range(1, trials + 1)
    ]


def _conditions(scenario: Scenario, config: pytest.Config) -> list[Condition]:
    """Those asked for; of ``all``, those whose faults have something to break here. Raises: UsageError."""
    asked = options(config, "condition") or [CLEAN]
    found = find_conditions(asked, [scenario.document.parent / "conditions"])
    there = scenario.sites if option(config, "site") == "mock" else ()
    named = {name.strip() for name in asked}
    kept = []
    for condition in found:
        lacking = [fault for fault in condition.faults if fault.does.sites and not fault.does.sites.intersection(there)]
        if not lacking:
            kept.append(condition)
        elif condition.name in named or "all" not in named:
            needed = " or ".join(sorted(lacking[0].does.sites))
            raise UsageError(f"condition {condition.name!r}: {lacking[0].fault} works in the mock site {needed} only")
    return kept
