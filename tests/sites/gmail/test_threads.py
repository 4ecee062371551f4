"""Which mails make one conversation."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage

import pytest

from sopbench.sites.gmail.mail import Mail
from sopbench.sites.gmail.threads import group, plain_subject

Read = Callable[..., Mail]
Write = Callable[..., EmailMessage]


@pytest.mark.parametrize(
    "subject", ["Offer", "Re: Offer", "RE:  re: offer", "AW: Fwd: Offer", "Re[2]: Offer", "回复：Offer"]
)
def test_answers_have_the_subject_they_answer(subject: str) -> None:
    assert plain_subject(subject) == "offer"


def test_a_chain_of_references_is_one_conversation_in_order_of_time(read: Read, write: Write) -> None:
    third = read(
        write(subject="Re: A", date="2025-06-03T08:00:00Z", message_id="<3@t>", references="<1@t> <2@t>"), "3.eml"
    )
    first = read(write(subject="A", date="2025-06-01T08:00:00Z", message_id="<1@t>"), "1.eml")
    second = read(write(subject="Re: A", date="2025-06-02T08:00:00Z", message_id="<2@t>", in_reply_to="<1@t>"), "2.eml")

    threads = group([third, first, second])

    assert [mail.file for mail in threads[0].mails] == ["1.eml", "2.eml", "3.eml"]
    assert threads[0].id == first.id
    assert len(threads) == 1


def test_answers_to_a_mail_that_is_not_there_stay_together(read: Read, write: Write) -> None:
    one = read(write(subject="Re: A", message_id="<2@t>", in_reply_to="<lost@t>"), "1.eml")
    two = read(write(subject="Re: A", message_id="<3@t>", references="<lost@t>", date="2025-06-02T10:00:00Z"), "2.eml")

    assert len(group([one, two])) == 1


def test_two_beginnings_are_joined_by_a_later_mail_that_knows_both(read: Read, write: Write) -> None:
    one = read(write(subject="A", message_id="<1@t>"), "1.eml")
    two = read(write(subject="A", message_id="<2@t>", date="2025-06-02T10:00:00Z"), "2.eml")
    both = read(
        write(subject="Re: A", message_id="<3@t>", references="<1@t> <2@t>", date="2025-06-02T11:00:00Z"), "3.eml"
    )

    assert len(group([one, two])) == 2
    assert len(group([one, two, both])) == 1


def test_a_new_subject_begins_a_new_conversation(read: Read, write: Write) -> None:
    one = read(write(subject="Offer", message_id="<1@t>"), "1.eml")
    two = read(write(subject="Something else", message_id="<2@t>", in_reply_to="<1@t>"), "2.eml")

    assert len(group([one, two])) == 2


@pytest.mark.parametrize(
    ("subject", "sender", "threads"),
    [
        ("Re: Offer", "bob@stone.test", 1),
        ("Re: Offer", "stranger@else.test", 2),
        ("Offer", "bob@stone.test", 2),
    ],
)
def test_an_answer_without_reference_joins_only_among_the_same_people(
    subject: str, sender: str, threads: int, read: Read, write: Write
) -> None:
    one = read(write(subject="Offer", message_id="<1@t>"), "1.eml")
    two = read(write(subject=subject, sender=sender, message_id="<2@t>", date="2025-06-02T10:00:00Z"), "2.eml")

    assert len(group([one, two])) == threads
