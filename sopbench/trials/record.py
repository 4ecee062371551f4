"""What is kept of a trial beside its log: the content of ``trial.json``."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from sopbench.records.figures import Figures
from sopbench.trials.verdict import Judgement


class TrialRecord(BaseModel):
    """One judged trial: plain data that crosses from worker processes to the summary."""

    model_config = ConfigDict(frozen=True)

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
    figures: Figures
    judgement: Judgement
