"""One small page twice: as HTML from a local server, and as elements of a fake browser."""

from __future__ import annotations

import contextlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from sopbench.testing.browser import FakeBrowser
from sopbench.testing.page import Element, Page

HTML = """<!doctype html><meta charset="utf-8"><title>Investors</title>
<script>
  const show = () => { document.getElementById('status').hidden = false }
  const key = event => { if (event.key === 'Enter') show() }
</script>
<h1>Investors</h1>
<form onsubmit="return false">
  <label>Name <input id="name" placeholder="Full name" onkeydown="key(event)"></label>
  <label>Name of fund <input value="Acme"></label>
  <label>Stage <select><option>New</option><option>Won</option></select></label>
  <label><input type="checkbox"> Follow up</label>
</form>
<button data-testid="save" onclick="show()">Save</button> <button>Save as</button> <button disabled>Locked</button>
<button hidden>Ghost</button>
<div style="position: relative; width: 200px"><button>Under</button>
  <div id="veil" style="position: absolute; inset: 0">veil</div></div>
<p role="status" id="status" hidden>Saved</p>
<p>Total: 3 records</p>
<ul>
  <li class="row"><b class="who">Ada</b> <a href="/other">Open</a>
    <input type="checkbox" checked aria-label="Pick"></li>
  <li class="row"><b class="who">Bo</b> <a href="/bo">Open</a> <input type="checkbox" aria-label="Pick">
    <i class="tag">big</i> <i class="tag">new</i></li>
</ul>
<div role="dialog" aria-label="Edit"><button>OK</button></div>
<div role="dialog" aria-label="Delete"><button>OK</button></div>
<iframe id="help" srcdoc="<button>Inside</button>"></iframe>
"""
OTHER = "<!doctype html><title>Other</title><h1>Other page</h1>"
STATUSES = {"/": (200, HTML), "/other": (200, OTHER), "/missing": (404, "gone"), "/broken": (500, "oops")}


class Server:
    """Serves the pages on a free port of this machine. ``/flaky`` fails once, then shows the other page.

    ``/slow`` does not answer.
    """

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.closing = threading.Event()
        self.flaky = threading.Event()
        """Whether ``/flaky`` has failed."""
        server = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                server.asked.append(self.path)
                if self.path == "/slow":
                    server.closing.wait(5)
                status, body = STATUSES.get(self.path, (404, "no such page"))
                if self.path == "/flaky":
                    status, body = (200, OTHER) if server.flaky.is_set() else (500, "oops")
                    server.flaky.set()
                with contextlib.suppress(ConnectionError):
                    self._answer(status, body)

            def _answer(self, status: int, body: str) -> None:
                self.send_response(status)
                self.send_header("content-type", "text/html; charset=utf-8")
                self.send_header("content-length", str(len(body.encode())))
                self.end_headers()
                self.wfile.write(body.encode())

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def stop(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def fake_shop(url: str) -> FakeBrowser:
    """The same pages, in a fake browser that has not opened any yet."""
    pages = {
        f"{url}/other": Page([Element(role="heading", text="Other page")]),
        f"{url}/missing": Page(status=404),
        f"{url}/broken": Page(status=500),
    }
    return FakeBrowser({f"{url}/": _shop(), **pages})


def _shop() -> list[Element]:
    status = Element(role="status", text="Saved", visible=False, css="#status")

    def key(pressed: str) -> None:
        if pressed == "Enter":
            status.show()

    return [
        Element(role="heading", name="Investors", text="Investors"),
        Element(role="textbox", label="Name", placeholder="Full name", css="#name", value="", on_key=key),
        Element(role="textbox", label="Name of fund", value="Acme"),
        Element(role="combobox", label="Stage", value="New", options=("New", "Won")),
        Element(role="checkbox", label="Follow up", checked=False),
        Element(role="button", name="Save", text="Save", test_id="save", on_click=status.show),
        Element(role="button", name="Save as", text="Save as"),
        Element(role="button", name="Locked", text="Locked", enabled=False),
        Element(role="button", name="Ghost", text="Ghost", visible=False),
        Element(role="button", name="Under", text="Under", covered_by='<div id="veil">'),
        status,
        Element(text="Total: 3 records"),
        _row("Ada", "/other", checked=True),
        _row("Bo", "/bo", "big", "new", checked=False),
        Element(role="dialog", name="Edit", children=[Element(role="button", name="OK", text="OK")]),
        Element(role="dialog", name="Delete", children=[Element(role="button", name="OK", text="OK")]),
        Element(role="frame", css="#help", children=[Element(role="button", name="Inside", text="Inside")]),
    ]


def _row(who: str, link: str, *tags: str, checked: bool) -> Element:
    return Element(
        role="listitem",
        css=".row",
        children=[
            Element(css=".who", text=who),
            Element(role="link", name="Open", text="Open", attributes={"href": link}),
            Element(role="checkbox", name="Pick", checked=checked),
            *(Element(css=".tag", text=tag) for tag in tags),
        ],
    )
