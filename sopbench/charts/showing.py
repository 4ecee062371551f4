"""What a notebook shows: a figure, a text, a table; each knows how to show itself."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.dates import ConciseDateFormatter
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

DPI = 144
WIDTH = 9.0
"""Inches."""
INK, FAINT, GRID = "#1d2733", "#6b7785", "#e3e7eb"
PASSED, CLEAN, RECOVERED, SAFE, HARMFUL, SILENT, BROKEN = (
    "#2f7d5b",
    "#2f7d5b",
    "#8fc1a9",
    "#e0a83a",
    "#c25b2c",
    "#9c1f3f",
    "#b8bfc7",
)
VERDICTS: dict[str, str] = {
    "passed": PASSED,
    "failed_safe": SAFE,
    "failed_harmful": HARMFUL,
    "failed_silent": SILENT,
    "broken": BROKEN,
}
LINES = ("#1f5a94", "#c25b2c", "#2f7d5b", "#7b4ea3", "#b08a1e", "#4a97a6", "#9c1f3f", "#6b7785")
STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "text.color": INK,
    "xtick.color": FAINT,
    "ytick.color": INK,
    "legend.frameon": False,
}


@dataclass(frozen=True)
class Picture:
    """A figure, as PNG."""

    png: bytes
    says: str
    """For those who cannot see it."""

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.png).decode()
        return f'<figure><img alt="{html.escape(self.says)}" src="data:image/png;base64,{data}"></figure>'

    def __str__(self) -> str:
        return self.says


@dataclass(frozen=True)
class Words:
    """A text, in Markdown."""

    text: str

    def _repr_markdown_(self) -> str:
        return self.text

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Listing:
    """A table."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[object]]
    numbers: frozenset[str] = field(default_factory=frozenset)
    """Columns whose cells stand right."""
    empty: str = "There is nothing to list."

    def _repr_html_(self) -> str:
        if not self.rows:
            return f"<p>{html.escape(self.empty)}</p>"
        head = "".join(self._cell("th", column, column) for column in self.columns)
        body = "".join(
            f"<tr>{''.join(self._cell('td', name, each) for name, each in zip(self.columns, row, strict=True))}</tr>"
            for row in self.rows
        )
        return f'<div class="listing"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'

    def _cell(self, tag: str, column: str, value: object) -> str:
        side = ' class="number"' if column in self.numbers else ""
        return f"<{tag}{side}>{html.escape(str(value))}</{tag}>"

    def __str__(self) -> str:
        return "\n".join(" | ".join(map(str, row)) for row in (self.columns, *self.rows)) if self.rows else self.empty


Shown = Picture | Words | Listing


@contextmanager
def drawing(
    height: float, says: str, *, columns: int = 1, rows: int = 1, ratios: Sequence[float] | None = None
) -> Iterator[tuple[list[Axes], list[Picture]]]:
    """Axes side by side, or one over the other, to draw on; the picture is in the list when the block is left."""
    made: list[Picture] = []
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots(rows, columns, squeeze=False, width_ratios=ratios)
        yield list(axes.flat), made
        made.append(Picture(_png(figure), says))


def _png(figure: Figure) -> bytes:
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=DPI, metadata={"Software": None})
    return data.getvalue()


def rows_high(rows: int, *, least: float = 1.6, each: float = 0.28) -> float:
    """Inches that so many rows of a chart take."""
    return max(least, 0.9 + each * rows)


def legend_above(axes: Axes, **more: Any) -> None:
    """A legend over the axes, in one line where that fits."""
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=4, borderaxespad=0.2, **more)


def whole(axis: Axis) -> None:
    """An axis of whole numbers."""
    axis.set_major_locator(MaxNLocator(integer=True))


def days_along(axes: Axes) -> None:
    """An x axis of days, told briefly."""
    axes.xaxis.set_major_formatter(ConciseDateFormatter(axes.xaxis.get_major_locator()))  # type: ignore[no-untyped-call]


def shares(axes: Axes, *, low: float = 0.0) -> None:
    """An x axis in percent."""
    axes.set_xlim(low, 1.005)
    axes.xaxis.set_major_formatter(lambda share, _: f"{share * 100:.4g} %")


def upright(axes: Axes) -> None:
    """A y axis in percent."""
    axes.yaxis.set_major_formatter(lambda share, _: f"{share * 100:.4g} %")
