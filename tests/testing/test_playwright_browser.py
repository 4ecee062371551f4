"""What only a real browser can show: pages that change by themselves, and browsers that go away."""

from __future__ import annotations

import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import playwright.async_api as driver
import pytest
import pytest_asyncio
from pydantic import TypeAdapter

from sopbench.adapters.playwright_browser import PlaywrightBrowser
from sopbench.adapters.playwright_session import PlaywrightSession, opened
from sopbench.errors import BrowserLost, NetworkFailed, StepError, TargetNotFound
from sopbench.events.masking import Masker
from sopbench.records.folder import TRACE_NAME
from sopbench.sop.actions import AnyAction
from sopbench.sop.targets import Expectation, Target
from sopbench.sop.verbs.pages import Navigate
from sopbench.sop.verbs.reading import Extract

from .shop import Server

Json = dict[str, Any]
Show = Callable[[str], Awaitable[PlaywrightBrowser]]
_ACTION: TypeAdapter[Any] = TypeAdapter(AnyAction)
_EXPECTATION: TypeAdapter[Any] = TypeAdapter(Expectation)
BUTTON: Json = {"role": "button"}


@pytest_asyncio.fixture(loop_scope="session")
async def session(chromium: driver.Browser) -> AsyncIterator[PlaywrightSession]:
    async with opened(chromium, None, masker=Masker(), tracing="off") as opened_session:
        yield opened_session


@pytest.fixture
def show(session: PlaywrightSession) -> Show:
    """Show a page of this HTML."""

    async def in_first_tab(html: str) -> PlaywrightBrowser:
        await session.context.pages[0].set_content(html)
        return session.browser

    return in_first_tab


async def do(browser: PlaywrightBrowser, timeout_s: float = 10, **action: Any) -> None:
    await browser.perform(_ACTION.validate_python(action), timeout_s=timeout_s)


async def seen(browser: PlaywrightBrowser, timeout_s: float = 10, **expectation: Any) -> bool:
    return (await browser.look(_EXPECTATION.validate_python(expectation), timeout_s=timeout_s)).holds


async def test_an_element_that_comes_late_is_waited_for(show: Show) -> None:
    browser = await show(
        "<script>setTimeout(() => document.body.innerHTML = '<button onclick=\"this.textContent=1\">0</button>', 200)"
        "</script>"
    )

    await do(browser, do="click", target=BUTTON)

    assert await seen(browser, text="1")


async def test_an_expectation_is_waited_for(show: Show, session: PlaywrightSession) -> None:
    browser = await show("<p hidden>Saved</p>")
    assert not await seen(browser, visible={"text": "Saved"}, timeout_s=0)

    await session.context.pages[0].evaluate("void setTimeout(() => document.querySelector('p').hidden = false, 200)")

    assert await seen(browser, visible={"text": "Saved"})


async def test_an_element_that_is_uncovered_in_time_is_clicked_once(show: Show) -> None:
    browser = await show(
        "<button onclick='this.textContent = +this.textContent + 1'>0</button>"
        "<div style='position:fixed;inset:0'></div>"
        "<script>setTimeout(() => document.querySelector('div').remove(), 300)</script>"
    )

    await do(browser, do="click", target=BUTTON)

    assert await seen(browser, text="1")


@pytest.mark.parametrize(
    "action",
    [
        {"do": "click", "target": {"css": "input"}},
        {"do": "type", "target": {"css": "input"}, "text": "ab"},
        {"do": "press", "target": {"css": "input"}, "key": "a"},
    ],
    ids=lambda action: str(action["do"]),
)
async def test_what_was_begun_and_did_not_come_back_may_have_been_performed(
    session: PlaywrightSession, server: Server, action: Json
) -> None:
    page = session.context.pages[0]
    await page.goto(f"{server.url}/other")
    hang = "const call = new XMLHttpRequest(); call.open('GET', '/slow', false); call.send()"
    await page.set_content(f'<input onclick="{hang}" onkeydown="{hang}">')

    with pytest.raises(StepError) as raised:
        await do(session.browser, timeout_s=3, **action)

    assert raised.value.performed is None
    assert "/slow" in server.asked


async def test_a_double_click_is_one(show: Show) -> None:
    browser = await show("<button ondblclick='this.textContent = 2'>0</button>")

    await do(browser, do="click", double=True, target=BUTTON)

    assert await seen(browser, text="2")


