"""A page that asks whether it may be left: it asks once, and is left or stays."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Route

from .acting import Acting

PAGE = """<!doctype html><title>order</title><button id=leave onclick="location.assign('/next')">Leave</button>
<button id=nowhere onclick="location.assign('/nowhere')">Export</button>
<textarea id=note></textarea><script>
let asked = 0
addEventListener('beforeunload', event => {
  if (!note.value) return
  asked++
  event.preventDefault()
  %s
})
</script>"""
TWICE = """<script>
note.addEventListener('input', () => { location.assign('/next'); setTimeout(() => location.assign('/next?again'), 20) })
</script>"""
UNTIL_THE_NEXT_IS_THERE = "if (asked === 2) for (const until = performance.now() + 300; performance.now() < until;);"


async def visit(acting: Acting, html: str) -> None:
    async def answer(route: Route) -> None:
        match route.request.url.partition("https://order.test")[2].partition("?")[0]:
            case "/":
                await route.fulfill(content_type="text/html", body=html)
            case "/nowhere":
                await route.fulfill(status=204)
            case _:
                await asyncio.sleep(0.1)
                await route.fulfill(content_type="text/html", body="<h1>Next</h1>")

    await acting.session.context.route("**/*", answer)
    await acting.do("navigate", url="https://order.test/")


async def leaves(acting: Acting) -> bool:
    return await acting.sees(timeout_s=3, visible={"role": "heading", "name": "Next"})


async def test_a_page_that_is_sent_away_again_while_it_is_left_does_not_hang(acting: Acting) -> None:
    await visit(acting, PAGE % UNTIL_THE_NEXT_IS_THERE + TWICE)

    await acting.do("type", "#note", text="a")

    assert await leaves(acting)


@pytest.mark.parametrize("asks", ["event.preventDefault()", "event.returnValue = 'sure?'"])
async def test_a_page_that_stays_asks_again(acting: Acting, asks: str) -> None:
    await visit(acting, (PAGE % "").replace("event.preventDefault()", asks))
    await acting.do("fill", "#note", value="a")

    for _ in range(3):
        done = await acting.do("click", "#leave", dialog={"answer": "dismiss"})
        assert done.remark == ""

    assert await acting.js("asked") == 3
    await acting.do("click", "#leave")
    assert await leaves(acting)


async def test_a_page_that_did_not_ask_asks_when_it_has_to(acting: Acting) -> None:
    await visit(acting, PAGE % "")
    await acting.do("click", "#nowhere")
    await acting.do("fill", "#note", value="a")

    await acting.do("click", "#leave", dialog={"answer": "dismiss"})

    assert await acting.js("asked") == 1
