"""The notebooks, executed: over a month of runs and over none, as pages that need nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import pytest
from click.testing import CliRunner

from sopbench.charts.running import execute, given, notebooks, page_of, read, write_pages
from sopbench.cli import main
from sopbench.errors import UsageError
from sopbench.trials.verdict import Verdict
from tests.trials.stored_runs import keep

from .histories import store_a_month

if TYPE_CHECKING:
    from playwright.async_api import Browser

NAMES = ("cost", "decision_drift", "failure_rates", "gate_review", "sop_heatmap")
POLICY = '[[claims]]\nscenario = "shop"\nreliability = { p0 = 0.99, p1 = 0.95 }\n'


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folders of the pages: over a month and a few runs of today, and over nothing."""
    made = {}
    for kind in ("month", "nothing"):
        place = tmp_path_factory.mktemp(kind)
        records = place / "runs"
        records.mkdir()
        if kind == "month":
            store_a_month(records)
            for number in range(1, 6):
                keep(records, number, Verdict.PASSED if number > 1 else Verdict.FAILED_SILENT)
            (place / "gate.toml").write_text(POLICY, encoding="utf-8")
        write_pages(notebooks(), {"records": str(records)}, place / "out", place)
        made[kind] = place / "out"
    return made


def test_there_are_five() -> None:
    assert tuple(notebooks()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_kept_without_outputs_and_its_code_is_short(name: str) -> None:
    node = json.loads(notebooks()[name].read_text(encoding="utf-8"))

    cells = [cell for cell in node["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
    assert max(len(cell["source"]) for cell in cells) <= 8


@pytest.mark.parametrize("name", NAMES)
def test_its_page_over_a_month_has_pictures_and_none_of_the_code(pages: dict[str, Path], name: str) -> None:
    page = (pages["month"] / f"{name}.html").read_text(encoding="utf-8")

    assert "data:image/png;base64," in page
    assert "load_runs(" not in page
    assert "<script" not in page


def test_over_no_runs_each_page_says_so(pages: dict[str, Path]) -> None:
    for name in NAMES:
        page = (pages["nothing"] / f"{name}.html").read_text(encoding="utf-8")
        assert "No runs are stored here yet" in page or "There is no policy here" in page


@pytest.mark.parametrize("kind", ["month", "nothing"])
@pytest.mark.parametrize("width", [1280, 390])
async def test_it_fits_the_screen_without_an_error_or_a_request(
    chromium: Browser, pages: dict[str, Path], tmp_path: Path, width: int, kind: str
) -> None:
    said: list[str] = []
    asked: list[str] = []
    context = await chromium.new_context(viewport={"width": width, "height": 900})
    page = await context.new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    files = [pages[kind] / f"{name}.html" for name in NAMES]

    widths = []
    for file in files:
        await page.goto(file.as_uri())
        await page.screenshot(full_page=True, path=tmp_path / f"{file.stem}-{width}.png")
        widths.append(await page.evaluate("document.documentElement.scrollWidth"))
    await context.close()

    assert said == []
    assert [url for url in asked if not url.startswith("data:")] == [file.as_uri() for file in files]
    assert max(widths) <= width


def notebook(*sources: str, tagged: bool = True) -> nbformat.NotebookNode:
    first = cell("records = 'x'") | {"metadata": {"tags": ["parameters"]} if tagged else {}}
    made: nbformat.NotebookNode = nbformat.from_dict(  # type: ignore[no-untyped-call]
        {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [first, *map(cell, sources)]}
    )
    return made


def cell(source: str) -> dict[str, Any]:
    """With an id of its own."""
    code: dict[str, Any] = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    return {**code, "id": f"cell-{abs(hash(source))}", "source": source}


def test_parameters_come_after_their_defaults() -> None:
    node = notebook("print(records)")

    given(node, {"records": "it's here"})

    assert [cell.source for cell in node.cells] == ["records = 'x'", 'records = "it\'s here"', "print(records)"]


def test_a_parameter_nobody_knows_is_an_error() -> None:
    with pytest.raises(UsageError, match="the notebook has no parameter 'record'; it has records"):
        given(notebook(), {"record": "y"})
    with pytest.raises(UsageError, match="no cell with the tag 'parameters'"):
        given(notebook(tagged=False), {"records": "y"})


def test_a_cell_that_fails_is_an_error_that_says_which(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="mine: ValueError: no such thing"):
        execute({"mine": notebook("raise ValueError('no such thing')")}, tmp_path)


@pytest.mark.parametrize(
    "output",
    [
        "<script>alert(1)</script>",
        '<img src="https://elsewhere.example/x.png">',
        '<link rel="stylesheet" href="x.css">',
    ],
)
def test_a_page_that_would_ask_for_something_is_refused(output: str) -> None:
    node = notebook("")
    shown = {"output_type": "display_data", "metadata": {}, "data": {"text/html": output}}
    node.cells[1].outputs = [nbformat.from_dict(shown)]  # type: ignore[no-untyped-call]

    with pytest.raises(UsageError, match="would not be self-contained"):
        page_of(node, "mine")


def test_the_command_refuses_what_is_not_there(tmp_path: Path) -> None:
    call = CliRunner().invoke

    assert "no notebook is called 'costs'; there is cost" in call(main, ["notebooks", "costs"]).output
    nowhere = call(main, ["notebooks", "cost", "--records", str(tmp_path / "nowhere")])
    assert (nowhere.exit_code, "no such folder of runs" in nowhere.output) == (2, True)
    assert (
        "--set is for one notebook"
        in call(main, ["notebooks", "--records", str(tmp_path), "--set", "moved_at=2026-11-15"]).output
    )


def test_a_notebook_that_is_read_has_its_parameters() -> None:
    node = read(notebooks()["failure_rates"], {"records": "there", "moved_at": "2026-11-15"})

    assert node.cells[2].source == "records = 'there'\nmoved_at = '2026-11-15'"
