"""A trial under faults: what is kept of them, and that the run does not hear of them. The fault is somebody else's."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, ClassVar

import pytest

from sopbench.engine.run import Engine
from sopbench.events.log import LOG_NAME
from sopbench.events.masking import Masker
from sopbench.faults.at_work import Disturbance
from sopbench.ports.browser import Browser
from sopbench.records.folder import read_trial
from sopbench.sop.document import Limits
from sopbench.sop.loader import load
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.clock import FakeClock
from sopbench.testing.model import FakeModel
from sopbench.testing.operator import FakeOperator
from sopbench.testing.page import Element
from sopbench.trials import fault_registry
from sopbench.trials.case import Case
from sopbench.trials.condition import PlannedFault, parse_condition
from sopbench.trials.fault import Cause, Fault, Strikes, read_strikes
from sopbench.trials.trial import Trial, TrialSpec
from sopbench.trials.verdict import Outcome
from sopbench.wiring import disturbance as faults_of


class Sneeze(Fault):
    """A fault of another package."""

    cause: ClassVar[Cause] = "operator"
    loudness: int = 3

    async def action_begins(self, pages: Sequence[Any], strikes: Strikes) -> None:
        if strikes.due("action"):
            strikes.note(f"sneezed {self.loudness} times at hunter2")


FAULTS = {"sneeze": Sneeze}
PRESS = {"do": "click", "target": {"role": "button", "name": "Save"}}
DOCUMENT = {
    "meta": {"id": "p", "title": "P", "version": "1.0.0", "goal": "g", "schema": "1.0"},
    "public": {"nodes": [{"id": "save", "type": "task", "label": "Save"}]},
    "private": {
        "skills": [{"id": "s", "app": "a", "actions": [PRESS, PRESS, PRESS]}],
        "steps": [{"node_id": "save", "primary_skill": "s"}],
    },
}


@pytest.fixture(autouse=True)
def _another_package(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint(name="acme", value=f"{__name__}:FAULTS", group="sopbench.faults")
    monkeypatch.setattr(EntryPoint, "load", lambda _: FAULTS)
    monkeypatch.setattr(fault_registry, "entry_points", lambda group: [point])
    fault_registry.family.cache_clear()


@pytest.fixture
def sneezing() -> tuple[PlannedFault, ...]:
    text = 'title = "t"\n[[faults]]\nfault = "acme.sneeze"\nloudness = 2\nwhen = { once = true, from_action = 2 }\n'
    return parse_condition(text, "t.toml", "t").faults


@dataclass
class Session:
    browser: Browser
    keep_trace: bool = True


class Oracle:
    def outcome(self) -> Outcome:
        return Outcome()


def spec(tmp_path: Path, faults: tuple[PlannedFault, ...]) -> TrialSpec:
    case = Case(path=tmp_path / "day", title="t")
    return TrialSpec("p", case, "sneezing", 1, seed=9, site="mock", llm="replay", autonomy="light", faults=faults)


async def run(tmp_path: Path, faults: tuple[PlannedFault, ...]) -> Path:
    file = tmp_path / "p.sop.json"
    file.write_text(json.dumps(DOCUMENT))
    disturbance = Disturbance(faults, seed=9)
    fake = FakeBrowser([Element(role="button", name="Save")], clock=FakeClock())

    @asynccontextmanager
    async def opened(folder: Path) -> AsyncIterator[Session]:
        async with disturbance.at_work(folder, Masker(["hunter2"])):
            yield Session(disturbance.browser(fake))

    trial = Trial(
        spec=spec(tmp_path, faults),
        procedure=load(file),
        variables={},
        limits=Limits(),
        oracles={"it": Oracle()},
        records=tmp_path / "runs",
        masker=Masker(["hunter2"]),
        engine=Engine(model=FakeModel(), operator=FakeOperator(), clock=fake.clock),
        open_browser=opened,
        listeners=[disturbance.moment],
        fault_records=disturbance.records,
    )
    await trial.run()
    return Path(trial.done[0].folder)


async def test_a_strike_is_kept_beside_the_log_with_its_place_in_it(
    tmp_path: Path, sneezing: tuple[PlannedFault, ...]
) -> None:
    folder = await run(tmp_path, sneezing)

    [strike] = read_strikes(folder)
    assert (strike.fault, strike.number, strike.cause) == ("acme.sneeze", 0, "operator")
    assert (strike.action, strike.step, strike.what) == (2, 1, "sneezed 2 times at •••••")
    line = json.loads((folder / LOG_NAME).read_text().splitlines()[strike.seq - 1])
    assert (line["type"], line["action"]) == ("action_started", 1)


async def test_the_trial_record_names_the_condition_and_its_faults(
    tmp_path: Path, sneezing: tuple[PlannedFault, ...]
) -> None:
    folder = await run(tmp_path, sneezing)

    record = read_trial(folder)
    assert record is not None
    assert record["condition"] == "sneezing"
    [fault] = record["faults"]
    assert (fault["fault"], fault["cause"], fault["strikes"]) == ("acme.sneeze", "operator", 1)
    assert fault["parameters"] == {"loudness": 2}
    assert fault["when"] == {"once": True, "from_action": 2}
    assert fault["first_seq"] == read_strikes(folder)[0].seq


async def test_the_log_of_the_run_knows_of_no_fault(tmp_path: Path, sneezing: tuple[PlannedFault, ...]) -> None:
    folder = await run(tmp_path, sneezing)

    lines = [json.loads(line) for line in (folder / LOG_NAME).read_text().splitlines()]
    assert lines[0].pop("context")["condition"] == "sneezing"
    assert "sneeze" not in json.dumps(lines)


async def test_without_faults_nothing_stands_in_between(tmp_path: Path) -> None:
    assert faults_of(spec(tmp_path, ())) is None
