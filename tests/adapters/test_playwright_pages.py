"""Tabs, windows, sessions, dialogs, files and frames."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import playwright.async_api as driver
import pytest
import pytest_asyncio

from sopbench.adapters.playwright_session import opened
from sopbench.errors import BrowserLost, DialogFailed, NavigationFailed, TargetNotFound
from sopbench.events.masking import Masker

from .acting import Acting

ASKS = """<button id=f onclick="document.title = confirm('Really delete Ada?') ? 'deleted' : 'kept'">Delete</button>"""
PROMPTS = """<button id=f onclick="document.title = prompt('Name?') ?? 'none'">Rename</button>"""
GIVES = """<a id=f download="../report 1.csv" href="data:text/csv,a%2Cb">Export</a>"""
HTML = {"content-type": "text/html"}


SLOW_ENOUGH = threading.Event()
"""Never set: waiting for it is a server that takes its time."""


class Echo(BaseHTTPRequestHandler):
    """Signs in by a cookie, and says who it sees; slowly, if asked to."""

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        who = (self.headers["cookie"] or "who=nobody").removeprefix("who=")
        self.send_response(200)
        self.send_header("content-type", "text/html")
        if self.path == "/slowly":
            SLOW_ENOUGH.wait(0.5)
        if self.path == "/sign-in":
            self.send_header("set-cookie", "who=ada")
        self.end_headers()
        self.wfile.write(f"<p>you are {who}</p>".encode())


@pytest.fixture
def echo() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest_asyncio.fixture(loop_scope="session")
async def site(chromium: driver.Browser, tmp_path: Path) -> AsyncIterator[Acting]:
    """A session that keeps its files, on a site whose pages show their path and their cookies."""

    async def answer(route: driver.Route) -> None:
        path = route.request.url.removeprefix("https://shop.test")
        body = f"<p>page {path}</p><p id=cookie></p><script>cookie.textContent = document.cookie</script>"
        await route.fulfill(body=body, headers=HTML)

    async with opened(chromium, tmp_path, masker=Masker(), tracing="off", files=tmp_path) as session:
        await session.context.route("https://shop.test/**", answer)
        await session.context.pages[0].goto("https://shop.test/start")
        yield Acting(session)


async def test_a_dialog_is_answered_as_the_action_says(acting: Acting) -> None:
    await acting.show(ASKS)

    await acting.do("click", "#f", dialog={"answer": "accept", "says": "delete Ada"})
    assert await acting.js("document.title") == "deleted"

    await acting.do("click", "#f", dialog={"answer": "dismiss"})
    assert await acting.js("document.title") == "kept"


async def test_a_prompt_is_answered_with_its_text(acting: Acting) -> None:
    await acting.show(PROMPTS)

    await acting.do("click", "#f", dialog={"text": "Ada"})

    assert await acting.js("document.title") == "Ada"


async def test_a_question_nobody_expected_is_dismissed_and_fails_the_action(acting: Acting) -> None:
    await acting.show(ASKS)

    error = await acting.refused("click", "#f")

    assert isinstance(error, DialogFailed)
    assert "the page asked 'Really delete Ada?' (confirm)" in str(error)
    assert await acting.js("document.title") == "kept"


async def test_a_question_that_says_something_else_is_dismissed(acting: Acting) -> None:
    await acting.show(ASKS)

    error = await acting.refused("click", "#f", timeout_s=5, dialog={"says": "delete Bo"})

    assert isinstance(error, DialogFailed)
    assert await acting.js("document.title") == "kept"


async def test_a_dialog_that_does_not_come_fails_the_action(acting: Acting) -> None:
    await acting.show("<button id=f>Quiet</button>")

    error = await acting.refused("click", "#f", timeout_s=5, dialog={})

    assert str(error) == "the page was expected to open a dialog, and did not"


async def test_a_question_during_an_action_that_failed_is_not_held_against_the_next(acting: Acting) -> None:
    await acting.show("<input id=f maxlength=1 oninput=\"confirm('Sure?')\"><button id=ok>OK</button>")
    await acting.refused("fill", "#f", value="ab")

    done = await acting.do("click", "#ok")

    assert done.remark == ""


async def test_what_a_page_merely_says_is_a_remark(acting: Acting) -> None:
    await acting.show("<button id=f onclick=\"alert('Saved!')\">Save</button>")

    done = await acting.do("click", "#f")

    assert done.remark == "the page said 'Saved!'"


async def test_a_window_that_a_click_opens_gets_its_name_and_the_run_goes_on_in_it(site: Acting) -> None:
    await site.js("document.body.innerHTML = '<a id=f target=_blank href=/invoice>Invoice</a>'")

    await site.do("click", "#f", opens="invoice")
    assert await site.sees(text="page /invoice")

    await site.do("close_tab")
    assert await site.sees(url="https://shop.test/start")


async def test_a_window_that_closes_itself_gives_way_to_the_one_before(site: Acting) -> None:
    await site.js("document.body.innerHTML = '<a id=f target=_blank rel=opener href=/popup>Pick</a>'")
    await site.do("click", "#f", opens="popup")
    await site.session.context.pages[1].evaluate("document.body.innerHTML = '<b id=ok onclick=window.close()>OK</b>'")

    await site.do("click", "#ok")

    assert await site.sees(url="https://shop.test/start")


async def test_a_window_is_gone_before_the_driver_knows_that_it_was_clicked(site: Acting) -> None:
    await site.js("document.body.innerHTML = '<a id=f target=_blank rel=opener href=/popup>Pick</a>'")
    await site.do("click", "#f", opens="popup")
    popup = site.session.context.pages[1]
    await popup.evaluate("""document.body.innerHTML = '<b id=ok>OK</b>'
      ok.onmousedown = () => { opener.postMessage('pick', '*'); window.close(); const until = Date.now() + 300
        while (Date.now() < until); }""")

    await site.do("click", "#ok")

    assert await site.sees(url="https://shop.test/start")


async def test_a_browser_that_closes_every_window_is_lost(site: Acting) -> None:
    await site.js("document.body.innerHTML = '<b id=ok>OK</b>'")
    page = site.session.context.pages[0]
    await page.expose_function("gone", page.close)
    await site.js("ok.onmousedown = () => { gone(); const until = Date.now() + 300; while (Date.now() < until); }")

    error = await site.refused("click", "#ok", timeout_s=5)

    assert isinstance(error, BrowserLost)


async def test_a_tab_whose_page_took_too_long_has_its_name_when_it_has_come(site: Acting) -> None:
    async def slowly(route: driver.Route) -> None:
        await asyncio.sleep(0.6)
        await route.fulfill(body="<p>the form</p>", headers=HTML)

    await site.session.context.route("https://shop.test/form", slowly)
    await site.refused("switch_tab", tab="form", url="https://shop.test/form", timeout_s=0.2)
    await site.session.context.pages[-1].get_by_text("the form").wait_for()

    await site.do("switch_tab", tab="form")
    assert await site.sees(text="the form")
    await site.do("close_tab", tab="form")
    assert await site.sees(url="https://shop.test/start")


async def test_a_tab_the_page_opened_by_itself_is_found_by_its_address(site: Acting) -> None:
    await site.js("void window.open('/help?topic=1')")

    await site.do("switch_tab", tab="help", shows="*/help*")

    assert await site.sees(text="page /help?topic=1")


async def test_a_click_that_opens_nothing_is_an_error(site: Acting) -> None:
    error = await site.refused("click", "p >> nth=0", opens="invoice")

    assert isinstance(error, NavigationFailed)
    assert str(error) == "no tab 'invoice' was opened"


async def test_sessions_of_their_own_share_no_sign_in(site: Acting, echo: str) -> None:
    await site.do("navigate", url=f"{echo}/sign-in")

    await site.do("switch_tab", tab="mine", url=f"{echo}/a")
    assert await site.sees(text="you are ada")

    await site.do("switch_tab", tab="theirs", url=f"{echo}/b", session="buyer")
    assert await site.sees(text="you are nobody")

    await site.do("switch_tab", tab="mine")
    assert await site.sees(text="you are ada")


async def test_going_back_needs_a_page_to_go_back_to(site: Acting) -> None:
    await site.do("navigate", url="https://shop.test/next")

    await site.do("back")
    assert await site.sees(url="https://shop.test/start")

    await site.do("back")
    error = await site.refused("back")
    assert isinstance(error, NavigationFailed)


async def test_a_download_is_kept_with_its_hash_and_a_name_of_its_own(site: Acting, tmp_path: Path) -> None:
    await site.show(GIVES)

    first = await site.do("download", "#f", into="report")
    second = await site.do("download", "#f")

    assert first.value == {
        "name": first.value["name"],
        "path": f"artifacts/{first.value['name']}",
        "bytes": 3,
        "sha256": hashlib.sha256(b"a,b").hexdigest(),
    }
    assert (tmp_path / first.value["path"]).read_bytes() == b"a,b"
    assert second.value["path"] != first.value["path"]
    assert await site.sees(download="*.csv")


async def test_a_click_that_brings_no_file_is_no_download(site: Acting) -> None:
    error = await site.refused("download", "p >> nth=0")

    assert "brought no file within" in str(error)


async def test_files_are_given_to_a_field_even_a_hidden_one(site: Acting, tmp_path: Path) -> None:
    (tmp_path / "logo.svg").write_text("<svg/>")
    await site.show("<input id=f type=file hidden>")

    await site.do("upload", "#f", files=["logo.svg"])

    assert await site.js("[...f.files].map(file => file.name).join()") == "logo.svg"


async def test_a_field_that_is_empty_after_it_took_files_is_remarked_on(site: Acting, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    await site.show("<input id=f type=file onchange=\"document.title = this.files[0].name; this.value = ''\">")

    done = await site.do("upload", "#f", files=["a.txt"])

    assert await site.js("document.title") == "a.txt"
    assert done.remark == "the page took the files and emptied the field"


async def test_files_are_given_through_the_button_that_asks_for_them(site: Acting, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    await site.show("<input id=f type=file hidden><button id=pick onclick=f.click()>Choose</button>")

    await site.do("upload", "#pick", files=["a.txt"])

    assert await site.js("f.files.length") == 1


async def test_a_file_that_is_missing_is_named_with_where_it_was_looked_for(site: Acting, tmp_path: Path) -> None:
    await site.show("<input id=f type=file>")

    error = await site.refused("upload", "#f", files=["missing.pdf"])

    assert str(error) == f"upload to element [#f]: the file {tmp_path / 'missing.pdf'} is not there"
    assert error.performed is False


async def test_several_files_for_a_field_that_takes_one_are_refused(site: Acting, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(name)
    await site.show("<input id=f type=file>")

    error = await site.refused("upload", "#f", files=["a", "b"])

    assert "takes one file, not 2" in str(error)


async def test_frames_within_frames_and_shadow_roots_are_reached(acting: Acting) -> None:
    await acting.show(
        "<iframe id=outer srcdoc='<iframe id=inner srcdoc=&quot;<p id=host></p>&quot;></iframe>'></iframe>"
    )
    host = acting.session.context.pages[0].frame_locator("#outer").frame_locator("#inner").locator("#host")
    await host.evaluate("host => { host.attachShadow({ mode: 'open' }).innerHTML = '<button>Deep</button>' }")

    done = await acting.do("click", target={"role": "button", "name": "Deep", "frame": ["#outer", "#inner"]})

    assert done.remark == ""


async def test_a_frame_that_is_not_there_is_answered_with_those_that_are(acting: Acting) -> None:
    await acting.show("<iframe id=pay srcdoc='<button>Pay</button>'></iframe>")

    error = await acting.refused("click", target={"role": "button", "frame": "#help"})

    assert isinstance(error, TargetNotFound)
    assert "there is no frame #help, there are iframe#pay" in str(error)


async def test_text_is_marked_copied_and_pasted(acting: Acting) -> None:
    await acting.show("<p id=from>Reference <b>A-17</b></p><textarea id=to>old</textarea>")

    await acting.do("select_text", "#from", text="ence A-1")
    assert await acting.js("String(getSelection())") == "ence A-1"

    copied = await acting.do("copy", "#from", into="copied")
    await acting.do("paste", "#to")

    assert copied.value == "Reference A-17"
    assert await acting.js("to.value") == "Reference A-17"


@pytest.mark.parametrize("html", ["<p id=f>Vitae a <b>leo</b></p>", "<textarea id=f>Vitae a leo</textarea>"])
async def test_a_whole_word_is_marked_before_a_part_of_one(acting: Acting, html: str) -> None:
    await acting.show(html)

    await acting.do("select_text", "#f", text="a")

    before = "getSelection().getRangeAt(0).startOffset" if html.startswith("<p") else "f.selectionStart"
    assert await acting.js(before) == 6


async def test_waiting_for_the_network_ends_when_it_is_quiet(site: Acting) -> None:
    await site.js("void fetch('/data').then(() => { document.title = 'loaded' })")

    await site.do("wait_for", network="idle")

    assert await site.js("document.title") == "loaded"


async def test_a_picture_is_kept_among_the_artefacts(site: Acting, tmp_path: Path) -> None:
    done = await site.do("screenshot", name="before")

    assert done.artifact is not None
    assert (tmp_path / done.artifact.path).read_bytes().startswith(b"\x89PNG")
    assert not await site.sees(download="*", timeout_s=0)


async def test_a_click_waits_for_a_request_that_will_draw_the_page_anew(site: Acting, echo: str) -> None:
    await site.do("navigate", url=f"{echo}/shop")
    await site.js("document.body.innerHTML = '<button id=f>Open</button>'")
    fresh = "<button id=f onclick=\\'document.title = 1\\'>Open</button>"
    async with site.session.context.pages[0].expect_request("**/slowly"):
        await site.js(f"void fetch('/slowly').then(() => {{ f.outerHTML = '{fresh}' }})")

    done = await site.do("click", "#f")

    assert await site.js("document.title") == "1"
    assert list(done.waited_s) == ["what the page was loading"]
