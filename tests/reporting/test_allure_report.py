"""The Allure report: attachments put into pages that were made without them, no calls, one history over launches."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sopbench.adapters.allure_tool import find_allure, run_allure
from sopbench.errors import UsageError
from sopbench.reporting.allure_report import make_report, without_calls
from tests.reporting.conftest import ONE_PIXEL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.async_api import Browser

STOCK = """<html><head><title>t</title></head><body>
    <script src="app.js"></script>
    <script async src="https://www.googletagmanager.com/gtag/js?id=G-LNDJ3J7WT0"></script>
    <script>
        window.dataLayer = window.dataLayer || [];
        function gtag(){dataLayer.push(arguments);}
        gtag('js', new Date());
    </script>
    <script>window.allureReportDataReady = true;</script>
</body></html>"""


def results(folder: Path, trials: int = 1, status: str = "passed", name: str = "0001.jpg") -> Path:
    """Results as pytest writes them: a trial with a step, which has a picture."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(trials):
        source = f"{number:08x}-attachment.png"
        (folder / source).write_bytes(ONE_PIXEL)
        told = {
            "uuid": f"{number:08x}", "name": f"test_mail[short_day-clean-{number}]", "status": status,
            "historyId": f"{number:032x}", "fullName": "test_mail",
            "start": 1_795_300_000_000, "stop": 1_795_300_002_000,
            "labels": [{"name": "sop", "value": "mail"}, {"name": "condition", "value": "clean"},
                       {"name": "case", "value": "short_day"}],
            "parameters": [{"name": "trial id", "value": f"short_day-clean-{number}"}],
            "steps": [
                {
                    "name": "1. Open the mail", "status": status, "start": 1_795_300_000_000, "stop": 1_795_300_001_000,
                    "attachments": [{"name": name, "source": source, "type": "image/png"}],
                }
            ],
        }  # fmt: skip
        (folder / f"{number:08x}-result.json").write_text(json.dumps(told), encoding="utf-8")
    return folder


def allure_that_writes(page: str = STOCK, links: str = "") -> object:
    """A stand-in for the command line: it writes a report with these links of attachments."""

    def run(arguments: Sequence[str], folder: Path) -> None:
        shown = sorted(each.name for each in Path(arguments[1]).iterdir())
        told = folder / "report" / "data" / "test-results"
        told.mkdir(parents=True)
        (told / "1.json").write_text(links or json.dumps(shown), encoding="utf-8")
        (folder / "report" / "index.html").write_text(page, encoding="utf-8")

    return run


def test_the_tag_manager_is_taken_out_and_nothing_else() -> None:
    page = without_calls(STOCK)

    assert "googletagmanager" not in page
    assert "gtag" not in page
    assert '<script src="app.js"></script>' in page
    assert "window.allureReportDataReady = true;" in page
    assert "default-src 'self' data: blob:" in page


def test_allure_is_shown_the_results_alone(tmp_path: Path) -> None:
    found = results(tmp_path / "results")
    (found / "environment.properties").write_text("os=linux\n")

    make_report(found, tmp_path / "out", tmp_path / "history.jsonl", allure_that_writes())  # type: ignore[arg-type]

    shown = json.loads((tmp_path / "out" / "data" / "test-results" / "1.json").read_text())
    assert shown == ["00000000-result.json", "environment.properties"]


def test_what_it_missed_is_put_in_afterwards(tmp_path: Path) -> None:
    identity = "0123456789abcdef0123456789abcdef"
    found = results(tmp_path / "results")
    link = '{"id":"%s","originalFileName":"%s","ext":".png","name":"0001.jpg","used":true,"missed":true}'
    ours, gone = link % (identity, "00000000-attachment.png"), link % ("f" * 32, "gone.png")
    links = f'[{{"link":{ours},"type":"attachment"}},{{"link":{gone}}},{{"link":{ours}}}]'

    made = make_report(
        found, tmp_path / "out", tmp_path / "history.jsonl", allure_that_writes(links=links)  # type: ignore[arg-type]
    )  # fmt: skip

    data = tmp_path / "out" / "data"
    told = [each["link"] for each in json.loads((data / "test-results" / "1.json").read_text())]
    assert made.attachments == 1
    assert (data / "attachments" / f"{identity}.png").read_bytes() == ONE_PIXEL
    assert [each["missed"] for each in told] == [False, True, False]
    assert told[0]["contentLength"] == len(ONE_PIXEL)


