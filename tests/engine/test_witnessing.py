"""What the page was like is written down when an action fails on it, and only then."""

from __future__ import annotations

import pytest

from sopbench.errors import BrowserLost, StepError, TargetNotFound
from sopbench.events.types import ActionFailed, PageSeen
from sopbench.ports.browser import PageFacts, Trouble
from sopbench.testing.browser import PAGE, FakeBrowser
from sopbench.testing.page import Element, Page
from sopbench.testing.running import run_sop

from .procedures import click, one_task, put

NAMED = [
    Element(role="heading", name="Sign in"),
    Element(role="alert", text="Your session has ended"),
    Element(role="button", name="Save"),
]


class Telling(FakeBrowser):
    """A browser without elements, whose page is said to be like this."""

    def __init__(self, told: PageFacts) -> None:
        super().__init__([])
        self._told = told

    async def facts(self) -> PageFacts:
        return self._told


def shown() -> FakeBrowser:
    browser = FakeBrowser({PAGE: Page(list(NAMED), title="Welcome")})
    browser.go(PAGE)
    return browser


async def test_a_failed_action_is_followed_by_what_the_page_was_like() -> None:
    browser = shown()
    browser.fail_next(TargetNotFound("late", performed=False), do="click")

    ran = await run_sop(one_task(click()), browser)

    [seen] = ran.of(PageSeen)
    [failed] = ran.of(ActionFailed)
    assert (seen.seq, seen.step, seen.action) == (failed.seq + 1, failed.step, failed.action)
    assert (seen.url, seen.title) == (PAGE, "Welcome")
    assert (seen.headings, seen.notices) == (("Sign in",), ("Your session has ended",))


async def test_what_came_in_place_of_what_was_expected_is_in_the_reason() -> None:
    never = {"visible": {"role": "heading", "name": "Thank you"}, "timeout_s": 0}

    ran = await run_sop(one_task(click(expect=[never])), shown())

    assert ran.result.reason.endswith("; the page says “Your session has ended”")


@pytest.mark.parametrize(
    ("page", "told"),
    [
        (PageFacts(PAGE, notices=("Gone",), headings=("Shop",)), "; the page says “Gone”"),
        (PageFacts(PAGE, headings=("Shop", "Basket", "Help")), "; the page says “Shop” and “Basket”"),
        (PageFacts(PAGE, title="Shop"), "; the page says “Shop”"),
        (PageFacts(PAGE, troubles=(Trouble("GET", "https://shop.test/", "answered 503", 503, 0.1),)),
         "; GET https://shop.test/: answered 503"),
        (PageFacts(PAGE), ""),
    ],
    ids=["a notice", "headings", "a title", "nothing loaded", "nothing"],
)  # fmt: skip
async def test_an_element_that_is_missed_is_missed_from_a_page_that_says_what_it_is(page: PageFacts, told: str) -> None:
    ran = await run_sop(one_task(click(effect="irreversible")), Telling(page), limits={"find_s": 0.1})

    assert ran.result.reason.startswith(f"no element fits button 'Save'{told}; none was taken for it")


@pytest.mark.parametrize(
    ("account", "told"),
    [
        ("Account: Bo (bo@shop.test)", "; signed in is “Account: Bo (bo@shop.test)”"),
        ("Account: Ada (ada@shop.test)", ""),
    ],
)
async def test_where_somebody_is_missed_it_is_said_who_is_there_instead(account: str, told: str) -> None:
    browser = Telling(PageFacts(PAGE, title="Shop", accounts=(account,)))

    ran = await run_sop(one_task(click("(ada@shop.test)")), browser, limits={"find_s": 0.1})

    assert f"no element fits button '(ada@shop.test)'{told}; the page says “Shop”" in ran.result.reason


async def test_a_run_without_trouble_never_asks_for_it() -> None:
    ran = await run_sop(one_task(click()), shown())

    assert ran.result.completed
    assert ran.of(PageSeen) == []


async def test_a_browser_that_is_gone_is_not_asked() -> None:
    browser = shown()
    browser.fail_next(BrowserLost("gone", performed=None), do="click")
    browser.fail_next(BrowserLost("gone", performed=None), do="click")

    ran = await run_sop(one_task(click()), browser)

    assert ran.of(ActionFailed) != []
    assert ran.of(PageSeen) == []


async def test_what_is_not_done_to_a_page_does_not_look_at_one() -> None:
    ran = await run_sop(one_task(put("total", "nothing + 1")), shown())

    assert not ran.result.completed
    assert ran.of(PageSeen) == []


async def test_a_page_that_does_not_tell_stops_nothing() -> None:
    browser = shown()
    browser.fail_next(TargetNotFound("late", performed=False), do="click")

    async def mute() -> None:
        raise StepError("the page is on its way to another one", performed=None)

    browser.facts = mute  # type: ignore[assignment, method-assign]
    ran = await run_sop(one_task(click()), browser)

    assert ran.result.completed
    assert ran.of(PageSeen) == []
