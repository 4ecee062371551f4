"""The pointer on pages that move, cover and scroll."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from playwright.async_api import Route

from sopbench.errors import ExpectationFailed, TargetNotFound

from .acting import Acting

OVERLAPPING = """<button id=one style="position:absolute;left:20px;top:60px" onclick="document.title += 1">ONE</button>
<button id=two style="position:absolute;left:30px;top:62px;width:60px" onclick="document.title += 2">TWO</button>"""
ENABLED_ONCE_WATCHED = """<button id=f disabled>Go</button><script>
  let looks = 0
  f.getBoundingClientRect = () => {
    if (++looks === 4) f.disabled = false
    return HTMLElement.prototype.getBoundingClientRect.call(f)
  }
</script>"""
SORTABLE = """<ul id=list><li draggable=true id=a>A<li draggable=true id=b>B<li draggable=true id=c>C</ul><script>
  let held
  list.addEventListener('dragstart', event => { held = event.target; event.dataTransfer.setData('text', '') })
  list.addEventListener('dragover', event => event.preventDefault())
  list.addEventListener('drop', event => { event.preventDefault(); event.target.after(held) })
</script>"""
SLIDER = """<div id=bar style="width:200px;height:10px;background:#ccc"><div id=knob style="width:10px;height:10px;
  position:relative;background:red"></div></div><script>
  let from = null, left = 0
  knob.onmousedown = event => { from = event.clientX - left }
  document.onmousemove = event => { if (from !== null) { left = event.clientX - from; knob.style.left = left + 'px' } }
  document.onmouseup = () => { from = null }
</script>"""
ENDLESS = """<div id=box style="height:100px;overflow:auto"></div><script>
  let count = 0
  const more = () => { for (let i = 0; i < 10; i++) box.insertAdjacentHTML('beforeend', `<p>row ${++count}</p>`) }
  more()
  box.onscroll = () => {
    if (box.scrollTop + box.clientHeight > box.scrollHeight - 5 && count < 40 && !box.loading) {
      box.loading = true
      setTimeout(() => { more(); box.loading = false }, 60)
    }
  }
