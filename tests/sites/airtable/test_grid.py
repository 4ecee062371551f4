from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.async_api import Locator, Page, expect

from tests.sites.airtable.conftest import BASE, TABLE, VIEW

if TYPE_CHECKING:
    from tests.sites.airtable.conftest import Running


async def open_grid(page: Page, running: Running) -> None:
    await page.goto(f"{running.url}/{BASE}/{TABLE}/{VIEW}")
    await expect(page.get_by_role("gridcell", name="Investor 000")).to_be_visible()


def cell(page: Page, running: Running, name: str, column: str) -> Locator:
    field = running.site.base.table("Investors").field(column).id
    return page.locator(f"[role=gridcell][data-rowid='{running.record_id(name)}'][data-columnid='{field}']")


async def saved(page: Page) -> None:
    await expect(page.get_by_role("status")).to_have_text("All changes saved")


async def test_a_base_is_opened_from_the_home_page(sheet: Page, running: Running) -> None:
    await sheet.goto(running.url)
    await sheet.get_by_role("link", name="Fundraising").click()

    await expect(sheet).to_have_url(f"{running.url}/{BASE}/{TABLE}/{VIEW}")
    await expect(sheet).to_have_title("Investors - Fundraising - Airtable")
    await expect(sheet.get_by_role("tab", name="Investors", selected=True)).to_be_visible()
    await expect(sheet.get_by_text("24 records")).to_be_visible()


async def test_another_table_is_opened_by_its_tab_and_left_with_back(sheet: Page, running: Running) -> None:
    await open_grid(sheet, running)

    await sheet.get_by_role("tab", name="Meetings").click()
    await expect(sheet.get_by_text("0 records")).to_be_visible()
    await expect(sheet).to_have_title("Meetings - Fundraising - Airtable")
    await sheet.go_back()

    await expect(sheet.get_by_text("24 records")).to_be_visible()


async def test_a_view_that_does_not_load_can_be_tried_again(sheet: Page, running: Running) -> None:
    await sheet.route("**/readData", lambda route: route.fulfill(status=503))
    await sheet.goto(f"{running.url}/{BASE}")
    await expect(sheet.get_by_role("heading", name="Something went wrong")).to_be_visible()

    await sheet.unroute("**/readData")
    await sheet.get_by_role("button", name="Try again").click()

    await expect(sheet.get_by_text("24 records")).to_be_visible()


async def test_an_unknown_base_is_not_found(sheet: Page, running: Running) -> None:
    await sheet.goto(f"{running.url}/appOther000000001")

    await expect(sheet.get_by_role("heading", name="We couldn’t find that base")).to_be_visible()


async def test_typing_on_a_selected_cell_replaces_what_it_held(sheet: Page, running: Running) -> None:
    await open_grid(sheet, running)

    await cell(sheet, running, "Investor 002", "City").click()
    await sheet.keyboard.type("Porto")
    await sheet.keyboard.press("Enter")
    await saved(sheet)

    assert running.row("Investor 002")["City"] == "Porto"
    assert running.row("Investor 003")["City"] == "Oslo"


async def test_enter_edits_and_tab_goes_on_to_the_next_cell(sheet: Page, running: Running) -> None:
    await open_grid(sheet, running)

    await cell(sheet, running, "Investor 002", "City").click()
    await sheet.keyboard.press("Enter")
    await sheet.keyboard.type(" North")
    await sheet.keyboard.press("Tab")
    await sheet.keyboard.type("Referral")
    await sheet.keyboard.press("Tab")
    await saved(sheet)

    row = running.row("Investor 002")
    assert (row["City"], row["Source"]) == ("Oslo North", "Referral")


async def test_escape_leaves_the_cell_as_it_was(sheet: Page, running: Running) -> None:
    await open_grid(sheet, running)
    before = running.row("Investor 002")

    await cell(sheet, running, "Investor 002", "Email").dblclick()
    await sheet.get_by_role("textbox", name="Email").fill("other@fund.example")
    await sheet.keyboard.press("Escape")

    await expect(cell(sheet, running, "Investor 002", "Email")).to_have_text("investor2@fund.example")
    assert running.row("Investor 002") == before


async def test_a_click_elsewhere_commits(sheet: Page, running: Running) -> None:
    await open_grid(sheet, running)

    await cell(sheet, running, "Investor 002", "Commitment").dblclick()
    await sheet.get_by_role("textbox", name="Commitment").fill("1,234,567.5")
    await cell(sheet, running, "Investor 005", "Name").click()
    await saved(sheet)

    assert running.row("Investor 002")["Commitment"] == "1234567.5"
    await expect(cell(sheet, running, "Investor 002", "Commitment")).to_have_text("1,234,568")