async def test_the_pointer_rests_where_it_was_moved(show: Show) -> None:
    browser = await show("<button onmouseover='this.textContent = 1'>0</button>")

    await do(browser, do="hover", target=BUTTON)

    assert await seen(browser, text="1")


async def test_a_key_goes_to_what_has_the_focus(show: Show) -> None:
    browser = await show("<input autofocus onkeydown='this.value = event.key'>")

    await do(browser, do="click", target={"css": "input"})
    await do(browser, do="press", key="ArrowUp")

    assert await seen(browser, value="ArrowUp", of={"css": "input"})


async def test_a_list_that_is_drawn_anew_while_it_is_read_is_not_mixed_up(
    show: Show, session: PlaywrightSession
) -> None:
    browser = await show("<ul><li><b>a</b><i>1</i></li></ul>")
    await session.context.pages[0].evaluate(
        """() => { const all = Element.prototype.contains; Element.prototype.contains = function (inner) {
            document.querySelector('ul').innerHTML = '<li><b>z</b><i>9</i></li>'; return all.call(this, inner) } }"""
    )
    action = Extract.model_validate(
        {"do": "extract", "into": "v", "each": {"css": "li"},
         "fields": {"b": {"target": {"css": "b"}}, "i": {"target": {"css": "i"}}}}
    )  # fmt: skip

    with pytest.raises(TargetNotFound, match="the list was drawn anew while 'i' was read from it"):
        await browser.perform(action, timeout_s=1)


async def test_half_an_emoji_is_read_as_something_that_can_be_written_down(show: Show) -> None:
    browser = await show("<p></p><script>document.querySelector('p').textContent = 'cut \\ud83d'</script>")
    action = Extract.model_validate({"do": "extract", "into": "v", "target": {"css": "p"}})

    texts = [
        (await browser.perform(action, timeout_s=1)).value,
        await browser.visible_text(),
        *await browser.matches(Target(css="p")),
    ]

    assert texts == ["cut \ufffd"] * 3


@pytest.mark.parametrize(
    ("value", "expected", "holds"),
    [
        ("a\nb", "a\r\nb", True), ("  a  ", "a", True), ("a", " a\n", True), ("", "", True), ("a.b", "a.b", True),
        ("axb", "a.b", False), ("a\nb", "a b", False), ("(1) $5 [x] ^|", "(1) $5 [x] ^|", True), ("ab", "a", False),
    ],
)  # fmt: skip
async def test_a_value_is_compared_as_text_but_for_its_ends(
    show: Show, session: PlaywrightSession, value: str, expected: str, holds: bool
) -> None:
    browser = await show("<textarea></textarea>")
    await session.context.pages[0].locator("textarea").fill(value)

    assert await seen(browser, value=expected, of={"css": "textarea"}, timeout_s=0) is holds


async def test_a_reload_loads_and_says_what_went_wrong(session: PlaywrightSession, server: Server) -> None:
    browser = session.browser
    await browser.perform(Navigate(url=f"{server.url}/other"), timeout_s=10)
    asked = server.asked.count("/other")

    await do(browser, do="reload")
    assert server.asked.count("/other") == asked + 1

    await session.context.route("**/*", lambda route: route.fulfill(status=503))
    with pytest.raises(NetworkFailed, match="answered 503"):
        await do(browser, do="reload")

    await session.context.route("**/*", lambda route: route.abort("connectionreset"))
    with pytest.raises(NetworkFailed, match="cannot be reached: ERR_CONNECTION_RESET"):
        await do(browser, do="reload")


@pytest.mark.parametrize("used", [False, True], ids=["first tab", "further tab"])
async def test_a_tab_whose_page_did_not_load_is_loaded_again_and_not_just_shown(
    session: PlaywrightSession, server: Server, used: bool
) -> None:
    browser = session.browser
    before = server.asked.count("/flaky")
    server.flaky.clear()
    if used:
        await do(browser, do="switch_tab", tab="first", url=f"{server.url}/other")
    with pytest.raises(NetworkFailed, match="500"):
        await do(browser, do="switch_tab", tab="t", url=f"{server.url}/flaky")

    await do(browser, do="switch_tab", tab="t", url=f"{server.url}/flaky")

    assert await seen(browser, text="Other page")
    assert server.asked.count("/flaky") == before + 2
    assert len(session.context.pages) == (2 if used else 1)


async def test_a_page_that_does_not_load_in_time_is_the_networks_fault(
    session: PlaywrightSession, server: Server
) -> None:
    with pytest.raises(NetworkFailed, match=r"/slow did not load within 0\.3 s") as raised:
        await do(session.browser, do="navigate", url=f"{server.url}/slow", timeout_s=0.3)

    assert raised.value.performed is None


