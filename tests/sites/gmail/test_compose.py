"""Writing a mail: recipients become chips, the draft is kept by itself, and only Send sends."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Locator, Page, Route, expect

from sopbench.sites.gmail.site import GmailSite
from sopbench.trials.case import SiteCase
from sopbench.trials.letters import Letter

OpenGmail = Callable[..., Awaitable[Page]]


@pytest.fixture
def site(case: SiteCase) -> GmailSite:
    """The site of the sample morning."""
    return GmailSite(case, seed=3)


async def _compose(page: Page) -> Locator:
    await page.get_by_role("button", name="Compose", exact=True).click()
    letter = page.get_by_role("dialog", name="New Message")
    await expect(letter).to_be_visible()
    return letter


def _to(page: Page) -> Locator:
    return page.get_by_role("combobox", name="To recipients")


def _chips(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Chosen To").get_by_role("option")


async def _saved(page: Page) -> None:
    await expect(page.get_by_role("dialog").get_by_role("status")).to_have_text("Draft saved")


@pytest.mark.parametrize("key", ["Enter", "Tab", ",", ";"])
async def test_a_key_that_ends_an_address_makes_it_a_chip(key: str, site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    await _compose(page)

    await _to(page).press_sequentially("Ann Lee <ann@lee.test>")
    await page.keyboard.press(key)

    await expect(_chips(page)).to_have_count(1)
    await expect(_chips(page)).to_contain_text("Ann Lee")
    await expect(_chips(page)).to_have_attribute("data-hovercard-id", "ann@lee.test")
    await expect(_to(page)).to_have_value("")
    await expect(_to(page)).to_be_focused()


async def test_an_address_is_a_chip_once_and_backspace_takes_the_last(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    await _compose(page)

    for address in ("bob@stone.test", "BOB@stone.test", "ann@lee.test"):
        await _to(page).fill(address)
        await page.keyboard.press("Enter")
    await expect(_chips(page)).to_have_count(2)
    await page.keyboard.press("Backspace")

    await expect(_chips(page)).to_have_count(1)
    await expect(_chips(page)).to_contain_text("bob@stone.test")


async def test_a_draft_is_kept_by_itself_after_the_last_change(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    letter = await _compose(page)

    await _to(page).fill("bob@stone.test")
    await letter.get_by_role("textbox", name="Subject").fill("Plan")
    await page.get_by_role("textbox", name="Message Body").fill("One.\n\nTwo.")
    await _saved(page)

    assert site.letters() == [Letter(to=("bob@stone.test",), cc=(), subject="Plan", text="One.\n\nTwo.")]
    await expect(page.locator(".aim").filter(has_text="Drafts").locator(".bsU")).to_have_text("1")


async def test_what_is_written_after_a_save_replaces_the_draft(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    await _compose(page)
    body = page.get_by_role("textbox", name="Message Body")
    await body.fill("First")
    await _saved(page)

    await body.press("End")
    await body.press_sequentially(" and second")
    await page.keyboard.press("Escape")

    await expect(page.get_by_role("alert")).to_contain_text("Draft saved")
    assert [letter.text for letter in site.letters()] == ["First and second"]


async def test_lines_typed_by_hand_are_divs_and_stay_lines(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    await _compose(page)
    body = page.get_by_role("textbox", name="Message Body")

    await body.click()
    await page.keyboard.type("One")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await page.keyboard.type("Two")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("alert")).to_contain_text("Draft saved")
    await page.get_by_role("link", name="Drafts").click()
    await page.get_by_role("row").filter(has_text="(no subject)").click()

    assert [letter.text for letter in site.letters()] == ["One\n\nTwo"]
    await expect(body.locator("> div")).to_have_text(["One", "", "Two"])


async def test_an_empty_window_leaves_no_draft(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    letter = await _compose(page)

    await letter.get_by_role("button", name="Save & close").click()

    await expect(letter).to_be_hidden()
    assert site.letters() == []


async def test_a_discarded_draft_is_gone(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    letter = await _compose(page)
    await page.get_by_role("textbox", name="Message Body").fill("Never mind")
    await _saved(page)

    await letter.get_by_role("button", name="Discard draft").click()

    await expect(page.get_by_role("alert")).to_contain_text("Draft discarded.")
    assert site.letters() == []


async def test_send_sends_at_once_what_was_not_kept_yet(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    letter = await _compose(page)

    await _to(page).fill("Ann Lee <ann@lee.test>")
    await letter.get_by_role("link", name="Add Cc recipients").click()
    await page.get_by_role("combobox", name="Cc recipients").fill("bob@stone.test")
    await letter.get_by_role("textbox", name="Subject").fill("Now")
    await page.keyboard.press("Control+Enter")

    await expect(page.get_by_role("alert")).to_contain_text("Message sent")
    sent = Letter(to=("ann@lee.test",), cc=("bob@stone.test",), subject="Now", text="", is_sent=True)
    assert site.letters() == [sent]


async def test_an_address_that_is_none_is_not_sent_to(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    letter = await _compose(page)

    await _to(page).fill("bob at stone")
    await letter.get_by_role("button", name="Send").click()

    await expect(page.get_by_role("alert")).to_contain_text('The address "bob at stone" was not recognized.')
    await expect(letter).to_be_visible()
    assert not any(each.is_sent for each in site.letters())


async def test_a_save_that_fails_is_told_and_the_window_stays(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    letter = await _compose(page)

    async def refuse(route: Route) -> None:
        await route.fulfill(status=503)

    await page.route("**/i/draft", refuse)
    await page.get_by_role("textbox", name="Message Body").fill("Kept at last")
    await expect(letter.get_by_role("status")).to_have_text("Couldn’t save draft")
    await page.unroute("**/i/draft")
    await letter.get_by_role("button", name="Save & close").click()

    await expect(page.get_by_role("alert")).to_contain_text("Draft saved")
    assert [each.text for each in site.letters()] == ["Kept at last"]


async def test_the_window_is_loaded_only_when_one_is_opened(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))

    loaded = await page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    await _compose(page)

    assert not any("compose" in name or "recipients" in name for name in loaded)
    assert {"compose.js", "compose.css", "recipients.js"} <= set(asked)
