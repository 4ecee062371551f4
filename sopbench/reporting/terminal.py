"""Lines for a terminal of any width: a left part that gives way, a right part that stays, or a text that wraps."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import ConsoleOptions, RenderableType, RenderResult

WIDEST = 120
"""Columns; beyond it the eye loses the line."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a report. It is cut to the width, unless it wraps or is kept whole."""

    left: Text
    right: str = ""
    """At the right edge; never cut."""
    rows: int = 1
    """How many rows the left part may take; the further ones hang under its text. 0 means never cut it."""
    hang: int = 0
    """Columns by which further rows are indented."""


@dataclass(slots=True)
class Lines:
    """A rich renderable: lines, fitted to the console's width."""

    lines: list[Line] = field(default_factory=list)

    def add(self, *parts: str | tuple[str, str] | Text, right: str = "", rows: int = 1, hang: int = 0) -> None:
        """Add a line of texts, each plain or with a rich style."""
        self.lines.append(Line(Text.assemble(*parts), right, rows, hang))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = min(options.max_width, WIDEST)
        for line in self.lines:
            yield from _fitted(line, width, console)


def _fitted(line: Line, width: int, console: Console) -> Iterator[Text]:
    if line.rows == 0:
        yield _row(line.left.copy())
    elif line.rows == 1:
        room = width - (len(line.right) + 2 if line.right else 0)
        left = line.left.copy()
        left.truncate(room, overflow="ellipsis", pad=bool(line.right))
        yield _row(left.append(f"  {line.right}", style="dim") if line.right else left)
    else:
        wrapped = line.left[line.hang :].wrap(console, max(20, width - line.hang))
        for number, row in enumerate(wrapped[: line.rows], start=1):
            head = line.left[: line.hang] if number == 1 else Text(" " * line.hang)
            if number == line.rows < len(wrapped):
                row.truncate(width - line.hang - 1)
                row.rstrip()
                row.append("…")
            yield _row(head + row)


def _row(text: Text) -> Text:
    text.no_wrap, text.overflow = True, "ignore"
    return text


def text_lines(report: RenderableType, width: int, *, colour: bool) -> list[str]:
    """A report as lines to be written anywhere, with escape sequences only where ``colour`` says so."""
    console = Console(
        file=io.StringIO(),
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        highlight=False,
        legacy_windows=False,
    )
    with console.capture() as capture:
        console.print(report, crop=False, soft_wrap=False)
    return [line.rstrip() for line in capture.get().splitlines()]
