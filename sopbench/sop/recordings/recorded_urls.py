"""Addresses of a recording: what of them will be the same the next time."""

from __future__ import annotations

import re
from collections.abc import Container
from urllib.parse import unquote_plus, urlsplit

_TOKENS = re.compile(
    r"(?:.*[_-])?(?:token|code|state|session|sid|csrf\w*|nonce|sig|signature|auth|key|timestamp|ts|time)|t|v|_+",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\d+"  # a row's number
    r"|[0-9a-f]{8}-[0-9a-f-]{27,}"  # UUID
    r"|[0-9a-f]{16,}"
    r"|.*\d{6,}.*"
    r"|(?=[^/]*\d)(?=[^/]*[A-Za-z])[A-Za-z0-9]{10,}"  # letters and digits that make no word
    r"|[A-Za-z0-9_-]{30,}",
    re.IGNORECASE,
)


def pattern_of(url: str, typed: Container[str] = ()) -> str:
    """``url`` with ``*`` in place of ids, tokens and whatever was typed in this recording.

    >>> pattern_of("https://shop.example/orders/4711/edit?token=abc&tab=items")
    'https://shop.example/orders/*/edit?token=*&tab=items'
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    if not parts.scheme or not parts.netloc:
        return url
    address = f"{parts.scheme}://{parts.netloc}{_path(parts.path)}"
    if parts.query:
        address += "?" + _query(parts.query, typed)
    if parts.fragment:
        path, mark, query = parts.fragment.partition("?")
        address += "#" + _path(path) + mark + _query(query, typed)
    return re.sub(r"\*{2,}", "*", address)


def origin_of(url: str) -> str:
    """``https://shop.example:8443``, or nothing for an address without a host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in {"http", "https"} and parts.netloc else ""


def shown(url: str) -> str:
    """An address as a person would say it, in a few words."""
    text = re.sub(r"^https?://", "", url).split("?")[0].split("#")[0].rstrip("/")
    return text if len(text) <= 60 else text[:59] + "…"


def _path(path: str) -> str:
    return "/".join("*" if _CHANGES.fullmatch(part) else part for part in path.split("/"))


def _query(query: str, typed: Container[str]) -> str:
    pairs = []
    for pair in query.split("&"):
        key, mark, value = pair.partition("=")
        is_id = _CHANGES.fullmatch(value) and not re.fullmatch(r"\d{1,3}", value)
        varies = is_id or _TOKENS.fullmatch(key) or unquote_plus(value) in typed
        pairs.append(f"{key}=*" if mark and value and varies else pair)
    return "&".join(pairs)
