"""Lists that do not show whole are read whole, or it is said what is missing."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from sopbench.adapters.playwright_session import PlaywrightSession
from sopbench.errors import DataInvalid, StepError
from sopbench.sop.verbs.reading import Extract

Json = dict[str, Any]
FIELDS: Json = {"id": {"target": {"css": "b"}, "type": "integer"}, "name": {"target": {"css": "i"}}}
BOX: Json = {"css": "#box"}
NEXT: Json = {"role": "button", "name": "Next"}

VIRTUAL = """
<style>#box { height: 300px; width: 300px; overflow-y: auto; position: relative }
.row { position: absolute; height: 30px; left: 0 }</style>
<p id=total>TOTAL rows</p><div id=box><div id=inner></div></div>
<script>
  const count = COUNT, box = document.querySelector('#box'), inner = document.querySelector('#inner')
  inner.style.height = count * 30 + 'px'
  inner.innerHTML = '<div class=row></div>'.repeat(AHEAD + 10)
  const pool = [...inner.children]
  const draw = () => {
    const first = FIRST
    for (let at = first; at < first + pool.length; at++) {
      const node = pool[at % pool.length]
      node.hidden = at >= count
      node.style.top = at * 30 + 'px'
      node.innerHTML = `<b>${at}</b> <i>NAME</i>`
    }
  }
  box.addEventListener('scroll', () => setTimeout(draw, LATE))
  draw()
</script>"""

ENDLESS = """
<style>.row { height: 40px }</style><p id=total>of TOTAL</p><main></main><p id=busy>BUSY</p>
<script>
  let from = 0, loading = false, done = false
  const load = async () => {
    if (loading || done) return
    loading = true
    const rows = await (await fetch(`/rows?from=${from}`)).json()
    for (const { id, name } of rows) {
      const row = document.querySelector('main').appendChild(document.createElement('div'))
      row.className = 'row'
      row.innerHTML = `<b>${id}</b> <i>${name}</i>`
    }
    from += rows.length
    done = !rows.length
    loading = false
  }
  addEventListener('scroll', () => innerHeight + scrollY > document.body.scrollHeight - 50 && load())
  load()
</script>"""

PAGED = """
<p id=total>TOTAL in all</p><main></main><button onclick='turn()'>Next</button>
<script>
  let page = 0, loading = false
  const show = async () => {
    const rows = await (await fetch(`/rows?from=${page * 20 - SHIFT}`)).json()
    const button = document.querySelector('button')
    const row = ({id, name}) => `<div class=row><b>${id}</b> <i>${name}</i></div>`
    document.querySelector('main').innerHTML = rows.map(row).join('')
    LAST
  }
  const turn = () => { STUCK page++; show() }
  show()
