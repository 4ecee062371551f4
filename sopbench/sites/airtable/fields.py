"""The fields of a table and what their cells may hold.

A cell holds a str (texts, e-mail, the name of a choice, a date as ``YYYY-MM-DD``), an int or a float, or True.
An empty cell is None; so is a checkbox that is not checked.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from sopbench.sites.airtable.ids import identifier
from sopbench.sites.airtable.refusals import Refused, bad_value

if TYPE_CHECKING:
    from sopbench.trials.case import Column

Value: TypeAlias = str | int | float | bool

TYPES = ("singleLineText", "multilineText", "singleSelect", "date", "checkbox", "email", "number")
_COLORS = ("blue", "cyan", "teal", "green", "yellow", "orange", "red", "pink", "purple", "gray")
_CHECKED = {"true", "checked", "1", "yes", "x"}
_UNCHECKED = {"false", "unchecked", "0", "no"}
_US_DATE = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")


@dataclass(frozen=True)
class Choice:
    """One choice of a single select."""

    id: str
    name: str
    color: str


@dataclass
class Field:
    """One field of a table."""

    id: str
    name: str
    type: str
    choices: list[Choice] = field(default_factory=list)
    precision: int = 0
    """Decimals that a number is shown with; it may hold more."""

    @classmethod
    def of(cls, column: Column, name: str, table: str, seed: int) -> Field:
        """The field of a case's column.

        Raises: ValueError when the type is not one of TYPES.
        """
        if column.type not in TYPES:
            raise ValueError(f"column {name!r} has type {column.type!r}; known are {', '.join(TYPES)}")
        made = cls(identifier("fld", seed, table, name), name, column.type)
        for option in column.options:
            made.add_choice(option, seed)
        return made

    def add_choice(self, name: str, seed: int) -> Choice:
        """Add a choice to a single select."""
        color = _COLORS[len(self.choices) % len(_COLORS)] + "Light2"
        choice = Choice(identifier("sel", seed, self.id, name), name, color)
        self.choices.append(choice)
        return choice

    def choice(self, name: str) -> Choice | None:
        """The choice of that name."""
        return next((choice for choice in self.choices if choice.name == name), None)

    def schema(self) -> dict[str, Any]:
        """The field as the metadata API gives it."""
        options: dict[str, Any] | None = None
        if self.type == "singleSelect":
            options = {"choices": [{"id": c.id, "name": c.name, "color": c.color} for c in self.choices]}
        elif self.type == "date":
            options = {"dateFormat": {"name": "local", "format": "l"}}
        elif self.type == "checkbox":
            options = {"icon": "check", "color": "greenBright"}
        elif self.type == "number":
            options = {"precision": self.precision}
        return {"id": self.id, "name": self.name, "type": self.type} | ({"options": options} if options else {})

    def check(self, value: Any) -> Value | None:
        """The value as the cell will hold it.

        Raises: Refused (422) when the field does not take it.
        """
        if value is None or value == "":
            return None
        if self.type == "checkbox":
            if not isinstance(value, bool):
                raise bad_value(self.name)
            return value or None
        if self.type == "number":
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise bad_value(self.name)
            return value
        if not isinstance(value, str):
            raise bad_value(self.name)
        if self.type == "singleSelect" and self.choice(value) is None:
            message = f'Insufficient permissions to create new select option ""{value}""'
            raise Refused(422, "INVALID_MULTIPLE_CHOICE_OPTIONS", message)
        if self.type == "date":
            return _iso_date(value, self.name)
        return value

    def cast(self, value: Any) -> Any:
        """A value of another type brought near to what ``check`` takes: how texts of a CSV file and the API's
        ``typecast`` are read. What cannot be read is given back as it is.
        """
        if not isinstance(value, str):
            is_text = self.type not in ("checkbox", "number")
            return _number_text(value) if is_text and isinstance(value, int | float) else value
        text = value.strip()
        if self.type == "checkbox":
            return True if text.lower() in _CHECKED else None if text.lower() in {*_UNCHECKED, ""} else value
        if self.type == "number":
            return _number(text, value)
        if self.type == "date" and (match := _US_DATE.fullmatch(text)):
            month, day, year = match.groups()
            return f"{year}-{month:0>2}-{day:0>2}"
        return text if self.type in ("singleSelect", "date", "email") else value

    def text(self, value: Value | None) -> str:
        """The value as text, the way case files write it."""
        if value is None:
            return ""
        if isinstance(value, bool):
            return "true" if value else ""
        return value if isinstance(value, str) else _number_text(value)


def _iso_date(text: str, name: str) -> str:
    try:
        if len(text) == len("2026-01-01"):
            return date.fromisoformat(text).isoformat()
        return datetime.fromisoformat(text).date().isoformat()
    except ValueError:
        raise Refused(422, "INVALID_VALUE_FOR_COLUMN", f'Cannot parse date value "{text}" for field {name}') from None


def _number(text: str, otherwise: Any) -> Any:
    plain = text.replace(",", "")
    if not plain:
        return None
    try:
        return int(plain)
    except ValueError:
        pass
    try:
        return float(plain)
    except ValueError:
        return otherwise


def _number_text(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)
