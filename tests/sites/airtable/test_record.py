from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.async_api import Page, Route, expect

from sopbench.sites.airtable.site import AirtableSite
from tests.sites.airtable.conftest import BASE, TABLE, VIEW, serve

if TYPE_CHECKING:
    from sopbench.trials.case import SiteCase
    from tests.sites.airtable.conftest import Running


async def open_record(page: Page, running: Running, name: str) -> None:
    await page.goto(f"{running.url}/{BASE}/{TABLE}/{VIEW}/{running.record_id(name)}")
    await expect(page.get_by_role("dialog", name=name)).to_be_visible()


async def saved(page: Page) -> None:
    await expect(page.get_by_role("status")).to_have_text("All changes saved")


async def test_a_record_is_expanded_from_its_row_and_has_its_own_address(sheet: Page, running: Running) -> None:
    await sheet.goto(f"{running.url}/{BASE}")

    await sheet.get_by_role("gridcell", name="Investor 007").click()
    await sheet.get_by_role("button", name="Expand record").and_(sheet.locator(":visible")).last.click()

    await expect(sheet.get_by_role("heading", name="Investor 007")).to_be_visible()
    await expect(sheet).to_have_url(f"{running.url}/{BASE}/{TABLE}/{VIEW}/{running.record_id('Investor 007')}")
    await sheet.go_back()
    await expect(sheet.get_by_role("dialog")).to_have_count(0)
    await sheet.go_forward()
    await expect(sheet.get_by_role("dialog", name="Investor 007")).to_be_visible()


async def test_space_expands_and_escape_closes(sheet: Page, running: Running) -> None:
    await sheet.goto(f"{running.url}/{BASE}")

    await sheet.get_by_role("gridcell", name="Investor 007").click()
    await sheet.keyboard.press("Space")
    await expect(sheet.get_by_role("dialog", name="Investor 007")).to_be_visible()
    await sheet.keyboard.press("Escape")

    await expect(sheet.get_by_role("dialog")).to_have_count(0)
    await expect(sheet).to_have_url(f"{running.url}/{BASE}/{TABLE}/{VIEW}")


async def test_every_kind_of_field_is_edited(sheet: Page, running: Running) -> None:
    await open_record(sheet, running, "Investor 004")
    dialog = sheet.get_by_role("dialog", name="Investor 004")

    await dialog.get_by_role("textbox", name="City").fill("Porto")
    await dialog.get_by_role("textbox", name="Email").fill("four@fund.example")
    await dialog.get_by_role("textbox", name="Commitment").fill("1250000.25")
    await dialog.get_by_role("textbox", name="Last contact").fill("6/2/2026")
    await dialog.get_by_role("textbox", name="Last contact").press("Enter")
    await dialog.get_by_role("checkbox", name="Accredited").click()
    await dialog.get_by_role("combobox", name="Status").click()
    await sheet.get_by_role("option", name="Interested").click()
    await dialog.get_by_role("textbox", name="Notes").fill("Called back.\n\nWill sign in June.")
    await dialog.get_by_role("button", name="Close").click()
    await saved(sheet)

    row = running.row("Investor 004")
    assert row == {
        "Name": "Investor 004",
        "Email": "four@fund.example",
        "Status": "Interested",
        "Commitment": "1250000.25",
        "Last contact": "2026-06-02",
        "Accredited": "true",
        "Notes": "Called back.\n\nWill sign in June.",
        "City": "Porto",
        "Source": "Event",
        "Owner": "Dana",
    }


async def test_a_click_that_ends_an_edit_still_does_its_own_work(sheet: Page, running: Running) -> None:
    await open_record(sheet, running, "Investor 003")
    dialog = sheet.get_by_role("dialog", name="Investor 003")

    await dialog.get_by_role("textbox", name="Commitment").fill("5")
    await dialog.get_by_role("checkbox", name="Accredited").click()
    await dialog.get_by_role("textbox", name="Commitment").fill("6")
    await dialog.get_by_text("Passed").click()
    await sheet.get_by_role("option", name="New").click()
    await saved(sheet)

    row = running.row("Investor 003")
    assert (row["Commitment"], row["Accredited"], row["Status"]) == ("6", "", "New")


async def test_text_saves_itself_a_moment_after_the_last_key(sheet: Page, running: Running) -> None:
    await open_record(sheet, running, "Investor 004")

    await sheet.get_by_role("textbox", name="Notes").focus()
    await sheet.keyboard.press("Control+End")
    await sheet.keyboard.type("\nOne more line.")
    await saved(sheet)

    assert running.row("Investor 004")["Notes"] == "First call.\nSends the deck.\nOne more line."
    await expect(sheet.get_by_role("textbox", name="Notes")).to_be_focused()


async def test_what_was_typed_is_not_lost_when_the_page_is_left(sheet: Page, running: Running) -> None:
    await open_record(sheet, running, "Investor 004")

    await sheet.get_by_role("textbox", name="City").fill("Porto")
    await sheet.goto(f"{running.url}/{BASE}")
    await expect(sheet.get_by_text("24 records")).to_be_visible()

    assert running.row("Investor 004")["City"] == "Porto"


async def test_a_number_shows_rounded_and_holds_all_of_it(sheet: Page, running: Running) -> None:
    running.api.table(BASE, TABLE).update(running.record_id("Investor 004"), {"Commitment": 1234567.89})
    await open_record(sheet, running, "Investor 004")
    number = sheet.get_by_role("textbox", name="Commitment")

    await expect(number).to_have_value("1,234,568")
    await number.focus()
    await expect(number).to_have_value("1234567.89")
    await number.blur()

    await expect(number).to_have_value("1,234,568")
    assert running.row("Investor 004")["Commitment"] == "1234567.89"


