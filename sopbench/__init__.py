"""Run written procedures in a browser, and say with evidence how reliably they work."""

from typing import TYPE_CHECKING, Any

from sopbench.errors import SopbenchError
from sopbench.events.log import EventLog, read_log
from sopbench.extras import needing
from sopbench.sop.document import Sop
from sopbench.sop.loader import Loaded, load, validate

if TYPE_CHECKING:
    from sopbench.trials.loading import load_runs

__all__ = ["EventLog", "Loaded", "Sop", "SopbenchError", "load", "load_runs", "read_log", "validate"]


def __getattr__(name: str) -> Any:
    if name == "load_runs":
        with needing("records"):
            from sopbench.trials.loading import load_runs  # noqa: PLC0415 - pandas and DuckDB, an extra
        return load_runs
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
