"""The investor procedure as somebody would write it by hand with Playwright: same actions, same waits, no engine.

It is told what the model answered, so that it types what the engine types. Nothing of sopbench runs in here.
"""

from __future__ import annotations

import re
from typing import Any

from playwright.async_api import BrowserContext, Locator, Page, expect

from sopbench.trials.case import SiteCase

Answers = dict[str, dict[str, Any]]
"""Thread id → what was decided and read of it."""

MAIL = "https://mail.google.com/mail/u/0/#inbox"
CRM = "https://airtable.com/appNorthwindCrm01/tblInvestors00001/viwAllInvestors01"
FORM = "https://airtable.com/appNorthwindCrm01/pagAddInvestor0001/form"
QUERY = "after:2025/06/01 before:2025/06/03"
STAGES = ["Contacted", "Interested", "In Diligence", "Committed", "Passed"]
FIND_MS, SAVE_MS, PAGE_MS = 5_000, 15_000, 30_000


async def by_hand(page: Page, case: SiteCase, answers: Answers) -> None:
    """Do the day's mail."""
    await sign_in(page, case)
    rows = page.get_by_role("main").locator("tr[role=row]:has([data-legacy-thread-id])")
    search = page.get_by_role("textbox", name="Search mail")
    await search.fill(QUERY, timeout=FIND_MS)
    await search.press("Enter", timeout=FIND_MS)
    await expect(page).to_have_url(re.compile(r"^.*#search/.*$"), timeout=FIND_MS)
    await expect(results(page)).to_be_visible(timeout=FIND_MS)
    older = page.locator("[role=button][aria-label=Older]:not([aria-disabled=true])")
    await expect(older).to_have_count(0, timeout=FIND_MS)
    threads = await rows.evaluate_all(
        """rows => rows.map(row => ({
            id: row.querySelector('[data-legacy-thread-id]').dataset.legacyThreadId,
            sender: [...row.querySelectorAll('[email]')].map(e => e.innerText),
            subject: row.querySelector('[data-legacy-thread-id]').innerText,
            labels: [...row.querySelectorAll('.at')].map(e => e.title)}))"""
    )
    crm: Page | None = None
    for thread in threads:
        if "Processed" in thread["labels"]:
            continue
        answer = answers[thread["id"]]
        await open_thread(page, thread["id"])
        if answer["investor"]:
            crm = await update_crm(page.context, crm, answer)
            await label_thread(page, thread["id"])
        await page.get_by_role("button", name="Back to search results", exact=True).click(timeout=FIND_MS)
        await expect(results(page)).to_be_visible(timeout=FIND_MS)
        row = page.locator(f"tr[role=row]:has([data-legacy-thread-id='{thread['id']}'])")
        await expect(row).to_be_visible(timeout=FIND_MS)


async def sign_in(page: Page, case: SiteCase) -> None:
    await page.goto(MAIL, timeout=PAGE_MS)
    await page.get_by_label("Email or phone").fill(case.account.email, timeout=FIND_MS)
    await page.get_by_role("button", name="Next", exact=True).click(timeout=FIND_MS)
    password = page.get_by_label("Enter your password")
    await expect(password).to_be_visible(timeout=FIND_MS)
    await password.fill(case.account.password, timeout=FIND_MS)
    await page.get_by_role("button", name="Next", exact=True).click(timeout=FIND_MS)
    await expect(page.get_by_role("textbox", name="Search mail")).to_be_visible(timeout=SAVE_MS)


async def open_thread(page: Page, thread: str) -> None:
    await page.locator(f"tr[role=row]:has([data-legacy-thread-id='{thread}']) [role=link]").click(timeout=FIND_MS)
    await expect(page).to_have_url(re.compile(f"^.*/{thread}$"), timeout=FIND_MS)
    await expect(page.locator(f"h2[data-legacy-thread-id='{thread}']")).to_be_visible(timeout=FIND_MS)
    sender = page.locator("h3 [email]").nth(-1)
    await sender.get_attribute("name", timeout=FIND_MS)
    await sender.get_attribute("email", timeout=FIND_MS)
    await page.locator("[role=listitem] span[title][alt]").nth(-1).get_attribute("title", timeout=FIND_MS)
    await page.locator("[role=listitem] .a3s").nth(-1).inner_text(timeout=FIND_MS)


async def update_crm(context: BrowserContext, crm: Page | None, answer: dict[str, Any]) -> Page:
    if crm is None:
        crm = await context.new_page()
        await crm.goto(CRM, timeout=PAGE_MS)
    else:
        await crm.bring_to_front()
    await expect(crm.get_by_role("row").and_(crm.locator("[data-rowid]")).nth(0)).to_be_visible(timeout=SAVE_MS)
    await expect(crm.get_by_role("button", name="toggle view search input", exact=True)).to_be_visible(timeout=FIND_MS)
    found = await find(crm, answer["email"])
    if not found:
        await close_search(crm)
        found = await find(crm, answer["firm"])
    await close_search(crm)
    if not found:
        await create(context, answer)
        return crm
    dialog = crm.get_by_role("dialog")
    await update(crm, dialog, answer)
    await dialog.get_by_role("button", name="Close", exact=True).click(timeout=FIND_MS)
    await expect(dialog).to_have_count(0, timeout=FIND_MS)
    await expect(saved(crm)).to_be_visible(timeout=SAVE_MS)
    return crm


