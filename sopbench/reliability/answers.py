"""What a gate answers: for each claim and altogether, in numbers and in words."""

from __future__ import annotations

import math
from typing import Literal

from pydantic import BaseModel, ConfigDict

Outcome = Literal["pass", "fail", "undecided"]
EXIT_CODES: dict[Outcome, int] = {"pass": 0, "fail": 1, "undecided": 2}


class ClaimAnswer(BaseModel):
    """The answer to one claim."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    scenario: str
    condition: str
    claim: str
    """``reliability``, ``silent``, ``harmful``, ``not_worse``, ``duration median``, ``duration p95``, ``cost median``,
    ``cost p95``, ``coverage`` or ``broken``."""
    outcome: Outcome
    sentence: str
    """Why, in words."""
    numbers: dict[str, float] = {}
    """What the sentence rests on; shares from 0 to 1."""
    more_trials: float | None = 0
    """How many more trials it is expected to take; 0 when decided, None when no number of trials would decide it."""


class Answer(BaseModel):
    """The answer of the gate."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    outcome: Outcome
    """``fail`` when any claim fails; else ``undecided`` when any is; else ``pass``."""
    text: str
    """One paragraph."""
    claims: tuple[ClaimAnswer, ...]
    more_trials: float | None
    """How many more trials it is expected to take, over all scenarios and conditions; 0 when decided, None
    when that cannot help."""

    @property
    def exit_code(self) -> int:
        """0 pass, 1 fail, 2 undecided."""
        return EXIT_CODES[self.outcome]


def percent(share: float) -> str:
    """``99.5 %``: as many decimals as it takes to tell it from 0 and from 1, and one zero less."""
    if share in (0, 1):
        return f"{share * 100:.0f} %"
    decimals = max(1, math.ceil(-math.log10(min(share, 1 - share))) - 1)
    shown = f"{share * 100:.{decimals}f}"
    return f"{shown.rstrip('0').rstrip('.')} %"


def counted(number: int, noun: str = "trial") -> str:
    """``1 trial``, ``2 trials``, ``no trials``."""
    return f"{number or 'no':{',' if number else ''}} {noun}{'' if number == 1 else 's'}"


def about(number: float | None) -> str:
    """``about 30 more trials``."""
    if number is None:
        return "no number of trials"
    whole = math.ceil(number - 1e-9)
    return f"about {whole:,} more {'trial' if whole == 1 else 'trials'}"
