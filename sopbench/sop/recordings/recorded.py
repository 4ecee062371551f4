"""What a recording says, whatever tool made it: actions in their order, and what could not be read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from sopbench.sop.actions import AnyAction
from sopbench.sop.recordings.recorded_urls import pattern_of
from sopbench.sop.recordings.selector_facts import Facts, css_chain
from sopbench.sop.targets import Expectation, Target
from sopbench.sop.verbs.base import OnTarget
from sopbench.sop.verbs.fields import Clear, Fill, PickDate, Press, Select, SetChecked, Upload
from sopbench.sop.verbs.pages import CloseTab, Navigate, SwitchTab
from sopbench.sop.verbs.pointer import Click

Json = dict[str, Any]

MAIN_TAB = "main"
_ENTRIES = Fill | Clear | Select | PickDate | Upload

_SECRET = re.compile(
    r"passw|passphrase|passcode|kennwort|contrase|senha|secret|token|api.?key|(?<![a-z])(?:pwd|pin|pin.?code|otp|cvv|cvc)(?![a-z])"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True)
class Caveat:
    """Something of the recording that is not, or not surely, in the procedure."""

    place: str
    """``orders.json: step 7`` or ``orders.py:12``."""
    what: str
    hint: str
    """Why, and what to do about it."""
    lost: bool = True
    """Whether it is missing; otherwise it was taken in a certain way, which may be wrong."""

    def __str__(self) -> str:
        return f"{self.place}: {self.what} was not carried over: {self.hint}" if self.lost else (
            f"{self.place}: {self.what}; {self.hint}"
        )  # fmt: skip


@dataclass(frozen=True)
class Recorded:
    """One action of a recording. Its texts are as recorded: nothing in them is a template."""

    action: AnyAction
    place: str
    """``step 7`` or ``line 12``."""
    kept: Json = field(default_factory=dict)
    """What the recording knows besides; goes under ``x-recorded``."""
    fingerprint: Json = field(default_factory=dict)
    """What its element was like, as far as the recording tells more than the target does."""
    tab: str = MAIN_TAB
    field: str = ""
    """What a person calls the field that is filled."""
    is_secret: bool = False
    from_env: str | None = None
    """The environment variable that the recording takes the value from."""
    moves: bool = False
    """The page's address changed after it."""
    viewport: str | None = None
    """Size of the page, ``1280 x 720``."""

    @property
    def target(self) -> Target | None:
        return getattr(self.action, "target", None)

    def changed(self, **changes: Any) -> Recorded:
        """With other values in its action."""
        return replace(self, action=self.action.model_copy(update=changes))

    def expecting(self, *expected: Expectation) -> Recorded:
        """With more that must be true afterwards."""
        new = tuple(each for each in expected if each not in self.action.expect)
        return self.changed(expect=(*self.action.expect, *new))


@dataclass(frozen=True)
class Recording:
    """A recording that was read."""

    title: str
    made_by: str
    actions: tuple[Recorded, ...]
    caveats: tuple[Caveat, ...] = ()
    find_s: float | None = None
    """Its own time limit for finding an element."""


def looks_secret(*words: str) -> bool:
    """Whether names of a field (label, type, id) say that its value must not be shown."""
    return any(_SECRET.search(_CAMEL.sub(" ", word).lower()) for word in words)


def simplified(actions: Iterable[Recorded]) -> tuple[Recorded, ...]:
    """Without what a person does on the way: a click into a field that is filled then, a value typed in two goes."""
    made: list[Recorded] = []
    for each in actions:
        while made and made[-1].tab == each.tab and (_is_on_the_way(made[-1], each) or _is_on_label(made[-1], each)):
            made.pop()
        if made and made[-1].tab == each.tab and _ends_entry(made[-1], each):
            made[-1] = replace(made[-1].changed(commit="tab"), moves=each.moves).expecting(*each.action.expect)
        else:
            made.append(each)
    return tuple(made)


def _is_on_the_way(before: Recorded, entry: Recorded) -> bool:
    if not isinstance(entry.action, _ENTRIES) or before.target != entry.target or before.action.expect or before.moves:
        return False
    match before.action:
        case Click(button="left", modifiers=(), opens=None, dialog=None):
            return True
        case Fill():
            return isinstance(entry.action, Fill)
        case Clear():
            return True
        case Press():
            return isinstance(entry.action, Select)
        case _:
            return False


def _is_on_label(before: Recorded, box: Recorded) -> bool:
    """The browser passes a click on a label on to its box; both are recorded."""
    click, target = before.action, box.target
    if not isinstance(click, Click) or not isinstance(box.action, SetChecked) or target is None or click.expect:
        return False
    words = {each for each in (click.target.text, click.target.name) if each}
    return bool(words & {target.name, target.label}) or css_chain(click.target.css or "")[-1:] == [Facts(tag="label")]


def _ends_entry(before: Recorded, key: Recorded) -> bool:
    if not isinstance(before.action, Fill) or before.action.commit or before.moves or before.action.expect:
        return False
    press = key.action
    return isinstance(press, Press) and press.key == "Tab" and press.times == 1 and key.target in (None, before.target)


def with_tabs(actions: Iterable[Recorded]) -> tuple[Recorded, ...]:
    """With tabs switched where the recording goes on in another one. One tab alone needs no name."""
    actions = tuple(actions)
    if len({each.tab for each in actions}) < 2:
        return actions
    made: list[Recorded] = []
    current: str | None = None
    known: set[str] = set()
    for each in actions:
        action = each.action
        if isinstance(action, CloseTab):
            made.append(each)
            current = None
            continue
        if each.tab != current:
            if isinstance(action, Navigate) and each.tab not in known:
                made.append(replace(each, action=SwitchTab(tab=each.tab, url=action.url, expect=action.expect)))
            else:
                made += [_switched(each, is_known=each.tab in known), each]
            current = each.tab
            known.add(each.tab)
        else:
            made.append(each)
        opened = getattr(action, "opens", None)
        if opened is not None:
            current = opened
            known.add(opened)
    return tuple(made)


def _switched(to: Recorded, *, is_known: bool) -> Recorded:
    shows = None if is_known else pattern_of(str(to.kept.get("target") or "*"))
    return Recorded(SwitchTab(tab=to.tab, shows=shows), to.place, tab=to.tab, viewport=to.viewport)


def on_target(action: AnyAction) -> Target | None:
    """The element an action is done to, if it is one that can be seen before."""
    if isinstance(action, Upload):  # file fields are often hidden behind a button
        return None
    return action.target if isinstance(action, OnTarget | Press) else None
