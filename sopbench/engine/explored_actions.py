"""From a model's answer to an action: only what was offered, only in the plainest words, and never a template."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from sopbench.engine.explored_effects import Verdict, effect_of
from sopbench.engine.prompts import WHY_MAX_CHARS
from sopbench.sop.approval_rules import origin_of
from sopbench.sop.verbs.fields import Clear, Fill, PickDate, Press, Select, SetChecked
from sopbench.sop.verbs.pages import Back, Navigate
from sopbench.sop.verbs.pointer import Click, Hover, Point, Scroll
from sopbench.targeting.shown import NONE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sopbench.engine.exploration_memory import Key
    from sopbench.engine.exploring import Goal
    from sopbench.engine.observation import Observation, Offered
    from sopbench.engine.prompts import Offer
    from sopbench.sop.actions import BrowserAction
    from sopbench.sop.targets import Target

KEYS = ("Enter", "Escape", "Tab", "ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End")
_WITHOUT_ELEMENT = ("press", "scroll", "back", "navigate")
_WITHOUT_VALUE = ("click", "hover", "clear", "back")
"""Done again on the same page, they do the same."""
_VALUE_MAX_CHARS = 200
_SCROLL_PX = 600
_TELLING_CHARS = 3
"""A shorter text may be the same by chance."""
_TEMPLATE = re.compile(r"\{[{%#]")
_OFF = ("off", "no", "false", "unchecked")


class NotOffered(Exception):
    """The answer names what was not to be chosen."""


@dataclass(frozen=True)
class Chosen:
    """One action that may be done, as far as verbs and origins go."""

    action: BrowserAction
    verdict: Verdict
    why: str
    """The model's."""

    @property
    def says(self) -> str:
        told = getattr(self.action, "value", None) or getattr(self.action, "date", None)
        return f"{self.action}, {told!r}" if told else str(self.action)

    @property
    def key(self) -> Key:
        target = getattr(self.action, "target", None)
        return self.action.do, str(target or ""), self.says


def offers(seen: Observation, verbs: Sequence[str], done: Collection[Offer]) -> tuple[Offer, ...]:
    """What may be chosen: elements with the verbs that they take, and verbs that need none.

    Not what was ``done`` on a page just like this, and can do nothing else there.
    """
    numbered = [
        (verb, str(number))
        for number, offered in enumerate(seen.offered, start=1)
        for verb in verbs
        if verb in offered.takes
    ]
    alone = [(verb, NONE) for verb in verbs if verb in _WITHOUT_ELEMENT]
    worn = {each for each in done if each[0] in _WITHOUT_VALUE}
    return tuple(each for each in (*numbered, *alone) if each not in worn)


async def chosen(answer: Mapping[str, Any], seen: Observation, goal: Goal, name: str) -> Chosen:
    """``name`` is for a window that it opens. Raises: NotOffered; TargetNotFound when the element is gone."""
    verb, value = str(answer.get("do", "")), str(answer.get("value", "")).strip()
    if verb not in goal.allowed:
        raise NotOffered(f"{verb!r} is not allowed")
    if len(value) > _VALUE_MAX_CHARS or _TEMPLATE.search(value):
        raise NotOffered(f"{verb} {value[:40]!r} is not allowed: the value is too long, or a formula")
    offered = _element(verb, str(answer.get("element", NONE)), seen)
    _check_value(verb, value, goal)
    facts, state = (offered.facts, offered.state) if offered else ({}, {})
    verdict = effect_of(verb, facts, state, value)
    target = None if offered is None else await seen.candidates.target(offered.place)
    action = _made(verb, target, value, name if offered and offered.state.get("new_window") else None)
    why = " ".join(str(answer.get("why", "")).split())[:WHY_MAX_CHARS]
    return Chosen(action.model_copy(update={"effect": verdict.effect}), verdict, why)


def _element(verb: str, number: str, seen: Observation) -> Offered | None:
    if verb in ("back", "navigate") or (number == NONE and verb in _WITHOUT_ELEMENT):
        return None
    if not number.isdecimal() or not 1 <= int(number) <= len(seen.offered):
        raise NotOffered(f"there is no element {number[:20]} to {verb}")
    offered = seen.offered[int(number) - 1]
    if verb not in offered.takes:
        raise NotOffered(f"{offered.line} cannot be used to {verb}")
    return offered


def _check_value(verb: str, value: str, goal: Goal) -> None:
    match verb:
        case "press" if value not in KEYS:
            raise NotOffered(f"{value!r} is no key to press; there are {', '.join(KEYS)}")
        case "fill" | "select" if not value:
            raise NotOffered(f"{verb} needs a value")
        case "navigate" if not value.startswith(("https://", "http://")) or origin_of(value) not in goal.origins:
            raise NotOffered(f"{value!r} is no address within {', '.join(goal.origins)}")
        case "pick_date" if not _is_date(value):
            raise NotOffered(f"{value!r} is no date such as 2025-06-02")
        case _:
            pass


def _is_date(value: str) -> bool:
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _made(verb: str, target: Target | None, value: str, opens: str | None) -> BrowserAction:  # noqa: C901 - a case per verb
    if target is None:
        match verb:
            case "back":
                return Back()
            case "navigate":
                return Navigate(url=value)
            case "press":
                return Press(key=value)
            case _:
                return Scroll(by=Point(y=-_SCROLL_PX if value.casefold() == "up" else _SCROLL_PX))
    match verb:
        case "hover":
            return Hover(target=target)
        case "fill":
            return Fill(target=target, value=value)
        case "clear":
            return Clear(target=target)
        case "select":
            return Select(target=target, option=value)
        case "set_checked":
            return SetChecked(target=target, checked=value.casefold() not in _OFF)
        case "pick_date":
            return PickDate(target=target, date=value)
        case "press":
            return Press(target=target, key=value)
        case "scroll":
            return Scroll(target=target, by=Point(y=-_SCROLL_PX if value.casefold() == "up" else _SCROLL_PX))
        case _:
            return Click(target=target, opens=opens)


def plain(action: BrowserAction, variables: Mapping[str, Any]) -> dict[str, Any]:
    """The action as a document would say it; a value that is just what a variable holds stands as that variable."""
    told = {"do": action.do, **action.model_dump(mode="json", by_alias=True, exclude_defaults=True)}
    for key in ("value", "option", "date"):
        if isinstance(told.get(key), str) and (name := _holding(told[key], variables)) is not None:
            told[key] = f"{{{{ {name} }}}}"
    return told


def _holding(text: str, variables: Mapping[str, Any]) -> str | None:
    if len(text) < _TELLING_CHARS:
        return None
    return next((name for name, value in variables.items() if value == text), None)
