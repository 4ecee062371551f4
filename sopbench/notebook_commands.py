"""``sopbench notebooks``: reports from stored runs, one page each."""

from __future__ import annotations

import json
from pathlib import Path

import click

from sopbench.errors import UsageError
from sopbench.extras import needing


@click.command()
@click.argument("names", nargs=-1)
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("reports"), show_default=True, help="Their folder."
)
@click.option("--records", default="reports/runs", show_default=True, help="Stored runs, or the URL of a team's store.")
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="A notebook's own parameter, as moved_at=2026-11-15."
)
@click.option("--json", "as_json", is_flag=True, help="The pages, as JSON.")
def notebooks(names: tuple[str, ...], out: Path, records: str, settings: tuple[str, ...], as_json: bool) -> None:
    """Execute the notebooks NAMES over stored runs, without any all of them, and write their pages.

    The pages open from disk, and call no other host.

    \b
    sopbench notebooks --out reports/
    sopbench notebooks failure_rates --records /shared/runs --set moved_at=2026-11-15
    """  # noqa: D301 - click wants the character itself
    with needing("notebooks"):
        from sopbench.charts import running  # noqa: PLC0415 - pandas, matplotlib and Jupyter's, an extra
    there = running.notebooks()
    for name in names:
        if name not in there:
            raise UsageError(f"no notebook is called {name!r}; there is {', '.join(there)}")
    if "://" not in records and not Path(records).is_dir():
        raise UsageError(f"{records}: no such folder of runs; see --records")
    own = dict(_parted(each) for each in settings)
    if own and len(names) != 1:
        raise UsageError("--set is for one notebook: name it")
    wanted = {name: there[name] for name in names or there}
    pages = running.write_pages(wanted, {"records": records, **own}, out, Path())
    if as_json:
        told = [{"notebook": page.stem, "page": str(page)} for page in pages]
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
        return
    for page in pages:
        click.echo(str(page))


def _parted(setting: str) -> tuple[str, str]:
    name, equals, value = setting.partition("=")
    if not equals or not name:
        raise UsageError(f"--set {setting}: write NAME=VALUE")
    return name, value
