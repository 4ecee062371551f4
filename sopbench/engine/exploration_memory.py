"""What one exploration has tried: what the model is told of it, when it goes round in circles, and the way it found."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sopbench.engine.observation import Observation
    from sopbench.engine.prompts import Offer
    from sopbench.sop.actions import BrowserAction

_LINES = 12
_CHARS = 1500
_LINE_CHARS = 220

Key = tuple[str, str, str]
"""Verb, target, and what was entered: two actions with the same key are the same."""


@dataclass(frozen=True)
class _Move:
    key: Key
    before: Observation
    action: BrowserAction
    after: Observation


@dataclass
class Memory:
    """Grows with every turn."""

    _told: list[str] = field(default_factory=list)
    _chosen: list[tuple[str, Key]] = field(default_factory=list)
    """What the page was like, and what was done to it."""
    _places: list[tuple[str, Key]] = field(default_factory=list)
    """The same, by the page's address alone."""
    _moves: list[_Move] = field(default_factory=list)
    _offers: dict[str, set[Offer]] = field(default_factory=lambda: defaultdict(set))
    """Of pages by what they are like: what was offered there, and chosen."""

    def goes_in_circles(self, seen: Observation, key: Key) -> bool:
        """Whether just this was done on just this page, or two actions follow each other a second time in turn."""
        if (seen.digest, key) in self._chosen:
            return True
        last = [*self._places[-3:], (seen.address, key)]
        return len(last) == 4 and last[:2] == last[2:] and last[0] != last[1]

    def begin(self, seen: Observation, offer: Offer, key: Key) -> None:
        self._offers[seen.digest].add(offer)
        self._chosen.append((seen.digest, key))
        self._places.append((seen.address, key))

    def chosen_on(self, seen: Observation) -> frozenset[Offer]:
        """What was offered on a page just like this, and chosen."""
        return frozenset(self._offers[seen.digest])

    def note(self, says: str, outcome: str) -> None:
        """Something was tried; only its first words are kept."""
        line = f"{says}: {' '.join(outcome.split())}"
        self._told.append(line if len(line) <= _LINE_CHARS else line[: _LINE_CHARS - 1] + "…")

    def moved(self, key: Key, before: Observation, action: BrowserAction, after: Observation) -> None:
        """An action was done, and this is what came of it."""
        self._moves.append(_Move(key, before, action, after))

    def told(self) -> str:
        """A line for each of the last things tried, oldest first."""
        lines: list[str] = []
        room = _CHARS
        for number, line in reversed(list(enumerate(self._told, start=1))):
            room -= len(line)
            if len(lines) == _LINES or room < 0:
                break
            lines.insert(0, f"{number}. {line}")
        return "\n".join(lines) or "(nothing yet)"

    def way(self) -> tuple[BrowserAction, ...]:
        """The actions that led on: without those that changed nothing, and those whose effect was left behind again."""
        kept: list[_Move] = []
        for number, move in enumerate(self._moves):
            is_last = number == len(self._moves) - 1
            if move.before.digest == move.after.digest and not is_last:
                continue
            kept.append(move)
            back = next((n for n, each in enumerate(kept) if each.before.digest == move.after.digest), None)
            if back is not None and not is_last:
                del kept[back:]
        return tuple(move.action for move in kept)
