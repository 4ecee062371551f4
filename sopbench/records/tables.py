"""The tables that runs are kept in: their columns, and what stands in each.

Each row of a table but ``excluded`` belongs to one run, by its ``key``. Text that is not there is empty, a number that
is not known is missing.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

Kind = Literal["word", "text", "whole", "big", "number", "flag", "time"]
"""A word is a text of which there are few different ones."""

SQL_TYPES: dict[Kind, str] = {
    "word": "VARCHAR",
    "text": "VARCHAR",
    "whole": "INTEGER",
    "big": "BIGINT",
    "number": "DOUBLE",
    "flag": "BOOLEAN",
    "time": "TIMESTAMP",
}
_EMPTY: dict[Kind, Any] = {
    "word": "",
    "text": "",
    "whole": 0,
    "big": 0,
    "number": None,
    "flag": False,
    "time": None,
}

FORMAT = 1
"""Version of these tables; a store of another one is not read."""


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    name: str
    kind: Kind

    @property
    def empty(self) -> Any:
        """What stands where nothing is said."""
        return _EMPTY[self.kind]


@dataclass(frozen=True)
class Table:
    """One kind of rows."""

    name: str
    columns: tuple[Column, ...]
    internal: tuple[str, ...] = ()
    """Columns that the frames do not show."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def shown(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.name not in self.internal)


Row = dict[str, Any]
Rows = dict[str, list[Row]]
"""By the name of their table."""


def _columns(**kinds: str) -> tuple[Column, ...]:
    return tuple(Column(name, kind) for kind, names in kinds.items() for name in names.split())  # type: ignore[arg-type]


def _table(name: str, order: str, **kinds: str) -> Table:
    by_name = {column.name: column for column in _columns(**kinds)}
    if by_name.keys() != set(order.split()):
        raise ValueError(f"{name}: columns without a kind or a place: {by_name.keys() ^ set(order.split())}")
    return Table(name, tuple(by_name[each] for each in order.split()), ("key", "folder", "origin"))


RUNS = _table(
    "runs",
    "key origin folder run scenario case condition trial seed sop version sha256 site llm autonomy began verdict grade"
    " cause reason status duration_s steps retries steps_retried steps_healed steps_alternative steps_explored"
    " steps_assisted tool_calls model_calls live_calls input_tokens output_tokens cost_usd strikes",
    big="key seed",
    text="folder run reason",
    word="origin scenario case condition sop version sha256 site llm autonomy verdict grade cause status",
    time="began",
    number="duration_s cost_usd",
    whole="trial steps retries steps_retried steps_healed steps_alternative steps_explored steps_assisted tool_calls"
    " model_calls live_calls input_tokens output_tokens strikes",
)
STEPS = _table(
    "steps",
    "key step parent node visit kind label path outcome tier branch attempts duration_s own_s error cause message",
    big="key",
    whole="step parent visit attempts",
    word="node kind label path outcome tier branch error cause",
    number="duration_s own_s",
    text="message",
)
ATTEMPTS = _table(
    "attempts",
    "key step node attempt waited_s action verb error cause message",
    big="key",
    whole="step attempt action",
    word="node verb error cause",
    number="waited_s",
    text="message",
)
MODEL_CALLS = _table(
    "model_calls",
    "key step node purpose model form replayed input_tokens cached_tokens output_tokens cost_usd duration_s error"
    " question question_id answer",
    big="key",
    whole="step input_tokens cached_tokens output_tokens",
    word="node purpose model form error",
    flag="replayed",
    number="cost_usd duration_s",
    text="question question_id answer",
)
DECISIONS = _table(
    "decisions",
    "key step node branch by choice confidence evidence quote question_id",
    big="key",
    whole="step",
    word="node branch by choice confidence",
    text="evidence quote question_id",
)
HEALS = _table(
    "heals",
    "key step node action taken by says score probability margin candidates proven picture",
    big="key",
    whole="step action candidates",
    flag="taken proven",
    word="node by",
    number="score probability margin",
    text="says picture",
)
FAULTS = _table(
    "faults",
    "key fault cause site strikes first_seq parameters when",
    big="key",
    whole="strikes first_seq",
    word="fault cause site",
    text="parameters when",
)
EXCLUDED = _table(
    "excluded",
    "origin folder run why",
    word="origin why",
    text="folder run",
)
OF_RUN = (STEPS, ATTEMPTS, MODEL_CALLS, DECISIONS, HEALS, FAULTS)
TABLES = (RUNS, *OF_RUN, EXCLUDED)
BY_NAME = {table.name: table for table in TABLES}


def key_of(*parts: str | bytes) -> int:
    """A number for a run that no other has: 63 bits of a digest of what makes it this run."""
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big") + data)
    return int.from_bytes(digest.digest(), "big") >> 1


def filled(table: Table, row: Row) -> Row:
    """The row with all its columns. Raises: ValueError on one that the table does not have."""
    unknown = row.keys() - set(table.names)
    if unknown:
        raise ValueError(f"{table.name} has no column {min(unknown)!r}; it has {', '.join(table.names)}")
    return {column.name: _plain(row.get(column.name, column.empty)) for column in table.columns}


def _plain(value: Any) -> Any:
    """Times in UTC without saying so: that is how tables keep them."""
    return value.astimezone(UTC).replace(tzinfo=None) if isinstance(value, datetime) and value.tzinfo else value
