"""What the page sent to be saved is waited for, and what it takes back where the site refused it."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from unittest.mock import AsyncMock, Mock

import pytest
from playwright.async_api import Route

from sopbench.adapters.playwright_waiting import Requests
from sopbench.sop.targets import Target

from .acting import Acting

SHEET = """<label>Date <input id=date value="May 23"></label><label>Note <input id=note></label><script>
  addEventListener('change', async event => {
    const { id, value } = event.target
    const answer = await fetch('/save', { method: 'POST', body: value })
    if (answer.ok) return
    const fresh = await (await fetch('/read')).json()
    document.getElementById(id).value = fresh[id]
  })
</script>"""


async def sheet(acting: Acting, status: int) -> None:
    """A page whose every entry is saved slowly, and answered with this status."""

    async def answer(route: Route) -> None:
        path = route.request.url.removeprefix("https://sheet.test")
        await asyncio.sleep({"/save": 0.3, "/read": 0.4}.get(path, 0))
        if path == "/save":
            await route.fulfill(status=status)
        elif path == "/read":
            await route.fulfill(json={"date": "May 23", "note": ""})
        else:
            await route.fulfill(body=SHEET, content_type="text/html")

    await acting.session.context.route("https://sheet.test/**", answer)
    await acting.session.context.pages[0].goto("https://sheet.test/")


@pytest.mark.parametrize("status", [429, 503])
async def test_a_value_that_the_site_refused_is_taken_back_by_then(acting: Acting, status: int) -> None:
    await sheet(acting, status)
    await acting.do("fill", "#date", value="June 2")
    await acting.js("date.dispatchEvent(new Event('change', { bubbles: true }))")
    assert await acting.js("date.value") == "June 2"

    assert await acting.session.browser.settle()

    assert await acting.js("date.value") == "May 23"


async def test_a_value_that_was_saved_stays(acting: Acting) -> None:
    await sheet(acting, 200)
    await acting.do("fill", "#date", value="June 2")
    await acting.js("date.dispatchEvent(new Event('change', { bubbles: true }))")

    assert not await acting.session.browser.settle()

    assert await acting.js("date.value") == "June 2"


async def test_of_a_page_that_sent_nothing_nothing_was_refused(acting: Acting) -> None:
    await acting.show("<input id=f>")
    await acting.do("fill", "#f", value="x")

    assert not await acting.session.browser.settle()

    assert await acting.sees(value="x", of={"css": "#f"})


async def test_what_the_browser_tells_of_a_moment_after_the_page_began_it_counts() -> None:
    page = Mock()
    requests = Requests()
    requests.listen(page)
    tell = next(call.args[1] for call in page.on.call_args_list if call.args[0] == "request")
    requests.before_action(entry=True)

    asked = asyncio.create_task(requests.were_refused())
    await asyncio.sleep(0)
    answer = AsyncMock(return_value=SimpleNamespace(status=429))
    tell(Mock(method="POST", resource_type="fetch", response=answer))

    assert await asked


@pytest.mark.parametrize(
    ("shown", "holds"), [("$1,500,000.00", True), ("1500000", True), ("$1,500.00", False), ("", False)]
)
async def test_a_field_holds_a_value_in_the_pages_own_way_of_writing_it(
    acting: Acting, shown: str, holds: bool
) -> None:
    await acting.show(f"<input id=f value='{shown}'>")

    assert await acting.session.browser.holds_value(Target(css="#f"), "1500000") is holds
    assert not await acting.session.browser.holds_value(Target(css="#gone"), "1500000")
