"""From trials to what a gate judges by: one tally for each scenario and condition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sopbench.reliability.tallies import Row, Tally
from sopbench.trials.stored import LeftOut
from sopbench.trials.verdict import Grade

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sopbench.trials.baselines import Accepted
    from sopbench.trials.stored import StoredTrial


@dataclass(frozen=True)
class Setting:
    """What must be the same for trials to be counted together. An empty text stands for what is not known."""

    sop: str
    version: str
    sha256: str
    site: str
    llm: str
    autonomy: str

    def difference(self, other: Setting) -> str:
        """How the other differs, in words; empty when it is the same as far as is known."""
        if _differ(self.sop, other.sop):
            return f"of another procedure ({other.sop})"
        if _differ(self.sha256, other.sha256):
            return f"of another version of {other.sop} ({other.version}, {other.sha256[:8]})"
        for what in ("site", "llm", "autonomy"):
            mine, its = getattr(self, what), getattr(other, what)
            if _differ(mine, its):
                return f"with {what} {its}, where the last one has {mine}"
        return ""


@dataclass(frozen=True)
class Tallied:
    """All tallies, and what is in none of them."""

    tallies: tuple[Tally, ...]
    settings: dict[str, Setting]
    """By scenario: what its trials have in common."""
    cases: dict[tuple[str, str], tuple[str, ...]]
    """By scenario and condition."""
    left_out: tuple[LeftOut, ...]


def tallied(trials: Sequence[StoredTrial], accepted: Iterable[Accepted] = ()) -> Tallied:
    """Tally the trials, which stand in the order in which they began.

    Of each scenario only those count that were held like its last one: same document, same site, same source of
    answers, same autonomy. The others are left out, and said; and so is a baseline that was taken otherwise.
    """
    settings: dict[str, Setting] = {}
    for trial in trials:
        if trial.start is not None and trial.record.site:
            settings[trial.record.scenario] = setting_of(trial)
    counted: dict[tuple[str, str], list[StoredTrial]] = {}
    others: dict[str, list[str]] = {}
    for trial in trials:
        scenario = trial.record.scenario
        difference = settings[scenario].difference(setting_of(trial)) if scenario in settings else ""
        if difference:
            others.setdefault(difference, []).append(trial.run)
        else:
            counted.setdefault((scenario, trial.record.condition), []).append(trial)
    left_out = [LeftOut(why, tuple(runs)) for why, runs in others.items()]
    cases = {key: tuple(sorted({trial.record.case for trial in members})) for key, members in counted.items()}
    baselines = {(each.scenario, each.condition): each for each in accepted}
    tallies = []
    for (scenario, condition), members in counted.items():
        baseline = baselines.get((scenario, condition))
        setting = settings.get(scenario)
        why = baseline.taken_otherwise(setting, cases[scenario, condition]) if baseline and setting else ""
        if why:
            left_out.append(LeftOut(f"not compared with, {why}", (f"{scenario} under {condition}",), "baseline"))
        rows = tuple(row_of(trial) for trial in members)
        fit = baseline.counts() if baseline and not why else None
        tallies.append(Tally(scenario, condition, setting.sop if setting else "", rows, fit))
    return Tallied(tuple(tallies), settings, cases, tuple(left_out))


def row_of(trial: StoredTrial) -> Row:
    """A trial as a gate counts it. Those of one case replayed from a cassette under one seed are one unit."""
    record, figures = trial.record, trial.record.figures
    return Row(
        run=trial.run,
        verdict=record.judgement.verdict.value,
        clean=record.judgement.grade is Grade.CLEAN,
        duration_s=figures.duration_s,
        cost_usd=figures.cost_usd if figures.model_calls else 0.0,
        seed=record.seed,
        unit=f"{record.case}/{record.seed}" if record.llm == "replay" else "",
    )


def setting_of(trial: StoredTrial) -> Setting:
    start, record = trial.start, trial.record
    return Setting(
        sop=start.sop if start else "",
        version=start.version if start else "",
        sha256=start.sha256 if start else "",
        site=record.site,
        llm=record.llm,
        autonomy=record.autonomy,
    )


def _differ(one: str, other: str) -> bool:
    return bool(one and other and one != other)
