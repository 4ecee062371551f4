"""The actions of a skill: one frozen model per verb, in ``sop/verbs/``.

Each verb says what *done* means for it, and what its effect is when nothing else is said. ``read`` and ``idempotent``
may be repeated freely; ``irreversible`` is repeated only when its expected effect was seen not to have happened.
"""

from __future__ import annotations

from typing import Annotated, Union

from pydantic import Discriminator

from sopbench.sop.verbs.fields import (
    Clear,
    Copy,
    Fill,
    Paste,
    PickDate,
    Press,
    Select,
    SelectText,
    SetChecked,
    Type,
    Upload,
)
from sopbench.sop.verbs.pages import Back, CloseTab, Navigate, Reload, Screenshot, SwitchTab, WaitFor
from sopbench.sop.verbs.pointer import Click, Drag, Hover, Scroll
from sopbench.sop.verbs.reading import Download, Extract
from sopbench.sop.verbs.thinking import Interpret, Set
from sopbench.sop.verbs.tools import CallTool, Request

Entry = Fill | Clear | Type | SetChecked | Select | PickDate | Upload | Paste
"""Verbs that enter something into a field."""

ElementAction = Union[  # noqa: UP007
    Click, Hover, Drag, Fill, Clear, Type, SetChecked, Select, PickDate, Upload, SelectText, Copy, Paste, Download,
]  # fmt: skip
"""Verbs that are done to one element."""

PageAction = Union[Navigate, Back, Reload, SwitchTab, CloseTab, Screenshot, WaitFor, Press, Scroll, Extract]  # noqa: UP007
"""Verbs of a page, its tabs, and reading."""

BrowserAction = Union[ElementAction, PageAction]  # noqa: UP007
"""Verbs that a browser performs."""

ToolAction = Union[Request, CallTool]  # noqa: UP007
"""Verbs that ask another system than the page."""

AnyAction = Annotated[
    Union[BrowserAction, ToolAction, Interpret, Set],  # noqa: UP007
    Discriminator("do"),
]
