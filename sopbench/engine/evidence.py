"""What a decision is based on: numbered pieces of what can be seen, and whether a quote really stands there."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from sopbench.errors import AnswerUnusable

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_CHARS = 5500
"""Of all pieces together; what comes after is left out. A decision about a mail is in its first pages."""
MIN_QUOTE = 12
"""Letters and digits that a quote must have; one, if it is all of a piece."""
LEFT_OUT = "[the rest was left out]"

_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n")
_MARK = re.compile(r"<\s*(/?)\s*text\s*>", re.IGNORECASE)
_NUMBER = re.compile(r"^\s*\[\d+\]\s*")
_AROUND_A_QUOTE = "\"'.…"
_TYPOGRAPHIC = str.maketrans(
    {**dict.fromkeys("‘’‚‛′`´", "'"), **dict.fromkeys("“”„‟″«»", '"'), **dict.fromkeys("‐‑‒–—―−", "-")}
)
_MACHINE = (
    r"\b(?:AIs|(?:AI|virtual|digital) (?:assistant|agent|model|system|reader)s?|LLMs?|language models?|chat ?bots?"
    r"|automat(?:ed|ic) (?:system|reader|filter|classifier|assistant)s?)\b"
)
_ORDER = (
    r"(?:[:.,;!]\s+|\b(?:please|must|should|shall|to) )"
    r"(?:answer|classify|categori[sz]e|choose|select|label|mark|treat|quote|output|ignore|re(?:ply|spond) with)\b"
)
_GIVES_ORDERS = re.compile(
    rf"\b(?:ignore|disregard|forget)\b[^.!?]{{0,40}}\b(?:instructions?|prompts?)\b"
    rf"|{_MACHINE}.{{0,160}}?{_ORDER}"
    rf"|^\W*(?:system|assistant)(?: prompt| message)?\s*:",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Evidence:
    """What was seen, piece by piece: a paragraph of a text, or an element's text. Pieces are numbered from 1."""

    pieces: tuple[str, ...]
    is_whole: bool = True
    """False where something was left out because it was too long."""

    @property
    def shown(self) -> str:
        """The pieces, each with its number before it."""
        return self._numbered(range(len(self.pieces)))

    def shown_without_orders(self, names: Iterable[str] = ()) -> str:
        """Likewise, without the pieces that give orders to a machine; the others keep their numbers."""
        own = frozenset(names)
        return self._numbered(place for place, piece in enumerate(self.pieces) if not gives_orders(piece, own))

    def place_of(self, quote: str, names: Iterable[str] = ()) -> int:
        """The number of the piece that the quote is from (begins in), whatever its blanks, case and typographic signs.

        Raises: AnswerUnusable when it is not there, too short to say anything, or from a piece that gives orders (then
        its data say ``ordered``).
        """
        wanted = folded(_NUMBER.sub("", quote)).strip(_AROUND_A_QUOTE)
        place = self._place_of(wanted)
        if place is None:
            raise AnswerUnusable(f"what it quotes is not there: {quote!r}")
        said, is_all = sum(map(str.isalnum, wanted)), wanted == self._folded[place].strip(_AROUND_A_QUOTE)
        if said < (1 if is_all else MIN_QUOTE):
            raise AnswerUnusable(f"what it quotes is too short to say anything: {quote!r}")
        if gives_orders(self.pieces[place], names):
            message = f"what it quotes is from a piece that gives orders to a machine: {quote!r}"
            raise AnswerUnusable(message, ordered=True)
        return place + 1

    @cached_property
    def _folded(self) -> tuple[str, ...]:
        return tuple(folded(piece) for piece in self.pieces)

    def _place_of(self, wanted: str) -> int | None:
        start = "".join(self._folded).find(wanted) if wanted else -1
        if start < 0:
            return None
        within = next((place for place, piece in enumerate(self._folded) if wanted in piece), None)
        if within is not None:
            return within
        ends = [sum(map(len, self._folded[: place + 1])) for place in range(len(self._folded))]
        return next(place for place, end in enumerate(ends) if start < end)

    def _numbered(self, places: Iterable[int]) -> str:
        lines = [f"[{place + 1}] {self.pieces[place]}" for place in places]
        return "\n".join(lines if self.is_whole else [*lines, LEFT_OUT])


def of_text(text: str) -> Evidence:
    """A text by its paragraphs: what blank lines part."""
    return _evidence(_PARAGRAPHS.split(text))


def of_elements(texts: Iterable[str]) -> Evidence:
    """The texts of elements, each on one line; of a single element, line by line."""
    found = list(texts)
    return _evidence(found[0].splitlines() if len(found) == 1 else [" ".join(text.split()) for text in found])


def gives_orders(piece: str, names: Iterable[str] = ()) -> bool:
    """Whether it reads like an order to a machine: ``AI assistants: answer …``, ``ignore all instructions``.

    ``names`` are those of the choices: an identifier among them (``wants_in``) is no word of a page. English only,
    and only what is plainly an order: this makes planted ones harder, not impossible.
    """
    return _GIVES_ORDERS.search(piece) is not None or any("_" in name and name in piece for name in names)


def folded(text: str) -> str:
    """The text without what a quote may change: all blanks, case, and the look of quotation marks and dashes."""
    plain = unicodedata.normalize("NFKC", text.translate(_TYPOGRAPHIC))
    return "".join(plain.translate(_TYPOGRAPHIC).casefold().split())


def _evidence(parts: Iterable[str]) -> Evidence:
    """Only what fits into ``MAX_CHARS``; a page may not end its own quotation."""
    pieces: list[str] = []
    left = MAX_CHARS
    for part in (_MARK.sub(r"[\1text]", part).strip() for part in parts):
        if not part:
            continue
        if len(part) > left:
            return Evidence(tuple([*pieces, part[:left]] if left > 0 else pieces), is_whole=False)
        pieces.append(part)
        left -= len(part)
    return Evidence(tuple(pieces))
