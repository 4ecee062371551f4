"""What a FakeBrowser tells of its elements, and which of them could take an action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from sopbench.errors import TargetNotFound
from sopbench.ports.browser import ElementState
from sopbench.sop.approval_rules import origin_of
from sopbench.sop.targets import Target
from sopbench.testing.page import Element, find, is_visible

if TYPE_CHECKING:
    from sopbench.sop.verbs.base import ElementKind

_TOLD = ("id", "href", "title", "alt", "type", "path", "index", "of")
_PRESSED = ("button", "link", "menuitem", "tab", "option", "checkbox", "radio", "row", "cell")


@dataclass
class FakeCandidates:
    """The elements of a FakeBrowser's page at one moment."""

    root: Element
    found: list[Element]
    address: str
    """Of the page."""
    within: Target | None = None
    pictures: list[Path] = field(default_factory=list)

    @property
    def elements(self) -> Sequence[Mapping[str, Any]]:
        return [facts(each, self.root) for each in self.found]

    @property
    def those_within(self) -> Sequence[int]:
        around = [] if self.within is None else find(self.within, self.root)
        return [n for n, each in enumerate(self.found) if any(each in outer.below() for outer in around)]

    async def target(self, number: int) -> Target:
        """By test id, else by role and name, label or text, else so in what it lies in, else counted.

        Raises: TargetNotFound when it is gone.
        """
        meant = self.found[number]
        around = _around(meant, self.root)
        for target in (*_targets(meant), *_targets(meant, around)):
            if find(target, self.root) == [meant]:
                return target
        alike = find(Target(role=meant.role), self.root) if meant.role else []
        if meant in alike:
            return Target(role=meant.role, nth=alike.index(meant))
        raise TargetNotFound(f"candidate {number} is gone, or nothing tells it from others", performed=False)

    async def states(self, numbers: Sequence[int]) -> Sequence[ElementState]:
        """By attributes of the same names; links lead where their ``href`` says. Raises: nothing."""
        return [_state(self.found[number], self.address) for number in numbers]

    async def picture(self, path: Path, numbers: Sequence[int]) -> None:
        assert all(number < len(self.found) for number in numbers)  # noqa: S101 - a mistake of the caller
        self.pictures.append(path)


def candidates(kind: ElementKind, root: Element, address: str, within: Target | None) -> FakeCandidates:
    """Everything visible and enabled that could take an action of this kind."""
    found = [each for each in root.below() if _takes(kind, each) and is_visible(each, root)]
    return FakeCandidates(root, found, address, within)


def facts(element: Element, root: Element) -> dict[str, Any]:
    """The fingerprint of an element, as plain data."""
    around = _around(element, root)
    told: dict[str, Any] = {
        "role": element.role,
        "name": element.name,
        "text": element.all_text(),
        "label": element.label,
        "placeholder": element.placeholder,
        "test_id": element.test_id,
        "container": [f"{around.role} {around.name!r}" if around.name else around.role] if around else [],
        **{key: value for key, value in element.attributes.items() if key in _TOLD},
    }
    return {key: value for key, value in told.items() if value}


def _state(element: Element, address: str) -> ElementState:
    has = element.attributes
    told = ElementState(origin=origin_of(address), in_sight=True)
    if element.value is not None:
        told["value"] = element.value
    if element.checked is not None:
        told["checked"] = element.checked
    if element.options:
        told["options"] = list(element.options)
    if "href" in has:
        told["leads_to"] = urljoin(address, has["href"])
    if "aria-expanded" in has:
        told["expanded"] = has["aria-expanded"] == "true"
    if "aria-haspopup" in has:
        told["opens"] = has["aria-haspopup"]
    if has.get("type") == "password":
        told["secret"] = True
    return told


def _takes(kind: ElementKind, element: Element) -> bool:
    if not element.enabled:
        return False
    match kind:
        case "read":
            return bool(element.all_text()) or element.value is not None
        case "fill":
            return element.value is not None and not element.options
        case "choose":
            return bool(element.options)
        case "check":
            return element.checked is not None
        case _:
            enters = element.value is not None or bool(element.options)
            return element.on_click is not None or element.role in _PRESSED or enters


def _around(element: Element, root: Element) -> Element | None:
    return next((each for each in root.below() if element in each.children), None)


def _targets(element: Element, around: Element | None = None) -> list[Target]:
    ways = [
        {"test_id": element.test_id},
        {"role": element.role, "name": element.name},
        {"label": element.label},
        {"text": element.text},
    ]
    rest: dict[str, Any] = {"exact": True}
    if around is not None and around.role:
        rest["within"] = {"role": around.role, "name": around.name or None, "exact": True}
    return [Target.model_validate(way | rest) for way in ways if all(way.values())]
