"""Lists of a real page that lose the place to which they were scrolled."""

from __future__ import annotations

import pytest

from sopbench.sop.targets import Target
from sopbench.sop.verbs.pointer import Click
from sopbench.sop.verbs.reading import Extract
from sopbench.trials.condition import PlannedFault

from .conftest import MakeWorld, World, planned

ROWS = 60


def virtual(rows: int) -> str:
    """A list that draws only what is in sight."""
    return f"""<div id=list aria-label=People style="height:200px;overflow-y:auto;position:relative">
<div id=all style="height:{rows * 25}px"></div></div>
<script>
const list = document.getElementById('list'), all = document.getElementById('all')
const draw = () => {{
  const first = Math.floor(list.scrollTop / 25)
  all.replaceChildren(...Array.from({{ length: 9 }}, (_, at) => first + at).filter(at => at < {rows}).map(at => {{
    const row = document.createElement('button')
    row.className = 'person'
    row.textContent = `Person ${{at + 1}}`
    row.style = `position:absolute;top:${{at * 25}}px;height:25px`
    row.onclick = () => (said.textContent += row.textContent + ';')
    return row
  }}))
}}
list.addEventListener('scroll', draw)
draw()
</script>"""


VIRTUAL = virtual(ROWS)


async def showing(world: World, html: str = VIRTUAL) -> None:
    await world.open()
    await world.page.evaluate(
        "html => document.body.append(document.createRange().createContextualFragment(html))", html
    )


async def scrolled_to(world: World, top: int, what: str = "document.getElementById('list')") -> None:
    await world.page.evaluate(f"top => {{ {what}.scrollTop = top }}", top)


async def test_a_list_that_is_scrolled_on_is_at_its_beginning_again(world: MakeWorld) -> None:
    under = await world(planned("page.scroll_lost", when="once"))
    await showing(under)

    await scrolled_to(under, 500)
    await under.page.wait_for_function("document.querySelector('.person').textContent === 'Person 1'")
    await scrolled_to(under, 500)
    await under.page.wait_for_function("document.querySelector('.person').textContent === 'Person 21'")

    assert [strike.what.partition(" on 127")[0] for strike in under.strikes] == [
        "the list 'People' went back from 500 px to its beginning"
    ]


async def test_the_page_itself_keeps_its_place(world: MakeWorld) -> None:
    under = await world(planned("page.scroll_lost"))
    await showing(under, "<div style='height:5000px'>long</div>")

    await scrolled_to(under, 900, "document.scrollingElement")
    await under.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    assert await under.page.evaluate("document.scrollingElement.scrollTop") == 900
    assert under.strikes == []


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        (ROWS, planned("page.scroll_lost", when={"probability": 0.3})),
        (11, planned("page.scroll_lost", when="once", ms=30)),
        (13, planned("page.scroll_lost", when="once", ms=30)),
    ],
    ids=["long", "short", "a little longer"],
)
async def test_a_list_that_loses_its_place_is_read_whole_all_the_same(
    world: MakeWorld, rows: int, fault: PlannedFault
) -> None:
    reading = Extract.model_validate(
        {
            "do": "extract",
            "into": "people",
            "each": {"css": ".person"},
            "fields": {"name": {"target": {"css": "xpath=."}}},
            "more": {"scroll": {"css": "#list"}, "key": "name"},
        }
    )
    under = await world(fault, seed=2)
    await showing(under, virtual(rows))

    done = await under.do(reading, timeout_s=20)

    assert [each["name"] for each in done.value] == [f"Person {number}" for number in range(1, rows + 1)]
    assert under.strikes


async def test_an_element_of_a_list_that_loses_its_place_is_clicked_once(world: MakeWorld) -> None:
    rows = "".join(
        f"<p style='height:60px'><button onclick=\"said.textContent += '{n};'\">{n}</button></p>" for n in range(40)
    )
    under = await world(planned("page.scroll_lost", when="once"))
    await showing(under, f"<div id=list style='height:200px;overflow:auto'>{rows}</div>")
    await under.page.evaluate("list.addEventListener('scroll', () => (window.wentBack ||= list.scrollTop === 0))")

    await under.do(Click(target=Target(role="button", name="33", exact=True)))
    await under.page.wait_for_function("window.wentBack")

    assert await under.page.evaluate("document.getElementById('said').textContent") == "33;"
    assert len(under.strikes) == 1
