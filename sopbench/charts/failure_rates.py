"""How often it fails: under which condition, of what, where in the procedure; over time, and k times in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd  # type: ignore[import-untyped]

from sopbench.charts.data import listing, or_nothing
from sopbench.charts.showing import (
    CLEAN,
    FAINT,
    LINES,
    RECOVERED,
    SILENT,
    VERDICTS,
    Words,
    days_along,
    drawing,
    legend_above,
    rows_high,
    shares,
    upright,
    whole,
)
from sopbench.records.evidence import alike, units, versions
from sopbench.reliability.answers import percent
from sopbench.reliability.confidence_sequence import confidence_sequence
from sopbench.reliability.intervals import clopper_pearson
from sopbench.reliability.passk import pass_k_of_cases, pass_k_of_one
from sopbench.trials.drifting import drifts

if TYPE_CHECKING:
    from collections.abc import Hashable

    from matplotlib.axes import Axes

    from sopbench.charts.showing import Shown
    from sopbench.records.frames import RunFrames

MOST_ROWS = 60
MOST_NODES = 15
MOST_SCENARIOS = 6
MOST_CURVES = 8
MOST_BANDS = 2
"""With more curves the intervals stand at their ends, beside each other."""
LONGEST_ROW = 25
"""The most trials in a row that a curve tells of."""


@or_nothing
def by_condition(frames: RunFrames) -> Shown:
    """The rate of each scenario under each condition with its interval, and what became of the trials."""
    runs = alike(frames.runs).runs
    evidence = units(runs)
    if evidence.empty:
        return Words("Every trial broke: there is no rate.")
    groups = _worst_first(evidence)
    labels = [f"{scenario} · {condition}" for scenario, condition in groups]
    says = f"Rates of {len(groups)} scenarios and conditions, each with a 95 % interval"
    lowest = 1.0
    with drawing(rows_high(len(groups)), says, columns=2, ratios=(1, 1)) as ((rates, mix), made):
        for row, group in enumerate(groups):
            own = evidence[(evidence["scenario"] == group[0]) & (evidence["condition"] == group[1])]
            passed, trials = int(own["passed"].sum()), len(own)
            low, high = clopper_pearson(passed, trials)
            rates.plot([low, high], [row, row], color=CLEAN, linewidth=2, solid_capstyle="round")
            rates.plot(passed / trials, row, "o", color=CLEAN, label="passed" if not row else "")
            clean = float(own["clean"].mean())
            lowest = min(lowest, low, clean)
            rates.plot(clean, row, "o", mfc="white", mec=CLEAN, ms=4, label="passed clean" if not row else "")
            rates.annotate(f"{passed}/{trials}", (1.01, row), xycoords=("axes fraction", "data"), va="center", size=8)
        rates.set_yticks(range(len(groups)), labels)
        rates.set_ylim(len(groups) - 0.5, -0.5)
        shares(rates, low=max(0.0, lowest - 0.05))
        legend_above(rates)
        _verdict_bars(mix, runs, groups)
    return made[0]


def _verdict_bars(axes: Axes, runs: pd.DataFrame, groups: list[tuple[str, str]]) -> None:
    counted = runs.groupby(["scenario", "condition", "verdict"], observed=True).size().unstack(fill_value=0)
    left = np.zeros(len(groups))
    for verdict, colour in VERDICTS.items():
        if verdict not in counted.columns:
            continue
        numbers = np.array([counted.loc[group, verdict] for group in groups], dtype=float)
        totals = np.array([counted.loc[[group]].to_numpy().sum() for group in groups], dtype=float)
        axes.barh(range(len(groups)), numbers / totals, left=left, color=colour, label=_plain(verdict), height=0.7)
        left += numbers / totals
    axes.set_yticks([])
    axes.set_ylim(len(groups) - 0.5, -0.5)
    axes.grid(visible=False)
    shares(axes)
    legend_above(axes, fontsize=7.5, columnspacing=1.0, handlelength=1.0)


def _worst_first(evidence: pd.DataFrame) -> list[tuple[str, str]]:
    rates = evidence.groupby(["scenario", "condition"])["passed"].mean().reset_index()
    ordered = rates.sort_values(["scenario", "passed", "condition"])
    return [(row.scenario, row.condition) for row in ordered.itertuples()][:MOST_ROWS]


@or_nothing
def with_broken(frames: RunFrames) -> Shown:
    """The rate with broken trials left out, and with them counted as failures."""
    runs = alike(frames.runs).runs
    rows: list[tuple[object, ...]] = []
    for scenario, own in runs.groupby("scenario", observed=True):
        evidence = units(own)
        broken = int((own["verdict"] == "broken").sum())
        passed, trials = int(evidence["passed"].sum()), len(evidence)
        silent = int((own["verdict"] == "failed_silent").sum())
        rate = f"{percent(passed / trials)} of {trials:,}" if trials else "no evidence"
        worst = percent(passed / (trials + broken)) if trials + broken else "–"
        rows.append((scenario, f"{len(own):,}", rate, broken, worst, silent))
    columns = "Scenario|Runs|Passed, of independent trials|Broken|Passed, if broken ones failed|Silent failures"
    return listing(columns, rows, "Runs|Broken|Silent failures")


@or_nothing
def by_cause(frames: RunFrames) -> Shown:
    """What the trials that did not pass clean came of."""
    runs = alike(frames.runs).runs
    troubled = runs[(runs["verdict"] != "broken") & (runs["grade"] != "clean")]
    if troubled.empty:
        return Words("Every trial that gave evidence passed clean: there is no cause to name.")
    cause = troubled["cause"].astype(str).replace("", "not known")
    kind = np.where(
        troubled["verdict"] == "passed",
        "passed, recovered",
        np.where(troubled["verdict"] == "failed_silent", "failed silently", "failed"),
    )
    table = pd.crosstab(cause, kind).astype(float)
    table = table.loc[table.sum(axis=1).sort_values(ascending=False).index]
    colours = {"passed, recovered": RECOVERED, "failed": LINES[1], "failed silently": SILENT}
    with drawing(rows_high(len(table)), f"Causes of {len(troubled)} trials that did not pass clean") as ((axes,), made):
        left = np.zeros(len(table))
        for name, colour in colours.items():
            if name in table.columns:
                axes.barh(table.index, table[name], left=left, color=colour, label=name, height=0.7)
                left += table[name].to_numpy()
        axes.invert_yaxis()
        axes.set_xlabel("trials")
        whole(axes.xaxis)
        legend_above(axes)
    return made[0]


@or_nothing
def by_node(frames: RunFrames) -> Shown:
    """The steps that fail, or need more than one attempt, most often; per hundred visits, of the last versions."""
    of_versions = [frames.nodes_of(sha256) for sha256 in versions(frames.runs).values()]
    nodes = pd.concat(of_versions) if of_versions else frames.nodes
    summed = nodes.groupby(["scenario", "node", "label"], observed=True)[
        ["visits", "failed", "retried", "healed"]
    ].sum()
    summed = summed.reset_index()
    summed["trouble"] = summed["failed"] + summed["retried"] + summed["healed"]
    worst = summed[summed["trouble"] > 0].sort_values("trouble", ascending=False).head(MOST_NODES)
    worst = worst.loc[(worst["trouble"] / worst["visits"]).sort_values(ascending=False).index]
    if worst.empty:
        return Words(f"None of {int(summed['visits'].sum()):,} steps failed, was retried or healed.")
    many = worst["scenario"].nunique() > 1
    names = [f"{row.label or row.node}" + (f" · {row.scenario}" if many else "") for row in worst.itertuples()]
    with drawing(rows_high(len(worst)), "The nodes with the most trouble") as ((axes,), made):
        left = np.zeros(len(worst))
        for column, colour in (("failed", LINES[1]), ("retried", "#e0a83a"), ("healed", LINES[5])):
            share = (worst[column] / worst["visits"] * 100).to_numpy(dtype=float)
            axes.barh(range(len(worst)), share, left=left, color=colour, label=column, height=0.7)
            left += share
        for row, visits in enumerate(worst["visits"]):
            axes.annotate(f"  {visits:,} visits", (left[row], row), va="center", size=8, color=FAINT)
        axes.set_yticks(range(len(worst)), names)
        axes.invert_yaxis()
        axes.set_xlabel("of 100 visits")
        axes.margins(x=0.15)
        legend_above(axes)
    return made[0]


@or_nothing
def by_tier(frames: RunFrames) -> Shown:
    """How steps got done: by how many steps, in how many trials."""
    runs = alike(frames.runs).runs
    runs = runs[runs["verdict"] != "broken"]
    total = int(runs["steps"].sum())
    rows: list[tuple[object, ...]] = []
    for tier in ("retried", "healed", "alternative", "explored", "assisted"):
        steps = runs[f"steps_{tier}"]
        share = f"{steps.sum() / total * 100:.3g} %" if total else "–"
        rows.append((tier, f"{int(steps.sum()):,}", share, f"{int((steps > 0).sum()):,} of {len(runs):,}"))
    return listing("Tier|Steps|Of all steps|In trials", rows, "Steps|Of all steps|In trials")


@or_nothing
def over_time(frames: RunFrames) -> Shown:
    """Day by day, with an interval for each day, and one for all days so far that may be looked at every day."""
    same = alike(frames.runs, ("sop", "site", "llm", "autonomy")).runs
    same = same[same["began"].notna()]
    scenarios = [str(each) for each in same["scenario"].unique()]
    told = [scenario for scenario in scenarios if len(units(same[same["scenario"] == scenario]))]
    if not told:
        return Words("No trial that gave evidence has a known beginning.")
    shown = told[:MOST_SCENARIOS]
    with drawing(2.2 * len(shown), "Rates by day", rows=len(shown)) as (all_axes, made):
        for axes, scenario in zip(all_axes, shown, strict=True):
            own = same[same["scenario"] == scenario]
            evidence = units(own)
            days = evidence.groupby(evidence["began"].dt.floor("D"))["passed"].agg(["sum", "count"])
            _days(axes, days)
            for changed in _changes(own):
                axes.axvline(changed, color=FAINT, linestyle=":", linewidth=1)
            axes.set_title(f"{scenario}, all conditions{', one day only' if len(days) == 1 else ''}")
            if axes is all_axes[0]:
                axes.legend(loc="lower left", bbox_to_anchor=(0.6, 1.0), fontsize=7.5, ncols=2, borderaxespad=0.2)
    return made[0]


def _days(axes: Axes, days: pd.DataFrame) -> None:
    bounds = [clopper_pearson(int(day["sum"]), int(day["count"])) for _, day in days.iterrows()]
    rates = (days["sum"] / days["count"]).to_numpy(dtype=float)
    low, high = (np.array(each) for each in zip(*bounds, strict=True))
    together = days.cumsum()
    band = [confidence_sequence(int(day["sum"]), int(day["count"])) for _, day in together.iterrows()]
    when = days.index.tz_localize(None)
    axes.errorbar(
        when,
        rates,
        yerr=[rates - low, high - rates],
        fmt="o",
        ms=4,
        color=CLEAN,
        elinewidth=1,
        label="the day's trials",
    )
    if len(days) > 1:
        bottom, top = zip(*band, strict=True)
        axes.fill_between(when, bottom, top, color=LINES[0], alpha=0.12, label="all days so far", linewidth=0)
    else:
        axes.set_xlim(when[0] - pd.Timedelta(days=3), when[0] + pd.Timedelta(days=3))
    axes.set_ylim(max(0.0, min(low.min(), rates.min()) - 0.05), 1.02)
    upright(axes)
    days_along(axes)


def _changes(runs: pd.DataFrame) -> list[pd.Timestamp]:
    """When the document became another version."""
    versions = runs[runs["sha256"] != ""]
    changed = versions["sha256"].astype(str) != versions["sha256"].astype(str).shift()
    return [moment.tz_localize(None) for moment in versions.loc[changed, "began"].iloc[1:]]


@or_nothing
def in_a_row(frames: RunFrames) -> Shown:
    """pass^k: the chance that k trials in a row all pass, with its 95 % interval."""
    evidence = units(alike(frames.runs).runs)
    sizes = evidence.groupby(["scenario", "condition"]).size().sort_values(ascending=False)
    chosen = [group for group, number in sizes.items() if number >= 2][:MOST_CURVES]
    if not chosen:
        return Words("No scenario has two independent trials under one condition: there is no pass^k beyond k = 1.")
    with drawing(3.2, "pass^k of the scenarios and conditions with the most trials") as ((axes,), made):
        for place, ((scenario, condition), colour) in enumerate(zip(chosen, LINES, strict=False)):
            own = evidence[(evidence["scenario"] == scenario) & (evidence["condition"] == condition)]
            ks, middle, low, high = _curve(own)
            axes.plot(ks, middle, "o-", ms=3, color=colour, label=f"{scenario} · {condition} ({len(own)})")
            if len(chosen) <= MOST_BANDS:
                axes.fill_between(ks, low, high, color=colour, alpha=0.1, linewidth=0)
            else:
                axes.plot([ks[-1] + 0.25 * (place + 1)] * 2, [low[-1], high[-1]], color=colour, linewidth=1.5)
        axes.set_xlabel("k: trials in a row")
        axes.set_ylim(0, 1.03)
        whole(axes.xaxis)
        upright(axes)
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=7)
    return made[0]


def _curve(own: pd.DataFrame) -> tuple[list[int], list[float], list[float], list[float]]:
    counts = [(int(case["passed"].sum()), len(case)) for _, case in own.groupby("case")]
    longest = min(LONGEST_ROW, *(trials for _, trials in counts))
    ks = list(range(1, longest + 1))
    found = [pass_k_of_one(*counts[0], k) if len(counts) == 1 else pass_k_of_cases(counts, k) for k in ks]
    return ks, [each.value for each in found], [each.low for each in found], [each.high for each in found]


@or_nothing
def what_was_frozen(frames: RunFrames) -> Shown:
    """The rate by what was frozen: the site as a mock, the decisions in a cassette."""
    rows: list[tuple[object, ...]] = []
    columns = ["trials", "broken", "units", "passed"]
    table = frames.frozen.groupby(["scenario", "site_is", "decisions_are"], observed=True)[columns].sum().reset_index()
    for row in table.itertuples():
        if row.units:
            low, high = clopper_pearson(row.passed, row.units)
            told = f"{percent(row.passed / row.units)} ({low * 100:.0f} – {high * 100:.0f} %)"
        else:
            told = "no evidence"
        rows.append(
            (row.scenario, row.site_is, row.decisions_are, f"{row.trials:,}", f"{row.units:,}", told, row.broken)
        )
    heads = "Scenario|Site|Decisions|Trials|Independent|Passed, with 95 % interval|Broken"
    return listing(heads, rows, "Trials|Independent|Broken", "Of no run it is known what was frozen.")


@or_nothing
def what_moved(frames: RunFrames, at: str | None = None) -> Shown:
    """Which of the two moved when the rate moved, the site or the model, as far as the trials tell."""
    told = drifts(frames.runs, pd.Timestamp(at).to_pydatetime() if at else None)
    lines = [
        f"**{each.scenario}**, before and from {each.at:%Y-%m-%d %H:%M} UTC on ({each.why_then}): {each.drift.sentence}"
        for each in told
    ]
    return Words("\n\n".join(lines) or "Of no run it is known what was frozen.")


def _plain(verdict: Hashable) -> str:
    return str(verdict).replace("failed_", "")
