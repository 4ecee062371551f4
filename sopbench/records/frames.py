"""Stored runs as pandas frames: what ``sopbench.load_runs()`` gives.

Columns of few different values are categoricals. Text that is not there is empty, a number that is not known is NaN.
``nodes`` and ``days`` are summed up inside DuckDB, so they stay small however many runs there are.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import duckdb
import pandas as pd  # type: ignore[import-untyped]

from sopbench.errors import UsageError
from sopbench.records.quiet_duckdb import connected
from sopbench.records.store import Choice, Source, frame_of, typed_columns
from sopbench.records.tables import (
    ATTEMPTS,
    BY_NAME,
    DECISIONS,
    EXCLUDED,
    FAULTS,
    HEALS,
    MODEL_CALLS,
    RUNS,
    STEPS,
    TABLES,
    Table,
    key_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_OF_RUN = ("scenario", "condition")
"""Columns of the run that each of its rows shows."""

NODES = """
with evidence as not materialized (
    select key, scenario, sop, condition from picked where verdict <> 'broken' and ($sha256 = '' or sha256 = $sha256)
), counted as materialized (
    select p.scenario, p.sop, p.condition, s.node, s.kind, s.label,
        cast(count(*) as bigint) as visits,
        cast(count(*) filter (s.visit <= 1) as bigint) as runs,
        cast(count(*) filter (s.outcome = 'failed') as bigint) as failed,
        cast(count(*) filter (s.outcome = 'unfinished') as bigint) as unfinished,
        cast(count(*) filter (s.attempts > 1) as bigint) as retried,
        cast(coalesce(sum(s.attempts - 1) filter (s.attempts > 1), 0) as bigint) as retries,
        cast(count(*) filter (s.tier = 'healed') as bigint) as healed,
        cast(count(*) filter (s.tier = 'alternative') as bigint) as alternative,
        cast(count(*) filter (s.tier = 'explored') as bigint) as explored,
        cast(count(*) filter (s.tier = 'assisted') as bigint) as assisted,
        avg(s.duration_s) as mean_s,
        coalesce(sum(s.own_s), 0) as own_s
    from steps s join evidence p using (key) group by all
), quantiles as materialized (
    select p.scenario, p.sop, p.condition, s.node, s.kind, s.label, quantile_cont(s.duration_s, [0.5, 0.95]) as of_them
    from steps s join evidence p using (key) where p.key % $each = 0 group by all
)
select counted.* exclude (own_s), of_them[1] as p50_s, of_them[2] as p95_s, own_s
from counted left join quantiles using (scenario, sop, condition, node, kind, label)
order by all
"""
DAYS = """
select scenario, condition, site, llm, cast(date_trunc('day', began) as timestamp) as day,
    cast(count(*) as bigint) as trials,
    cast(count(*) filter (verdict = 'passed') as bigint) as passed,
    cast(count(*) filter (grade = 'clean') as bigint) as clean,
    cast(count(*) filter (grade = 'recovered') as bigint) as recovered,
    cast(count(*) filter (grade = 'assisted') as bigint) as assisted,
    cast(count(*) filter (verdict = 'failed_silent') as bigint) as failed_silent,
    cast(count(*) filter (verdict = 'failed_safe') as bigint) as failed_safe,
    cast(count(*) filter (verdict = 'failed_harmful') as bigint) as failed_harmful,
    cast(count(*) filter (verdict = 'broken') as bigint) as broken,
    cast(sum(retries) as bigint) as retries,
    cast(sum(steps_healed) as bigint) as healed,
    quantile_cont(duration_s, 0.5) filter (verdict = 'passed') as p50_s,
    quantile_cont(duration_s, 0.95) filter (verdict = 'passed') as p95_s,
    cast(sum(model_calls) as bigint) as model_calls,
    cast(sum(live_calls) as bigint) as live_calls,
    cast(sum(input_tokens) as bigint) as input_tokens,
    cast(sum(output_tokens) as bigint) as output_tokens,
    coalesce(sum(cost_usd), 0) as cost_usd,
    cast(count(*) filter (cost_usd is null) as bigint) as cost_unknown
from picked group by all order by all
"""
FROZEN = """
with known as (
    select *, case site when 'mock' then 'frozen' when 'real' then 'live' end as site_is,
        case llm when 'replay' then 'frozen' when 'live' then 'live' when 'record' then 'live' end as decisions_are,
        case when llm = 'replay' then "case" || '/' || seed else run end as unit
    from picked
), units as (
    select scenario, condition, site_is, decisions_are, unit, bool_and(verdict = 'passed') as passed
    from known where verdict <> 'broken' group by all
), rates as (
    select scenario, condition, site_is, decisions_are, count(*) as units, count(*) filter (passed) as passed
    from units group by all
)
select scenario, condition, site_is, decisions_are, cast(count(*) as bigint) as trials,
    cast(count(*) filter (verdict = 'broken') as bigint) as broken,
    cast(coalesce(any_value(units), 0) as bigint) as units, cast(coalesce(any_value(passed), 0) as bigint) as passed
