"""The search language: a query becomes a test of one mail. Pure; knows nothing of threads or of the site.

As in the real one, terms stand side by side for *and*, ``OR`` binds tighter than that, ``{a b}`` is *or*, ``-`` is
*not*, words match whole words in any case, and a date means the start of that day in the account's time zone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sopbench.sites.gmail.mail import Address, Mail

_TOKEN = re.compile(
    r"""\s*(?: (?P<mark>[(){}]) | (?P<minus>-)(?=[^\s-]) | (?P<op>[A-Za-z0-9_]+):(?=\S)
    | "(?P<phrase>[^"]*)"? | (?P<word>[^\s(){}"]+) )""",
    re.VERBOSE,
)
_WORDS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_SPAN = re.compile(r"^(\d+)([dmy])$")
_DAYS = {"d": 1, "m": 30, "y": 365}
_ELSEWHERE = frozenset({"TRASH", "SPAM"})
_PLACES = {
    "inbox": "INBOX", "sent": "SENT", "draft": "DRAFT", "drafts": "DRAFT", "trash": "TRASH", "spam": "SPAM",
    "starred": "STARRED", "unread": "UNREAD", "important": "IMPORTANT",
}  # fmt: skip

Labels = frozenset[str]
Test = Callable[["Mail", Labels], bool]


@dataclass(frozen=True)
class Query:
    """A search, ready to be asked of any mail."""

    test: Test
    everywhere: bool
    """Whether Trash and Spam are looked at too."""

    def matches(self, mail: Mail, labels: Labels) -> bool:
        """Whether this mail, carrying these labels, is meant."""
        return (self.everywhere or not (labels & _ELSEWHERE)) and self.test(mail, labels)


def parse(source: str, now: datetime, me: str = "me") -> Query:
    """Read a query. Anything can be searched for: what is no operator is text, a date that is none matches nothing.

    ``now`` gives the account's time zone, and the present for ``older_than:`` and ``newer_than:``; ``me`` is the
    address that is meant by ``from:me``.
    """
    return _Parser(source, now, me).query()


@lru_cache(maxsize=2048)
def words(text: str) -> tuple[str, ...]:
    """The words of a text as the search sees them: no case, no accents, each East Asian character on its own."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return tuple(_WORDS.findall(unicodedata.normalize("NFC", plain)))


def label_key(name: str) -> str:
    """A label as it is written in a query: ``To do/Soon`` is ``to-do-soon``."""
    return re.sub(r"[\s/()&|\"]+", "-", name.strip()).casefold()


class _Parser:
    def __init__(self, source: str, now: datetime, me: str) -> None:
        self._tokens = [(match.lastgroup or "", match.group(match.lastgroup or 0)) for match in _TOKEN.finditer(source)]
        self._at = 0
        self._now = now
        self._me = me
        self._everywhere = False

    def query(self) -> Query:
        tests: list[Test] = []
        while self._at < len(self._tokens):
            tests.append(self._all("text", closing=None))
        return Query(_every(tests), self._everywhere)

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._at] if self._at < len(self._tokens) else ("end", "")

    def _all(self, field: str, closing: str | None) -> Test:
        """Terms side by side, up to the closing bracket; a stray bracket is passed over."""
        tests: list[Test] = []
        while (token := self._peek())[0] != "end":
            if token[0] == "mark" and token[1] in ")}":
                self._at += 1
                if token[1] == closing:
                    break
                continue
            if token[0] == "word" and token[1] in {"AND", "OR"}:
                self._at += 1
                continue
            choice = [self._one(field)]
            while self._peek() == ("word", "OR") and self._at + 1 < len(self._tokens):
                self._at += 1
                choice.append(self._one(field))
            tests.append(_any(choice) if len(choice) > 1 else choice[0])
        return _any(tests) if closing == "}" and tests else _every(tests)

    def _one(self, field: str) -> Test:
        kind, value = self._peek()
        self._at += 1
        if kind == "minus":
            return _negated(self._one(field))
        if kind == "mark" and value in "({":
            return self._all(field, closing=")" if value == "(" else "}")
        if kind == "op":
            if value.lower() in _FIELDS:
                return self._one(value.lower())
            return self._glued(value)
        if kind in {"word", "phrase"}:
            return self._term(field, value)
        return _always

    def _glued(self, word: str) -> Test:
        """``https://…`` and ``12:30`` are no operators: the word and what follows it are one text."""
        if self._peek()[0] in {"word", "phrase"}:
            word += ":" + self._peek()[1]
            self._at += 1
        return _contains("text", word)

    def _term(self, field: str, value: str) -> Test:
        if field in _TEXTS:
            mine = value.casefold() == "me" and field in {"from", "to", "cc"}
            return _contains(field, self._me if mine else value)
        if field in {"in", "label", "l", "is"}:
            return self._place(field, value)
        if field in {"has", "filename", "rfc822msgid"}:
            return _thing(field, value)
        return self._time(field, value)

    def _place(self, field: str, value: str) -> Test:
        key = label_key(value)
        if field == "in" and key in {"anywhere", "all"}:
            self._everywhere = self._everywhere or key == "anywhere"
            return _always
        if field == "is" and key == "read":
            return lambda _mail, labels: "UNREAD" not in labels
        if key in {"trash", "spam"}:
            self._everywhere = True
        if place := _PLACES.get(key):
            return lambda _mail, labels: place in labels
        return lambda _mail, labels: any(label_key(name) == key for name in labels if name not in _PLACES.values())

    def _time(self, field: str, value: str) -> Test:
        if field in {"older_than", "newer_than"}:
            if not (span := _SPAN.match(value)):
                return _never
            edge = self._now - timedelta(days=int(span[1]) * _DAYS[span[2]])
        elif day := _day(value, self._now):
            edge = day
        else:
            return _never
        if field in {"after", "newer", "newer_than"}:
            return lambda mail, _labels: mail.date >= edge
        return lambda mail, _labels: mail.date < edge