</script>"""


class Rows:
    """Serves one page, and its 105 rows, 20 at a time and not at once; and as pages of links."""

    def __init__(self) -> None:
        self.html = ""
        self.count = 105
        self.delay_s = 0.1
        rows = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                address = urlsplit(self.path)
                start = max(int(parse_qs(address.query).get("from", ["0"])[0]), 0)
                some = [{"id": at, "name": f"row {at}"} for at in range(start, min(start + 20, rows.count))]
                if address.path == "/rows":
                    time.sleep(rows.delay_s)
                    self._answer(json.dumps(some), "application/json")
                elif address.path == "/links":
                    items = "".join(f"<div class=row><b>{row['id']}</b> <i>{row['name']}</i></div>" for row in some)
                    more = f"<a href='/links?from={start + 20}'>Next</a>" if start + 20 < rows.count else ""
                    self._answer(f"<!doctype html><p id=total>{rows.count}</p>{items}{more}", "text/html")
                else:
                    self._answer(f"<!doctype html><html lang=en><body>{rows.html}", "text/html")

            def _answer(self, body: str, kind: str) -> None:
                self.send_response(200)
                self.send_header("content-type", f"{kind}; charset=utf-8")
                self.send_header("content-length", str(len(body.encode())))
                self.end_headers()
                self.wfile.write(body.encode())

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def rows() -> Iterator[Rows]:
    serving = Rows()
    yield serving
    serving.stop()


def filled(page: str, **words: object) -> str:
    for word, value in words.items():
        page = page.replace(word.upper(), str(value))
    return page


def virtual(
    count: int = 500,
    total: int | None = None,
    ahead: int = 4,
    late: int = 0,
    name: str = "row ${at}",
    first: str = "Math.floor(box.scrollTop / 30)",
) -> str:
    shown = total if total is not None else count
    return filled(VIRTUAL, count=count, total=shown, ahead=ahead, late=late, name=name, first=first)


def paged(total: int = 105, shift: str = "0", stuck: str = "", last: str = "button.disabled = from + 20 >= 105") -> str:
    last = last.replace("from", "page * 20").replace("105", "105")
    return filled(PAGED, total=total, shift=shift, stuck=stuck, last=last)


async def extract(session: PlaywrightSession, more: Json, timeout_s: float = 5, **what: Any) -> Any:
    what = what or {"each": {"css": ".row"}, "fields": FIELDS}
    action = Extract.model_validate({"do": "extract", "into": "v", "more": more, **what})
    return (await session.browser.perform(action, timeout_s=timeout_s)).value


async def show(session: PlaywrightSession, html: str) -> None:
    await session.context.pages[0].set_content(f"<!doctype html><html lang='en'><body>{html}")


async def serve(session: PlaywrightSession, rows: Rows, html: str) -> None:
    rows.html = html
    await session.context.pages[0].goto(rows.url)


def expected(count: int) -> list[Json]:
    return [{"id": at, "name": f"row {at}"} for at in range(count)]


@pytest.mark.parametrize("late", [0, 20])
async def test_a_virtual_list_with_recycled_nodes_is_read_whole_and_in_order(
    session: PlaywrightSession, late: int
) -> None:
    await show(session, virtual(late=late))

    found = await extract(session, {"scroll": BOX, "key": "id", "total": {"css": "#total"}})

    assert found == expected(500)


async def test_a_list_that_stands_in_the_middle_is_read_from_its_beginning(session: PlaywrightSession) -> None:
    await show(session, virtual(60))
    await session.context.pages[0].evaluate("document.querySelector('#box').scrollTop = 900")

    found = await extract(session, {"scroll": BOX})

    assert found == expected(60)


async def test_smaller_steps_are_taken_where_windows_do_not_overlap(session: PlaywrightSession) -> None:
    share = "Math.round(box.scrollTop / (box.scrollHeight - box.clientHeight) * 33)"
    await show(session, virtual(40, ahead=-3, first=share))

    found = await extract(session, {"scroll": BOX, "key": "id"})

    assert found == expected(40)


async def test_a_gap_that_no_step_closes_is_an_error(session: PlaywrightSession) -> None:
    await show(session, virtual(100, first="box.scrollTop < 50 ? 0 : 50"))

    with pytest.raises(DataInvalid, match="there is a gap in the list after 14 records"):
        await extract(session, {"scroll": BOX, "key": "id"})


async def test_another_total_than_was_read_is_an_error(session: PlaywrightSession) -> None:
    await show(session, virtual(60, total=61))

    with pytest.raises(DataInvalid, match="60 records were read, and the page says 61"):
        await extract(session, {"scroll": BOX, "key": "id", "total": {"css": "#total"}}, timeout_s=1.5)


async def test_a_record_that_says_something_else_later_is_an_error(session: PlaywrightSession) -> None:
    await show(session, virtual(60, name="${Math.floor(box.scrollTop / 200)}"))

    with pytest.raises(DataInvalid, match=r'id \d+ stands twice: \{"id": \d+, "name": "0"\} and'):
        await extract(session, {"scroll": BOX, "key": "id"})


async def test_records_that_cannot_be_told_apart_are_an_error(session: PlaywrightSession) -> None:
    await show(session, virtual(60))

    with pytest.raises(DataInvalid, match="the list shows id 'row' twice"):
        await extract(
            session,
            {"scroll": BOX, "key": "id"},
            timeout_s=0.5,
            each={"css": ".row"},
            fields={"id": {"attribute": "class"}},
        )


async def test_a_list_without_an_end_is_given_up(session: PlaywrightSession) -> None:
    await show(session, virtual(500))

    with pytest.raises(StepError, match="no end after 3 scrolls, the most that 'pages' allows; 38 records were read"):
        await extract(session, {"scroll": BOX, "key": "id", "pages": 3})


async def test_a_short_list_that_need_not_be_scrolled_is_read(session: PlaywrightSession) -> None:
    await show(session, virtual(5))

    found = await extract(session, {"scroll": BOX, "total": {"css": "#total"}})

    assert found == expected(5)


async def test_a_list_that_loads_more_at_its_end_is_read_whole(session: PlaywrightSession, rows: Rows) -> None:
    await serve(session, rows, filled(ENDLESS, total=105, busy=""))

    found = await extract(session, {"scroll": "page", "key": "id"})

    assert found == expected(105)


async def test_what_loads_slowly_is_waited_for(session: PlaywrightSession, rows: Rows) -> None:
    rows.count, rows.delay_s = 30, 1.3
    await serve(session, rows, filled(ENDLESS, total=30, busy=""))

    found = await extract(session, {"scroll": "page", "total": {"css": "#total"}})

    assert found == expected(30)


async def test_what_never_comes_is_an_error(session: PlaywrightSession, rows: Rows) -> None:
    await serve(session, rows, filled(ENDLESS, total=105, busy="<i role=progressbar>…</i>"))

    with pytest.raises(StepError, match=r"still being loaded after 1 s; 105 records were read"):
        await extract(session, {"scroll": "page", "key": "id"}, timeout_s=1)


async def test_pages_that_load_late_are_turned_to_the_last(session: PlaywrightSession, rows: Rows) -> None:
    await serve(session, rows, paged())

    found = await extract(session, {"next": NEXT, "key": "id", "total": {"css": "#total"}})

    assert found == expected(105)


async def test_pages_end_where_next_is_gone(session: PlaywrightSession, rows: Rows) -> None:
    await session.context.pages[0].goto(f"{rows.url}/links")

    found = await extract(session, {"next": {"role": "link", "name": "Next"}, "total": {"css": "#total"}})

    assert found == expected(105)


async def test_a_table_is_turned_as_well(session: PlaywrightSession) -> None:
    await show(
        session,
        "<table><thead><tr><th>No<tbody></table><ul><li class=disabled><a href='#'>Back</a><li>"
        "<a href='#'>Next</a></ul>"
        "<script>let page = 0; const show = () => { document.querySelector('tbody').innerHTML ="
        " [0, 1].map(at => `<tr><td>${page * 2 + at}`).join('');"
        " document.querySelectorAll('li')[1].className = page === 2 ? 'disabled' : '' }; show();"
        "document.querySelectorAll('a')[1].onclick = () => { page++; setTimeout(show, 100) }</script>",
    )

    found = await extract(session, {"next": {"role": "link", "name": "Next"}}, table={"css": "table"})

    assert found == [{"No": str(at)} for at in range(6)]


async def test_a_list_that_changes_while_it_is_read_is_an_error(session: PlaywrightSession, rows: Rows) -> None:
    await serve(session, rows, paged(shift="(page > 2 ? 1 : 0)"))

    with pytest.raises(DataInvalid, match="page 4 shows id 59 again: the list changed while it was read; 60 records"):
        await extract(session, {"next": NEXT, "key": "id"})


async def test_a_row_that_went_missing_between_pages_is_found_out_by_the_total(
    session: PlaywrightSession, rows: Rows
) -> None:
    await serve(session, rows, paged(shift="(page > 2 ? -1 : 0)"))

    with pytest.raises(DataInvalid, match="104 records were read, and the page says 105"):
        await extract(session, {"next": NEXT, "key": "id", "total": {"css": "#total"}})


async def test_a_page_that_does_not_turn_is_an_error(session: PlaywrightSession, rows: Rows) -> None:
    await serve(session, rows, paged(stuck="if (page > 0) return;"))

    with pytest.raises(StepError, match="the page did not turn: after button 'Next' page 2 is still there, 20 records"):
        await extract(session, {"next": NEXT, "key": "id"}, timeout_s=1)


async def test_more_pages_than_allowed_are_an_error(session: PlaywrightSession, rows: Rows) -> None:
    await serve(session, rows, paged())

    with pytest.raises(StepError, match="more than 2 pages, the most that 'pages' allows; 40 records were read"):
        await extract(session, {"next": NEXT, "key": "id", "pages": 2})


async def test_hidden_rows_of_other_pages_are_not_read_twice(session: PlaywrightSession) -> None:
    await show(
        session,
        "".join(f"<div class=row><b>{at}</b> <i>row {at}</i></div>" for at in range(10))
        + "<button>Next</button><script>let page = 0; const show = () => { document.querySelectorAll('.row').forEach("
        "(row, at) => row.hidden = Math.floor(at / 4) !== page);"
        "document.querySelector('button').hidden = page === 2 };"
        "show(); document.querySelector('button').onclick = () => { page++; show() }</script>",
    )

    found = await extract(session, {"next": NEXT})

    assert found == expected(10)
