"""Playwright's locators as targets."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sopbench.sop.recordings.codegen_values import Link, NotSaid, Pattern, chain_of, source_of, text_of, value_of
from sopbench.sop.targets import Target

Names = Mapping[str, ast.expr]
_STARTS = {
    "get_by_role", "get_by_label", "get_by_placeholder", "get_by_text", "get_by_test_id", "get_by_title",
    "get_by_alt_text", "locator", "frame_locator",
}  # fmt: skip
_NARROWS = {"first", "last", "nth", "filter", "and_", "or_", "content_frame", "visible", "describe"}
_ENGINE = re.compile(r"^(?:xpath|text|role|css|id|data-testid|_?react|_?vue|internal:[\w-]+)=|^//|^\.\.|>>")
_ROLE_STATES = {"checked", "disabled", "expanded", "level", "pressed", "selected"}

_LONG = 32

LOCATING = _STARTS | _NARROWS


@dataclass(frozen=True)
class Spot:
    """A locator on the way: what its target will be made of."""

    parts: dict[str, Any] = field(default_factory=dict)
    frames: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not self.parts

    def target(self) -> Target:
        if self.is_empty:
            raise NotSaid("a whole frame", "say which element in it is meant")
        frames = self.frames[0] if len(self.frames) == 1 else self.frames or None
        return Target(**self.parts, frame=frames)


def target_of(links: Sequence[Link], names: Names) -> Target:
    """The target of a chain of locators.

    Raises: NotSaid.
    """
    return _followed(links, names).target()


def narrowed_by_text(target: Target, text: str, *, exact: bool) -> Target:
    """The same element, if it has this text."""
    return Target(**_with_text(_said(target), text, exact=exact))


def with_css(target: Target, css: str) -> Target:
    """The same element, if it fits this selector, too."""
    return Target(**_with_css(_said(target), css))


def quoted(text: str) -> str:
    """A text in a CSS selector."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\a ") + '"'


def _followed(links: Sequence[Link], names: Names) -> Spot:
    spot = Spot()
    if len(links) > _LONG:
        raise NotSaid(f"a locator of {len(links)} parts", "say in fewer words which element is meant")
    for link in links:
        if link.name in _STARTS:
            spot = _started(spot, link, names)
        elif link.name == "content_frame":
            spot = Spot(frames=(*spot.frames, _as_css(spot.parts)))
        elif link.name in _NARROWS:
            spot = replace(spot, parts=_narrowed(spot.parts, link, names))
        else:
            raise NotSaid(f"{link.name}()", "there is no such way to say which element is meant")
    return spot


def _started(spot: Spot, link: Link, names: Names) -> Spot:
    if link.name == "frame_locator":
        css = text_of(link.args[0], names) if link.args else "iframe"
        before = "" if spot.is_empty else _as_css(spot.parts) + " >> "
        return Spot(frames=(*spot.frames, before + css))
    inner: Spot | None = None
    if link.name == "locator" and link.args and not _is_text(link.args[0], names):
        inner = _locator(link.args[0], names)
    parts = dict(inner.parts) if inner else _PARTS[link.name](link, names)
    if link.name == "locator":
        parts = _filtered(parts, link.options, names)
    return replace(spot, parts=parts if spot.is_empty else _inside(parts, Target(**spot.parts)))


def _inside(parts: dict[str, Any], around: Target) -> dict[str, Any]:
    """Around all that is around it already."""
    held = parts.get("within")
    if held is None:
        return parts | {"within": around}
    return parts | {"within": Target(**_inside(_said(held), around))}


def _said(target: Target) -> dict[str, Any]:
    return {key: value for key in target.model_fields_set if (value := getattr(target, key)) is not None}


def _is_text(expression: ast.expr, names: Names) -> bool:
    try:
        return isinstance(value_of(expression, names), str)
    except NotSaid:
        return False


def _locator(expression: ast.expr, names: Names) -> Spot:
    """A locator that is an argument of another."""
    at = names.get(expression.id, expression) if isinstance(expression, ast.Name) else expression
    chain = chain_of(at)
    if chain is None or not chain.links:
        raise NotSaid(source_of(expression), "it is no locator that can be read")
    spot = _followed(chain.links, names)
    if spot.frames or spot.is_empty:
        raise NotSaid(source_of(expression), "a frame cannot stand here")
    return spot


# ---- where a locator starts


