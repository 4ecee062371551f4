"""What the dashboard asks of stored runs, in DuckDB's SQL.

``PREPARE`` comes first: it makes ``mine``, in which a trial is ``here`` when it was held as the newest one of its
scenario that gave evidence was: same procedure, site, source of answers and autonomy; and ``now`` when it ran the same
version too. What is not known counts as the same. A scenario with several procedures is shown as several. ``unit`` is
what is independent of each other: trials of one case that were replayed under one seed are one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

COST_OF_A_RUN = "case when count(*) = count(cost_usd) or max(cost_usd) > 0 then avg(cost_usd) end"
"""At the mean. Not known when a price is missing and all that is known is what cost nothing."""
PREPARE = """
create or replace temp table mine as
with several as (
    select scenario, count(distinct sop) filter (sop <> '') > 1 as many from picked group by scenario
), placed as not materialized (
    select p.* replace (case when many and sop <> '' then scenario || ' · ' || sop else scenario end as scenario)
    from picked p join several using (scenario)
), newest as (
    select scenario, arg_max({'sop': sop, 'version': version, 'sha256': sha256, 'site': site, 'llm': llm,
        'autonomy': autonomy}, (verdict <> 'broken', coalesce(began, timestamp '1970-01-01'), run)) as it
    from placed where sop <> '' group by scenario
), beside as not materialized (
    select p.*, it, it is null or (
        p.sop in ('', it.sop) and p.site in ('', it.site) and p.llm in ('', it.llm) and p.autonomy in ('', it.autonomy)
    ) as here
    from placed p left join newest using (scenario)
)
select key, scenario, condition, verdict, began, duration_s, cost_usd, model_calls, live_calls, input_tokens,
    output_tokens, version, sha256, it, here, here and (it is null or sha256 in ('', it.sha256)) as now,
    case when verdict = 'passed' then grade else verdict end as worth,
    case when llm = 'replay' then hash("case", seed) else hash(run) end as unit
from beside
"""
SCENARIOS = """
select scenario, any_value(it.version) as version, any_value(it.sha256) as sha256, any_value(it.site) as site,
    any_value(it.llm) as llm, any_value(it.autonomy) as autonomy, count(*) filter (now) as trials,
    count(*) filter (not now) as older,
    count(*) filter (now and verdict <> 'broken') as evidence,
    count(*) filter (now and verdict = 'failed_silent') as silent,
    count(*) filter (now and verdict = 'failed_harmful') as harmful,
    count(*) filter (not now and verdict in ('failed_silent', 'failed_harmful')) as bad_older,
    min(began) as first, max(began) as last
from mine group by scenario order by scenario
"""
CONDITIONS = """
with units as (
    select scenario, condition, unit, bool_and(verdict = 'passed') as passed, bool_and(worth = 'clean') as clean
    from mine where now and verdict <> 'broken' group by all
), rates as (
    select scenario, condition, count(*) as units, count(*) filter (passed) as passed, count(*) filter (clean) as clean
    from units group by all
), counts as (
    select scenario, condition, histogram(worth) as mix, max(began) as last, {cost} as cost_usd,
        quantile_cont(duration_s, 0.5) filter (verdict = 'passed') as p50_s,
        quantile_cont(duration_s, 0.95) filter (verdict = 'passed') as p95_s
    from mine where now group by all
)
select * from counts left join rates using (scenario, condition) order by scenario, condition
""".replace("{cost}", COST_OF_A_RUN)
SPANS = "select scenario, condition, min(began) as first, max(began) as last from mine where here group by all"
BAD = """
select p.run, p.folder, m.scenario, p."case", p.condition, p.verdict, p.began, p.cause, p.reason
from picked p join mine m using (key)
where m.now and m.verdict in ('failed_silent', 'failed_harmful') order by p.began desc nulls last, p.run limit 12
"""
COST = """
select scenario, count(cost_usd) as known, count(*) - count(cost_usd) as unknown, {cost} as mean_usd,
    quantile_cont(cost_usd, 0.95) as p95_usd, avg(model_calls) as model_calls, avg(live_calls) as live_calls,
    avg(input_tokens) as input_tokens, avg(output_tokens) as output_tokens
from mine where now and verdict <> 'broken' group by scenario
""".replace("{cost}", COST_OF_A_RUN)
NODES = """
select scenario, s.node, any_value(s.kind) as kind, any_value(s.label) as label, count(*) as visits,
    coalesce(sum(s.own_s), 0) as own_s, approx_quantile(s.duration_s, 0.95) as p95_s,
    count(*) filter (s.tier = 'retried') as retried, count(*) filter (s.tier = 'healed') as healed,
    count(*) filter (s.tier in ('interrupted', 'alternative', 'explored', 'assisted')) as otherwise,
    count(*) filter (s.outcome <> 'done') as failed
from steps s join mine using (key) where now and verdict <> 'broken' group by all order by all
"""
CONTAINERS = """
with few as (
    select key, scenario from mine where now
    qualify row_number() over (partition by scenario order by began desc) <= 300
), seen as (select s.key, s.step, s.parent, s.node from steps s where s.key in (select key from few))
select distinct few.scenario, p.node from seen p join seen c on c.key = p.key and c.parent = p.step
join few on few.key = p.key
"""
"""Nodes that others are inside of, as the newest trials show it: what fails inside them fails them too."""
NEWEST = """
with numbered as (
    select key, scenario, condition, it.sha256 as sha256, count(*) over (partition by scenario) as of,
        row_number() over (partition by scenario order by began desc nulls last, key) as number
    from mine where now and verdict <> 'broken' qualify number <= {most}
)
select n.* exclude (key), p.folder from numbered n join picked p using (key) order by scenario, number
"""
_PERIODS = """
with chosen as (
    select m.*, date_trunc(c.period, began) as start from mine m
    join (values {chosen}) as c(scenario, condition, period) using (scenario, condition)
    where here and began is not null
), units as (
    select scenario, start, unit, bool_and(verdict = 'passed') as passed from chosen
    where verdict <> 'broken' group by all
), rates as (
    select scenario, start, count(*) as units, count(*) filter (passed) as passed from units group by all
), counts as (
    select scenario, start, histogram(worth) as mix, {cost} as cost_usd,
        quantile_cont(duration_s, 0.5) filter (verdict = 'passed') as p50_s
    from chosen group by all
), firsts as (
    select scenario, version, sha256, min(began) as first_began, min(start) as start from chosen
    where sha256 <> '' group by all
), versions as (
    select scenario, start, string_agg(version || ' · ' || left(sha256, 6), chr(10) order by first_began) as versions
    from firsts group by all
)
select * from counts left join rates using (scenario, start) left join versions using (scenario, start)
order by scenario, start
""".replace("{cost}", COST_OF_A_RUN)


def periods_of(chosen: Mapping[str, tuple[str, str]]) -> str:
    """The question for periods: scenario → the condition, and ``day``, ``week`` or ``month``."""
    rows = ", ".join(f"({_quoted(name)}, {_quoted(of)}, {_quoted(each)})" for name, (of, each) in chosen.items())
    return _PERIODS.replace("{chosen}", rows)


def newest(most: int) -> str:
    """The question for the newest trials of each scenario."""
    return NEWEST.replace("{most}", str(int(most)))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
