"""An Allure report from results: what its command line is given, and what is made of the pages it writes.

Allure reads and writes every picture of every step, which takes longer than all the rest. So it is shown the results
alone, finds every attachment missing, and what was missing is put into its pages afterwards: links to the same files.
Its pages embed a tag manager; that is taken out, and a policy keeps them from asking any other host for anything.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sopbench.errors import UsageError

HISTORY_NAME = "allure-history.jsonl"
HISTORY_LAUNCHES = 60
"""As many launches as the history keeps: two months of nights."""
_TAG_MANAGER = re.compile(
    r"<script[^>]*googletagmanager[^>]*>\s*</script>\s*|"
    r"<script>(?:(?!</script>).)*function gtag\(\)(?:(?!</script>).)*</script>\s*",
    re.DOTALL,
)
_ABOUT = ("categories.json", "executor.json")
_POLICY = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'self' data: blob: 'unsafe-inline' "
    "'unsafe-eval'\">"
)
_MISSED = re.compile(
    rb'("id":"([0-9a-f]{32})","originalFileName":"([^"\\]+)"[^{}]*?"ext":"([^"\\]*)"[^{}]*?)"missed":true'
)
_STILL_MISSED = re.compile(
    rb'"originalFileName":"([^"\\]+)"[^{}]*?"missed":true|"missed":true[^{}]*?"originalFileName":"([^"\\]+)"'
)


@dataclass(frozen=True)
class Report:
    """A report that was made."""

    page: Path
    results: int
    attachments: int
    """Pictures, logs and traces in it."""


def make_report(
    results: Path, out: Path, history: Path, run: Callable[[Sequence[str], Path], None], name: str = "Trials"
) -> Report:
    """Write the report of a folder of results to ``out``, in place of what was there, and one launch into ``history``.

    ``run`` runs the command line with arguments in a folder. Raises: UsageError without a result, or when it fails.
    """
    found = sorted(each.name for each in os.scandir(results) if each.is_file()) if results.is_dir() else []
    told = [name for name in found if name.endswith("-result.json")]
    if not told:
        raise UsageError(f"{results}: no results of Allure; pytest writes them with --alluredir {results}")
    _check_replaceable(out)
    for parent in (history.parent, out.parent):
        parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".allure-", dir=out.parent) as temporary:
        folder = Path(temporary).resolve()
        shown = folder / "results"
        shown.mkdir()
        for each in found:
            if each.endswith(("-result.json", "-container.json", ".properties")) or each in _ABOUT:
                _link(results / each, shown / each)
        config = folder / "allurerc.json"
        config.write_text(json.dumps(_config(folder / "report", history.resolve(), name)), encoding="utf-8")
        run(["generate", str(shown), "--config", str(config)], folder)
        page = folder / "report" / "index.html"
        if not page.is_file():
            raise UsageError("allure generate wrote no report")
        attachments = _attach(results, folder / "report")
        page.write_text(without_calls(page.read_text("utf-8")), encoding="utf-8")
        _no_metrics(folder / "report" / "widgets" / "metrics.json")
        _replace(folder / "report", out)
    return Report(out / "index.html", len(told), attachments)


def without_calls(page: str) -> str:
    """The page without its tag manager, and with a policy that lets it ask nobody but where it is from."""
    return _TAG_MANAGER.sub("", page).replace("<head>", f"<head>\n    {_POLICY}", 1)


def _config(output: Path, history: Path, name: str) -> dict[str, object]:
    return {
        "name": name,
        "output": str(output),
        "historyPath": str(history),
        "appendHistory": True,
        "historyLimit": HISTORY_LAUNCHES,
        "plugins": {"awesome": {"options": {"reportName": name, "groupBy": ["sop", "condition", "case"]}}},
    }


def _attach(results: Path, report: Path) -> int:
    """Put the attachments into a report that was made without them."""
    with os.scandir(results) as entries:
        sizes = {os.fsencode(each.name): each.stat().st_size for each in entries if each.is_file()}
    data = _data_folder(report)
    folder = data / "attachments"
    folder.mkdir(exist_ok=True)
    put: dict[bytes, bytes] = {}

    def found(match: re.Match[bytes]) -> bytes:
        size = sizes.get(match[3])
        if size is None:
            return match[0]
        put[match[3]] = match[2] + match[4]
        return match[1] + b'"missed":false,"contentLength":%d' % size

    for told in (data / "test-results").glob("*.json"):
        text = _MISSED.sub(found, told.read_bytes())
        if any((one or other) in sizes for one, other in _STILL_MISSED.findall(text)):
            raise UsageError(f"{told.name}: attachments are not told of as they were in the Allure that is pinned")
        told.write_bytes(text)
    for name, target in put.items():
        _link(results / os.fsdecode(name), folder / os.fsdecode(target))
    return len(put)


def _data_folder(report: Path) -> Path:
    for data in (report / "data", report / "awesome" / "data"):
        if (data / "test-results").is_dir():
            return data
    raise UsageError(f"{report}: not laid out as reports of Allure are")


def _link(source: Path, target: Path) -> None:
    """The same file at another place; a copy where links cannot be made."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _no_metrics(file: Path) -> None:
    """Say that there are none, where Allure says nothing: its page asks for the file all the same."""
    if file.parent.is_dir() and not file.exists():
        file.write_text("null", encoding="utf-8")


def _check_replaceable(out: Path) -> None:
    if out.exists() and not (out / "index.html").is_file() and any(out.iterdir()):
        raise UsageError(f"{out} holds something that is no report; name another folder with --out")


def _replace(made: Path, out: Path) -> None:
    shutil.rmtree(out, ignore_errors=True)
    shutil.move(made, out)
