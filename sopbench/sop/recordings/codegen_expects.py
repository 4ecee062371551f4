"""Assertions of a Playwright script as expectations."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

from sopbench.sop.recordings.codegen_locators import narrowed_by_text, quoted, with_css
from sopbench.sop.recordings.codegen_values import Link, NotSaid, Pattern, source_of, value_of
from sopbench.sop.targets import CheckedIs, CountIs, Expectation, Hidden, Target, TextIs, UrlIs, ValueIs, Visible

Names = Mapping[str, ast.expr]
_HINT = "say with 'expect' what can be seen"


def of_page(assertion: Link, names: Names) -> Expectation:
    """``expect(page).to_have_url(…)``.

    Raises: NotSaid.
    """
    if assertion.name != "to_have_url" or not assertion.args:
        raise NotSaid(f"expect(page).{assertion.name}", _HINT)
    return UrlIs(url=url_pattern(value_of(assertion.args[0], names)), timeout_s=_timeout(assertion, names))


def of_element(assertion: Link, target: Target, names: Names) -> Expectation:
    """``expect(locator).to_be_visible()`` and its kin.

    Raises: NotSaid.
    """
    handle = _ASSERTIONS.get(assertion.name)
    if handle is None:
        raise NotSaid(f"expect(…).{assertion.name}", _HINT)
    expected = handle(assertion, target, names)
    timeout_s = _timeout(assertion, names)
    return expected if timeout_s is None else expected.model_copy(update={"timeout_s": timeout_s})


def url_pattern(value: Any) -> str:
    """An address, a glob or a regular expression, with ``*`` for any characters.

    Raises: NotSaid.
    """
    if isinstance(value, str) and value:
        return re.sub(r"\*{2,}", "*", value)
    if not isinstance(value, Pattern):
        raise NotSaid("an address that is no text", _HINT)
    source = value.source
    start, end = source.startswith("^"), source.endswith("$") and not source.endswith(r"\$")
    inner = source[start : len(source) - end]
    inner = re.sub(r"(?<!\\)(?:\.|\\[dwsS]|\[[^\]]*\])(?:[*+]\??|\{\d+(?:,\d*)?\})", "*", inner)
    if re.search(r"(?<!\\)[\[\](){}|^$+]|(?<!\\)\?|\\[dwsSbB]", inner):
        raise NotSaid(f"the pattern {source!r:.60}", "write the address with * for what varies")
    plain = re.sub(r"\\(.)", r"\1", inner)
    return re.sub(r"\*{2,}", "*", f"{'' if start else '*'}{plain}{'' if end else '*'}")


def _timeout(assertion: Link, names: Names) -> float | None:
    timeout = value_of(assertion.options["timeout"], names) if "timeout" in assertion.options else None
    return timeout / 1000 if isinstance(timeout, int | float) and timeout > 0 else None


def _first(assertion: Link, names: Names) -> Any:
    if not assertion.args:
        raise NotSaid(f"{assertion.name}()", _HINT)
    return value_of(assertion.args[0], names)


def _visible(assertion: Link, target: Target, names: Names) -> Expectation:
    visible = "visible" not in assertion.options or bool(value_of(assertion.options["visible"], names))
    return Visible(visible=target) if visible else Hidden(hidden=target)


def _checked(assertion: Link, target: Target, names: Names) -> Expectation:
    state = "checked" not in assertion.options or bool(value_of(assertion.options["checked"], names))
    return CheckedIs(checked=target, state=state)


def _contains(assertion: Link, target: Target, names: Names) -> Expectation:
    text = _first(assertion, names)
    if isinstance(text, Pattern) and text.plain is not None:
        return Visible(visible=narrowed_by_text(target, text.plain[0], exact=text.plain[1]))
    if not isinstance(text, str):
        raise NotSaid(f"{assertion.name}({source_of(assertion.args[0])})", _HINT)
    return TextIs(text=text, target=target)


def _has_text(assertion: Link, target: Target, names: Names) -> Expectation:
    text = _first(assertion, names)
    if isinstance(text, str):
        try:
            return Visible(visible=narrowed_by_text(target, text, exact=True))
        except NotSaid:
            return TextIs(text=text, target=target)
    return _contains(assertion, target, names)


def _has_value(assertion: Link, target: Target, names: Names) -> Expectation:
    value = _first(assertion, names)
    if not isinstance(value, str):
        raise NotSaid(f"{assertion.name}({source_of(assertion.args[0])})", _HINT)
    return ValueIs(value=value, target=target)


def _has_attribute(assertion: Link, target: Target, names: Names) -> Expectation:
    words = [value_of(each, names) for each in assertion.args]
    if len(words) != 2 or not all(isinstance(each, str) for each in words):
        raise NotSaid(f"expect(…).{assertion.name}", _HINT)
    return Visible(visible=with_css(target, f"[{words[0]}={quoted(words[1])}]"))


def _count(assertion: Link, target: Target, names: Names) -> Expectation:
    count = _first(assertion, names)
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise NotSaid(f"{assertion.name}({source_of(assertion.args[0])})", _HINT)
    return CountIs(count=target, exactly=count) if count else Hidden(hidden=target)


_ASSERTIONS: dict[str, Callable[[Link, Target, Names], Expectation]] = {
    "to_be_visible": _visible,
    "not_to_be_hidden": lambda _, target, __: Visible(visible=target),
    "not_to_be_visible": lambda _, target, __: Hidden(hidden=target),
    "to_be_hidden": lambda _, target, __: Hidden(hidden=target),
    "not_to_be_attached": lambda _, target, __: CountIs(count=target, exactly=0),
    "to_be_attached": lambda _, target, __: CountIs(count=target, minimum=1),
    "to_be_checked": _checked,
    "not_to_be_checked": lambda _, target, __: CheckedIs(checked=target, state=False),
    "to_contain_text": _contains,
    "to_have_text": _has_text,
    "to_have_value": _has_value,
    "to_be_empty": lambda _, target, __: ValueIs(value="", target=target),
    "to_have_attribute": _has_attribute,
    "to_have_count": _count,
}
