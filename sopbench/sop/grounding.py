"""Whether all that a text claims is in what it was written from: every number, date, name and address, by meaning.

What is not there is a gap: also a sum, a share or a rounded figure that would be right. ``1,500,000``, ``$1.5 million``
and ``1500000`` are the same; so are ``2 June 2025``, ``2025-06-02`` and, without a year, ``June 2``. A date in figures
alone may be meant either way round. A name may be said in part (``Weber``, ``J. Weber``), but never be put together
from two.

Made for English texts. Words that begin a sentence are names unless they are known words; see ordinary_words.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sopbench.sop.claims import Claim, Day, Kind, Reader, host_of, is_weekday, plain_code
from sopbench.sop.name_claims import Names, Run, runs

_FIRST_YEAR, _LAST_YEAR = 1900, 2100


@dataclass(frozen=True)
class Gap:
    """Something a text says that is not in its sources."""

    kind: Kind
    text: str
    at: int
    """From where it stands, in characters."""


class Sources:
    """All that may be said."""

    def __init__(self, inputs: Any, words: Iterable[str] = (), said: Iterable[str] = ()) -> None:
        """``inputs`` are plain data; of ``words`` only the words may be used, not the figures; of ``said`` all."""
        self._names = Names()
        self._numbers: set[tuple[Decimal, str]] = set()
        self._signed: set[Decimal] = set()
        self._days: set[Day] = set()
        self._keys: set[str] = set()
        self._addresses: set[str] = set()
        self._currencies: set[str] = set()
        self._texts: list[str] = []
        for value, group in _leaves(inputs, ""):
            self._add(value, group)
        for text in said:
            self._add(text, "")
        for text in words:
            self._names.add(text, "")
        for key in _keys(inputs):
            self._names.add(key.replace("_", " "), "")
            self._currencies |= {
                claim.unit for claim in Reader(f"1 {key.rpartition('_')[2].upper()}").claims if claim.unit
            }
        self._currencies.discard("%")
        self._years = {day[0] for day in self._days if day[0]}

    def has(self, claim: Claim) -> bool:
        if claim.kind == "address":
            return claim.key in self._addresses
        if claim.kind == "date":
            return self._has_date(claim)
        if claim.key:
            return self._has_code(claim)
        return any(self._has_number(number, claim) for number in claim.numbers)

    def has_name(self, run: Run) -> bool:
        return self._names.has(run)

    def _add(self, value: Any, group: str) -> None:
        if isinstance(value, bool) or value is None:
            return
        if isinstance(value, int | float):
            number = Decimal(str(value))
            self._numbers.add((abs(number), ""))
            self._signed.add(number)
            if isinstance(value, float) and 0 < abs(value) <= 1:
                self._numbers.add((abs(number) * 100, "%"))
            return
        text = str(value)
        self._names.add(text, group)
        self._texts.append(text.casefold())
        for claim in Reader(text).claims:
            self._add_claim(claim)
        if re.fullmatch(r"\s*[-+]?\d+(?:\.\d+)?\s*", text):
            self._numbers.add((abs(Decimal(text.strip())), ""))

    def _add_claim(self, claim: Claim) -> None:
        if claim.kind == "address":
            self._addresses |= {claim.key, host_of(claim.key)}
            local = claim.key.partition("@")[0] if "@" in claim.key else ""
            self._names.add(re.sub(r"[._+-]", " ", local), "")
            self._names.add(re.sub(r"\.", " ", host_of(claim.key)), "")
        self._days |= claim.days
        if claim.key and claim.kind != "address":
            self._keys.add(claim.key)
        for number in claim.numbers:
            self._numbers.add((number, claim.unit))
            self._signed.add(-number if claim.is_negative else number)
        if claim.unit not in ("", "%"):
            self._currencies.add(claim.unit)

    def _has_number(self, number: Decimal, claim: Claim) -> bool:
        if claim.is_negative and -number not in self._signed:
            return False
        units = {unit for known, unit in self._numbers if known == number}
        if claim.unit == "%":
            return "%" in units or "" in units
        if claim.unit:
            fits = not self._currencies or claim.unit in self._currencies
            return claim.unit in units or ("" in units and fits)
        is_year = number in self._years and re.fullmatch(r"\d{4}", claim.text) is not None
        return is_year or bool(units - {"%"})

    def _has_code(self, claim: Claim) -> bool:
        if claim.key in self._keys:
            return True
        return len(claim.key) > 2 and any(
            claim.key in plain_code(text) for text in self._texts if claim.key[0].isalpha()
        )

    def _has_date(self, claim: Claim) -> bool:
        if not claim.days:
            return claim.key in self._keys or self._has_period(claim.key)
        weekday = claim.key.removeprefix("range").strip()
        hits = [any(self._is_day(day, known, weekday) for known in self._days) for day in claim.days]
        return all(hits) if claim.key.startswith("range") else any(hits)

    def _is_day(self, said: Day, known: Day, weekday: str) -> bool:
        year = known[0] or (said[0] if said[0] in self._years or (Decimal(said[0] or 0), "") in self._numbers else None)
        if said[0] is not None and said[0] != year:
            return False
        if said[1] != known[1] or said[2] not in (None, known[2]):
            return False
        whole = known if all(known) else None
        return not weekday or whole is None or is_weekday((whole[0] or 0, whole[1] or 0, whole[2] or 0), weekday)

    def _has_period(self, key: str) -> bool:
        """A quarter or half that one of the dates lies in, with its year or without; a known one without its year."""
        found = re.fullmatch(r"([qh])([1-4])(?: (\d{4}))?", key)
        if found is None:
            return False
        if not found[3] and any(known.startswith(f"{key} ") for known in self._keys):
            return True
        months = 3 if found[1] == "q" else 6
        return any(
            day[1] is not None
            and (day[1] - 1) // months + 1 == int(found[2])
            and (not found[3] or day[0] == int(found[3]))
            for day in self._days
        )


def gaps(text: str, inputs: Any, words: Iterable[str] = (), said: Iterable[str] = ()) -> list[Gap]:
    """What ``text`` claims and ``inputs`` (plain data) do not say, in the order of the text.

    ``words`` are texts of the document itself: names in them may be used, figures in them may not. In
    ``said`` are those of which everything may.
    """
    return list(_gaps(text, Sources(inputs, words, said)))


def says(text: str, wanted: str) -> bool:
    """Whether ``wanted`` is mentioned in ``text``: in these words, or as the same number, date or address."""
    squeezed, plain = " ".join(text.casefold().split()), " ".join(wanted.casefold().split())
    if re.search(rf"(?<!\w){re.escape(plain)}(?!\w|[.,]\d)", squeezed):
        return True
    claims = Reader(wanted).claims
    if len(claims) != 1 or claims[0].text.strip() != wanted.strip():
        return False
    [meant], sources = claims, Sources([wanted])
    whole = any(day[2] for day in meant.days)
    return any(
        sources.has(claim) and (not whole or any(day[2] for day in claim.days))
        for claim in Reader(text).claims
        if claim.kind == meant.kind
    )


def _gaps(text: str, sources: Sources) -> Iterator[Gap]:
    reader = Reader(text)
    found = [Gap(each.kind, each.text, each.at) for each in reader.claims if not sources.has(each)]
    for run in runs(reader.rest):
        if not sources.has_name(run):
            start, end = run.words[0].at, run.words[-1].end
            found.append(Gap("name", text[start:end], start))
    yield from sorted(found, key=lambda gap: gap.at)


def _leaves(value: Any, group: str) -> Iterator[tuple[Any, str]]:
    """All single values, each with the record it stands in."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            inner = isinstance(item, Mapping | list | tuple)
            yield from _leaves(item, f"{group}/{key}" if inner else group)
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from _leaves(item, f"{group}/{place}")
    else:
        yield value, group


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _keys(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _keys(item)
