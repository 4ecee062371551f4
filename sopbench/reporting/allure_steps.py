"""One run in the current test result of Allure: its steps with their own times, its pictures, and what it was worth.

The steps hang below the test itself, wherever this is called from: the test's body, or a fixture that is being torn
down. It must be called from pytest's own thread and before the test's teardown is over: then Allure counts the
history id, from the test's full name and the parameters that are not excluded.
"""

from __future__ import annotations

from contextlib import contextmanager
from datetime import datetime
from itertools import starmap
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Protocol
from uuid import uuid4

from allure_commons.model2 import Label, Parameter, Status, StatusDetails, TestStepResult

from sopbench.errors import SopbenchError
from sopbench.events.log import LOG_NAME, read_log
from sopbench.events.types import (
    ActionStarted,
    ModelAsked,
    OperatorAsked,
    ScreenshotTaken,
    StepFinished,
    TargetHealed,
    TargetUnclear,
)
from sopbench.records.folder import TRACE_NAME
from sopbench.reporting.allure_facts import BROKEN_BY, end_of, name_of, values_of
from sopbench.reporting.steps import fold
from sopbench.reporting.why import why_lines
from sopbench.reporting.wording import dollars, fields, one_line, seconds, value

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sopbench.reporting.steps import Fact, FoldedRun, Iteration, Step
    from sopbench.trials.record import TrialRecord

TRACE_TYPE = "application/vnd.allure.playwright-trace"
"""What Allure's reports open in the trace viewer; only when attached to the test itself."""
PICTURES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp"}


class Item(Protocol):
    """What is needed of a pytest item."""

    config: Any


def attach_run(item: Item, folder: Path, record: TrialRecord) -> None:
    """Attach the run in ``folder`` to the test result of ``item``. Does nothing when Allure was not asked for.

    A test with several runs has the steps and labels of all, and the parameters of the one attached last.
    """
    listener = item.config.pluginmanager.get_plugin("allure_listener")
    test = listener.allure_logger.get_test(None) if listener else None
    if test is None:
        return
    _describe(test, item, folder, record)
    writer = _Writer(listener.allure_logger, folder)
    try:
        run = fold(read_log(folder))
    except SopbenchError as error:
        writer.note(test.uuid, f"no steps to show: {error}")
    else:
        writer.run(test.uuid, run)
        writer.file(test.uuid, LOG_NAME, "text/plain")
    writer.file(test.uuid, TRACE_NAME, TRACE_TYPE)


def _describe(test: Any, item: Item, folder: Path, record: TrialRecord) -> None:
    """Parameters, labels and description. What differs from session to session is left out of the history id."""
    judged, figures = record.judgement, record.figures
    varying = {
        "verdict": judged.verdict.value,
        "grade": judged.grade.value if judged.grade else "",
        "cause": judged.cause,
        "seed": str(record.seed),
        "duration": seconds(figures.duration_s),
        "model calls": f"{figures.model_calls}, {figures.live_calls} live" if figures.model_calls else "",
        "tokens": f"{figures.input_tokens:,} + {figures.output_tokens:,}" if figures.model_calls else "",
        "cost": dollars(figures.cost_usd) if figures.cost_usd is not None else "",
        "folder": str(folder),
    }
    callspec = getattr(item, "callspec", None)
    given: dict[str, Any] = callspec.params if callspec else {}
    # An object as a pytest parameter shows its repr, often with an address or a path in it: the item's id does instead.
    unstable = {name for name, at in given.items() if name in varying or not isinstance(at, str | int | float | None)}
    own = [
        # Names with a blank: no fixture can have them, so nothing but these values counts for the history.
        Parameter(
            name="trial id", value=callspec.id if callspec else f"{record.case}-{record.condition}-{record.trial}"
        ),
        Parameter(name="run with", value=f"{record.site} site, {record.llm}, {record.autonomy}"),
        *(Parameter(name=name, value=text, excluded=True) for name, text in varying.items() if text),
    ]
    replaced = unstable | varying.keys() | {parameter.name for parameter in own}
    test.parameters[:] = [parameter for parameter in test.parameters if parameter.name not in replaced] + own
    worth = {name: varying[name] for name in ("verdict", "grade", "cause") if varying[name]}
    labels = {"sop": record.scenario, "case": record.case, "condition": record.condition, **worth}
    test.labels += [label for label in starmap(Label, labels.items()) if label not in test.labels]
    # Indented, the reason is shown as it is: texts of pages and models must not become links or pictures.
    why = "\n".join(f"    {one_line(line)}" for line in why_lines(record.attribution))
    told = (test.description, f"**{' · '.join(worth.values())}**", f"    {one_line(judged.reason)}", why)
    test.description = "\n\n".join(part for part in told if part and not part.isspace())


