"""An operator at the terminal the run was started from."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

from rich.console import Console
from rich.text import Text

from sopbench.errors import OperatorStopped, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sopbench.ports.operator import OperatorQuestion

_ENDED = ""
"""What reading a line gives at the end of input."""


class TerminalOperator:
    """Shows each question with its numbered options, and takes an answer by number or by word.

    The event loop goes on while a person thinks. Ctrl-C, and the end of input, stop the run.
    """

    name = "terminal"

    def __init__(self, lines: TextIO | None = None, console: Console | None = None) -> None:
        """Reads ``lines`` (the standard input), and writes to standard error. Raises: UsageError without a terminal."""
        self._lines = sys.stdin if lines is None else lines
        if self._lines is None or not self._lines.isatty():
            raise UsageError(
                "--operator terminal needs a terminal to read answers from, and the standard input is none; "
                "use --operator unattended, or a file of answers"
            )
        self._console = console or Console(stderr=True)
        self._coming: asyncio.Future[str] | None = None

    def would_answer(self, question: OperatorQuestion) -> bool:
        return True

    async def answer(self, question: OperatorQuestion) -> str:
        """Asks again until one of the options is named. Raises: OperatorStopped."""
        self._forget_typed_ahead()
        self._show(question)
        with self._stopped_by_ctrl_c() as stopped:
            while True:
                self._console.print(Text("answer: ", style="bold"), end="")
                line = await self._line(stopped)
                if line is None:
                    raise OperatorStopped(f"stopped at the terminal, at the question: {question.text}")
                chosen = _option(line, question.options)
                if chosen is not None:
                    return chosen
                self._console.print(Text(f"{line.strip()!r} is none of them: give a number or one of the words"))

    def _forget_typed_ahead(self) -> None:
        """What was typed before a question is shown is no answer to it."""
        if self._coming is not None and self._coming.done():
            self._coming = None
        with suppress(OSError, ValueError, ImportError):
            import termios  # noqa: PLC0415 - only where there are such terminals

            with suppress(termios.error):
                termios.tcflush(self._lines.fileno(), termios.TCIFLUSH)

    def _show(self, question: OperatorQuestion) -> None:
        """A page's words are shown as they are, never read as markup."""
        self._console.print()
        self._console.print(Text(_printable(question.text), style="bold"))
        for number, option in enumerate(question.options, start=1):
            harmless = "  (does nothing)" if option == question.safe else ""
            mark = "-" if _are_numbers(question.options) else f"{number}."
            self._console.print(Text(f"  {mark} {_printable(option)}{harmless}"))
        if question.picture:
            picture = question.folder / question.picture if question.folder else question.picture
            self._console.print(Text(f"  picture: {picture}", style="dim"), soft_wrap=True)

    async def _line(self, stopped: asyncio.Future[str]) -> str | None:
        """The next line; None when there is none, or Ctrl-C came first."""
        if self._coming is None or self._coming.get_loop() is not asyncio.get_running_loop():
            self._coming = _read_in_thread(self._lines)
        done, _ = await asyncio.wait({self._coming, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if stopped in done:
            return None
        line, self._coming = self._coming.result(), None
        return None if line == _ENDED else line

    @contextmanager
    def _stopped_by_ctrl_c(self) -> Iterator[asyncio.Future[str]]:
        """A future that Ctrl-C resolves; only the main thread hears of it."""
        loop = asyncio.get_running_loop()
        stopped: asyncio.Future[str] = loop.create_future()
        if threading.current_thread() is not threading.main_thread():
            yield stopped
            return

        def stop(*_: object) -> None:
            loop.call_soon_threadsafe(_resolve, stopped, _ENDED)

        before = signal.signal(signal.SIGINT, stop)
        try:
            yield stopped
        finally:
            signal.signal(signal.SIGINT, before)


def _read_in_thread(lines: TextIO) -> asyncio.Future[str]:
    """One line, read by a thread that ends with the process: a cancelled question leaves it for the next one."""
    loop = asyncio.get_running_loop()
    coming: asyncio.Future[str] = loop.create_future()

    def read() -> None:
        try:
            line = lines.readline()
        except (OSError, ValueError):
            line = _ENDED
        with suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(_resolve, coming, line)

    threading.Thread(target=read, name="operator's answer", daemon=True).start()
    return coming


def _resolve(future: asyncio.Future[str], line: str) -> None:
    if not future.done():
        future.set_result(line)


def _option(line: str, options: tuple[str, ...]) -> str | None:
    """Its word, or its place in the list where no option is a number itself."""
    given = line.strip()
    for option in options:
        if given.casefold() == option.casefold():
            return option
    places = {} if _are_numbers(options) else {str(place): option for place, option in enumerate(options, start=1)}
    return places.get(given)


def _are_numbers(options: tuple[str, ...]) -> bool:
    """As when the elements of a page are numbered."""
    return any(option.isdecimal() for option in options)


def _printable(text: str) -> str:
    """Without control characters, by which a page could rewrite what stands on the terminal."""
    return "".join(char if char.isprintable() or char == "\n" else "�" for char in text)
