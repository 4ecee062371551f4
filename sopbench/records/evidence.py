"""Which runs may be counted together, and what of them is one independent trial.

The rules are those of the gate: of each scenario only those count that were held like its last one, broken trials are
no evidence, and trials of one case that were replayed from a cassette under one seed are one trial between them.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd  # type: ignore[import-untyped]

SETTING = ("sop", "sha256", "site", "llm", "autonomy")
"""What must be the same; an empty one is not known, and differs from none."""


@dataclass(frozen=True)
class Alike:
    """Runs that were held alike, per scenario."""

    runs: pd.DataFrame
    left_out: tuple[str, ...]
    """What is not among them, in words."""


def alike(runs: pd.DataFrame, setting: tuple[str, ...] = SETTING) -> Alike:
    """Of each scenario the runs that were held like its last one; ``runs`` as ``RunFrames`` has them."""
    kept, left_out = [], []
    for scenario, own in runs.groupby("scenario", observed=True, sort=False):
        known = own[(own["site"] != "") & (own["sha256"] != "")]
        same = pd.Series(data=True, index=own.index)
        for column in setting if len(known) else ():
            last = known[column].iloc[-1]
            differs = same & (own[column] != last) & (own[column] != "")
            if differs.any():
                left_out.append(f"{int(differs.sum()):,} of {scenario}: {_other(column, own[differs], str(last))}")
            same &= ~differs
        kept.append(own[same])
    together = pd.concat(kept).sort_index() if kept else runs
    return Alike(together, tuple(left_out))


def versions(runs: pd.DataFrame) -> dict[str, str]:
    """For each procedure the digest of its last version, by the procedure's id."""
    known = runs[runs["sha256"] != ""]
    return {str(sop): str(own["sha256"].iloc[-1]) for sop, own in known.groupby("sop", observed=True)}


def units(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per independent trial that gave evidence: scenario, condition, case, began, passed, clean.

    Runs that are not independent passed when all of them did.
    """
    evidence = runs[runs["verdict"] != "broken"]
    replayed = evidence["llm"] == "replay"
    unit = evidence["run"].astype("object").where(~replayed, "seed " + evidence["seed"].astype(str))
    rows = pd.DataFrame(
        {
            "scenario": evidence["scenario"].astype(str),
            "condition": evidence["condition"].astype(str),
            "case": evidence["case"].astype(str),
            "unit": unit,
            "began": evidence["began"],
            "passed": evidence["verdict"] == "passed",
            "clean": evidence["grade"] == "clean",
        }
    )
    grouped = rows.groupby(["scenario", "condition", "case", "unit"], sort=False)
    return grouped.agg(began=("began", "min"), passed=("passed", "all"), clean=("clean", "all")).reset_index()


def _other(column: str, own: pd.DataFrame, last: str) -> str:
    others = ", ".join(sorted({str(each)[:8] if column == "sha256" else str(each) for each in own[column]}))
    if column == "sha256":
        return f"of another version of the document ({others}; the last one is {last[:8]})"
    if column == "sop":
        return f"of another procedure ({others}; the last one is {last})"
    return f"with {column} {others}, where the last one has {last}"
