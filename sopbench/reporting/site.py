"""The page that leads to all reports in a folder, so that the folder is one static site."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from sopbench.reliability.answers import Answer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

KNOWN = {
    "dashboard": ("Dashboard", "How reliable each procedure is, and since when; what it costs; what was never tried."),
    "matrix": ("Matrix", "Each scenario under each condition."),
    "allure": ("Allure report", "Every trial step by step, with pictures and history. It must be served to be read."),
    "notebooks": ("Notebooks", "Failure rates, why the gate said so, the procedure as a heat map, drift, cost."),
}
"""Folder → what it is called, and what is in it."""
STYLE = """
:root{color-scheme:light dark;--bg:#f5f6f7;--panel:#fff;--ink:#18202a;--muted:#5a6573;--line:#dce1e6;--accent:#1f6f8b;
--fail:#b3261e;--pass:#1e6b47;--undecided:#8a5a00}
@media (prefers-color-scheme:dark){:root{--bg:#0f1317;--panel:#171c22;--ink:#e6eaee;--muted:#9ba7b4;--line:#2b333c;
--accent:#63b3cf;--fail:#ff8a80;--pass:#6cc79b;--undecided:#e3b04b}}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 ui-sans-serif,system-ui,-apple-system,"Segoe UI",
Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:720px;margin:0 auto;padding:44px 20px}
h1{font-size:30px;letter-spacing:-.02em;line-height:1.15;margin:0 0 6px}
p{margin:0 0 10px}.quiet{color:var(--muted);font-size:14px}
.answer{font-weight:650}.pass{color:var(--pass)}.fail{color:var(--fail)}.undecided{color:var(--undecided)}
section{background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:16px 20px;margin:12px 0}
section p:last-child,section ul{margin-bottom:0}h2{font-size:18px;margin:0 0 2px}a{color:var(--accent)}
ul{padding-left:18px;margin-top:6px}
"""


@dataclass(frozen=True)
class Site:
    """The page, and the pages that it leads to."""

    page: Path
    reports: tuple[Path, ...]


def make_site(folder: Path, made: datetime) -> Site:
    """Write ``index.html`` into a folder of reports; it leads to what is there, and says what is not."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {name: _pages(folder / name) for name in KNOWN}
    page = folder / "index.html"
    page.write_text(_page(folder, found, made), encoding="utf-8")
    return Site(page, tuple(each for pages in found.values() for each in pages))


def _pages(folder: Path) -> list[Path]:
    """A report's own first page, or else all that it has."""
    first = folder / "index.html"
    return [first] if first.is_file() else sorted(folder.glob("*.html"))


def _page(folder: Path, found: dict[str, list[Path]], made: datetime) -> str:
    parts = [f'<h1>Trials</h1><p class="quiet">{made:%d %B %Y, %H:%M} UTC</p>', *_gate(folder / "gate.json")]
    missing = []
    for name, (title, about) in KNOWN.items():
        pages = found[name]
        if not pages:
            missing.append(title.lower() if title != "Allure report" else title)
            continue
        if len(pages) == 1:
            parts.append(f'<section><h2><a href="{_to(folder, pages[0])}">{title}</a></h2><p>{about}</p></section>')
            continue
        links = "".join(f'<li><a href="{_to(folder, each)}">{escape(each.stem)}</a></li>' for each in pages)
        parts.append(f"<section><h2>{title}</h2><p>{about}</p><ul>{links}</ul></section>")
    if missing:
        parts.append(f'<p class="quiet">Not made: {", ".join(missing)}.</p>')
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    head += f'<title>Trials</title><link rel="icon" href="data:,"><style>{STYLE}</style>'
    body = "\n".join(parts)
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body><main>\n{body}\n</main></body></html>\n'


def _gate(file: Path) -> Iterator[str]:
    try:
        answer = Answer.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        yield '<section><h2>Gate</h2><p class="quiet">No answer: it was not asked, or could not tell.</p></section>'
        return
    told = f'<span class="answer {answer.outcome}">{answer.outcome}</span>'
    yield f"<section><h2>Gate: {told}</h2><p>{escape(answer.text)}</p></section>"


def _to(folder: Path, page: Path) -> str:
    return escape(page.relative_to(folder).as_posix())
