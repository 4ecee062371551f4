"""Two logs of one trial, for a terminal: that they are the same, or the first event in which they differ."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sopbench.reporting.wording import one_line

if TYPE_CHECKING:
    from sopbench.trials.comparing import Comparison
    from sopbench.trials.sources import Maker

_LONGEST = 400


def difference_lines(compared: Comparison, before: str, now: str) -> list[str]:
    """``before`` and ``now`` are what the trial was worth, in words."""
    worth = f"both times {now}" if before == now else f"it was {before}, and is {now}"
    difference = compared.difference
    if difference is None:
        return [f"the same happened: {compared.events} events; {worth}"]
    told = [f"{compared.same} of {compared.events} events are the same, then they part; {worth}"]
    for name, event in (("before", difference.one), ("now", difference.other)):
        told.append(f"{name}:  {_event(event, difference.fields)}")
    return told


def maker_lines(before: Maker, now: Maker) -> list[str]:
    """Nothing when both are the same sopbench; else that they are not, or that it is not known."""
    if before == now:
        return []
    if not before.source:
        return ["its record does not say which sopbench held it: a difference may come from another version"]
    return [f"held by another sopbench ({before}; this one is {now}): a difference may come from that"]


def _event(event: dict[str, Any] | None, fields: tuple[str, ...]) -> str:
    if event is None:
        return "the log has ended"
    shown = {key: event.get(key) for key in fields} if fields else _essence(event)
    return f"{event['seq']} {event['type']}  {one_line(json.dumps(shown, ensure_ascii=False), _LONGEST)}"


def _essence(event: dict[str, Any]) -> dict[str, Any]:
    left_out = ("type", "seq", "at")
    return {key: value for key, value in event.items() if key not in left_out and value not in ("", [], {})}
