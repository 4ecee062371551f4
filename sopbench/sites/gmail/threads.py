"""Which mails belong to one conversation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sopbench.sites.gmail.mail import Mail

_PREFIX = re.compile(
    r"^\s*(?:re|fwd?|aw|wg|sv|vs|antw|tr|rv|res|odp|ynt|回复|答复|转发|返信)\s*(?:\[\d+\])?\s*[:：]\s*", re.IGNORECASE
)


@dataclass
class Thread:
    """A conversation; its mails are in order of time and never none."""

    id: str
    """16 hexadecimal digits: the id of its first mail."""
    mails: list[Mail]

    @property
    def subject(self) -> str:
        """The subject its first mail gave it."""
        return self.mails[0].subject


def plain_subject(subject: str) -> str:
    """The subject without ``Re:``, ``Fwd:`` and the like, in one case, with single blanks."""
    previous = None
    while subject != previous:
        previous, subject = subject, _PREFIX.sub("", subject, count=1)
    return " ".join(subject.split()).casefold()


def group(mails: Iterable[Mail]) -> list[Thread]:
    """Put mails that refer to each other, or to the same lost mail, into one thread as long as the subject stays.

    A reply whose program left out the reference joins an earlier mail of the same subject between the same people.
    """
    ordered = sorted(mails, key=lambda mail: (mail.date, mail.id))
    threads: list[list[Mail]] = []
    by_key: dict[tuple[str, str], list[Mail]] = {}
    for mail in ordered:
        subject = plain_subject(mail.subject)
        keys = [(name, subject) for name in (mail.message_id, *mail.references)]
        homes = _distinct(by_key[key] for key in keys if key in by_key)
        if not homes and not mail.references and _PREFIX.match(mail.subject):
            homes = [old for old in threads if plain_subject(old[-1].subject) == subject and _acquainted(old, mail)][
                -1:
            ]
        home = homes[0] if homes else []
        if not homes:
            threads.append(home)
        home.append(mail)
        for other in homes[1:]:
            home += other
            threads = [kept for kept in threads if kept is not other]
            by_key = {key: home if value is other else value for key, value in by_key.items()}
        by_key |= dict.fromkeys(keys, home)
    for members in threads:
        members.sort(key=lambda mail: (mail.date, mail.id))
    return [Thread(members[0].id, members) for members in threads]


def _distinct(lists: Iterable[list[Mail]]) -> list[list[Mail]]:
    found: list[list[Mail]] = []
    for one in lists:
        if not any(one is other for other in found):
            found.append(one)
    return found


def _acquainted(thread: list[Mail], mail: Mail) -> bool:
    """Whether the sender took part in the thread before."""
    people = {person.email.casefold() for old in thread for person in (old.sender, *old.to, *old.cc)}
    return mail.sender.email.casefold() in people
