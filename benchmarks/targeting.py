"""How often the right element is found again on the next version of a real page, and how often a wrong one is taken.

usage: python benchmarks/targeting.py [--train FILE] [--json OUT]     leave-one-site-out cross-validation
       python benchmarks/targeting.py --data FILE [--json OUT]        the shipped weights elsewhere; nothing is learnt
       python benchmarks/targeting.py --speed                         time to score a page of 10,000 elements

`top1` and `top5`: share of pairs with a right candidate first, or among the first five. `coverage`: share of pairs in
which a candidate was taken, at the bar of an action that only reads. `wrong_heal_rate`: share of those taken that are
wrong. `removed_taken`: share of pairs in which something was taken although the meant element was taken off the page;
`removed_taken_alone`: the same for pages on which no other element says the same or has the same address.
The same again without the pairs of `similo_doubtful.toml`, for each higher bar, and for Similo as published (it takes
by its margin to what is not nested with the first, at the margin that gives the same coverage).
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from learn_targeting import TRAIN, Case, Learner, cases, is_right, without
from plain_similo import similo
from similo_data import Json, Page, Pair, read
from similo_data import is_right as counts_as
from targeting_speed import speed

from sopbench.sop.verbs.base import Effect
from sopbench.targeting.choosing import choose
from sopbench.targeting.scoring import weigh
from sopbench.targeting.weights import SHIPPED, Weights

DOUBTFUL = Path(__file__).with_name("similo_doubtful.toml")


@dataclass(frozen=True)
class Outcome:
    """One pair, answered."""

    pair: Pair
    first: bool
    among_five: bool
    taken: bool
    removed_taken: bool
    double_left: bool
    """Whether without the meant element another one still says the same or leads to the same address."""


@dataclass(frozen=True)
class Figures:
    """What the outcomes come to; shares from 0 to 1."""

    pairs: int
    top1: float
    top5: float
    coverage: float
    wrong_heal_rate: float
    wrong_heals: int
    removed_taken: float
    removed_taken_alone: float


def answered(case: Case, weights: Weights, effect: Effect = Effect.READ) -> Outcome:
    """What the engine would do with the pair."""
    there, gone = weigh(case.there, weights), weigh(case.gone, weights)
    return Outcome(
        case.pair,
        is_right(there, case.pair),
        any(each.number in case.pair.right for each in there.entries[:5]),
        choose(there, effect).taken is not None,
        choose(gone, effect).taken is not None,
        double_left(case),
    )


def double_left(case: Case) -> bool:
    return any(case.gone.columns[name].max() > 0.999 for name in ("wording", "href") if name in case.gone.columns)


def figures(outcomes: Sequence[Outcome]) -> Figures:
    taken = [each for each in outcomes if each.taken]
    wrong = sum(not each.first for each in taken)
    return Figures(
        pairs=len(outcomes),
        top1=_share(each.first for each in outcomes),
        top5=_share(each.among_five for each in outcomes),
        coverage=len(taken) / len(outcomes),
        wrong_heal_rate=wrong / len(taken) if taken else 0.0,
        wrong_heals=wrong,
        removed_taken=_share(each.removed_taken for each in outcomes),
        removed_taken_alone=_share(each.removed_taken for each in outcomes if not each.double_left),
    )


def published(pages: Sequence[Page], every: Sequence[Case], coverage: float) -> Figures:
    """Plain Similo, taking by its margin to the next candidate that is not nested with the first."""
    page_of = {page.site: page for page in pages}
    there = [_published(case.pair, page_of[case.pair.site].raw) for case in every]
    gone = [_published(case.pair, left(page_of[case.pair.site], case.pair)) for case in every]
    bar = np.quantile([margin for *_, margin in there], 1 - coverage)
    return figures(
        [
            Outcome(
                case.pair,
                case.pair.meant_by(best[:1]),
                case.pair.meant_by(best),
                margin >= bar,
                less >= bar,
                double_left(case),
            )
            for case, (best, margin), (_, less) in zip(every, there, gone, strict=True)
        ]
    )


def left(page: Page, pair: Pair) -> list[Json]:
    """The raw candidates of the page without the meant element."""
    paths = {each["path"] for each in without(page, pair)}
    return [each for each in page.raw if each["xpath"] in paths]


def _published(pair: Pair, raw: Sequence[Json]) -> tuple[list[str], float]:
    """Paths of the best five, and the margin of the first."""
    scores = similo(pair.raw, raw)
    order = sorted(range(len(scores)), key=lambda number: -scores[number])
    paths = [raw[number]["xpath"] for number in order]
    margin = next((scores[order[0]] - scores[at] for at in order if not counts_as(raw[at]["xpath"], paths[0])), 0.0)
    return paths[:5], margin


def doubtful(pair: Pair) -> bool:
    """Whether its label is one of those shown to be wrong."""
    listed = tomllib.loads(DOUBTFUL.read_text(encoding="utf-8"))["pair"]
    return (pair.site, pair.raw["xpath"], pair.meant) in {
        (each["site"], each["old_xpath"], each["labelled"]) for each in listed
    }


def report(pages: Sequence[Page], weights_for: Callable[[str], Weights]) -> Json:
    """All figures, per site and overall."""
    every = cases(pages)
    outcomes = [answered(case, weights_for(case.pair.site)) for case in every]
    total = figures(outcomes)
    clear = [each for each in outcomes if not doubtful(each.pair)]
    return {
        **asdict(total),
        "without_doubtful": asdict(figures(clear)),
        "bars": {
            effect.value: asdict(figures([answered(case, weights_for(case.pair.site), effect) for case in every]))
            for effect in Effect
        },
        "published_similo": asdict(published(pages, every, total.coverage)),
        "sites": {
            page.site: asdict(figures([each for each in outcomes if each.pair.site == page.site])) for page in pages
        },
        "missed": [
            {
                "site": each.pair.site,
                "old": each.pair.raw["xpath"],
                "taken": each.taken,
                "doubtful": doubtful(each.pair),
            }
            for each in outcomes
            if not each.first
        ],
    }


def show(told: Json) -> None:
    """The figures as a table."""
    rows = {
        "as labelled": told,
        "without doubtful": told["without_doubtful"],
        **{f"bar of {name}": each for name, each in told["bars"].items()},
        "published Similo": told["published_similo"],
        **told["sites"],
    }
    print(f"{'':20}{'pairs':>6}{'top1':>8}{'top5':>8}{'coverage':>10}{'wrong':>12}{'removed taken':>15}{'alone':>8}")
    for name, row in rows.items():
        wrong = f"{row['wrong_heal_rate']:.2%} ({row['wrong_heals']})"
        print(
            f"{name:20}{row['pairs']:>6}{row['top1']:>8.1%}{row['top5']:>8.1%}{row['coverage']:>10.1%}{wrong:>12}"
            f"{row['removed_taken']:>15.1%}{row['removed_taken_alone']:>8.1%}"
        )


def _share(of: Iterable[bool]) -> float:
    every = list(of)
    return sum(every) / len(every) if every else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="score this file with the shipped weights")
    parser.add_argument("--train", type=Path, default=TRAIN, help="cross-validate on this file")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--speed", action="store_true")
    asked = parser.parse_args()
    if asked.speed:
        told = speed()
        print(json.dumps(told, indent=2))
    elif asked.data:
        told = report(read(asked.data), lambda _: SHIPPED)
        show(told)
    else:
        pages = read(asked.train)
        learner = Learner(cases(pages))
        learnt = {page.site: learner.without(page.site) for page in pages}
        told = report(pages, learnt.__getitem__)
        show(told)
    if asked.json:
        asked.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
