"""Trials by what was frozen in them, and whether the site or the model moved between two times."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import pandas as pd  # type: ignore[import-untyped]

from sopbench.records.evidence import units
from sopbench.reliability.comparison import Counts
from sopbench.reliability.drift import drift
from sopbench.reliability.monitoring import NIGHTS, Night, worse_than_before

if TYPE_CHECKING:
    from datetime import datetime

    from sopbench.reliability.drift import Drift

SITE = {"mock": "frozen", "real": "live"}
DECISIONS = {"replay": "frozen", "record": "live", "live": "live"}
RECENT = timedelta(days=7)


@dataclass(frozen=True)
class Told:
    """What moved in one scenario."""

    scenario: str
    at: datetime
    """Trials before it are compared with those from then on."""
    why_then: str
    drift: Drift


def by_what_was_frozen(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs of which it is known, with two columns more: ``site_is`` and ``decisions_are`` *frozen* or *live*."""
    site, decisions = runs["site"].astype(str).map(SITE), runs["llm"].astype(str).map(DECISIONS)
    known = site.notna() & decisions.notna()
    return runs[known].assign(site_is=site[known], decisions_are=decisions[known])


def drifts(runs: pd.DataFrame, at: datetime | None = None, alpha: float = 0.05) -> tuple[Told, ...]:
    """For each scenario what moved between the trials before ``at`` and those from then on.

    Only trials of the scenario's last document and autonomy count. Without ``at``: since the night from which on the
    rate is worse, if it is; or else the last seven days; or where all are within these, the last day. The comparisons
    keep ``alpha`` when ``at`` is given beforehand; found from the same trials, they are a hint where to look.
    """
    told = []
    for scenario, own in by_what_was_frozen(runs[runs["began"].notna()]).groupby("scenario", observed=True):
        last = own.iloc[-1]
        same = own[(own["sha256"] == last["sha256"]) & (own["autonomy"] == last["autonomy"])]
        when, why = (at, "as asked") if at is not None else moved_at(same)
        moment = pd.Timestamp(when)
        moment = moment.tz_localize("UTC") if moment.tzinfo is None else moment
        before, after = _counts(same[same["began"] < moment]), _counts(same[same["began"] >= moment])
        told.append(Told(str(scenario), moment.to_pydatetime(), why, drift(before, after, alpha)))
    return tuple(told)


def moved_at(runs: pd.DataFrame) -> tuple[datetime, str]:
    """When the rate most likely moved, and how that is known."""
    evidence = units(runs)
    days = evidence.groupby(evidence["began"].dt.floor("D"))["passed"].agg(["sum", "count"])
    nights = [Night(int(day["sum"]), int(day["count"] - day["sum"])) for _, day in days.iterrows()][-NIGHTS:]
    alarm = worse_than_before(nights)
    if alarm is not None:
        return days.index[-len(nights) :][alarm.since - 1].to_pydatetime(), "since then the rate is worse"
    first, last = runs["began"].min().floor("D"), runs["began"].max().floor("D")
    if last - first >= RECENT:
        return (last - RECENT + timedelta(days=1)).to_pydatetime(), "the last seven days"
    return last.to_pydatetime(), "the last day"


def _counts(runs: pd.DataFrame) -> dict[tuple[bool, bool], Counts]:
    counts = {}
    for (site, decisions), own in runs.groupby(["site_is", "decisions_are"]):
        evidence = units(own)
        if len(evidence):
            counts[site == "live", decisions == "live"] = Counts(int(evidence["passed"].sum()), len(evidence))
    return counts
