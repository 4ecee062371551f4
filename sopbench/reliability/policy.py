"""What a gate asks: claims about a scenario under a condition, each with the errors it may make."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from sopbench.reliability.fixed_designs import fixed_design, trials_to_bound

Share = Annotated[float, Field(gt=0, lt=1)]
Chance = Annotated[float, Field(gt=0, lt=0.5)]
Ceiling = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Reliability(_Part):
    """Trials pass often enough; decided by a sequential test."""

    p0: Share = 0.99
    """What is this reliable or more fails the gate with a chance of at most ``alpha``."""
    p1: Share = 0.95
    """What is this reliable or less passes the gate with a chance of at most ``beta``."""
    alpha: Chance = 0.05
    beta: Chance = 0.05
    of: Literal["passed", "passed_clean"] = "passed"
    """What counts as good: any pass, or one at the first attempt everywhere."""

    @model_validator(mode="after")
    def _can_be_told_apart(self) -> Self:
        fixed_design(self.p0, self.p1, self.alpha, self.beta)
        return self


class AtMost(_Part):
    """Something that must not happen, or hardly ever: it fails as soon as it was seen more than ``at_most`` times."""

    at_most: int = Field(default=0, ge=0)
    below: Share = 0.05
    """It passes after enough trials: if its rate were this or more, that chance is at most ``beta``."""
    beta: Chance = 0.05

    @model_validator(mode="after")
    def _can_be_shown(self) -> Self:
        trials_to_bound(self.at_most, self.below, self.beta)
        return self


class NotWorse(_Part):
    """Trials pass no less often than in the accepted baseline."""

    drop: Share = 0.05
    """A fall by this much or more passes the gate with a chance of at most ``beta``."""
    alpha: Chance = 0.05
    """If nothing changed, it fails with at most this chance."""
    beta: Chance = 0.05
    paired: bool = False
    """Compare trials of the same seed with each other: fewer are needed where the seed decides much."""


class DurationCeiling(_Part):
    """Trials that pass take no longer. Half, or 95 %, of them must be within the ceiling."""

    median_s: Ceiling | None = None
    p95_s: Ceiling | None = None
    alpha: Chance = 0.05
    beta: Chance = 0.05

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.median_s is None and self.p95_s is None:
            raise ValueError("say median_s, p95_s or both")
        return self


class CostCeiling(_Part):
    """Trials that pass cost no more in model calls. Half, or 95 %, of them must be within the ceiling."""

    median_usd: Ceiling | None = None
    p95_usd: Ceiling | None = None
    alpha: Chance = 0.05
    beta: Chance = 0.05

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.median_usd is None and self.p95_usd is None:
            raise ValueError("say median_usd, p95_usd or both")
        return self


class Coverage(_Part):
    """No way through the procedure is untried."""

    of: tuple[Literal["node", "branch", "loop", "skill", "when", "expectation", "interruption", "tier"], ...] = (
        "node",
        "branch",
    )
    """Kinds of ways: each node; each branch of a decision; a loop with no, one and many items; each skill; each
    action's ``when`` that holds and that does not; each expectation; each interruption; each tier of recovery."""
    trials: int = Field(default=1, ge=1)
    """How many trials must have taken each."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.of:
            raise ValueError("name at least one kind of ways")
        return self


class Claims(_Part):
    """All that is claimed of one scenario under one condition."""

    scenario: str = Field(min_length=1)
    condition: str = Field(default="clean", min_length=1)
    reliability: Reliability | None = None
    silent: AtMost | None = None
    harmful: AtMost | None = None
    not_worse: NotWorse | None = None
    duration: DurationCeiling | None = None
    cost: CostCeiling | None = None
    coverage: Coverage | None = None
    broken_at_most: float = Field(default=0.05, ge=0, lt=1)
    """Past this share of broken trials nothing passes."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        claimed = self.reliability, self.silent, self.harmful, self.not_worse, self.duration, self.cost, self.coverage
        if not any(claimed):
            raise ValueError("claim at least one of reliability, silent, harmful, not_worse, duration, cost, coverage")
        return self


class Policy(_Part):
    """What must hold for the gate to pass."""

    claims: tuple[Claims, ...]
    alpha_for: Literal["each_claim", "all_claims"] = "each_claim"
    """``all_claims`` divides every alpha by the number of claims that have one: then the gate fails what holds in
    every claim with a chance of at most the largest alpha."""

    @model_validator(mode="after")
    def _speaks_once_of_each(self) -> Self:
        if not self.claims:
            raise ValueError("it claims nothing")
        counted = Counter((claims.scenario, claims.condition) for claims in self.claims)
        for (scenario, condition), number in counted.items():
            if number > 1:
                raise ValueError(f"{scenario} under {condition} is there {number} times: make one of them")
        return self

    @property
    def alpha_share(self) -> float:
        """What each alpha is multiplied with."""
        if self.alpha_for == "each_claim":
            return 1.0
        return 1 / max(1, sum(_with_alpha(claims) for claims in self.claims))


def _with_alpha(claims: Claims) -> int:
    ceilings = [claims.duration.median_s, claims.duration.p95_s] if claims.duration else []
    ceilings += [claims.cost.median_usd, claims.cost.p95_usd] if claims.cost else []
    tests = [claims.reliability, claims.not_worse, *ceilings]
    return sum(test is not None for test in tests)
