"""The browser's own dialogs: answered as the action says, and never left open."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from playwright.async_api import Error

from sopbench.adapters.in_page_scripts import script
from sopbench.errors import DialogFailed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import BrowserContext, Page
    from playwright.async_api import Dialog as OpenDialog

    from sopbench.sop.verbs.base import Dialog

_ASKS = ("confirm", "prompt")
_SOON_S = 2.0
_STAYS = "sopbench-stays"
"""What a page is told that may not be left after all."""
_STAYED = f"new Promise(done => setTimeout(() => done(dispatchEvent(new Event({json.dumps(_STAYS)}))), 10))"
"""In its turn: the page is told first that it was asked."""


async def ask_once(context: BrowserContext) -> None:
    """Pages of this context ask once whether they may be left, and again only when they had to stay."""
    await context.add_init_script(f"({script('leave_once')})({json.dumps(_STAYS)})")


class Dialogs:
    """Answers every dialog at once: as expected, or in the way that changes nothing."""

    def __init__(self) -> None:
        self._expected: Dialog | None = None
        self._came = asyncio.Event()
        self._unforeseen: list[OpenDialog] = []
        self._answering: set[asyncio.Task[None]] = set()

    def listen(self, page: Page) -> None:
        page.on("dialog", self._opened)

    @asynccontextmanager
    async def answered(self, expected: Dialog | None) -> AsyncIterator[list[str]]:
        """While the block lasts, answer as ``expected``; gives what pages merely said (their alerts), once it is over.

        Raises: DialogFailed (performed) when the expected dialog does not come, or one that nobody expects asks
        something.
        """
        said: list[str] = []
        self._expected, self._came = expected, asyncio.Event()
        try:
            yield said
        except BaseException:
            self._unforeseen.clear()  # the action's own error says more, and the next action is not to blame
            raise
        else:
            if expected is not None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._came.wait(), _SOON_S)
        finally:
            self._expected = None
        unforeseen, self._unforeseen = self._unforeseen, []
        for dialog in unforeseen:
            if dialog.type in _ASKS:
                wanted = f", not {expected.says!r}" if expected is not None and expected.says else ""
                message = (
                    f"the page asked {dialog.message!r} ({dialog.type}){wanted}; it was dismissed."
                    " Say what to answer with 'dialog'"
                )
                raise DialogFailed(message, performed=True)
            said.append(f"the page said {dialog.message!r}")
        if expected is not None and not self._came.is_set():
            raise DialogFailed("the page was expected to open a dialog, and did not", performed=True)

    def _opened(self, dialog: OpenDialog) -> None:
        task = asyncio.ensure_future(self._answer(dialog))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _answer(self, dialog: OpenDialog) -> None:
        expected = self._expected
        with suppress(Error):  # its page is gone, and the dialog with it
            if expected is not None and (expected.says is None or expected.says in dialog.message):
                self._expected = None
                if expected.answer == "accept":
                    await dialog.accept(expected.text)
                else:
                    await dialog.dismiss()
                    if dialog.type == "beforeunload" and dialog.page is not None:
                        await dialog.page.evaluate(_STAYED)
                self._came.set()
                return
            if dialog.type == "beforeunload":
                await dialog.accept()
                return
            self._unforeseen.append(dialog)
            await dialog.dismiss()