async def test_a_date_that_is_none_goes_back_to_what_it_was(sheet: Page, running: Running) -> None:
    await open_record(sheet, running, "Investor 004")
    date = sheet.get_by_role("textbox", name="Last contact")

    await date.fill("2/30/2026")
    await date.press("Tab")

    await expect(date).to_have_value("5/5/2026")


async def test_a_choice_is_cleared(sheet: Page, running: Running) -> None:
    await open_record(sheet, running, "Investor 003")

    await sheet.get_by_role("button", name="Clear Status").click()
    await saved(sheet)

    assert running.row("Investor 003")["Status"] == ""


async def test_next_and_previous_walk_through_the_view(sheet: Page, running: Running) -> None:
    await open_record(sheet, running, "Investor 000")
    await expect(sheet.get_by_role("button", name="Previous record")).to_be_disabled()

    await sheet.get_by_role("textbox", name="City").fill("Faro")
    await sheet.get_by_role("button", name="Next record").click()
    await expect(sheet.get_by_role("dialog", name="Investor 001")).to_be_visible()
    await saved(sheet)

    assert running.row("Investor 000")["City"] == "Faro"
    await expect(sheet.get_by_role("textbox", name="City")).to_have_value("Oslo")
    await expect(sheet).to_have_url(f"{running.url}/{BASE}/{TABLE}/{VIEW}/{running.record_id('Investor 001')}")


async def test_a_record_is_duplicated_and_deleted(sheet: Page, running: Running) -> None:
    await open_record(sheet, running, "Investor 005")

    await sheet.get_by_role("button", name="More actions").click()
    await sheet.get_by_role("menuitem", name="Duplicate record").click()
    await sheet.get_by_role("textbox", name="Name").fill("Copy of 005")
    await expect(sheet.get_by_role("dialog", name="Copy of 005")).to_be_visible()
    await saved(sheet)
    assert running.row("Copy of 005") == {**running.row("Investor 005"), "Name": "Copy of 005"}
    await sheet.get_by_role("button", name="More actions").click()
    await sheet.get_by_role("menuitem", name="Delete record").click()
    await expect(sheet.get_by_text("24 records")).to_be_visible()
    await saved(sheet)

    assert len(running.site.base.rows("Investors")) == 24


async def test_saving_is_shown_until_the_server_has_it(sheet: Page, running: Running) -> None:
    held: list[Route] = []

    async def hold(route: Route) -> None:
        held.append(route)

    await open_record(sheet, running, "Investor 004")
    await sheet.route("**/updateCells", hold)

    await sheet.get_by_role("textbox", name="City").fill("Porto")
    await sheet.get_by_role("textbox", name="City").blur()
    await expect(sheet.get_by_role("status")).to_have_text("Saving…")
    assert running.row("Investor 004")["City"] == "Lisbon"
    await held[0].continue_()
    await saved(sheet)

    assert running.row("Investor 004")["City"] == "Porto"


async def test_what_could_not_be_saved_is_kept_and_saved_on_retry(sheet: Page, running: Running) -> None:
    await open_record(sheet, running, "Investor 004")
    await sheet.route("**/updateCells", lambda route: route.abort())

    await sheet.get_by_role("textbox", name="City").fill("Porto")
    await sheet.keyboard.press("Escape")
    await expect(sheet.get_by_role("status")).to_contain_text("Couldn’t save")
    await sheet.unroute("**/updateCells")
    await sheet.get_by_role("button", name="Retry").click()
    await saved(sheet)

    assert running.row("Investor 004")["City"] == "Porto"


async def test_a_second_tab_sees_the_change_and_loses_no_edit(sheet: Page, running: Running) -> None:
    other = await sheet.context.new_page()
    await open_record(sheet, running, "Investor 004")
    await open_record(other, running, "Investor 004")
    await other.get_by_role("textbox", name="Commitment").fill("77")

    await sheet.get_by_role("textbox", name="City").fill("Porto")
    await sheet.get_by_role("textbox", name="Commitment").fill("88")
    await sheet.get_by_role("textbox", name="City").focus()

    await expect(other.get_by_role("textbox", name="City")).to_have_value("Porto")
    await expect(other.get_by_role("textbox", name="Commitment")).to_have_value("77")


async def test_the_page_sees_what_the_api_writes(sheet: Page, running: Running) -> None:
    table = running.api.table(BASE, TABLE)
    await sheet.goto(f"{running.url}/{BASE}")
    await expect(sheet.get_by_text("24 records")).to_be_visible()

    table.update(running.record_id("Investor 001"), {"Name": "Renamed Fund"})
    table.create({"Name": "Made by the API"})
    table.delete(running.record_id("Investor 002"))

    await expect(sheet.get_by_role("gridcell", name="Renamed Fund")).to_be_visible()
    await expect(sheet.get_by_role("gridcell", name="Investor 002")).to_have_count(0)
    await expect(sheet.get_by_text("24 records")).to_be_visible()


async def test_a_visitor_who_is_not_signed_in_is_asked_to(sheet: Page, case: SiteCase) -> None:
    with serve(AirtableSite(case, seed=1, signed_in=False)) as running:
        await sheet.goto(f"{running.url}/{BASE}")
        await sheet.get_by_role("textbox", name="Email").fill(case.account.email)
        await sheet.get_by_role("button", name="Continue").click()
        await sheet.get_by_role("textbox", name="Password").fill("wrong")
        await sheet.get_by_role("button", name="Sign in").click()
        await expect(sheet.get_by_role("alert")).to_have_text("Incorrect email or password.")
        await sheet.get_by_role("textbox", name="Password").fill(case.account.password)
        await sheet.get_by_role("button", name="Sign in").click()

        await expect(sheet.get_by_text("24 records")).to_be_visible()
