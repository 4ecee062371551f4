"""What a text claims in figures: its numbers, dates, times, addresses and codes, each with all values it may have."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

Kind = Literal["number", "date", "name", "address"]
Day = tuple[int | None, int | None, int | None]
"""Year, month, day; None where the text does not say."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTH = (
    r"(?P<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_WEEKDAY = (
    r"(?:\b(?P<weekday>Mon(?:day)?|Tue(?:s(?:day)?)?|Wed(?:nesday)?|Thu(?:rs?(?:day)?)?|Fri(?:day)?|Sat(?:urday)?"
    r"|Sun(?:day)?)\b\.?,?\s+(?:the\s+)?)?"
)
_TAIL = r"(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d{2})(?!\d|[.,]\d)"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        (r"(?<![\w/.-])(?P<year>\d{4})(?P<mark>[-/.])(?P<m>\d{1,2})(?P=mark)(?P<d>\d{1,2})(?!\d)"
        r"(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"),
        _WEEKDAY + r"(?<![\w/.,-])(?P<one>\d{1,2})(?P<mark>[./-])(?P<two>\d{1,2})(?P=mark)(?P<y>\d{4}|\d{2})(?![\d/-])",
        (rf"{_WEEKDAY}(?<![\w.,])(?P<d>\d{{1,2}}){_TAIL}\.?(?:\s*[–-]\s*(?P<d2>\d{{1,2}}){_TAIL}\.?)?(?:\s+of)?\s+"
        rf"{_MONTH}(?:,?\s+{_YEAR})?"),
        (rf"{_WEEKDAY}\b{_MONTH}\s+(?:the\s+)?(?P<d>\d{{1,2}}){_TAIL}(?![.,]?\d|[:\w%])"
        rf"(?:\s*[–-]\s*(?P<d2>\d{{1,2}}){_TAIL}(?!\d))?(?:,?\s+(?:of\s+)?{_YEAR})?"),
        r"\b" + _MONTH + r",?\s+(?:of\s+)?" + _YEAR,
    )
)  # fmt: skip
_QUARTER = re.compile(
    r"\b(?:(?P<early>\d{4})[ -]?)?(?P<which>[QH][1-4])(?:[\s/-]*(?:of\s+)?(?P<late>\d{4}))?\b"
    r"|\b(?P<nth>first|second|third|fourth) (?P<part>quarter|half)(?:,? (?:of )?(?P<year>\d{4}))?\b",
    re.IGNORECASE,
)
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_TIME = re.compile(
    r"(?<![\d:.])(?P<hour>\d{1,2})(?::(?P<minute>\d{2})(?::\d{2})?)(?!\d)(?:\s*(?P<half>[ap])\.?m\b\.?)?"
    r"|(?<![\d:.,])(?P<hour2>\d{1,2})\s*(?P<half2>[ap])\.?m\b\.?",
    re.IGNORECASE,
)
_TLD = "com|org|net|io|de|uk|co|ai|app|dev|eu|fr|it|es|nl|ch|at|us|ca|info|biz|tech|cloud|me|gov|edu|example|test"
_FILE = "pdf|docx?|xlsx?|pptx?|csv|png|jpe?g|zip"
_ADDRESS = re.compile(
    r"(?<![\w.+-])(?:mailto:)?[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+"
    r"|(?:https?://|www\.)[^\s<>\"'“”()\[\]]+"
    rf"|(?<![\w@.-])(?:[\w-]+\.)+(?:{_TLD})\b(?:[/?#][^\s<>\"'“”()\[\]]*)?"
    rf"|(?<![\w@.-])[\w-]+\.(?:{_FILE})\b",
    re.IGNORECASE,
)
_PHONE = re.compile(r"\+\d[\d ()/.-]{6,}\d|\(\d{3}\)\s?\d{3}[ -]\d{4}|(?<![\d-])\d{3}-\d{3,4}-\d{4}(?!\d)")
_CODE = re.compile(
    r"(?<![\w])#?(?=[\w/-]*\d)[^\W\d_]+[-/]?\d[\w]*(?:[-/]\w+)*|(?<![\w.,])\d+(?:[-/]\d+)*[-/]?[^\W\d_]\w*"
)
_CURRENCIES = {
    "$": "usd", "us$": "usd", "usd": "usd", "dollar": "usd", "dollars": "usd", "€": "eur", "eur": "eur", "euro": "eur",
    "euros": "eur", "£": "gbp", "gbp": "gbp", "pound": "gbp", "pounds": "gbp", "¥": "jpy", "jpy": "jpy", "yen": "jpy",
    "chf": "chf", "francs": "chf", "franc": "chf", "sek": "sek", "nok": "nok", "dkk": "dkk", "pln": "pln", "cad": "cad",
    "aud": "aud", "inr": "inr", "₹": "inr", "cny": "cny",
}  # fmt: skip
_SIGNS = (
    r"US\$|[$€£¥₹]|\b(?:"
    + "|".join(word.upper() for word in _CURRENCIES if word.isalpha() and len(word) == 3)
    + r")(?=[\s\d])"
)
_NAMES = "|".join(sorted((re.escape(word) for word in _CURRENCIES), key=len, reverse=True))
_MANY = {"k": 3, "thousand": 3, "m": 6, "mn": 6, "mio": 6, "mln": 6, "million": 6, "millions": 6, "b": 9, "bn": 9,
         "billion": 9, "billions": 9, "tn": 12, "trillion": 12, "hundred": 2}  # fmt: skip
