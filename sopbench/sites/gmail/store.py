"""The mailbox of the account: its conversations, the labels they carry, and what is done to them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from sopbench.sites.gmail import sanitizer
from sopbench.sites.gmail.mail import Address, Mail, parse_addresses, parse_mail, read_mail, stable_id
from sopbench.sites.gmail.search import Labels, Query, label_key, parse
from sopbench.sites.gmail.threads import Thread, group

if TYPE_CHECKING:
    from sopbench.trials.case import SiteCase

SYSTEM = frozenset({"INBOX", "UNREAD", "STARRED", "IMPORTANT", "SENT", "DRAFT", "TRASH", "SPAM"})
_KNOWN = {name.casefold(): name for name in SYSTEM} | {"drafts": "DRAFT"}
_NO_LABELS = frozenset({"opened", "archived", "all mail", "chat"})
_MOVES = {"INBOX": {"TRASH", "SPAM"}, "TRASH": {"INBOX", "SPAM"}, "SPAM": {"INBOX", "TRASH"}}


class Refused(ValueError):
    """Something that cannot be done; the message is fit to be shown to the person."""


@dataclass
class Letter:
    """What is written in the compose window."""

    to: str = ""
    cc: str = ""
    subject: str = ""
    text: str = ""
    thread: str | None = None
    """The conversation that is answered."""
    draft: str | None = None
    """The draft, by its mail id, that this replaces."""


@dataclass
class Mailbox:
    """Conversations and their labels. Safe to read from another thread while the site serves."""

    me: Address
    now: Callable[[], datetime]
    threads: dict[str, Thread] = field(default_factory=dict)
    _labels: dict[str, set[str]] = field(default_factory=dict)
    """Mail id → labels."""
    _names: dict[str, str] = field(default_factory=dict)
    """User labels by their name in lower case."""
    _undo: dict[str, dict[str, set[str]]] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @classmethod
    def of_case(cls, case: SiteCase, now: Callable[[], datetime]) -> Mailbox:
        """Read the mailbox folder of a case. The labels the case expects exist from the start, on no mail."""
        box = cls(Address(case.account.name, case.account.email), now)
        mails = [read_mail(path, case.now.tzinfo, case.now) for path in case.mails()]
        box.threads = {thread.id: thread for thread in group(mails)}
        for name in case.labels:
            box.create_label(name)
        for mail in mails:
            box._labels[mail.id] = box._initial(mail)
        return box

    def user_labels(self) -> list[str]:
        """Names of the user's labels in alphabetical order."""
        with self._lock:
            return sorted(self._names.values(), key=str.casefold)

    def files_by_label(self) -> dict[str, list[str]]:
        """User label → sorted names of the .eml files whose conversation carries it; labels on no mail are empty."""
        with self._lock:
            found: dict[str, set[str]] = {name: set() for name in self.user_labels()}
            for thread in self.threads.values():
                for name in self.labels_of(thread) - SYSTEM:
                    found[name] |= {mail.file for mail in thread.mails if mail.file}
            return {name: sorted(files) for name, files in found.items()}

    def written(self) -> list[tuple[Mail, bool]]:
        """The mails that were written here, oldest first, each with whether it was sent."""
        with self._lock:
            mails = [mail for thread in self.threads.values() for mail in thread.mails if mail.file is None]
            found = [(mail, "SENT" in self._labels[mail.id]) for mail in mails]
        return sorted(found, key=lambda each: (each[0].date, each[0].id))

    def labels(self, mail: Mail) -> Labels:
        """The labels one mail carries."""
        return frozenset(self._labels[mail.id])

    def labels_of(self, thread: Thread) -> Labels:
        """The labels any mail of the conversation carries."""
        return frozenset().union(*(self._labels[mail.id] for mail in thread.mails))

    def search(self, query: str) -> list[Thread]:
        """Conversations with at least one mail that fits the whole query, newest first."""
        return self._select(parse(query, self.now(), self.me.email))

    def carrying(self, label: str) -> list[Thread]:
        """Conversations with a label, newest first; all that are neither trash nor spam for an empty label."""
        everywhere = label in {"TRASH", "SPAM"}
        return self._select(Query(lambda _mail, labels: not label or label in labels, everywhere))

    def change(self, ids: Iterable[str], add: Iterable[str], remove: Iterable[str]) -> str:
        """Add labels to conversations and take others away; unknown user labels are created.

        Returns a token for `undo`. Raises: KeyError for an unknown conversation, Refused for an impossible label.
        """
        with self._lock:
            threads = [self.threads[one] for one in ids]
            adding = [self._canonical(name) for name in add]
            removing = {name if name in SYSTEM else self._names.get(name.casefold(), name) for name in remove}
            token = f"u{len(self._undo) + 1}"
            self._undo[token] = {m.id: set(self._labels[m.id]) for thread in threads for m in thread.mails}
            for thread in threads:
                for mail in thread.mails:
                    labels = self._labels[mail.id]
                    labels -= removing
                    for name in adding:
                        labels -= _MOVES.get(name, set())
                        if name not in {"UNREAD", "STARRED"} or mail is thread.mails[-1]:
                            labels.add(name)
            return token

    def undo(self, token: str) -> None:
        """Put the labels back as they were before a change. Raises: KeyError for an unknown or used token."""
        with self._lock:
            self._labels |= self._undo.pop(token)

    def create_label(self, name: str) -> str:
        """Make a user label and return its name as kept. Raises: Refused when empty, reserved or there already."""
        with self._lock:
            name = " ".join(name.split())
            if not name:
                raise Refused("Please enter a label name.")
            if name.casefold() in _KNOWN:
                raise Refused(f"Invalid label name: {name}. It is a reserved system label.")
            if any(label_key(name) == label_key(old) for old in self._names.values()):
                raise Refused("The label name you have chosen already exists. Please try another name:")
            self._names[name.casefold()] = name
            return name

    def send(self, letter: Letter) -> Thread:
        """Send a letter: it lands in Sent, and in the inbox when it is to oneself. Raises: Refused."""
        if not parse_addresses(f"{letter.to},{letter.cc}"):
            raise Refused("Please specify at least one recipient.")
        with self._lock:
            mail, thread = self._post(letter)
            self._labels[mail.id] = {"SENT"}
            if any(self._is_me(person) for person in (*mail.to, *mail.cc)):
                self._labels[mail.id] |= {"INBOX", "UNREAD"}
            return thread

    def deliver(self, name: str, content: bytes) -> Thread:
        """A mail arrives, as a conversation of its own; ``name`` is what its file would be called."""
        now = self.now()
        mail = parse_mail(name, content, now.tzinfo, now)
        with self._lock:
            self._labels[mail.id] = self._initial(mail)
            thread = Thread(mail.id, [mail])
            self.threads[thread.id] = thread
            return thread

    def rewrite(self, change: Callable[[Mail], Mail]) -> None:
        """Put other mails in place of those that are there; a mail keeps its id."""
        with self._lock:
            for thread in self.threads.values():
                thread.mails = [change(mail) for mail in thread.mails]

    def save_draft(self, letter: Letter) -> Mail:
        """Keep an unfinished letter; it takes the place of its earlier version."""
        with self._lock:
            mail, _thread = self._post(letter)
            self._labels[mail.id] = {"DRAFT"}
            return mail

    def discard(self, draft: str | None) -> None:
        """Throw a draft away; one that is not there is no error."""
        with self._lock:
            for thread in list(self.threads.values()):
                kept = [mail for mail in thread.mails if mail.id != draft or "DRAFT" not in self._labels[mail.id]]
                if not kept:
                    del self.threads[thread.id]
                thread.mails = kept

    def _post(self, letter: Letter) -> tuple[Mail, Thread]:
        self.discard(letter.draft)
        number = str(len(self._labels))
        answered = self.threads.get(letter.thread or "")
        mail = Mail(
            id=letter.draft or stable_id("written here", number),
            file=None,
            message_id=f"<{stable_id('written here', number)}@mail.gmail.com>",
            references=tuple(old.message_id for old in answered.mails) if answered else (),
            date=self.now(),
            sender=self.me,
            to=parse_addresses(letter.to),
            cc=parse_addresses(letter.cc),
            subject=" ".join(letter.subject.split()),
            body=sanitizer.from_text(letter.text),
        )
        thread = answered or Thread(mail.id, [])
        thread.mails.append(mail)
        self.threads[thread.id] = thread
        return mail, thread

    def _select(self, query: Query) -> list[Thread]:
        with self._lock:
            found = [t for t in self.threads.values() if any(query.matches(m, self.labels(m)) for m in t.mails)]
        return sorted(found, key=lambda thread: (thread.mails[-1].date, thread.id), reverse=True)

    def _initial(self, mail: Mail) -> set[str]:
        if mail.initial_labels is None:
            if not self._is_me(mail.sender):
                return {"INBOX", "UNREAD"}
            return {"SENT", "INBOX"} if any(self._is_me(person) for person in mail.to) else {"SENT"}
        names = [n for n in mail.initial_labels if n.casefold() not in _NO_LABELS and not n.startswith("Category ")]
        return {self._canonical(name) for name in names}

    def _canonical(self, name: str) -> str:
        """The name a label is kept under; a user label that is not there yet is created."""
        if system := _KNOWN.get(name.casefold()):
            return system
        return self._names.get(name.casefold()) or self.create_label(name)

    def _is_me(self, person: Address) -> bool:
        return person.email.casefold() == self.me.email.casefold()
