"""Groups of controls of a real page are arranged otherwise, and still work."""

from __future__ import annotations

import pytest

from sopbench.sop.targets import Target
from sopbench.sop.verbs.pointer import Click

from .conftest import MakeWorld, World, planned

NAMES = ("Archive", "Delete", "Labels", "Print")
BAR = "".join(f"""<button onclick="said.textContent += '{name};'">{name}</button>""" for name in NAMES)
PAGE = f"<section id=mail><div id=bar>{BAR}</div><h2>A mail</h2><p>Text</p></section>"
ORDER = "[...document.querySelectorAll('#mail button, #mail h2')].map(e => e.textContent)"
PATH = "(() => { const e = [...document.querySelectorAll('#mail button')].find(e => e.textContent === 'Labels');"
PATH += (
    " const up = []; for (let at = e; at.id !== 'mail'; at = at.parentElement) up.push(at.localName); return up })()"
)


async def showing(world: World, html: str = PAGE) -> None:
    await world.open()
    await world.page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", html)


async def said(world: World) -> str:
    return str(await world.page.evaluate("document.getElementById('said').textContent"))


def press(name: str) -> Click:
    return Click(target=Target(role="button", name=name))


@pytest.mark.parametrize(
    ("arrangement", "order", "path"),
    [
        ("order", ["Print", "Labels", "Delete", "Archive", "A mail"], ["button", "div"]),
        ("place", ["A mail", *NAMES], ["button", "div"]),
        ("wrappers", [*NAMES, "A mail"], ["button", "div", "li", "ul", "section", "div"]),
    ],
)
async def test_controls_that_stand_otherwise_work_as_they_did(
    world: MakeWorld, arrangement: str, order: list[str], path: list[str]
) -> None:
    under = await world(planned("page.other_layout", kind="button", arrangements=[arrangement]))
    await showing(under)

    there, above = await under.page.evaluate(ORDER), await under.page.evaluate(PATH)
    for name in NAMES:
        await under.do(press(name))

    assert (there, above) == (order, path)
    assert await said(under) == "".join(f"{name};" for name in NAMES)
    assert [strike.what.split(" stand ")[0] for strike in under.strikes] == [
        "4 controls from button 'Archive' to button 'Print'"
    ]


async def test_buttons_behind_a_menu_are_there_once_it_is_opened(world: MakeWorld) -> None:
    under = await world(planned("page.other_layout", arrangements=["menu"]))
    await showing(under)

    seen = [await under.page.get_by_role("button", name=name).is_visible() for name in NAMES]
    await under.do(press("More"))
    await under.do(press("Labels"))

    assert seen == [True, False, False, False]
    assert await said(under) == "Labels;"
    assert not await under.page.get_by_role("button", name="Labels").is_visible()


async def test_a_bar_that_is_drawn_anew_is_arranged_again(world: MakeWorld) -> None:
    under = await world(planned("page.other_layout", arrangements=["order"]))
    await showing(under)

    await under.page.evaluate("html => { document.getElementById('bar').innerHTML = html }", BAR)

    assert (await under.page.evaluate(ORDER))[:2] == ["Print", "Labels"]


async def test_the_pages_own_scripts_may_take_away_and_add_what_stands_elsewhere(world: MakeWorld) -> None:
    under = await world(planned("page.other_layout", arrangements=["wrappers"]))
    await showing(under)

    await under.page.evaluate(
        """() => {
            const [bar, buttons] = [document.getElementById('bar'), [...document.querySelectorAll('#bar button')]]
            bar.insertBefore(Object.assign(document.createElement('button'), { textContent: 'Mute' }), buttons[1])
            bar.removeChild(buttons[2])
        }"""
    )

    assert sorted((await under.page.evaluate(ORDER))[:-1]) == ["Archive", "Delete", "Mute", "Print"]


async def test_fields_stand_in_another_order_and_the_button_after_them_stays(world: MakeWorld) -> None:
    fields = "".join(f"<p><label>{name} <input name={name}></label></p>" for name in ("one", "two", "three"))
    under = await world(planned("page.other_layout", arrangements=["order"]))
    await showing(under, f"<main id=mail>{fields}<p><button>Submit</button></p></main>")

    order = await under.page.evaluate("[...document.querySelectorAll('#mail input, #mail button')].map(e => e.name)")

    assert order == ["three", "two", "one", ""]


async def test_the_days_of_a_calendar_stay_in_their_places(world: MakeWorld) -> None:
    days = "".join(f"<button>{day}</button>" for day in range(1, 31))
    under = await world(planned("page.other_layout"))
    await showing(under, f"<div id=mail>{days}</div>")

    assert await under.page.evaluate(ORDER) == [str(day) for day in range(1, 31)]


async def test_rows_of_tables_and_choices_of_lists_stay_as_they_are(world: MakeWorld) -> None:
    under = await world(planned("page.other_layout"))
    row = f"<table id=mail><tr><td>{BAR}</td></tr></table><ul id=menu role=menu>{BAR}</ul>"
    await showing(under, row)

    assert await under.page.evaluate(ORDER) == list(NAMES)
    assert not [strike for strike in under.strikes if "Archive" in strike.what]


async def test_what_it_is_arranged_into_follows_from_the_seed(world: MakeWorld) -> None:
    bars = "".join(f"<div>{BAR.replace('Archive', f'Archive {number}')}</div>" for number in range(8))

    async def struck(seed: int) -> list[str]:
        under = await world(planned("page.other_layout", when={"probability": 0.6}), seed=seed)
        await showing(under, f"<section id=mail>{bars}</section>")
        return [strike.what for strike in under.strikes]

    outcomes = [await struck(seed) for seed in (1, 1, 2)]

    assert outcomes[0] == outcomes[1] != outcomes[2]
    assert len({what.split(" stand ")[1] for what in outcomes[0]}) > 1
