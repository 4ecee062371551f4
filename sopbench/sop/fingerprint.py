"""Everything that identified an element when it was recorded."""

from __future__ import annotations

from pydantic import Field

from sopbench.sop.part import Part


class Box(Part):
    """Where an element lies: CSS pixels of the whole top document, scrolled or not."""

    x: float
    y: float
    width: float = Field(ge=0)
    height: float = Field(ge=0)


class Fingerprint(Part):
    """What is known of an element; what is absent was not there, or is not known, and does not count.

    Texts have their blanks collapsed to one and are cut at 200 characters.
    """

    frame: tuple[str, ...] = ()
    """The iframes it is in, outermost first: each by title, else name, else id, else the path of its address."""
    shadow: tuple[str, ...] = ()
    """Tag names of the shadow hosts it is in, outermost first."""
    role: str | None = None
    """ARIA role, also one that its tag gives it."""
    name: str | None = None
    """Accessible name."""
    tag: str | None = None
    type: str | None = None
    test_id: str | None = None
    id: str | None = None
    field: str | None = None
    """The attribute ``name``."""
    classes: tuple[str, ...] = ()
    """Without those that say a state or that a build tool made up."""
    href: str | None = None
    """As it is written in the page."""
    alt: str | None = None
    title: str | None = None
    placeholder: str | None = None
    label: str | None = None
    """Text of the labels that belong to it."""
    text: str | None = None
    """Its visible text."""
    near: str | None = None
    """Visible text around it."""
    heading: str | None = None
    """The nearest heading above it."""
    container: tuple[str, ...] = ()
    """What it lies in, innermost first: ``dialog 'Edit'``, ``row 'Ada'``, ``form 'Sign in'``, ``navigation``."""
    path: str | None = None
    """From the root of the page, tags with their number: ``/html/body/div[2]/a[1]``; two strokes go into a frame or an
    open shadow root: ``/html/body/x-menu[1]//a[1]``."""
    box: Box | None = None
    index: int | None = Field(default=None, ge=0)
    """Position among the elements of its role, from 0; of its tag, where it has no role: on the page, or in what its
    target says it is within."""
    of: int | None = Field(default=None, ge=1)
    """How many of these there were."""
