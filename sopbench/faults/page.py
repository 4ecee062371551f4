"""Faults of pages, by a script that runs in each of them: on any site, real or mock.

Which element is struck follows from the page and the seed; a fault may be told a role and words of its name, but knows
nothing of what a procedure does.
"""

from __future__ import annotations

import json
import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from sopbench.trials.fault import Cause, Fault, Strikes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.async_api import BrowserContext, Page

_FILES = ("parts", "elements", "happenings", "covers")


class PageFault(Fault):
    """A fault that a script brings about. An occasion is a name: all elements of one name and role are struck alike,
    whenever they appear, and ``probability`` is the share of names that are struck.
    """

    cause: ClassVar[Cause] = "target"
    script: ClassVar[str]
    """Which of the scripts in ``in_page``."""
    kind: Literal["button", "field", "control"] = "control"
    """What is struck; ``control`` is all that can be used."""
    label: str = ""
    """Only what has these words in its name."""
    role: str = ""
    """Only what has this role."""

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


class Renamed(PageFault):
    """Labels say the same in other words."""

    script: ClassVar[str] = "renamed"

    def settings(self) -> dict[str, Any]:
        return {**super().settings(), "words": _words()}


class Removed(PageFault):
    """Elements are not there any more."""

    script: ClassVar[str] = "removed"


class Moved(PageFault):
    """Elements stand in another place."""

    script: ClassVar[str] = "moved"


class Duplicated(PageFault):
    """Elements are there twice; both do the same."""

    script: ClassVar[str] = "duplicated"
    kind: Literal["button", "field", "control"] = "button"


class Restyled(PageFault):
    """Ids and classes are called otherwise, as after a new build of the page. An occasion is such a name."""

    script: ClassVar[str] = "restyled"


class Disabled(PageFault):
    """Elements cannot be used at first, or not at all."""

    cause: ClassVar[Cause] = "timing"
    script: ClassVar[str] = "disabled"
    ms: int | None = Field(default=None, gt=0)
    """How long; for good if left out."""


class Late(PageFault):
    """Elements appear late."""

    cause: ClassVar[Cause] = "timing"
    script: ClassVar[str] = "late"
    ms: int = Field(gt=0)


class Moving(PageFault):
    """Elements do not stand still."""

    cause: ClassVar[Cause] = "timing"
    script: ClassVar[str] = "moving"
    ms: int | None = Field(default=None, gt=0)
    """How long after they appear; for ever if left out."""


class Recreated(PageFault):
    """An element is drawn anew while it is pressed, and the click is lost. An occasion is a press."""

    cause: ClassVar[Cause] = "timing"
    script: ClassVar[str] = "recreated"


class FocusStolen(PageFault):
    """Another field takes the focus from one that just got it. An occasion is a field's getting it."""

    cause: ClassVar[Cause] = "timing"
    script: ClassVar[str] = "focus_stolen"
    kind: Literal["button", "field", "control"] = "field"
    ms: int = Field(default=0, ge=0)
    """After so long."""


class Toast(PageFault):
    """A notice lies over what the pointer comes to. An occasion is its coming."""

    script: ClassVar[str] = "toast"
    kind: Literal["button", "field", "control"] = "button"
    ms: int | None = Field(default=2000, gt=0)
    """How long; none for good."""


class CookieBanner(PageFault):
    """A banner asks for a choice at the first visit of each site. An occasion is a site."""

    script: ClassVar[str] = "cookie_banner"
    blocks: bool = False
    """Whether it covers the whole page until a choice is made."""


class Overlay(ActionFault):
    """Something covers the page."""

    script: ClassVar[str] = "overlay"
    ms: int | None = Field(default=None, gt=0)
    """How long; for good if left out."""


class Modal(ActionFault):
    """A dialog of the page is open, and nothing else can be used until it is closed."""

    script: ClassVar[str] = "modal"
    title: str = "What’s new"
    text: str = "Have a look at what has changed since your last visit."
    button: str = "Got it"


class Alert(ActionFault):
    """The page says something in a dialog of the browser."""

    cause: ClassVar[Cause] = "navigation"
    script: ClassVar[str] = "alert"
    text: str = "You have been inactive for a while."
    asks: bool = False
    """Whether it wants an answer."""
    after_ms: int = Field(default=20, ge=0)
    """So long after the action begins."""


def _channel(strikes: Strikes) -> str:
    return f"__planted_{strikes.number}"


def _told(strikes: Strikes) -> list[Any]:
    return [_channel(strikes), strikes.is_open]


def _source(name: str, given: dict[str, Any]) -> str:
    scripts = resources.files("sopbench.faults").joinpath("in_page")
    parts = "\n".join(scripts.joinpath(f"{file}.js").read_text("utf-8") for file in (*_FILES, "beginning"))
    return f"(() => {{\nconst given = {json.dumps({**given, 'script': name})}\n{parts}\n}})()"


@cache
def _words() -> dict[str, str]:
    text = resources.files("sopbench.faults").joinpath("in_page", "words.toml").read_text("utf-8")
    return tomllib.loads(text)


FAULTS = {
    "alert": Alert,
    "cookie_banner": CookieBanner,
    "disabled": Disabled,
    "duplicated": Duplicated,
    "focus_stolen": FocusStolen,
    "late": Late,
    "modal": Modal,
    "moved": Moved,
    "moving": Moving,
    "overlay": Overlay,
    "recreated": Recreated,
    "removed": Removed,
    "renamed": Renamed,
    "restyled": Restyled,
    "toast": Toast,
}
