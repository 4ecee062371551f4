"""Who answers at the terminal: by number or word, asked again on nonsense, and never in the way of anything else."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest
from rich.console import Console

from sopbench.adapters.terminal_operator import TerminalOperator
from sopbench.errors import OperatorStopped, UsageError
from sopbench.ports.operator import OperatorQuestion

SEND = OperatorQuestion("Send it?", ("send", "skip"), safe="skip")


class Screen(io.StringIO):
    def __init__(self) -> None:
        super().__init__()
        self.changed = asyncio.Event()

    def write(self, text: str, /) -> int:
        self.changed.set()
        return super().write(text)


class Terminal:
    """Stands in for the keyboard and the screen."""

    def __init__(self) -> None:
        reading, writing = os.pipe()
        self._writing: int | None = writing
        self.lines: TextIO = os.fdopen(reading)
        self.lines.isatty = lambda: True  # type: ignore[method-assign]
        self.screen = Screen()
        self.operator = TerminalOperator(self.lines, Console(file=self.screen, width=100))

    def types(self, text: str) -> None:
        assert self._writing is not None
        os.write(self._writing, text.encode())

    def hangs_up(self) -> None:
        if self._writing is not None:
            os.close(self._writing)
        self._writing = None

    async def shows(self, text: str) -> None:
        async with asyncio.timeout(5):
            while text not in self.screen.getvalue():
                self.screen.changed.clear()
                await self.screen.changed.wait()

    async def asked(self, question: OperatorQuestion = SEND) -> asyncio.Task[str]:
        answering = asyncio.create_task(self.operator.answer(question))
        await self.shows("answer: ")
        return answering


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    made = Terminal()
    yield made
    made.hangs_up()
    for thread in threading.enumerate():
        if thread.name == "operator's answer":
            thread.join(5)
    made.lines.close()


@pytest.mark.parametrize(
    ("typed", "answer"), [("send\n", "send"), (" SKIP \n", "skip"), ("1\n", "send"), ("2\n", "skip")]
)
async def test_an_answer_is_given_by_number_or_by_word(terminal: Terminal, typed: str, answer: str) -> None:
    answering = await terminal.asked()

    terminal.types(typed)

    assert await answering == answer


async def test_the_question_stands_there_with_its_options_and_picture(terminal: Terminal) -> None:
    question = OperatorQuestion(
        "Send [bold]it[/]?\x1b[2J", ("send", "skip"), "skip", "screenshots/1.jpg", Path("/runs")
    )
    answering = await terminal.asked(question)

    terminal.types("send\n")
    await answering

    assert terminal.screen.getvalue().split("\n") == [
        "",
        "Send [bold]it[/]?�[2J",
        "  1. send",
        "  2. skip  (does nothing)",
        "  picture: /runs/screenshots/1.jpg",
        "answer: ",
    ]


@pytest.mark.parametrize("nonsense", ["\n", "0\n", "3\n", "-1\n", "s\n", "send it\n", "1 2\n", "²\n"])
async def test_nonsense_is_asked_again(terminal: Terminal, nonsense: str) -> None:
    answering = await terminal.asked()

    terminal.types(nonsense)
    await terminal.shows("is none of them")
    assert not answering.done()
    terminal.types("send\n")

    assert await answering == "send"


async def test_where_options_are_numbers_themselves_they_are_meant(terminal: Terminal) -> None:
    answering = await terminal.asked(OperatorQuestion("which?", ("7", "2", "none"), safe="none"))

    terminal.types("1\n")
    await terminal.shows("is none of them")
    terminal.types("2\n")

    assert await answering == "2"


async def test_the_end_of_input_stops_the_run(terminal: Terminal) -> None:
    answering = await terminal.asked()

    terminal.hangs_up()

    with pytest.raises(OperatorStopped, match=r"stopped at the terminal, at the question: Send it\?"):
        await answering


async def test_ctrl_c_stops_the_run_and_is_what_it_was_before(terminal: Terminal) -> None:
    before = signal.getsignal(signal.SIGINT)
    answering = await terminal.asked()

    signal.raise_signal(signal.SIGINT)

    with pytest.raises(OperatorStopped, match="stopped at the terminal"):
        await answering
    assert signal.getsignal(signal.SIGINT) is before


async def test_other_work_goes_on_and_a_cancelled_question_ends_at_once(terminal: Terminal) -> None:
    before = signal.getsignal(signal.SIGINT)
    answering = await terminal.asked()
    worked = await asyncio.gather(*(asyncio.sleep(0, number) for number in range(3)))

    answering.cancel()

    async with asyncio.timeout(0.5):
        with pytest.raises(asyncio.CancelledError):
            await answering
    assert worked == [0, 1, 2]
    assert signal.getsignal(signal.SIGINT) is before


async def test_what_is_typed_after_a_cancelled_question_answers_the_next(terminal: Terminal) -> None:
    cancelled = await terminal.asked()
    cancelled.cancel()
    await asyncio.wait([cancelled])
    answering = await terminal.asked(OperatorQuestion("Pay it?", ("pay", "leave")))
    await terminal.shows("2. leave\nanswer: ")

    terminal.types("leave\n")

    assert await answering == "leave"


def test_without_a_terminal_it_is_refused() -> None:
    with pytest.raises(UsageError, match="the standard input is none; use --operator unattended"):
        TerminalOperator(io.StringIO("send\n"))
