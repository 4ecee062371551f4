"""What is kept of a trial beside its log: the content of ``trial.json``."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from sopbench.records.figures import Figures
from sopbench.trials.verdict import Judgement


class FaultRecord(BaseModel):
    """One fault of the trial's condition, and whether it struck; ``faults.jsonl`` has each strike."""

    model_config = ConfigDict(frozen=True)

    fault: str
    """Its name: ``network.latency``."""
    cause: str
    """The true cause of what comes of it."""
    parameters: dict[str, Any]
    when: dict[str, Any]
    """What of it is not as usual; empty for always."""
    site: str = ""
    strikes: int
    """How often it struck."""
    first_seq: int
    """The last event in the log when it struck first; 0 when it did not, or before the log began."""


class TrialRecord(BaseModel):
    """One judged trial: plain data that crosses from worker processes to the summary."""

    model_config = ConfigDict(frozen=True)

    format: Literal[1] = 1
    """Version of this form of record; another one cannot be read."""
    scenario: str
    case: str
    condition: str
    trial: int
    """Number of the trial within its case and condition, from 1."""
    seed: int
    site: str
    """``mock`` or ``real``."""
    llm: str
    """``replay``, ``record`` or ``live``."""
    autonomy: str
    folder: str
    """Of the run; relative to the working directory where it lies below it."""
    faults: tuple[FaultRecord, ...] = ()
    figures: Figures
    judgement: Judgement
