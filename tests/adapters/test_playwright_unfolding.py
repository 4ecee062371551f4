"""What opens the part of a page that an element is folded away in."""

from __future__ import annotations

import pytest

from sopbench.sop.targets import Target

from .acting import Acting

SAVE = Target(role="button", name="Save", exact=True)
MORE = "<button aria-haspopup=menu aria-expanded=false>More</button>"
HIDDEN = "style='display:none'"
LABELLED = f"<ul {HIDDEN} aria-labelledby=d><li><button>Save</button></ul><button id=d aria-expanded=false>X</button>"


@pytest.mark.parametrize(
    ("page", "opens"),
    [
        (f"<div>{MORE}<div role=menu {HIDDEN}><button>Save</button></div></div>", "button 'More'"),
        (f"<nav>{MORE}</nav><ul hidden><li><button>Save</button></li></ul>", "button 'More'"),
        ("<button aria-controls=m>All</button><p>x</p><div id=m hidden><button>Save</button></div>", "button 'All'"),
        (LABELLED, "button 'X'"),
        ("<button popovertarget=p>⋮</button><div id=p popover><button>Save</button></div>", "button '⋮'"),
        ("<details><summary>Rest</summary><p><button>Save</button></p></details>", "Rest"),
    ],
    ids=["beside", "the one before", "named by its id", "labelled", "popover", "details"],
)  # fmt: skip
async def test_it_is_found_by_what_the_page_says_of_it(page: str, opens: str, acting: Acting) -> None:
    await acting.show(page)

    opener = await acting.session.browser.opener(SAVE)

    assert opener is not None
    words = await acting.js("document.querySelector('summary')?.innerText ?? ''")
    assert opens in (str(opener), words)


@pytest.mark.parametrize(
    "page",
    [
        f"{MORE}<button>Save</button>",
        f"{MORE}<p>There is nothing to save.</p>",
        f"<p>Text</p><div {HIDDEN}><button>Save</button></div>",
        f"{MORE}<div role=dialog {HIDDEN}><button>Save</button></div>",
        f"{MORE}<div {HIDDEN}><button>Save</button></div><div {HIDDEN}><button>Save</button></div>",
        f"<div {HIDDEN}>{MORE}<div><button>Save</button></div></div>",
        f"{MORE}<button {HIDDEN}>Save</button>",
    ],
    ids=["in sight", "not there", "nothing opens it", "in a dialog", "two", "with its opener", "hidden by itself"],
)
async def test_nothing_opens_what_is_not_folded_away(page: str, acting: Acting) -> None:
    await acting.show(page)

    assert await acting.session.browser.opener(SAVE) is None
