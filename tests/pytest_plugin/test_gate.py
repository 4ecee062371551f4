"""``pytest --gate``: stops when it can tell, says why, and exits with the answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sopbench.pytest_plugin.gate  # pytester forgets what inner sessions import; numpy cannot be anew
import sopbench.reporting.summary  # noqa: F401

pytest_plugins = ["pytester"]

CONFTEST = '''
"""Trials without a browser: what each is worth is looked up by its number."""
import json
from pathlib import Path

import pytest
from sopbench.pytest_plugin.summary import RECORD
from sopbench.records.figures import Figures
from sopbench.trials.record import TrialRecord
from sopbench.trials.verdict import Grade, Judgement, Verdict

BAD = json.loads(Path(__file__).with_name("bad.json").read_text())


@pytest.fixture
def trial(request, trial_spec):
    bad = BAD.get(trial_spec.case.name, {}).get(str(trial_spec.number))
    if bad == "crash":
        raise RuntimeError("no site")
    yield trial_spec
    judged = Judgement(verdict=Verdict(bad)) if bad else Judgement(verdict=Verdict.PASSED, grade=Grade.CLEAN)
    record = TrialRecord(
        scenario="shop", case=trial_spec.case.name, condition=trial_spec.condition, trial=trial_spec.number,
        seed=trial_spec.seed, site="mock", llm="replay", autonomy="light",
        folder=f"reports/runs/{trial_spec.id}", judgement=judged,
        figures=Figures(status="completed", duration_s=1.0),
    )
    request.node.user_properties.append((RECORD, record.model_dump_json()))
    if bad:
        pytest.fail(bad)
'''
TEST = """
import pytest

pytestmark = pytest.mark.sop("shop.sop.json", cases="cases")

def test_buys(trial):
    with open("ran.txt", "a") as ran:
        ran.write(trial.id + "\\n")
"""
POLICY = '[[claims]]\nscenario = "shop"\n'
INI = "[pytest]\nasyncio_default_fixture_loop_scope = session\n"


class Shop:
    """A project with one scenario."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self._pytester = pytester
        self.root = pytester.path
        self.folder = self.root / "shop"
        self.folder.mkdir()
        (self.root / "pytest.ini").write_text(INI)
        (self.folder / "conftest.py").write_text(CONFTEST)
        (self.folder / "test_shop.py").write_text(TEST)
        self.claims("reliability = { p0 = 0.9, p1 = 0.5 }")
        self.bad({})
        self.case("first_day")

    def claims(self, text: str) -> None:
        (self.root / "gate.toml").write_text(POLICY + text)

    def bad(self, verdicts: dict[str, dict[int, str]]) -> None:
        (self.folder / "bad.json").write_text(json.dumps(verdicts))

    def case(self, name: str) -> None:
        case = self.folder / "cases" / name
        case.mkdir(parents=True)
        (case / "case.toml").write_text(f'title = "{name}"\n')

    def run(self, *options: str) -> pytest.RunResult:
        run = self._pytester.runpytest_subprocess if "-n" in options else self._pytester.runpytest_inprocess
        return run(*(f"-pno:{name}" for name in ("cacheprovider", "allure_pytest", "playwright-asyncio")), *options)

    @property
    def ran(self) -> list[str]:
        return (self.root / "ran.txt").read_text().splitlines()


@pytest.fixture
def shop(pytester: pytest.Pytester) -> Shop:
    return Shop(pytester)


def said(result: pytest.RunResult) -> str:
    return " ".join(result.stdout.str().split())


def test_it_stops_when_every_claim_is_decided_and_passes(shop: Shop) -> None:
    result = shop.run("--gate", "--trials", "7", "-rs")

    assert result.ret == 0
    result.assert_outcomes(passed=5, skipped=2)
    assert "the gate is decided: pass" in said(result)
    assert "The gate passes: every claim holds. shop under clean: 5 of 5 trials passed" in said(result)
    assert "no claim decided" not in said(result)


def test_it_fails_as_soon_as_it_can_tell(shop: Shop) -> None:
    shop.bad({"first_day": {2: "failed_safe", 3: "failed_silent", 4: "failed_harmful"}})

    result = shop.run("--gate", "--trials", "9")

    assert result.ret == 1
    assert len(shop.ran) == 4
    assert "The gate fails." in said(result)


def test_a_trial_that_failed_does_not_fail_a_gate_that_passes(shop: Shop) -> None:
    shop.bad({"first_day": {2: "failed_safe"}})

    result = shop.run("--gate", "--trials", "12")

    assert result.ret == 0
    result.assert_outcomes(errors=1, passed=9, skipped=3)
    assert "The gate passes" in said(result)


def test_too_few_trials_are_undecided(shop: Shop) -> None:
    result = shop.run("--gate")

    assert result.ret == 2
    assert "The gate is undecided, and takes about" in said(result)


def test_without_the_option_a_trial_that_failed_fails_the_session(shop: Shop) -> None:
    shop.bad({"first_day": {2: "failed_safe"}})

    result = shop.run("--trials", "2")

    assert result.ret == 1
    assert "The gate" not in said(result)


def test_workers_learn_that_it_is_decided(shop: Shop) -> None:
    result = shop.run("--gate", "--trials", "60", "-n", "2")

    assert result.ret == 0
    assert 5 <= len(shop.ran) < 60
    assert "The gate passes" in said(result)


def test_every_case_is_tried_from_the_beginning(shop: Shop) -> None:
    shop.case("second_day")

    shop.run("--gate", "--trials", "5")

    assert shop.ran[:4] == ["first_day-clean-1", "second_day-clean-1", "first_day-clean-2", "second_day-clean-2"]
    assert len(shop.ran) == 5


def test_a_test_that_no_claim_speaks_of_still_fails_the_session(shop: Shop) -> None:
    (shop.folder / "test_other.py").write_text("def test_other():\n    assert False\n")

    result = shop.run("--gate", "--trials", "5")

    assert result.ret == 1
    assert "The gate passes" in said(result)
    assert "no claim speaks of these, and they failed: shop/test_other.py::test_other" in said(result)


def test_trials_that_could_not_be_set_up_are_broken_and_pass_nothing(shop: Shop) -> None:
    shop.bad({"first_day": {1: "crash"}})

    result = shop.run("--gate", "--trials", "6")

    assert result.ret == 2
    assert "1 of 6 trials broke and is left out, more than the 5 %" in said(result)


def test_one_scenario_goes_on_while_another_is_decided(shop: Shop) -> None:
    second = '\n[[claims]]\nscenario = "shop"\ncondition = "slow-network"\nreliability = {}\n'
    shop.claims("silent = { below = 0.3 }" + second)

    result = shop.run("--gate", "--trials", "20", "-rs")

    assert result.ret == 2
    result.assert_outcomes(passed=9, skipped=11)
    assert "the gate is decided for shop under clean" in said(result)
    assert "shop under slow-network: no trial was run" in said(result)


def test_a_policy_that_cannot_be_read_is_an_error_before_any_trial(shop: Shop) -> None:
    shop.claims("reliabilty = {}")

    result = shop.run("--gate")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "no such setting; did you mean 'reliability'?" in result.stderr.str()
    assert not (shop.root / "ran.txt").exists()


def test_it_may_stand_in_the_ini_file_and_listing_tests_decides_nothing(shop: Shop) -> None:
    (shop.root / "pytest.ini").write_text(INI + "gate = true\n")

    listed, run = shop.run("--collect-only", "-q"), shop.run()

    assert (listed.ret, run.ret) == (0, 2)
    assert "The gate" not in said(listed)
    assert Path(shop.root / "ran.txt").exists()