async def test_no_error_of_the_driver_crosses_the_port(show: Show) -> None:
    browser = await show("<div>x</div>")

    with pytest.raises(StepError, match="Element is not an <input>"):
        await do(browser, do="fill", target={"css": "div"}, value="x")
    with pytest.raises(StepError):
        await do(browser, do="click", target={"css": "div[["})
    with pytest.raises(StepError):
        await browser.matches(Target(css="div[["))
    with pytest.raises(StepError, match="not an address"):
        await do(browser, do="navigate", url="not an address")


async def test_a_browser_that_is_closed_is_lost_to_every_question(session: PlaywrightSession, tmp_path: Path) -> None:
    browser = session.browser
    await session.context.close()
    questions: list[Callable[[], Awaitable[Any]]] = [
        lambda: do(browser, do="click", target=BUTTON),
        lambda: do(browser, do="navigate", url="about:blank"),
        lambda: do(browser, do="reload"),
        lambda: do(browser, do="press", key="a"),
        lambda: do(browser, do="switch_tab", tab="t", url="about:blank"),
        lambda: seen(browser, visible=BUTTON),
        lambda: seen(browser, url="*"),
        lambda: seen(browser, count=BUTTON, **{"is": 0}),
        lambda: browser.perform(Extract.model_validate({"do": "extract", "into": "v", "target": BUTTON}), timeout_s=1),
        lambda: browser.perform(
            Extract.model_validate({"do": "extract", "into": "v", "each": BUTTON, "fields": {"a": {}}}), timeout_s=1
        ),
        lambda: browser.matches(Target(role="button")),
        browser.visible_text,
        lambda: browser.screenshot(tmp_path / "x.jpg"),
    ]

    for question in questions:
        with pytest.raises(BrowserLost) as raised:
            await question()
        assert raised.value.performed is None


async def test_a_crashed_page_is_a_lost_browser(session: PlaywrightSession) -> None:
    browser = session.browser
    with pytest.raises(StepError):
        await do(browser, do="navigate", url="chrome://crash", timeout_s=10)

    with pytest.raises(BrowserLost):
        await browser.visible_text()
    with pytest.raises(BrowserLost):
        await seen(browser, visible=BUTTON, timeout_s=0.1)


async def test_a_picture_is_written(show: Show, tmp_path: Path) -> None:
    browser = await show("<p>x</p>")

    await browser.screenshot(tmp_path / "screenshots" / "1.jpg")

    assert (tmp_path / "screenshots" / "1.jpg").read_bytes().startswith(b"\xff\xd8")


@pytest.mark.parametrize("secret", ["hunter2 & co", 'p"a\\s<s>'])
async def test_no_secret_is_left_in_a_kept_trace(
    chromium: driver.Browser, server: Server, tmp_path: Path, secret: str
) -> None:
    async with opened(chromium, tmp_path, masker=Masker([secret]), tracing="on") as session:
        await session.browser.perform(Navigate(url=f"{server.url}/"), timeout_s=10)
        await do(session.browser, do="fill", target={"css": "#name"}, value=secret)
        page = session.context.pages[0]
        await page.evaluate("secret => fetch('/other?q=' + encodeURIComponent(secret))", secret)
        await page.evaluate("s => fetch('/other', {method: 'POST', body: JSON.stringify({s})}).catch(() => 0)", secret)
        await page.evaluate("secret => document.querySelector('h1').textContent = secret", secret)
        await do(session.browser, do="click", target={"test_id": "save"})

    with zipfile.ZipFile(tmp_path / TRACE_NAME) as trace:
        content = b"\n".join(trace.read(name) for name in trace.namelist())
    masker = Masker([secret])
    assert "•••••".encode() in content
    assert masker.text(content.decode("utf-8", "replace")) == content.decode("utf-8", "replace")
    assert secret[:7].encode() not in content


@pytest.mark.parametrize(
    ("tracing", "keep", "there"),
    [("on", False, True), ("unless-clean", True, True), ("unless-clean", False, False), ("off", True, False)],
)
async def test_a_trace_is_kept_where_it_was_asked_for(
    chromium: driver.Browser, tmp_path: Path, tracing: Any, keep: bool, there: bool
) -> None:
    async with opened(chromium, tmp_path, masker=Masker(), tracing=tracing) as session:
        session.keep_trace = keep

    assert (tmp_path / TRACE_NAME).exists() is there