async def test_what_is_no_number_or_date_is_not_taken(sheet: Page, running: Running) -> None:
    await open_grid(sheet, running)
    before = running.row("Investor 002")

    for column in ("Commitment", "Last contact"):
        await cell(sheet, running, "Investor 002", column).click()
        await sheet.keyboard.type("soon")
        await sheet.keyboard.press("Enter")

    await expect(cell(sheet, running, "Investor 002", "Last contact")).to_have_text("5/3/2026")
    assert running.row("Investor 002") == before


async def test_a_date_is_typed_either_way_or_picked(sheet: Page, running: Running) -> None:
    await open_grid(sheet, running)

    for name, text in (("Investor 001", "6/9/2026"), ("Investor 002", "2026-06-10")):
        await cell(sheet, running, name, "Last contact").click()
        await sheet.keyboard.type(text)
        await sheet.keyboard.press("Enter")
    await cell(sheet, running, "Investor 003", "Last contact").dblclick()
    await sheet.get_by_role("button", name="Next month").click()
    await sheet.get_by_role("button", name="June 11, 2026").click()
    await saved(sheet)

    dates = [running.row(f"Investor 00{number}")["Last contact"] for number in (1, 2, 3)]
    assert dates == ["2026-06-09", "2026-06-10", "2026-06-11"]


async def test_a_choice_is_picked_from_the_filtered_list(sheet: Page, running: Running) -> None:
    await open_grid(sheet, running)

    await cell(sheet, running, "Investor 002", "Status").dblclick()
    await sheet.get_by_role("textbox", name="Find an option").fill("pas")
    await expect(sheet.get_by_role("option")).to_have_count(1)
    await sheet.keyboard.press("Enter")
    await saved(sheet)

    assert running.row("Investor 002")["Status"] == "Passed"


async def test_a_checkbox_is_toggled_by_click_and_by_space(sheet: Page, running: Running) -> None:
    await open_grid(sheet, running)

    await cell(sheet, running, "Investor 002", "Accredited").get_by_role("checkbox").click()
    await cell(sheet, running, "Investor 002", "Accredited").press("ArrowDown")
    await sheet.keyboard.press("Space")
    await saved(sheet)

    assert running.row("Investor 002")["Accredited"] == "true"
    assert running.row("Investor 003")["Accredited"] == ""


async def test_a_click_that_ends_an_edit_in_the_row_still_does_its_own_work(sheet: Page, running: Running) -> None:
    await open_grid(sheet, running)

    await cell(sheet, running, "Investor 003", "Commitment").click()
    await sheet.keyboard.type("5")
    await cell(sheet, running, "Investor 003", "Accredited").get_by_role("checkbox").click()
    await sheet.get_by_role("gridcell", name="Investor 003").click()
    await sheet.keyboard.type("Renamed")
    await sheet.locator(".dataRow.cursorRow").get_by_role("button", name="Expand record").click()
    await expect(sheet.get_by_role("dialog", name="Renamed")).to_be_visible()
    await saved(sheet)

    row = running.row("Renamed")
    assert (row["Commitment"], row["Accredited"]) == ("5", "")


async def test_long_text_keeps_its_lines(sheet: Page, running: Running) -> None:
    await open_grid(sheet, running)

    await cell(sheet, running, "Investor 002", "Notes").dblclick()
    await sheet.keyboard.press("Shift+Enter")
    await sheet.keyboard.type("Wants to talk.")
    await sheet.keyboard.press("Enter")
    await saved(sheet)

    assert running.row("Investor 002")["Notes"] == "First call.\nSends the deck.\nWants to talk."
    await expect(cell(sheet, running, "Investor 002", "Notes")).to_have_text(
        "First call. Sends the deck. Wants to talk."
    )


async def test_delete_empties_and_a_cell_is_copied_to_another(sheet: Page, running: Running) -> None:
    await open_grid(sheet, running)

    await cell(sheet, running, "Investor 001", "City").click()
    await sheet.keyboard.press("Delete")
    await cell(sheet, running, "Investor 004", "City").click()
    await sheet.keyboard.press("Control+c")
    await cell(sheet, running, "Investor 005", "City").click()
    await sheet.keyboard.press("Control+v")
    await saved(sheet)

    cities = [running.row(f"Investor 00{number}")["City"] for number in (1, 4, 5)]
    assert cities == ["", "Lisbon", "Lisbon"]


async def test_a_record_is_added_at_the_end_with_its_first_cell_selected(sheet: Page, running: Running) -> None:
    await open_grid(sheet, running)

    await sheet.get_by_role("button", name="Add record").click()
    await sheet.keyboard.type("Harbour Capital")
    await sheet.keyboard.press("Tab")
    await sheet.keyboard.type("harbour@fund.example")
    await sheet.keyboard.press("Enter")
    await saved(sheet)

    await expect(sheet.get_by_text("25 records")).to_be_visible()
    rows = running.site.base.rows("Investors")
    assert len(rows) == 25
    assert rows[24] == {**dict.fromkeys(rows[0], ""), "Name": "Harbour Capital", "Email": "harbour@fund.example"}


