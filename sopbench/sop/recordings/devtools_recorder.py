"""Chrome DevTools Recorder exports (the JSON of ``@puppeteer/replay``) as recorded actions.

The format: https://github.com/puppeteer/replay/blob/main/src/Schema.ts. Whatever a step holds that is not as it should
be is reported; nothing in a recording can make the reader fail.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, cast

from pydantic import ValidationError

from sopbench.sop.actions import AnyAction
from sopbench.sop.recordings.devtools_keys import Keyboard
from sopbench.sop.recordings.devtools_selectors import Found, Selectors, alternatives, found, words_of
from sopbench.sop.recordings.devtools_steps import filled, kept, secrets
from sopbench.sop.recordings.devtools_steps import number as number_in
from sopbench.sop.recordings.devtools_waits import awaited
from sopbench.sop.recordings.recorded import MAIN_TAB, Caveat, Json, Recorded, Recording, looks_secret
from sopbench.sop.recordings.recorded_urls import origin_of
from sopbench.sop.recordings.recorded_words import called, slug
from sopbench.sop.targets import Target, UrlIs
from sopbench.sop.verbs.fields import Fill, PickDate, Press, Select, SetChecked, Upload
from sopbench.sop.verbs.pages import CloseTab, Navigate, WaitFor
from sopbench.sop.verbs.pointer import Click, Hover, Point, Scroll

MADE_BY = "Chrome DevTools Recorder"
_BUTTONS = {"primary": "left", "secondary": "right", "auxiliary": "middle"}
_WHERE_MATTERS = {"canvas", "svg", "map"}
_FAKE_PATH = "C:\\fakepath\\"
_PART = 4
"""A text of fewer characters may be part of a secret by chance."""


class _Skip(Exception):
    """The step cannot be carried over; says what, and what to do."""

    def __init__(self, what: str, hint: str) -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint


def is_recording(data: Any) -> bool:
    """Whether this is what the recorder exports."""
    return isinstance(data, dict) and isinstance(data.get("steps"), list) and "meta" not in data


def read(data: Json, *, file: str, name: str) -> Recording:
    """A recording, from the JSON of its file. ``name`` is its title if it has none."""
    reader = _Reader(file, _fields=filled(data["steps"]), _secrets=secrets(data["steps"]))
    for number, step in enumerate(data["steps"], start=1):
        reader.step(number, step)
    reader.finish()
    timeout = number_in(data, "timeout")
    title = data.get("title")
    return Recording(
        title=title if isinstance(title, str) and title.strip() else name,
        made_by=MADE_BY,
        actions=tuple(reader.actions),
        caveats=tuple(reader.caveats),
        find_s=timeout / 1000 if timeout and timeout > 0 else None,
    )


@dataclass
class _Reader:
    file: str
    _fields: frozenset[str]
    """Selectors of elements that something is typed into."""
    _secrets: frozenset[str]
    """What was typed into secret fields; the recorder tells parts of it as their text."""
    actions: list[Recorded] = field(default_factory=list)
    caveats: list[Caveat] = field(default_factory=list)
    _keyboard: Keyboard = field(default_factory=Keyboard)
    _viewport: str | None = None
    _focus: Target | None = None
    """The field the keys go to, as far as one can tell."""
    _scrolled: dict[str, tuple[float, float]] = field(default_factory=dict)
    _tabs: dict[str, str] = field(default_factory=dict)
    _after_label: bool = False
    """The last action was a click on a field's label."""

    def step(self, number: int, step: Any) -> None:
        place = f"{self.file}: step {number}"
        kind = step.get("type") if isinstance(step, dict) else None
        if not isinstance(kind, str):
            self.caveats.append(Caveat(place, "something that is no step", "it has no type"))
            return
        handle = _HANDLERS.get(kind)
        if handle is None:
            self.caveats.append(Caveat(place, f"the step {kind!r:.60}", "this kind of step is not known"))
            return
        try:
            handle(self, number, step)
        except _Skip as error:
            self.caveats.append(Caveat(place, f"{kind} {error.what}".rstrip(), error.hint))
        except ValidationError as error:
            why = error.errors()[0]["msg"].removeprefix("Value error, ")
            self.caveats.append(Caveat(place, kind, why[:1].lower() + why[1:]))

    def finish(self) -> None:
        """What can be said only when all is read."""
        while self.actions and isinstance(self.actions[-1].action, CloseTab):
            self.actions.pop()

    # ---- one method per kind of step

    def set_viewport(self, number: int, step: Json) -> None:
        width, height = number_in(step, "width"), number_in(step, "height")
        if width is not None and height is not None:
            self._viewport = f"{width:g} x {height:g}"

    def navigate(self, number: int, step: Json) -> None:
        url = step.get("url")
        if not isinstance(url, str) or not url.strip():
            raise _Skip("", "it has no url")
        self._focus = None
        self._scrolled.clear()
        if origin_of(url) or url.startswith(("file:", "data:")):
            self._add(number, step, Navigate(url=url))

    def click(self, number: int, step: Json) -> None:
        selectors = self._selectors(step)
        element = self._element(step, is_entry=not self._fields.isdisjoint(words_of(selectors)))
        button = step.get("button", "primary")
        if not isinstance(button, str) or button not in _BUTTONS:
            raise _Skip(f"with the button {button!r:.40}", "only left, right and middle are known")
        x, y = number_in(step, "offsetX"), number_in(step, "offsetY")
        needs_place = element.facts.tag in _WHERE_MATTERS or element.role == "slider"
        at = Point(x=round(x), y=round(y)) if needs_place and x is not None and y is not None else None
        click = Click(
            target=element.target,
            button=cast(Any, _BUTTONS[button]),
            double=step["type"] == "doubleClick",
            modifiers=tuple(self._keyboard.held),
            at=at,
        )
        is_field = element.facts.tag in {"input", "textarea"} or not self._fields.isdisjoint(words_of(selectors))
        self._focus = element.target if is_field else None
        if self._after_label and element.facts.tag in {"", "input"}:
            self.actions.pop()  # the browser passes a click on a label on to its field
        self._add(number, step, click, element)
        self._after_label = element.is_label and click.button == "left"

    def hover(self, number: int, step: Json) -> None:
        element = self._element(step)
        self._add(number, step, Hover(target=element.target), element)

    def change(self, number: int, step: Json) -> None:
        value = step.get("value")
        if not isinstance(value, str):
            raise _Skip("", "it has no value")
        element = self._element(step, is_entry=True)
        self._focus = element.target
        kind = element.facts.input_type
        if kind in {"checkbox", "radio"}:
            self._choice(number, step, element, kind)
            return
        if value.startswith(_FAKE_PATH) or kind == "file":
            self._upload(number, step, element, value.removeprefix(_FAKE_PATH))
            return
        action: AnyAction
        if element.is_select:
            action = Select(target=element.target, value=value)
        elif kind == "date" and value:
            action = PickDate(target=element.target, date=value)
        else:
            action = Fill(target=element.target, value=value)  # of a drop-down it chooses
        self._add(number, step, action, element)

    def key_down(self, number: int, step: Json) -> None:
        key = step.get("key")
        chord = self._keyboard.down(key) if isinstance(key, str) and key else False
        if chord is False:
            raise _Skip(f"of {key!r:.40}", "there is no such key; say with 'press' or 'type' what was meant")
        if chord is None:
            return
        before = self.actions[-1] if self.actions else None
        tab = self._tab(step)
        action = before.action if before is not None else None
        if isinstance(action, Press) and action.key == chord and before is not None and before.tab == tab:
            self.actions[-1] = before.changed(times=int(action.times) + 1)
        else:
            self._add(number, step, Press(key=chord, target=self._focus))
        if chord in {"Tab", "Shift+Tab"}:
            self._focus = None

    def key_up(self, number: int, step: Json) -> None:
        if isinstance(step.get("key"), str):
            self._keyboard.up(step["key"])
        self._note_navigation(step)

    def scroll(self, number: int, step: Json) -> None:
        x, y = number_in(step, "x") or 0.0, number_in(step, "y") or 0.0
        element = self._element(step) if self._selectors(step) else None
        key = str(element.target if element else step.get("frame"))
        before = self._scrolled.get(key, (0.0, 0.0))
        self._scrolled[key] = (x, y)
        by = Point(x=x - before[0], y=y - before[1])
        if by == Point():
            if element is not None:
                self._add(number, step, Scroll(target=element.target), element)
            return
        self._add(number, step, Scroll(target=element.target if element else None, by=by), element)

    def close(self, number: int, step: Json) -> None:
        tab = self._tab(step)
        self._add(number, step, CloseTab(tab=None if tab == MAIN_TAB else tab))

    def wait_for_element(self, number: int, step: Json) -> None:
        element = self._element(step)
        try:
            expected, unsaid = awaited(step, element.target)
        except ValueError as error:
            raise _Skip("", str(error)) from None
        timeout = number_in(step, "timeout")
        wait = WaitFor(expect=expected, timeout_s=timeout / 1000 if timeout and timeout > 0 else None)
        self._add(number, step, wait, element)
        if unsaid:
            place = f"{self.file}: step {number}"
            self.caveats.append(Caveat(place, f"waitForElement's {unsaid}", "say with 'expect' what can be seen"))

    def wait_for_expression(self, number: int, step: Json) -> None:
        code = " ".join(str(step.get("expression", "")).split())
        raise _Skip(f"{code!r:.80}", "an SOP runs no code; say with 'wait_for' and 'expect' what can be seen then")

    def custom_step(self, number: int, step: Json) -> None:
        raise _Skip(f"{step.get('name', '')!r:.60}", "what it does is known only to its extension; add actions for it")

    def emulate_network_conditions(self, number: int, step: Json) -> None:
        raise _Skip("", "the network is no part of a procedure; try it under a condition instead")

    # ---- what they share

    def _choice(self, number: int, step: Json, element: Found, kind: str) -> None:
        """Boxes change because they were clicked; the click is recorded, too."""
        before = self.actions[-1] if self.actions else None
        if before is not None and isinstance(before.action, Click) and before.target == element.target:
            self._note_navigation(step)
        elif kind == "radio":
            self._add(number, step, SetChecked(target=element.target), element)
        else:
            raise _Skip("of a checkbox", "the recording does not say which state it got; add 'set_checked'")

    def _upload(self, number: int, step: Json, element: Found, name: str) -> None:
        if not name:
            raise _Skip("of a file field", "no file was chosen")
        if self.actions and isinstance(self.actions[-1].action, Click) and self.actions[-1].tab == self._tab(step):
            self.actions.pop()  # it opened the dialog in which the file was chosen
        self._add(number, step, Upload(target=element.target, files=(name,)), element)
        what = f"the file {name!r:.80} is looked for beside the procedure"
        hint = "the recording knows only its name: put it there"
        self.caveats.append(Caveat(f"{self.file}: step {number}", what, hint, lost=False))

    def _element(self, step: Json, *, is_entry: bool = False) -> Found:
        selectors = self._selectors(step)
        if not selectors:
            raise _Skip("", "it has no selectors")
        frames = step.get("frame")
        frame = None
        if isinstance(frames, list) and frames and all(isinstance(each, int) and each >= 0 for each in frames):
            frame = tuple(f"iframe >> nth={each}" for each in frames)
        element = found(selectors, is_entry=is_entry, frame=frame)
        if element is None:
            raise _Skip("", "none of its selectors can be used")
        return element

    def _selectors(self, step: Json) -> Selectors:
        told = alternatives(step.get("selectors"))
        return tuple(each for each in told if not any(map(self._tells, each)))

    def _tells(self, selector: str) -> bool:
        """Whether a text is (part of) a secret."""
        text = selector.removeprefix("text/") if selector.startswith("text/") else ""
        return len(text) >= _PART and any(text in each or each in text for each in self._secrets)

    def _tab(self, step: Json) -> str:
        """The name of the tab that a step is done in. Another target than ``main`` is given by its address."""
        target = step.get("target")
        if not isinstance(target, str) or target in {"", MAIN_TAB}:
            return MAIN_TAB
        if target not in self._tabs:
            host = slug(origin_of(target).partition("://")[2] or "tab")
            name, number = host, 2
            while name in self._tabs.values():
                name, number = f"{host}_{number}", number + 1
            self._tabs[target] = name
        return self._tabs[target]

    def _add(self, number: int, step: Json, action: AnyAction, element: Found | None = None) -> None:
        self._after_label = False
        selectors = self._selectors(step)
        is_secret = bool(element) and looks_secret(*words_of(selectors))
        tab, known = self._tab(step), self._tabs.get(str(step.get("target")))
        before = self.actions[-1] if self.actions else None
        if before is not None and tab != before.tab and known and not any(each.tab == tab for each in self.actions):
            self._opened(before, tab, number)
        self.actions.append(
            Recorded(
                action=action,
                place=f"step {number}",
                kept=kept(step, selectors, is_secret=is_secret),
                fingerprint=element.fingerprint if element else {},
                tab=tab,
                field=(element.name.rstrip(":* ") or called(element.target)) if element else "",
                is_secret=is_secret,
                viewport=self._viewport,
            )
        )
        self._note_navigation(step)

    def _opened(self, by: Recorded, tab: str, number: int) -> None:
        if isinstance(by.action, Click) and by.action.opens is None and not by.moves:
            self.actions[-1] = by.changed(opens=tab)
            what = f"the click before was taken as opening the tab {tab!r}"
            hint = "if this page is shown inside the other one, remove 'opens' and say its 'frame'"
            self.caveats.append(Caveat(f"{self.file}: step {number}", what, hint, lost=False))

    def _note_navigation(self, step: Json) -> None:
        """The page went on to another address with the last action."""
        events = step.get("assertedEvents")
        for event in events if isinstance(events, list) else ():
            if not isinstance(event, dict) or event.get("type") != "navigation" or not self.actions:
                continue
            last = self.actions[-1]
            self._focus = None
            self._scrolled.clear()
            url, title = event.get("url"), event.get("title")
            kept = last.kept | ({"title": title} if isinstance(title, str) and title else {})
            last = replace(last, moves=True, kept=kept)
            self.actions[-1] = last.expecting(UrlIs(url=url)) if isinstance(url, str) and origin_of(url) else last


_HANDLERS: dict[str, Callable[[_Reader, int, Json], None]] = {
    "setViewport": _Reader.set_viewport,
    "navigate": _Reader.navigate,
    "click": _Reader.click,
    "doubleClick": _Reader.click,
    "hover": _Reader.hover,
    "change": _Reader.change,
    "keyDown": _Reader.key_down,
    "keyUp": _Reader.key_up,
    "scroll": _Reader.scroll,
    "close": _Reader.close,
    "waitForElement": _Reader.wait_for_element,
    "waitForExpression": _Reader.wait_for_expression,
    "customStep": _Reader.custom_step,
    "emulateNetworkConditions": _Reader.emulate_network_conditions,
}
