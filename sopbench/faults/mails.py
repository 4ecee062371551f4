"""Mails that faults bring into the mock mailbox."""

from __future__ import annotations

from email.message import EmailMessage
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import datetime


def letter(
    *, sender: str, to: str, subject: str, text: str, html: str = "", date: datetime, number: int
) -> tuple[str, bytes]:
    """A mail as a file would hold it: its name and its content."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Date"] = sender, to, format_datetime(date)
    mail["Subject"] = subject
    mail["Message-ID"] = f"<arrived-{number}@fault.example>"
    mail.set_content(text)
    if html:
        mail.add_alternative(html, subtype="html")
    return f"arrived-{number}.eml", mail.as_bytes()


def deliver(site: Any, *, sender: str, subject: str, text: str, html: str = "") -> None:
    """Let a mail arrive now."""
    box = site.mailbox
    to = f"{box.me.name} <{box.me.email}>"
    number = len(box.threads)
    box.deliver(*letter(sender=sender, to=to, subject=subject, text=text, html=html, date=box.now(), number=number))
