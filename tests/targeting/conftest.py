"""A page of a made-up office application, as candidates."""

from __future__ import annotations

import pytest

from .pages import Facts, counted

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve")


@pytest.fixture
def office() -> list[Facts]:
    """A toolbar, a form and a table whose rows have the same two buttons each."""
    bar = [
        _button(name, (100 + 90 * at, 20), f"/html/body/div[1]/button[{at + 1}]", ["toolbar 'Deal'"], "Deal")
        for at, name in enumerate(("Save", "Cancel", "Delete", "Print"))
    ]
    fields = [_field("Company", "company", 1), _field("Amount", "amount", 2)]
    rows = [
        _button(
            name,
            (500 + 80 * cell, 300 + 40 * row),
            f"/html/body/table[1]/tr[{row + 1}]/td[{cell + 1}]/button[1]",
            [f"row {person!r}", "table 'People'"],
            f"{person} {person.lower()}@example.com",
        )
        for row, person in enumerate(NAMES)
        for cell, name in enumerate(("Edit", "Remove"))
    ]
    links = [_link(name, at) for at, name in enumerate(("Home", "Privacy", "Terms", "Contact"))]
    page = [*bar, *fields, *rows, *links]
    return counted(page)


def _button(name: str, at: tuple[int, int], path: str, container: list[str], near: str) -> Facts:
    return {
        "role": "button",
        "name": name,
        "text": name,
        "tag": "button",
        "type": "button",
        "classes": ["btn"],
        "near": near,
        "heading": "Deals",
        "container": container,
        "path": path,
        "box": {"x": at[0], "y": at[1], "width": 80, "height": 30},
    }


def _field(label: str, field: str, at: int) -> Facts:
    return {
        "role": "textbox",
        "name": label,
        "label": label,
        "tag": "input",
        "type": "text",
        "field": field,
        "id": f"deal-{field}",
        "classes": ["input"],
        "near": label,
        "heading": "Deals",
        "container": ["form 'Deal'"],
        "path": f"/html/body/form[1]/div[{at}]/input[1]",
        "box": {"x": 100, "y": 60 + 50 * at, "width": 300, "height": 30},
    }


def _link(name: str, at: int) -> Facts:
    return {
        "role": "link",
        "name": name,
        "text": name,
        "tag": "a",
        "href": f"/{name.lower()}",
        "near": "Home Privacy Terms Contact",
        "container": ["contentinfo"],
        "path": f"/html/body/footer[1]/ul[1]/li[{at + 1}]/a[1]",
        "box": {"x": 100 + 80 * at, "y": 900, "width": 60, "height": 20},
    }
