"""Which rules fit an action: the built-in ones, and how any rule is held against what an action says.

The built-in rules hold for every document, also for those that were written before there were any: they look at what
an action says of its element, whoever chose that element, so they also catch a "Delete" that a stale target was healed
to or that an exploration came by. A procedure that pays or deletes on purpose says so with a rule of its own. A
document without rules otherwise runs as it says: its author has named every action.

What they cannot see: an element that is named by a selector alone and has no recorded name, a label that is not
English, an action that the document itself declares to be no more than ``read`` or ``idempotent``, a key pressed where
a button could have been clicked, recipients entered one by one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sopbench.sop.approval import SAID_ELSEWHERE, ApprovalRule
from sopbench.sop.globs import fits_any
from sopbench.sop.verbs.base import Effect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sopbench.sop.actions import AnyAction

_PAYS = (
    "pay", "pay *", "* and pay", "* & pay", "buy", "buy *", "purchase", "purchase *", "place *order*", "order now*",
    "order and *", "* order and *", "complete purchase*", "complete order*", "confirm purchase*", "confirm order*",
    "confirm payment*", "submit payment*", "make payment*", "make a payment*", "send payment*", "send money*",
    "transfer money*", "transfer funds*", "donate", "donate *",
)  # fmt: skip
_DELETES = (
    "delete", "delete *", "* delete", "yes, delete*", "erase", "erase *", "destroy", "destroy *", "wipe", "wipe *",
    "permanently *", "* permanently", "* forever", "empty trash*", "empty bin*", "empty the trash*", "empty the bin*",
)  # fmt: skip
_WRITES = (Effect.IDEMPOTENT, Effect.IRREVERSIBLE)
_MANY_RECIPIENTS = 10


def _labelled(labels: tuple[str, ...], why: str) -> tuple[ApprovalRule, ...]:
    """Irreversible actions on an element that says, or is recorded to have said, one of these."""
    return tuple(
        ApprovalRule(effect=Effect.IRREVERSIBLE, arguments={path: labels}, then="ask", why=why)
        for path in ("target.*", "target.fingerprint.name")
    )


BUILT_IN: dict[str, tuple[ApprovalRule, ...]] = {
    "payments": _labelled(_PAYS, "it looks like a payment"),
    "deletions": _labelled(_DELETES, "it looks like a deletion"),
    "mail to many": (
        ApprovalRule(
            effect=_WRITES, recipients_over=_MANY_RECIPIENTS, then="ask", why="it enters more than 10 e-mail addresses"
        ),
    ),
    "writes through an API": (
        *(ApprovalRule(effect=_WRITES, method=method, then="ask", why="it writes to another system")
          for method in ("api", "mcp")),
        ApprovalRule(
            effect=_WRITES, action=("request", "call_tool"), then="ask", why="it writes to another system"
        ),
    ),
}  # fmt: skip
"""What every run asks about: name → rules, any of which may fit."""

_ENTERED = ("value", "text", "option", "json", "query", "arguments")
"""The arguments in which people are written to."""
MAIL_ADDRESS = re.compile(r"[^\s<>,;:\"'()@]+@[^\s<>,;:\"'()@]+\.[^\W\d_]{2,}")


class Subject:
    """One action, as rules see it."""

    def __init__(self, action: AnyAction, node: str, method: str | None) -> None:
        self._action = action
        self._node = node
        self._method = method
        dumped = action.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude=set(SAID_ELSEWHERE))
        self._arguments = list(_flat(dumped))

    def fits(self, rule: ApprovalRule) -> bool:
        """Whether all holds that the rule says, but for its ``origin``: that is not known here."""
        effects = (rule.effect,) if isinstance(rule.effect, Effect) else rule.effect
        return (
            (rule.action is None or fits_any(rule.action, self._action.do))
            and (effects is None or self._action.effect in effects)
            and (rule.node is None or fits_any(rule.node, self._node))
            and (rule.method is None or rule.method == self._method)
            and all(self._has(path, patterns) for path, patterns in rule.arguments.items())
            and (rule.recipients_over is None or self._recipients() > rule.recipients_over)
        )

    def _has(self, path: str, patterns: str | tuple[str, ...]) -> bool:
        wanted = path.split(".")
        return any(
            len(steps) == len(wanted)
            and all(want in ("*", step) for want, step in zip(wanted, steps, strict=True))
            and fits_any(patterns, value)
            for steps, value in self._arguments
        )

    def _recipients(self) -> int:
        entered = (value for steps, value in self._arguments if steps[0] in _ENTERED)
        return len({address.casefold() for text in entered for address in MAIL_ADDRESS.findall(text)})


def origin_of(url: str) -> str:
    """Scheme, host and port: ``https://app.example.com``, ``http://127.0.0.1:80``; ``file:`` where there is no host."""
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        return ""
    if not host:
        return f"{parts.scheme}:"
    port = None if (parts.scheme, port) in {("http", 80), ("https", 443)} else port
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{f':{port}' if port is not None else ''}"


def _flat(value: Any, steps: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _flat(each, (*steps, str(key)))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _flat(each, (*steps, str(index)))
    elif value is not None:
        yield steps, str(value)
