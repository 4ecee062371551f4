"""Choosing from drop-downs, native and made by pages."""

from __future__ import annotations

from typing import Any

import pytest

from sopbench.errors import StepError, TargetNotFound, ValueNotHeld

from .acting import Acting

NATIVE = """<select id=f>
  <option value=n>New</option><option value=w>Won</option><option value=wb>Won back</option></select>"""
SEVERAL = """<select id=f multiple>
  <option selected>Red</option><option>Green</option><option>Blue</option></select>"""
CUSTOM = """<button id=f role=combobox aria-haspopup=listbox onclick="toggle()">Choose…</button>
<ul id=list role=listbox hidden></ul><script>
  const options = ['New', 'Won', 'Won back']
  const toggle = () => setTimeout(() => {
    list.hidden = !list.hidden
    list.replaceChildren(...options.map(name => {
      const option = Object.assign(document.createElement('li'), { role: 'option', textContent: name })
      option.onclick = () => { f.textContent = KEEP ? name : 'Choose…'; list.hidden = true }
      return option
    }))
  }, 80)
</script>"""
FILTERING = """<input id=f role=combobox aria-autocomplete=list oninput="later()"><div id=list role=listbox></div>
<script>
  const towns = ['Porto', 'Portland', 'Port-au-Prince', 'Lima']
  const later = () => setTimeout(() => {
    const fit = towns.filter(town => f.value && town.toLowerCase().startsWith(f.value.toLowerCase()))
    list.innerHTML = fit.map(town => `<div role=option>${town}</div>`).join('')
    for (const it of list.children) it.onmousedown = () => { f.value = it.textContent; list.innerHTML = '' }
  }, 50)
</script>"""


@pytest.mark.parametrize(
    ("how", "held"),
    [
        ({"option": "Won"}, "w"), ({"option": "won BACK"}, "wb"), ({"option": "back"}, "wb"), ({"value": "n"}, "n"),
        ({"index": 1}, "w"), ({"index": -1}, "wb"),
    ],
)  # fmt: skip
async def test_a_native_drop_down_takes_label_value_or_index(acting: Acting, how: dict[str, Any], held: str) -> None:
    await acting.show(NATIVE)

    await acting.do("select", "#f", **how)

    assert await acting.js("f.value") == held


@pytest.mark.parametrize(
    ("how", "chosen"),
    [({"option": ["Green", "Blue"]}, "Green,Blue"), ({"option": "Blue", "add": True}, "Red,Blue")],
)
async def test_several_options_may_be_chosen(acting: Acting, how: dict[str, Any], chosen: str) -> None:
    await acting.show(SEVERAL)

    await acting.do("select", "#f", **how)

    assert await acting.js("[...f.selectedOptions].map(o => o.text).join()") == chosen


async def test_an_option_that_comes_late_is_waited_for(acting: Acting) -> None:
    await acting.show(NATIVE + "<script>setTimeout(() => f.add(new Option('Late')), 150)</script>")

    await acting.do("select", "#f", option="Late")

    assert await acting.js("f.value") == "Late"


async def test_an_option_that_is_not_there_is_answered_with_those_that_are(acting: Acting) -> None:
    await acting.show(NATIVE)

    error = await acting.refused("select", "#f", option="Lost", timeout_s=2)

    assert str(error) == "element [#f] has no option 'Lost'; it has 'New', 'Won', 'Won back'"
    assert error.performed is False


async def test_a_choice_that_the_page_takes_back_is_a_failed_step(acting: Acting) -> None:
    await acting.show(NATIVE.replace("<select", "<select onchange=\"this.value = 'n'\""))

    error = await acting.refused("select", "#f", option="Won")

    assert isinstance(error, ValueNotHeld)


async def test_a_drop_down_made_by_the_page_is_opened_and_the_whole_label_taken(acting: Acting) -> None:
    await acting.show(CUSTOM.replace("KEEP", "true"))

    await acting.do("select", "#f", option="Won")

    assert await acting.js("f.textContent") == "Won"


async def test_a_choice_that_a_page_made_drop_down_does_not_show_is_a_failed_step(acting: Acting) -> None:
    await acting.show(CUSTOM.replace("KEEP", "false"))

    error = await acting.refused("select", "#f", option="Won")

    assert isinstance(error, ValueNotHeld)


async def test_an_autocomplete_is_typed_into_until_it_offers_the_option(acting: Acting) -> None:
    await acting.show(FILTERING)

    await acting.do("select", "#f", option="Porto")

    assert await acting.js("f.value") == "Porto"


async def test_an_option_the_page_does_not_offer_is_answered_with_those_it_does(acting: Acting) -> None:
    await acting.show(CUSTOM.replace("KEEP", "true"))

    error = await acting.refused("select", "#f", option="Lost")

    assert isinstance(error, TargetNotFound)
    assert "it offers 'New', 'Won', 'Won back'" in str(error)


async def test_a_text_box_has_nothing_to_choose_from(acting: Acting) -> None:
    await acting.show("<input id=f>")

    error = await acting.refused("select", "#f", option="Won")

    assert type(error) is StepError
    assert str(error) == "element [#f] offers nothing to choose from: it is input[type=text]"


async def test_a_list_without_roles_that_a_click_opens_offers_its_items(acting: Acting) -> None:
    await acting.show(
        "<ul><li>Menu</ul><div id=f onclick='list.hidden = false'><b id=now>Pick</b></div>"
        "<ul id=list hidden onclick='now.textContent = event.target.textContent; list.hidden = true'>"
        "<li>Small<li>Large</ul>"
    )

    await acting.do("select", "#f", option="Large")

    assert await acting.js("now.textContent") == "Large"


@pytest.mark.parametrize(("value", "held"), [("w", "w"), ("Won back", "wb")])
async def test_filling_a_drop_down_chooses_by_value_or_label(acting: Acting, value: str, held: str) -> None:
    await acting.show(NATIVE)

    done = await acting.do("fill", "#f", value=value)

    assert await acting.js("f.value") == held
    assert done.remark == "chosen: it is a drop-down"


@pytest.mark.parametrize("how", [{"option": "Won"}, {"index": 1}])
async def test_a_choice_that_does_not_show_is_a_failed_step_however_it_was_named(
    acting: Acting, how: dict[str, Any]
) -> None:
    await acting.show(CUSTOM.replace("KEEP", "false"))

    error = await acting.refused("select", "#f", **how)

    assert isinstance(error, ValueNotHeld)


LISTBOX = """<div id=f role=listbox><div role=option>New</div><div role=option>Won</div></div><script>
  f.onclick = event => { if (MARKS) event.target.setAttribute('aria-selected', 'true') }
</script>"""


async def test_a_list_that_shows_all_its_options_says_by_marks_which_is_chosen(acting: Acting) -> None:
    await acting.show(LISTBOX.replace("MARKS", "true"))
    await acting.do("select", "#f", option="Won")
    assert await acting.js("f.querySelector('[aria-selected]').textContent") == "Won"

    await acting.show(LISTBOX.replace("MARKS", "false"))
    error = await acting.refused("select", "#f", option="Won")
    assert isinstance(error, ValueNotHeld)
