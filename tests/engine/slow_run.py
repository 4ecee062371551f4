"""A run that takes its time: started as a process of its own, to be killed. Its argument is the run's folder."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from sopbench.adapters.system_clock import SystemClock
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.running import run_sop

SOP = {
    "meta": {"id": "slow", "title": "Slow", "version": "1.0.0", "goal": "g", "schema": "1.0"},
    "public": {
        "nodes": [
            {"id": "each", "type": "loop", "label": "Each", "items": "range(100)", "children": ["rest"]},
            {"id": "rest", "type": "wait", "label": "Rest", "seconds": 0.05},
        ]
    },
}

if __name__ == "__main__":
    clock = SystemClock()
    asyncio.run(run_sop(SOP, FakeBrowser(clock=clock), clock=clock, folder=Path(sys.argv[1])))
