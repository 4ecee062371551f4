"""What the pages are told: rows of a list, a conversation, the counts beside the folders, all as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sopbench.sites.gmail import dates
from sopbench.sites.gmail.store import SYSTEM

if TYPE_CHECKING:
    from datetime import datetime

    from sopbench.sites.gmail.mail import Address, Mail
    from sopbench.sites.gmail.store import Mailbox
    from sopbench.sites.gmail.threads import Thread

PAGE = 50
_FOLDERS = {"inbox": "INBOX", "starred": "STARRED", "sent": "SENT", "drafts": "DRAFT", "all": "", "spam": "SPAM",
            "trash": "TRASH"}  # fmt: skip


def navigation(box: Mailbox) -> dict[str, Any]:
    """Unread counts of the inbox and of each user label, and the number of drafts."""
    labels = [{"name": name, "unread": _unread(box, name)} for name in box.user_labels()]
    return {"inbox": _unread(box, "INBOX"), "drafts": len(box.carrying("DRAFT")), "labels": labels}


def listing(box: Mailbox, view: str, argument: str, page: int) -> dict[str, Any]:
    """One page of a list: ``search`` with a query, ``label`` with a name, or a folder.

    Raises: KeyError for a view that does not exist.
    """
    if view == "search":
        threads = box.search(argument)
    elif view == "label":
        names = {name.casefold(): name for name in box.user_labels()}
        threads = box.carrying(names[argument.casefold()]) if argument.casefold() in names else []
    else:
        threads = box.carrying(_FOLDERS[view])
    start = max(0, page - 1) * PAGE
    rows = [_row(box, thread, view, argument) for thread in threads[start : start + PAGE]]
    return {"total": len(threads), "start": start, "rows": rows, "navigation": navigation(box)}


def conversation(box: Mailbox, thread: Thread) -> dict[str, Any]:
    """Everything of one conversation."""
    now = box.now()
    return {
        "id": thread.id,
        "number": str(int(thread.id, 16)),
        "subject": thread.subject or "(no subject)",
        "labels": _user_labels(box, thread),
        "inbox": "INBOX" in box.labels_of(thread),
        "messages": [_message(box, thread, mail, now) for mail in thread.mails],
    }


def _unread(box: Mailbox, label: str) -> int:
    return sum("UNREAD" in box.labels_of(thread) for thread in box.carrying(label))


def _user_labels(box: Mailbox, thread: Thread) -> list[str]:
    return sorted(box.labels_of(thread) - SYSTEM, key=str.casefold)


def _person(box: Mailbox, person: Address) -> dict[str, str]:
    mine = person.email.casefold() == box.me.email.casefold()
    return {"name": person.name, "email": person.email, "short": "me" if mine else person.name.split(" ")[0]}


def _row(box: Mailbox, thread: Thread, view: str, argument: str) -> dict[str, Any]:
    last = thread.mails[-1]
    labels = box.labels_of(thread)
    shown = ["Inbox"] if "INBOX" in labels and view not in {"inbox", "sent"} else []
    shown += [name for name in _user_labels(box, thread) if view != "label" or name.casefold() != argument.casefold()]
    return {
        "id": thread.id,
        "number": str(int(thread.id, 16)),
        "last": last.id,
        "unread": "UNREAD" in labels,
        "starred": "STARRED" in labels,
        "people": _people(box, thread, view),
        "count": len(thread.mails),
        "subject": thread.subject or "(no subject)",
        "snippet": last.snippet,
        "labels": shown,
        "userLabels": _user_labels(box, thread),
        "inbox": "INBOX" in labels,
        "files": [file.name for mail in thread.mails for file in mail.attachments],
        "date": dates.in_list(last.date, box.now()),
        "title": dates.full(last.date),
        "draft": _draft(last) if "DRAFT" in box.labels(last) and view == "drafts" else None,
    }


def _people(box: Mailbox, thread: Thread, view: str) -> list[dict[str, Any]]:
    """Whose names stand in the row: the senders in order, or the recipients in Sent."""
    if view == "sent":
        mine = [mail for mail in thread.mails if "SENT" in box.labels(mail)]
        people = {p.email.casefold(): (p, False) for mail in mine for p in (*mail.to, *mail.cc)}
    else:
        people = {}
        for mail in thread.mails:
            unread = "UNREAD" in box.labels(mail) or people.get(mail.sender.email.casefold(), (None, False))[1]
            people[mail.sender.email.casefold()] = (mail.sender, unread)
    entries = [{**_person(box, person), "unread": unread} for person, unread in people.values()]
    for entry in entries:
        if len(entries) == 1 and entry["short"] != "me":
            entry["short"] = entry["name"]
    return entries


def _draft(mail: Mail) -> dict[str, str]:
    return {"id": mail.id, "to": ", ".join(person.email for person in mail.to), "subject": mail.subject,
            "cc": ", ".join(person.email for person in mail.cc), "text": mail.body.text}  # fmt: skip


def _message(box: Mailbox, thread: Thread, mail: Mail, now: datetime) -> dict[str, Any]:
    labels = box.labels(mail)
    link = f"/mail/u/0/?view=att&th={mail.id}"
    return {
        "id": mail.id,
        "number": str(int(mail.id, 16)),
        "from": _person(box, mail.sender),
        "to": [_person(box, person) for person in mail.to],
        "cc": [_person(box, person) for person in mail.cc],
        "date": dates.in_message(mail.date, now),
        "short": dates.in_list(mail.date, now),
        "title": dates.full(mail.date),
        "subject": mail.subject or thread.subject,
        "snippet": mail.snippet,
        "html": mail.body.html,
        "text": mail.body.text,
        "unread": "UNREAD" in labels,
        "starred": "STARRED" in labels,
        "draft": "DRAFT" in labels,
        "files": [
            {"name": file.name, "type": file.type, "size": len(file.content), "href": f"{link}&attid=0.{number}"}
            for number, file in enumerate(mail.attachments, start=1)
        ],
    }
