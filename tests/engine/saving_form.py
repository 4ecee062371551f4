"""A form to save, and procedures that save it in one way or in another."""

from __future__ import annotations

from typing import Any

from sopbench.events.types import StepFinished
from sopbench.sop.document import Sop
from sopbench.testing.browser import FakeBrowser
from sopbench.testing.page import Element
from sopbench.testing.running import Ran

from .procedures import Json, click, node

SAVED = {"visible": {"role": "status"}}
SAVE: Json = click("Save", expect=[SAVED])
BY_API: Json = {
    "do": "request", "method": "POST", "url": "https://api.test/records", "json": {"name": "{{ name }}"},
    "effect": "idempotent", "into": "made", "expect": [{"that": "made.id == 7"}],
}  # fmt: skip
APPROVES = {"rules": [{"then": "approve"}]}


class Form:
    """A form with a button that is there or not, and another that leads to the same."""

    def __init__(self, *, offers: bool = True) -> None:
        self.clicked: list[str] = []
        self.name = Element(label="Name", value="")
        self.status = Element(role="status", visible=False)
        self.save, self.other = self._button("Save", visible=offers), self._button("Keep", css="#keep")
        self.browser = FakeBrowser([self.name, self.save, self.other, self.status])

    def _button(self, name: str, **more: Any) -> Element:
        return Element(role="button", name=name, on_click=lambda: self._click(name), **more)

    def _click(self, name: str) -> None:
        self.clicked.append(name)
        self.status.show()


def skill(skill_id: str, *actions: Json, method: str = "ui") -> Json:
    return {"id": skill_id, "app": "app", "method_type": method, "actions": list(actions)}


def ways(*skills: Json, nodes: tuple[Json, ...] = (), approval: Json | None = None, **more: Any) -> Sop:
    """A task ``work`` that is done by the first skill, or by one of the others."""
    first, *others = (each["id"] for each in skills)
    private = {
        "skills": list(skills),
        "steps": [{"node_id": "work", "primary_skill": first, "alt_skills": others}],
        "approval": APPROVES if approval is None else approval,
    }
    return Sop.model_validate(
        {
            "meta": {"id": "p", "title": "P", "version": "1.0.0", "goal": "g", "schema": "1.0"},
            "public": {"nodes": [*nodes, node("work", **more)], "variables": {"name": "Ada"}},
            "private": private,
        }
    )


def page_or_api(*page: Json, **more: Any) -> Sop:
    return ways(skill("page", *(page or (SAVE,))), skill("api", BY_API, method="api"), **more)


def tiers(ran: Ran) -> list[str]:
    return [event.tier for event in ran.of(StepFinished) if event.node == "work"]
