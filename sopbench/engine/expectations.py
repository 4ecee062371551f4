"""Whether what should be true is true: of the page through the browser, of the variables by evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sopbench.errors import ExpectationFailed
from sopbench.ports.browser import Seen
from sopbench.sop.targets import Expectation, That
from sopbench.sop.templates import render_part, value_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from sopbench.engine.context import ExecutionContext

    Instead = Callable[[Expectation, ExecutionContext], Awaitable[str]]


async def look(expectation: Expectation, context: ExecutionContext, *, timeout_s: float) -> tuple[str, Seen]:
    """What was expected, in words, and what was found within ``timeout_s`` unless the expectation says its own time."""
    if isinstance(expectation, That):
        value = value_of(expectation.that, context.variables)
        return expectation.that, Seen(holds=bool(value), found=f"it is {value!r}")
    rendered = render_part(expectation, context.variables)
    own = expectation.timeout_s
    return str(rendered), await context.browser.look(rendered, timeout_s=timeout_s if own is None else own)


async def look_once(expectation: Expectation, context: ExecutionContext) -> tuple[str, Seen]:
    """What was expected, in words, and what is there now, whatever time the expectation says of its own."""
    return await look(expectation.model_copy(update={"timeout_s": 0}), context, timeout_s=0)


async def require(
    expectations: Iterable[Expectation],
    context: ExecutionContext,
    *,
    timeout_s: float | None = None,
    at_once: bool = False,
    instead: Instead | None = None,
) -> tuple[str, ...]:
    """Wait for each in turn, at most ``timeout_s`` (the run's find limit when None); give back what held, in words.

    ``at_once`` looks once, whatever time an expectation says of its own. ``instead`` may tell, of one that does not
    hold, what is there and will do as well.

    Raises: ExpectationFailed, naming the first that does not hold and what was found instead.
    """
    patience_s = context.limits.find_s if timeout_s is None else timeout_s
    held = []
    for expectation in expectations:
        looking = look_once(expectation, context) if at_once else look(expectation, context, timeout_s=patience_s)
        words, seen = await looking
        if seen.holds:
            held.append(words)
        elif instead is not None and (other := await instead(expectation, context)):
            held.append(other)
        else:
            raise ExpectationFailed(f"expected: {words}; found: {seen.found}", performed=True)
    return tuple(held)
