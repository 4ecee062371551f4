"""A scenario whose trials need no browser: a shop with one button, which some faults take away."""

from __future__ import annotations

import json
from pathlib import Path

PRESS = {"do": "click", "target": {"role": "button", "name": "Save"}}
DOCUMENT = {
    "meta": {"id": "shop", "title": "Shop", "version": "1.0.0", "goal": "g", "schema": "1.0"},
    "public": {"nodes": [{"id": "save", "type": "task", "label": "Save"}]},
    "private": {
        "skills": [{"id": "s", "app": "a", "actions": [PRESS]}],
        "steps": [{"node_id": "save", "primary_skill": "s"}],
    },
}
TEST = """
import pytest

pytestmark = pytest.mark.sop("shop.sop.json")


async def test_it_is_saved(trial):
    run = await trial.run()
    assert run.completed, run.reason
"""
CONFTEST = '''
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from sopbench.engine.run import Engine
from sopbench.events.masking import Masker
from sopbench.faults.at_work import Disturbance
from sopbench.sop.document import Limits
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.clock import FakeClock
from sopbench.testing.model import FakeModel
from sopbench.testing.operator import FakeOperator
from sopbench.testing.page import Element
from sopbench.trials.trial import Trial
from sopbench.trials.verdict import Outcome

TAKEN_AWAY_BY = ({"page.removed", "page.renamed"}, {"page.disabled"})


@dataclass
class Session:
    browser: FakeBrowser
    keep_trace: bool = True


class Oracle:
    def outcome(self):
        return Outcome()


@pytest.fixture
def trial(trial_spec, procedure, sop_settings):
    """The button is gone under both of two faults, under a third one alone, or when the file says so."""
    there = {fault.fault for fault in trial_spec.faults}
    gone = any(each <= there for each in TAKEN_AWAY_BY) or Path(__file__).with_name("gone").exists()
    browser = FakeBrowser([] if gone else [Element(role="button", name="Save")], clock=FakeClock())

    @asynccontextmanager
    async def opened(_):
        yield Session(browser)

    yield Trial(
        spec=trial_spec, procedure=procedure, variables={}, limits=Limits(), oracles={"it": Oracle()},
        records=sop_settings.records, masker=Masker(),
        engine=Engine(model=FakeModel(), operator=FakeOperator(), clock=browser.clock), open_browser=opened,
        fault_records=Disturbance(trial_spec.faults, seed=trial_spec.seed).records,
    )
'''
AFTERNOON = """
title = "Three things at once"

[[faults]]
fault = "page.removed"
label = "Save"
when = { probability = 0.5 }

[[faults]]
fault = "page.renamed"
site = "shop.test"

[[faults]]
fault = "browser.window"
width = 500
height = 400
"""
INI = "[pytest]\nasyncio_mode = auto\nasyncio_default_test_loop_scope = session\n"


def build(folder: Path) -> Path:
    """Write the scenario, and the ini file that makes ``folder`` pytest's root; the scenario's folder."""
    scenario = folder / "shop"
    (scenario / "conditions").mkdir(parents=True)
    (folder / "pytest.ini").write_text(INI, encoding="utf-8")
    (scenario / "shop.sop.json").write_text(json.dumps(DOCUMENT), encoding="utf-8")
    (scenario / "test_shop.py").write_text(TEST, encoding="utf-8")
    (scenario / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (scenario / "conditions" / "afternoon.toml").write_text(AFTERNOON, encoding="utf-8")
    return scenario
