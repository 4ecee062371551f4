"""The dashboard in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.async_api import Locator, Page, Route, expect

from sopbench.sites.tallybook.site import TallybookSite
from sopbench.trials.case import SiteCase

Serve = Callable[[TallybookSite], str]


async def _sign_in(page: Page, address: str, path: str = "/") -> None:
    await page.goto(address + path)
    await page.get_by_label("Work email").fill("dana@acme.test")
    await page.get_by_label("Password").fill("abacus")
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("table")).to_be_visible()


def _figure(page: Page, name: str) -> Locator:
    return page.locator(".stat").filter(has=page.get_by_text(name, exact=True)).locator(".stat__value")


async def _choose(page: Page, week: str) -> None:
    await page.locator("[aria-haspopup=listbox]").click()
    await page.get_by_role("option").filter(has_text=week).click()


def _keep(held: list[Route]) -> Callable[[Route], None]:
    def keep(route: Route) -> None:
        held.append(route)

    return keep


async def test_signing_in_leads_back_to_the_page_that_was_asked_for(case: SiteCase, serve: Serve, window: Page) -> None:
    await _sign_in(window, serve(TallybookSite(case, 1)), "/reports/cash-flow?week=2025-W21")

    await expect(window).to_have_url(re.compile(r"/reports/cash-flow\?week=2025-W21$"))
    await expect(_figure(window, "Cash balance")).to_have_text("$10,600.00")


async def test_a_wrong_password_is_told_and_can_be_corrected(case: SiteCase, serve: Serve, window: Page) -> None:
    await window.goto(serve(TallybookSite(case, 1)))
    await window.get_by_label("Work email").fill("dana@acme.test")
    await window.get_by_label("Password").fill("wrong")
    await window.get_by_role("button", name="Sign in").click()

    await expect(window.get_by_role("alert")).to_have_text("That email and password don’t match.")
    await window.get_by_label("Password").fill("abacus")
    await window.keyboard.press("Enter")
    await expect(window.get_by_role("heading", name="Cash flow")).to_be_visible()


async def test_the_figures_are_of_the_open_week_until_another_is_chosen(
    case: SiteCase, serve: Serve, window: Page
) -> None:
    await _sign_in(window, serve(TallybookSite(case, 1)))
    await expect(_figure(window, "Net cash flow")).to_have_text("$75.00")

    await _choose(window, "Week 22")

    await expect(window).to_have_url(re.compile(r"\?week=2025-W22$"))
    await expect(_figure(window, "Net cash flow")).to_have_text("($949.75)")
    await expect(_figure(window, "Cash balance")).to_have_text("$9,650.25")
    await expect(window.get_by_text("on Jun 1, 2025")).to_be_visible()


async def test_the_statement_writes_money_out_in_brackets_and_cuts_long_names_only_to_the_eye(
    case: SiteCase, serve: Serve, window: Page
) -> None:
    await _sign_in(window, serve(TallybookSite(case, 1)), "/?week=2025-W22")
    await _choose(window, "Week 22")

    row = window.get_by_role("row").filter(has_text="Rent of the office")
    name = row.get_by_role("rowheader")
    await expect(row.get_by_role("cell")).to_have_text(["(300.25)", "–", "—"])
    await expect(name).to_have_text("Rent of the office and both of the warehouses")
    assert await name.evaluate("cell => cell.scrollWidth > cell.clientWidth")
    total = window.get_by_role("row").filter(has_text="Net cash flow").get_by_role("cell")
    await expect(total).to_have_text(["(949.75)", "600.00", "(258.3%)"])


async def test_while_a_week_is_loading_no_figure_of_another_is_shown(
    case: SiteCase, serve: Serve, window: Page
) -> None:
    await _sign_in(window, serve(TallybookSite(case, 1)))
    held: list[Route] = []
    await window.route("**/cash-flow?week=2025-W22", _keep(held))

    await _choose(window, "Week 22")

    await expect(window.locator("[aria-haspopup=listbox]")).to_contain_text("Week 22 May 26 – Jun 1, 2025")
    await expect(window.get_by_text("Loading…")).to_have_count(1)
    await expect(window.get_by_role("table")).to_have_count(0)
    for route in held:
        await route.continue_()
    await expect(_figure(window, "Net cash flow")).to_have_text("($949.75)")


async def test_a_late_answer_for_an_earlier_choice_is_not_shown(case: SiteCase, serve: Serve, window: Page) -> None:
    await _sign_in(window, serve(TallybookSite(case, 1)))
    held: list[Route] = []
    await window.route("**/cash-flow?week=2025-W21", _keep(held))

    await window.get_by_role("button", name="Previous week").click()
    await expect(_figure(window, "Net cash flow")).to_have_text("($949.75)")
    await window.get_by_role("button", name="Previous week").click()
    await window.get_by_role("button", name="Next week").click()
    await expect(_figure(window, "Net cash flow")).to_have_text("($949.75)")
    async with window.expect_response("**/cash-flow?week=2025-W21"):
        for route in held:
            await route.continue_()
    await window.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    await expect(_figure(window, "Net cash flow")).to_have_text("($949.75)")


async def test_a_toast_comes_late_and_the_figures_stay(case: SiteCase, serve: Serve, window: Page) -> None:
    await _sign_in(window, serve(TallybookSite(case, 1)))
    await _choose(window, "Week 22")

    await expect(window.get_by_text("Bank feeds are up to date.")).to_be_visible()

    await expect(_figure(window, "Net cash flow")).to_have_text("($949.75)")
    await expect(window.get_by_text("Updated just now")).to_be_visible()


async def test_the_list_of_weeks_works_by_keyboard(case: SiteCase, serve: Serve, window: Page) -> None:
    await _sign_in(window, serve(TallybookSite(case, 1)))

    await window.locator("[aria-haspopup=listbox]").focus()
    for key in ("Enter", "ArrowDown", "ArrowDown", "Enter"):
        await window.keyboard.press(key)

    await expect(_figure(window, "Net cash flow")).to_have_text("$600.00")
    await expect(window.get_by_role("listbox")).to_be_hidden()


async def test_amounts_and_days_are_written_as_the_company_does(
    make_case: Callable[..., SiteCase], serve: Serve, window: Page
) -> None:
    case = make_case(currency="EUR", locale="de-DE")
    await _sign_in(window, serve(TallybookSite(case, 1)), "/?week=2025-W22")
    await _choose(window, "Week 22")

    await expect(_figure(window, "Cash balance")).to_have_text(re.compile(r"^9\.650,25\s€$"))
    await expect(window.locator("html")).to_have_attribute("lang", "de-DE")


async def test_trouble_of_the_server_is_told_and_can_be_tried_again(case: SiteCase, serve: Serve, window: Page) -> None:
    await _sign_in(window, serve(TallybookSite(case, 1)))
    await window.route("**/cash-flow?week=2025-W22", lambda route: route.fulfill(status=502))

    await _choose(window, "Week 22")
    await expect(window.get_by_text("Something went wrong on our side.")).to_be_visible()
    await window.unroute("**/cash-flow?week=2025-W22")
    await window.get_by_role("button", name="Try again").click()

    await expect(_figure(window, "Net cash flow")).to_have_text("($949.75)")


async def test_an_ended_session_leads_to_sign_in(case: SiteCase, serve: Serve, window: Page) -> None:
    await _sign_in(window, serve(TallybookSite(case, 1)))
    await window.context.clear_cookies()

    await _choose(window, "Week 21")

    await expect(window.get_by_label("Work email")).to_be_visible()
    await expect(window).to_have_url(re.compile(r"/login\?next=%2Freports%2Fcash-flow%3Fweek%3D2025-W21$"))
