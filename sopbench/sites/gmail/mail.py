"""One mail: an .eml file read into what the site shows and searches."""

from __future__ import annotations

import email.policy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import getaddresses, parsedate_to_datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from sopbench.sites.gmail import sanitizer

if TYPE_CHECKING:
    from datetime import tzinfo
    from pathlib import Path

_SNIPPET = 180


@dataclass(frozen=True)
class Address:
    """A person. ``name`` falls back to the part before the @."""

    name: str
    email: str


@dataclass(frozen=True)
class Attachment:
    """A file that came with a mail."""

    name: str
    type: str
    content: bytes


@dataclass(frozen=True)
class Mail:
    """One message, without the state a reader gives it (labels, read or not)."""

    id: str
    """16 hexadecimal digits, the same whenever the same file is read."""
    file: str | None
    """Name of the .eml file; None when it was written on the site."""
    message_id: str
    references: tuple[str, ...]
    date: datetime
    """In the account's time zone."""
    sender: Address
    to: tuple[Address, ...]
    cc: tuple[Address, ...]
    subject: str
    body: sanitizer.Body
    attachments: tuple[Attachment, ...] = ()
    initial_labels: tuple[str, ...] | None = None
    """As the X-Gmail-Labels header lists them; None when there is no such header."""

    @property
    def snippet(self) -> str:
        """The first words, on one line."""
        return " ".join((self.body.fresh or self.body.text).split())[:_SNIPPET]

    def written(self, text: str) -> Mail:
        """The same mail with another plain-text body."""
        return replace(self, body=sanitizer.from_text(text))


def stable_id(*parts: str) -> str:
    """16 hexadecimal digits, beginning with 1 as the real ones do."""
    return "1" + sha256("\0".join(parts).encode()).hexdigest()[:15]


def read_mail(path: Path, zone: tzinfo | None, fallback: datetime) -> Mail:
    """Read an .eml file. A date that cannot be read becomes ``fallback``; odd charsets are replaced, never fatal."""
    return parse_mail(path.name, path.read_bytes(), zone, fallback)


def parse_mail(name: str, content: bytes, zone: tzinfo | None, fallback: datetime) -> Mail:
    """A mail of this content, as if it lay in a file of this name."""
    message = BytesParser(EmailMessage, policy=email.policy.default).parsebytes(content)
    message_id = _text(message, "message-id")
    labels = message.get("x-gmail-labels")
    senders = _addresses(message, "from") or (Address("(unknown sender)", ""),)
    return Mail(
        id=stable_id(name, message_id),
        file=name,
        message_id=message_id or f"<{name}>",
        references=tuple(dict.fromkeys(f"{_text(message, 'references')} {_text(message, 'in-reply-to')}".split())),
        date=_date(message, fallback).astimezone(zone),
        sender=senders[0],
        to=_addresses(message, "to"),
        cc=_addresses(message, "cc"),
        subject=" ".join(_text(message, "subject").split()),
        body=_body(message),
        attachments=tuple(_attachment(part) for part in _files(message)),
        initial_labels=None if labels is None else tuple(n.strip() for n in str(labels).split(",") if n.strip()),
    )


def parse_addresses(source: str) -> tuple[Address, ...]:
    """Read ``Dana Wells <dana@acme.test>, bob@acme.test``; what is no address is left out."""
    return tuple(_address(name, spec) for name, spec in getaddresses([source]) if "@" in spec)


def _address(name: str, spec: str) -> Address:
    return Address(" ".join(_readable(name).split()) or spec.split("@", maxsplit=1)[0], _readable(spec))


def _text(message: EmailMessage, name: str) -> str:
    return _readable(str(message.get(name, ""))).strip()


def _readable(header: str) -> str:
    """A header whose bytes are UTF-8 without more ado, as newer mail has them (RFC 6532), as text."""
    return header.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _addresses(message: EmailMessage, name: str) -> tuple[Address, ...]:
    found: list[Address] = []
    for value in message.get_all(name, []):
        parsed = getattr(value, "addresses", None)
        if parsed:
            found += [_address(one.display_name, one.addr_spec) for one in parsed if one.addr_spec]
        else:
            found += parse_addresses(str(value))
    return tuple(found)


def _date(message: EmailMessage, fallback: datetime) -> datetime:
    for value in (_text(message, "date"), _text(message, "received").rpartition(";")[2]):
        try:
            when = parsedate_to_datetime(value.strip())
        except (ValueError, TypeError, IndexError):
            continue
        return when if when.tzinfo else when.replace(tzinfo=UTC)
    return fallback


def _body(message: EmailMessage) -> sanitizer.Body:
    part = message.get_body(("html", "plain"))
    if not isinstance(part, EmailMessage):
        return sanitizer.from_text("")
    content = _decoded(part)
    return sanitizer.from_html(content) if part.get_content_subtype() == "html" else sanitizer.from_text(content)


def _decoded(part: EmailMessage) -> str:
    try:
        return str(part.get_content())
    except (LookupError, UnicodeError, ValueError):
        return _bytes(part).decode("utf-8", "replace")


def _bytes(part: EmailMessage) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _files(message: EmailMessage) -> list[EmailMessage]:
    """The parts that are files of their own, in order; a forwarded mail counts as one file."""
    found: list[EmailMessage] = []
    for part in message.iter_parts() if message.is_multipart() else ():
        if not isinstance(part, EmailMessage):
            continue
        if part.get_content_maintype() == "multipart":
            found += _files(part)
        elif part.get_content_disposition() == "attachment" or _is_file(part):
            found.append(part)
    return found


def _is_file(part: EmailMessage) -> bool:
    """Whether a part without the word "attachment" is one all the same; pictures of the text are not."""
    named = bool(part.get_filename()) and not part.get("content-id")
    return named or part.get_content_type() == "message/rfc822"


def _attachment(part: EmailMessage) -> Attachment:
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload(0)
        content = inner.as_bytes() if isinstance(inner, EmailMessage) else b""
        return Attachment(part.get_filename() or "noname.eml", "message/rfc822", content)
    return Attachment(part.get_filename() or "noname", part.get_content_type(), _bytes(part))
