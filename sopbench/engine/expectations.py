"""Whether what should be true is true: of the page through the browser, of the variables by evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.engine.stand_ins import look_at_stand_in
from sopbench.errors import ExpectationFailed
from sopbench.ports.browser import Seen
from sopbench.sop.targets import Expectation, Hidden, That
from sopbench.sop.templates import render_part, value_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sopbench.engine.context import ExecutionContext


async def look(expectation: Expectation, context: ExecutionContext, *, timeout_s: float) -> tuple[str, Seen]:
    """What was expected, in words, and what was found within ``timeout_s`` unless the expectation says its own time."""
    if isinstance(expectation, That):
        value = value_of(expectation.that, context.variables)
        return expectation.that, Seen(holds=bool(value), found=f"it is {value!r}")
    rendered = render_part(expectation, context.variables)
    own = expectation.timeout_s
    return str(rendered), await context.browser.look(rendered, timeout_s=timeout_s if own is None else own)


async def look_once(expectation: Expectation, context: ExecutionContext) -> tuple[str, Seen]:
    """What was expected, in words, and what is there now, whatever time the expectation says of its own.

    Of an element that is known to be called otherwise now, what stands for it will do.
    """
    at_once = expectation.model_copy(update={"timeout_s": 0})
    return await _look_at_either(at_once, context, patience_s=0, may_heal=False)


async def require(
    expectations: Iterable[Expectation],
    context: ExecutionContext,
    *,
    timeout_s: float | None = None,
    at_once: bool = False,
    may_heal: bool = False,
) -> tuple[str, ...]:
    """Wait for each in turn, at most ``timeout_s`` (the run's find limit when None); give back what held, in words.

    ``at_once`` looks once, whatever time an expectation says of its own. Where an element is called otherwise now, what
    stands for it will do; with ``may_heal`` that is looked for.

    Raises: ExpectationFailed, naming the first that does not hold and what was found instead.
    """
    patience_s = context.limits.find_s if timeout_s is None else timeout_s
    held = []
    for expectation in expectations:
        waits = expectation.model_copy(update={"timeout_s": 0}) if at_once else expectation
        words, seen = await _look_at_either(waits, context, patience_s=patience_s, may_heal=may_heal)
        if not seen.holds:
            raise ExpectationFailed(f"expected: {words}; found: {seen.found}", performed=True)
        held.append(words)
    return tuple(held)


async def _look_at_either(
    expectation: Expectation, context: ExecutionContext, *, patience_s: float, may_heal: bool
) -> tuple[str, Seen]:
    """At the element, or what stands for it. Something is hidden when both are."""
    if isinstance(expectation, That):
        return await look(expectation, context, timeout_s=patience_s)
    own = expectation.timeout_s
    known = await look_at_stand_in(expectation, context, timeout_s=patience_s if own is None else own, search=False)
    if known is None:
        found = await look(expectation, context, timeout_s=patience_s)
        if found[1].holds or not may_heal:
            return found
        return await look_at_stand_in(expectation, context, timeout_s=0, search=True) or found
    is_hidden, holds = isinstance(expectation, Hidden), known[1].holds
    if holds != is_hidden:
        return known
    itself = await look(expectation.model_copy(update={"timeout_s": 0}), context, timeout_s=0)
    return itself if itself[1].holds or is_hidden else known
