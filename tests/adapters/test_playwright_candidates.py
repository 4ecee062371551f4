"""What a look at a page finds, what it tells of each element, and the target that leads back to it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.async_api import Page

from sopbench.adapters.playwright_candidates import PlaywrightCandidates, fingerprint_of, look_for
from sopbench.sop.fingerprint import Fingerprint
from sopbench.sop.targets import Target
from sopbench.sop.verbs.base import ElementKind

from .acting import Acting
from .candidate_pages import CARDS, FORM, FRAMES, PAGES, SHADOW, TABLE

OTHER_SITE = '<iframe src="http://two.test/pay"></iframe>'
BUTTON = "<button>Pay</button>"
KINDS: tuple[ElementKind, ...] = ("click", "fill", "choose", "check", "upload", "read")


async def shown(acting: Acting, html: str) -> Page:
    await acting.show(html)
    return acting.session.context.pages[0]


def called(found: PlaywrightCandidates) -> list[str]:
    return [f"{each.get('role')} {each.get('name')}" for each in found.elements]


async def by_name(page: Page, kind: ElementKind, name: str) -> dict[str, Any]:
    found = await look_for(page, kind)
    return next(dict(each) for each in found.elements if each.get("name") == name)


async def test_what_can_be_pressed_is_found_and_nothing_that_cannot(acting: Acting) -> None:
    page = await shown(acting, CARDS)

    found = await look_for(page, "click")

    names = [each.get("name") or each["text"] for each in found.elements]
    assert names == [
        "Home", "Mail", "Card one Some bold text", "Card two", "Back", "More", "Roled", "Close", "Save all",
        "Cut", "Paste", "Pick", "Pick",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("fill", ["textbox Mail address", "textbox Secret", "textbox Remarks", "slider Volume", "textbox Notes"]),
        ("choose", ["combobox Country"]),
        ("check", ["radio Small", "radio Large", "checkbox I agree"]),
        ("upload", ["button Choose File"]),
    ],
)
async def test_each_kind_finds_its_fields(acting: Acting, kind: ElementKind, expected: list[str]) -> None:
    page = await shown(acting, FORM)

    found = await look_for(page, kind)

    assert called(found) == expected


async def test_what_can_be_read_are_texts_tables_rows_and_fields(acting: Acting) -> None:
    page = await shown(acting, TABLE)

    found = await look_for(page, "read")

    roles = {each.get("role") for each in found.elements}
    assert {"heading", "table", "row", "cell", "columnheader", "caption", "button"} <= roles


async def test_a_fingerprint_says_all_that_is_known(acting: Acting) -> None:
    page = await shown(acting, FORM)

    facts = await by_name(page, "fill", "Mail address")

    box = facts.pop("box")
    assert facts == {
        "role": "textbox", "name": "Mail address", "tag": "input", "type": "email", "id": "mail", "field": "email",
        "placeholder": "you@example.org", "label": "Mail address", "heading": "Account",
        "container": ["form 'Sign in'"], "path": "/html/body/form[1]/input[1]", "near": facts["near"],
        "index": 0, "of": 4,
    }  # fmt: skip
    assert "Mail address Secret" in facts["near"]
    assert box["width"] > 20


async def test_every_candidate_is_a_valid_fingerprint(acting: Acting) -> None:
    for html in PAGES.values():
        page = await shown(acting, html)
        for kind in KINDS:
            for facts in (await look_for(page, kind)).elements:
                assert json.loads(Fingerprint.model_validate(facts).model_dump_json(exclude_defaults=True)) == facts


async def test_a_button_in_a_row_knows_its_row_and_what_stands_beside_it(acting: Acting) -> None:
    page = await shown(acting, TABLE)

    found = await look_for(page, "click")

    edit = [each for each in found.elements if each["name"] == "Edit"]
    assert [each["container"] for each in edit] == [
        ["row 'Ada'", "table 'Staff'"],
        ['row "Bob\'s"', "table 'Staff'"],
        ["row 'Cy'", "table 'Staff'"],
    ]
    assert edit[0]["near"] == "Ada ada@example.org Delete"
    assert edit[0]["heading"] == "People"
    assert [each["index"] for each in edit] == [0, 2, 4]


async def test_a_row_is_called_by_words_not_by_signs(acting: Acting) -> None:
    row = "<table><tr><td>☆<td>Ada<td><a href=/>Open</a></table>"
    page = await shown(acting, row + "<ul><li>• <b>Two</b> <a href=/>Go</a></ul>")

    found = await look_for(page, "click")

    assert [each["container"][0] for each in found.elements] == ["row 'Ada'", "listitem 'Two'"]


async def test_states_and_what_a_build_tool_made_up_are_left_out(acting: Acting) -> None:
    page = await shown(acting, CARDS)

    found = await look_for(page, "click")

    card = next(each for each in found.elements if each.get("classes") == ["card"])
    assert "id" not in card


@pytest.mark.parametrize(
    ("classes", "kept"),
    [
        ("btn btn-primary active", ["btn", "btn-primary"]),
        ("row1 element2 h3 col-md-6", ["row1", "element2", "h3", "col-md-6"]),
        ("sc-bdVaJa css-k008qs Button_root__3xYz1 jss12 svelte-1abc2d", []),
        ("menu__item--selected ng-valid is-open disabled nav", ["nav"]),
        ("a8f5f167f44f4964 js-save saveButton", ["js-save", "saveButton"]),
    ],
)
async def test_classes_keep_what_people_wrote(acting: Acting, classes: str, kept: list[str]) -> None:
    page = await shown(acting, f'<button class="{classes}">Go</button>')

    facts = await by_name(page, "click", "Go")

    assert facts.get("classes", []) == kept


@pytest.mark.parametrize(
    ("id_", "is_kept"),
    [("save", True), ("user_name-2", True), ("h1", True), (":r1:", False), (":16", False),
     ("ember123", False), ("ui-id-7", False),
     ("3f2504e0-4f89-11d3-9a0c-0305e82c3301", False), ("x5d41402abc4b2a76", False)],
)  # fmt: skip
async def test_an_id_is_kept_when_it_looks_lasting(acting: Acting, id_: str, is_kept: bool) -> None:
    page = await shown(acting, f'<button id="{id_}">Go</button>')

    facts = await by_name(page, "click", "Go")

    assert facts.get("id") == (id_ if is_kept else None)


async def test_frames_within_frames_are_looked_at_where_they_are(acting: Acting) -> None:
    page = await shown(acting, FRAMES)
    await page.frame_locator("iframe >> nth=0").frame_locator("iframe").get_by_role("button").wait_for()

    found = await look_for(page, "click")

    assert [(each["name"], each.get("frame")) for each in found.elements] == [
        ("Outside", None),
        ("Inside", ["First one"]),
        ("Innermost", ["First one", "deep"]),
        ("Inside", ["second"]),
    ]
    inside = await page.frame_locator("iframe >> nth=0").get_by_role("button").bounding_box()
    assert inside is not None
    assert found.elements[1]["box"]["x"] == pytest.approx(inside["x"], abs=0.1)
    assert found.elements[1]["box"]["y"] == pytest.approx(inside["y"], abs=0.1)


async def test_frames_of_other_sites_are_looked_into(acting: Acting) -> None:
    page = acting.session.context.pages[0]
    await page.route("http://one.test/", lambda route: route.fulfill(body=OTHER_SITE, content_type="text/html"))
    await page.route("http://two.test/pay", lambda route: route.fulfill(body=BUTTON, content_type="text/html"))
    await page.goto("http://one.test/")

    found = await look_for(page, "click")

    assert [(each["name"], each["frame"]) for each in found.elements] == [("Pay", ["/pay"])]
    assert await found.target(0) == Target(
        role="button", name="Pay", exact=True, frame=('iframe[src="http://two.test/pay"]',)
    )


async def test_a_box_is_the_same_however_far_the_page_is_scrolled(acting: Acting) -> None:
    page = await shown(acting, f"<div style='height:500px'></div>{FRAMES}<div style='height:3000px'></div>")
    await page.frame_locator("#second").get_by_role("button").wait_for()
    before = [each["box"] for each in (await look_for(page, "click")).elements]

    await acting.js("scrollTo(0, 450)")
    after = [each["box"] for each in (await look_for(page, "click")).elements]

    assert len(before) == 4
    assert after == before


async def test_a_label_that_cannot_be_seen_names_its_field(acting: Acting) -> None:
    page = await shown(acting, "<div style='display:none'><label for=q>Search for</label></div><input id=q>")

    facts = (await look_for(page, "fill")).elements[0]

    assert (facts["name"], facts["label"]) == ("Search for", "Search for")


async def test_what_is_read_is_not_told_by_what_it_says(acting: Acting) -> None:
    page = await shown(acting, "<table><tr><th>Sum<td>12.50</table><p id=total>40.00</p>")
    found = await look_for(page, "read")

    targets = [await found.target(number) for number in range(len(found.elements))]

    assert not any("12.50" in str(each) or "40.00" in str(each) for each in targets)


async def test_open_shadow_roots_are_looked_into(acting: Acting) -> None:
    page = await shown(acting, SHADOW)

    found = await look_for(page, "click")

    deep = next(each for each in found.elements if each["name"] == "Deep")
    assert deep["shadow"] == ["my-card", "inner-one"]
    assert deep["path"] == "/html/body/my-card[1]//section[1]/inner-one[1]//button[1]"
    assert deep["container"] == ["region 'Part 0'"]
    assert called(found).count("link Slotted 1") == 1


async def test_only_the_modal_dialog_can_be_acted_on(acting: Acting) -> None:
    page = await shown(acting, "<button>Behind</button><dialog aria-label=Ask><button>Yes</button></dialog>")
    await acting.js("document.querySelector('dialog').showModal()")

    found = await look_for(page, "click")

    assert [(each["name"], each["container"]) for each in found.elements] == [("Yes", ["dialog 'Ask'"])]


async def test_a_transparent_tick_box_over_its_picture_counts(acting: Acting) -> None:
    page = await shown(acting, '<span><input type=checkbox aria-label=Pick style="opacity:0"><svg></svg></span>')

    found = await look_for(page, "check")

    assert called(found) == ["checkbox Pick"]


async def test_what_is_typed_or_secret_is_in_no_fingerprint(acting: Acting) -> None:
    page = await shown(acting, "<label>Secret <input type=password value=hunter2></label><textarea>draft</textarea>")

    told = [json.dumps(list((await look_for(page, kind)).elements)) for kind in KINDS]

    assert not any("hunter2" in each or "draft" in each for each in told)


async def test_no_fingerprint_of_several_or_none(acting: Acting) -> None:
    page = await shown(acting, TABLE)

    several = await fingerprint_of(page, Target(role="button", name="Edit"))
    none = await fingerprint_of(page, Target(role="button", name="Save"))

    assert (several, none) == (None, None)


async def test_what_lies_within_something_is_counted_among_its_like_in_there(acting: Acting) -> None:
    page = await shown(acting, TABLE)
    row = Target(role="row", text="Bob")

    found = await fingerprint_of(page, Target(role="button", name="Delete", within=row))
    candidates = await look_for(page, "click", within=row)

    assert found is not None
    assert (found.index, found.of) == (1, 2)
    counted = [(each["container"][0], each["index"], each["of"]) for each in candidates.elements]
    assert counted[2:4] == [('row "Bob\'s"', 0, 2), ('row "Bob\'s"', 1, 2)]
    assert [(index, of) for _, index, of in (*counted[:2], *counted[4:])] == [(0, 4), (1, 4), (2, 4), (3, 4)]


async def test_what_cannot_be_acted_on_has_a_fingerprint_too(acting: Acting) -> None:
    page = await shown(acting, FORM)

    found = await fingerprint_of(page, Target(role="button", name="Later"))

    assert found is not None
    assert (found.name, found.container) == ("Later", ("form 'Sign in'",))


@pytest.mark.parametrize("name", [name for name in PAGES if name != "frames"])
async def test_names_are_those_that_playwright_knows(acting: Acting, name: str) -> None:
    page = await shown(acting, PAGES[name])
    found = [*(await look_for(page, "click")).elements, *(await look_for(page, "read")).elements]
    assert found

    for facts in found:
        if "role" in facts and facts["role"] not in ("presentation", "none"):
            like = page.get_by_role(facts["role"], name=facts.get("name", ""), exact=True)
            paths = await like.evaluate_all(WHERE)
            assert facts["path"] in paths, f"{facts['role']} {facts.get('name')!r}"


WHERE = """all => all.map(element => {
  let path = ''
  for (let each = element; each; each = each.parentElement ?? each.parentNode.host) {
    const like = [...(each.parentNode?.children ?? [])].filter(other => other.localName === each.localName)
    const number = ['html', 'body'].includes(each.localName) ? '' : `[${like.indexOf(each) + 1}]`
    path = `${each.parentNode.host ? '//' : '/'}${each.localName}${number}${path}`
  }
  return path
})"""


async def test_a_look_leaves_the_page_as_it_was(acting: Acting) -> None:
    page = await shown(acting, FORM + TABLE + CARDS)
    await acting.js("""() => {
      window.changes = []
      window.before = Object.getOwnPropertyNames(window).length
      new MutationObserver(list => changes.push(...list.map(each => each.type))).observe(document,
        { attributes: true, childList: true, characterData: true, subtree: true })
    }""")
    names = await acting.js("Object.getOwnPropertyNames(window).sort().join()")

    for kind in KINDS:
        found = await look_for(page, kind)
        await found.target(0)
        await fingerprint_of(page, await found.target(0), kind)

    assert await acting.js("changes") == []
    assert await acting.js("Object.getOwnPropertyNames(window).sort().join()") == names


async def test_halves_of_characters_do_not_leave_the_page(acting: Acting) -> None:
    page = await shown(acting, "<p>😀 before</p><button id=b></button>")
    await acting.js(r"document.querySelector('#b').textContent = 'half \ud83d of 😀 it'")

    facts = (await look_for(page, "click")).elements[0]

    assert facts["name"] == "half � of 😀 it"
    assert facts["text"] == "half � of 😀 it"
    assert facts["near"] == "😀 before"
