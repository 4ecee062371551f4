"""The mailbox: what it holds at first, and what is done to it."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage

import pytest

from sopbench.sites.gmail.store import Letter, Mailbox, Refused
from sopbench.trials.case import SiteCase

MakeCase = Callable[..., SiteCase]
Write = Callable[..., EmailMessage]


@pytest.fixture
def box(case: SiteCase) -> Mailbox:
    """The sample morning."""
    return Mailbox.of_case(case, lambda: case.now)


def _subjects(box: Mailbox, label: str) -> list[str]:
    return [thread.subject for thread in box.carrying(label)]


def test_folders_show_conversations_newest_first(box: Mailbox) -> None:
    assert _subjects(box, "INBOX") == ["Offer 4711", "Rechnung für Mai", "ご注文の確認", "Spring news"]
    assert _subjects(box, "SENT") == ["Offer 4711"]
    assert len(_subjects(box, "")) == 5


def test_labels_of_the_header_and_of_the_case_exist(box: Mailbox) -> None:
    assert box.user_labels() == ["Customers", "Processed"]
    assert box.files_by_label() == {"Customers": ["05-hello.eml", "07-archived.eml"], "Processed": []}


def test_a_label_goes_on_every_mail_of_a_conversation(box: Mailbox) -> None:
    offer = box.search("subject:offer")[0]

    box.change([offer.id], ["processed"], ["INBOX"])

    assert box.files_by_label()["Processed"] == ["01-offer.eml", "02-answer.eml", "03-accepted.eml"]
    assert "Offer 4711" not in _subjects(box, "INBOX")


def test_undo_puts_things_back_once(box: Mailbox) -> None:
    offer = box.search("subject:offer")[0]
    token = box.change([offer.id], ["Processed"], ["INBOX"])

    box.undo(token)

    assert box.files_by_label()["Processed"] == []
    assert "Offer 4711" in _subjects(box, "INBOX")
    with pytest.raises(KeyError):
        box.undo(token)


def test_what_is_thrown_away_is_only_in_the_trash(box: Mailbox) -> None:
    offer = box.search("subject:offer")[0]

    box.change([offer.id], ["TRASH"], [])

    assert box.search("subject:offer") == []
    assert box.search("in:trash") == [offer] == box.carrying("TRASH")
    assert "Offer 4711" not in _subjects(box, "")


def test_unread_and_star_go_on_the_last_mail_only(box: Mailbox) -> None:
    offer = box.search("subject:offer")[0]

    box.change([offer.id], ["UNREAD", "STARRED"], [])

    assert [{"UNREAD", "STARRED"} <= box.labels(mail) for mail in offer.mails] == [False, False, True]


@pytest.mark.parametrize("name", ["", "  ", "inbox", "Trash", "PROCESSED", "customers"])
def test_a_label_needs_a_name_of_its_own(name: str, box: Mailbox) -> None:
    with pytest.raises(Refused):
        box.create_label(name)


def test_a_new_label_is_made_by_using_it(box: Mailbox) -> None:
    offer = box.search("subject:offer")[0]

    box.change([offer.id], ["Later/Soon"], [])

    assert box.search("label:later-soon") == [offer]


def test_a_letter_is_sent_and_answers_join_their_conversation(box: Mailbox) -> None:
    offer = box.search("subject:offer")[0]

    box.send(Letter(to="Bob <bob@stone.test>", subject="Re: Offer 4711", text="Great", thread=offer.id))
    box.send(Letter(to="dana@acme.test", subject="Note to self"))

    assert _subjects(box, "SENT") == sorted(["Offer 4711", "Note to self"], key=_subjects(box, "SENT").index)
    assert [mail.file for mail in offer.mails][-1] is None
    assert "Note to self" in _subjects(box, "INBOX")


def test_a_letter_without_recipient_is_refused(box: Mailbox) -> None:
    with pytest.raises(Refused, match="at least one recipient"):
        box.send(Letter(to="nobody", text="hello"))


def test_a_draft_is_replaced_sent_or_thrown_away(box: Mailbox) -> None:
    first = box.save_draft(Letter(subject="Plan"))
    second = box.save_draft(Letter(subject="Better plan", draft=first.id))
    assert _subjects(box, "DRAFT") == ["Better plan"]

    box.send(Letter(to="bob@stone.test", subject="Better plan", draft=second.id))

    assert _subjects(box, "DRAFT") == []
    assert "Better plan" in _subjects(box, "SENT")


def test_the_same_case_has_the_same_conversations(case: SiteCase) -> None:
    one, two = (Mailbox.of_case(case, lambda: case.now) for _ in range(2))

    assert list(one.threads) == list(two.threads)


def test_an_empty_mailbox_is_fine(make_case: MakeCase) -> None:
    box = Mailbox.of_case(case := make_case({}), lambda: case.now)

    assert box.carrying("INBOX") == []
    assert box.files_by_label() == {}