def _by_role(link: Link, names: Names) -> dict[str, Any]:
    options = link.options
    role = text_of(link.args[0], names)
    parts: dict[str, Any] = {"role": role}
    name = value_of(options["name"], names) if "name" in options else None
    exact = bool(value_of(options["exact"], names)) if "exact" in options else False
    if isinstance(name, Pattern):
        plain = name.plain
        if plain is not None and plain[1]:
            parts |= {"name": plain[0], "exact": True}
        elif plain is not None and name.ignores_case:
            parts |= {"name": plain[0]}
        else:
            parts["css"] = f"role={role}[name={name.in_selector}]"
    elif isinstance(name, str):
        parts |= {"name": name} | ({"exact": True} if exact else {})
    states = ""
    for key in sorted(_ROLE_STATES & options.keys()):
        value = value_of(options[key], names)
        states += f"[{key}={str(value).lower()}]"
    if "description" in options:
        raise NotSaid("description=…", "say the name or the text of the element instead")
    return _with_css(parts, f"role={role}{states}") if states else parts


def _by_words(key: str) -> Callable[[Link, Names], dict[str, Any]]:
    def made(link: Link, names: Names) -> dict[str, Any]:
        words = value_of(link.args[0], names)
        exact = "exact" in link.options and bool(value_of(link.options["exact"], names))
        if isinstance(words, str):
            return {key: words} | ({"exact": True} if exact else {})
        if not isinstance(words, Pattern):
            raise NotSaid(source_of(link.args[0]), "only a text that stands in the script can be read")
        if words.plain is not None and (words.plain[1] or words.ignores_case):
            return {key: words.plain[0]} | ({"exact": True} if words.plain[1] else {})
        if key == "placeholder":
            return _by_attribute(key)(link, names)
        if key == "text":
            return {"css": f"text={words.in_selector}"}
        raise NotSaid(f"the pattern {words.source!r:.60}", f"write the {key} that is there instead")

    return made


def _by_attribute(name: str) -> Callable[[Link, Names], dict[str, Any]]:
    def made(link: Link, names: Names) -> dict[str, Any]:
        words = value_of(link.args[0], names)
        exact = "exact" in link.options and bool(value_of(link.options["exact"], names))
        if isinstance(words, Pattern) and words.plain is not None:
            whole = words.plain[1]
            mark = "" if whole or not words.ignores_case else " i"
            return {"css": f"[{name}{'=' if whole else '*='}{quoted(words.plain[0])}{mark}]"}
        if not isinstance(words, str):
            raise NotSaid(source_of(link.args[0]), f"write the {name} that is there instead")
        return {"css": f"[{name}={quoted(words)}]" if exact else f"[{name}*={quoted(words)} i]"}

    return made


def _by_test_id(link: Link, names: Names) -> dict[str, Any]:
    words = value_of(link.args[0], names)
    if isinstance(words, Pattern):
        return _by_attribute("data-testid")(link, names)
    return {"test_id": text_of(link.args[0], names)}


def _by_css(link: Link, names: Names) -> dict[str, Any]:
    css = text_of(link.args[0], names)
    return {"css": css.removeprefix("css=")}


_PARTS: dict[str, Callable[[Link, Names], dict[str, Any]]] = {
    "get_by_role": _by_role,
    "get_by_label": _by_words("label"),
    "get_by_placeholder": _by_words("placeholder"),
    "get_by_text": _by_words("text"),
    "get_by_test_id": _by_test_id,
    "get_by_title": _by_attribute("title"),
    "get_by_alt_text": _by_attribute("alt"),
    "locator": _by_css,
}


# ---- how it is narrowed


def _narrowed(parts: dict[str, Any], link: Link, names: Names) -> dict[str, Any]:
    if not parts:
        raise NotSaid(f"{link.name} of a frame", "say which element in it is meant")
    if link.name in {"first", "last", "nth"}:
        nth = {"first": 0, "last": -1}.get(link.name)
        number = nth if nth is not None else value_of(link.args[0], names)
        if not isinstance(number, int) or "nth" in parts:
            raise NotSaid(f"{link.name}(…)", "say with 'nth' which one is meant")
        return parts | {"nth": number}
    if link.name == "describe":
        return parts
    if "nth" in parts:
        raise NotSaid(f"{link.name}(…) after counting", "narrow first, then count")
    if link.name == "filter":
        return _filtered(parts, link.options, names)
    if link.name == "visible":
        return _with_css(parts, ":visible")
    other = _locator(link.args[0], names).parts
    return _both(parts, other) if link.name == "and_" else _either(parts, other)


def _filtered(parts: dict[str, Any], options: Mapping[str, ast.expr], names: Names) -> dict[str, Any]:
    for key, expression in options.items():
        if key in {"has_text", "has_not_text"}:
            words = value_of(expression, names)
            parts = _with_has_text(parts, words, is_there=key == "has_text")
        elif key in {"has", "has_not"}:
            other = _locator(expression, names).parts
            inner = _as_css(other)
            if _ENGINE.search(inner):
                raise NotSaid(f"{key}={source_of(expression)}", "say it with 'within' or 'near'")
            holds = f":is({inner}, :has({inner}))" if "text" in other else f":has({inner})"  # a text may be its own
            parts = _with_css(parts, holds if key == "has" else f":not({holds})")
        elif key == "visible":
            parts = _with_css(parts, ":visible" if value_of(expression, names) else ":not(:visible)")
        else:
            raise NotSaid(f"filter({key}=…)", "there is no such filter")
    return parts


