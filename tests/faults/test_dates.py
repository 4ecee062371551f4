"""Dates of a real page are written otherwise, where they stand alone."""

from __future__ import annotations

import pytest

from .conftest import MakeWorld, World, planned

MAIL = """<div id=mail><span id=when title="Mon, Jun 2, 2025, 9:14 AM">Jun 2</span> <b id=old>4/2/24</b>
<i id=day>2025-06-02</i> <u id=clock>9:14 AM</u> <p id=text>Shall we talk on June 5 or June 6?</p>
<input id=typed value="6/2/2025"></div>"""


async def shown(world: World, html: str = MAIL) -> dict[str, str]:
    """What stands in the mail that the page shows now: texts by id, and the tooltip of the date."""
    await world.open()
    await world.page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", html)
    texts = (
        "Object.fromEntries([...document.querySelectorAll('#mail [id]')].map(e => [e.id, e.value ?? e.textContent]))"
    )
    found: dict[str, str] = await world.page.evaluate(texts)
    return {**found, "title": await world.page.evaluate("document.querySelector('#when')?.title ?? ''")}


@pytest.mark.parametrize(
    ("form", "title", "when", "old", "day"),
    [
        ("day_first", "2/6/2025, 9:14 AM", "2/6", "2/4/24", "2/6/2025"),
        ("dotted", "02.06.25, 9:14 AM", "02.06.", "02.04.24", "02.06.25"),
        ("iso", "2025-06-02, 9:14 AM", "06-02", "2024-04-02", "2025-06-02"),
        ("impossible", "Mon, Jun 31, 2025, 9:14 AM", "Jun 31", "4/31/24", "2025-06-31"),
    ],
)
async def test_dates_that_stand_alone_are_written_otherwise(
    world: MakeWorld, form: str, title: str, when: str, old: str, day: str
) -> None:
    under = await world(planned("data.date_written", form=form))

    mail = await shown(under)

    assert (mail["title"], mail["when"], mail["old"], mail["day"]) == (title, when, old, day)


async def test_times_sentences_and_what_somebody_typed_stay_as_they_are(world: MakeWorld) -> None:
    under, clean = await world(planned("data.date_written")), await world()

    mail, before = await shown(under), await shown(clean)

    for place in ("clock", "text", "typed"):
        assert mail[place] == before[place]


async def test_a_date_that_is_drawn_again_is_written_otherwise_again_and_not_twice(world: MakeWorld) -> None:
    under = await world(planned("data.date_written"))
    await shown(under)

    await under.page.evaluate("document.getElementById('when').title = 'Tue, Jun 3, 2025, 8:00 AM'")
    await under.page.evaluate("document.getElementById('when').textContent = 'Jun 2'")

    await under.page.wait_for_function("document.getElementById('when').textContent === '2/6'")
    assert await under.page.get_attribute("#when", "title") == "3/6/2025, 8:00 AM"


async def test_a_share_of_the_dates_is_struck_the_same_for_the_same_seed(world: MakeWorld) -> None:
    days = "".join(f"<b id=d{day}>Jun {day}</b>" for day in range(1, 25))

    async def struck(seed: int) -> list[str]:
        under = await world(planned("data.date_written", when={"probability": 0.5}), seed=seed)
        await shown(under, f"<div id=mail>{days}</div>")
        return [strike.what for strike in under.strikes]

    outcomes = [await struck(seed) for seed in (1, 1, 2)]

    assert outcomes[0] == outcomes[1] != outcomes[2]
    assert 6 <= len(outcomes[0]) <= 18
    assert outcomes[0][0].startswith("'Jun ")
