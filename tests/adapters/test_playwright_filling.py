"""A fill is believed only when the field holds the value."""

from __future__ import annotations

import pytest

from sopbench.errors import StepError, TargetNotFound, ValueNotHeld

from .acting import Acting

KEYS_ONLY = """<input id=f><script>
  let held = ''
  f.addEventListener('input', () => { f.value = held })
  f.addEventListener('keydown', event => {
    if (event.key.length === 1 && !event.ctrlKey) held += event.key
    if (event.key === 'Delete' || event.key === 'Backspace') held = ''
  })
</script>"""
GROUPED = """<input id=f value="7"><script>
  f.addEventListener('blur', () => { f.value = Number(f.value.replaceAll(',', '')).toLocaleString('en-US') })
  f.addEventListener('input', () => { f.value = Number(f.value.replace(/[^0-9]/g, '')).toLocaleString('en-US') })
</script>"""
PHONE = """<input id=f><script>
  f.addEventListener('input', () => {
    const d = f.value.replace(/[^0-9]/g, '').slice(0, 10)
    f.value = d.length > 6 ? `(${d.slice(0, 3)}) ${d.slice(3, 6)}-${d.slice(6)}` : d
  })
</script>"""
LATE = """<input id=f value="server"><script>
  setTimeout(() => { const fresh = f.cloneNode(); fresh.value = 'server'; f.replaceWith(fresh) }, 150)
</script>"""


async def test_a_plain_field_takes_the_value_without_further_words(acting: Acting) -> None:
    await acting.show("<input id=f value=old>")

    done = await acting.do("fill", "#f", value="new")

    assert await acting.js("f.value") == "new"
    assert done.remark == ""


async def test_a_field_that_listens_to_keys_only_is_typed_into(acting: Acting) -> None:
    await acting.show(KEYS_ONLY)

    done = await acting.do("fill", "#f", value="Ada")

    assert await acting.js("held") == "Ada"
    assert done.remark.startswith("typed key by key")


@pytest.mark.parametrize(
    ("html", "value", "written"), [(GROUPED, "1500000", "1,500,000"), (PHONE, "5551234567", "(555) 123-4567")]
)
async def test_a_value_that_the_page_writes_its_own_way_holds(
    acting: Acting, html: str, value: str, written: str
) -> None:
    await acting.show(html)

    done = await acting.do("fill", "#f", value=value)

    assert await acting.js("f.value") == written
    assert done.remark == f"the page writes it {written!r}"


async def test_a_value_the_page_throws_away_is_a_failed_step(acting: Acting) -> None:
    await acting.show(
        "<input id=f oninput=\"this.value = ''\" onkeyup=\"this.value = ''\" onblur=\"this.value = 'n/a'\">"
    )

    error = await acting.refused("fill", "#f", value="Ada")

    assert isinstance(error, ValueNotHeld)
    assert str(error) == "element [#f] was given 'Ada' and holds 'n/a'"
    assert error.performed is True


async def test_a_value_that_is_cut_off_is_a_failed_step(acting: Acting) -> None:
    await acting.show("<input id=f maxlength=3>")

    error = await acting.refused("fill", "#f", value="abcdef")

    assert str(error) == "element [#f] was given 'abcdef' and holds 'abc'; it takes at most 3 characters"


async def test_a_password_that_does_not_hold_is_not_shown(acting: Acting) -> None:
    await acting.show("<input id=f type=password maxlength=3>")

    error = await acting.refused("fill", "#f", value="hunter2")

    assert "hunter" not in str(error)
    assert "hun" not in str(error)


@pytest.mark.parametrize(
    ("kind", "value", "held"),
    [
        ("number", "1,500,000", "1500000"),
        ("number", "-3.5", "-3.5"),
        ("date", "06/02/2025", "2025-06-02"),
        ("date", "2025-06-02", "2025-06-02"),
        ("date", "June 2, 2025", "2025-06-02"),
        ("month", "2025-06-02", "2025-06"),
        ("time", "4:05 PM", "16:05"),
        ("range", "70", "70"),
    ],
)
async def test_a_field_of_a_type_of_its_own_is_given_its_own_form(
    acting: Acting, kind: str, value: str, held: str
) -> None:
    await acting.show(f"<input id=f type={kind}>")

    await acting.do("fill", "#f", value=value)

    assert await acting.js("f.value") == held


@pytest.mark.parametrize(("kind", "value"), [("date", "soon"), ("number", "many"), ("time", "noon")])
async def test_a_value_that_is_none_for_the_field_is_a_failed_step(acting: Acting, kind: str, value: str) -> None:
    await acting.show(f"<input id=f type={kind}>")

    error = await acting.refused("fill", "#f", value=value)

    assert isinstance(error, ValueNotHeld)
    assert str(error) == f"element [#f] is a field of type {kind} and does not take {value!r}"


async def test_rich_text_editors_are_filled_and_read_back(acting: Acting) -> None:
    await acting.show("<div id=f contenteditable><p>old</p></div>")

    await acting.do("fill", "#f", value="two\nlines")

    assert await acting.js("f.innerText.trim().split(/\\n+/).join('|')") == "two|lines"


async def test_what_cannot_be_filled_says_what_it_is(acting: Acting) -> None:
    await acting.show("<p id=f>text</p>")

    error = await acting.refused("fill", "#f", value="x")

    assert type(error) is StepError
    assert "is no field that can be filled" in str(error)


async def test_the_field_is_left_with_the_key_that_commits(acting: Acting) -> None:
    await acting.show("<input id=f onkeydown=\"if (event.key === 'Enter') document.title = this.value\">")

    await acting.do("fill", "#f", value="done", commit="enter")

    assert await acting.js("document.title") == "done"


async def test_clearing_a_field_that_listens_to_keys_only_empties_it(acting: Acting) -> None:
    await acting.show(KEYS_ONLY.replace("let held = ''", "let held = 'old'; f.value = held"))

    await acting.do("clear", "#f")

    assert await acting.js("f.value") == ""


async def test_a_field_that_is_not_there_is_named_with_what_is(acting: Acting) -> None:
    await acting.show("<label>Name <input></label><label>Mail <input></label>")

    error = await acting.refused("fill", target={"role": "textbox", "name": "Phone"}, value="1")

    assert isinstance(error, TargetNotFound)
    assert str(error).startswith("no element fits textbox 'Phone'")


@pytest.mark.parametrize(
    ("language", "shown"),
    [("en-GB", "02/06/2025"), ("en-US", "06/02/2025"), ("de", "02.06.2025"), ("ru", "2 июня 2025")],
)
async def test_a_date_is_compared_as_the_pages_language_writes_it(acting: Acting, language: str, shown: str) -> None:
    await acting.show(f"<html lang={language}><input id=f oninput=\"this.value = '{shown}'\"></html>")

    done = await acting.do("fill", "#f", value="2025-06-02")

    assert done.remark == f"the page writes it {shown!r}"