def test_an_allure_that_tells_of_attachments_otherwise_is_an_error(tmp_path: Path) -> None:
    found = results(tmp_path / "results")
    run = allure_that_writes(links='[{"missed":true,"originalFileName":"00000000-attachment.png","uid":"7"}]')

    with pytest.raises(UsageError, match="not told of as they were in the Allure that is pinned"):
        make_report(found, tmp_path / "out", tmp_path / "history.jsonl", run)  # type: ignore[arg-type]

    assert not (tmp_path / "out").exists()


def test_a_report_is_replaced_and_another_folder_is_not(tmp_path: Path) -> None:
    found, out = results(tmp_path / "results"), tmp_path / "out"
    make_report(found, out, tmp_path / "history.jsonl", allure_that_writes())  # type: ignore[arg-type]
    (out / "old.txt").write_text("of the report before")
    make_report(found, out, tmp_path / "history.jsonl", allure_that_writes())  # type: ignore[arg-type]
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("dear to me")

    with pytest.raises(UsageError, match="holds something that is no report"):
        make_report(found, mine, tmp_path / "history.jsonl", allure_that_writes())  # type: ignore[arg-type]

    assert not (out / "old.txt").exists()
    assert (mine / "thesis.txt").read_text() == "dear to me"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["mine", "out", "results"]


@pytest.mark.parametrize("folder", ["nowhere", "empty"])
def test_without_results_there_is_no_report(tmp_path: Path, folder: str) -> None:
    (tmp_path / "empty").mkdir()

    with pytest.raises(UsageError, match="no results of Allure"):
        make_report(tmp_path / folder, tmp_path / "out", tmp_path / "history.jsonl", allure_that_writes())  # type: ignore[arg-type]

    assert not (tmp_path / "out").exists()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report by the real command line, after two launches of which the first failed."""
    if find_allure() is None:
        pytest.skip("the Allure command line is not installed: make report-tool")
    tmp_path = tmp_path_factory.mktemp("allure")
    history = tmp_path / "history.jsonl"
    for launch, status in enumerate(("failed", "passed")):
        found = results(tmp_path / f"results-{launch}", trials=3, status=status)
        make_report(found, tmp_path / "report", history, run_allure)
    return tmp_path


@pytest.fixture
def served(made: Path) -> Iterator[str]:
    """Its address."""
    handler = partial(_Quiet, directory=str(made / "report"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        pass


def test_every_launch_is_in_the_history(made: Path) -> None:
    launches = [json.loads(line) for line in (made / "history.jsonl").read_text().splitlines()]

    assert [{each["status"] for each in launch["testResults"].values()} for launch in launches] == [
        {"failed"},
        {"passed"},
    ]
    trial = json.loads(next((made / "report" / "data" / "test-results").glob("*.json")).read_text())
    assert [each["status"] for each in trial["history"]] == ["failed"]


async def test_its_pages_ask_nobody_else_and_show_the_pictures(chromium: Browser, served: str) -> None:
    said: list[str] = []
    asked: list[str] = []
    context = await chromium.new_context(viewport={"width": 1280, "height": 900})
    page = await context.new_page()
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))

    page.set_default_timeout(10_000)
    await page.goto(served)
    for name in ("mail", "clean", "short_day", "test_mail[short_day-clean-1]", "1. Open the mail", "0001.jpg"):
        await page.get_by_text(name, exact=True).first.click()
    picture = page.locator("img[src*='blob:'], img[src*='data/attachments']").first
    await picture.wait_for()
    shown = await picture.evaluate("async image => { await image.decode(); return image.naturalWidth }")
    await context.close()

    assert shown == 1
    assert said == []
    assert [url for url in asked if not url.startswith((served, "blob:", "data:"))] == []
    assert any("data/attachments" in url for url in asked)
