"""The dashboard's charts as inline SVG. Colours are the page's custom properties, so they follow light and dark.

Each chart is drawn for one width in pixels and never scaled: the page has a wide and a narrow one, with texts of one
size. What a chart shows stands in a table too, for those who do not see it.
"""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from markupsafe import Markup

from sopbench.reporting.dashboard.facts import WORTHS
from sopbench.reporting.wording import percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sopbench.reporting.dashboard.facts import Period
    from sopbench.reporting.groups import Rate

FLOORS = (0.99, 0.95, 0.9, 0.8, 0.5, 0.0)
"""Where an axis of rates may begin."""
PLOT, COLUMNS, BETWEEN, TOP, FOOT = 168.0, 54.0, 16.0, 22.0, 22.0
LEFT = 46.0
_TICKS = {0.99: (0.99, 0.995, 1), 0.95: (0.95, 0.975, 1), 0.9: (0.9, 0.95, 1), 0.8: (0.8, 0.9, 1), 0.5: (0.5, 0.75, 1)}


def floor_of(rates: Sequence[Rate | None]) -> float:
    """Where the axis begins so that every interval is on it, 0 to 0.99."""
    lowest = min((rate.low for rate in rates if rate), default=0.0)
    return next(floor for floor in FLOORS if floor <= lowest)


def rate_chart(periods: Sequence[Period], width: float, title: str) -> Markup:
    """Rate with its interval over time, and below it how many trials there were and what they were worth."""
    chart = _RateChart(periods, width)
    height = TOP + PLOT + BETWEEN + COLUMNS + FOOT
    return _svg("".join(chart.parts()), width, height, title)


def whisker(rate: Rate | None, floor: float, width: float = 150) -> Markup:
    """One rate and its interval on an axis from ``floor`` to 1; its words stand beside it."""
    height, pad = 16.0, 5.0

    def x(share: float) -> float:
        return pad + (width - 2 * pad) * (share - floor) / (1 - floor)

    middle = height / 2
    parts = [f'<path class="axis" d="M{pad:g} {middle:g}H{width - pad:g}"/>']
    if rate:
        parts.append(f'<path class="whisker" d="M{x(rate.low):.1f} {middle:g}H{x(rate.high):.1f}"/>')
        parts.append(f'<circle class="point" cx="{x(rate.share):.1f}" cy="{middle:g}" r="4"/>')
    return _svg("".join(parts), width, height, "")


def spark(values: Sequence[float | None], width: float = 150, height: float = 30) -> Markup:
    """A line over time, from 0 to the largest; what is not known is a gap. Its words stand beside it."""
    known = [value for value in values if value is not None]
    if len(known) < 2:
        return Markup()
    top = max(known) or 1.0
    step = (width - 8) / (len(values) - 1)
    points = [None if v is None else (4 + n * step, height - 4 - (height - 8) * v / top) for n, v in enumerate(values)]
    parts = [f'<path class="axis" d="M4 {height - 2:g}H{width - 4:g}"/>', *_line(points)]
    end = next(point for point in reversed(points) if point)
    parts.append(f'<circle class="point" cx="{end[0]:.1f}" cy="{end[1]:.1f}" r="3"/>')
    return _svg("".join(parts), width, height, "")


def _svg(inside: str, width: float, height: float, title: str) -> Markup:
    named = f'role="img" aria-label="{escape(title)}"' if title else 'aria-hidden="true"'
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return Markup(f'<svg class="chart" {named} {size}>{inside}</svg>')  # noqa: S704 - texts in it are escaped


def _line(points: Sequence[tuple[float, float] | None]) -> Iterator[str]:
    path, pen = "", "M"
    for point in points:
        if point is None:
            pen = "M"
            continue
        path += f"{pen}{point[0]:.1f} {point[1]:.1f}"
        pen = "L"
    if path:
        yield f'<path class="line" d="{path}"/>'