def _day(value: str, now: datetime) -> datetime | None:
    """``2025/06/01``, ``2025-6-1``, ``06/01/2025`` or seconds since 1970."""
    if re.fullmatch(r"\d{9,}", value):
        return datetime.fromtimestamp(int(value[:11]), UTC)
    parts = re.split(r"[/.-]", value)
    if len(parts) != 3 or not all(re.fullmatch(r"\d{1,4}", part) for part in parts):
        return None
    year, month, day = parts if len(parts[0]) == 4 else (parts[2], parts[0], parts[1])
    try:
        return datetime(int(year), int(month), int(day), tzinfo=now.tzinfo)
    except ValueError:
        return None


def _people(*people: Address) -> str:
    return " , ".join(f"{person.name} {person.email}" for person in people)


_TEXTS: dict[str, Callable[[Mail], str]] = {
    "from": lambda mail: _people(mail.sender),
    "to": lambda mail: _people(*mail.to, *mail.cc),
    "cc": lambda mail: _people(*mail.cc),
    "subject": lambda mail: mail.subject,
    "text": lambda mail: " , ".join(
        (mail.subject, _people(mail.sender, *mail.to, *mail.cc), mail.body.text, *(a.name for a in mail.attachments))
    ),
}
_OTHERS = "after before older newer older_than newer_than label l in is has filename rfc822msgid"
_FIELDS = frozenset({*_TEXTS, *_OTHERS.split()}) - {"text"}


def _contains(field: str, value: str) -> Test:
    wanted = words(value)
    if not wanted:
        return _always
    size = len(wanted)

    def test(mail: Mail, _labels: Labels) -> bool:
        found = words(_TEXTS[field](mail))
        return any(found[at : at + size] == wanted for at in range(len(found) - size + 1))

    return test


def _thing(field: str, value: str) -> Test:
    low = value.casefold()
    if field == "rfc822msgid":
        return lambda mail, _labels: mail.message_id.strip("<>") == value.strip("<>")
    if field == "filename":
        return lambda mail, _labels: any(low in file.name.casefold() for file in mail.attachments)
    if low == "attachment":
        return lambda mail, _labels: bool(mail.attachments)
    if low in {"userlabels", "nouserlabels"}:
        return lambda _mail, labels: bool(labels - set(_PLACES.values())) == (low == "userlabels")
    return _never


def _every(tests: list[Test]) -> Test:
    return lambda mail, labels: all(test(mail, labels) for test in tests)


def _any(tests: list[Test]) -> Test:
    return lambda mail, labels: any(test(mail, labels) for test in tests)


def _negated(test: Test) -> Test:
    return lambda mail, labels: not test(mail, labels)


def _always(_mail: Mail, _labels: Labels) -> bool:
    return True


def _never(_mail: Mail, _labels: Labels) -> bool:
    return False