async def test_an_added_record_is_there_at_once_and_empty(sheet: Page, running: Running) -> None:
    await open_grid(sheet, running)

    await sheet.get_by_role("button", name="Insert new record in grid").click()
    await saved(sheet)

    assert set(running.site.base.rows("Investors")[24].values()) == {""}


async def test_find_in_view_counts_jumps_and_closes(sheet: Page, running: Running) -> None:
    await open_grid(sheet, running)

    await sheet.get_by_role("button", name="toggle view search input").click()
    await sheet.get_by_placeholder("Find in view").fill("lisbon")
    await expect(sheet.get_by_text("1 of 6", exact=True)).to_be_visible()
    await expect(cell(sheet, running, "Investor 000", "City")).to_have_class(re.compile("cursorCell"))
    await sheet.get_by_role("button", name="Next result").click()
    await expect(sheet.get_by_text("2 of 6", exact=True)).to_be_visible()
    await expect(cell(sheet, running, "Investor 004", "City")).to_have_class(re.compile("searchCurrent"))
    await sheet.get_by_placeholder("Find in view").fill("nobody")
    await expect(sheet.get_by_text("No results")).to_be_visible()
    await sheet.keyboard.press("Escape")

    await expect(sheet.get_by_placeholder("Find in view")).to_have_count(0)


async def test_find_reaches_a_row_that_is_far_out_of_sight(sheet: Page, crowded: Running) -> None:
    await open_grid(sheet, crowded)

    await sheet.keyboard.press("Control+f")
    await sheet.get_by_placeholder("Find in view").fill("Investor 387")

    await expect(sheet.get_by_text("1 of 1", exact=True)).to_be_visible()
    await expect(sheet.get_by_role("gridcell", name="Investor 387")).to_be_in_viewport()


async def test_only_rows_and_columns_in_sight_are_in_the_document(sheet: Page, crowded: Running) -> None:
    await sheet.set_viewport_size({"width": 900, "height": 600})
    await open_grid(sheet, crowded)
    grid = sheet.get_by_role("grid")

    await expect(grid).to_have_attribute("aria-rowcount", "501")
    await expect(sheet.get_by_role("gridcell", name="Investor 250")).to_have_count(0)
    assert await grid.locator(".dataRow.leftPane[data-rowid]").count() < 30
    await expect(sheet.get_by_role("columnheader", name="Owner")).to_have_count(0)

    await sheet.get_by_role("gridcell", name="Investor 000").click()
    await sheet.keyboard.press("Control+ArrowDown")
    await sheet.keyboard.press("End")

    await expect(sheet.get_by_role("gridcell", name="Investor 499")).to_be_in_viewport()
    await expect(sheet.get_by_role("columnheader", name="Owner")).to_be_in_viewport()
    await expect(sheet.get_by_role("gridcell", name="Investor 000")).to_have_count(0)
    assert await grid.locator(".dataRow.leftPane[data-rowid]").count() < 30


async def test_the_wheel_brings_other_rows_into_sight(sheet: Page, crowded: Running) -> None:
    await open_grid(sheet, crowded)

    await sheet.get_by_role("gridcell", name="Investor 003").hover()
    await sheet.mouse.wheel(0, 3200)

    await expect(sheet.get_by_role("gridcell", name="Investor 105")).to_be_in_viewport()
    await expect(sheet.get_by_role("gridcell", name="Investor 003")).to_have_count(0)


async def test_a_filter_leaves_the_rows_that_fit(sheet: Page, running: Running) -> None:
    await open_grid(sheet, running)

    await sheet.get_by_role("button", name="Filter").click()
    await sheet.get_by_role("button", name="Add condition").click()
    await sheet.get_by_role("combobox", name="Field").select_option("City")
    await sheet.get_by_role("combobox", name="Operator").select_option("is")
    await sheet.get_by_role("textbox", name="Value").fill("Lisbon")

    await expect(sheet.get_by_text("6 records")).to_be_visible()
    await expect(sheet.get_by_role("button", name="Filtered by City")).to_be_visible()
    await expect(sheet.get_by_role("gridcell", name="Investor 004")).to_be_visible()
    await expect(sheet.get_by_role("gridcell", name="Investor 003")).to_have_count(0)


async def test_sorting_and_hiding_change_what_is_shown(sheet: Page, running: Running) -> None:
    await open_grid(sheet, running)

    await sheet.get_by_role("button", name="Sort").click()
    await sheet.get_by_role("combobox", name="Direction").select_option("Z → A")
    await sheet.keyboard.press("Escape")
    await sheet.get_by_role("button", name="Hide fields").click()
    await sheet.get_by_role("switch", name="Email").click()
    await sheet.keyboard.press("Escape")

    await expect(sheet.locator("[role=gridcell][data-rowindex='0'][data-columnindex='0']")).to_have_text("Investor 023")
    await expect(sheet.get_by_role("columnheader", name="Email")).to_have_count(0)
    await expect(sheet.get_by_role("button", name="1 hidden field")).to_be_visible()
