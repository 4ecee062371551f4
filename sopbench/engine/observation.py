"""What an exploration sees of a page: its text, and what can be done on it, numbered and bounded."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sopbench.sop.approval_rules import origin_of
from sopbench.targeting.shown import says

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sopbench.ports.browser import Browser, Candidates, ElementState

MOST_ELEMENTS = 60
MOST_CHARS = 4000
"""Of all elements together."""
TEXT_CHARS = 1200
_VALUE_CHARS = 40
_NEAR_CHARS = 60
_AROUND_CHARS = 40
_ELSE = {"heading": "under", "near": "near"}
"""What tells elements apart that are called alike."""
_WEB = ("https://", "http://", "file:")
_LONG = ("list", "grid", "treegrid", "table", "tree", "menu", "feed", "log", "dialog")
"""Containers that may show only a part of what they hold."""
_DIALOGS = ("dialog", "alertdialog")
_MANY_ALIKE = 12
_PLACES = re.compile(r"\[\d+\]")
_CELLS = {"gridcell", "cell"}
"""What a row says already."""
_FILES = {"file"}
_UNTYPED = {"checkbox", "radio", "range", "color", "button", "submit", "reset", "image"}
_TYPED_ROLES = {"textbox", "searchbox", "spinbutton"}
_TICKED_ROLES = {"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"}

_Seen = tuple[int, "Mapping[str, Any]", "ElementState"]
"""Place among the candidates, fingerprint, state."""


@dataclass(frozen=True)
class Offered:
    """One element that something can be done with."""

    place: int
    """Among the candidates."""
    facts: Mapping[str, Any]
    state: ElementState
    line: str
    """As the model is shown it, without its number."""

    @property
    def takes(self) -> frozenset[str]:
        """The verbs it can take."""
        tag, role, kind = (str(self.facts.get(key, "")) for key in ("tag", "role", "type"))
        verbs = {"click", "hover"}
        if any(str(each).startswith(_LONG) for each in self.facts.get("container", ())):
            verbs.add("scroll")
        if "options" in self.state or role in ("combobox", "listbox"):
            verbs.add("select")
        if tag == "textarea" or role in (*_TYPED_ROLES, "combobox") or (tag == "input" and kind not in _UNTYPED):
            verbs |= {"fill", "clear", "pick_date", "press"}
        if "checked" in self.state or role in _TICKED_ROLES:
            verbs.add("set_checked")
        return frozenset(verbs - {"fill", "clear", "pick_date"} if tag == "select" else verbs)


@dataclass(frozen=True)
class Observation:
    """The page at one look."""

    address: str
    title: str
    text: str
    offered: tuple[Offered, ...]
    """Their place here, from 1, is their number for the model."""
    left_out: int
    """Elements that could be offered, and for which there was no room."""
    elsewhere: int
    """Elements that may not be used: they lead to other origins, belong to them, or take passwords and files."""
    candidates: Candidates

    @cached_property
    def digest(self) -> str:
        """The same for pages that look the same."""
        lines = "\n".join(each.line for each in self.offered)
        return hashlib.sha256(f"{self.address}\0{lines}\0{self.text}".encode()).hexdigest()[:12]

    def told(self) -> str:
        """In words, for a model."""
        lines = [f"{number}: {each.line}" for number, each in enumerate(self.offered, start=1)]
        if self.left_out:
            lines.append(f"({self.left_out} more are not listed; scrolling brings others)")
        elements = "\n".join(lines) or "(none)"
        return f"Address: {self.address}\nTitle: {self.title}\nText: {self.text}\n\nElements:\n{elements}"

    def since(self, before: Observation) -> str:
        """What became of the page, in a few words."""
        if self.digest == before.digest:
            return "it changed nothing"
        old = Counter(each.line for each in before.offered)
        new = list((Counter(each.line for each in self.offered) - old).elements())
        there = f"; new: {'; '.join(new[:3])}" if new else ""
        if self.address != before.address:
            return f"the page is now {_shown(self.address, 100)}{there}"
        return f"the page changed{there}" if there else "the page's text changed"


async def observe(browser: Browser, origins: Sequence[str], *, downloads: bool) -> Observation:
    """Look at the page in front. Raises: BrowserLost."""
    candidates = await browser.candidates("click")
    elements = candidates.elements
    states = await candidates.states(range(len(elements)))
    told = zip(range(len(elements)), elements, states, strict=True)
    mine = [each for each in told if not each[2].get("label_of")]
    has_rows = any(facts.get("role") == "row" for _, facts, _ in mine)
    mine = [each for each in mine if not (has_rows and each[1].get("role") in _CELLS)]
    usable = [each for each in mine if _may_be_used(each[1], each[2], origins, downloads=downloads)]
    ordered = _by_importance(usable)
    alike = Counter(_called(facts) for _, facts, _ in usable)
    offered: list[Offered] = []
    room = MOST_CHARS
    for place, facts, state in ordered[:MOST_ELEMENTS]:
        line = _line(facts, state, is_alone=alike[_called(facts)] == 1)
        room -= len(line) + 5
        if room < 0:
            break
        offered.append(Offered(place, facts, state, line))
    return Observation(
        address=await browser.where(),
        title=_shown(await browser.title(), 100),
        text=_shown(await browser.visible_text(), TEXT_CHARS),
        offered=tuple(offered),
        left_out=len(usable) - len(offered),
        elsewhere=len(mine) - len(usable),
        candidates=candidates,
    )


def _may_be_used(facts: Mapping[str, Any], state: ElementState, origins: Sequence[str], *, downloads: bool) -> bool:
    """Whether it belongs to these origins, stays on them, and takes no passwords and files."""
    if state.get("origin") not in origins or state.get("secret") or facts.get("type") in _FILES:
        return False
    if state.get("downloads") and not downloads:
        return False
    if "leads_to" in state and not _is_within(state["leads_to"], origins):
        return False
    form = state.get("form")
    sends = form is not None and form["method"] != "dialog" and form["action"] != ""
    return not (form is not None and sends and not _is_within(form["action"], origins))


def _is_within(address: str, origins: Sequence[str]) -> bool:
    return address.lower().startswith(_WEB) and origin_of(address) in origins


def _by_importance(usable: Sequence[_Seen]) -> list[_Seen]:
    """Dialogs first, then what is in sight, then the rest; of many alike only the first ones before all others."""
    alike: Counter[str] = Counter()
    ranked = []
    for place, facts, state in usable:
        kind = f"{facts.get('role')} {_PLACES.sub('', str(facts.get('path', '')))}"
        alike[kind] += 1
        in_dialog = any(str(each).startswith(_DIALOGS) for each in facts.get("container", ()))
        rank = 0 if in_dialog else 1 if state.get("in_sight") else 3
        ranked.append((rank + (alike[kind] > _MANY_ALIKE), place, (place, facts, state)))
    return [seen for _, _, seen in sorted(ranked, key=lambda each: each[:2])]


def _line(facts: Mapping[str, Any], state: ElementState, *, is_alone: bool) -> str:
    notes = []
    if "value" in state:
        notes.append(f"holds {_shown(state['value'], _VALUE_CHARS)!r}")
    if "options" in state:
        notes.append(f"options: {', '.join(_shown(each, 30) for each in state['options'])}")
    is_so = {key: state.get(key) for key in ("checked", "expanded", "selected")}
    notes += [key if holds else f"not {key}" for key, holds in is_so.items() if holds is not None]
    if "opens" in state and "expanded" not in state:
        notes.append(f"opens a {state['opens']}")
    if placeholder := facts.get("placeholder"):
        notes.append(f"placeholder {_shown(placeholder, _VALUE_CHARS)!r}")
    if not is_alone:
        notes += [f"{word} {_shown(facts[key], _NEAR_CHARS)!r}" for key, word in _ELSE.items() if facts.get(key)]
    return _called(facts) + (f" ({'; '.join(notes)})" if notes else "")


def _called(facts: Mapping[str, Any]) -> str:
    around = facts.get("container")
    own = says({key: value for key, value in facts.items() if key not in ("container", "heading")})
    return f"{own} in {_shown(around[0], _AROUND_CHARS)}" if around else own


def _shown(text: str, limit: int) -> str:
    text = " ".join(str(text).split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
