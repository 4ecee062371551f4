"""Which actions need somebody's word before they are done: rules in order, the first that fits decides."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field, field_validator, model_validator

from sopbench.sop.actions import AnyAction
from sopbench.sop.globs import fits_any
from sopbench.sop.part import Part
from sopbench.sop.targets import Target
from sopbench.sop.verbs.base import Action, Effect

Globs = Annotated[str, Field(min_length=1)] | Annotated[tuple[str, ...], Field(min_length=1)]
"""A pattern, or several of which one must fit. ``*`` stands for any characters; case does not count."""
Then = Literal["approve", "reject", "ask", "stop"]

_UNION = get_args(AnyAction)[0]
VERBS: tuple[type[Action], ...] = get_args(_UNION)
SAID_ELSEWHERE = frozenset({"do", "expect", "effect", "undone", "when", "note"})
"""What every action says besides its arguments."""
_ARGUMENTS = frozenset(
    info.alias or name for verb in VERBS for name, info in verb.model_fields.items() if name not in SAID_ELSEWHERE
)
_TARGETS = frozenset({"target", "each", "table", "definitions"})


class ApprovalRule(Part):
    """Fits an action of which all holds that it says. A rule that says nothing fits every action."""

    action: Globs | None = None
    """The verb: ``click``, ``set_*``."""
    effect: Effect | tuple[Effect, ...] | None = None
    origin: Globs | None = None
    """Scheme, host and port of the address that is opened, or else of the page in front: ``https://*.example.com``."""
    arguments: dict[str, Globs] = Field(default_factory=dict)
    """Path in the action, variables filled in → pattern: ``value``, ``target.name``. A ``*`` in a path is any one step;
    then one of the values it leads to must fit. Several paths must all fit. What is not there fits nothing."""
    node: Globs | None = None
    """The node's id."""
    method: Literal["ui", "api", "mcp"] | None = None
    """How the node's skill works."""
    recipients_over: int | None = Field(default=None, ge=0)
    """More e-mail addresses than this are entered by it, all at once."""
    then: Then
    """``reject``: this is not done, and its step fails. ``stop``: the run ends. ``ask``: the operator says which."""
    why: str | None = None

    @field_validator("action")
    @classmethod
    def _is_a_verb(cls, patterns: Globs | None) -> Globs | None:
        verbs = [str(verb.model_fields["do"].default) for verb in VERBS]
        for pattern in (patterns,) if isinstance(patterns, str) else patterns or ():
            if not any(fits_any(pattern, verb) for verb in verbs):
                raise ValueError(f"no verb fits {pattern!r}; there are {', '.join(sorted(verbs))}")
        return patterns

    @field_validator("arguments")
    @classmethod
    def _leads_somewhere(cls, arguments: dict[str, Globs]) -> dict[str, Globs]:
        """A path that no action has fits nothing: a rule that is to reject by it would let everything through."""
        for path in arguments:
            first, _, rest = path.partition(".")
            if first not in _ARGUMENTS | {"*"}:
                raise ValueError(f"no action has {first!r}; there are {', '.join(sorted(_ARGUMENTS))}")
            then = rest.partition(".")[0]
            if first in _TARGETS and then not in (*Target.model_fields, "*"):
                raise ValueError(f"a target has no {then!r}; there are {', '.join(Target.model_fields)}")
        return arguments


class Approval(Part):
    """What may be done: the document's own rules, then the built-in ones, then ``otherwise``.

    The built-in rules ask about irreversible payments and deletions, mail to more than 10 recipients, and writes
    through an API. A procedure that does such a thing on purpose says so with a rule that approves it.
    """

    rules: tuple[ApprovalRule, ...] = ()
    otherwise: Then | None = None
    """For actions that change something and that no rule fits. When absent, ``reject`` where there are rules, and
    ``approve`` where there are none: who lists what may be done has ruled out the rest. Mere reading is never
    ruled out by this, only by a rule."""

    @model_validator(mode="after")
    def _can_be_reached(self) -> Approval:
        for number, rule in enumerate(self.rules[:-1], start=1):
            if not rule.model_fields_set - {"then", "why"}:
                raise ValueError(f"rule {number} fits every action: no rule after it is ever reached")
        return self
