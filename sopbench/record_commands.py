"""``sopbench records``: taking stored runs into a store, out of it, and old ones away."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sopbench.extras import needing

if TYPE_CHECKING:
    from sopbench.records.pruning import Pruned

RECORDS = click.option(
    "--records", type=click.Path(path_type=Path), default=Path("reports/runs"), show_default=True, help="Stored runs."
)
STORE = click.option(
    "--store",
    metavar="URL",
    help="A database instead of files beside the runs; also SOPBENCH_STORE, or store in [tool.sopbench].",
)
TABLES = (
    "runs",
    "steps",
    "attempts",
    "model_calls",
    "decisions",
    "heals",
    "faults",
    "excluded",
    "nodes",
    "days",
    "frozen",
)


@click.group()
def records() -> None:
    """Keep runs as tables: ``sync``, ``export``, ``prune``."""


@records.command()
@RECORDS
@STORE
@click.option("--afresh", is_flag=True, help="Drop this folder's rows first; those of runs that were removed are lost.")
@click.option("--json", "as_json", is_flag=True, help="What was done, as JSON.")
def sync(records: Path, store: str | None, afresh: bool, as_json: bool) -> None:
    """Take the runs that are new into the store.

    \b
    sopbench records sync
    sopbench records sync --store postgresql+psycopg://nightly@db.example/sopbench
    """  # noqa: D301 - click wants the character itself
    with needing("records"):
        from sopbench.records.store import without_password  # noqa: PLC0415 - pandas and DuckDB, an extra
        from sopbench.trials.loading import store_of  # noqa: PLC0415
        from sopbench.trials.loading import sync as take_in  # noqa: PLC0415
    kept = store_of(records, store)
    if afresh:
        kept.forget()
    synced = take_in(records, kept)
    where = without_password(kept.place)
    if as_json:
        _tell({"store": where, "added": synced.added, "still_open": synced.still_open})
        return
    click.echo(f"{synced.added:,} new in {where}; {synced.still_open:,} not judged yet, or not to be read")


@records.command()
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="A folder for the files.")
@click.option("--format", "form", type=click.Choice(["csv", "parquet"]), default="csv", show_default=True)
@click.option("--table", "tables", type=click.Choice(TABLES), multiple=True, help="Only this one; repeatable.")
@RECORDS
@STORE
@click.option("--json", "as_json", is_flag=True, help="The files, as JSON.")
def export(output: Path, form: str, tables: tuple[str, ...], records: Path, store: str | None, as_json: bool) -> None:
    """Write the tables of runs as files, for other programs.

    \b
    sopbench records export -o tables --format parquet
    """  # noqa: D301 - click wants the character itself
    with needing("records"):
        from sopbench.records.exporting import export_table  # noqa: PLC0415 - pandas and DuckDB, an extra
        from sopbench.trials.loading import load_runs  # noqa: PLC0415
    frames = load_runs(records, store=store)
    output.mkdir(parents=True, exist_ok=True)
    written = []
    for name in tables or TABLES:
        frame = getattr(frames, name)
        file = output / f"{name}.{form}"
        export_table(frame, file)
        written.append({"table": name, "rows": len(frame), "file": str(file)})
    if as_json:
        _tell(written)
        return
    for each in written:
        click.echo(f"{each['rows']:>12,}  {each['file']}")


@records.command()
@click.option("--keep-days", type=float, metavar="N", help="Keep those of trials that passed in the last N days.")
@click.option("--keep-runs", type=int, metavar="N", help="Keep the last N of each scenario, condition and verdict.")
@click.option(
    "--keep-failures-days",
    type=float,
    metavar="N",
    help="Other trials than passed: only the last N days. Default: all.",
)
@click.option("--whole", is_flag=True, help="Remove whole folders of runs; their rows stay in the store.")
@click.option("--dry-run", is_flag=True, help="Tell what would be removed, and remove nothing.")
@RECORDS
@STORE
@click.option("--json", "as_json", is_flag=True, help="What was removed, as JSON.")
def prune(
    keep_days: float | None,
    keep_runs: int | None,
    keep_failures_days: float | None,
    whole: bool,
    dry_run: bool,
    records: Path,
    store: str | None,
    as_json: bool,
) -> None:
    """Remove the pictures, kept files and traces of old runs; logs and verdicts stay, and failures keep all.

    Where two options speak of a run, one that keeps it is enough. The gate reads folders, so runs removed with
    --whole count there no more.

    \b
    sopbench records prune --keep-days 14 --keep-runs 20 --dry-run
    sopbench records prune --keep-days 14 --keep-failures-days 180 --whole
    """  # noqa: D301 - click wants the character itself
    with needing("records"):
        from sopbench.records.pruning import Rule  # noqa: PLC0415 - pandas and DuckDB, an extra
        from sopbench.trials.pruning import prune_runs  # noqa: PLC0415
    rule = Rule(keep_days=keep_days, keep_runs=keep_runs, keep_failures_days=keep_failures_days)
    pruned = prune_runs(records, rule, store=store, whole=whole, dry_run=dry_run, now=datetime.now(UTC))
    if as_json:
        _tell({"dry_run": dry_run, "whole": whole, "pruned": [_told(each) for each in pruned]})
        return
    verb = "would be removed" if dry_run else "removed"
    for each in pruned:
        click.echo(f"{each.size / 1e6:>10.1f} MB  {each.verdict:<15} {each.folder}")
    what = "folders of runs" if whole else "runs' artefacts"
    click.echo(f"{verb}: {len(pruned):,} {what}, {sum(each.size for each in pruned) / 1e6:,.1f} MB")


def _told(each: Pruned) -> dict[str, Any]:
    return {"folder": str(each.folder), "verdict": each.verdict, "bytes": each.size}


def _tell(told: object) -> None:
    click.echo(json.dumps(told, indent=2, ensure_ascii=False))
