"""The pages in a real browser."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from email.message import EmailMessage

import pytest
from playwright.async_api import Locator, Page, Route, expect

from sopbench.sites.gmail.site import GmailSite
from sopbench.trials.case import SiteCase

OpenGmail = Callable[..., Awaitable[Page]]
Serve = Callable[[GmailSite], Awaitable[str]]
MakeCase = Callable[..., SiteCase]
Write = Callable[..., EmailMessage]


@pytest.fixture
def site(case: SiteCase) -> GmailSite:
    """The site of the sample morning."""
    return GmailSite(case, seed=3)


@pytest.fixture
def crowded(make_case: MakeCase, write: Write) -> GmailSite:
    """A site with 60 mails, "Mail 59" the newest."""
    mails = {}
    for n in range(60):
        mails[f"{n:02d}.eml"] = write(subject=f"Mail {n}", date=f"2025-05-{n // 24 + 1:02d}T{n % 24:02d}:00:00Z")
    return GmailSite(make_case(mails, labels=("Processed",)), seed=3)


def _row(page: Page, subject: str) -> Locator:
    return page.get_by_role("row").filter(has_text=subject)


def _main(page: Page, name: str) -> Locator:
    return page.get_by_role("main", name=name, exact=True)


async def _search(page: Page, query: str) -> None:
    await page.get_by_role("textbox", name="Search mail").fill(query)
    await page.keyboard.press("Enter")
    await expect(_main(page, f"Search results for {query}")).to_be_visible()


async def _open(page: Page, subject: str) -> None:
    await _row(page, subject).click()
    await expect(page.get_by_role("heading", name=subject, level=2)).to_be_visible()


async def test_signing_in_leads_to_the_inbox(site: GmailSite, serve: Serve, window: Page) -> None:
    await window.goto(await serve(site))

    await window.get_by_role("textbox", name="Email or phone").fill("dana@acme.test")
    await window.get_by_role("button", name="Next").click()
    await expect(window.get_by_role("heading", name="Welcome")).to_be_visible()
    await window.get_by_role("textbox", name="Enter your password").fill("correct horse")
    await window.keyboard.press("Enter")

    await expect(_main(window, "Inbox")).to_be_visible()
    await expect(window).to_have_title("Inbox (3) - dana@acme.test - Gmail")
    await expect(window).to_have_url(re.compile(r"/mail/u/0/#inbox$"))


async def test_mistakes_in_signing_in_are_told(site: GmailSite, serve: Serve, window: Page) -> None:
    await window.goto(await serve(site))
    await window.wait_for_load_state("networkidle")

    await window.get_by_role("textbox", name="Email or phone").fill("bob@acme.test")
    await window.keyboard.press("Enter")
    await expect(window.get_by_text("Couldn’t find your Google Account")).to_be_visible()
    await window.get_by_role("textbox", name="Email or phone").fill("dana@acme.test")
    await window.keyboard.press("Enter")
    await window.get_by_role("textbox", name="Enter your password").fill("wrong")
    await window.get_by_role("checkbox", name="Show password").check()
    await window.get_by_role("button", name="Next").click()

    await expect(window.get_by_text("Wrong password. Try again")).to_be_visible()
    await expect(window.locator("[name=Passwd]")).to_have_attribute("type", "text")
    await window.go_back()
    await expect(window.get_by_role("heading", name="Sign in")).to_be_visible()


async def test_the_site_works_under_the_real_names(site: GmailSite, real_names: OpenGmail) -> None:
    page = await real_names(site)

    await page.goto("https://mail.google.com/")
    await expect(page).to_have_url(re.compile(r"^https://accounts\.google\.com/signin/v2/identifier\?"))
    await page.get_by_role("textbox", name="Email or phone").fill("dana@acme.test")
    await page.get_by_role("button", name="Next").click()
    await page.get_by_role("textbox", name="Enter your password").fill("correct horse")
    await page.get_by_role("button", name="Next").click()

    await expect(page).to_have_url("https://mail.google.com/mail/u/0/#inbox")
    await expect(_main(page, "Inbox")).to_be_visible()


async def test_the_list_shows_who_what_and_when(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)

    row = page.get_by_role("row", name="unread, Bob Stone, me, Offer 4711, 9:14 AM, Thanks, we accept.")
    await expect(row).to_have_class(re.compile(r"\bzE\b"))
    await expect(row.locator(".yW span[email]").first).to_have_attribute("email", "bob@stone.test")
    await expect(row.locator(".bog span")).to_have_attribute("data-legacy-thread-id", re.compile(r"^1[0-9a-f]{15}$"))
    await expect(row.locator(".xW span[title]")).to_have_attribute("title", "Mon, Jun 2, 2025, 9:14 AM")
    await expect(_row(page, "Spring news").locator(".xW")).to_have_text("4/2/24")
    await expect(_row(page, "ご注文の確認").locator(".at")).to_have_attribute("title", "Customers")
    await expect(page.get_by_role("link", name="Inbox 3 unread")).to_be_visible()
    await expect(page.locator(".Dj")).to_have_text("1–4 of 4")


async def test_searching_changes_address_list_and_title(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)

    await _search(page, "after:2025/06/01 before:2025/06/02 rechnung")

    await expect(page).to_have_url(re.compile(r"#search/after%3A2025%2F06%2F01\+before%3A2025%2F06%2F02\+rechnung$"))
    await expect(page).to_have_title("Search results - dana@acme.test - Gmail")
    await expect(page.get_by_role("row")).to_have_count(1)


async def test_a_search_without_result_says_so(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)

    await page.get_by_role("textbox", name="Search mail").fill("unicorn")
    await page.get_by_role("button", name="Search mail").click()

    await expect(page.get_by_role("main")).to_contain_text("No messages matched your search.")
    await page.get_by_role("button", name="Clear search").click()
    await expect(_main(page, "Inbox")).to_be_visible()


async def test_the_old_rows_stay_until_the_answer_is_there(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    held: list[Route] = []

    async def hold(route: Route) -> None:
        held.append(route)

    await page.route("**/i/list", hold)
    async with page.expect_request("**/i/list"):
        await page.get_by_role("textbox", name="Search mail").fill("rechnung")
        await page.keyboard.press("Enter")

    await expect(page).to_have_url(re.compile("#search/rechnung$"))
    await expect(page.get_by_role("status")).to_have_text("Loading...")
    await expect(page.get_by_role("row")).to_have_count(4)
    await expect(page).to_have_title(re.compile("^Inbox"))
    await expect(_main(page, "Inbox")).to_have_attribute("aria-busy", "true")
    await held[0].continue_()
    await expect(page.get_by_role("row")).to_have_count(1)
    await expect(page.get_by_role("status")).to_have_text("")


async def test_the_latest_wish_wins_over_a_late_answer(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    held: list[Route] = []

    async def hold_first(route: Route) -> None:
        if held:
            await route.continue_()
        else:
            held.append(route)

    await page.route("**/i/list", hold_first)
    await page.evaluate("location.hash = '#search/offer'")
    await page.evaluate("location.hash = '#search/rechnung'")
    await expect(_main(page, "Search results for rechnung")).to_be_visible()

    async with page.expect_response("**/i/list"):
        await held[0].continue_()
    await page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    await expect(_main(page, "Search results for rechnung")).to_be_visible()
    await expect(page.get_by_role("row")).to_have_count(1)


async def test_a_conversation_shows_its_messages(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)

    await _open(page, "Offer 4711")

    messages = page.get_by_role("main").get_by_role("listitem")
    await expect(messages).to_have_count(3)
    await expect(messages.nth(0)).to_have_attribute("aria-expanded", "false")
    await expect(messages.nth(2).locator(".gD")).to_have_attribute("email", "bob@stone.test")
    await expect(messages.nth(2).locator("span.g3")).to_have_attribute("title", "Mon, Jun 2, 2025, 9:14 AM")
    await expect(messages.nth(2).locator(".a3s")).to_contain_text("Thanks, we accept.")
    await expect(page.get_by_text("The offer is 400 EUR.").last).to_be_hidden()
    await page.get_by_role("button", name="Show trimmed content").click()
    await expect(page.get_by_text("The offer is 400 EUR.").last).to_be_visible()
    await page.get_by_role("button", name="Expand all").click()
    await expect(page.locator(".a3s")).to_have_count(3)
    await expect(page).to_have_title("Offer 4711 - dana@acme.test - Gmail")
    await expect(page.get_by_role("link", name="Inbox 2 unread")).to_be_visible()


async def test_details_and_attachments_can_be_seen(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    await _open(page, "Rechnung für Mai")

    await page.get_by_role("button", name="Show details").click()

    await expect(page.get_by_role("row", name="from: Müller, Jörg <joerg@mueller.test>")).to_be_visible()
    async with page.expect_download() as download:
        await page.get_by_role("button", name="Download attachment invoice.pdf").click()
    assert (await download.value).suggested_filename == "invoice.pdf"


async def test_labelling_an_open_conversation(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    await _open(page, "Offer 4711")

    await page.get_by_role("button", name="Labels", exact=True).click()
    await page.get_by_role("menuitemcheckbox", name="Processed").click()
    await expect(page.get_by_role("menuitemcheckbox", name="Processed")).to_be_checked()
    assert site.labels()["Processed"] == []
    await page.get_by_role("menuitem", name="Apply").click()

    await expect(page.get_by_role("alert")).to_contain_text("Conversation added to “Processed”.")
    await expect(page.get_by_role("main").get_by_role("link", name="Processed")).to_be_visible()
    assert site.labels()["Processed"] == ["01-offer.eml", "02-answer.eml", "03-accepted.eml"]
    await page.get_by_role("button", name="Remove label Processed from this conversation").click()
    await expect(page.get_by_role("alert")).to_contain_text("Conversation removed from “Processed”.")
    assert site.labels()["Processed"] == []


async def test_the_label_menu_filters_applies_and_creates_by_keyboard(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    await _open(page, "Offer 4711")

    await page.get_by_role("button", name="Labels", exact=True).click()
    await page.keyboard.type("proc")
    await expect(page.get_by_role("menuitemcheckbox")).to_have_count(1)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert")).to_contain_text("added to “Processed”")
    await page.get_by_role("button", name="Labels", exact=True).click()
    await page.keyboard.type("Brand new")
    await expect(page.get_by_role("menuitem", name="“Brand new” (create new)")).to_be_visible()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("link", name="Brand new").first).to_be_visible()

    assert {"Brand new", "Processed"} <= {name for name, files in site.labels().items() if files}
    await page.get_by_role("button", name="Labels", exact=True).click()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("menu")).to_have_count(0)


async def test_labelling_and_archiving_a_selection(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)

    await _row(page, "Offer 4711").get_by_role("checkbox").click()
    await _row(page, "Rechnung").get_by_role("checkbox").click()
    await page.get_by_role("button", name="Labels", exact=True).click()
    await page.get_by_role("menuitemcheckbox", name="Processed").click()
    await page.get_by_role("menuitem", name="Apply").click()
    await expect(page.get_by_role("alert")).to_contain_text("2 conversations added to “Processed”.")
    await expect(_row(page, "Rechnung").locator(".at")).to_have_text("Processed")
    await page.locator(".G-atb:visible").get_by_role("button", name="Archive").click()

    await expect(page.get_by_role("alert")).to_contain_text("2 conversations archived.")
    await expect(page.get_by_role("row")).to_have_count(2)
    await page.get_by_role("alert").get_by_role("link", name="Undo").click()
    await expect(page.get_by_role("row")).to_have_count(4)
    assert site.labels()["Processed"] == ["01-offer.eml", "02-answer.eml", "03-accepted.eml", "04-invoice.eml"]


async def test_archiving_an_open_conversation_leads_back(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    await _open(page, "Offer 4711")

    await page.keyboard.press("e")

    await expect(page.get_by_role("alert")).to_contain_text("Conversation archived.")
    await expect(_main(page, "Inbox")).to_be_visible()
    await expect(page.get_by_role("row")).to_have_count(3)


async def test_back_and_forward_of_the_browser(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    await _search(page, "from:bob")
    await _open(page, "Offer 4711")

    await page.go_back()
    await expect(_main(page, "Search results for from:bob")).to_be_visible()
    await expect(page.get_by_role("textbox", name="Search mail")).to_have_value("from:bob")
    await page.go_back()
    await expect(_main(page, "Inbox")).to_be_visible()
    await page.go_forward()
    await page.go_forward()
    await expect(_main(page, "Offer 4711")).to_be_visible()
    await page.get_by_role("button", name="Back to search results").click()
    await expect(_main(page, "Search results for from:bob")).to_be_visible()


async def test_a_conversation_can_be_opened_by_its_address(site: GmailSite, open_gmail: OpenGmail) -> None:
    thread = site.mailbox.search("rechnung")[0]

    page = await open_gmail(site, f"#label/Customers/{thread.id}")

    await expect(_main(page, "Rechnung für Mai")).to_be_visible()
    await page.get_by_role("button", name='Back to "Customers"').click()
    await expect(page.get_by_role("row")).to_have_count(2)


async def test_an_address_of_nothing_leads_to_the_list(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site, "#inbox/1000000000000000")

    await expect(_main(page, "Inbox")).to_be_visible()
    await expect(page.get_by_role("alert")).to_contain_text("cannot be loaded")


async def test_long_lists_come_in_pages_of_fifty(crowded: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(crowded)
    await expect(page.locator(".Dj")).to_have_text("1–50 of 60")
    await expect(page.get_by_role("button", name="Newer")).to_be_disabled()

    await page.get_by_role("button", name="Older").click()

    await expect(page.locator(".Dj")).to_have_text("51–60 of 60")
    await expect(page).to_have_url(re.compile("#inbox/p2$"))
    await expect(page.get_by_role("row")).to_have_count(10)
    await expect(page.get_by_role("button", name="Older")).to_be_disabled()
    await _open(page, "Mail 3")
    await page.get_by_role("button", name="Back to Inbox").click()
    await expect(page.locator(".Dj:visible")).to_have_text("51–60 of 60")
    await page.go_back()
    await page.go_back()
    await expect(page.get_by_role("row")).to_have_count(10)


async def test_a_letter_is_written_kept_and_sent(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)

    await page.get_by_role("button", name="Compose").click()
    letter = page.get_by_role("dialog", name="New Message")
    await letter.get_by_role("textbox", name="Subject").fill("Plan")
    await letter.get_by_role("button", name="Save & close").click()
    await page.get_by_role("link", name="Drafts").click()
    await _row(page, "Plan").click()
    await page.get_by_label("To recipients").fill("bob@stone.test")
    await page.get_by_role("textbox", name="Message Body").fill("Let us begin.")
    await page.get_by_role("button", name="Send").click()

    await expect(page.get_by_role("alert")).to_contain_text("Message sent")
    await page.get_by_role("link", name="Sent", exact=True).click()
    await expect(_main(page, "Sent").get_by_role("row").first).to_contain_text("To: bob")
    assert site.mailbox.carrying("DRAFT") == []


async def test_an_ended_session_leads_to_sign_in(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    await page.context.clear_cookies()

    await page.get_by_role("link", name="Starred").click()

    await expect(page.get_by_role("textbox", name="Email or phone")).to_be_visible()


async def test_trouble_of_the_server_is_told_and_tried_again(site: GmailSite, open_gmail: OpenGmail) -> None:
    page = await open_gmail(site)
    failures = [503]

    async def fail_once(route: Route) -> None:
        await (route.fulfill(status=failures.pop()) if failures else route.continue_())

    await page.route("**/i/list", fail_once)
    await page.get_by_role("link", name="All Mail").click()

    await expect(page.get_by_role("status")).to_contain_text("Oops, the system encountered a problem (#503)")
    await expect(_main(page, "All Mail")).to_be_visible()
    await expect(page.get_by_role("row")).to_have_count(5)
