"""A procedure's graph as SVG, its nodes coloured and its branches named as the caller says.

The picture needs nothing but itself: it can stand in a page or in a notebook. Its ink follows the page's custom
properties ``--ink``, ``--muted``, ``--line`` and ``--alarm`` where there are any.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from sopbench.reporting.graph_layout import Layout, lay_out
from sopbench.reporting.wording import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sopbench.reporting.graph_layout import Arrow, Box, Lane
    from sopbench.sop.document import Sop

CHARACTER = 0.54
"""Of the height of a text: how wide a character is, at the mean."""
SIGNS = {"decision": "◇", "loop": "↻", "wait": "◷", "generate": "✎", "explore": "⌕", "trigger": "▸", "end": "■"}
STYLE = """
.pg text{font:13px ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
fill:var(--ink,#1c2430)}
.pg .small{font-size:11px}.pg .muted{fill:var(--muted,#5d6877)}.pg .never{fill:var(--alarm,#b3261e);font-weight:600}
.pg .frame{fill:none;stroke:var(--line,#c9d1da)}.pg .way{fill:none;stroke:var(--muted,#5d6877);stroke-width:1.2}
.pg .way.untaken{stroke:var(--alarm,#b3261e);stroke-dasharray:4 3}.pg .head{fill:var(--muted,#5d6877)}
.pg .box{stroke:var(--line,#c9d1da)}.pg .box.untaken{stroke:var(--alarm,#b3261e);stroke-width:1.6;stroke-dasharray:5 3}
.pg .box.plain{fill:var(--panel,#fff)}
"""


@dataclass(frozen=True)
class NodeLook:
    """How a node is shown."""

    fill: str = ""
    """A colour ``#rrggbb``; empty for none. The text in it is black or white, whichever is read better."""
    value: str = ""
    """At its right end."""
    note: str = ""
    """A second line."""
    never: bool = False
    """Whether it was never taken: its frame is broken, and its value is alarming."""


@dataclass(frozen=True)
class BranchLook:
    """How a way that leaves a node is named, besides its condition."""

    value: str = ""
    never: bool = False


def draw_graph(
    sop: Sop,
    nodes: Mapping[str, NodeLook],
    branches: Mapping[tuple[str, str], BranchLook] | None = None,
    *,
    width: float = 620,
    title: str = "",
) -> str:
    """The graph as one ``<svg>``; ``nodes`` by id, ``branches`` by node and condition, ``width`` in pixels.

    ``title`` is what a screen reader says of it.
    """
    layout = lay_out(sop, width, {node for node, look in nodes.items() if look.note})
    drawing = _Drawing(layout, nodes, branches or {})
    label = escape(title or f"The graph of {sop.meta.title}")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pg" role="img" aria-label="{label}" width="{layout.width:g}" '
        f'height="{layout.height:g}" viewBox="0 0 {layout.width:g} {layout.height:g}"><style>{STYLE}</style>'
    )
    return head + "".join(drawing.parts()) + "</svg>"


def shade(level: float, light: str, strong: str) -> str:
    """The colour at ``level``, from 0 to 1, between two of the form ``#rrggbb``.

    Raises: ValueError when the level is not in that range.
    """
    if not 0 <= level <= 1:
        raise ValueError(f"level must be from 0 to 1, got {level}")
    pairs = zip(_channels(light), _channels(strong), strict=True)
    return "#" + "".join(f"{round(one + (other - one) * level):02x}" for one, other in pairs)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _ink_on(fill: str) -> str:
    """Black or white: WCAG 2.2 relative luminance, where both contrast alike at 0.179."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in _channels(fill))]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#ffffff" if luminance < 0.179 else "#12161c"


def _fitted(text: str, room: float, size: float) -> str:
    return one_line(text, max(1, int(room / (size * CHARACTER))))


class _Drawing:
    def __init__(
        self, layout: Layout, nodes: Mapping[str, NodeLook], branches: Mapping[tuple[str, str], BranchLook]
    ) -> None:
        self._layout = layout
        self._nodes = nodes
        self._branches = branches

    def parts(self) -> Iterator[str]:
        for frame in self._layout.frames:
            yield (
                f'<rect class="frame" x="{frame.x:g}" y="{frame.y:g}" width="{frame.width:g}" '
                f'height="{frame.bottom - frame.y:g}" rx="6"/>'
            )
        for lane in self._layout.lanes:
            yield from self._lane(lane)
        for arrow in self._layout.arrows:
            yield from self._arrow(arrow)
        for box in self._layout.boxes:
            yield from self._box(box)

    def _box(self, box: Box) -> Iterator[str]:
        look = self._nodes.get(box.node, NodeLook())
        ink = f' style="fill:{_ink_on(look.fill)}"' if look.fill else ""
        classes = "box" + (" untaken" if look.never else "") + ("" if look.fill else " plain")
        fill = f' fill="{look.fill}"' if look.fill else ""
        told = ": ".join(part for part in (box.label, look.value) if part)
        yield f"<g><title>{escape(one_line(f'{box.node} – {told}'))}</title>"
        yield (
            f'<rect class="{classes}" x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" '
            f'height="{box.height:g}" rx="6"{fill}/>'
        )
        sign = SIGNS.get(box.kind, "")
        left, base = box.x + 11, box.y + 20
        value_room = len(look.value) * 12 * CHARACTER + 22
        if sign:
            yield f'<text x="{left:g}" y="{base:g}"{ink}>{sign}</text>'
            left += 19
        label = escape(_fitted(box.label, box.right - left - value_room, 13))
        yield f'<text x="{left:g}" y="{base:g}"{ink}>{label}</text>'
        if look.value:
            style = ' class="small never"' if look.never else f' class="small"{ink}'
            yield f'<text x="{box.right - 11:g}" y="{base:g}" text-anchor="end"{style}>{escape(look.value)}</text>'
        if look.note:
            note = escape(_fitted(look.note, box.right - left - 11, 11))
            yield f'<text x="{left:g}" y="{base + 17:g}" class="small"{ink}>{note}</text>'
        yield "</g>"

    def _arrow(self, arrow: Arrow) -> Iterator[str]:
        look = self._branches.get((arrow.source, arrow.condition), BranchLook())
        classes = "way untaken" if look.never else "way"
        yield f'<path class="{classes}" d="M{arrow.x:g} {arrow.top:g}V{arrow.bottom - 5:g}"/>'
        x, y = arrow.x, arrow.bottom
        yield f'<path class="head" d="M{x:g} {y:g}l-3.5 -6h7z"/>'
        name = self._name(arrow.source, arrow.condition)
        if name:
            style = "small never" if look.never else "small muted"
            yield f'<text class="{style}" x="{x + 8:g}" y="{(arrow.top + y) / 2 + 4:g}">{escape(name)}</text>'

    def _lane(self, lane: Lane) -> Iterator[str]:
        looks = [self._branches.get((way.source, way.condition), BranchLook()) for way in lane.exits]
        trunk = "way untaken" if all(look.never for look in looks) else "way"
        for way, look in zip(lane.exits, looks, strict=True):
            classes = "way untaken" if look.never else "way"
            yield f'<path class="{classes}" d="M{way.x:g} {way.y:g}H{lane.x:g}"/>'
            name = self._name(way.source, way.condition)
            if name:
                style = "small never" if look.never else "small muted"
                x = self._layout.label_x
                yield f'<text class="{style}" x="{x:g}" y="{way.y - 5:g}">{escape(name)}</text>'
        yield f'<path class="{trunk}" d="M{lane.x:g} {lane.top:g}V{lane.bottom:g}"/>'
        yield f'<path class="{trunk}" d="M{lane.x:g} {lane.to_y:g}H{lane.to_x + 5:g}"/>'
        yield f'<path class="head" d="M{lane.to_x:g} {lane.to_y:g}l6 -3.5v7z"/>'

    def _name(self, source: str, condition: str) -> str:
        look = self._branches.get((source, condition))
        if look is None:
            return "" if condition in ("", "next", "all_processed") else condition
        return " · ".join(part for part in (condition, look.value) if part)
