"""Which words of a text are names, and whether a source has that name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sopbench.sop.ordinary_words import HONORIFICS, NEVER_NAMES, is_ordinary

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
_SHORT_FORM = re.compile(r"['’](?:s|ll|re|ve|m|d|t)$", re.IGNORECASE)
_PARTICLES = frozenset(
    (
        "van",
        "von",
        "der",
        "den",
        "de",
        "del",
        "della",
        "di",
        "da",
        "du",
        "la",
        "le",
        "el",
        "al",
        "bin",
        "ibn",
        "y",
        "zu",
    )
)
_JOINS = re.compile(r"[ \u00a0]?[&+][ \u00a0]?|[-‐‑]|[ \u00a0]|\.[ \u00a0]?")
_BEGINS = re.compile(
    r"(?:[.!?…:;|>\x1a]|\n)[\s\"'“”‘’()*_#>|•·–—\-\[\]]*$|[\"“‘(\[|•–—][*_]*$|\b(?:dear|hi|hello|hey)\s$", re.IGNORECASE
)
_NEAR = 12
_SKIPPED = 2
"""So many words of a name may be left out between two that are said."""
_LONGEST_VALUE = 6
"""Words; a longer text is no name as a whole."""
_AFTER_ABBREVIATION = HONORIFICS | {"st", "jr", "sr"}


@dataclass(frozen=True)
class Word:
    """One word of a text."""

    text: str
    at: int

    @property
    def plain(self) -> str:
        return self.text.casefold().replace("’", "'")

    @property
    def end(self) -> int:
        return self.at + len(self.text)


@dataclass(frozen=True)
class Run:
    """Words with capitals that stand together."""

    words: tuple[Word, ...]
    before: Word | None = None
    """A known word with a capital just before it: part of the name, or only the start of a sentence."""

    @property
    def plain(self) -> tuple[str, ...]:
        return tuple(word.plain for word in self.words)


class Names:
    """All names of the sources."""

    def __init__(self) -> None:
        self._words: set[str] = set()
        self._of_names: set[str] = set()
        self._lists: list[tuple[str, ...]] = []
        self._runs: list[tuple[str, ...]] = []
        self._values: dict[tuple[str, ...], set[str]] = {}

    def add(self, text: str, group: str) -> None:
        """A source; ``group`` is the record it stands in, empty for none."""
        for words in _unbroken(text):
            self._lists.append(words)
            self._words.update(words)
        self._runs += [run.plain for run in runs(text)]
        self._of_names.update(word for run in self._runs for word in run)
        plain = tuple(word.plain for word in _words(text))
        if len(plain) <= _LONGEST_VALUE:
            self._of_names.update(plain)
            self._values.setdefault(plain, set()).add(group)
            if text.count(",") == 1:
                last, _, first = text.partition(",")
                self._lists.append((*(w.plain for w in _words(first)), *(w.plain for w in _words(last))))

    def has(self, run: Run) -> bool:
        """Whether a name is said in the sources: whole, in part, with an initial, or put together from one record."""
        if run.before is not None and run.before.plain in self._of_names:
            return self._has((run.before.plain, *run.plain))
        return self._has(run.plain)

    def _has(self, run: tuple[str, ...]) -> bool:
        if len(run) == 1:
            return run[0] in self._words
        if any(_contains(words, run, skipped=0) for words in self._lists):
            return True
        return any(_contains(words, run, skipped=_SKIPPED) for words in self._runs) or self._in_parts(run)

    def _in_parts(self, run: tuple[str, ...]) -> bool:
        for cut in range(1, len(run)):
            first, rest = self._groups(run[:cut]), self._groups(run[cut:])
            if first and rest and (first & rest or "" in first | rest):
                return True
        return False

    def _groups(self, part: tuple[str, ...]) -> set[str]:
        """The records that have it as a value of its own."""
        known = self._values.items()
        return {
            group for value, groups in known if _from(value, part, 0, 0) and len(value) == len(part) for group in groups
        }


def runs(text: str) -> Iterator[Run]:
    """Words with capitals that stand together, without those that have one only because something begins there."""
    run: list[Word] = []
    particles: list[Word] = []
    opening: Word | None = None
    last: Word | None = None
    in_heading = _Headings(text)
    for word in _words(text):
        if last is not None and not _joins(text[last.end : word.at], last):
            yield from _ended(run, opening)
            run, particles, opening = [], [], None
        last = word
        if not any(sign.isupper() for sign in word.text):
            if run and word.plain in _PARTICLES:
                particles.append(word)
                continue
            yield from _ended(run, opening)
            run, particles, opening = [], [], None
        elif word.plain in NEVER_NAMES or _only_begins(word, text, run, in_heading):
            yield from _ended(run, opening)
            run, particles, opening = [], [], None if word.plain in NEVER_NAMES else word
        else:
            run += [*particles, word]
            particles = []
    yield from _ended(run, opening)


def _only_begins(word: Word, text: str, run: list[Word], in_heading: _Headings) -> bool:
    if not is_ordinary(word.text):
        return False
    before = f"\n{text[: word.at]}"[-_NEAR:]
    return in_heading.has(word.at) or (not run and _BEGINS.search(before) is not None)


def _ended(run: list[Word], opening: Word | None) -> Iterator[Run]:
    if run:
        yield Run(tuple(run), opening)


def _words(text: str) -> Iterator[Word]:
    for found in _WORD.finditer(text):
        word = found[0]
        if _POSSESSIVE.search(word) or (_SHORT_FORM.search(word) and is_ordinary(_SHORT_FORM.sub("", word))):
            word = _SHORT_FORM.sub("", word)
        yield Word(word, found.start())


def _joins(between: str, before: Word) -> bool:
    between = re.sub(r"^['’]s?", "", between) if between[:1] in "'’" else between
    if between != between.lstrip("'’"):
        return False
    if "." in between and not (len(before.text) == 1 or before.plain in _AFTER_ABBREVIATION):
        return False
    return _JOINS.fullmatch(between) is not None


class _Headings:
    """The lines in which every word may have a capital."""

    def __init__(self, text: str) -> None:
        self._spans = [found.span() for found in re.finditer(r"^[^\n]+$", text, re.MULTILINE) if _is_heading(found[0])]

    def has(self, at: int) -> bool:
        return any(start <= at < end for start, end in self._spans)


def _is_heading(line: str) -> bool:
    bare = line.strip().strip("*_").strip()
    if bare.startswith("#") or bare.casefold().startswith("subject:"):
        return True
    words = [word for word in _WORD.findall(bare) if len(word) > 3]
    capitals = sum(word[0].isupper() for word in words)
    return len(bare) < 80 and bare[-1:] not in ".!?," and len(words) > 1 and capitals == len(words)


def _unbroken(text: str) -> Iterator[tuple[str, ...]]:
    """The words of a text, parted where a name cannot go on."""
    words: list[str] = []
    before: Word | None = None
    for word in _words(text):
        if before is not None and not _joins(text[before.end : word.at], before):
            yield tuple(words)
            words = []
        words.append(word.plain)
        before = word
    if words:
        yield tuple(words)


def _contains(words: tuple[str, ...], run: tuple[str, ...], *, skipped: int) -> bool:
    return any(_from(words, run, start, skipped) for start in range(len(words)))


def _from(words: tuple[str, ...], run: Iterable[str], start: int, skipped: int) -> bool:
    at, first = start, True
    for wanted in run:
        reach = range(at, min(len(words), at + 1 + (0 if first else skipped)))
        hit = next((place for place in reach if _fits(wanted, words[place])), None)
        if hit is None:
            return False
        at, first = hit + 1, False
    return True


def _fits(wanted: str, word: str) -> bool:
    return (
        wanted == word or (len(wanted) == 1 and word.startswith(wanted)) or (len(word) == 1 and wanted.startswith(word))
    )
