"""Where an address leads, as far as the document itself says it."""

from __future__ import annotations

import re

from sopbench.sop.approval_rules import origin_of

_BEFORE_ANY_TEMPLATE = re.compile(r"(?P<origin>https?://[^\s/?#@\\{}]+)(?:[/?#]|$)", re.IGNORECASE)
"""The origin must have ended before the first template: ``https://api.test{{ more }}`` could be ``api.test.evil``."""


def spelled_out(url: str) -> str | None:
    """The origin of an address whose scheme, host and port stand in it without any template; None otherwise."""
    found = _BEFORE_ANY_TEMPLATE.match(url)
    return (origin_of(found["origin"]) or None) if found else None
