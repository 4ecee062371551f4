"""A page that is stuck is not waited for without end; a run can go on in another window."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from sopbench.adapters import playwright_errors
from sopbench.errors import BrowserLost
from sopbench.sop.targets import Target, Visible

from .acting import Acting

STUCK = "void setTimeout(() => { const until = Date.now() + 3000; while (Date.now() < until); })"
BUTTON = Target(role="button", name="Save")

ASKED: dict[str, Callable[[Acting], Awaitable[object]]] = {
    "look": lambda acting: acting.sees(timeout_s=0.1, visible=BUTTON),
    "facts": lambda acting: acting.session.browser.facts(),
    "fingerprint": lambda acting: acting.session.browser.fingerprint(BUTTON, "click"),
    "candidates": lambda acting: acting.session.browser.candidates("click"),
    "visible_text": lambda acting: acting.session.browser.visible_text(),
    "title": lambda acting: acting.session.browser.title(),
    "select_text": lambda acting: acting.do("select_text", "p", timeout_s=0.1),
}


@pytest.mark.parametrize("what", ASKED)
async def test_a_page_that_gives_no_answer_is_lost(acting: Acting, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    await acting.show("<p>text</p><button>Save</button>")
    monkeypatch.setattr(playwright_errors, "ANSWERS_WITHIN_S", 0.3)
    await acting.js(STUCK)

    with pytest.raises(BrowserLost) as lost:
        await ASKED[what](acting)

    assert "gave no answer within" in str(lost.value)
    assert lost.value.performed is None


async def test_the_run_goes_on_in_another_window(acting: Acting) -> None:
    await acting.show("<button>Save</button>")
    await acting.js(STUCK)

    await acting.session.browser.renew()
    await acting.session.context.pages[-1].set_content("<h1>anew</h1>")

    assert (await acting.session.browser.look(Visible(visible=Target(role="heading", name="anew")), timeout_s=5)).holds
