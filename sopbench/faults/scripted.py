"""Faults that a script brings about in each page: on any site, real or mock.

Which element is struck follows from the page and the seed; a fault may be told a role and words of its name, but knows
nothing of what a procedure does.
"""

from __future__ import annotations

import json
import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from sopbench.trials.fault import Cause, Fault, Strikes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.async_api import BrowserContext, Page

_FILES = ("parts", "elements", "happenings", "covers", "dates", "forms", "layouts", "lists", "languages")


class ScriptFault(Fault):
    """A fault that a script brings about in every document."""

    script: ClassVar[str]
    """Which of the scripts in ``in_page``."""

    def settings(self) -> dict[str, Any]:
        """What the script is given."""
        return self.model_dump(mode="json")

    async def context_opened(self, context: BrowserContext, strikes: Strikes) -> None:
        channel = _channel(strikes)

        def said(_: object, what: str | None) -> bool:
            if what is not None:
                strikes.note(what)
            return strikes.is_open

        await context.expose_binding(channel, said)
        given = {
            **self.settings(),
            "channel": channel,
            "seed": strikes.page_seed,
            "probability": strikes.when.probability,
            "once": strikes.when.once,
            "hosts": strikes.hosts,
            "open": strikes.is_always_open,
        }
        await context.add_init_script(_source(self.script, given))

    async def action_begins(self, pages: Sequence[Page], strikes: Strikes) -> None:
        if strikes.is_always_open or strikes.memory.get("open") is strikes.is_open:
            return
        strikes.memory["open"] = strikes.is_open
        for page in pages:
            for frame in page.frames:
                await frame.evaluate("([name, open]) => window[name + '_at']?.open(open)", _told(strikes))


class PageFault(ScriptFault):
    """A fault of single elements. An occasion is a name: all elements of one name and role are struck alike, whenever
    they appear, and ``probability`` is the share of names that are struck.
    """

    cause: ClassVar[Cause] = "target"
    kind: Literal["button", "field", "control"] = "control"
    """What is struck; ``control`` is all that can be used."""
    label: str = ""
    """Only what has these words in its name."""
    role: str = ""
    """Only what has this role."""


class ActionFault(Fault):
    """A fault whose occasions are actions: it befalls the page in front when one begins."""

    cause: ClassVar[Cause] = "target"
    script: ClassVar[str]

    async def context_opened(self, context: BrowserContext, strikes: Strikes) -> None:
        given = {**self.model_dump(mode="json"), "channel": _channel(strikes), "seed": strikes.page_seed}
        unused = {"probability": 1, "once": False, "hosts": strikes.hosts, "open": True}
        await context.add_init_script(_source(self.script, {**given, **unused}))

    async def action_begins(self, pages: Sequence[Page], strikes: Strikes) -> None:
        if not pages or not pages[0].url.startswith("http") or not strikes.concerns(pages[0].url):
            return
        if not strikes.due("action"):
            return
        said = await pages[0].evaluate("name => window[name + '_at']?.act() ?? null", _channel(strikes))
        if said is None:
            strikes.missed()
        else:
            strikes.note(f"{said} on {pages[0].url}")


def _channel(strikes: Strikes) -> str:
    return f"__planted_{strikes.number}"


def _told(strikes: Strikes) -> list[Any]:
    return [_channel(strikes), strikes.is_open]


def _source(name: str, given: dict[str, Any]) -> str:
    scripts = resources.files("sopbench.faults").joinpath("in_page")
    parts = "\n".join(scripts.joinpath(f"{file}.js").read_text("utf-8") for file in (*_FILES, "beginning"))
    return f"(() => {{\nconst given = {json.dumps({**given, 'script': name})}\n{parts}\n}})()"


@cache
def words_of(file: str) -> dict[str, str]:
    """A list of words in ``in_page``: what is said → what is said instead."""
    text = resources.files("sopbench.faults").joinpath("in_page", file).read_text("utf-8")
    return tomllib.loads(text)
