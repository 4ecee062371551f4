"""What a selector tells of its element: tag, id, attributes. For CSS as recorders write it, and for XPath."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_ATTRIBUTE = re.compile(r"\[\s*@?([\w-]+)\s*[~|^$*]?=\s*(?:'((?:\\.|[^'\\])*)'|\"((?:\\.|[^\"\\])*)\"|([^\]\s]+))\s*\]")
_TAG = re.compile(r"^[a-z][a-z0-9-]*", re.IGNORECASE)
_ID = re.compile(r"#((?:\\.|[\w-])+)")
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))")
_MADE_UP = re.compile(
    r":r\w*:|^\d|\d{3,}|^(?:ember|react-select|radix|mui|headlessui|ext-gen|gwt-uid|yui|cdk-|rc_|downshift|svelte)"
    r"|(?:mat|ng|p|v|el|ant)-[a-z-]+-\d+$|(?:^|[_-])(?=[a-z]*\d)(?![a-z]+\d{1,2}(?:[_-]|$))[a-z0-9]{6,}(?:[_-]|$)",
    re.IGNORECASE,
)

IMPLIED_ROLES: dict[str, str | tuple[str, ...]] = {
    "a": ("link", "button"), "button": "button", "select": ("combobox", "listbox"),
    "textarea": "textbox", "option": "option",
    "h1": "heading", "h2": "heading", "h3": "heading", "h4": "heading", "h5": "heading", "h6": "heading",
    "td": ("cell", "gridcell"), "th": ("columnheader", "rowheader"), "tr": "row", "img": "img", "nav": "navigation",
    "dialog": "dialog", "li": "listitem", "table": "table", "form": "form",
}  # fmt: skip
_INPUT_ROLES: dict[str, str | tuple[str, ...]] = {
    "checkbox": ("checkbox", "switch"), "radio": "radio", "number": "spinbutton", "range": "slider",
    "search": "searchbox", "button": "button", "submit": "button", "reset": "button", "image": "button",
}  # fmt: skip


@dataclass(frozen=True)
class Facts:
    """One element, as far as a selector tells."""

    tag: str = ""
    id: str = ""
    attributes: dict[str, str] = field(default_factory=dict)

    @property
    def input_type(self) -> str:
        return self.attributes.get("type", "").lower() if self.tag in {"", "input"} else ""

    @property
    def role(self) -> str | tuple[str, ...] | None:
        """Its own role, or the one that its tag implies; None if neither is known."""
        if "role" in self.attributes:
            return self.attributes["role"]
        if self.tag == "input" and not self.input_type:
            return None
        return _INPUT_ROLES.get(self.input_type, "textbox") if self.input_type else IMPLIED_ROLES.get(self.tag)


def is_stable(name: str) -> bool:
    """Whether an id was chosen by a person, and will be the same the next time."""
    return bool(name) and not _MADE_UP.search(name)


def goes_by_place(css: str) -> bool:
    """Whether it counts elements, says nothing but tags, or names an id that will be another the next time."""
    if css.startswith(("xpath=", "//")) or ":nth-" in css or not any(mark in css for mark in "#.[=:"):
        return True
    return any(each.id and not is_stable(each.id) for each in css_chain(css))


def css_chain(css: str) -> list[Facts]:
    """The elements that a CSS selector goes through, its own last."""
    return [_facts(each) for each in _split(css, " >+~")]


def xpath_chain(xpath: str) -> list[Facts]:
    """The elements that an XPath goes through, its own last."""
    return [_facts(each.replace("*", "", 1) if each.startswith("*") else each) for each in _split(xpath, "/")]


def _facts(compound: str) -> Facts:
    tag = _TAG.match(compound)
    bare = _ATTRIBUTE.sub("", compound)
    attributes = {
        name.lower(): unescaped(next((each for each in values if each), ""))
        for name, *values in _ATTRIBUTE.findall(compound)
    }
    found = _ID.search(bare)
    own = unescaped(found[1]) if found else attributes.get("id", "")
    return Facts(tag[0].lower() if tag else "", own, attributes)


def unescaped(text: str) -> str:
    """Without the backslashes of a CSS string or name."""

    def plain(match: re.Match[str]) -> str:
        code = int(match[1], 16) if match[1] else 0
        return match[2] if not match[1] else chr(code) if 0 < code < 0xD800 or 0xDFFF < code < 0x110000 else ""

    return _ESCAPE.sub(plain, text)


def _split(text: str, separators: str) -> list[str]:
    """At separators that stand outside of quotes and brackets."""
    parts, depth, quote, start, at = [], 0, "", 0, 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
        elif quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "([":
            depth += 1
        elif char in ")]":
            depth = max(0, depth - 1)
        elif depth == 0 and char in separators:
            parts.append(text[start:at])
            start = at + 1
        at += 1
    return [each.strip() for each in (*parts, text[start:]) if each.strip()]
