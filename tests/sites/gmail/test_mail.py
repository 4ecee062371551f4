"""Reading .eml files, the odd ones too."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage

import pytest

from sopbench.sites.gmail.mail import Address, Mail, parse_addresses

Read = Callable[..., Mail]
Write = Callable[..., EmailMessage]


def test_names_in_other_scripts_and_with_commas_are_decoded(read: Read, write: Write) -> None:
    mail = read(
        write(sender='"Müller, Jörg" <joerg@mueller.test>', subject="Grüße – ご注文", cc="佐藤 <sato@example.test>")
    )

    assert mail.sender == Address("Müller, Jörg", "joerg@mueller.test")
    assert mail.subject == "Grüße – ご注文"
    assert mail.cc == (Address("佐藤", "sato@example.test"),)


def test_a_sender_without_a_name_is_called_by_the_part_before_the_at(read: Read, write: Write) -> None:
    mail = read(write(sender="news@letter.test"))

    assert mail.sender.name == "news"


def test_the_html_part_is_shown_when_there_are_both(read: Read, write: Write) -> None:
    mail = read(write(text="plain", html="<p>rich</p>"))

    assert mail.body.html == "<p>rich</p>"


def test_the_date_is_kept_in_the_accounts_time_zone(read: Read, write: Write, now: datetime) -> None:
    mail = read(write(date="2025-06-01T23:30:00+00:00"))

    assert mail.date.isoformat() == "2025-06-02T01:30:00+02:00"
    assert mail.date.utcoffset() == now.utcoffset()


@pytest.mark.parametrize("date", [b"", b"Date: sometime soon\n"])
def test_a_date_that_cannot_be_read_becomes_the_present(date: bytes, read: Read, now: datetime) -> None:
    mail = read(b"From: a@b.test\n" + date + b"Subject: x\n\nhello")

    assert mail.date == now


def test_an_unknown_charset_is_no_reason_to_fail(read: Read) -> None:
    mail = read(b"From: a@b.test\nContent-Type: text/plain; charset=klingon\n\ncaf\xc3\xa9 \xff")

    assert mail.body.text.startswith("café")


def test_attachments_are_listed_with_their_content(read: Read, write: Write) -> None:
    mail = read(write(files={"Rechnung März.pdf": b"%PDF", "b.pdf": b"2"}))

    assert [(file.name, file.content) for file in mail.attachments] == [("Rechnung März.pdf", b"%PDF"), ("b.pdf", b"2")]


def test_a_forwarded_mail_is_one_file_and_its_own_files_are_not(read: Read, write: Write) -> None:
    outer = write(text="see attached")
    outer.add_attachment(write(subject="inner", files={"inside.pdf": b"%PDF"}))

    mail = read(outer)

    assert [file.type for file in mail.attachments] == ["message/rfc822"]
    assert b"inner" in mail.attachments[0].content


def test_the_snippet_leaves_out_the_quotation(read: Read, write: Write) -> None:
    mail = read(write(text="Yes,\nwe do.\n\nOn Mon, Jun 2, 2025 at 9:00 AM Dana Wells wrote:\n> Do you agree?\n"))

    assert mail.snippet == "Yes, we do."
    assert "Do you agree?" in mail.body.text


def test_ids_depend_on_nothing_but_the_file(read: Read, write: Write) -> None:
    first, again, other = read(write(), "a.eml"), read(write(), "a.eml"), read(write(), "b.eml")

    assert first.id == again.id != other.id
    assert len(first.id) == 16
    assert int(first.id, 16) > 0


def test_initial_labels_come_from_the_takeout_header(read: Read, write: Write) -> None:
    assert read(write(x_gmail_labels="Inbox, To do , Opened")).initial_labels == ("Inbox", "To do", "Opened")
    assert read(write()).initial_labels is None


def test_what_is_no_address_is_left_out() -> None:
    assert parse_addresses("Bob <bob@stone.test>, nobody, ann@lee.test") == (
        Address("Bob", "bob@stone.test"),
        Address("ann", "ann@lee.test"),
    )


def test_headers_in_plain_utf_8_are_read_as_newer_mail_means_them(read: Read) -> None:
    raw = (
        "From: Žofie Nováková <zofie@praha.test>\nTo: Dana <dana@acme.test>\nDate: Mon, 2 Jun 2025 09:14:00 +0200\n"
        "Subject: Grüße aus Köln\nMessage-ID: <a@b>\n\nHi\n"
    ).encode()

    mail = read(raw)

    assert (mail.sender, mail.subject) == (Address("Žofie Nováková", "zofie@praha.test"), "Grüße aus Köln")


def test_headers_in_no_known_charset_can_still_be_shown(read: Read) -> None:
    mail = read(b"From: a@b.test\nDate: Mon, 2 Jun 2025 09:14:00 +0200\nSubject: K\xf6ln\n\nHi\n")

    assert mail.subject.encode("utf-8").decode() == "K\ufffdln"
