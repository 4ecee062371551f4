"""A procedure's graph: every node has its place, ways do not run into each other, and what was never taken is seen."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import combinations
from pathlib import Path

import pytest

from sopbench.reporting.graph_drawing import BranchLook, NodeLook, draw_graph, shade
from sopbench.reporting.graph_layout import Box, lay_out
from sopbench.sop.document import Sop
from sopbench.sop.loader import load

SCENARIOS = Path(__file__).parents[2] / "scenarios"
DOCUMENTS = sorted(SCENARIOS.glob("*/*.sop.json"))


def procedure(label: str = "Open?") -> Sop:
    return Sop.model_validate(
        {
            "meta": {"id": "shop", "title": "Shop", "version": "1", "goal": "g", "schema": "1.0"},
            "public": {
                "nodes": [
                    {"id": "open", "type": "decision", "label": label},
                    {"id": "buy", "type": "task", "label": "Buy"},
                    {"id": "end", "type": "end", "label": "Done"},
                ],
                "edges": [
                    {"source": "open", "target": "buy", "condition": "yes"},
                    {"source": "open", "target": "end", "condition": "no"},
                    {"source": "buy", "target": "end"},
                ],
            },
        }
    )


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("width", [340, 640])
def test_nodes_of_real_procedures_do_not_overlap_and_stay_inside(document: Path, width: int) -> None:
    sop = load(document).sop

    layout = lay_out(sop, width)

    assert {box.node for box in layout.boxes} == {node.id for node in sop.public.nodes}
    assert not [(a.node, b.node) for a, b in combinations(layout.boxes, 2) if overlap(a, b)]
    assert all(box.x >= 0 and box.width > 100 and box.bottom <= layout.height for box in layout.boxes)
    assert all(lane.x < width for lane in layout.lanes)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_every_way_is_drawn_once_and_no_two_lanes_run_into_each_other(document: Path) -> None:
    sop = load(document).sop

    layout = lay_out(sop, 640)

    drawn = [(arrow.source, arrow.condition) for arrow in layout.arrows if arrow.condition]
    drawn += [(way.source, way.condition) for lane in layout.lanes for way in lane.exits]
    assert sorted(drawn) == sorted((edge.source, edge.condition) for edge in sop.public.edges)
    beside = [(a, b) for a, b in combinations(layout.lanes, 2) if a.x == b.x]
    assert not [(a.target, b.target) for a, b in beside if a.top <= b.bottom and b.top <= a.bottom]


def test_what_is_inside_a_loop_stands_in_its_frame() -> None:
    sop = load(SCENARIOS / "gmail_airtable" / "gmail_airtable.sop.json").sop

    layout = lay_out(sop, 640)

    boxes = {box.node: box for box in layout.boxes}
    loop, inside = boxes["L1_process_threads"], boxes["L1_C5_back_to_list"]
    assert loop in layout.frames
    assert loop.y < inside.y < inside.bottom < loop.bottom
    assert loop.x < inside.x < inside.right < loop.right


def test_what_was_never_taken_is_alarming_and_says_so() -> None:
    nodes = {"open": NodeLook(fill="#3d8aa6", value="7 trials"), "buy": NodeLook(value="never", never=True)}
    branches = {("open", "yes"): BranchLook("never", never=True), ("open", "no"): BranchLook("7")}

    drawn = ET.fromstring(draw_graph(procedure(), nodes, branches, width=400))

    texts = {element.text: element.get("class") for element in drawn.iter() if element.tag.endswith("text")}
    assert texts["never"] == "small never"
    assert texts["yes · never"] == "small never"
    assert texts["no · 7"] == "small muted"
    untaken = [element.tag.split("}")[1] for element in drawn.iter() if "untaken" in (element.get("class") or "")]
    assert untaken == ["path", "rect"]


def test_texts_of_the_document_stay_texts() -> None:
    hostile = "</text><script>alert(1)</script>"

    drawn = draw_graph(procedure(hostile), {"open": NodeLook(value="<b>", note="a & b")}, title='"><script>')

    assert "<script" not in drawn
    assert ET.fromstring(drawn).get("aria-label") == '"><script>'


def test_a_strong_colour_has_white_text_and_a_light_one_black() -> None:
    dark = draw_graph(procedure(), {"open": NodeLook(fill="#10404f")})
    light = draw_graph(procedure(), {"open": NodeLook(fill="#e4f0f4")})

    assert "fill:#ffffff" in dark
    assert "fill:#12161c" in light


def test_shades_run_from_light_to_strong() -> None:
    assert [shade(level, "#000000", "#ff8040") for level in (0, 0.5, 1)] == ["#000000", "#804020", "#ff8040"]
    with pytest.raises(ValueError, match=r"level must be from 0 to 1, got 1\.2"):
        shade(1.2, "#000000", "#ffffff")


def overlap(one: Box, other: Box) -> bool:
    apart = one.x + one.width <= other.x or other.x + other.width <= one.x
    return not (apart or one.y + one.height <= other.y or other.y + other.height <= one.y)
