"""What an element must be able to take, for an action to be done to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from sopbench.sop.verbs.pointer import Click, Drag, Hover
from sopbench.sop.verbs.reading import Download, Extract

if TYPE_CHECKING:
    from sopbench.ports.browser import ElementKind
    from sopbench.sop.actions import AnyAction
    from sopbench.sop.targets import Target


def needs(action: AnyAction) -> tuple[ElementKind, Target] | None:
    """The kind of element an action is done to, and its target; None for what is not done to a single element."""
    match action:
        case Click() | Hover() | Drag() | Download():
            return "click", action.target
        case Fill() | Clear() | Type() | Paste() | PickDate() | SelectText():
            return "fill", action.target
        case Press(target=target) if target is not None:
            return "fill", target
        case Select():
            return "choose", action.target
        case SetChecked():
            return "check", action.target
        case Upload():
            return "upload", action.target
        case Copy():
            return "read", action.target
        case Extract(target=target, all=False, optional=False) if target is not None:
            return "read", target
        case _:
            return None
