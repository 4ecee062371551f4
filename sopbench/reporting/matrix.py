"""The matrix of conditions and verdicts: for a terminal, and as a heat map in one file that needs nothing else."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sopbench.reporting.terminal import Lines
from sopbench.reporting.wording import count, percent
from sopbench.trials.matrix import COLUMNS

if TYPE_CHECKING:
    from sopbench.trials.matrix import Matrix, Row

NAME, NUMBER = 26, 10
_STYLES = {
    "clean": "green", "recovered": "green", "assisted": "yellow", "failed_safe": "yellow",
    "failed_silent": "bold red", "failed_harmful": "bold red", "broken": "magenta",
}  # fmt: skip
_COLOURS = {
    "clean": "22,130,60", "recovered": "70,150,60", "assisted": "150,150,40", "failed_safe": "205,140,30",
    "failed_silent": "200,20,30", "failed_harmful": "160,0,60", "broken": "110,110,120",
}  # fmt: skip


def matrix_lines(found: Matrix) -> Lines:
    """A row per condition; a dot where there was no such trial."""
    lines = Lines()
    names = [column.replace("failed_", "") for column in COLUMNS]
    head = f"{'condition':<{NAME}}" + "".join(f"{name:>{NUMBER}}" for name in names)
    lines.add((head, "bold"), "  why, as the log tells it", rows=0)
    for row in found.rows:
        cells = [(_cell(row, column), _STYLES[column] if row.counts[column] else "dim") for column in COLUMNS]
        lines.add((f"{row.condition[: NAME - 1]:<{NAME}}", ""), *cells, f"  {_why(row, most=3)}", rows=0)
    totals = "".join(f"{found.totals[column]:>{NUMBER}}" for column in COLUMNS)
    lines.add((f"{'all':<{NAME}}{totals}", "bold"), rows=0)
    lines.add("")
    lines.add(verdict_on(found), rows=0)
    for row in found.rows:
        for folder in row.worst:
            lines.add((f"  {row.condition}: {folder}", "red"), rows=0)
    return lines


def verdict_on(found: Matrix) -> str:
    """The matrix in a sentence."""
    share = found.share_passed(recoverable=True)
    passed = f"; of those that a careful person gets through, {percent(share)} % passed" if share is not None else ""
    missing = f"; {count(found.missing, 'trial')} missing" if found.missing else ""
    trials = count(sum(row.trials for row in found.rows), "trial")
    silent, harmful = found.totals["failed_silent"], found.totals["failed_harmful"]
    return f"{trials} under {count(len(found.rows), 'condition')}: {silent} silent, {harmful} harmful{passed}{missing}"


def matrix_page(found: Matrix) -> str:
    """The heat map as a page: no script, nothing from elsewhere."""
    heads = "".join(f"<th>{escape(column.replace('_', ' '))}</th>" for column in COLUMNS)
    rows = "".join(_row(row) for row in found.rows)
    totals = "".join(f"<th>{found.totals[column]}</th>" for column in COLUMNS)
    return (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        f"<title>{escape(found.scenario)}: conditions and verdicts</title><style>{_STYLE}</style>"
        f"<h1>{escape(found.scenario)}: conditions and verdicts</h1><p>{escape(verdict_on(found))}</p>"
        f"<table><thead><tr><th class=name>condition</th><th>true cause</th>{heads}"
        f"<th class=name>why, as the log tells it</th></tr></thead><tbody>{rows}</tbody>"
        f"<tfoot><tr><th class=name>all</th><th></th>{totals}<th></th></tr></tfoot></table>\n"
    )


def _cell(row: Row, column: str) -> str:
    return f"{row.counts[column] or '·':>{NUMBER}}"


def _why(row: Row, most: int | None = None) -> str:
    """The causes its trials were put down to, the most frequent first; in how many the fault never struck; and how many
    trials are missing.
    """
    told = ", ".join(f"{number} {cause}" for cause, number in row.attributed.most_common(most))
    others = [f"{row.untouched} untouched" if row.untouched else "", f"{row.missing} missing" if row.missing else ""]
    return "; ".join(filter(None, (told, *others)))


def _row(row: Row) -> str:
    cells = []
    for column in COLUMNS:
        number = row.counts[column]
        share = number / row.trials if row.trials else 0.0
        strength = 0.0 if not number else 0.15 + 0.4 * share  # the number stays legible
        text = f"{number}" if number else ""
        cells.append(f'<td style="background:rgba({_COLOURS[column]},{strength:.2f})" title="{share:.1%}">{text}</td>')
    stops = "" if row.recoverable else " <small>a careful person would stop</small>"
    return (
        f'<tr><th class=name title="{escape(row.title)}">{escape(row.condition)}{stops}</th>'
        f"<td>{escape(', '.join(row.causes))}</td>{''.join(cells)}<td class=name>{escape(_why(row))}</td></tr>\n"
    )


_STYLE = (
    "body{font:14px system-ui,sans-serif;margin:2em;color:#222;background:#fff}"
    "table{border-collapse:collapse}td,th{padding:.25em .6em;text-align:right;border:1px solid #ddd;font-weight:400}"
    "thead th{font-weight:600;background:#f4f4f4;position:sticky;top:0}.name{text-align:left;white-space:nowrap}"
    "small{color:#888}tfoot th{font-weight:600;background:#f4f4f4}"
)
