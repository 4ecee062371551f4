"""Forms of a real page that want one field more."""

from __future__ import annotations

import pytest

from sopbench.sop.targets import Target
from sopbench.sop.verbs.fields import Fill
from sopbench.sop.verbs.pointer import Click

from .conftest import MakeWorld, World, planned

SUBMIT = Click(target=Target(role="button", name="Submit"))
FIELDS = "<label>Sum <input name=sum></label> <label>Reason <input name=reason></label>"
HAND_IN = "said.textContent += 'handed in;'"
NATIVE = f'<form id=claim onsubmit="{HAND_IN}; return false">{FIELDS} <button>Submit</button></form>'
BY_SCRIPT = f"""<main id=claim><div><p>{FIELDS}</p></div>
<div><button type=button onclick="{HAND_IN}">Submit</button></div></main>"""
ORDER = """[...document.querySelectorAll('#claim input, #claim button')].map(
    e => e.name || e.labels?.[0]?.textContent || e.textContent)"""


async def showing(world: World, html: str) -> None:
    await world.open()
    await world.page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", html)


async def said(world: World) -> str:
    return str(await world.page.evaluate("document.getElementById('said').textContent"))


@pytest.mark.parametrize("form", [NATIVE, BY_SCRIPT])
async def test_a_form_is_refused_with_a_message_until_the_new_field_is_filled(world: MakeWorld, form: str) -> None:
    under = await world(planned("page.required_field", asks="Cost centre"))
    await showing(under, form)

    await under.do(SUBMIT)
    refused, told = await said(under), await under.page.get_by_role("alert").inner_text()
    await under.do(Fill(target=Target(label="Cost centre"), value="4711"))
    await under.do(SUBMIT)

    assert (refused, told) == ("", "Cost centre is required")
    assert await said(under) == "handed in;"
    assert not await under.page.get_by_role("alert").is_visible()
    assert [strike.cause for strike in under.strikes] == ["data"]


async def test_the_enter_key_hands_no_such_form_in(world: MakeWorld) -> None:
    under = await world(planned("page.required_field"))
    await showing(under, NATIVE)

    await under.page.press("[name=reason]", "Enter")

    assert await said(under) == ""
    assert await under.page.get_by_role("alert").inner_text() == "Cost centre is required"


async def test_the_new_field_stands_last_among_the_others(world: MakeWorld) -> None:
    under = await world(planned("page.required_field"))
    await showing(under, BY_SCRIPT)

    order = await under.page.evaluate(ORDER)

    assert order == ["sum", "reason", "Cost centre *", "Submit"]


async def test_a_form_that_is_drawn_anew_wants_it_again(world: MakeWorld) -> None:
    under = await world(planned("page.required_field"))
    await showing(under, BY_SCRIPT)

    await under.page.evaluate("html => { document.getElementById('claim').outerHTML = html }", BY_SCRIPT)

    await under.page.wait_for_function("document.querySelectorAll('#claim label').length === 3")


@pytest.mark.parametrize(
    "html",
    [
        "<form id=claim><input type=email><input type=password><button>Submit</button></form>",
        "<form id=claim role=search><input><input><button>Submit</button></form>",
        "<form id=claim><input><button>Submit</button></form>",
        f"<main id=claim>{FIELDS}<button>Print</button></main>",
        f"<div id=claim><button>Create</button><div role=grid>{FIELDS}</div></div>",
    ],
)
async def test_what_is_no_form_to_be_filled_in_is_left_alone(world: MakeWorld, html: str) -> None:
    under = await world(planned("page.required_field"))
    await showing(under, html)

    assert await under.page.get_by_text("Cost centre").count() == 0
    assert under.strikes == []
