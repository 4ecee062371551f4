"""How figures and values are put in reports: short, on one line, and never rounder than the truth."""

from __future__ import annotations

import json
import unicodedata
from typing import Any


def seconds(duration_s: float) -> str:
    """``43 ms``, ``14.2 s``, ``3 min 05 s``, ``1 h 02 min``."""
    if duration_s < 0.0995:
        return f"{duration_s * 1000:.0f} ms"
    if duration_s < 59.95:
        return f"{duration_s:.1f} s"
    whole = round(duration_s)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def percent(share: float) -> str:
    """One decimal, without the sign; only a whole is ``100.0`` and only nothing ``0.0``."""
    shown = round(share * 100, 1)
    if shown == 100 and share < 1:
        shown = 99.9
    elif shown == 0 and share > 0:
        shown = 0.1
    return f"{shown:.1f}"


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 trial``, ``2 trials``, ``1,204 tokens``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def dollars(cost_usd: float) -> str:
    """Two decimals, or as many as the first two digits take: ``$1.20``, ``$0.0034``."""
    if cost_usd == 0 or cost_usd >= 0.1:
        return f"${cost_usd:,.2f}"
    return f"${cost_usd:.2g}" if cost_usd >= 0.0001 else "under $0.0001"


def one_line(text: str, limit: int = 0) -> str:
    """The text on one line: blanks collapsed, what a terminal might obey taken out, at most ``limit`` characters.

    Texts come from web pages and models; escape sequences and marks that turn the writing direction do not pass.
    ``limit`` 0 means any length.
    """
    plain = "".join(" " if unicodedata.category(char) in _UNSEEN else char for char in text)
    plain = " ".join(plain.split())
    return plain if not limit or len(plain) <= limit else plain[: limit - 1].rstrip() + "…"


def value(data: Any, limit: int = 80) -> str:
    """A value of plain data, short: texts quoted, long lists counted."""
    if isinstance(data, str):
        return f"'{one_line(data, limit - 2)}'"
    if isinstance(data, list | tuple) and len(data) > 3:
        return f"{len(data)} items: " + one_line(_compact(list(data)), limit - 12)
    return one_line(_compact(data), limit)


def fields(data: dict[str, Any], limit: int = 80) -> str:
    """A record as ``name = value`` pairs; each value gets its share of the room, and a long one what others leave."""
    return one_line(", ".join(f"{key} = {value(item, max(24, limit // 2))}" for key, item in data.items()), limit)


def _compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, default=str)


_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
