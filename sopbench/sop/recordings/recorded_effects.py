"""What a recorded click or key does to the world, as far as its target's role and name tell."""

from __future__ import annotations

import re

from sopbench.sop.actions import AnyAction
from sopbench.sop.targets import Target
from sopbench.sop.verbs.base import Effect
from sopbench.sop.verbs.fields import Press
from sopbench.sop.verbs.pointer import Click

_LOOKING = {
    "link", "tab", "textbox", "searchbox", "spinbutton", "combobox", "columnheader", "rowheader", "heading", "cell",
    "gridcell", "row", "treeitem", "menuitem", "img", "slider", "listbox", "tablist",
}  # fmt: skip
_CHOOSING = {"option", "radio", "menuitemradio"}
_CONSEQUENCES = re.compile(
    r"\b(?:delete|remove|save|submit|send|create|add|pay|buy|order|confirm|publish|approve|reject|post|apply|update"
    r"|archive|transfer|book|invite|upload|import|discard|reset|clear|run|start|stop|cancel (?:order|subscription))\b",
    re.IGNORECASE,
)
_GRAVE = re.compile(
    r"\b(?:delete|remove|confirm|send|pay|buy|publish|archive|discard|approve|reject|unsubscribe|reset|cancel order)\b",
    re.IGNORECASE,
)
"""Of a link: one to 'Add' or 'Save' leads to a form."""
_HARMLESS = re.compile(
    r"\W*(?:cancel|close|dismiss|back|previous|search|find|filters?|show|hide|view|edit|details|more|menu|expand|collapse"
    r"|sort|help|home|options)\b(?! (?:order|subscription))",
    re.IGNORECASE,
)
_SIGN_IN = re.compile(r"\W*(?:log|sign) ?(?:in|on|out)\W*", re.IGNORECASE)
_MOVING_KEYS = re.compile(
    r"(?:(?:Control|Meta|ControlOrMeta|Shift)\+)*"
    r"(?:Tab|Escape|Home|End|PageUp|PageDown|Arrow(?:Up|Down|Left|Right)|F\d+)"
    r"|(?:Control|Meta|ControlOrMeta)\+[acf]",
    re.IGNORECASE,
)


def effect_of(action: AnyAction) -> Effect:
    """The verb's own effect, unless the recording shows that it is less."""
    if isinstance(action, Press):
        searches = action.key == "Enter" and action.target is not None and action.target.role == "searchbox"
        return Effect.READ if searches or _MOVING_KEYS.fullmatch(action.key) else action.effect
    if isinstance(action, Click) and action.dialog is None:
        return _of_click(action.target)
    return action.effect


def _of_click(target: Target) -> Effect:
    roles = {target.role} if isinstance(target.role, str) else set(target.role or ())
    name = target.name or target.text or target.label or ""
    if _SIGN_IN.fullmatch(name):
        return Effect.IDEMPOTENT
    if (_GRAVE if roles == {"link"} else _CONSEQUENCES).search(name):
        return Effect.IRREVERSIBLE
    if roles and roles <= _CHOOSING:
        return Effect.IDEMPOTENT
    if (roles and roles <= _LOOKING) or _HARMLESS.match(name):
        return Effect.READ
    return Effect.IRREVERSIBLE
