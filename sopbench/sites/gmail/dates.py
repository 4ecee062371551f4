"""Dates as the mail pages show them: in the account's time zone, relative to the present of the case."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_RELATIVE_DAYS = 14


def clock(when: datetime) -> str:
    """``9:14 AM``."""
    return f"{when.hour % 12 or 12}:{when.minute:02d} {'AM' if when.hour < 12 else 'PM'}"


def full(when: datetime) -> str:
    """``Mon, Jun 2, 2025, 9:14 AM``: the title of every date."""
    return f"{_DAYS[when.weekday()]}, {_MONTHS[when.month - 1]} {when.day}, {when.year}, {clock(when)}"


def in_list(when: datetime, now: datetime) -> str:
    """``9:14 AM`` today, ``Jun 1`` this year, ``4/2/24`` in other years. Both must be in the account's time zone."""
    if when.date() == now.date():
        return clock(when)
    if when.year == now.year:
        return f"{_MONTHS[when.month - 1]} {when.day}"
    return f"{when.month}/{when.day}/{when.year % 100:02d}"


def in_message(when: datetime, now: datetime) -> str:
    """The date in a message's header: ``9:14 AM (2 hours ago)``, ``Sun, Jun 1, 9:14 AM (1 day ago)``."""
    if when.date() == now.date():
        text = clock(when)
    elif when.year == now.year:
        text = f"{_DAYS[when.weekday()]}, {_MONTHS[when.month - 1]} {when.day}, {clock(when)}"
    else:
        text = full(when)
    ago = _ago(when, now)
    return f"{text} ({ago})" if ago else text


def _ago(when: datetime, now: datetime) -> str:
    seconds = (now - when).total_seconds()
    days = (now.date() - when.date()).days
    if seconds < 0 or days > _RELATIVE_DAYS:
        return ""
    if days > 0:
        return _count(days, "day")
    if seconds >= 3600:
        return _count(int(seconds // 3600), "hour")
    return _count(int(seconds // 60), "minute")


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'} ago"
