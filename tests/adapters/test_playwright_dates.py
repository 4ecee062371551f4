"""A date comes into a field whatever the field is made of; or it is said why not."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from sopbench.adapters.playwright_session import PlaywrightSession
from sopbench.errors import StepError, ValueNotHeld
from sopbench.ports.browser import Done
from sopbench.sop.verbs.fields import PickDate

MINIWOB = Path(str(find_spec("miniwob").origin)).parent / "html" / "miniwob"  # type: ignore[union-attr]
MASK = """<script>
  const field = document.querySelector('input')
  field.addEventListener('input', () => {
    const digits = field.value.replace(/[^0-9]/g, '').slice(0, 8)
    field.value = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)].filter(Boolean).join(MARK)
  })
  field.addEventListener('change', () => { if (field.value.length < 10) field.value = '' })
</script>"""
CALENDAR = """
<style>table, td { font-size: 12px } [hidden] { display: none }</style>
<script>
  const names = NAMES, wanted = document.querySelector('#out'), box = document.querySelector('#box')
  let shown = new Date(2024, 11, 1)
  const draw = () => {
    const first = new Date(shown), from = new Date(shown)
    from.setDate(1 - ((first.getDay() + 6) % 7))
    let rows = ''
    for (let week = 0; week < 6; week++) {
      rows += '<tr role="row">'
      for (let day = 0; day < 7; day++) {
        const other = from.getMonth() !== shown.getMonth()
        const barred = from.getDay() === 0
        rows += `<td role="gridcell" class="${other ? 'other' : ''}" ${barred ? 'aria-disabled="true"' : ''}
          onclick="choose(${[from.getFullYear(), from.getMonth(), from.getDate(), barred]})">${from.getDate()}</td>`
        from.setDate(from.getDate() + 1)
      }
      rows += '</tr>'
    }
    box.innerHTML = `<button aria-label="LESS" onclick="turn(-1)">‹</button>
      <h2 aria-live="polite">${names[shown.getMonth()]} ${shown.getFullYear()}</h2>
      <button aria-label="MORE" onclick="turn(1)">›</button><table role="grid"><tbody>${rows}</tbody></table>`
  }
  const turn = by => setTimeout(() => { shown.setMonth(shown.getMonth() + by); draw() }, 30)
  const open_ = () => { draw(); box.hidden = false }
  const choose = (year, month, day, barred) => {
    if (barred) return
    wanted.value = WRITTEN
    box.hidden = true
  }
