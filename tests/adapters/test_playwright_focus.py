"""What is typed goes into the field it is meant for, also where the page moves the focus."""

from __future__ import annotations

from typing import Any

import pytest

from .acting import Acting

ONCE = """<input id=other value=kept><input id=f><script>
  let stolen = false
  f.addEventListener('focus', () => { if (!stolen) setTimeout(() => { stolen = true; other.focus() }, 0) })
</script>"""
ALWAYS = """<div id=f tabindex=0 style="width:200px;height:40px">editor</div><textarea id=hidden></textarea><script>
  f.addEventListener('focus', () => setTimeout(() => hidden.focus(), 0))
</script>"""


@pytest.mark.parametrize(("verb", "said"), [("fill", {"value": "typed"}), ("type", {"text": "typed"})])
async def test_a_focus_that_is_taken_away_once_is_taken_back_before_anything_is_typed(
    verb: str, said: dict[str, Any], acting: Acting
) -> None:
    await acting.show(ONCE)

    await acting.do(verb, "#f", **said)

    assert await acting.js("[f.value, other.value]") == ["typed", "kept"]


async def test_emptying_a_field_empties_no_other(acting: Acting) -> None:
    await acting.show(ONCE.replace("id=f", "id=f value=old"))

    await acting.do("clear", "#f")

    assert await acting.js("[f.value, other.value]") == ["", "kept"]


async def test_a_page_that_always_types_into_a_field_of_its_own_is_let(acting: Acting) -> None:
    await acting.show(ALWAYS)

    await acting.do("type", "#f", text="typed")

    assert "typed" in await acting.js("hidden.value")


async def test_where_a_page_has_moved_the_focus_every_time_it_is_not_taken_again_to_type(acting: Acting) -> None:
    slow_at_last = "let n = 0; f.addEventListener('focus', () => setTimeout(() => hidden.focus(), n++ < 7 ? 0 : 300))"
    await acting.show(
        f"<div id=f tabindex=0>editor</div><textarea id=hidden></textarea><script>{slow_at_last}</script>"
    )

    await acting.do("type", "#f", text="typed")

    assert await acting.js("hidden.value") == "typed"
