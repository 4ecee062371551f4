"""Identifiers that look like Airtable's and follow from the seed: ``rec`` and 14 letters or digits."""

from __future__ import annotations

import hashlib
import re

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_LENGTH = 14

RECORD_ID = re.compile(r"rec[A-Za-z0-9]{14}")


def identifier(prefix: str, seed: int, *parts: object) -> str:
    """The identifier of whatever ``parts`` name: the same for the same prefix, seed and parts."""
    text = "\x1f".join([prefix, str(seed), *map(str, parts)])
    number = int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
    letters = []
    for _ in range(_LENGTH):
        number, rest = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[rest])
    return prefix + "".join(letters)
