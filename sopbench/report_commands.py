"""``sopbench report``, ``dashboard`` and ``site``: what people look at."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
from pydantic import ValidationError

from sopbench.adapters.allure_tool import run_allure
from sopbench.errors import UsageError
from sopbench.extras import needing
from sopbench.reliability.answers import Answer
from sopbench.reporting.allure_report import HISTORY_NAME, make_report
from sopbench.reporting.dashboard.facts import GateFacts
from sopbench.reporting.site import make_site
from sopbench.reporting.wording import count

if TYPE_CHECKING:
    from sopbench.reporting.dashboard.facts import DashboardFacts

REPORTS = Path("reports")
GATE_ANSWER = REPORTS / "gate.json"
PATH = click.Path(path_type=Path)
JSON = click.option("--json", "as_json", is_flag=True, help="What was made, as JSON.")


@click.command()
@click.option("--allure-results", "results", type=PATH, default=REPORTS / "allure-results", show_default=True)
@click.option("--out", type=PATH, default=REPORTS / "allure", show_default=True, help="Replaced if it is a report.")
@click.option("--history", type=PATH, default=REPORTS / HISTORY_NAME, show_default=True, help="Grows by one launch.")
@JSON
def report(results: Path, out: Path, history: Path, as_json: bool) -> None:
    """Make the Allure report of trials, with their steps, pictures and history.

    It needs no Java and no Node of yours: `make report-tool` installs Allure once. Its pages must be served to be
    read: python -m http.server -d reports/allure

    \b
    pytest scenarios/gmail_airtable --alluredir reports/allure-results
    sopbench report
    """  # noqa: D301 - click wants the character itself
    made = make_report(results, out, history, run_allure)
    if as_json:
        told = {"page": str(made.page), "results": made.results, "attachments": made.attachments}
        click.echo(json.dumps(told | {"history": str(history)}, indent=2))
        return
    click.echo(f"{made.page}: {count(made.results, 'result')}, {count(made.attachments, 'attachment')}")
    click.echo(f"to read it: python -m http.server -d {out}")


@click.command()
@click.option(
    "--records", default="reports/runs", show_default=True, help="Stored runs: a folder, or a database's URL."
)
@click.option("--store", metavar="URL", help="A database instead of files beside the runs; also SOPBENCH_STORE.")
@click.option("--out", type=PATH, default=REPORTS / "dashboard", show_default=True)
@click.option("--since", type=click.DateTime(), help="Only runs that began then or later (UTC).")
@click.option(
    "--gate", "gate_answer", type=PATH, help=f"The gate's last answer. Default: {GATE_ANSWER}, if it is there."
)
@click.option("--newest", type=click.IntRange(min=0), default=200, show_default=True, help="Logs read for coverage.")
@JSON
def dashboard(
    records: str,
    store: str | None,
    out: Path,
    since: datetime | None,
    gate_answer: Path | None,
    newest: int,
    as_json: bool,
) -> None:
    """Make one page that shows how reliable the procedures are. It opens from disk, and needs no other file.

    \b
    sopbench gate --json > reports/gate.json
    sopbench dashboard
    """  # noqa: D301 - click wants the character itself
    with needing("records"):
        from sopbench.reporting.dashboard.from_frames import dashboard_facts  # noqa: PLC0415 - pandas takes a second
        from sopbench.reporting.dashboard.page import dashboard_page  # noqa: PLC0415
        from sopbench.trials.loading import load_runs  # noqa: PLC0415

    frames = load_runs(records, store=store, since=since.replace(tzinfo=UTC) if since else None)
    asked = gate_answer or (GATE_ANSWER if GATE_ANSWER.is_file() else None)
    facts = dashboard_facts(frames, datetime.now(UTC), _gate(asked) if asked else None, newest_read=newest)
    page = out / "index.html"
    out.mkdir(parents=True, exist_ok=True)
    page.write_text(dashboard_page(facts), encoding="utf-8")
    if as_json:
        click.echo(json.dumps(_told(page, facts), indent=2, ensure_ascii=False))
        return
    bad = f"{count(facts.silent, 'silent failure')}, {count(facts.harmful, 'harmful failure')}"
    click.echo(f"{page}: {count(facts.trials, 'trial')} of {count(len(facts.scenarios), 'scenario')}, {bad}")


@click.command()
@click.option("--out", type=PATH, default=REPORTS, show_default=True, help="The folder with all reports in it.")
@JSON
def site(out: Path, as_json: bool) -> None:
    """Make the page that leads to all reports in a folder: dashboard, Allure, matrix, notebooks.

    Example: sopbench site --out reports
    """
    made = make_site(out, datetime.now(UTC))
    if as_json:
        click.echo(json.dumps({"page": str(made.page), "reports": [str(each) for each in made.reports]}, indent=2))
        return
    click.echo(f"{made.page}: {count(len(made.reports), 'report')}")


def _gate(file: Path) -> GateFacts:
    try:
        answer = Answer.model_validate_json(file.read_bytes())
        when = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    except (OSError, ValidationError) as error:
        raise UsageError(f"{file}: no answer of a gate; write it with: sopbench gate --json > {file}") from error
    return GateFacts(answer, when, str(file))


def _told(page: Path, facts: DashboardFacts) -> dict[str, object]:
    return {
        "page": str(page),
        "records": facts.records,
        "trials": facts.trials,
        "silent": facts.silent,
        "harmful": facts.harmful,
        "gate": facts.gate.answer.outcome if facts.gate else None,
        "excluded": facts.excluded,
        "scenarios": [
            {
                "scenario": each.scenario,
                "version": each.version,
                "trials": each.trials,
                "older": each.older,
                "condition": each.main,
                "rate": each.headline.rate.model_dump() if each.headline.rate else None,
                "untried": [way.way.name for way in each.coverage.covered if not way.trials] if each.coverage else None,
            }
            for each in facts.scenarios
        ],
    }
