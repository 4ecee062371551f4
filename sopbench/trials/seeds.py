"""One seed per trial, all from one."""

from __future__ import annotations

import hashlib


def trial_seed(seed: int, trial: int) -> int:
    """A 32-bit seed for one trial, from the session's seed and the trial's number."""
    digest = hashlib.sha256(f"{seed}:{trial}".encode()).digest()
    return int.from_bytes(digest[:4], "big")
