"""Notebooks, executed over a folder of runs, as self-contained pages.

A page shows what the cells show and none of their code. It calls no other host: its pictures are in it, and nothing of
a notebook's usual page (scripts for formulas and widgets) is.
"""

from __future__ import annotations

import asyncio
import html
import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert.exporters import HTMLExporter

from sopbench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

PARAMETERS = "parameters"
"""Tag of the cell that others are given after."""
MOST_S = 600
PLACES = (Path(__file__).parent / "notebooks", Path(__file__).parents[2] / "notebooks")
"""Where the notebooks are: beside this module where it is installed, or at the root of a checkout."""
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem; color: #1d2733; background: #fff;
  font: 15px/1.5 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }}
h1 {{ font-size: 1.6rem; margin: 0 0 .5rem; }}
h2 {{ font-size: 1.15rem; margin: 2.2rem 0 .4rem; }}
p, ul {{ margin: .4rem 0; overflow-wrap: anywhere; }}
figure {{ margin: .6rem 0; overflow-x: auto; }}
img {{ width: 100%; min-width: 34rem; max-width: {width}px; height: auto; }}
.listing {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-size: .87rem; }}
th, td {{ text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid #e3e7eb; }}
th {{ color: #55616e; font-weight: 600; }}
.number {{ text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }}
code {{ font-size: .92em; background: #f4f6f8; padding: 0 .25em; border-radius: 3px; }}
.jp-OutputPrompt, .jp-InputPrompt, .anchor-link {{ display: none; }}
</style>
</head>
<body>
{body}
</body>
</html>
"""
WIDTH_PX = 936
_OUTSIDE = re.compile(
    r"""<(?:script|link|iframe)\b|\b(?:src|href)\s*=\s*["']\s*(?:https?:)?//|@import\s+url""", re.IGNORECASE
)


def notebooks() -> dict[str, Path]:
    """The notebooks that there are, by name. Raises: UsageError when they are nowhere."""
    for place in PLACES:
        found = {file.stem: file for file in sorted(place.glob("*.ipynb"))}
        if found:
            return found
    raise UsageError("the notebooks are not installed beside sopbench")


def execute(nodes: Mapping[str, nbformat.NotebookNode], folder: Path) -> None:
    """Execute notebooks, given by name, in one process in ``folder``, so that what they import is loaded once.

    Raises: UsageError when a cell fails.
    """
    asyncio.run(_execute(nodes, folder))


async def _execute(nodes: Mapping[str, nbformat.NotebookNode], folder: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="sopbench-") as private:
        sockets = {"transport": "ipc", "ip": f"{private}/kernel"} if os.name == "posix" else {}
        kernel = AsyncKernelManager(connection_file=f"{private}/kernel.json", **sockets)
        try:
            for name, node in nodes.items():
                await _execute_one(name, node, kernel, folder)
        finally:
            await kernel.shutdown_kernel(now=True)


async def _execute_one(name: str, node: nbformat.NotebookNode, kernel: AsyncKernelManager, folder: Path) -> None:
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(node, km=kernel, timeout=MOST_S, startup_timeout=MOST_S, resources=resources)
    try:
        await client.async_execute()
    except CellExecutionError as error:
        raise UsageError(f"{name}: {error.ename}: {error.evalue}") from error
    finally:
        if client.kc is not None:
            client.kc.stop_channels()


def read(notebook: Path, parameters: Mapping[str, Any]) -> nbformat.NotebookNode:
    """A notebook that is given these parameters. Raises: UsageError as ``given`` does."""
    node: nbformat.NotebookNode = nbformat.read(notebook, as_version=4)  # type: ignore[no-untyped-call]
    given(node, parameters)
    return node


def given(node: nbformat.NotebookNode, parameters: Mapping[str, Any]) -> None:
    """Put a cell with these parameters after the one that has the defaults.

    Raises: UsageError when the notebook has no such cell, or no such parameter.
    """
    tagged = [index for index, cell in enumerate(node.cells) if PARAMETERS in cell.metadata.get("tags", ())]
    if not tagged:
        raise UsageError("the notebook has no cell with the tag 'parameters'")
    known = set(re.findall(r"^(\w+)\s*=", node.cells[tagged[0]].source, re.MULTILINE))
    for name in parameters:
        if name not in known:
            raise UsageError(f"the notebook has no parameter {name!r}; it has {', '.join(sorted(known))}")
    source = "\n".join(f"{name} = {value!r}" for name, value in parameters.items())
    cell = nbformat.v4.new_code_cell(source, metadata={"tags": ["injected-parameters"]})  # type: ignore[no-untyped-call]
    node.cells.insert(tagged[0] + 1, cell)


def page_of(node: nbformat.NotebookNode, title: str) -> str:
    """What the executed notebook shows, as one page that needs nothing else.

    Raises: UsageError when it would ask for something of another host.
    """
    exporter = HTMLExporter(template_name="basic", exclude_input=True)  # type: ignore[no-untyped-call]
    exporter.exclude_output_prompt = True
    body, _ = exporter.from_notebook_node(node)
    outside = _OUTSIDE.search(body)
    if outside:
        raise UsageError(f"{title}: the page would not be self-contained: {outside.group()}")
    return PAGE.format(title=html.escape(title), body=body, width=WIDTH_PX)


def write_pages(notebooks: Mapping[str, Path], parameters: Mapping[str, Any], out: Path, folder: Path) -> list[Path]:
    """Execute notebooks and write their pages into ``out``. Raises: UsageError."""
    nodes = {name: read(file, parameters) for name, file in notebooks.items()}
    execute(nodes, folder)
    out.mkdir(parents=True, exist_ok=True)
    pages = []
    for name, node in nodes.items():
        page = out / f"{name}.html"
        page.write_text(page_of(node, title_of(node, name)), encoding="utf-8")
        pages.append(page)
    return pages


def title_of(node: nbformat.NotebookNode, otherwise: str) -> str:
    """Its first heading."""
    for cell in node.cells:
        heading = re.match(r"#\s+(.+)", cell.source) if cell.cell_type == "markdown" else None
        if heading:
            return heading.group(1).strip()
    return otherwise
