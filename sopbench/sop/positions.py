"""Where in a JSON text a JSON pointer stands, and which keys stand twice in one object."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from sopbench.sop.walk import escape

_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


@dataclass
class _Open:
    """An object or array that is being read."""

    pointer: str
    is_object: bool
    step: str = "0"
    """Key or index of what comes next."""
    seen: set[str] = field(default_factory=set)


class Positions:
    """Places of the values in a text that is known to be well-formed JSON. Lines and columns count from 1."""

    def __init__(self, text: str) -> None:
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        self._offsets: dict[str, int] = {}
        self.duplicates: list[str] = []
        """Pointers of keys that stand again in their object, in the order of the text. A pointer leads to the last."""
        for pointer, offset in self._scan(text):
            self._offsets[pointer] = offset

    def of(self, pointer: str) -> tuple[int, int]:
        """Line and column of the value; of the nearest value around it if there is none there."""
        while pointer not in self._offsets and pointer:
            pointer = pointer.rpartition("/")[0]
        return self.at(self._offsets.get(pointer, 0))

    def offset(self, pointer: str) -> int:
        """Where the value begins, in characters from 0. Raises: KeyError when there is none there."""
        return self._offsets[pointer]

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column of a place in the text."""
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def _scan(self, text: str) -> Iterator[tuple[str, int]]:
        around: list[_Open] = []
        is_key = False
        for match in _PIECE.finditer(text):
            piece = match[0]
            if piece in "}]":
                around.pop()
                is_key = False
            elif piece == ",":
                is_key = around[-1].is_object
                if not is_key:
                    around[-1].step = str(int(around[-1].step) + 1)
            elif piece == ":":
                is_key = False
            elif is_key:
                self._note_key(around[-1], json.loads(piece, strict=False))
            else:
                pointer = f"{around[-1].pointer}/{around[-1].step}" if around else ""
                yield pointer, match.start()
                if piece in "{[":
                    is_key = piece == "{"
                    around.append(_Open(pointer, is_key))

    def _note_key(self, holder: _Open, key: str) -> None:
        holder.step = escape(key)
        if key in holder.seen:
            self.duplicates.append(f"{holder.pointer}/{holder.step}")
        holder.seen.add(key)
