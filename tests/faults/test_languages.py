"""A real page that speaks another language."""

from __future__ import annotations

import pytest

from sopbench.faults.scripted import words_of
from sopbench.sop.targets import Target
from sopbench.sop.verbs.fields import Fill
from sopbench.sop.verbs.pointer import Click

from .conftest import MakeWorld, World, planned

MORE = """<main id=more><h2>Search results for save</h2>
<button id=icon aria-label="More actions" title="More actions">⋮</button> <input id=find placeholder="Find in view">
<p id=mail>Save</p><table><tr><td><button id=row>Save</button></td></tr></table>
<button id=proper>Copperline</button><span role=status id=status>Saving…</span></main>"""
TEXTS = """Object.fromEntries(
    [...document.querySelectorAll('#more [id]')].map(e => [e.id, e.placeholder || e.title || e.textContent]))"""


async def showing(world: World) -> None:
    await world.open()
    await world.page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", MORE)


async def texts(world: World) -> dict[str, str]:
    found: dict[str, str] = await world.page.evaluate(TEXTS)
    return found


async def test_names_headings_hints_and_notices_are_in_another_language_and_work(world: MakeWorld) -> None:
    under = await world(planned("page.translated"))
    await showing(under)

    await under.do(Click(target=Target(role="button", name="Speichern", nth=0)))
    await under.do(Fill(target=Target(label="Stadt"), value="Tacoma"))
    said = await texts(under)

    assert await under.page.inner_text("#more h2") == "Suchergebnisse für save"
    assert (said["icon"], said["find"], said["status"]) == (
        "Weitere Aktionen",
        "In Ansicht suchen",
        "Wird gespeichert…",
    )
    assert await under.page.get_attribute("#icon", "aria-label") == "Weitere Aktionen"
    assert await under.page.evaluate("document.getElementById('said').textContent") == "saved;"
    assert await under.page.evaluate("document.documentElement.lang") == "de"


async def test_what_users_wrote_and_words_that_nobody_knows_stay(world: MakeWorld) -> None:
    under = await world(planned("page.translated"))
    await showing(under)

    said = await texts(under)

    assert (said["mail"], said["row"], said["proper"]) == ("Save", "Save", "Copperline")


async def test_what_is_drawn_anew_is_translated_again(world: MakeWorld) -> None:
    under = await world(planned("page.translated"))
    await showing(under)

    await under.page.evaluate("document.getElementById('save').textContent = 'Delete'")

    assert await under.page.inner_text("#save") == "Löschen"


async def test_a_share_of_the_texts_is_struck_the_same_for_the_same_seed_and_the_page_keeps_its_language(
    world: MakeWorld,
) -> None:
    async def struck(seed: int) -> list[str]:
        under = await world(planned("page.translated", when={"probability": 0.5}), seed=seed)
        await showing(under)
        assert await under.page.evaluate("document.documentElement.lang") == ""
        return [strike.what.partition(" on ")[0] for strike in under.strikes]

    outcomes = [await struck(seed) for seed in (1, 1, 2)]

    assert outcomes[0] == outcomes[1] != outcomes[2]
    assert outcomes[0]


@pytest.mark.parametrize("file", ["words.toml", "german.toml"])
def test_words_are_found_by_what_is_said_in_small_letters(file: str) -> None:
    words = words_of(file)

    assert all(said == said.lower() and to.strip() for said, to in words.items())
    assert all(said.count("{}") == to.count("{}") for said, to in words.items())
