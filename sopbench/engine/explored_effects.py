"""What an action that nobody wrote down would do to the world, told from what its element says of itself.

No document declares it, so whatever is not plainly harmless counts as irreversible, and is asked about: words of doing
something for good, a form that is sent, and every button that does not say what it is. Harmless are links, tabs,
paging, searching, and what opens, unfolds or closes something on the page. Fields can be filled and changed again.

A page can lie: what calls itself "Next" may do anything at its own site.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from sopbench.sop.verbs.base import Effect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sopbench.ports.browser import ElementState

_STRONG = re.compile(
    r"\b(pay|pays|payment now|buy|purchase|check ?out|place (?:\w+ )?order|order now|donate|transfer|refund|withdraw|"
    r"delete|deletes|erase|destroy|wipe|purge|permanently|forever|unsubscribe|deactivate|terminate|"
    r"log ?out|log ?off|sign ?out|sign ?off|send (?:money|payment|now|it|all)|close (?:my |the |your )?account)\b"
)
"""Wherever they stand."""
_FIRST = re.compile(
    r"(?:(?:yes|ok|please|click (?:here )?to|i)[,:]? (?:want to )?)?"
    r"(send|submit|remove|discard|clear|empty|reset|restore|revert|undo|cancel|confirm|approve|accept|agree|allow|"
    r"decline|reject|deny|publish|unpublish|post|share|invite|archive|trash|spam|block|ban|revoke|grant|authori[sz]e|"
    r"install|uninstall|upgrade|downgrade|renew|reserve|book|vote|merge|deploy|save|apply|redeem|verify|lock|unlock|"
    r"subscribe|activate|enable|disable|join|leave|reply|forward|upload|import|register|sign ?up|enroll|claim|bid|"
    r"release|close|resolve|reopen|move to|mark|mute|snooze|start|stop|restart|shut ?down|run|execute|"
    r"add to (?:cart|basket|bag))\b"
)
"""At the beginning: an order to do something."""
_ALL_OF = (
    r"(?:go to |to )?(?:the )?(?:next|previous|prev|first|last|older|newer)(?: (?:page|item|result|step|slide|\d+))?s?",
    r"(?:next|previous|prev) (?:month|week|day|year)",
    r"page \d+(?: of \d+)?|\d{1,4}|back(?: to .+)?|go back|return to .+|home|refresh|overview|help|details",
    r"(?:show|load|view|see|read|display|browse|expand|collapse|dismiss|hide)(?: .+)?|more(?: .+)?|less|open(?: .+)?",
    r"close(?: (?:this )?(?:dialog|window|panel|menu|banner|pop-?up|message|tour|sidebar|notice|tip|hint|overlay))?",
    r"close (?:modal|drawer|tab|search|details|preview)|cancel|x",
    r"no|no,? thanks?(?: you)?|not now|(?:maybe |remind me )?later",
    r"skip(?: (?:tour|intro|this|for now))?|got it!?",
    r"toggle (?:\w+ )?(?:menu|nav\w*|sidebar|details|filters?|search)(?: \w+)?",
    r"(?:main |side |user |account |app )?menu|navigation|options|settings|preferences|zoom (?:in|out)",
    r"(?:filters?|sort|search|find|look up)(?: .+)?|go|(?:go|jump) to .+|(?:switch to )?(?:list|grid|table|card) view",
)
_SHOWS = re.compile("|".join(f"(?:{each})" for each in _ALL_OF))
"""All that it says: looking at something else."""
_NAMES_OF_PLACES = {"archive", "trash", "spam", "start"}
_SEARCH = re.compile(r"\b(search|find|filter|query|look ?up)\b")
_SEARCH_FIELDS = {"q", "s", "query", "search", "term", "keyword", "keywords"}
_ROLES_THAT_SHOW = {"tab", "treeitem", "columnheader"}
_ROLES_OF_CHOICE = {"checkbox", "radio", "switch", "option", "menuitemcheckbox", "menuitemradio", "combobox", "slider"}
_ROLES_OF_CONTENT = {"row", "gridcell", "cell", "listitem", "article", "rowheader"}
_FIELD_ROLES = {"textbox", "searchbox", "spinbutton"}
_OPENS = {"menu", "listbox", "tree", "grid", "dialog", "region", "true"}
_PARTS = ("name", "text", "label", "title", "alt")
_CONTENT_WORDS = 5
"""A row that says more than this is told by its content, not by what a click on it does."""
_GOES_ON = re.compile(r"[\W_]+")
_LEADING_SIGNS = re.compile(r"^[^\w]+|[^\w!]+$")


@dataclass(frozen=True)
class Verdict:
    """What it does, and what tells so."""

    effect: Effect
    why: str


def effect_of(verb: str, facts: Mapping[str, Any], state: ElementState, value: str) -> Verdict:
    """Of an action on an element; without one, facts and state are empty.

    ``value`` is what is entered, chosen, pressed or opened.
    """
    match verb:
        case "scroll" | "hover" | "back":
            return Verdict(Effect.READ, "it only looks")
        case "navigate":
            return _address(value) or Verdict(Effect.READ, "it opens a page")
        case "press":
            return _pressed(facts, state, value)
        case "click":
            return _clicked(facts, state)
        case _:
            return _doing(facts, firmly=False) or Verdict(Effect.IDEMPOTENT, "it can be changed again")


def is_search(facts: Mapping[str, Any], state: ElementState) -> bool:
    """Whether a field is for searching."""
    says = " ".join(str(facts.get(key, "")) for key in ("name", "label", "placeholder", "title")).casefold()
    return (
        facts.get("role") == "searchbox"
        or facts.get("type") == "search"
        or str(facts.get("field", "")).casefold() in _SEARCH_FIELDS
        or bool(_SEARCH.search(says))
        or _is_of_search(state)
    )


def _is_of_search(state: ElementState) -> bool:
    form = state.get("form")
    return form is not None and form["search"]


def _pressed(facts: Mapping[str, Any], state: ElementState, key: str) -> Verdict:
    if key not in ("Enter", "Space"):
        return Verdict(Effect.IDEMPOTENT if facts else Effect.READ, "it moves about")
    if not facts:
        return Verdict(Effect.IRREVERSIBLE, "nobody knows what has the focus")
    if _is_field(facts, state):
        if key == "Space" or is_search(facts, state):
            return _address(_form_action(state)) or Verdict(Effect.READ, "it searches")
        return Verdict(Effect.IRREVERSIBLE, "the key may send the form")
    return _clicked(facts, state)


def _clicked(facts: Mapping[str, Any], state: ElementState) -> Verdict:
    if _is_field(facts, state):
        return Verdict(Effect.READ, "it puts the cursor there")
    told = _content(facts, state) or _place(facts, state) or _doing(facts, firmly=True)
    if told is not None:
        return told
    if "leads_to" in state and not state.get("scripted"):
        return _linked(state["leads_to"])
    if state.get("submits"):
        return _sent(facts, state)
    return _by_kind(facts, state)


def _content(facts: Mapping[str, Any], state: ElementState) -> Verdict | None:
    """Of a row, and of a link in one, that says more than what a click on it does."""
    if _words(facts) <= _CONTENT_WORDS:
        return None
    if facts.get("role") in _ROLES_OF_CONTENT:
        return Verdict(Effect.READ, "it opens what it shows")
    if not _is_in_content(facts) or state.get("scripted"):
        return None
    if "leads_to" in state:
        return _linked(state["leads_to"])
    return Verdict(Effect.READ, "it opens what it shows") if facts.get("role") == "link" else None


def _place(facts: Mapping[str, Any], state: ElementState) -> Verdict | None:
    """Of a link whose one word names a place as well as a deed, and whose address names nothing more special."""
    is_plain = "leads_to" in state and not state.get("scripted")
    if not is_plain or any(text not in _NAMES_OF_PLACES for text in _said(facts)):
        return None
    parts = urlsplit(state["leads_to"])
    is_special = any(character.isdigit() for character in parts.path + parts.query)
    return None if is_special else Verdict(Effect.READ, "it leads to a place of that name")


def _linked(url: str) -> Verdict:
    return _address(url) or Verdict(Effect.READ, "it is a link")


def _by_kind(facts: Mapping[str, Any], state: ElementState) -> Verdict:
    role, tag = facts.get("role"), facts.get("tag")
    is_link = role == "link" and not state.get("scripted")
    if role in _ROLES_THAT_SHOW or tag == "summary" or role in _ROLES_OF_CONTENT or is_link:
        return Verdict(Effect.READ, "it shows something else")
    if "expanded" in state or state.get("opens") in _OPENS:
        return Verdict(Effect.READ, "it opens or closes something")
    if role in _ROLES_OF_CHOICE or tag == "label":
        return Verdict(Effect.IDEMPOTENT, "it can be changed again")
    if _shows(facts):
        return Verdict(Effect.READ, "it says that it only shows something")
    return Verdict(Effect.IRREVERSIBLE, "nothing says what it does")


def _is_in_content(facts: Mapping[str, Any]) -> bool:
    return any(str(each).partition(" ")[0] in _ROLES_OF_CONTENT for each in facts.get("container", ())[:1])


def _sent(facts: Mapping[str, Any], state: ElementState) -> Verdict:
    form = state.get("form")
    if form is None:
        return Verdict(Effect.IRREVERSIBLE, "it sends something")
    if (doing := _address(form["action"])) is not None:
        return doing
    if form["search"] and (_shows(facts) or not _said(facts)):
        return Verdict(Effect.READ, "it searches")
    if form["method"] == "get" and _shows(facts):
        return Verdict(Effect.READ, "it says that it only shows something")
    return Verdict(Effect.IRREVERSIBLE, "it sends a form")


def _form_action(state: ElementState) -> str:
    form = state.get("form")
    return "" if form is None else form["action"]


def _doing(facts: Mapping[str, Any], *, firmly: bool) -> Verdict | None:
    """None when no word of it does something for good; ``firmly`` counts orders at its beginning as well."""
    for text in _said(facts):
        found = _STRONG.search(text) or (firmly and not _SHOWS.fullmatch(text) and _FIRST.match(text))
        if found:
            return Verdict(Effect.IRREVERSIBLE, f"it says {found[1]!r}")
    return None


def _address(url: str) -> Verdict | None:
    """None when no word of its path or query does something for good."""
    parts = urlsplit(url)
    for piece in re.split(r"[/&?#;]+", unquote(f"{parts.path}&{parts.query}&{parts.fragment}")):
        words = _GOES_ON.sub(" ", piece).strip().casefold()
        value = words.partition(" ")[2]
        for text in (words, value):
            found = _STRONG.search(text) or _FIRST.fullmatch(text)
            if found:
                return Verdict(Effect.IRREVERSIBLE, f"its address says {found[1]!r}")
    return None


def _shows(facts: Mapping[str, Any]) -> bool:
    said = _said(facts)
    return bool(said) and bool(_SHOWS.fullmatch(said[0]))


def _said(facts: Mapping[str, Any]) -> list[str]:
    """Its words, folded: without signs around them, as arrows and crosses are."""
    told = (_LEADING_SIGNS.sub("", " ".join(str(facts.get(key, "")).casefold().split())) for key in _PARTS)
    said = list(dict.fromkeys(text for text in told if text))
    if not said and any(sign in str(facts.get("text", "")) for sign in "×✕✖"):
        return ["close"]
    return said


def _words(facts: Mapping[str, Any]) -> int:
    return len(str(facts.get("text") or facts.get("name") or "").split())


def _is_field(facts: Mapping[str, Any], state: ElementState) -> bool:
    return facts.get("role") in _FIELD_ROLES or (facts.get("tag") in ("input", "textarea") and "value" in state)
