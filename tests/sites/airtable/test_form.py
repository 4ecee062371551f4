"""The form that adds a record: asked for as a person is asked, sent whole, and made once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.async_api import expect

from .conftest import BASE, FORM

if TYPE_CHECKING:
    from playwright.async_api import APIResponse, Page, Route

    from .conftest import Running


async def test_a_submitted_form_becomes_one_record(sheet: Page, running: Running) -> None:
    await sheet.goto(f"{running.url}/{BASE}/{FORM}/form")
    await sheet.get_by_role("textbox", name="Name").fill("Copperline")
    await sheet.get_by_role("textbox", name="Last contact").fill("6/2/2025")
    await sheet.get_by_role("combobox", name="Status").click()
    await sheet.get_by_role("option", name="Interested").click()
    await sheet.get_by_role("checkbox", name="Accredited").click()
    before = len(running.site.base.rows("Investors"))
    await sheet.get_by_role("button", name="Submit").click()
    await expect(sheet.get_by_role("heading", name="Thank you for submitting the form!")).to_be_visible()

    row = running.row("Copperline")
    assert (row["Status"], row["Last contact"], row["Accredited"]) == ("Interested", "2025-06-02", "true")
    assert len(running.site.base.rows("Investors")) == before + 1


async def test_nothing_is_written_before_it_is_submitted(sheet: Page, running: Running) -> None:
    before = running.site.base.revision
    await sheet.goto(f"{running.url}/{BASE}/{FORM}/form")
    await sheet.get_by_role("textbox", name="Name").fill("Copperline")
    await sheet.get_by_role("textbox", name="Notes").fill("Half a thought")
    await sheet.get_by_role("textbox", name="City").click()
    await sheet.goto(f"{running.url}/{BASE}")
    await expect(sheet.get_by_text("24 records")).to_be_visible()

    assert running.site.base.revision == before


async def test_an_answer_that_was_lost_on_its_way_back_is_not_made_twice(sheet: Page, running: Running) -> None:
    lost: list[APIResponse] = []

    async def lose_the_first(route: Route) -> None:
        if lost:
            await route.continue_()
            return
        lost.append(await route.fetch())
        await route.abort()

    await sheet.route("**/submit", lose_the_first)
    await sheet.goto(f"{running.url}/{BASE}/{FORM}/form")
    await sheet.get_by_role("textbox", name="Name").fill("Copperline")
    await sheet.get_by_role("button", name="Submit").click()
    await expect(sheet.get_by_role("alert")).to_contain_text("could not be submitted")
    await sheet.get_by_role("button", name="Submit").click()
    await expect(sheet.get_by_role("heading", name="Thank you for submitting the form!")).to_be_visible()

    assert [row["Name"] for row in running.site.base.rows("Investors")].count("Copperline") == 1


async def test_another_response_is_another_record(sheet: Page, running: Running) -> None:
    await sheet.goto(f"{running.url}/{BASE}/{FORM}/form")
    for name in ("Copperline", "Palisade Row"):
        await sheet.get_by_role("textbox", name="Name").fill(name)
        await sheet.get_by_role("button", name="Submit").click()
        await sheet.get_by_role("button", name="Submit another response").click()

    await expect(sheet.get_by_role("textbox", name="Name")).to_have_value("")
    names = [row["Name"] for row in running.site.base.rows("Investors")]
    assert (names.count("Copperline"), names.count("Palisade Row")) == (1, 1)


async def test_a_form_that_is_not_there_is_told(sheet: Page, running: Running) -> None:
    await sheet.goto(f"{running.url}/{BASE}/pagNobody000000001/form")

    await expect(sheet.get_by_role("alert")).to_contain_text("couldn’t find")
