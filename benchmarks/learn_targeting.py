"""Learn the weights of `sopbench.targeting`, and what they are worth on sites they have not seen.

usage: python benchmarks/learn_targeting.py [--train FILE]      writes sopbench/targeting/weights.json

**Weights.** Conditional logit: the candidates of a page compete, and the chance of one is the exponential of its points
over the sum for all (softmax). The weights maximise the chance that one of the right candidates wins, summed over the
pairs, each site counting with the square root of its pairs, so that one site with many does not decide. There are
only fourteen, none below zero, and each is drawn (ridge) towards `PRIOR`, which is set by reasoning, not by the data:
what the makers of a page name an element by, its words and its address tell most, then its surroundings, then kind,
classes, path and landmarks, then geometry. Columns that the data lacks share weights (`weights.SHARED`).

**Sureness.** Logistic regression, lightly ridged, on `scoring.features`, over every pair twice: as it is (right if
the top candidate is right), and with the meant element taken off the page, with all that lies in it and the wrappers
that say the same (always wrong). The removed ones count a quarter: assumed that one missing target in five is gone
for good.

**Cross-validation.** Leave one site out. For the site left out, weights come from the other sites only. The sureness
comes from the other sites only as well, and there from points by weights that have not seen the site they are for (a
second leave-one-out inside the first). What is not nested: the measures, `PRIOR` and the bar for reading were chosen
with all of these sites in view.

Deterministic: no random numbers.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize  # type: ignore[import-untyped]
from similo_data import Json, Page, Pair, read

from sopbench.targeting.comparing import Comparison, compare
from sopbench.targeting.scoring import Ranking, rare, weigh
from sopbench.targeting.similarity import PROOF, Column
from sopbench.targeting.weights import SHARED, Weights

ROOT = Path(__file__).resolve().parent.parent
TRAIN = ROOT.parent / "shared" / "data" / "similo" / "train.jsonl.gz"
SHIPPED_FILE = ROOT / "sopbench" / "targeting" / "weights.json"

PRIOR = Weights(
    plain={
        "key": 4, "wording": 4, "href": 4, "around": 3, "kind": 2, "classes": 2, "path": 2, "landmarks": 2,
        "place": 1.5, "area": 1.5, "shape": 1.5,
    },
    rare={"key": 3, "wording": 2, "href": 2},
    sureness=(0, 0, 0, 0),
)  # fmt: skip
PULL = 0.003
"""Of the ridge towards `PRIOR`, per squared point."""
SURENESS_PULL = 0.002
REMOVED_SHARE = 0.25
"""What a removed example counts, beside one whose element is there."""


@dataclass(frozen=True)
class Case:
    """A pair, compared at with the meant element on the page and without it."""

    pair: Pair
    there: Comparison
    gone: Comparison
    design: Column
    """Candidates × weights: a candidate's points are its row times the weights."""
    right: NDArray[np.bool_]


def cases(pages: Sequence[Page]) -> list[Case]:
    """Every pair of every site."""
    return [_case(page, pair) for page in pages for pair in page.pairs]


def _case(page: Page, pair: Pair) -> Case:
    there = compare(pair.old, page.candidates)
    left = without(page, pair)
    return Case(
        pair,
        there,
        compare(pair.old, left),
        _design(there),
        np.array([number in pair.right for number in there.numbers]),
    )


def without(page: Page, pair: Pair) -> list[Json]:
    """The page after its makers took the meant element off: with what is in it, and the wrappers that say the same."""
    says = next((each.get("text") for each in page.candidates if each["path"] == pair.meant), None)
    return [
        each
        for number, each in enumerate(page.candidates)
        if number not in pair.right
        and not each["path"].startswith(pair.meant + "/")
        and not (says and pair.meant.startswith(each["path"] + "/") and each.get("text") == says)
    ]


