"""The selector alternatives of a DevTools recording as one target.

What a person would go by comes first: a test id, a role with its name, a text. CSS and XPath are taken where there is
nothing else, or where an id was chosen by a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sopbench.sop.recordings.selector_facts import Facts, css_chain, goes_by_place, is_stable, xpath_chain
from sopbench.sop.targets import Target

_ARIA_ATTRIBUTE = re.compile(r"\[\s*(name|role)\s*=\s*([\"'])(.*?)\2\s*\]")
_PRIVATE_USE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")
_CHROME_ROLES = {"image": "img", "popupbutton": "combobox", "image map": "img", "togglebutton": "button"}
_NO_ROLES = {"generic", "none", "presentation", "statictext", "labeltext", "inlinetextbox", "paragraph", "text"}
_FIELDS = ("textbox", "searchbox", "spinbutton", "combobox")
_CLICKABLE = ("button", "link", "tab", "menuitem", "option", "checkbox", "radio", "switch", "cell", *_FIELDS)
_BOXES = ("button", "checkbox", "radio", *_FIELDS)
_AROUND = ("dialog", "row", "form", "region", "group", "navigation", "main", "listitem", "table", "list", "article")
_INSIDE = {"span", "i", "svg", "path", "use", "g", "b", "strong", "em", "small", "img", "div", "p", "circle", "rect"}
_HOLDERS = {"button", "a", "option", "summary"}
_FIELD_TAGS = {"input", "select", "textarea"}
_LONG = 80

Selectors = tuple[tuple[str, ...], ...]
"""Alternatives; each a way through shadow roots, or of elements around, to the element itself."""
Role = str | tuple[str, ...] | None


@dataclass(frozen=True)
class Found:
    """The element that a step is about."""

    selectors: Selectors
    target: Target
    facts: Facts
    role: Role
    name: str
    """Accessible name, if one was recorded."""
    is_label: bool
    """It is, or is part of, the label of a field."""
    is_field: bool
    """Its text is what it held."""

    @property
    def fingerprint(self) -> dict[str, Any]:
        """All that its selectors tell of it."""
        attributes = self.facts.attributes
        role = self.role if isinstance(self.role, str) else None
        told = {
            "role": role,
            "name": self.name,
            "tag": self.facts.tag,
            "id": self.facts.id if is_stable(self.facts.id) else None,
            "test_id": attributes.get("data-testid"),
            "field": attributes.get("name"),
            **{key: attributes.get(key) for key in ("type", "href", "alt", "title", "placeholder")},
            "text": None if self.is_field else next((each[-1] for each in _of_kind(self.selectors, "text")), None),
            "path": next((p[-1] for p in _of_kind(self.selectors, "xpath") if p[-1].startswith("/html")), None),
        }
        return {key: value for key, value in told.items() if value}

    @property
    def is_select(self) -> bool:
        if self.facts.tag:
            return self.facts.tag == "select"
        return self.role in {"combobox", "listbox"}


def alternatives(value: Any) -> Selectors:
    """``selectors`` of a step, however they were written; what is no selector is left out."""
    if isinstance(value, str):
        value = [value]
    lists = [[each] if isinstance(each, str) else each for each in value] if isinstance(value, list) else []
    whole = (each for each in lists if isinstance(each, list) and each)
    return tuple(tuple(each) for each in whole if all(isinstance(part, str) and part for part in each))


def words_of(selectors: Selectors) -> list[str]:
    """All that names the element; not its text, which for a field is what it holds."""
    return [part for each in selectors for part in each if not part.startswith("text/")]


def found(selectors: Selectors, *, is_entry: bool = False, frame: tuple[str, ...] | None = None) -> Found | None:
    """One target out of the alternatives; ``is_entry`` says that something is typed into it."""
    chain = _chain(selectors)
    facts = chain[-1] if chain else Facts()
    name, stated, around = _aria(selectors)
    name = _as_written(name, selectors)
    role = stated or _role(chain, is_named=bool(name))
    is_field = is_entry or facts.tag in _FIELD_TAGS or role in _FIELDS
    target: Target | None = (
        _by_test_id(selectors)
        or _by_name(name, role, around, facts, is_entry)
        or _by_text(selectors, role, is_field)
        or _by_role(stated, name, around)
        or _by_path(selectors)
    )
    if target is None:
        return None
    return Found(
        selectors,
        target.model_copy(update={"frame": frame[0] if frame and len(frame) == 1 else frame}),
        facts,
        role,
        name,
        any(each.tag == "label" for each in chain[-3:]) and facts.tag in {"label", *_INSIDE},
        is_field,
    )


def _of_kind(selectors: Selectors, kind: str) -> Iterator[tuple[str, ...]]:
    prefix = f"{kind}/"
    for each in selectors:
        if each[-1].startswith(prefix):
            yield tuple(part.removeprefix(prefix) for part in each)


def _css(selectors: Selectors) -> Iterator[tuple[str, ...]]:
    kinds = ("aria/", "text/", "xpath/", "pierce/")
    yield from (each for each in selectors if not any(part.startswith(kinds) for part in each))
    yield from _of_kind(selectors, "pierce")


def _chain(selectors: Selectors) -> list[Facts]:
    """XPath tells most tags, CSS most attributes."""
    paths = [xpath_chain(each[-1]) for each in _of_kind(selectors, "xpath")]
    styles = [css_chain(each[-1]) for each in _css(selectors)]
    chains = [each for each in (*paths, *styles) if each]
    if not chains:
        return []
    longest = max(chains, key=len)
    tag = next((each[-1].tag for each in chains if each[-1].tag), "")
    own = next((each[-1].id for each in chains if each[-1].id), "")
    attributes = {key: value for each in chains for key, value in each[-1].attributes.items()}
    return [*longest[:-1], Facts(tag, own, attributes)]


def _aria(selectors: Selectors) -> tuple[str, str | None, tuple[tuple[str, str | None], ...]]:
    """Name and role of the element (or of the nearest one around it that has a name), and what is around that."""
    for each in _of_kind(selectors, "aria"):
        path = [_aria_part(part) for part in each]
        while path and not path[-1][0] and (path[-1][1] is None or len(path) > 1):
            path.pop()
        if path:
            name, role = path[-1]
            return name, role, tuple(path[:-1])
    return "", None, ()


def _aria_part(text: str) -> tuple[str, str | None]:
    attributes = {match[1]: match[3] for match in _ARIA_ATTRIBUTE.finditer(text)}
    name = attributes.get("name") or _ARIA_ATTRIBUTE.sub("", text)
    role = attributes.get("role", "").lower()
    return name.strip(), None if role in _NO_ROLES else _CHROME_ROLES.get(role, role) or None


def _role(chain: Sequence[Facts], *, is_named: bool) -> Role:
    """Its own, or that of the button or link it is a part of."""
    if not chain:
        return None
    own = chain[-1]
    if own.tag in _INSIDE or (not own.tag and is_named):
        for holder in reversed(chain[:-1]):
            if holder.tag in _HOLDERS:
                return holder.role
            if holder.tag not in _INSIDE:
                break
    return own.role


def _by_test_id(selectors: Selectors) -> Target | None:
    for each in _css(selectors):
        chain = css_chain(each[-1])
        if len(each) == 1 and len(chain) == 1 and chain[0].attributes.get("data-testid"):
            return Target(test_id=chain[0].attributes["data-testid"])
    return None


def _by_name(
    name: str, role: Role, around: Sequence[tuple[str, str | None]], facts: Facts, is_entry: bool
) -> Target | None:
    if not name:
        return None
    if facts.input_type == "file":
        return Target(label=name, exact=True)
    if role is None and not is_entry and is_stable(facts.id):
        return Target(css=f"[id='{facts.id}']") if "'" not in facts.id else None
    words, exact = _plain(name)
    if not words:
        return None
    usual = _FIELDS if is_entry else (_BOXES if facts.tag == "input" else _CLICKABLE)
    return Target(role=role or usual, name=words, exact=exact, within=_within(around))


def _within(around: Sequence[tuple[str, str | None]]) -> Target | None:
    target: Target | None = None
    for name, role in around:
        words, exact = _plain(name)
        if words:
            target = Target(role=role or _AROUND, name=words, exact=exact, within=target)
        elif role:
            target = Target(role=role, within=target)
    return target


def _plain(name: str) -> tuple[str, bool]:
    """A name without the characters of icon fonts, and whether it is whole."""
    words = " ".join(_PRIVATE_USE.sub(" ", name).split())
    if len(words) > _LONG:
        return words[:_LONG].rpartition(" ")[0] or words[:_LONG], False
    return words, not _PRIVATE_USE.search(name) and not (len(words) > 2 and words.isupper())


def _as_written(name: str, selectors: Selectors) -> str:
    """Chrome tells names as they look: in capitals where a style says so. The text is as it was written."""
    texts = [each[-1] for each in _of_kind(selectors, "text") if len(each) == 1]
    return next((each for each in texts if each.casefold() == name.casefold()), name)


def _by_text(selectors: Selectors, role: Role, is_field: bool) -> Target | None:
    """A field's text is what it held when it was recorded: that says nothing."""
    text = next((each[-1] for each in _of_kind(selectors, "text") if len(each) == 1), "")
    words, _ = _plain(text)
    if is_field or not words:
        return None
    return Target(role=role, text=words) if role in {"button", "link", "option", "tab"} else Target(text=words)


def _by_path(selectors: Selectors) -> Target | None:
    """By the way through the page. A list goes through shadow roots, which Playwright's CSS enters by itself."""
    styles = list(_css(selectors))
    ways = [" >> ".join(parts) for parts in styles]
    for css in sorted(ways, key=lambda css: (not _is_chosen(css), goes_by_place(css))):
        return Target(css=css)
    for each in _of_kind(selectors, "xpath"):
        return Target(css=" >> ".join(f"xpath={part}" for part in each))
    texts = next((each[-1] for each in _of_kind(selectors, "text")), "")
    return Target(text=texts) if texts.strip() else None


def _by_role(role: str | None, name: str, around: Sequence[tuple[str, str | None]]) -> Target | None:
    return Target(role=role, within=_within(around)) if role is not None and not name else None


def _is_chosen(css: str) -> bool:
    """Whether it goes by ids and attributes that somebody chose, and not by places."""
    if css.startswith("xpath="):
        return False
    own = css_chain(css)[-1:]
    named = {"name", "type", "placeholder", "href", "aria-label", "id", "for", "title"}
    return any(
        is_stable(each.id) or any(key in named or key.startswith("data-") for key in each.attributes) for each in own
    )
