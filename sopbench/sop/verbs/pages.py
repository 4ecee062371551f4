"""Verbs for pages and tabs, and for waiting."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from sopbench.sop.targets import Name, Template
from sopbench.sop.verbs.base import Action


class Navigate(Action):
    """Open an address in the current tab. Done when the page has loaded."""

    do: Literal["navigate"] = "navigate"
    url: Template

    def __str__(self) -> str:
        return f"navigate to {self.url}"


class Back(Action):
    """Go one page back in the current tab. Done when the page before has loaded; an error if there is none."""

    do: Literal["back"] = "back"


class Reload(Action):
    """Load the current page again."""

    do: Literal["reload"] = "reload"


class SwitchTab(Action):
    """Bring a named tab to the front; if it is not open yet, open it at ``url``.

    A tab that an action opened by itself is found by ``shows``. Tabs of another ``session`` share no sign-in with this.
    """

    do: Literal["switch_tab"] = "switch_tab"
    tab: str
    url: Template | None = None
    shows: Template | None = None
    """Pattern of the address of an open tab that has no name yet; ``*`` stands for any characters."""
    session: Name | None = None
    """Whose cookies and storage: a session of its own under this name; the run's when absent."""

    def __str__(self) -> str:
        return f"switch to tab {self.tab!r}"


class CloseTab(Action):
    """Close a named tab, or the current one. Done when it is gone; the tab before it is the current one then."""

    do: Literal["close_tab"] = "close_tab"
    tab: str | None = None

    def __str__(self) -> str:
        return f"close tab {self.tab!r}" if self.tab else "close the tab"


class Screenshot(Action):
    """Keep a picture of what is in sight, or of the whole page, among the run's artefacts."""

    do: Literal["screenshot"] = "screenshot"
    name: Name
    full_page: bool = False

    def __str__(self) -> str:
        return f"take screenshot {self.name!r}"


class WaitFor(Action):
    """Wait until the expectations hold, the network is idle, or (as a last resort) for some time."""

    do: Literal["wait_for"] = "wait_for"
    network: Literal["idle"] | None = None
    """Until the page has asked for nothing for half a second."""
    seconds: float | None = Field(default=None, gt=0)

    @model_validator(mode="after")
    def _says_what_for(self) -> WaitFor:
        if not self.expect and self.network is None and self.seconds is None:
            raise ValueError("wait_for needs 'expect', 'network' or 'seconds'")
        return self

    def __str__(self) -> str:
        waits = [f"for {self.seconds:g} s"] if self.seconds else []
        waits += ["until the network is idle"] if self.network else []
        waits += ["until " + " and ".join(map(str, self.expect))] if self.expect else []
        return "wait " + ", then ".join(waits)