from known left join rates using (scenario, condition, site_is, decisions_are)
where site_is is not null and decisions_are is not null
group by all order by all
"""
QUANTILES_OF = 100_000
"""Of more runs than these, the quantiles of ``nodes`` are of so many, drawn by their keys."""
_GROUP_WORDS = ("scenario", "sop", "condition", "node", "kind", "label", "site", "llm", "site_is", "decisions_are")


class RunFrames:
    """Runs of a store as frames; each is read when it is first asked for, and kept."""

    def __init__(self, source: Source, records: str, choice: Choice | None = None) -> None:
        self.records = records
        """Where they are from; of a database without its password."""
        self._source = source
        self._choice = choice or Choice()
        self._connection = source.connection
        self._pick()

    @classmethod
    def from_rows(cls, **rows: Iterable[Mapping[str, Any]]) -> RunFrames:
        """Frames of rows that are given, by table; for trying out what reads frames.

        A row of a run names it by ``run``; columns that are left out are empty. Raises: ValueError on an unknown
        table or column, or a row of a run that is not among ``runs``.
        """
        unknown = rows.keys() - BY_NAME.keys()
        if unknown:
            raise ValueError(f"no table is called {min(unknown)!r}; there are {', '.join(BY_NAME)}")
        return cls(_Given(rows), "rows")

    def __repr__(self) -> str:
        number = len(self.runs)
        chosen = " that were asked for" if self._choice != Choice() else ""
        return f"<{number:,} {'run' if number == 1 else 'runs'}{chosen} in {self.records}>"

    @property
    def is_empty(self) -> bool:
        """Whether there is no run."""
        return len(self.runs) == 0

    @cached_property
    def runs(self) -> pd.DataFrame:
        """One row per trial, in the order in which they began."""
        frame = self._ask(f"select {_named(RUNS)} from picked order by began nulls last, run")
        frame["began"] = frame["began"].dt.tz_localize("UTC")
        return frame

    @cached_property
    def steps(self) -> pd.DataFrame:
        """One row per step; of very many runs rather take ``nodes``."""
        return self._of_runs(STEPS)

    @cached_property
    def attempts(self) -> pd.DataFrame:
        """Attempts of the steps that did not go right at first."""
        return self._of_runs(ATTEMPTS)

    @cached_property
    def model_calls(self) -> pd.DataFrame:
        """One row per question to a model."""
        return self._of_runs(MODEL_CALLS)

    @cached_property
    def decisions(self) -> pd.DataFrame:
        """One row per decision."""
        return self._of_runs(DECISIONS)

    @cached_property
    def heals(self) -> pd.DataFrame:
        """One row per target that was healed, or stayed unclear."""
        return self._of_runs(HEALS)

    @cached_property
    def faults(self) -> pd.DataFrame:
        """One row per fault of a trial's condition."""
        return self._of_runs(FAULTS)

    @cached_property
    def excluded(self) -> pd.DataFrame:
        """What counts nowhere, or only as broken; and why."""
        self._source.bring(EXCLUDED.name, self._choice)
        return self._ask(
            "select folder, run, why from excluded union all select folder, run, why from clashes order by folder, why"
        ).astype({"why": "category"})

    @cached_property
    def nodes(self) -> pd.DataFrame:
        """Summary of the steps of all trials that did not break, by scenario, procedure, condition and node."""
        return self.nodes_of("")

    def nodes_of(self, sha256: str) -> pd.DataFrame:
        """``nodes`` of the runs of one version of a document."""
        self._source.bring(STEPS.name, self._choice)
        each = max(1, len(self.runs) // QUANTILES_OF)
        return _categorical(self._ask(NODES, {"sha256": sha256, "each": each}))

    @cached_property
    def days(self) -> pd.DataFrame:
        """Summary of the runs by scenario, condition, site, source of answers, and day."""
        frame = _categorical(self._ask(DAYS))
        frame["day"] = frame["day"].dt.tz_localize("UTC")
        return frame

    @cached_property
    def frozen(self) -> pd.DataFrame:
        """Summary by scenario, condition, and by what was frozen: ``site_is`` and ``decisions_are`` *frozen* or *live*.

        ``units`` are the independent trials that gave evidence, ``passed`` how many of them did. Runs of which it is
        not known what was frozen are not in it.
        """
        return _categorical(self._ask(FROZEN))

    def query(self, sql: str) -> pd.DataFrame:
        """Ask in DuckDB's SQL; ``picked`` are the runs, the tables of their rows join it by ``key``."""
        for table in TABLES:
            if table.name in sql:
                self._source.bring(table.name, self._choice)
        return self._ask(sql)

    def _pick(self) -> None:
        """Make ``picked``: the runs that were chosen, without those whose name another run has."""
        self._source.bring(RUNS.name, self._choice)
        where, values = _conditions(self._choice)
        self._run("create temp table taken as select run from runs group by run having count(*) > 1")
        self._run("""create temp table clashes as
            select folder, run, count(*) over (partition by run) || ' runs go by this name: none of them counts' as why
            from runs semi join taken using (run)""")
        clash = self._connection.execute("select 1 from taken limit 1").fetchone() is not None
        words = _words(RUNS)
        self._make_words(words, "runs")
        self._run(
            f"create temp table picked as select * replace ({_casts(words, 'runs')})"
            f" from runs {'anti join taken using (run)' if clash else ''} {where}",
            values,
        )

    def _of_runs(self, table: Table) -> pd.DataFrame:
        self._source.bring(table.name, self._choice)
        joined = ", ".join(f'p."{name}"' for name in _OF_RUN)
        own = ", ".join(f'r."{column.name}"' for column in table.shown)
        self._run(
            "create temp table if not exists positions as select key,"
            " cast(row_number() over (order by began nulls last, run) - 1 as integer) as position from picked"
        )
        query = (
            f"select o.position as run, {joined}, {own} from {table.name} r join picked p using (key)"
            " join positions o using (key)"
        )
        by = f"order by run{', step' if 'step' in table.names else ''}"
        frame = self._frame(f"{query} {by}", _words(table))
        frame["run"] = pd.Categorical.from_codes(frame["run"], categories=pd.Index(self.runs["run"], dtype="str"))
        return frame

    def _frame(self, query: str, words: Iterable[str]) -> pd.DataFrame:
        """The answer with its words as categoricals: so each different one is there only once."""
        self._run(f"create or replace temp table asked as {query}")
        chosen = tuple(words)
        self._make_words(chosen, "asked")
        frame = self._ask(f"select * replace ({_casts(chosen, 'asked')}) from asked" if chosen else "from asked")
        self._run("drop table asked")
        return frame

    def _make_words(self, words: Iterable[str], relation: str) -> None:
        """The different values of each column, as a type of its own: so each of them is kept once."""
        for word in words:
            own = f'"{relation}_{word}"'
            self._run(f"drop type if exists {own}")
            self._run(f'create type {own} as enum (select distinct "{word}" from {relation} order by all)')

    def _ask(self, query: str, values: dict[str, Any] | None = None) -> pd.DataFrame:
        try:
            return self._connection.execute(query, values or {}).df()
        except duckdb.Error as error:
            raise _failed(self.records, error) from error

    def _run(self, query: str, values: list[Any] | None = None) -> None:
        try:
            self._connection.execute(query, values or [])
        except duckdb.Error as error:
            raise _failed(self.records, error) from error


class _Given:
    """Rows that are given, as a source."""

    def __init__(self, rows: Mapping[str, Iterable[Mapping[str, Any]]]) -> None:
        self.connection = connected()
        runs = [dict(row) for row in rows.get(RUNS.name, ())]
        names = {row["run"] for row in runs}
        for table in TABLES:
            own = [dict(row) for row in rows.get(table.name, ())]
            for row in own:
                if table is not EXCLUDED:
                    if row["run"] not in names:
                        raise ValueError(f"{table.name}: there is no run {row['run']!r}")
                    row["key"] = key_of(row["run"])
                if "run" not in table.names:
                    row.pop("run", None)
            frame = frame_of(table, own)
            self.connection.register("given", frame)
            self.connection.execute(f"create table {table.name} as select {typed_columns(table)} from given")
            self.connection.unregister("given")

    def bring(self, table: str, choice: Choice) -> None:
        pass


def _conditions(choice: Choice) -> tuple[str, list[Any]]:
    parts: list[str] = []
    values: list[Any] = []
    for comparison, moment in ((">=", choice.since), ("<", choice.until)):
        if moment is not None:
            parts.append(f"began {comparison} ?")
            values.append(moment)
    for column, wanted in choice.words.items():
        if column not in RUNS.names:
            raise UsageError(f"runs have no {column!r} to choose by")
        parts.append(f'"{column}" in ({", ".join("?" for _ in wanted)})')
        values.extend(wanted)
    return (f"where {' and '.join(parts)}" if parts else ""), values


def _casts(words: Iterable[str], relation: str) -> str:
    return ", ".join(f'"{word}"::"{relation}_{word}" as "{word}"' for word in words)


def _named(table: Table) -> str:
    return ", ".join(f'"{column.name}"' for column in table.shown)


def _words(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in table.shown if column.kind == "word")


def _categorical(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.astype({name: "category" for name in _GROUP_WORDS if name in frame.columns})


def _failed(records: str, error: Exception) -> UsageError:
    first = str(error).splitlines()[0]
    return UsageError(f"{records}: the stored runs cannot be read ({first}); see sopbench records sync --afresh")
