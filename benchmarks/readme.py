"""Figures in a README: what a benchmark measured, between two marks that name it."""

from __future__ import annotations

from pathlib import Path

END = "<!-- end of figures -->\n"


def begin(benchmark: str) -> str:
    """The line after which the figures of ``benchmarks/NAME.py`` stand."""
    return f"<!-- figures of benchmarks/{benchmark}.py -->\n"


def put(readme: Path, benchmark: str, text: str) -> None:
    """Between the marks, in place of what stands there. Raises: ValueError where there are none."""
    mark = begin(benchmark)
    before, found, rest = readme.read_text("utf-8").partition(mark)
    _, end, after = rest.partition(END)
    if not found or not end:
        raise ValueError(f"{readme}: no lines {mark.strip()!r} and {END.strip()!r} to put the figures between")
    readme.write_text(before + mark + text + END + after, "utf-8", newline="\n")
