"""The dashboard's page: what it says, and what it never does."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sopbench.records.coverage import Way, coverage, ways
from sopbench.records.frames import RunFrames
from sopbench.reliability.answers import Answer, ClaimAnswer
from sopbench.reporting.dashboard.charts import floor_of
from sopbench.reporting.dashboard.facts import CoverageFacts, DashboardFacts, GateFacts
from sopbench.reporting.dashboard.from_frames import dashboard_facts
from sopbench.reporting.dashboard.page import dashboard_page
from sopbench.reporting.groups import Rate
from sopbench.sop.loader import load
from tests.reporting.dashboard.nights import nights

NOW = datetime(2026, 11, 22, 5, 30, tzinfo=UTC)
DOCUMENT = Path(__file__).parents[3] / "scenarios" / "gmail_airtable" / "gmail_airtable.sop.json"


def facts_of(**options: object) -> DashboardFacts:
    return dashboard_facts(RunFrames.from_rows(**nights(**options)), NOW)  # type: ignore[arg-type]


def text_of(page: str) -> str:
    body = re.sub(r"<(style|svg).*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def test_with_no_trial_it_says_how_to_hold_some() -> None:
    page = dashboard_page(dashboard_facts(RunFrames.from_rows(), NOW))

    told = text_of(page)
    assert "No trials yet" in told
    assert "%" not in told
    assert "<svg" not in page


def test_with_one_trial_the_interval_tells_how_little_that_is() -> None:
    told = text_of(dashboard_page(facts_of(number=1, trials=1, conditions={"clean": 1.0})))

    assert "1 of 1 independent trial under clean passed" in told
    assert "2.5 – 100.0 %" in told
    assert "fewer than 95.0 % of trials" in told


def test_silent_and_harmful_failures_are_counted_and_named_first() -> None:
    facts = facts_of(number=16, trials=20, conditions={"clean": 0.9}, silent=0.5)

    page = dashboard_page(facts)

    assert facts.silent > 4
    assert facts.harmful > 0
    assert page.index("These runs must be looked at") < page.index('class="scenario"')
    assert page.count('class="tile alarm"') == 2
    assert page.count('<span class="what">') == min(12, facts.silent + facts.harmful)


def test_without_them_nothing_is_alarming_and_the_bound_is_said() -> None:
    facts = facts_of(number=10, trials=30, conditions={"clean": 1.0})

    page = dashboard_page(facts)

    assert 'class="tile alarm"' not in page
    assert "These runs" not in page
    assert re.search(
        r"None in \d+ independent trials: at 95 % confidence each kind happens in fewer than 1\.\d %", text_of(page)
    )


def test_texts_of_runs_stay_texts() -> None:
    hostile = '<img src="https://evil.example/x.png" onerror=alert(1)>'
    rows = nights(2, 5, {hostile: 0.1}, scenario=hostile, silent=1.0, reason=hostile, cause=hostile, case=hostile)
    rows["steps"] = [step | {"label": hostile} for step in rows["steps"]]

    page = dashboard_page(dashboard_facts(RunFrames.from_rows(**rows), NOW))

    assert "<img" not in page
    assert "&lt;img" in page


def test_it_names_no_address_and_runs_no_script() -> None:
    page = dashboard_page(with_coverage(facts_of(number=3)))

    assert "<script" not in page
    addresses = set(re.findall(r"(?:https?:)?//[\w.-]+", page)) - {"http://www.w3.org"}
    assert not addresses
    assert not re.search(r'(?:src|href)="(?!#|data:,)', page)


def test_the_gate_speaks_with_its_claims() -> None:
    claim = ClaimAnswer(scenario="mail", condition="clean", claim="silent", outcome="fail", sentence="2 of 40 did.")
    answer = Answer(outcome="fail", text="The gate fails: 2 of 40 lied.", claims=(claim,), more_trials=0)

    told = text_of(dashboard_page(replace(facts_of(number=1), gate=GateFacts(answer, NOW, "reports/gate.json"))))

    assert "Gate fail 22 Nov 2026, 05:30 UTC" in told
    assert "The gate fails: 2 of 40 lied." in told
    assert "2 of 40 did." in told


def test_what_was_never_taken_is_listed_and_drawn() -> None:
    page = dashboard_page(with_coverage(facts_of(number=3), never="D1_signed_in → yes"))

    assert "never: D1_signed_in → yes Signed in already?" in text_of(page)
    assert page.count("yes · never") == 2  # drawn for a wide and for a narrow screen
    assert "By the newest 4 trials of 36 of this version" in text_of(page)


def test_every_chart_is_in_a_table_too() -> None:
    facts = facts_of(number=5, trials=4)

    page = dashboard_page(facts)

    for period in facts.scenarios[0].periods:
        assert f'<td class="date">{period.start}</td>' in page
    assert len(
        re.findall(r'<svg class="chart" (?:role="img" aria-label="[^"]+"|aria-hidden="true")', page)
    ) == page.count('<svg class="chart"')


@pytest.mark.parametrize(("low", "floor"), [(0.992, 0.99), (0.97, 0.95), (0.7, 0.5), (0.2, 0.0)])
def test_an_axis_begins_below_every_interval(low: float, floor: float) -> None:
    assert floor_of([Rate(hits=9, of=9, low=low, high=1), None]) == floor


def with_coverage(facts: DashboardFacts, never: str = "") -> DashboardFacts:
    sop = load(DOCUMENT).sop
    taken: set[Way] = {way for way in ways(sop) if way.name != never}
    told = CoverageFacts(sop, coverage(sop, [("clean", taken)] * 4), 4, 36)
    return replace(facts, scenarios=tuple(replace(each, coverage=told) for each in facts.scenarios))


def test_moments_are_said_in_utc() -> None:
    facts = facts_of(number=1)

    page = dashboard_page(replace(facts, made=NOW + timedelta(hours=1)))

    assert "Made 22 Nov 2026, 06:30 UTC" in text_of(page)
