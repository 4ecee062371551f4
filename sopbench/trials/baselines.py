"""Accepted baselines: what later trials must not be worse than. A small file, to be kept with the project."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sopbench.errors import UsageError
from sopbench.reliability.tallies import Baseline

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from pathlib import Path

    from sopbench.reliability.tallies import Tally
    from sopbench.trials.tallying import Setting

BASELINE_NAME = "gate-baseline.json"


class Accepted(BaseModel):
    """What was accepted as good enough for one scenario under one condition; by whom, when and why."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    scenario: str
    condition: str
    sop: str
    """The document's id."""
    version: str
    sha256: str
    """Of the document that ran."""
    site: str
    llm: str
    autonomy: str
    cases: tuple[str, ...]
    trials: int = Field(ge=1)
    """Independent ones that gave evidence."""
    passed: int = Field(ge=0)
    passed_clean: int = Field(ge=0)
    broken: int = Field(ge=0)
    """Left out of ``trials``."""
    seeds: dict[int, bool]
    """Whether the trials of a seed passed, in every case."""
    first_run: str
    last_run: str
    who: str
    when: str
    """ISO 8601, UTC."""
    because: str = Field(min_length=1)

    def counts(self) -> Baseline:
        """As the gate compares with it. Raises: ValueError when the counts do not fit together."""
        return Baseline(self.sop, self.passed, self.trials, self.passed_clean, self.seeds)

    def taken_otherwise(self, setting: Setting, cases: Sequence[str]) -> str:
        """Why trials of this setting cannot be compared with it; empty when they can.

        A new version of the procedure can: that is what one wants to know. Of another procedure the gate itself says.
        """
        if self.sop != setting.sop:
            return ""
        for what in ("site", "llm", "autonomy"):
            own, its = getattr(self, what), getattr(setting, what)
            if own != its:
                return f"it was taken with {what} {own}, these trials with {its}"
        if set(self.cases) != set(cases):
            return f"it was taken on {', '.join(self.cases)}, these trials on {', '.join(cases)}"
        return ""


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    baselines: tuple[Accepted, ...] = ()


def read_baselines(file: Path) -> tuple[Accepted, ...]:
    """All accepted baselines; none when the file is not there.

    Raises: UsageError when it cannot be read.
    """
    if not file.exists():
        return ()
    try:
        kept = _File.model_validate_json(file.read_bytes()).baselines
        for each in kept:
            each.counts()
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"{file}: {where}: {first['msg']}; take the file from the history again") from error
    except (OSError, ValueError) as error:
        raise UsageError(f"{file}: {error}; take the file from the history again") from error
    keys = [(each.scenario, each.condition) for each in kept]
    if len(set(keys)) < len(keys):
        raise UsageError(f"{file}: a scenario and condition is there twice; keep one of them")
    return kept


def write_baselines(file: Path, baselines: Iterable[Accepted]) -> None:
    """Write the file whole or not at all."""
    ordered = sorted(baselines, key=lambda each: (each.scenario, each.condition))
    text = json.dumps(_File(baselines=tuple(ordered)).model_dump(mode="json"), indent=2, ensure_ascii=False)
    partial = file.with_name(f"{file.name}.part")
    partial.write_text(text + "\n", encoding="utf-8")
    os.replace(partial, file)  # noqa: PTH105 - atomic, and says so


def accepted(
    tally: Tally, setting: Setting, cases: Sequence[str], *, who: str, when: datetime, because: str
) -> Accepted:
    """Take these trials as the baseline. Raises: UsageError when none of them gave evidence."""
    units = tally.units()
    if not units:
        raise UsageError(f"{tally.scenario} under {tally.condition}: no trial gave evidence: nothing to accept")
    seeds: dict[int, bool] = {}
    for unit in units:
        if unit.seed is not None:
            seeds[unit.seed] = seeds.get(unit.seed, True) and unit.passed
    return Accepted(
        scenario=tally.scenario,
        condition=tally.condition,
        sop=setting.sop,
        version=setting.version,
        sha256=setting.sha256,
        site=setting.site,
        llm=setting.llm,
        autonomy=setting.autonomy,
        cases=tuple(cases),
        trials=len(units),
        passed=sum(unit.passed for unit in units),
        passed_clean=sum(unit.clean for unit in units),
        broken=tally.broken,
        seeds=seeds,
        first_run=tally.rows[0].run,
        last_run=tally.rows[-1].run,
        who=who,
        when=when.isoformat(timespec="seconds"),
        because=because,
    )
