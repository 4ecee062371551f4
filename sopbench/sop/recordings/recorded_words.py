"""What a stretch of a recording does, in plain words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from sopbench.sop.formats.sop_0x import as_name
from sopbench.sop.recordings.recorded import Recorded
from sopbench.sop.recordings.recorded_urls import shown
from sopbench.sop.recordings.selector_facts import css_chain
from sopbench.sop.targets import Target
from sopbench.sop.verbs.fields import Clear, Fill, PickDate, Press, Select, SetChecked, Type, Upload
from sopbench.sop.verbs.pages import Navigate, SwitchTab, WaitFor
from sopbench.sop.verbs.pointer import Click, Drag
from sopbench.sop.verbs.reading import Download

_VERBS = {
    "close_tab": "Close the tab", "back": "Go back", "reload": "Reload the page", "hover": "Point at",
    "scroll": "Scroll to", "download": "Download with", "wait_for": "Wait",
}  # fmt: skip
_ENTRY = Fill | Type | Select | PickDate | Upload | Clear
_MAX = 90
_ICONS = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")


def label_of(stretch: Sequence[Recorded]) -> str:
    """One line for a node: ``Fill in 'Name' and 'Price', then click 'Create'``."""
    fields = list(dict.fromkeys(_field(each) for each in stretch if isinstance(each.action, _ENTRY)))
    last = next((each for each in reversed(stretch) if not isinstance(each.action, WaitFor)), stretch[-1])
    if not fields:
        return _shortened(_in_row([_phrase(each) for each in stretch]))
    entry = f"Fill in {_listed(fields)}"
    if isinstance(last.action, Click | Press | Download):
        entry += f", then {_lower(_phrase(last))}"
    return _shortened(entry)


def slug_of(text: str, *, words: int = 4) -> str:
    """A few words of a text as an id: ``fill_in_name``."""
    parts = [part for part in slug(text).split("_") if part not in {"then", "and", "the", "in"} or words > 8]
    return "_".join(parts[:words]) or "step"


def slug(text: str) -> str:
    """Any text as a name that can be used in a template, in lower case and plain letters."""
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss")).encode("ascii", "ignore").decode()
    name = as_name(plain).lower()
    return re.sub(r"_+", "_", name).strip("_") if not name[1:2].isdigit() else name


def called(target: Target | None) -> str:
    """What a person would call an element."""
    if target is None:
        return ""
    for words in (target.name, target.label, target.text, target.placeholder, target.test_id):
        plain = " ".join(_ICONS.sub(" ", words or "").split()).rstrip(":* ")
        if plain:
            return plain
    role = target.role if isinstance(target.role, str) else ""
    return _of_css(target.css or "") or role or "element"


def _of_css(css: str) -> str:
    """The last id, or quoted attribute, in a selector."""
    found = re.findall(r"#([A-Za-z][\w-]*)|(?<!nth)=[\"']?([A-Za-z][^\"'\]]*)", css)
    words = next((a or b for a, b in reversed(found)), "")
    words = words or next(reversed(re.findall(r"\.([A-Za-z][\w-]{3,})", css)), "")
    tag = css_chain(css)[-1].tag if css and not words and "=" not in css else ""
    return words or {"tr": "row", "td": "cell", "li": "item", "a": "link", "svg": "icon", "img": "picture"}.get(
        tag, tag
    )


def _field(each: Recorded) -> str:
    return each.field or called(each.target)


def _phrase(each: Recorded) -> str:
    action, name = each.action, f"'{called(each.target)}'"
    match action:
        case Navigate(url=url) | SwitchTab(url=str(url)):
            return f"Open {shown(url)}"
        case SwitchTab(tab=tab):
            return f"Switch to tab '{tab}'"
        case Click():
            return f"{_click(action)} {name}"
        case Drag(to=Target() as to):
            return f"Drag {name} to '{called(to)}'"
        case SetChecked(checked=checked):
            return f"{'Check' if checked else 'Uncheck'} {name}"
        case Press(key=key):
            return f"Press {key}"
    verb = _VERBS.get(action.do, action.do.replace("_", " ").capitalize())
    return f"{verb} {name}" if each.target is not None else verb.removesuffix(" to").removesuffix(" with")


def _click(click: Click) -> str:
    return (
        "Double-click" if click.double else {"left": "Click", "right": "Right-click"}.get(click.button, "Middle-click")
    )


def _listed(names: list[str]) -> str:
    quoted = [f"'{name}'" for name in names]
    if len(quoted) > 3:
        return f"{quoted[0]}, {quoted[1]} and {len(quoted) - 2} more"
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else quoted[0]


def _in_row(phrases: list[str]) -> str:
    phrases = [each for index, each in enumerate(phrases) if index == 0 or each != phrases[index - 1]]
    waitless = [each for each in phrases if each != "Wait"] or phrases
    first, *rest = [waitless[0], *map(_lower, waitless[1:])]
    if len(rest) > 2:
        return f"{first}, {rest[0]} and {len(rest) - 1} more"
    return ", then ".join([", ".join([first, *rest[:-1]]), *rest[-1:]])


def _lower(phrase: str) -> str:
    return phrase[:1].lower() + phrase[1:]


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX else text[: _MAX - 1].rstrip() + "…"