def _design(compared: Comparison) -> Column:
    names, rares = list(PRIOR.plain), list(PRIOR.rare)
    design = np.zeros((len(compared.numbers), len(names) + len(rares)))
    for column, values in compared.columns.items():
        if column in PROOF:
            continue
        name = SHARED.get(column, column)
        design[:, names.index(name)] += values
        if name in rares:
            design[:, len(names) + rares.index(name)] += rare(values)
    return design


def learn_points(of: Sequence[Case]) -> Weights:
    """Fit the weights of the columns; `sureness` is left at nothing."""
    seen = [case for case in of if case.right.any()]
    pairs = Counter(case.pair.site for case in seen)
    share = np.array([pairs[case.pair.site] ** -0.5 for case in seen])
    share /= share.sum()
    prior = np.array([*PRIOR.plain.values(), *PRIOR.rare.values()])

    def loss(weights: Column) -> tuple[float, Column]:
        total, slope = PULL * ((weights - prior) ** 2).sum(), 2 * PULL * (weights - prior)
        for case, counts in zip(seen, share, strict=True):
            points = case.design @ weights
            chance = np.exp(points - points.max())
            chance /= chance.sum()
            right = np.where(case.right, chance, 0.0)
            total -= counts * np.log(right.sum())
            slope -= counts * (right / right.sum() - chance) @ case.design
        return total, slope

    found = minimize(loss, prior, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(prior)).x.tolist()
    return Weights(
        plain=dict(zip(PRIOR.plain, found[: len(PRIOR.plain)], strict=True)),
        rare=dict(zip(PRIOR.rare, found[len(PRIOR.plain) :], strict=True)),
        sureness=PRIOR.sureness,
    )


def learn_sureness(of: Iterable[tuple[Case, Weights]], points: Weights) -> Weights:
    """Fit the probability on cases, each judged by weights that have not seen it; returned with `points`."""
    rows, right, counts = [], [], []
    for case, weights in of:
        there, gone = weigh(case.there, weights), weigh(case.gone, weights)
        rows += [there.features, gone.features]
        right += [is_right(there, case.pair), False]
        counts += [1.0, REMOVED_SHARE]
    x, y, share = np.array(rows), np.array(right), np.array(counts) / sum(counts)
    pull = SURENESS_PULL * np.array([0.0, 1.0, 1.0, 1.0])

    def loss(b: Column) -> tuple[float, Column]:
        z = x @ b
        total = (share * np.logaddexp(0, np.where(y, -z, z))).sum() + (pull * b**2).sum()
        return total, x.T @ (share * (1 / (1 + np.exp(-z)) - y)) + 2 * pull * b

    found = minimize(loss, np.zeros(4), jac=True, method="BFGS").x
    return points.model_copy(update={"sureness": tuple(found.tolist())})


def is_right(ranking: Ranking, pair: Pair) -> bool:
    return bool(ranking.entries) and ranking.entries[0].number in pair.right


class Learner:
    """Learns without certain sites; what was learnt is kept."""

    def __init__(self, of: Sequence[Case]) -> None:
        self._cases = of
        self._points: dict[frozenset[str], Weights] = {}

    def without(self, *sites: str) -> Weights:
        """Weights and sureness that have seen nothing of these sites."""
        rest = [case for case in self._cases if case.pair.site not in sites]
        unseen = [(case, self._points_without(*sites, case.pair.site)) for case in rest]
        return learn_sureness(unseen, self._points_without(*sites))

    def _points_without(self, *sites: str) -> Weights:
        left_out = frozenset(sites)
        if left_out not in self._points:
            self._points[left_out] = learn_points([each for each in self._cases if each.pair.site not in left_out])
        return self._points[left_out]


def main() -> None:
    """Learn from all sites and write what is shipped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=Path, default=TRAIN)
    learnt = Learner(cases(read(parser.parse_args().train))).without()
    SHIPPED_FILE.write_text(json.dumps(_rounded(learnt.model_dump()), indent=2) + "\n", encoding="utf-8")
    print(SHIPPED_FILE.read_text(encoding="utf-8"))


def _rounded(value: object) -> object:
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    return round(float(str(value)), 3)


if __name__ == "__main__":
    main()
