"""What changes when decisions are made anew: recorded answers against live ones, question by question."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd  # type: ignore[import-untyped]

from sopbench.charts.data import listing, or_nothing
from sopbench.charts.showing import CLEAN, FAINT, LINES, SILENT, Words, drawing, legend_above, rows_high, shares
from sopbench.reliability.answers import counted, percent
from sopbench.reliability.intervals import clopper_pearson

if TYPE_CHECKING:
    from sopbench.charts.showing import Shown
    from sopbench.records.frames import RunFrames

MOST_ROWS = 40
MOST_CHANGES = 30
LONGEST_COMPARED = 60
"""Characters; longer texts within an answer are worded anew each time, and are not compared."""
RECORDED, ANEW = "recorded", "anew"


def paired(frames: RunFrames) -> pd.DataFrame:
    """One row per question that was answered both ways: node, question, recorded, anew, asked_anew, same.

    ``recorded`` and ``anew`` are what was answered most often from a cassette and live; ``same`` is the share of the
    live answers that are the recorded one. A question is the same when all that the model was shown is.
    """
    calls = frames.model_calls
    calls = calls[(calls["error"] == "") & (calls["question_id"] != "")]
    told = pd.DataFrame(
        {
            "node": calls["node"].astype(str),
            "purpose": calls["purpose"].astype(str),
            "question_id": calls["question_id"].astype(str),
            "question": calls["question"].astype(str),
            "answer": [_chosen(answer) for answer in calls["answer"]],
            "way": np.where(calls["replayed"], RECORDED, ANEW),
        }
    )
    rows = []
    for (node, question_id), own in told.groupby(["node", "question_id"], sort=False):
        recorded, anew = (own.loc[own["way"] == way, "answer"] for way in (RECORDED, ANEW))
        if recorded.empty or anew.empty:
            continue
        usual = recorded.mode().iloc[0]
        rows.append(
            {
                "node": node,
                "purpose": own["purpose"].iloc[0],
                "question_id": question_id,
                "question": own["question"].iloc[0],
                "recorded": usual,
                "anew": anew.mode().iloc[0],
                "asked_anew": len(anew),
                "same": float((anew == usual).mean()),
            }
        )
    names = ["node", "purpose", "question_id", "question", "recorded", "anew", "asked_anew", "same"]
    return pd.DataFrame(rows, columns=names)


@or_nothing
def summary(frames: RunFrames) -> Shown:
    """How many questions were asked both ways, and how many got another answer."""
    calls = frames.model_calls
    if calls.empty:
        return Words("No model was asked in these runs.")
    live = int((~calls["replayed"]).sum())
    pairs = paired(frames)
    text = f"{counted(len(calls), 'question')} to models, {live:,} of them live, {len(calls) - live:,} from cassettes. "
    if pairs.empty:
        return Words(
            f"{text}None was asked both ways, so nothing can be compared yet. Record the cassettes anew (`pytest --llm"
            " record`) or run with `--llm live`, and make this report again."
        )
    changed = int((pairs["same"] < 1).sum())
    low, high = clopper_pearson(changed, len(pairs))
    share = f"{percent(changed / len(pairs))}, 95 % interval {low * 100:.0f} to {high * 100:.0f} %"
    return Words(f"{text}{counted(len(pairs), 'question')} asked both ways: {changed} got another answer ({share}).")


@or_nothing
def by_node(frames: RunFrames) -> Shown:
    """For each node: how many of its questions kept their answer."""
    pairs = paired(frames)
    if pairs.empty:
        return Words("There is nothing to compare.")
    nodes = pairs.groupby("node")["same"].agg(asked="size", kept=lambda same: int((same == 1).sum()))
    nodes = nodes.assign(share=nodes["kept"] / nodes["asked"]).sort_values("share").head(MOST_ROWS)
    with drawing(rows_high(len(nodes)), "Share of questions that kept their answer, by node") as ((axes,), made):
        for row, node in enumerate(nodes.itertuples()):
            low, high = clopper_pearson(int(node.kept), int(node.asked))
            axes.plot([low, high], [row, row], color=CLEAN, linewidth=2)
            axes.plot(node.share, row, "o", color=CLEAN if node.share == 1 else SILENT)
            axes.annotate(f"{node.kept}/{node.asked}", (1.01, row), xycoords=("axes fraction", "data"), va="center")
        axes.set_yticks(range(len(nodes)), list(nodes.index))
        axes.set_ylim(len(nodes) - 0.5, -0.5)
        axes.set_xlabel("questions with the recorded answer")
        shares(axes)
    return made[0]


@or_nothing
def changes(frames: RunFrames) -> Shown:
    """The questions that got another answer, the most different first."""
    pairs = paired(frames)
    changed = pairs[pairs["same"] < 1].sort_values(["same", "node"]).head(MOST_CHANGES)
    rows: list[tuple[object, ...]] = [
        (
            each.node,
            _short(each.question),
            _short(each.recorded),
            _short(each.anew) if each.anew != each.recorded else f"{_short(each.anew)}, mostly",
            f"{each.same * 100:.0f} % of {each.asked_anew}",
        )
        for each in changed.itertuples()
    ]
    empty = "No question that was asked both ways got another answer." if len(pairs) else "There is nothing to compare."
    return listing("Node|Question|Recorded|Anew|As recorded", rows, "As recorded", empty)


@or_nothing
def branches(frames: RunFrames) -> Shown:
    """Which way each decision went, in trials with recorded answers and in those with live ones."""
    decisions = frames.decisions.merge(frames.runs[["run", "llm", "verdict"]].astype({"run": "object"}), on="run")
    decisions = decisions[(decisions["verdict"] != "broken") & decisions["by"].isin(["model", "unsure"])]
    if decisions.empty:
        return Words("No decision was left to a model.")
    way = np.where(decisions["llm"] == "replay", RECORDED, ANEW)
    table = pd.crosstab([decisions["node"].astype(str), way], decisions["branch"].astype(str), normalize="index")
    sizes = pd.Series(way, index=decisions["node"].astype(str)).groupby(level=0).value_counts()
    rows = sorted(table.index, key=lambda row: (row[0], row[1] != RECORDED))[:MOST_ROWS]
    with drawing(rows_high(len(rows)), "Branches of decisions, recorded and live") as ((axes,), made):
        left = np.zeros(len(rows))
        for branch, colour in zip(table.columns, LINES, strict=False):
            own = table.loc[rows, branch].to_numpy()
            axes.barh(range(len(rows)), own, left=left, color=colour, label=branch, height=0.7)
            left += own
        for row, (node, kind) in enumerate(rows):
            axes.annotate(
                f"{sizes[node, kind]:,}", (1.01, row), xycoords=("axes fraction", "data"), va="center", color=FAINT
            )
        axes.set_yticks(range(len(rows)), [f"{node}, {kind}" for node, kind in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.grid(visible=False)
        shares(axes)
        legend_above(axes)
    return made[0]


@or_nothing
def by_model(frames: RunFrames) -> Shown:
    """Who answered, how fast, with how many words; recorded and live."""
    calls = frames.model_calls
    rows: list[tuple[object, ...]] = []
    for (model, replayed), own in calls.groupby(["model", "replayed"], observed=True):
        failed = int((own["error"] != "").sum())
        rows.append(
            (
                model or "not known",
                RECORDED if replayed else "live",
                f"{len(own):,}",
                f"{failed:,}",
                f"{own['input_tokens'].mean():,.0f}",
                f"{own['output_tokens'].mean():,.0f}",
                "" if replayed else f"{own['duration_s'].median():.1f} s",
            )
        )
    columns = "Model|Answers|Calls|Without an answer|Tokens in, mean|Tokens out, mean|Median time"
    return listing(
        columns, rows, "Calls|Without an answer|Tokens in, mean|Tokens out, mean|Median time", "No model was asked."
    )


def _chosen(answer: str) -> str:
    """What was answered, without the reasons and texts that a model words anew each time."""
    try:
        told = json.loads(answer)
    except json.JSONDecodeError:
        return answer
    if not isinstance(told, dict):
        return answer
    for name in ("choice", "answer"):
        if name in told:
            return str(told[name])
    short = {name: value for name, value in told.items() if len(str(value)) <= LONGEST_COMPARED}
    return json.dumps(short, ensure_ascii=False) if short else answer


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"