_NUMBER = re.compile(
    rf"(?:(?P<sign>(?<![\w\d)])[-−+])\s?)?(?:(?P<before>{_SIGNS})\s?(?P<sign2>[-−])?)?"
    r"(?P<digits>(?<![\d.,])\d{1,3}(?:(?P<group>[,.'’ \u00a0\u202f])\d{3})(?:(?P=group)\d{3})*(?:[.,]\d+)?(?!\d|[.,]\d)"
    r"|\d+(?:[.,]\d+)?)"
    r"(?:[ \u00a0-]?(?P<many>thousand|millions?|billions?|trillion|hundred|mn|mio|mln|bn|tn)\b|(?P<glued>[kKmMbB])\b)?"
    r"(?P<ordinal>(?:st|nd|rd|th|x|s|h|km|kg|ms|min|GB|MB|TB|px)\b)?"
    r"(?:[ \u00a0]?(?P<percent>%|percent\b|per\s?cent\b|pct\b|percentage points?\b|pp\b)"
    rf"|[ \u00a0]?(?P<after>(?i:{_NAMES})(?!\w)))?",
)
_UNITS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen"
    " nineteen"
)
_TEN_NAMES = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS: dict[str, Decimal] = {"zero": Decimal(0), "one": Decimal(1), "a": Decimal(1), "half": Decimal("0.5")}
_WORDS |= {word: Decimal(n) for n, word in enumerate(_UNITS.split(), 2)}
_TENS = {word: 10 * n for n, word in enumerate(_TEN_NAMES, 2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_SCALE = "|".join(_SCALES)
_COUNTING = "|".join([*_UNITS.split(), "zero", *_TENS])
_WORD_NUMBER = re.compile(
    rf"\b(?:(?:{_COUNTING}|one|a)(?:[ -](?:and )?(?:{_SCALE}))+(?:[ -](?:and )?(?:{_COUNTING}|one|{_SCALE}))*"
    rf"|half a (?:million|billion)|(?:{_COUNTING})(?:-(?:one|{_COUNTING}))?)\b"
    r"(?:\s(?P<percent>percent|per\s?cent|percentage points?)\b|\s(?P<after>dollars?|euros?|pounds?)\b)?",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:doubled|tripled|trebled|quadrupled|halved|(?:two|three|four|five|ten)fold|dozens?"
    r"|half of|a (?:third|quarter|fifth) of|(?:two|three)[ -](?:thirds|quarters))\b|[¼½¾⅓⅔]",
    re.IGNORECASE,
)
TAKEN = "\x1a"
"""Stands where a claim was."""
_RANGE = re.compile(r"\s?[–-]\s?|,? (?:to|and|or) |, ")
_ENUMERATOR = re.compile(r"^[ \t>]*(\d{1,2})[.)](?=\s)", re.MULTILINE)


@dataclass(frozen=True)
class Claim:
    """One claim, and all that it may mean."""

    kind: Kind
    text: str
    at: int
    numbers: frozenset[Decimal] = frozenset()
    unit: str = ""
    """``%``, a currency in three letters, or empty."""
    days: frozenset[Day] = frozenset()
    key: str = ""
    """Of an address, a code, a time or a period: what must be the same."""
    is_negative: bool = False


class Reader:
    """Takes claims out of a text, one kind after the other; ``rest`` is what is left, as long as before."""

    def __init__(self, text: str) -> None:
        self.rest = text
        self.claims: list[Claim] = []
        self._enumerators()
        self._take(_ADDRESS, _address)
        for pattern in _DATES:
            self._take(pattern, _date)
        self._take(_QUARTER, _quarter)
        self._take(_TIME, _time)
        self._take(_PHONE, lambda found: Claim("number", found[0], found.start(), key=re.sub(r"\D", "", found[0])))
        self._take(_CODE, _code)
        self._take(_NUMBER, _number)
        self._take(_RELATIVE, lambda found: Claim("number", found[0], found.start(), key=found[0].casefold()))
        self._take(_WORD_NUMBER, _in_words)
        self.claims = list(_with_units(sorted(self.claims, key=lambda claim: claim.at), text))

    def _take(self, pattern: re.Pattern[str], read: Callable[[re.Match[str]], Claim | None]) -> None:
        for found in pattern.finditer(self.rest):
            claim = read(found)
            if claim is not None:
                self.claims.append(claim)
                end = claim.at + len(claim.text)
                self.rest = self.rest[: claim.at] + TAKEN * len(claim.text) + self.rest[end:]

    def _enumerators(self) -> None:
        expected = 1
        for found in _ENUMERATOR.finditer(self.rest):
            number = int(found[1])
            if number in (1, expected):
                self.rest = f"{self.rest[: found.start(1)]}{' ' * len(found[1])} {self.rest[found.end(1) + 1 :]}"
                expected = number + 1


def host_of(address: str) -> str:
    """``acme.com`` of ``acme.com/report`` and of ``jane@acme.com``."""
    return re.split(r"[/?#:]", address.rpartition("@")[2])[0]


def plain_address(address: str) -> str:
    """An address as it is compared."""
    address = re.sub(r"^(?:mailto:|https?://)", "", address.casefold().rstrip(".,;:!?*_"))
    return address.removeprefix("www.").rstrip("/")


def _address(found: re.Match[str]) -> Claim:
    text = found[0].rstrip(".,;:!?*_")
    return Claim("address", text, found.start(), key=plain_address(text))


def _date(found: re.Match[str]) -> Claim | None:
    parts = found.groupdict()
    year = int(parts["year"]) if parts.get("year") else None
    if parts.get("one"):
        days = frozenset(_in_figures(int(parts["one"]), int(parts["two"]), parts["y"]))
    elif parts.get("month"):
        month = _MONTHS.index(parts["month"][:3].casefold()) + 1
        days = frozenset({(year, month, int(parts["d"]) if parts.get("d") else None)})
    else:
        days = frozenset({(year, int(parts["m"]), int(parts["d"]))})
    if not all(_exists(day) for day in days) or not days:
        return None
    text = found[0].rstrip(" .")
    key = parts["weekday"][:3].casefold() if parts.get("weekday") else ""
    last = parts.get("d2")
    if last:
        days |= {(year, month, int(last)) for _, month, _ in days}
    return Claim("date", text, found.start(), days=days, key=f"range {key}" if last else key)


def _in_figures(one: int, two: int, written: str) -> Iterator[Day]:
    year = int(written) if len(written) > 2 else 2000 + int(written)
    for month, day in ((one, two), (two, one)):
        if _exists((year, month, day)):
            yield year, month, day


def _exists(day: Day) -> bool:
    try:
        dt.date(day[0] or 2000, day[1] or 1, day[2] or 1)
    except ValueError:
        return False
    return True


def is_weekday(day: tuple[int, int, int], name: str) -> bool:
    """Whether that day was this weekday, by its first three letters: ``mon``."""
    return dt.date(*day).weekday() == _WEEKDAYS.index(name)


def _quarter(found: re.Match[str]) -> Claim:
    parts = found.groupdict()
    if parts["nth"]:
        which, year = (
            f"{'h' if parts['part'].casefold() == 'half' else 'q'}{_NTH[parts['nth'].casefold()]}",
            parts["year"],
        )
    else:
        which, year = parts["which"].casefold(), parts["early"] or parts["late"]
    return Claim("date", found[0], found.start(), key=f"{which} {year or ''}".strip())


def _time(found: re.Match[str]) -> Claim | None:
    hour, half = int(found["hour"] or found["hour2"]), (found["half"] or found["half2"] or "").casefold()
    minute = int(found["minute"] or 0)
    if hour > 23 or minute > 59:
        return None
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return Claim("date", found[0], found.start(), key=f"{hour:02}:{minute:02}")


def _code(found: re.Match[str]) -> Claim | None:
    text = found[0]
    if _NUMBER.fullmatch(text) or re.fullmatch(r"\d+-[^\W\d_]+", text):
        return None
    if text[:3].casefold() in _CURRENCIES and text[3:4].isdigit():
        return None
    return Claim("number", text, found.start(), key=plain_code(text))


def plain_code(text: str) -> str:
    """A code as it is compared: ``INV-0042`` and ``inv 0042`` are the same."""
    return re.sub(r"[\s#/_-]", "", text.casefold())


def _number(found: re.Match[str]) -> Claim | None:
    digits, many, group = found["digits"], (found["many"] or found["glued"] or "").casefold(), found["group"]
    text = found[0]
    if re.match(r"0\d", digits):
        return Claim("number", text, found.start(), key=re.sub(r"\D", "", digits))
    numbers = {Decimal(digits.replace(",", ".")) if group is None else _grouped(digits, group)}
    if group == "." and digits.count(".") == 1 and "," not in digits:
        numbers.add(Decimal(digits))
    if many:
        numbers = {number * 10 ** _MANY[many] for number in numbers}
    currency = found["before"] or found["after"]
    unit = "%" if found["percent"] else _CURRENCIES[currency.strip().casefold()] if currency else ""
    sign = found["sign"] or found["sign2"] or ""
    return Claim("number", text, found.start(), frozenset(numbers), unit, is_negative=sign in ("-", "−") and bool(sign))


def _grouped(digits: str, group: str) -> Decimal:
    whole = digits.replace(group, "")
    return Decimal(whole.replace(",", "."))


def _in_words(found: re.Match[str]) -> Claim:
    total, part = Decimal(0), Decimal(0)
    for word in re.findall(r"[a-z]+", found[0].casefold()):
        if word in _SCALES:
            part = (part or Decimal(1)) * _SCALES[word]
            if word != "hundred":
                total, part = total + part, Decimal(0)
        elif word != "a" or not part:
            part += _WORDS.get(word, _TENS.get(word, 0))
    unit = "%" if found["percent"] else _CURRENCIES[found["after"].casefold()] if found["after"] else ""
    return Claim("number", found[0], found.start(), frozenset({total + part}), unit)


def _with_units(claims: list[Claim], text: str) -> Iterator[Claim]:
    """The first figure of a range has the unit of the second: ``12–15 %``."""
    for claim, after in zip(claims, [*claims[1:], None], strict=False):
        if after is not None and claim.numbers and not claim.unit and after.unit == "%":
            between = text[claim.at + len(claim.text) : after.at]
            if _RANGE.fullmatch(between):
                yield replace(claim, unit="%")
                continue
        yield claim
