"""A press that the page lost is told from one that brought nothing about that could be seen."""

from __future__ import annotations

import pytest

from .acting import Acting

REDRAWS = """
  let done = 0, redrawn = false
  const draw = () => { box.innerHTML = '<button id=b>Send</button>'; b.onclick = () => { done++ } }
  draw()
  window.addEventListener('mousedown', () => { if (!redrawn) { redrawn = true; AT_ONCE; draw() } }, true)
"""


def redraws(at_once: str = "") -> str:
    """A page that draws its button anew at the first press."""
    return f"<div id=box></div><script>{REDRAWS.replace('AT_ONCE', at_once)}</script>"


MOVES = """<input id=f><div id=error hidden style="height:80px">That is no address.</div>
<button id=b>Send</button><script>
  let done = 0
  b.onclick = () => { done++ }
  f.onblur = () => { error.hidden = false }
</script>"""
STOPS = """<button id=b>Send</button><script>
  let done = 0
  window.addEventListener('click', event => { event.stopImmediatePropagation(); done++ }, true)
</script>"""
BECOMES_ANOTHER = """<div id=box><button id=b>Send</button></div><script>
  let done = 0
  b.onmousedown = () => { done++; box.innerHTML = '<button id=b>Take back</button>' }
</script>"""


async def test_a_press_on_what_is_drawn_anew_was_surely_not_performed(acting: Acting) -> None:
    await acting.show(redraws())

    error = await acting.refused("click", "#b", effect="irreversible", timeout_s=5)

    assert error.performed is False
    assert "drawn anew" in str(error)
    await acting.do("click", "#b", effect="irreversible")
    assert await acting.js("done") == 1


async def test_a_press_on_what_moves_away_was_surely_not_performed(acting: Acting) -> None:
    await acting.show(MOVES)
    await acting.js("f.focus()")

    error = await acting.refused("click", "#b", effect="irreversible", timeout_s=5)

    assert error.performed is False
    assert await acting.js("done") == 0


@pytest.mark.parametrize(
    "page",
    [
        redraws("fetch('https://elsewhere.test/send', { method: 'POST' }).catch(() => 0)"),
        redraws("setTimeout(() => navigator.sendBeacon('https://elsewhere.test/'), 900)"),
        BECOMES_ANOTHER,
        STOPS,
    ],
    ids=["sends at once", "sends soon", "becomes another", "keeps clicks to itself"],
)
async def test_a_page_that_may_have_acted_is_believed_to_have(page: str, acting: Acting) -> None:
    await acting.show(page)

    await acting.do("click", "#b", effect="irreversible")


async def test_what_can_be_done_again_is_not_watched(acting: Acting) -> None:
    await acting.show(redraws())

    await acting.do("click", "#b", effect="idempotent")

    assert await acting.js("done") == 0