</script>"""
ENGLISH_MONTHS = (
    "['January','February','March','April','May','June','July','August','September','October','November','December']"
)
GERMAN_MONTHS = (
    "['Januar','Februar','März','April','Mai','Juni','Juli','August','September','Oktober','November','Dezember']"
)
DOTTED = "String(day).padStart(2, 0) + '.' + String(month + 1).padStart(2, 0) + '.' + year"
SLASHED = "(month + 1) + '/' + day + '/' + year"


def calendar(names: str = ENGLISH_MONTHS, written: str = SLASHED, less: str = "Previous", more: str = "Next") -> str:
    page = CALENDAR.replace("NAMES", names).replace("WRITTEN", written)
    return page.replace("LESS", less).replace("MORE", more)


async def show(session: PlaywrightSession, html: str, language: str = "en") -> None:
    await session.context.pages[0].set_content(f"<!doctype html><html lang='{language}'><body>{html}")


async def pick(session: PlaywrightSession, date: str, css: str = "input", timeout_s: float = 10, **target: Any) -> Done:
    action = PickDate.model_validate({"target": target or {"css": css}, "date": date})
    return await session.browser.perform(action, timeout_s=timeout_s)


async def value(session: PlaywrightSession, css: str = "input") -> str:
    return await session.context.pages[0].locator(css).input_value()


@pytest.mark.parametrize(
    ("field", "held"),
    [
        ("<input type=date>", "2025-06-02"),
        ("<input type=datetime-local>", "2025-06-02T00:00"),
        ("<input type=datetime-local value='2024-01-01T10:30'>", "2025-06-02T10:30"),
    ],
)
async def test_a_native_field_is_given_the_date(session: PlaywrightSession, field: str, held: str) -> None:
    await show(session, field)

    done = await pick(session, "2025-06-02")

    assert await value(session) == held
    assert not done.remark


async def test_a_native_field_of_other_limits_is_not_given_it(session: PlaywrightSession) -> None:
    await show(session, "<input type=date min=2025-07-01 max=2025-07-31>")

    with pytest.raises(StepError, match="takes dates from 2025-07-01 to 2025-07-31, not 2025-06-02") as raised:
        await pick(session, "2025-06-02")

    assert raised.value.performed is False
    assert await value(session) == ""


@pytest.mark.parametrize("date", ["02.06.2025", "2025-02-30", "", "tomorrow"])
async def test_what_is_no_date_is_an_error_before_anything_is_touched(session: PlaywrightSession, date: str) -> None:
    await show(session, "<input type=date>")

    with pytest.raises(StepError, match="is no date") as raised:
        await pick(session, date)

    assert raised.value.performed is False


@pytest.mark.parametrize(
    ("field", "language", "held"),
    [
        ("<input>", "en", "06/02/2025"),
        ("<input>", "de", "02.06.2025"),
        ("<input placeholder='dd/mm/yyyy'>", "en", "02/06/2025"),
        ("<input placeholder='YYYY-MM-DD'>", "en", "2025-06-02"),
        ("<input placeholder='TT.MM.JJJJ'>", "en", "02.06.2025"),
        ("<input placeholder='JJ/MM/AAAA'>", "fr", "02/06/2025"),
        ("<input placeholder='D MMM YYYY'>", "en", "2 Jun 2025"),
        ("<label>Due (DD-MM-YYYY) <input></label>", "en", "02-06-2025"),
        ("<input value='2024-01-31'>", "en", "2025-06-02"),
        ("<input value='31/01/24'>", "en-GB", "02/06/25"),
        (r"<input pattern='\d{4}/\d{2}/\d{2}' placeholder='a day'>", "ja", "2025/06/02"),
        ("<input value='06/02/2025'>", "en", "06/02/2025"),
    ],
)
async def test_a_text_field_is_typed_to_in_the_form_it_asks_for(
    session: PlaywrightSession, field: str, language: str, held: str
) -> None:
    await show(session, field, language)

    done = await pick(session, "2025-06-02")

    assert await value(session) == held
    assert not done.remark


@pytest.mark.parametrize(("language", "mark", "held"), [("en", "/", "06/02/2025"), ("de", ".", "02.06.2025")])
async def test_a_masked_field_takes_it(session: PlaywrightSession, language: str, mark: str, held: str) -> None:
    await show(session, "<input placeholder='__ __ ____'>" + MASK.replace("MARK", f"'{mark}'"), language)

    await pick(session, "2025-06-02")

    assert await value(session) == held


async def test_a_field_that_wants_another_form_than_its_page_is_found_out(session: PlaywrightSession) -> None:
    await show(
        session,
        "<input onchange=\"if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(this.value)) this.value = ''\">",
    )

    done = await pick(session, "2025-06-02")

    assert await value(session) == "2025-06-02"
    assert done.remark == "typed as '2025-06-02'"


async def test_a_date_that_the_field_calls_invalid_is_not_believed(session: PlaywrightSession) -> None:
    await show(session, "<input onchange=\"this.setAttribute('aria-invalid', this.value.endsWith('2025'))\">")

    with pytest.raises(ValueNotHeld, match="says '06/02/2025' and that it is not valid"):
        await pick(session, "2025-06-02")


@pytest.mark.parametrize("date", ["2025-06-02", "2023-03-31", "2024-12-25", "2024-02-29"])
async def test_a_field_that_cannot_be_typed_to_gets_it_from_its_calendar(session: PlaywrightSession, date: str) -> None:
    await show(session, "<input id=out readonly onclick='open_()'><div id=box hidden></div>" + calendar())

    done = await pick(session, date)

    year, month, day = date.split("-")
    assert await value(session) == f"{int(month)}/{int(day)}/{year}"
    assert not done.remark


async def test_a_field_that_ignores_typing_gets_it_from_its_calendar(session: PlaywrightSession) -> None:
    await show(
        session,
        "<input id=out onkeydown='event.key.length == 1 && event.preventDefault()' onclick='open_()'>"
        "<div id=box hidden></div>" + calendar(),
    )

    done = await pick(session, "2025-01-14")

    assert await value(session) == "1/14/2025"
    assert done.remark == "chosen in its calendar"


async def test_where_day_and_month_could_be_mistaken_a_calendar_is_used_rather_than_a_guess(
    session: PlaywrightSession,
) -> None:
    page = calendar(written="[day, month + 1, year].join('/')")
    await show(session, "<input id=out onclick='open_()'><div id=box hidden></div>" + page)

    await pick(session, "2025-02-04")

    assert await value(session) == "4/2/2025"


async def test_a_page_of_a_country_is_typed_to_as_that_country_writes(session: PlaywrightSession) -> None:
    await show(session, "<input>", "en-GB")

    await pick(session, "2025-06-02")

    assert await value(session) == "02/06/2025"


async def test_a_button_opens_a_dialog_with_a_grid_in_the_pages_language(session: PlaywrightSession) -> None:
    page = calendar(GERMAN_MONTHS, DOTTED, "Voriger Monat", "Nächster Monat")
    await show(
        session,
        "<label>Datum <input id=out readonly></label> <button onclick='open_()'>Datum wählen</button>"
        "<div role=dialog id=box hidden></div>" + page,
        "de",
    )

    await pick(session, "2025-03-05", role="button", name="Datum wählen")

    assert await value(session) == "05.03.2025"


async def test_a_calendar_is_opened_by_what_stands_beside_the_field(session: PlaywrightSession) -> None:
    await show(
        session,
        "<p><input id=out readonly> <a href='#' onclick='open_()'><span title='Choose a date'>📅</span></a></p>"
        "<div id=box hidden></div>" + calendar(),
    )

    await pick(session, "2024-11-05")

    assert await value(session) == "11/5/2024"


async def test_a_day_that_is_barred_is_an_error(session: PlaywrightSession) -> None:
    await show(session, "<input id=out readonly onclick='open_()'><div id=box hidden></div>" + calendar())

    with pytest.raises(StepError, match="does not let 2025-01-05 be chosen") as raised:
        await pick(session, "2025-01-05")

    assert raised.value.performed is False


async def test_a_calendar_that_cannot_be_turned_is_an_error(session: PlaywrightSession) -> None:
    page = calendar().replace('<button aria-label="Next"', '<button disabled aria-label="Next"')
    await show(session, "<input id=out readonly onclick='open_()'><div id=box hidden></div>" + page)

    with pytest.raises(StepError, match="shows 2024-12 and cannot be turned further") as raised:
        await pick(session, "2025-01-06")

    assert raised.value.performed is False


async def test_a_calendar_that_chooses_another_day_is_not_believed(session: PlaywrightSession) -> None:
    page = calendar(written="(month + 1) + '/' + (day + 1) + '/' + year")
    await show(session, "<input id=out readonly onclick='open_()'><div id=box hidden></div>" + page)

    with pytest.raises(ValueNotHeld, match="2024-12-03 was chosen in its calendar, and it says '12/4/2024'"):
        await pick(session, "2024-12-03")


async def test_a_field_without_any_calendar_is_an_error(session: PlaywrightSession) -> None:
    await show(session, "<input readonly>")

    with pytest.raises(StepError, match="no calendar came up when it was clicked") as raised:
        await pick(session, "2025-06-02")

    assert raised.value.performed is False


@pytest.mark.parametrize("seed", range(6))
async def test_a_jquery_calendar_nobody_here_wrote(session: PlaywrightSession, seed: int) -> None:
    page = session.context.pages[0]
    await page.goto((MINIWOB / "choose-date.html").as_uri())
    await page.evaluate(f"Math.seedrandom({seed}); core.EPISODE_MAX_TIME = 1e6; core.startEpisodeReal()")
    sentence = await page.evaluate("core.getUtterance()")
    month, day, year = re.search(r"(\d+)/(\d+)/(\d+)", sentence).groups()  # type: ignore[union-attr]

    await pick(session, f"{year}-{month}-{day}", css="#datepicker")
    await page.locator("#subbtn").click()

    assert await page.evaluate("WOB_RAW_REWARD_GLOBAL") == 1


async def test_drop_downs_of_month_and_year_are_used(session: PlaywrightSession) -> None:
    page = session.context.pages[0]
    await page.goto((MINIWOB / "choose-date.html").as_uri())
    await page.evaluate(
        "core.startEpisodeReal(); $('#datepicker').datepicker('destroy');"
        "$('#datepicker').datepicker({changeMonth: true, changeYear: true, yearRange: '1950:2030'})"
    )

    await pick(session, "1963-11-22", css="#datepicker", timeout_s=5)

    assert await value(session, "#datepicker") == "11/22/1963"


async def test_one_of_two_months_that_show_at_once_is_the_right_one(session: PlaywrightSession) -> None:
    page = session.context.pages[0]
    await page.goto((MINIWOB / "choose-date.html").as_uri())
    await page.evaluate(
        "core.startEpisodeReal(); $('#datepicker').datepicker('destroy');"
        "$('#datepicker').datepicker({numberOfMonths: 2, showOtherMonths: true, showWeek: true,"
        " defaultDate: new Date(2025, 4, 1)})"
    )

    await pick(session, "2025-06-06", css="#datepicker")

    assert await value(session, "#datepicker") == "06/06/2025"
