"""What is kept of a trial beside its log: the content of ``trial.json``."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from sopbench.records.figures import Figures
from sopbench.trials.causes import Attribution
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
    place: int = 0
    """By which its draws are told from those of its like; as a rule its place in the condition."""
    strikes: int
    """How often it struck."""
    first_seq: int
    """The last event in the log when it struck first; 0 when it did not, or before the log began."""


class Held(BaseModel):
    """How a trial was held, so that it can be held again."""

    model_config = ConfigDict(frozen=True)

    root: str
    """Folder that pytest ran in."""
    test: str
    """The test, as pytest names it, without its parameters."""
    seed: int
    """The session's, from which those of its trials come."""
    options: tuple[str, ...]
    """Of pytest: all that bear on what happens."""
    sources: dict[str, str]
    """Files and folders that it was made from → SHA-256; empty for one that was not there."""
    version: str = ""
    """Of sopbench; empty in a record of before it was noted."""
    engine: str = ""
    """SHA-256 of sopbench's own source; empty in a record of before it was noted."""


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
    attribution: Attribution | None = None
    """Why it was not passed clean, and what in the log says so; None for a clean pass, and where nothing tells it."""
    run: int = 1
    """Number of the run within its trial, from 1: a test may run its procedure several times."""
    held: Held | None = None
    """How to hold it again; None where it was not held by pytest."""
