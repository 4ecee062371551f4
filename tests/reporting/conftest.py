"""A small builder of logs: events with a clock, as the engine writes them."""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from sopbench.events.types import (
    ActionFailed,
    ActionFinished,
    ActionSkipped,
    ActionStarted,
    AttemptStarted,
    DecisionMade,
    Event,
    IterationFinished,
    IterationStarted,
    LoopEntered,
    ModelAnswered,
    ModelAsked,
    OperatorAnswered,
    OperatorAsked,
    RunFinished,
    RunStarted,
    ScreenshotTaken,
    StepFailed,
    StepFinished,
    StepStarted,
    VariableSet,
)
from sopbench.records.figures import Figures, figures
from sopbench.trials.record import TrialRecord
from sopbench.trials.verdict import Judgement, Outcome, judge

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ONE_PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class Log:
    """Collects events; every one is stamped, and the clock moves on by what it took."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 21, 18, 5, 1, tzinfo=UTC)
        self.events: list[Event] = []
        self.step = 0

    def add(self, event: Event) -> None:
        stamp = {"seq": len(self.events) + 1, "at": self.now.isoformat(timespec="microseconds")}
        self.events.append(event.model_copy(update=stamp))

    def wait(self, duration_s: float) -> float:
        self.now += timedelta(seconds=duration_s)
        return duration_s

    def start(self, seed: int = 7, **variables: Any) -> None:
        context = {"scenario": "gmail_airtable", "case": "ordinary_day", "condition": "clean", "seed": seed}
        self.add(
            RunStarted(
                sop="gmail_airtable", title="Investor mail reaches the CRM", version="1.0.0", sha256="0" * 64,
                autonomy="light", variables=variables, limits={"run_s": 300}, context=context,
            )
        )  # fmt: skip

    def begin(self, node: str, kind: str, label: str, *path: str) -> int:
        self.step += 1
        self.add(StepStarted(step=self.step, node=node, kind=kind, label=label, path=path))
        return self.step

    def iterate(self, node: str, index: int, item: Any) -> None:
        self.add(IterationStarted(step=self.step, node=node, index=index, item=item))

    def act(
        self, says: str, took_s: float, action: int = 0, effect: str = "read", expected: tuple[str, ...] = ()
    ) -> None:
        self.intend(says, action, effect)
        self.add(ActionFinished(step=self.step, action=action, duration_s=self.wait(took_s), expected=expected))

    def intend(self, says: str, action: int = 0, effect: str = "read") -> None:
        self.add(ActionStarted(step=self.step, action=action, do="click", says=says, effect=effect, arguments={}))

    def miss(self, says: str, took_s: float, error: str, message: str, *, performed: bool | None = False) -> None:
        self.intend(says, effect="irreversible")
        self.add(
            ActionFailed(
                step=self.step,
                action=0,
                duration_s=self.wait(took_s),
                error=error,
                message=message,
                performed=performed,
            )
        )

    def ask(self, question: str, about: str, answer: dict[str, Any], *, replayed: bool = True) -> None:
        self.add(ModelAsked(step=self.step, purpose="decide", question=question, about=about))
        self.add(
            ModelAnswered(
                step=self.step, model="claude-haiku-5-5", answer=answer, input_tokens=812, output_tokens=14,
                cost_usd=0.00088, replayed=replayed, duration_s=self.wait(0.0015),
            )
        )  # fmt: skip

    def end(self, node: str, took_s: float, condition: str = "next", tier: str = "exact", attempts: int = 1) -> None:
        self.add(
            StepFinished.model_validate(
                {
                    "step": self.step,
                    "node": node,
                    "condition": condition,
                    "tier": tier,
                    "attempts": attempts,
                    "duration_s": took_s,
                }
            )
        )

    def finish(self, status: str = "completed", reason: str = "", cause: str = "", node: str = "") -> None:
        first = datetime.fromisoformat(self.events[0].at)
        self.add(
            RunFinished.model_validate(
                {
                    "status": status, "reason": reason, "cause": cause, "node": node, "steps": self.step,
                    "duration_s": (self.now - first).total_seconds(),
                }
            )
        )  # fmt: skip

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        text = "".join(event.model_dump_json() + "\n" for event in self.events)
        (folder / "events.jsonl").write_text(text, encoding="utf-8")
        return folder


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture
def investor_run() -> Log:
    """See ``investor_log``; without its end."""
    return investor_log()


@pytest.fixture(scope="session")
def finished_run() -> Log:
    """See ``investor_log``; to be read only."""
    log = investor_log()
    log.finish()
    return log


def investor_log() -> Log:
    """Two mails in a loop: one is no investor's, the other is saved at the second attempt, with an operator's yes."""
    log = Log()
    log.start(mailbox="Inbox", password="•••••")
    log.begin("open_inbox", "task", "Open the inbox")
    log.act(
        "go to https://mail.google.com/mail/u/0/#inbox",
        1.12,
        expected=("url contains '#inbox'", "list 'Mails' is visible"),
    )
    log.add(ActionSkipped(step=log.step, action=1, says="click button 'Got it'", why="{{ tour_shown }} does not hold"))
    log.add(VariableSet(step=log.step, name="mails", value=["Hello", "Series A", "x", "y"], source="page"))
    log.add(ScreenshotTaken(step=log.step, path="screenshots/001.png", duration_s=0.05))
    log.end("open_inbox", 1.2)
    loop = log.begin("each_mail", "loop", "For each mail of today")
    log.add(LoopEntered(step=loop, node="each_mail", items=2))
    log.add(
        IterationStarted(step=loop, node="each_mail", index=0, item={"sender": "news@example.com", "subject": "Hello"})
    )
    log.begin("is_investor", "decision", "Is the mail from an investor?", "each_mail[0]")
    log.ask(
        "Who is writing: an investor, a customer, or somebody else?",
        "Hello,\nour newsletter …",
        {"choice": "somebody else", "why": "A newsletter."},
    )
    log.add(DecisionMade(step=log.step, branch="no", by="model", evidence="choice = 'somebody else'"))
    log.end("is_investor", 0.004, condition="no")
    log.add(IterationFinished(step=loop, node="each_mail", index=0))
    log.add(
        IterationStarted(
            step=loop, node="each_mail", index=1, item={"sender": "jane@northwind.vc", "subject": "Series A"}
        )
    )
    log.begin("is_investor", "decision", "Is the mail from an investor?", "each_mail[1]")
    log.add(DecisionMade(step=log.step, branch="yes", by="check", evidence="subject contains 'Series A'"))
    log.end("is_investor", 0.002, condition="yes")
    log.begin("save_record", "task", "Save the record", "each_mail[1]")
    log.add(OperatorAsked(step=log.step, question="Save Jane of Northwind?", options=("yes", "no")))
    log.wait(0.3)
    log.add(OperatorAnswered(step=log.step, answer="yes", operator="script"))
    log.miss(
        "click button 'Save'",
        5.0,
        "ExpectationFailed",
        "row 'Northwind' was not seen within 5 s; the page shows 12 rows, none of that name, and a spinner is turning",
        performed=None,
    )
    log.add(AttemptStarted(step=log.step, attempt=2, waited_s=log.wait(0.5)))
    log.act("click button 'Save'", 0.61, effect="irreversible", expected=("row 'Northwind' is visible",))
    log.end("save_record", 6.4, tier="retried", attempts=2)
    log.add(IterationFinished(step=loop, node="each_mail", index=1))
    log.add(
        StepFinished(step=loop, node="each_mail", condition="all_processed", tier="exact", attempts=1, duration_s=6.5)
    )
    log.begin("done", "end", "Done")
    log.end("done", 0)
    return log


@pytest.fixture
def failed_run(log: Log) -> Log:
    log.start()
    log.begin("open_inbox", "task", "Open the inbox")
    log.miss("click link 'Inbox'", 5.0, "TargetNotFound", "no link named 'Inbox'; the nearest is link 'In Box' (0.81)")
    log.add(
        StepFailed(
            step=1, node="open_inbox", attempts=2, duration_s=5.1, error="TargetNotFound",
            message="no link named 'Inbox'; the nearest is link 'In Box' (0.81)", cause="target",
        )
    )  # fmt: skip
    log.finish("failed", "no link named 'Inbox'", "target", "open_inbox")
    return log


@pytest.fixture(scope="session")
def trial() -> Callable[..., TrialRecord]:
    """Make a record; what is not given is that of an ordinary clean pass."""

    def make(
        number: int = 1, *, figures: Figures | None = None, judgement: Judgement | None = None, **fields: Any
    ) -> TrialRecord:
        counted = figures or Figures(status="completed", duration_s=10 + number / 10, steps=14, tiers={"exact": 14})
        data = {
            "scenario": "gmail_airtable", "case": "ordinary_day", "condition": "clean", "trial": number,
            "seed": 1000 + number, "site": "mock", "llm": "replay", "autonomy": "light",
            "folder": f"reports/runs/20261121-180501-ordinary_day-clean-{number}",
        }  # fmt: skip
        return TrialRecord(figures=counted, judgement=judgement or judge(counted, Outcome()), **{**data, **fields})

    return make


@pytest.fixture(scope="session")
def judged(trial: Callable[..., TrialRecord]) -> Callable[..., TrialRecord]:
    """The record of a log, judged with what the oracle found."""

    def make(log: Log, outcome: Outcome | None = None, **fields: Any) -> TrialRecord:
        counted = figures(log.events)
        return trial(17, figures=counted, judgement=judge(counted, outcome or Outcome()), **fields)

    return make


@pytest.fixture(scope="session")
def one_pixel() -> bytes:
    """A picture, as small as they come."""
    return ONE_PIXEL