</script>"""


async def test_an_element_covered_in_its_middle_is_clicked_where_it_shows(acting: Acting) -> None:
    await acting.show(OVERLAPPING)

    done = await acting.do("click", "#one", timeout_s=3)

    assert await acting.js("document.title") == "1"
    assert "not in its middle" in done.remark


async def test_what_an_action_waited_for_is_said_with_its_time(acting: Acting) -> None:
    await acting.show(ENABLED_ONCE_WATCHED)

    done = await acting.do("click", "#f")

    assert list(done.waited_s) == ["element [#f] is disabled"]
    assert done.waited_s["element [#f] is disabled"] > 0.25


async def test_a_cover_that_goes_away_is_waited_for(acting: Acting) -> None:
    await acting.show(
        "<button id=f onclick=\"document.title = 'went'\">Go</button>"
        "<div id=veil style='position:fixed;inset:0'></div><script>setTimeout(() => veil.remove(), 1500)</script>"
    )

    done = await acting.do("click", "#f")

    assert await acting.js("document.title") == "went"
    assert "element [#f] is covered by div#veil" in done.waited_s


async def test_an_element_that_stays_covered_is_refused_with_what_covers_it(acting: Acting) -> None:
    await acting.show("<button id=f>Go</button><div id=veil style='position:fixed;inset:0'></div>")

    error = await acting.refused("click", "#f", timeout_s=1.5)

    assert isinstance(error, TargetNotFound)
    assert "veil" in str(error)
    assert error.performed is False


async def test_only_what_can_be_seen_is_counted(acting: Acting) -> None:
    await acting.show("<a hidden>x</a><a onclick=\"document.title = 'seen'\">x</a>")

    await acting.do("click", target={"css": "a", "nth": 0})

    assert await acting.js("document.title") == "seen"


@pytest.mark.parametrize(("more", "counted"), [({"double": True}, "double"), ({"button": "right"}, "right")])
async def test_there_are_other_clicks(acting: Acting, more: dict[str, Any], counted: str) -> None:
    await acting.show(
        "<p id=f ondblclick=\"document.title = 'double'\" oncontextmenu=\"document.title = 'right'\">text</p>"
    )

    await acting.do("click", "#f", **more)

    assert await acting.js("document.title") == counted


async def test_a_click_with_a_key_held_at_a_place(acting: Acting) -> None:
    await acting.show(
        "<div id=f style='width:100px;height:50px' "
        "onclick='document.title = [event.shiftKey, event.offsetX, event.offsetY].join()'></div>"
    )

    await acting.do("click", "#f", at={"x": 7, "y": 9}, modifiers=["Shift"])

    assert await acting.js("document.title") == "true,7,9"


async def test_dragging_onto_another_element_by_the_browsers_own_drag_and_drop(acting: Acting) -> None:
    await acting.show(SORTABLE)

    await acting.do("drag", "#a", to={"css": "#c"})

    assert await acting.js("[...list.children].map(item => item.id).join('')") == "bca"


async def test_dragging_by_a_distance_moves_as_a_hand_does(acting: Acting) -> None:
    await acting.show(SLIDER)

    await acting.do("drag", "#knob", by={"x": 60})

    assert await acting.js("left") == 60


async def test_scrolling_until_something_is_there_loads_what_is_needed(acting: Acting) -> None:
    await acting.show(ENDLESS)

    await acting.do("scroll", "#box", until={"visible": {"text": "row 35", "exact": True}})

    assert await acting.js("count") >= 35


async def test_scrolling_to_the_end_without_finding_it_is_an_error(acting: Acting) -> None:
    await acting.show(ENDLESS)

    error = await acting.refused("scroll", "#box", until={"visible": {"text": "row 99"}}, timeout_s=5)

    assert isinstance(error, ExpectationFailed)
    assert str(error).startswith("scrolled element [#box] to its end")


async def test_scrolling_by_a_distance_and_into_view(acting: Acting) -> None:
    await acting.show("<div style='height:3000px'></div><p id=end>end</p>")

    await acting.do("scroll", by={"y": 300})
    assert await acting.js("scrollY") == 300

    await acting.do("scroll", "#end")
    assert await acting.js("end.getBoundingClientRect().bottom <= innerHeight")


async def test_a_part_of_the_page_is_scrolled_sideways(acting: Acting) -> None:
    await acting.show("<div id=f style='width:100px;overflow:auto'><div style='width:900px'>wide</div></div>")

    await acting.do("scroll", "#f", by={"x": 70})

    assert await acting.js("f.scrollLeft") == 70


async def test_a_click_that_leads_to_a_slow_page_is_done_once(acting: Acting) -> None:
    asked: list[str] = []

    async def slowly(route: Route) -> None:
        asked.append(route.request.url)
        await asyncio.sleep(1.6)  # longer than the time after which a click looks for another place
        await route.fulfill(body="<p>there</p>", content_type="text/html")

    await acting.session.context.route("https://shop.test/**", slowly)
    await acting.show("<form method=post action=https://shop.test/save><button id=f>Go</button></form>")

    await acting.do("click", "#f")

    assert await acting.sees(text="there")
    assert len(asked) == 1


async def test_a_click_that_keeps_the_page_busy_is_done_once(acting: Acting) -> None:
    await acting.show(
        "<button id=f onclick='clicks++; const until = Date.now() + 1500; while (Date.now() < until); this.remove()'>"
        "Go</button><script>let clicks = 0</script>"
    )

    await acting.do("click", "#f", timeout_s=15)

    assert await acting.js("clicks") == 1
    assert await acting.sees(hidden={"css": "#f"})


CARDS = """<div><span>Olive oil</span><button onclick="document.title += 'first '">More</button></div>
<div><span>Honey</span><button onclick="document.title += 'honey '">More</button></div>"""
COPY = """<aside{style}>
<div><span>Olive oil</span><button onclick="document.title += 'copy '">More</button></div></aside>"""
MORE_OIL: dict[str, Any] = {"role": "button", "name": "More", "near": {"text": "Olive oil"}}


async def test_an_element_is_near_something_in_one_place_of_the_page(acting: Acting) -> None:
    await acting.show(CARDS)

    await acting.do("click", target=MORE_OIL)

    assert await acting.js("document.title") == "first"


async def test_two_places_that_hold_both_are_not_told_apart(acting: Acting) -> None:
    await acting.show(CARDS + COPY.format(style=""))

    with pytest.raises(TargetNotFound, match="2 elements fit button 'More' near element 'Olive oil'") as refused:
        await acting.do("click", target=MORE_OIL)

    assert (refused.value.performed, refused.value.data["count"]) == (False, 2)
    assert await acting.js("document.title") == ""


async def test_a_place_that_nobody_sees_does_not_count(acting: Acting) -> None:
    await acting.show(COPY.format(style=" style='display: none'") + CARDS)

    await acting.do("click", target=MORE_OIL)

    assert await acting.js("document.title") == "first"
