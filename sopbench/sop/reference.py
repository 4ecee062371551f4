"""The reference of verbs and expectations, from the models. ``python -m sopbench.sop.reference FILE`` writes it."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from pydantic_core import PydanticUndefined

from sopbench.sop.actions import AnyAction
from sopbench.sop.targets import EXPECTATIONS, Target
from sopbench.sop.verbs.base import Action, Dialog
from sopbench.sop.verbs.pointer import Point
from sopbench.sop.verbs.reading import More, Source

if TYPE_CHECKING:
    from sopbench.sop.part import Part

_HEAD = """# Actions

What stands in `private.skills[].actions[]`. Every action may also say `when` (an expression: done only if it holds),
`expect` (what must be true afterwards), `effect`, `timeout_s` and `note`. Texts may hold `{{ templates }}`.

`read` and `idempotent` actions may be repeated; an `irreversible` one is repeated only when it surely was not done, or
when what it should bring about was seen not to have happened.

Made from the models by `python -m sopbench.sop.reference docs/actions.md`.
"""
_SHARED = frozenset(Action.model_fields)


def reference() -> str:
    """The whole page, as Markdown."""
    verbs: tuple[type[Action], ...] = get_args(get_args(AnyAction)[0])
    rows = [_HEAD, "| verb | effect | what it does |\n| --- | --- | --- |"]
    rows += [f"| [`{_verb(kind)}`](#{_verb(kind)}) | {_effect(kind)} | {_summary(kind)} |" for kind in verbs]
    rows += [f"\n## {_verb(kind)}\n\n{_text(kind)}\n\n{_fields(kind, without=_SHARED)}".rstrip() for kind in verbs]
    rows.append("\n# Parts of actions")
    rows += [
        f"\n## {kind.__name__}\n\n{_text(kind)}\n\n{_fields(kind)}" for kind in (Target, Source, More, Point, Dialog)
    ]
    rows.append("\n# Expectations\n\nAll but `that` may say `timeout_s`: how long to wait; 0 looks once.")
    rows += [
        f"\n## {key}\n\n{_text(kind)}\n\n{_fields(kind, without={'timeout_s'})}" for key, kind in EXPECTATIONS.items()
    ]
    return "\n".join(rows) + "\n"


def _verb(kind: type[Action]) -> str:
    return str(kind.model_fields["do"].default)


def _effect(kind: type[Action]) -> str:
    return str(kind.model_fields["effect"].default.value)


def _text(kind: type[Part]) -> str:
    return inspect.cleandoc(kind.__doc__ or "").replace("``", "`")


def _summary(kind: type[Part]) -> str:
    return " ".join(_text(kind).split("\n\n")[0].split())


def _fields(kind: type[Part], without: frozenset[str] | set[str] = frozenset()) -> str:
    rows = []
    for name, info in kind.model_fields.items():
        if name in without:
            continue
        told = " ".join((info.description or "").split()).replace("``", "`")
        default = PydanticUndefined if info.is_required() else info.get_default(call_default_factory=True)
        rows.append(f"* `{info.alias or name}`{_default(default)}" + (f": {told}" if told else ""))
    return "\n".join(rows)


def _default(value: Any) -> str:
    if value is PydanticUndefined:
        return " (needed)"
    return "" if value is None or value in ((), False, {}) else f" (else `{value}`)"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference(), encoding="utf-8")
