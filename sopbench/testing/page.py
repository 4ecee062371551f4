"""A page as a small tree of elements, and which of them a target means: a model of what a person sees, not of HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sopbench.sop.targets import Target


_ITEMS = ("row", "listitem", "article", "option", "treeitem")
"""What stands beside others of its kind: what is in one of them is not near what is in another."""


@dataclass(eq=False)
class Element:
    """One element. Change its attributes whenever the page is to change: ``on_click=status.show``."""

    role: str = ""
    name: str = ""
    """Accessible name."""
    text: str = ""
    """Its own text; that of its children comes after it."""
    label: str = ""
    placeholder: str = ""
    test_id: str = ""
    css: str | tuple[str, ...] = ()
    """The selectors that find it. They are compared as texts."""
    value: str | None = None
    """What a form field holds; None for what is no form field."""
    checked: bool | None = None
    """State of a checkbox; None for what is none."""
    options: tuple[str, ...] = ()
    """Labels of a drop-down's choices."""
    attributes: dict[str, str] = field(default_factory=dict)
    visible: bool = True
    enabled: bool = True
    covered_by: str = ""
    """What lies over it, if anything does."""
    children: list[Element] = field(default_factory=list)
    on_click: Callable[[], object] | None = None
    """What a click brings about."""
    on_key: Callable[[str], object] | None = None
    """What a key brings about; told its name."""
    on_change: Callable[[], object] | None = None
    """What a new value, choice or state brings about."""

    def show(self) -> None:
        self.visible = True

    def hide(self) -> None:
        self.visible = False

    def all_text(self) -> str:
        """What a person reads in it."""
        inner = (child.all_text() for child in self.children if child.visible)
        return "\n".join(part for part in (self.text, *inner) if part)

    def below(self) -> Iterator[Element]:
        """All elements inside it, in document order."""
        for child in self.children:
            yield child
            yield from child.below()


@dataclass(eq=False)
class Page:
    """What an address shows."""

    elements: list[Element] = field(default_factory=list)
    status: int = 200
    """HTTP status it is answered with."""
    title: str = ""

    @property
    def root(self) -> Element:
        return Element(role="document", children=self.elements)


def find(target: Target, root: Element) -> list[Element]:
    """The elements below ``root`` that fit the target, in document order."""
    roots = [root]
    if target.frame is not None:
        roots = [each for each in root.below() if target.frame in _selectors(each)]
    if target.within is not None:
        roots = _unique(found for each in roots for found in find(target.within, each))
    if target.near is not None:
        near = find(target.near, root)
        roots = _holding_both(target, roots, near)
    found = _unique(each for start in roots for each in _reachable(start) if _fits(target, each))
    if target.text is not None and target.role is None and target.css is None:
        found = [each for each in found if not any(inner in found for inner in each.below())]
    if target.nth is None:
        return found
    place = int(target.nth)
    return found[place:][:1] if place < len(found) and place >= -len(found) else []


def is_visible(element: Element, root: Element) -> bool:
    """Whether it and everything around it can be seen."""
    return element.visible and all(around.visible for around in root.below() if element in around.below())


def _reachable(start: Element) -> Iterator[Element]:
    """Below ``start``, but not inside another frame: a frame is only entered by a target that says so."""
    for child in start.children:
        yield child
        if child.role != "frame":
            yield from _reachable(child)


def _fits(target: Target, element: Element) -> bool:
    roles = (target.role,) if isinstance(target.role, str) else target.role
    return (
        (roles is None or element.role in roles)
        and (target.css is None or target.css in _selectors(element))
        and (target.test_id is None or target.test_id == element.test_id)
        and _says(element.name, target.name, exact=target.exact)
        and _says(element.label, target.label, exact=target.exact)
        and _says(element.placeholder, target.placeholder, exact=target.exact)
        and _says(element.all_text(), target.text, exact=target.exact)
    )


def _says(there: str, wanted: str | None, *, exact: bool) -> bool:
    if wanted is None:
        return True
    there, wanted = " ".join(there.split()), " ".join(wanted.split())
    return there == wanted if exact else bool(there) and wanted.casefold() in there.casefold()


def _holding_both(target: Target, roots: list[Element], near: list[Element]) -> list[Element]:
    own = target.model_copy(update={"near": None, "within": None, "frame": None, "nth": None})

    def holds_near(part: Element) -> bool:
        return any(inner in near for inner in part.below())

    def is_elsewhere(item: Element) -> bool:
        return item.role in _ITEMS and holds_near(item) and not find(own, item)

    holders = [
        each
        for root in roots
        for each in (root, *_reachable(root))
        if holds_near(each) and find(own, each) and not any(map(is_elsewhere, each.below()))
    ]
    return holders[-1:]


def _selectors(element: Element) -> tuple[str, ...]:
    return (element.css,) if isinstance(element.css, str) else element.css


def _unique(elements: Iterable[Element]) -> list[Element]:
    return list(dict.fromkeys(elements))
