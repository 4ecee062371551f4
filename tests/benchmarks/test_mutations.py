"""The mutation benchmark itself: its pages, its elements, and that a change is what it says."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ConsoleMessage, Error, JSHandle
from playwright.async_api import Page as Tab

from benchmarks.mutations.catalog import Element, Page, pages
from benchmarks.mutations.figures import counted, reaches
from benchmarks.mutations.kinds import BOUNDS, MUTATIONS
from benchmarks.mutations.running import Case, Outcome, judged, verdict
from benchmarks.mutations.staging import Staged, World, changed, served, shown, source
from sopbench import wiring
from sopbench.adapters.playwright_locators import locate
from sopbench.errors import BrowserMissing

pytestmark = pytest.mark.asyncio(loop_scope="session")
_ALL = {page.name: page for page in pages()}
_BY_NAME = {mutation.name: mutation for mutation in MUTATIONS}
_WHOLE = """() => {
  const inside = e => [e.shadowRoot, e.matches('iframe') && e.contentDocument.documentElement].filter(Boolean)
  const whole = node => [
    node.outerHTML ?? node.innerHTML,
    ...[...node.querySelectorAll('*')].flatMap(e => [e.disabled ?? '', ...inside(e).map(whole)]),
  ].join('')
  return whole(document.documentElement)
}"""


@dataclass
class Stage:
    """A tab, and where the pages are."""

    tab: Tab
    world: World

    async def changed(self, page: str, element: str, mutation: str) -> Staged:
        """The page, changed."""
        meant = element_of(page, element)
        handle = await shown(self.tab, self.world, _ALL[page], meant)
        staged = await changed(handle, _ALL[page], meant, _BY_NAME[mutation])
        assert staged is not None
        return staged

    async def count(self, page: str, element: str) -> int:
        """How many elements fit the target now."""
        return await locate(self.tab, element_of(page, element).target, only_seen=True).count()

    async def listening(self) -> JSHandle:
        return await self.tab.evaluate_handle(source("recorder"))


def element_of(page: str, element: str) -> Element:
    return next(each for each in _ALL[page].elements if each.id == element)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def opened() -> AsyncIterator[tuple[Browser, World]]:
    """A browser that reaches the mock sites as well."""
    with served() as (world, host):
        try:
            async with wiring.browser_process(wiring.Settings(), host) as browser:
                yield browser, world
        except BrowserMissing as error:
            pytest.skip(str(error))


@pytest_asyncio.fixture(loop_scope="session")
async def stage(opened: tuple[Browser, World]) -> AsyncIterator[Stage]:
    browser, world = opened
    tab = await browser.new_page(viewport={"width": 1280, "height": 800}, ignore_https_errors=True)
    yield Stage(tab, world)
    await tab.close()


async def test_there_are_at_least_thirty_pages_and_a_hundred_and_fifty_elements() -> None:
    elements = [(page.name, element.id) for page in pages() for element in page.elements]

    assert len(pages()) >= 30
    assert len(set(elements)) == len(elements) >= 150


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
async def test_a_page_loads_without_an_error_and_each_target_fits_its_element_alone(page: Page, stage: Stage) -> None:
    errors: list[str] = []

    def note_error(error: Error) -> None:
        errors.append(str(error))

    def note_message(message: ConsoleMessage) -> None:
        refused = page.way is not None and "401" in message.text  # a mock site asks who is there
        if message.type == "error" and not refused and "favicon" not in message.location["url"]:
            errors.append(message.text)

    stage.tab.on("pageerror", note_error)
    stage.tab.on("console", note_message)

    for element in page.elements:
        await shown(stage.tab, stage.world, page, element)

    assert errors == []


@pytest.mark.parametrize("name", [each.name for each in MUTATIONS if each.name != "none"])
async def test_a_change_leaves_another_page_and_the_meant_element_where_it_should_be(name: str, stage: Stage) -> None:
    mutation = _BY_NAME[name]
    page, element = _ALL["orders"], element_of("orders", "edit_hopper")
    handle = await shown(stage.tab, stage.world, page, element)
    before = await stage.tab.evaluate(_WHOLE)

    staged = await changed(handle, page, element, mutation)

    assert staged is not None
    assert await stage.tab.evaluate(_WHOLE) != before
    assert (staged.meant is None) == (mutation.kind == "remove")
    if staged.meant is not None:
        assert await staged.meant.evaluate("e => e.isConnected")


async def test_a_renamed_element_is_called_what_its_page_says(stage: Stage) -> None:
    await stage.changed("settings", "digest", "rename")

    assert await stage.count("settings", "digest") == 0
    assert await stage.tab.get_by_role("switch", name="Summary every week").count() == 1


async def test_a_removed_element_is_gone_and_its_look_alike_stays(stage: Stage) -> None:
    staged = await stage.changed("settings", "discard", "remove.lookalike")

    assert not await staged.before.evaluate("e => e.isConnected")
    assert await stage.tab.get_by_role("button", name="Discard", exact=True).count() == 0
    assert await stage.tab.get_by_role("button", name="Discard and close").count() == 1


async def test_with_its_row_removed_the_buttons_of_the_other_rows_stay(stage: Stage) -> None:
    await stage.changed("orders", "edit_hopper", "remove.row")

    assert await stage.tab.get_by_text("Grace Hopper").count() == 0
    assert await stage.tab.get_by_role("button", name="Edit").count() == 4


async def test_a_translated_page_speaks_german(stage: Stage) -> None:
    await stage.changed("checkout", "zip", "translate")

    assert await stage.tab.get_by_label("Postleitzahl").count() == 1
    assert await stage.tab.locator("html").get_attribute("lang") == "de"


@pytest.mark.parametrize("where", ["elsewhere", "beside"])
async def test_a_doubled_element_is_there_twice(where: str, stage: Stage) -> None:
    await stage.changed("contacts", "save", f"duplicate.{where}")

    assert await stage.count("contacts", "save") == 2


async def test_a_field_moved_into_a_frame_keeps_its_label_and_its_listeners(stage: Stage) -> None:
    staged = await stage.changed("cart", "pay", "wrap.frame")

    assert await stage.count("cart", "pay") == 0
    assert await stage.tab.frame_locator("iframe").get_by_role("button", name="Go to payment").count() == 1
    assert staged.meant is not None


async def test_what_is_disabled_for_a_while_can_be_used_later(stage: Stage) -> None:
    staged = await stage.changed("login", "log_in", "disable.for_a_while")
    assert staged.meant is not None
    assert await staged.meant.is_disabled()

    await staged.meant.wait_for_element_state("enabled", timeout=5000)


@pytest.mark.parametrize(
    ("page", "element"), [("chat", "send"), ("donation", "verify"), ("components", "kitchen_light"), ("login", "stay")]
)
async def test_an_act_is_heard_wherever_the_element_is(page: str, element: str, stage: Stage) -> None:
    staged = await stage.changed(page, element, "none")
    heard = await stage.listening()

    await staged.before.click()

    acts = await judged(stage.tab, heard, staged.meant)
    assert acts
    assert all(act["meant"] for act in acts)


async def test_a_click_on_the_copy_is_wrong(stage: Stage) -> None:
    staged = await stage.changed("contacts", "save", "duplicate.beside")
    heard = await stage.listening()

    await stage.tab.get_by_role("button", name="Save contact").last.click()

    acts = await judged(stage.tab, heard, staged.meant)
    outcome, took = verdict(element_of("contacts", "save"), acts, completed=True, healed=False)
    assert outcome is Outcome.WRONG_EXACT
    assert "Save contact" in took


async def test_listening_leaves_no_trace_on_the_page(stage: Stage) -> None:
    await stage.changed("chat", "send", "none")
    look = "() => [Object.getOwnPropertyNames(window).length, document.documentElement.outerHTML]"
    before = await stage.tab.evaluate(look)

    await stage.listening()

    assert await stage.tab.evaluate(look) == before


@pytest.mark.parametrize(
    ("acts", "completed", "healed", "outcome"),
    [
        ([], False, False, Outcome.ABSTAINED),
        ([], True, True, Outcome.WRONG_HEALED),
        ([True], True, True, Outcome.HEALED),
        ([True], True, False, Outcome.EXACT),
        ([True, False], True, False, Outcome.WRONG_EXACT),
    ],
)
async def test_the_verdict_is_of_what_was_touched(
    acts: list[bool], completed: bool, healed: bool, outcome: Outcome
) -> None:
    heard = [{"type": "click", "meant": meant, "on": "button 'OK'"} for meant in acts]

    found, _ = verdict(element_of("login", "log_in"), heard, completed=completed, healed=healed)

    assert found is outcome


async def test_one_wrong_click_on_a_removed_element_misses_the_bound() -> None:
    mutation = _BY_NAME["remove.alone"]
    cases = [Case("p", str(number), mutation, "recorded", "", Outcome.ABSTAINED) for number in range(999)]
    wrong = Case("p", "e", mutation, "recorded", "", Outcome.WRONG_HEALED)

    figures = counted(cases), counted([*cases, wrong])

    assert [reaches(each, BOUNDS["remove"]) for each in figures] == [True, False]
