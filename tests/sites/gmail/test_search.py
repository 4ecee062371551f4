"""The search language, term by term."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage

import pytest

from sopbench.sites.gmail.mail import Mail
from sopbench.sites.gmail.search import parse, words

Read = Callable[..., Mail]
Write = Callable[..., EmailMessage]


@pytest.fixture
def mail(read: Read, write: Write) -> Mail:
    """An order from Jörg, of June 1 just after midnight in the account's time zone, with a file."""
    return read(
        write(
            sender='"Jörg Müller" <joerg@mueller-bau.test>', to="Dana Wells <dana@acme.test>", cc="Ann <ann@lee.test>",
            subject="Order 4711: 20 pallets", text="Please deliver to Hamburg. Price as agreed: 1,200 EUR.",
            date="2025-05-31T22:05:00+00:00", files={"order-4711.pdf": b"%PDF"}, message_id="<o1@mueller.test>",
        )
    )  # fmt: skip


@pytest.mark.parametrize(
    "query",
    [
        "", "hamburg", "HAMBURG deliver", '"deliver to hamburg"', "from:joerg@mueller-bau.test",
        "from:mueller-bau.test",
        "from:Jörg", "from:jorg", "from:müller", 'from:"Jörg Müller"', "to:dana", "to:me", "to:ann@lee.test", "cc:ann",
        "subject:order", "subject:(order pallets)", 'subject:"20 pallets"', "subject:{invoice order}", "SUBJECT:Order",
        "after:2025/06/01", "after:2025-06-01", "after:06/01/2025", "before:2025/06/02",
        "after:2025/5/31 before:2025/6/2",
        "newer:2025/06/01", "older:2025/06/02", "newer_than:2d", "older_than:1d", "after:1748728800",
        "-from:bob", "-subject:invoice -hambourg", "invoice OR order", "from:bob OR from:joerg subject:order",
        "has:attachment", "filename:pdf", "filename:order-4711", "in:inbox", "is:unread", "-is:read", "label:inbox",
        "label:to-do", 'label:"To do"', "-label:processed", "(hamburg OR berlin) order", "{berlin hamburg}",
        "-{berlin munich}", "-(hamburg berlin)", "order-4711", "1,200", "rfc822msgid:o1@mueller.test", "has:userlabels",
        "in:anywhere order", "hamburg)", "(hamburg", "-", "OR hamburg", "hamburg OR", "hamburg AND order", "order:4711",
    ],
)  # fmt: skip
def test_finds(query: str, mail: Mail, now: datetime) -> None:
    labels = frozenset({"INBOX", "UNREAD", "To do"})

    assert parse(query, now, "dana@acme.test").matches(mail, labels)


@pytest.mark.parametrize(
    "query",
    [
        "berlin", "ham", "hamburger", '"hamburg deliver"', "from:dana", "from:me", "to:joerg", "cc:dana",
        "subject:hamburg",
        "after:2025/06/02", "before:2025/06/01", "before:2025/05/31", "newer_than:1d", "older_than:2d",
        "after:tomorrow",
        "after:2025/13/01", "-hamburg", "-from:joerg", "invoice OR berlin", "from:joerg OR from:bob subject:invoice",
        "is:read", "is:starred", "in:sent", "in:trash", "label:processed", "-has:attachment", "filename:docx",
        "(hamburg OR berlin) -order", "{berlin munich}", "-(hamburg order)", "has:nouserlabels", "has:nothing",
    ],
)  # fmt: skip
def test_does_not_find(query: str, mail: Mail, now: datetime) -> None:
    labels = frozenset({"INBOX", "UNREAD", "To do"})

    assert not parse(query, now, "dana@acme.test").matches(mail, labels)


@pytest.mark.parametrize(("query", "found"), [("order", False), ("in:trash order", True), ("in:anywhere order", True)])
def test_trash_is_looked_at_only_when_asked_for(query: str, found: bool, mail: Mail, now: datetime) -> None:
    assert parse(query, now).matches(mail, frozenset({"TRASH"})) is found


@pytest.mark.parametrize(
    ("date", "found"),
    [("2025-05-31T23:59:59+02:00", False), ("2025-06-01T00:00:00+02:00", True), ("2025-06-01T23:59:59+02:00", True),
     ("2025-06-02T00:00:00+02:00", False)],
)  # fmt: skip
def test_after_includes_its_day_and_before_leaves_its_day_out(
    date: str, found: bool, read: Read, write: Write, now: datetime
) -> None:
    mail = read(write(date=date))

    assert parse("after:2025/06/01 before:2025/06/02", now).matches(mail, frozenset()) is found


def test_words_are_told_apart_in_any_script() -> None:
    assert words("Grüße, 注文 e-mail") == ("grusse", "注", "文", "e", "mail")


def test_a_part_of_an_east_asian_text_is_found(read: Read, write: Write, now: datetime) -> None:
    mail = read(write(subject="ご注文の確認"))

    assert parse("注文", now).matches(mail, frozenset())
    assert not parse("文注", now).matches(mail, frozenset())