class _RateChart:
    def __init__(self, periods: Sequence[Period], width: float) -> None:
        self._periods = periods
        self._width = width
        self._floor = floor_of([period.rate for period in periods])
        first, last = (periods[0].start, periods[-1].start) if periods else (None, None)
        self._first = first
        self._span = max(1, (last - first).days) if first and last else 1
        self._most = max((sum(period.mix.values()) for period in periods), default=1)
        gaps = [(b.start - a.start).days for a, b in pairwise(periods)]
        self._bar = max(2.0, min(26.0, 0.72 * (self._right - LEFT - 28) * min(gaps, default=self._span) / self._span))
        self._base = TOP + PLOT + BETWEEN + COLUMNS

    @property
    def _right(self) -> float:
        return self._width - 58

    def _x(self, period: Period) -> float:
        if self._first is None or len(self._periods) == 1:
            return (LEFT + self._right) / 2
        return LEFT + 14 + (self._right - LEFT - 28) * (period.start - self._first).days / self._span

    def _y(self, share: float) -> float:
        return TOP + PLOT * (1 - (share - self._floor) / (1 - self._floor))

    def parts(self) -> Iterator[str]:
        for tick in _TICKS.get(self._floor, (0, 0.25, 0.5, 0.75, 1)):
            y = self._y(tick)
            yield f'<path class="grid" d="M{LEFT:g} {y:.1f}H{self._right:g}"/>'
            name = f"{tick * 100:g} %"
            yield f'<text class="tick" x="{LEFT - 8:g}" y="{y + 4:.1f}" text-anchor="end">{name}</text>'
        yield from self._versions()
        yield from self._columns()
        points = [(self._x(period), self._y(period.rate.share)) if period.rate else None for period in self._periods]
        yield from _line(points)
        for period in self._periods:
            if period.rate:
                x, low, high = self._x(period), self._y(period.rate.low), self._y(period.rate.high)
                told = f"{period.start:%d %b %Y}: {period.rate.hits:,} of {period.rate.of:,}, "
                told += f"{percent(period.rate.low)} to {percent(period.rate.high)} %"
                yield f'<g><title>{told}</title><path class="whisker" d="M{x:.1f} {low:.1f}V{high:.1f}"/>'
                yield f'<circle class="point" cx="{x:.1f}" cy="{self._y(period.rate.share):.1f}" r="3.6"/></g>'
        yield from self._last()
        yield from self._dates()

    def _last(self) -> Iterator[str]:
        shown = next((period for period in reversed(self._periods) if period.rate), None)
        if shown and shown.rate:
            x, y = self._x(shown), self._y(shown.rate.share)
            yield f'<text class="direct" x="{x + 9:.1f}" y="{y + 4.5:.1f}">{percent(shown.rate.share)} %</text>'

    def _versions(self) -> Iterator[str]:
        until = -1e9
        for period in self._periods[1:]:
            if not period.versions:
                continue
            x = self._x(period) - self._bar / 2 - 2
            yield f'<path class="version" d="M{x:.1f} {TOP - 6:g}V{self._base:g}"/>'
            name = escape(period.versions[-1].split(" · ")[0])
            if x > until:
                yield f'<text class="tick" x="{x:.1f}" y="{TOP - 10:g}" text-anchor="middle">version {name}</text>'
                until = x + 8 * (len(name) + 9)

    def _columns(self) -> Iterator[str]:
        yield f'<path class="axis" d="M{LEFT:g} {self._base:g}H{self._right:g}"/>'
        for text, y in ((f"{self._most:,}", self._base - COLUMNS + 8), ("trials", self._base + 1)):
            yield f'<text class="tick" x="{LEFT - 8:g}" y="{y:g}" text-anchor="end">{text}</text>'
        for period in self._periods:
            y, x = self._base, self._x(period) - self._bar / 2
            for worth in WORTHS:
                number = period.mix.get(worth, 0)
                height = COLUMNS * number / self._most
                if worth in ("failed_silent", "failed_harmful") and number:
                    height = max(height, 2.0)
                if height:
                    y -= height
                    yield (
                        f'<rect class="w-{worth}" x="{x:.1f}" y="{y:.1f}" width="{self._bar:.1f}" '
                        f'height="{height:.2f}"><title>{number:,} {worth.replace("_", " ")}</title></rect>'
                    )

    def _dates(self) -> Iterator[str]:
        until = -1e9
        ends = [self._periods[0], self._periods[-1]] if len(self._periods) > 1 else list(self._periods)
        placed = [self._x(period) for period in ends]
        for period, x in zip(ends, placed, strict=True):
            yield self._date(period, x)
        for period in self._periods[1:-1]:
            x = self._x(period)
            if x - until > 88 and all(abs(x - at) > 88 for at in placed):
                until = x
                yield self._date(period, x)

    def _date(self, period: Period, x: float) -> str:
        anchor = "start" if x < LEFT + 30 else "middle"
        at = LEFT if anchor == "start" else x
        y, day = self._base + 17, f"{period.start:%d %b}"
        return f'<text class="tick" x="{at:.1f}" y="{y:g}" text-anchor="{anchor}">{day}</text>'
