"""Faults of pages, by a script that runs in each of them: on any site, real or mock."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from sopbench.faults.scripted import ActionFault, PageFault, ScriptFault, words_of
from sopbench.trials.fault import Cause


class Renamed(PageFault):
    """Labels say the same in other words."""

    script: ClassVar[str] = "renamed"

    def settings(self) -> dict[str, Any]:
        return {**super().settings(), "words": words_of("words.toml")}


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


class ScrollLost(ScriptFault):
    """A list that was scrolled on is at its beginning again. An occasion is its being scrolled on."""

    cause: ClassVar[Cause] = "timing"
    script: ClassVar[str] = "scroll_lost"
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


Arrangement = Literal["order", "place", "wrappers", "menu"]


class OtherLayout(PageFault):
    """Groups of controls are arranged otherwise; all of them work as they did. An occasion is a group: three to
    twelve controls beside each other, all to press or all to fill in.
    """

    script: ClassVar[str] = "other_layout"
    arrangements: tuple[Arrangement, ...] = Field(default=("order", "place", "wrappers", "menu"), min_length=1)
    """One of these, drawn for each group: in another order, at another place, within other elements, all but the first
    behind a menu."""


class RequiredField(PageFault):
    """Forms want one more field, and are not handed in without it. An occasion is a form, by the button that hands it
    in.
    """

    cause: ClassVar[Cause] = "data"
    script: ClassVar[str] = "required_field"
    kind: Literal["button", "field", "control"] = "button"
    asks: str = "Cost centre"
    """What the field is called."""


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


class Translated(ScriptFault):
    """The page speaks another language; what its users wrote stays. An occasion is a text of the page's own."""

    cause: ClassVar[Cause] = "target"
    script: ClassVar[str] = "translated"
    language: Literal["de"] = "de"
    """Its code; the page says that it is in it where all of its texts are."""

    def settings(self) -> dict[str, Any]:
        return {**super().settings(), "words": words_of(_WORDS[self.language])}


_WORDS = {"de": "german.toml"}
"""Where the words of a language stand."""

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
    "other_layout": OtherLayout,
    "overlay": Overlay,
    "recreated": Recreated,
    "removed": Removed,
    "renamed": Renamed,
    "required_field": RequiredField,
    "restyled": Restyled,
    "scroll_lost": ScrollLost,
    "toast": Toast,
    "translated": Translated,
}
