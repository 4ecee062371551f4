"""Run written procedures in a browser, and say with evidence how reliably they work."""

from sopbench.errors import SopbenchError
from sopbench.events.log import EventLog, read_log
from sopbench.sop.document import Sop
from sopbench.sop.loader import Loaded, load, validate

__all__ = ["EventLog", "Loaded", "Sop", "SopbenchError", "load", "read_log", "validate"]