def _with_has_text(parts: dict[str, Any], words: Any, *, is_there: bool) -> dict[str, Any]:
    text, exact = (words, False) if isinstance(words, str) else (None, False)
    if isinstance(words, Pattern) and words.plain is not None and (words.plain[1] or words.ignores_case):
        text, exact = words.plain
    if text is None:
        raise NotSaid(f"has_text={getattr(words, 'source', words)!r:.60}", "write the text that is there instead")
    if is_there:
        return _with_text(parts, text, exact=exact)
    if exact:
        raise NotSaid(f"has_not_text={text!r:.60}", "say what else tells the element apart")
    return _with_css(parts, f":not(:has-text({quoted(text)}))")


def _with_text(parts: dict[str, Any], text: str, *, exact: bool) -> dict[str, Any]:
    """``exact`` is one for the whole target: where the name is meant otherwise, one of them goes into the CSS."""
    words = parts.keys() & {"name", "label", "placeholder"}
    if "text" not in parts and (not words or parts.get("exact", False) == exact):
        return parts | {"text": text} | ({"exact": True} if exact else {})
    if not exact:
        return _with_css(parts, f":has-text({quoted(text)})")
    if "text" not in parts and words == {"name"} and isinstance(parts.get("role"), str):
        made = _with_css(parts, f"role={parts['role']}[name*={quoted(parts['name'])} i]")
        return {key: value for key, value in made.items() if key != "name"} | {"text": text, "exact": True}
    raise NotSaid(f"the whole text {text!r:.60}", "say what else tells the element apart")


def _with_css(parts: dict[str, Any], css: str) -> dict[str, Any]:
    own = parts.get("css")
    if own is None or own == css:
        return parts | {"css": css}
    if _ENGINE.search(own) or _ENGINE.search(css):
        raise NotSaid(f"{css!r:.60} together with {own!r:.60}", "say it with one of them")
    is_simple = css.startswith((":", "[")) and re.fullmatch(r"[\w.#-]+", own)
    return parts | {"css": f"{own}{css}" if is_simple else f":is({own}){css}"}


def _both(parts: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    words = {"name", "label", "placeholder", "text"}
    clash = parts.keys() & other.keys() - {"exact", "css"}
    exact = {bool(each.get("exact")) for each in (parts, other) if each.keys() & words}
    if clash or len(exact) > 1 or "nth" in other:
        raise NotSaid("and_(…)", "say it with one target")
    merged = {**parts, **{key: value for key, value in other.items() if key != "css"}}
    return _with_css(merged, other["css"]) if "css" in other else merged


def _either(parts: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    one, two = ({key: value for key, value in each.items() if key != "role"} for each in (parts, other))
    roles = [role for each in (parts, other) for role in _listed(each.get("role"))]
    if one == two and len(roles) > 1:
        return parts | {"role": tuple(dict.fromkeys(roles))}
    if parts.keys() == other.keys() == {"css"} and not any(_ENGINE.search(each["css"]) for each in (parts, other)):
        return {"css": f"{parts['css']}, {other['css']}"}
    raise NotSaid("or_(…)", "say which of them is meant, or make two actions with 'when'")


def _listed(role: str | Sequence[str] | None) -> list[str]:
    return [role] if isinstance(role, str) else list(role or ())


def _as_css(parts: dict[str, Any]) -> str:
    """A locator as one CSS selector, for places where nothing else may stand.

    Raises: NotSaid.
    """
    left = {key: value for key, value in parts.items() if key not in {"exact", "nth", "within"}}
    exact = parts.get("exact", False)
    if len(left) != 1:
        raise NotSaid("this locator as a part of another", "say it with 'css', or with 'within'")
    match left:
        case {"css": str(own)}:
            css = own
        case {"test_id": words}:
            css = f"[data-testid={quoted(words)}]"
        case {"placeholder": words}:
            css = f"[placeholder={quoted(words)}]" if exact else f"[placeholder*={quoted(words)} i]"
        case {"text": words}:
            css = f":text-is({quoted(words)})" if exact else f":text({quoted(words)})"
        case _:
            raise NotSaid("this locator as a part of another", "say it with 'css', or with 'within'")
    css = f"{css} >> nth={parts['nth']}" if "nth" in parts else css
    if "within" in parts:
        css = _as_css(_said(parts["within"])) + " >> " + css
    return css
