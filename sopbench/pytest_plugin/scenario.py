"""What a scenario's marker says, and the trials that come of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sopbench.errors import UsageError
from sopbench.pytest_plugin.options import number, option, options
from sopbench.trials.case import Case, load_case
from sopbench.trials.seeds import trial_seed
from sopbench.trials.trial import TrialSpec

if TYPE_CHECKING:
    from collections.abc import Iterable

CONDITIONS = ("clean",)
MARKER_HELP = (
    "sop(document, sites=(), cases=None): a scenario: the procedure to run, the mock sites it needs, and a case "
    "folder, a folder of case folders, or a list of them; paths are relative to the test's file. Without cases there "
    "is one, 'default', that gives the procedure nothing"
)


@dataclass(frozen=True)
class Scenario:
    """A procedure with the sites and cases it is tried on."""

    name: str
    document: Path
    sites: tuple[str, ...]
    cases: tuple[Path, ...]


def scenario_of(test: pytest.Item, config: pytest.Config) -> Scenario:
    """Read a test's nearest ``sop`` marker. Raises: UsageError when there is none, or not what it should be."""
    file = test.path
    marker = test.get_closest_marker("sop")
    if marker is None or not marker.args:
        raise UsageError(f'{file}: a test with trials needs pytest.mark.sop("….sop.json", sites=[…], cases="…")')
    unknown = set(marker.kwargs) - {"sites", "cases"}
    if unknown:
        raise UsageError(f"{file}: pytest.mark.sop has no {min(unknown)!r}; it takes a document, sites and cases")
    given = [Path(path) for path in options(config, "case")]
    stated = marker.kwargs.get("cases") or ()
    own = [file.parent / path for path in ([stated] if isinstance(stated, str | Path) else stated)]
    return Scenario(
        name=file.parent.name,
        document=(file.parent / marker.args[0]).resolve(),
        sites=tuple(marker.kwargs.get("sites", ())),
        cases=tuple(_case_folders(given or own)),
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


def trial_specs(scenario: Scenario, config: pytest.Config, loaded: dict[Path, Case]) -> list[TrialSpec]:
    """All trials of a scenario: its cases × conditions × numbers. Raises: UsageError, CaseInvalid."""
    conditions = options(config, "condition") or ["clean"]
    for condition in conditions:
        if condition not in CONDITIONS:
            raise UsageError(f"there is no condition {condition!r}; there is {', '.join(CONDITIONS)}")
    seed, trials = number(config, "seed", at_least=0), number(config, "trials", at_least=1)
    for path in scenario.cases:
        if path not in loaded:
            loaded[path] = load_case(path)
    cases = [loaded[path] for path in scenario.cases] or [Case(path=scenario.document.parent / "default", title="")]
    return [
        TrialSpec(
            scenario=scenario.name,
            case=case,
            condition=condition,
            number=trial,
            seed=trial_seed(seed, trial),
            site=option(config, "site"),
            llm=option(config, "llm"),
            autonomy=option(config, "autonomy"),
        )
        for case in cases
        for condition in conditions
        for trial in range(1, trials + 1)
    ]
