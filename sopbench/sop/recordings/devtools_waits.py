"""What a ``waitForElement`` step of a DevTools recording waits for."""

from __future__ import annotations

from typing import Any

from sopbench.sop.recordings.recorded import Json
from sopbench.sop.targets import CheckedIs, CountIs, Expectation, Hidden, Target, TextIs, ValueIs, Visible


def awaited(step: Json, target: Target) -> tuple[tuple[Expectation, ...], str]:
    """The expectations, and in words what could not be said.

    As in the recorder's own player, the operator is ``>=`` and the count 1 unless given, and ``visible: false`` turns
    the whole condition round.

    Raises: ValueError if there is nothing to wait for, in words for people.
    """
    wanted, unsaid = _with_attributes(target, step.get("attributes"))
    counted = _counted(step, wanted)
    if step.get("visible") is False:
        return (counted,), unsaid
    stated, unknown = _stated(step.get("properties"), wanted)
    return (counted, *stated), ", ".join(filter(None, (unsaid, unknown)))


def _counted(step: Json, target: Target) -> Expectation:
    operator, count = step.get("operator", ">="), step.get("count", 1)
    known = isinstance(operator, str) and operator in {">=", "==", "<="}
    if not known or isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise ValueError(f"the condition {operator!r:.20} {count!r:.20} is not known")
    holds = step.get("visible") is not False
    if operator == "==" and not holds:
        if count > 1:
            raise ValueError(f"'any number but {count}' cannot be said; say with 'expect' what can be seen")
        return Hidden(hidden=target) if count == 1 else Visible(visible=target)
    if operator == "==":
        return Hidden(hidden=target) if count == 0 else CountIs(count=target, exactly=count)
    if (operator == ">=") == holds:
        at_least = count if holds else count + 1
        return Visible(visible=target) if at_least == 1 else CountIs(count=target, minimum=at_least)
    at_most = count if operator == "<=" else count - 1
    if at_most < 0:
        raise ValueError("it can never be so")
    return Hidden(hidden=target) if at_most == 0 else CountIs(count=target, maximum=at_most)


def _with_attributes(target: Target, attributes: Any) -> tuple[Target, str]:
    if not isinstance(attributes, dict) or not attributes:
        return target, ""
    unsaid, css = [], ""
    for name, value in attributes.items():
        if not isinstance(value, str) or not name.replace("-", "").replace("_", "").isalnum() or target.css:
            unsaid.append(f"attribute {name!r:.40}")
            continue
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        css += f'[{name}="{quoted}"]'
    return target.model_copy(update={"css": css}) if css else target, ", ".join(unsaid)


def _stated(properties: Any, target: Target) -> tuple[list[Expectation], str]:
    stated: list[Expectation] = []
    unknown = []
    for name, value in properties.items() if isinstance(properties, dict) else ():
        if name == "checked" and isinstance(value, bool):
            stated.append(CheckedIs(checked=target, state=value))
        elif name == "value" and isinstance(value, str):
            stated.append(ValueIs(value=value, target=target))
        elif name in {"textContent", "innerText", "outerText"} and isinstance(value, str):
            stated.append(TextIs(text=value, target=target))
        else:
            unknown.append(f"property {name!r:.40}")
    return stated, ", ".join(unknown)