class _Writer:
    """Hands steps and files to Allure's reporter, which forgets each step as soon as it is closed."""

    def __init__(self, reporter: Any, folder: Path) -> None:
        self._reporter = reporter
        self._folder = folder.resolve()
        self._last = ""
        """When the log ends: the stop of whatever has none."""

    def run(self, test: str, run: FoldedRun) -> None:
        self._last = run.last.at if run.last else ""
        for step in run.steps:
            self._step(test, step)
        if run.finished is None:
            self.note(test, "the log ends here: the run was killed")

    def note(self, parent: str, text: str) -> None:
        with self._open(parent, text, Status.BROKEN, self._last, self._last):
            pass

    def file(self, parent: str, path: str, kind: str) -> None:
        source = (self._folder / path).resolve()
        if source.is_relative_to(self._folder) and source.is_file():
            self._reporter.attach_file(
                str(uuid4()),
                str(source),
                name=path,
                attachment_type=kind,
                extension=source.suffix[1:],
                parent_uuid=parent,
            )

    def _step(self, parent: str, step: Step) -> None:
        started, finished = step.started, step.finished
        if step.resumed:
            text = f"begun again, {step.resumed.done} items done: {one_line(step.resumed.why, 300)}"
            with self._open(parent, text, Status.PASSED, step.resumed.at, started.at):
                pass
        told = {"node": started.node, "kind": started.kind}
        if isinstance(finished, StepFinished):
            status, why = Status.PASSED, ""
            told |= {"tier": finished.tier, "way on": finished.condition}
        elif finished:
            status = Status.BROKEN if finished.cause in BROKEN_BY else Status.FAILED
            why = f"{finished.error}: {finished.message}"
            told |= {"cause": finished.cause}
        else:
            status, why = Status.BROKEN, "begun, never finished"
        if finished and finished.attempts > 1:
            told |= {"attempts": str(finished.attempts)}
        name = f"{started.step}. {one_line(started.label, 120) or started.node}"
        stop = finished.at if finished else self._last
        with self._open(parent, name, status, started.at, stop, why, told | values_of(step.facts)) as uuid:
            for fact in step.facts:
                self._fact(uuid, fact)
            for turn in step.iterations:
                self._turn(uuid, turn)

    def _turn(self, parent: str, turn: Iteration) -> None:
        item, finished = turn.started.item, turn.finished
        name = f"item {turn.started.index + 1}: {fields(item, 100) if isinstance(item, dict) else value(item, 100)}"
        status = Status.BROKEN if finished is None else Status.FAILED if finished.failed else Status.PASSED
        stop, why = (finished.at, finished.reason) if finished else (self._last, "begun, never finished")
        with self._open(parent, name, status, turn.started.at, stop, why) as uuid:
            for step in turn.steps:
                self._step(uuid, step)

    def _fact(self, parent: str, fact: Fact) -> None:
        event = fact.event
        if isinstance(event, ScreenshotTaken):
            kind = PICTURES.get(PurePath(event.path).suffix.lower())
            if kind:
                self.file(parent, event.path, kind)
            return
        name = name_of(event)
        if not name:
            return
        status, why, told = end_of(fact)
        begun_only = isinstance(event, ActionStarted | ModelAsked | OperatorAsked)
        stop = fact.end.at if fact.end else self._last if begun_only else event.at
        with self._open(parent, name, status, event.at, stop, why, told | values_of(fact.inner)) as uuid:
            if isinstance(event, TargetHealed | TargetUnclear) and event.picture:
                self.file(uuid, event.picture, PICTURES[".jpg"])
            for inner in fact.inner:
                self._fact(uuid, inner)

    @contextmanager
    def _open(
        self,
        parent: str,
        name: str,
        status: str,
        start: str,
        stop: str,
        why: str = "",
        told: dict[str, str] | None = None,
    ) -> Iterator[str]:
        """A step below ``parent``; what is attached to the uuid it gives hangs below it. ``told`` are parameters."""
        uuid = str(uuid4())
        step = TestStepResult(
            name=name,
            status=status,
            statusDetails=StatusDetails(message=why) if why else None,
            start=_milliseconds(start),
            stop=_milliseconds(stop),
            parameters=[Parameter(name=key, value=text) for key, text in (told or {}).items() if text],
        )
        self._reporter.start_step(parent, uuid, step)
        try:
            yield uuid
        finally:
            self._reporter.stop_step(uuid)


def _milliseconds(at: str) -> int | None:
    return round(datetime.fromisoformat(at).timestamp() * 1000) if at else None
