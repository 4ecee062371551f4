"""What runs cost in calls of models: per run, by day, and where in the procedure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd  # type: ignore[import-untyped]

from sopbench.charts.data import listing, or_nothing
from sopbench.charts.showing import CLEAN, FAINT, LINES, Words, days_along, drawing, legend_above, rows_high
from sopbench.reliability.answers import counted
from sopbench.reliability.durations import typical

if TYPE_CHECKING:
    from sopbench.charts.showing import Shown
    from sopbench.records.frames import RunFrames

MOST_NODES = 15
MOST_SAMPLE = 20_000
"""Of more runs than these, a bootstrap takes so many drawn evenly."""


@or_nothing
def per_run(frames: RunFrames) -> Shown:
    """What a run costs: the median with its interval, and the 95th percentile; where prices are known."""
    rows: list[tuple[object, ...]] = []
    for scenario, own in frames.runs.groupby("scenario", observed=True):
        evidence = own[own["verdict"] != "broken"]
        if evidence.empty:
            continue
        priced = evidence["cost_usd"].dropna()
        passed = int((evidence["verdict"] == "passed").sum())
        usual = typical(_sample(priced)) if len(priced) == len(evidence) else None
        cost = f"{_usd(usual.median)} ({_usd(usual.median_low)} – {_usd(usual.median_high)})" if usual else "not known"
        rows.append(
            (
                scenario,
                f"{len(evidence):,}",
                f"{evidence['model_calls'].mean():.1f}",
                f"{evidence['input_tokens'].mean():,.0f}",
                f"{evidence['output_tokens'].mean():,.0f}",
                cost,
                _usd(usual.p95) if usual else "not known",
                _usd(float(priced.sum()) / passed) if usual and passed else "not known",
                f"{len(evidence) - len(priced):,}",
            )
        )
    columns = (
        "Scenario|Runs|Calls a run|Tokens in|Tokens out|Median cost (95 % interval)|p95|Per passed run|Price not known"
    )
    return listing(columns, rows, columns.split("|", 1)[1], "Every trial broke.")


@or_nothing
def what_it_means(frames: RunFrames) -> Shown:
    """What the figures are of: recorded answers cost nothing when replayed."""
    runs = frames.runs
    replayed = int((runs["llm"] == "replay").sum())
    unknown = int(runs["cost_usd"].isna().sum())
    text = f"{counted(replayed, 'run')} of {len(runs):,} took their answers from cassettes."
    if replayed:
        text += " Their cost is what live answers of that size cost; nothing was paid for them again."
    if unknown:
        text += (
            f" Of {counted(unknown, 'run')} the price is not known, because a model has none on the list. Where that is"
            " so for any run of a scenario, its cost is not told; tokens always are."
        )
    return Words(text)


@or_nothing
def by_day(frames: RunFrames) -> Shown:
    """Cost and tokens of each day."""
    days = frames.days.groupby("day", observed=True)[
        ["cost_usd", "input_tokens", "output_tokens", "cost_unknown", "trials"]
    ].sum()
    if days.empty or not days[["input_tokens", "output_tokens"]].to_numpy().sum():
        return Words("No model was asked in these runs.")
    when = days.index.tz_localize(None)
    with drawing(2.7, "Cost and tokens by day", columns=2) as ((cost, tokens), made):
        priced = days["cost_unknown"] < days["trials"]
        cost.bar(when[priced], days.loc[priced, "cost_usd"], color=CLEAN, width=0.8)
        cost.set_title("US dollars, where the price is known" if priced.any() else "no price is known")
        tokens.bar(when, days["input_tokens"], color=LINES[0], width=0.8, label="in")
        tokens.bar(when, days["output_tokens"], bottom=days["input_tokens"], color=LINES[1], width=0.8, label="out")
        tokens.set_title("tokens")
        tokens.legend(loc="upper left", bbox_to_anchor=(0, -0.14), fontsize=7, ncols=2)
        tokens.yaxis.set_major_formatter(lambda number, _: f"{number:,.0f}")
        for axes in (cost, tokens):
            if len(days) == 1:
                axes.set_xlim(when[0] - pd.Timedelta(days=3), when[0] + pd.Timedelta(days=3))
            days_along(axes)
    return made[0]


@or_nothing
def by_node(frames: RunFrames) -> Shown:
    """Where the tokens go: the nodes that use most, in tokens a run."""
    calls = frames.model_calls
    if calls.empty:
        return Words("No model was asked in these runs.")
    runs = frames.runs.groupby("scenario", observed=True).size()
    used = (
        calls.groupby(["scenario", "node", "purpose"], observed=True)[["input_tokens", "output_tokens"]]
        .sum()
        .reset_index()
    )
    each = used["scenario"].map(runs).astype(float)
    used["in_a_run"], used["out_a_run"] = used["input_tokens"] / each, used["output_tokens"] / each
    worst = used.assign(both=used["in_a_run"] + used["out_a_run"]).sort_values("both", ascending=False).head(MOST_NODES)
    many = worst["scenario"].nunique() > 1
    names = [
        f"{row.node or 'no node'}, {row.purpose}" + (f" · {row.scenario}" if many else "") for row in worst.itertuples()
    ]
    with drawing(rows_high(len(worst)), "Tokens a run, by node") as ((axes,), made):
        at = np.arange(len(worst))
        axes.barh(at, worst["in_a_run"], color=LINES[0], label="in", height=0.7)
        axes.barh(at, worst["out_a_run"], left=worst["in_a_run"], color=LINES[1], label="out", height=0.7)
        for row, both in enumerate(worst["both"]):
            axes.annotate(f"  {both:,.0f}", (both, row), va="center", size=8, color=FAINT)
        axes.set_yticks(at, names)
        axes.invert_yaxis()
        axes.set_xlabel("tokens a run")
        axes.margins(x=0.12)
        legend_above(axes)
    return made[0]


@or_nothing
def by_verdict(frames: RunFrames) -> Shown:
    """What failures cost, against what passes."""
    runs = frames.runs[frames.runs["verdict"] != "broken"]
    rows: list[tuple[object, ...]] = []
    for (scenario, verdict), own in runs.groupby(["scenario", "verdict"], observed=True):
        priced = own["cost_usd"].dropna()
        rows.append(
            (
                scenario,
                verdict,
                f"{len(own):,}",
                f"{own['model_calls'].mean():.1f}",
                f"{(own['input_tokens'] + own['output_tokens']).mean():,.0f}",
                _usd(float(priced.mean())) if len(priced) == len(own) else "not known",
                f"{own['duration_s'].median():.1f} s",
            )
        )
    columns = "Scenario|Verdict|Runs|Calls a run|Tokens a run|Cost, mean|Duration, median"
    return listing(columns, rows, "Runs|Calls a run|Tokens a run|Cost, mean|Duration, median")


def _sample(values: pd.Series) -> list[float]:
    """All of them, or as many as a bootstrap can take, drawn with a fixed seed."""
    chosen = values if len(values) <= MOST_SAMPLE else values.sample(MOST_SAMPLE, random_state=0)
    return [float(value) for value in chosen]


def _usd(cost: float) -> str:
    return f"${cost:.2f}" if cost >= 1 or cost == 0 else f"${cost:.2g}"
