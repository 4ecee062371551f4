"""What is done to a page before a procedure meets it again, and what a procedure should then do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Wanted = Literal["act", "abstain", "either"]
"""Act on the meant element; leave everything alone; or one of both, as long as nothing else is touched."""

_LATE_S = 3.0
"""To find an element that takes 1.5 s to become ready."""


@dataclass(frozen=True)
class Mutation:
    """One change of a page, of the scripts in ``in_page/``."""

    name: str
    """``kind`` or ``kind.variant``."""
    wanted: Wanted = "act"
    find_s: float = 0.5
    recorded_with: str | None = None
    """A change that was there already when the element was recorded."""

    @property
    def kind(self) -> str:
        return self.name.partition(".")[0]

    @property
    def script(self) -> str:
        """The name of the last change in ``in_page/``."""
        return "remove.alone" if self.name == "remove.lookalike" else self.name


MUTATIONS = (
    Mutation("none"),
    Mutation("rename"),
    Mutation("relabel"),
    Mutation("translate"),
    Mutation("retag"),
    Mutation("move.place"),
    Mutation("move.order"),
    Mutation("duplicate.elsewhere", "either"),
    Mutation("duplicate.hidden", "either"),
    Mutation("duplicate.beside", "either"),
    Mutation("restyle.element"),
    Mutation("restyle.page"),
    Mutation("wrap.divs"),
    Mutation("wrap.group"),
    Mutation("wrap.frame"),
    Mutation("wrap.shadow"),
    Mutation("disable.for_good", "abstain"),
    Mutation("disable.for_a_while", find_s=_LATE_S),
    Mutation("cover.for_good", "either"),
    Mutation("cover.for_a_while", find_s=_LATE_S),
    Mutation("remove.alone", "abstain"),
    Mutation("remove.row", "abstain"),
    Mutation("remove.lookalike", "abstain", recorded_with="lookalike"),
)
KINDS = tuple(dict.fromkeys(mutation.kind for mutation in MUTATIONS))


@dataclass(frozen=True)
class Bound:
    """What the figures of a kind must reach."""

    right: float = 0.0
    """Least share of cases that end as wanted."""
    wrong: float = 1.0
    """Greatest share of cases in which something else was touched."""


BOUNDS = {
    "remove": Bound(right=1.0, wrong=0.0),
    "rename": Bound(right=0.97, wrong=0.003),
    "move": Bound(right=0.97, wrong=0.003),
    "restyle": Bound(right=0.97, wrong=0.003),
    "wrap": Bound(right=0.97, wrong=0.003),
    "duplicate": Bound(right=1.0, wrong=0.0),
}
