"""What each column of likeness is worth, and how sure a likeness makes: learnt by `benchmarks/learn_targeting.py`."""

from __future__ import annotations

from importlib.resources import files

from sopbench.sop.part import Part

FEATURES = ("one", "fraction", "identity", "margin")
"""What the probability is computed from; see `scoring.features`."""

SHARED = {
    "test_id": "key",
    "id": "key",
    "field": "key",
    "frame": "landmarks",
    "index": "place",
    "inside": "around",
}
"""Columns that the learning data lacks, or has too few of, have the weight of what they resemble: a test id and a
field's name are given by the page's makers just as an id is; being in the same frame is like being under the same
landmarks; being the third of seven is another way to say where something lies; the row or dialog it lies in is what
stands around it. `wording`, `kind` and `around` are means over the attributes they stand for, so that accessible
name, label and placeholder have the weight that visible text was found to have, role and type that of the tag,
heading and container that of the neighbouring text."""


class Weights(Part):
    """What was learnt."""

    plain: dict[str, float]
    """By column (or what it is `SHARED` with): points for full likeness."""
    rare: dict[str, float]
    """Points on top for a likeness that few candidates have."""
    sureness: tuple[float, float, float, float]
    """Of the logistic model of "the top candidate is the meant one", in the order of `FEATURES`."""

    def of(self, column: str) -> float:
        return self.plain[SHARED.get(column, column)]

    def rare_of(self, column: str) -> float:
        return self.rare.get(SHARED.get(column, column), 0.0)


SHIPPED = Weights.model_validate_json((files(__package__) / "weights.json").read_bytes())
"""The weights that come with the package."""
