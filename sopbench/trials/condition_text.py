"""A condition written as a file, from the faults of a record or of other conditions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sopbench.trials.record import FaultRecord


def condition_text(title: str, faults: Iterable[FaultRecord]) -> str:
    """A condition's file with these faults; each strikes as it did where it was recorded."""
    lines = [f"title = {_value(title)}"]
    for fault in faults:
        lines += ["", "[[faults]]", f"fault = {_value(fault.fault)}"]
        lines += [f"{name} = {_value(value)}" for name, value in fault.parameters.items() if value is not None]
        if fault.site:
            lines.append(f"site = {_value(fault.site)}")
        if fault.when:
            lines.append(f"when = {_value(fault.when)}")
        lines.append(f"place = {fault.place}")
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    """As TOML writes it. JSON's texts, numbers and booleans are TOML's, too."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_value(each)}" for name, each in value.items() if each is not None) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(each) for each in value) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