async def find(crm: Page, text: str) -> bool:
    box = crm.get_by_placeholder("Find in view")
    await crm.get_by_role("button", name="toggle view search input", exact=True).click(timeout=FIND_MS)
    await expect(box).to_have_value("", timeout=FIND_MS)
    await box.fill(text, timeout=FIND_MS)
    await expect(crm.locator("[role=search] [aria-live]:not(:empty)")).to_be_visible(timeout=FIND_MS)
    count = await crm.locator("[role=search] [aria-live]").inner_text(timeout=FIND_MS)
    return count.startswith("1 of ")


async def close_search(crm: Page) -> None:
    await crm.get_by_role("button", name="Close search", exact=True).click(timeout=FIND_MS)
    await expect(crm.get_by_placeholder("Find in view")).to_have_count(0, timeout=FIND_MS)


async def update(crm: Page, dialog: Locator, answer: dict[str, Any]) -> None:
    await crm.keyboard.press("Space")
    notes, steps = field(dialog, "Thread Summary / Notes"), field(dialog, "Next Step / Action")
    await expect(notes).to_be_visible(timeout=FIND_MS)
    await field(dialog, "Email").input_value(timeout=FIND_MS)
    await field(dialog, "Investor Name").input_value(timeout=FIND_MS)
    old_notes = await notes.input_value(timeout=FIND_MS)
    old_steps = await steps.input_value(timeout=FIND_MS)
    stage = await dialog.get_by_role("combobox", name="Stage", exact=True).inner_text(timeout=FIND_MS)
    before = STAGES.index(stage.strip()) if stage.strip() in STAGES else -1
    if STAGES.index(answer["stage"]) > before:
        await choose_stage(crm, dialog, answer["stage"])
    await fill(dialog, "Last Interaction", us_date(answer["received"]))
    await fill(dialog, "Thread Summary / Notes", f"{old_notes}\n{answer['entry']}".strip())
    if answer["next_entry"]:
        await fill(dialog, "Next Step / Action", f"{old_steps}\n{answer['next_entry']}".strip())
    await follow_up(dialog, wanted=answer["follow_up"])


async def create(context: BrowserContext, answer: dict[str, Any]) -> None:
    page = await context.new_page()
    await page.goto(FORM, timeout=PAGE_MS)
    form = page.get_by_role("main")
    await expect(field(form, "Investor Name")).to_have_value("", timeout=SAVE_MS)
    await expect(field(form, "Email")).to_have_value("", timeout=FIND_MS)
    await fill(form, "Investor Name", answer["firm"])
    await fill(form, "Contact Person", answer["contact"])
    await fill(form, "Email", answer["email"])
    await choose_stage(page, form, answer["stage"])
    await fill(form, "Last Interaction", us_date(answer["received"]))
    await fill(form, "Thread Summary / Notes", answer["entry"])
    if answer["next_entry"]:
        await fill(form, "Next Step / Action", answer["next_entry"])
    await follow_up(form, wanted=answer["follow_up"])
    await form.get_by_role("button", name="Submit", exact=True).click(timeout=FIND_MS)
    thanks = page.get_by_role("heading", name="Thank you for submitting the form!")
    await expect(thanks).to_be_visible(timeout=SAVE_MS)
    await page.close()


async def label_thread(page: Page, thread: str) -> None:
    await page.bring_to_front()
    await expect(page).to_have_url(re.compile(f"^.*/{thread}$"), timeout=FIND_MS)
    await page.get_by_role("button", name="Labels", exact=True).click(timeout=FIND_MS)
    choice = page.get_by_role("menuitemcheckbox", name="Processed", exact=True)
    await expect(choice).to_be_visible(timeout=FIND_MS)
    await choice.click(timeout=FIND_MS)
    apply = page.get_by_role("menuitem", name="Apply", exact=True)
    await expect(apply).to_be_visible(timeout=FIND_MS)
    await apply.click(timeout=FIND_MS)
    chip = page.get_by_role("button", name="Remove label Processed from this conversation", exact=True)
    await expect(chip).to_be_visible(timeout=FIND_MS)


async def choose_stage(crm: Page, dialog: Locator, stage: str) -> None:
    box = dialog.get_by_role("combobox", name="Stage", exact=True)
    option = crm.get_by_role("option", name=stage, exact=True)
    await box.click(timeout=FIND_MS)
    await expect(option).to_be_visible(timeout=FIND_MS)
    await option.click(timeout=FIND_MS)
    await expect(box).to_contain_text(stage, timeout=FIND_MS)


async def follow_up(dialog: Locator, *, wanted: bool) -> None:
    box = dialog.get_by_role("checkbox", name="Follow-up Needed", exact=True)
    await box.set_checked(wanted, timeout=FIND_MS)
    await expect(box).to_be_checked(checked=wanted, timeout=FIND_MS)


async def fill(dialog: Locator, name: str, value: str) -> None:
    box = field(dialog, name)
    await box.fill(value, timeout=FIND_MS)
    await expect(box).to_have_value(value, timeout=FIND_MS)


def field(dialog: Locator, name: str) -> Locator:
    return dialog.get_by_role("textbox", name=name, exact=True)


def results(page: Page) -> Locator:
    return page.get_by_role("main", name=f"Search results for {QUERY}")


def saved(crm: Page) -> Locator:
    return crm.get_by_role("status").filter(has_text="All changes saved")


def us_date(iso: str) -> str:
    year, month, day = iso.split("-")
    return f"{int(month)}/{int(day)}/{year}"
