"""What a Playwright script does to an element, as actions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from sopbench.sop.actions import AnyAction
from sopbench.sop.recordings.codegen_locators import LOCATING, target_of
from sopbench.sop.recordings.codegen_values import (
    FromEnvironment,
    Link,
    NotSaid,
    chain_of,
    source_of,
    text_of,
    value_of,
)
from sopbench.sop.targets import CountIs, Expectation, Hidden, Target, Visible
from sopbench.sop.verbs.fields import Clear, Fill, Press, Select, SelectText, SetChecked, Type, Upload
from sopbench.sop.verbs.pages import WaitFor
from sopbench.sop.verbs.pointer import Click, Drag, Hover, Point, Scroll

Names = Mapping[str, ast.expr]
_HARMLESS_OPTIONS = {"timeout", "no_wait_after", "delay", "strict", "trial", "scroll_behavior"}


def done_to(target: Target, call: Link, names: Names) -> tuple[list[AnyAction], str | None, list[str]]:
    """The actions of one call, the environment variable its value comes from, and the options that were left out.

    Raises: NotSaid.
    """
    handle = _VERBS.get(call.name)
    if handle is None:
        raise NotSaid(f"{call.name}()", "there is no verb for it")
    known, make = handle
    call_options = call.options
    left_out = [
        f"{key}={source_of(value)}"
        for key, value in call_options.items()
        if key not in known and key not in _HARMLESS_OPTIONS and not _is_default(value)
    ]
    value, env = _argument(call, names)
    actions = make(target, value, {key: call_options[key] for key in known if key in call_options}, names)
    timeout = value_of(call_options["timeout"], names) if "timeout" in call_options else None
    if isinstance(timeout, int | float) and timeout > 0:
        actions = [each.model_copy(update={"timeout_s": timeout / 1000}) for each in actions]
    return actions, env, left_out


def _is_default(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value in (False, None)


def _argument(call: Link, names: Names) -> tuple[Any, str | None]:
    """The first argument, or the keyword that stands for it."""
    expression = call.args[0] if call.args else None
    for keyword in ("value", "text", "key", "files", "checked", "target"):
        if expression is None:
            expression = call.options.get(keyword)
    if expression is None:
        return None, None
    if call.name == "drag_to":
        return _other(expression, names), None
    value = value_of(expression, names)
    return ("", value.name) if isinstance(value, FromEnvironment) else (value, None)


def _other(expression: ast.expr, names: Names) -> Target:
    at = names.get(expression.id, expression) if isinstance(expression, ast.Name) else expression
    chain = chain_of(at)
    if chain is None or not chain.links or any(each.name not in LOCATING for each in chain.links):
        raise NotSaid(source_of(expression), "it is no locator that can be read")
    return target_of(chain.links, names)


def _text(value: Any, what: str) -> str:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return str(value)
    raise NotSaid(f"{what} that is no text", "only what stands in the script can be read")


def _point(options: Mapping[str, ast.expr], key: str, names: Names) -> Point | None:
    place = value_of(options[key], names) if key in options else None
    return Point(x=place.get("x", 0), y=place.get("y", 0)) if isinstance(place, dict) else None


def _click(target: Target, _: Any, options: Mapping[str, ast.expr], names: Names) -> list[AnyAction]:
    count = value_of(options["click_count"], names) if "click_count" in options else 1
    button = text_of(options["button"], names) if "button" in options else "left"
    modifiers = value_of(options["modifiers"], names) if "modifiers" in options else []
    click = {"button": button, "modifiers": tuple(modifiers), "at": _point(options, "position", names)}
    if count not in {1, 2}:
        raise NotSaid(f"click_count={count}", "use 'select_text' to mark a text")
    return [Click(target=target, double=count == 2, **click)]


def _double(target: Target, value: Any, options: Mapping[str, ast.expr], names: Names) -> list[AnyAction]:
    return [each.model_copy(update={"double": True}) for each in _click(target, value, options, names)]


def _hover(target: Target, _: Any, options: Mapping[str, ast.expr], names: Names) -> list[AnyAction]:
    return [Hover(target=target, at=_point(options, "position", names))]


def _fill(target: Target, value: Any, _: Mapping[str, ast.expr], __: Names) -> list[AnyAction]:
    return [Fill(target=target, value=_text(value, "a value"))]


def _type(target: Target, value: Any, _: Mapping[str, ast.expr], __: Names) -> list[AnyAction]:
    return [Type(target=target, text=_text(value, "a text"))]


def _press(target: Target, value: Any, _: Mapping[str, ast.expr], __: Names) -> list[AnyAction]:
    return [] if value == "CapsLock" else [Press(target=target, key=_text(value, "a key"))]


def _set_checked(target: Target, value: Any, _: Mapping[str, ast.expr], __: Names) -> list[AnyAction]:
    if not isinstance(value, bool):
        raise NotSaid("a state that is neither True nor False", "only what stands in the script can be read")
    return [SetChecked(target=target, checked=value)]


def _select(target: Target, value: Any, options: Mapping[str, ast.expr], names: Names) -> list[AnyAction]:
    if "label" in options:
        labels = value_of(options["label"], names)
        listed = labels if isinstance(labels, list) else [labels]
        texts = tuple(_text(each, "an option") for each in listed)
        return [Select(target=target, option=texts if len(texts) > 1 else texts[0])]
    if "index" in options:
        indexes = value_of(options["index"], names)
        listed = indexes if isinstance(indexes, list) else [indexes]
        return [Select(target=target, index=each, add=place > 0) for place, each in enumerate(listed)]
    listed = value if isinstance(value, list) else [value]
    if not listed:
        raise NotSaid("select_option([])", "there is no verb that chooses nothing")
    return [Select(target=target, value=_text(each, "a value"), add=n > 0) for n, each in enumerate(listed)]


def _upload(target: Target, value: Any, _: Mapping[str, ast.expr], __: Names) -> list[AnyAction]:
    files = value if isinstance(value, list) else [value]
    if not files:
        raise NotSaid("set_input_files([])", "there is no verb that takes files away")
    return [Upload(target=target, files=tuple(_text(each, "a file") for each in files))]


def _drag(target: Target, value: Any, options: Mapping[str, ast.expr], names: Names) -> list[AnyAction]:
    at, to_at = _point(options, "source_position", names), _point(options, "target_position", names)
    return [Drag(target=target, to=value, at=at, to_at=to_at)]


def _wait(target: Target, _: Any, options: Mapping[str, ast.expr], names: Names) -> list[AnyAction]:
    state = text_of(options["state"], names) if "state" in options else "visible"
    expected: dict[str, Expectation] = {
        "visible": Visible(visible=target),
        "hidden": Hidden(hidden=target),
        "attached": CountIs(count=target, minimum=1),
        "detached": CountIs(count=target, exactly=0),
    }
    if state not in expected:
        raise NotSaid(f"wait_for(state={state!r})", "there is no such state")
    return [WaitFor(expect=(expected[state],))]


_Maker = Callable[[Target, Any, Mapping[str, ast.expr], Names], list[AnyAction]]
_POINTER = {"button", "modifiers", "position", "click_count"}
_VERBS: dict[str, tuple[set[str], _Maker]] = {
    "click": (_POINTER, _click),
    "tap": (_POINTER, _click),
    "dblclick": (_POINTER, _double),
    "hover": ({"position"}, _hover),
    "fill": ({"value"}, _fill),
    "clear": (set(), lambda target, *_: [Clear(target=target)]),
    "type": ({"text"}, _type),
    "press_sequentially": ({"text"}, _type),
    "press": ({"key"}, _press),
    "check": (set(), lambda target, *_: [SetChecked(target=target)]),
    "uncheck": (set(), lambda target, *_: [SetChecked(target=target, checked=False)]),
    "set_checked": ({"checked"}, _set_checked),
    "select_option": ({"value", "label", "index"}, _select),
    "set_input_files": ({"files"}, _upload),
    "drag_to": ({"target", "source_position", "target_position"}, _drag),
    "select_text": (set(), lambda target, *_: [SelectText(target=target)]),
    "scroll_into_view_if_needed": (set(), lambda target, *_: [Scroll(target=target)]),
    "wait_for": ({"state"}, _wait),
}
ACTING = frozenset(_VERBS) | {"focus", "blur", "dispatch_event", "evaluate", "screenshot", "highlight"}
