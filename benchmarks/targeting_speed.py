"""How long scoring takes on a page of 10,000 elements, each with 20 attributes."""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from plain_similo import similo

from sopbench.sop.fingerprint import Fingerprint
from sopbench.sop.verbs.base import Effect
from sopbench.targeting.choosing import choose
from sopbench.targeting.scoring import rank

Json = dict[str, Any]

ELEMENTS = 10_000
ROUNDS = 21
WORDS = [
    "account", "address", "amount", "approve", "archive", "assign", "billing", "calendar", "cancel", "comment",
    "company", "confirm", "contact", "create", "customer", "delete", "deliver", "discount", "download", "edit",
    "email", "export", "filter", "finance", "group", "history", "import", "invoice", "label", "manage", "member",
    "message", "monthly", "order", "owner", "payment", "person", "phone", "price", "print", "product", "profile",
    "project", "rate", "receipt", "refund", "region", "remove", "report", "request", "reset", "return", "sales",
    "save", "search", "select", "send", "settings", "share", "ship", "sort", "stage", "status", "summary", "team",
    "total", "transfer", "update", "upload", "user", "value", "vendor", "view", "warehouse", "weekly", "yearly",
]  # fmt: skip


def page(elements: int = ELEMENTS, seed: int = 1) -> list[Json]:
    """A made-up page: rows of ten controls, all with their own words, ids and addresses."""
    chance = random.Random(seed)
    return [_element(number, elements, chance) for number in range(elements)]


def _element(number: int, elements: int, chance: random.Random) -> Json:
    def words(count: int) -> str:
        return " ".join(chance.choices(WORDS, k=count))

    row, cell = divmod(number, 10)
    name = f"{words(2)} {number}"
    return {
        "frame": [],
        "role": chance.choice(("button", "link", "textbox", "checkbox")),
        "name": name,
        "tag": chance.choice(("button", "a", "input")),
        "type": chance.choice(("button", "submit", "text")),
        "test_id": f"{words(1)}-{number}",
        "id": f"{words(1)}_{number}",
        "field": f"{words(1)}{number}",
        "classes": chance.choices(WORDS, k=3),
        "href": f"/{words(1)}/{words(1)}/{number}?tab={words(1)}",
        "alt": words(2),
        "title": words(3),
        "placeholder": words(2),
        "label": words(2),
        "text": name,
        "near": words(20),
        "heading": words(3),
        "container": [f"row {words(2)!r}", "table 'Orders'", "main"],
        "path": f"/html/body/div[2]/main/div[3]/table[1]/tbody/tr[{row + 1}]/td[{cell + 1}]/span/button[1]",
        "box": {"x": 100 * cell, "y": 30 * row, "width": 80 + number % 40, "height": 24},
        "index": number,
        "of": elements,
    }


def speed() -> Json:
    """Milliseconds of processor time: the least and the median of the rounds; other work adds to both."""
    elements = page()
    old = Fingerprint.model_validate({**elements[ELEMENTS // 2], "name": "renamed", "text": "renamed"})
    raw = [_as_similo(each) for each in elements]
    least, median = _cpu_ms(lambda: choose(rank(old, elements), Effect.READ), ROUNDS)
    plain, _ = _cpu_ms(lambda: similo(raw[ELEMENTS // 2], raw), 3)
    return {
        "elements": ELEMENTS,
        "attributes": len(elements[0]),
        "least_ms": least,
        "median_ms": median,
        "plain_similo_ms": plain,
        "times_faster": plain / least,
    }


def _as_similo(element: Json) -> Json:
    box = element["box"]
    return {
        "tag": element["tag"],
        "id": element["id"],
        "name": element["field"],
        "classList": element["classes"],
        "href": element["href"],
        "alt": element["alt"],
        "visibleText": element["text"].split(),
        "neighborText": element["near"].split(),
        "location": box,
        "area": box["width"] * box["height"],
        "shape": 100 * box["width"] / box["height"],
        "xpath": element["path"],
        "idxpath": element["path"],
        "isButton": element["role"] == "button",
    }


def _cpu_ms(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    work()
    took = []
    for _ in range(rounds):
        gc.collect()
        started = time.thread_time()
        work()
        took.append(1000 * (time.thread_time() - started))
    return min(took), statistics.median(took)
