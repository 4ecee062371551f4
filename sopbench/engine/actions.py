"""One action: say what is about to be done, do it, see that it did what it should."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sopbench.engine.approval import approve_action
from sopbench.engine.asking import ask_agreed
from sopbench.engine.expectations import require
from sopbench.engine.healing import beware
from sopbench.engine.prompts import interpretation
from sopbench.engine.tools import use_tool
from sopbench.engine.values import set_variable
from sopbench.engine.witnessing import note_failed
from sopbench.errors import SopbenchError, StepError
from sopbench.events.types import (
    ActionFinished,
    ActionSkipped,
    ActionStarted,
    ArtifactKept,
    TargetSeen,
)
from sopbench.ports.browser import Done
from sopbench.sop.actions import AnyAction
from sopbench.sop.closed import closed_fields
from sopbench.sop.targets import Visible
from sopbench.sop.templates import render_part, value_of
from sopbench.sop.verbs.base import Effect
from sopbench.sop.verbs.fields import Copy
from sopbench.sop.verbs.pages import Back, Navigate, Reload, SwitchTab, WaitFor
from sopbench.sop.verbs.reading import Download, Extract
from sopbench.sop.verbs.thinking import Interpret, Set
from sopbench.sop.verbs.tools import CallTool, Request

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext
    from sopbench.sop.approval import Then
    from sopbench.sop.targets import Target

_SAID_ELSEWHERE = {"do", "expect", "effect", "undone", "when", "note"}


async def do_action(
    number: int,
    action: AnyAction,
    context: ExecutionContext,
    *,
    target: Target | None = None,
    find_s: float | None = None,
    is_written: bool = True,
    otherwise: Then | None = None,
) -> bool:
    """Carry out one action of a skill; on ``target``, with its variables filled in, if one is given.

    False when its ``when`` did not hold: it was not done then.

    ``find_s`` limits the time in which its element is looked for, where that is less than its own. ``is_written`` is
    False for an action that the document does not name; ``otherwise`` then says what holds where no rule approves it.

    Raises: Rejected, OperatorStopped when it may not be done. StepError and what the ports raise; the log then holds an
    ActionFailed, unless its own templates failed.
    """
    if action.when is not None and not value_of(action.when, context.variables):
        context.emit(
            ActionSkipped(step=context.step, action=number, says=str(action), why=f"{action.when} does not hold")
        )
        return False
    rendered = render_part(action, context.variables)
    if target is not None:
        rendered = rendered.model_copy(update={"target": target})
    timeout_s = _timeout(rendered, find_s, context)
    await approve_action(number, rendered, context, as_written=is_written and target is None, otherwise=otherwise)
    context.emit(
        ActionStarted(
            step=context.step,
            action=number,
            do=rendered.do,
            says=str(rendered),
            effect=rendered.effect,
            arguments=_arguments(rendered),
        )
    )
    started = context.clock.monotonic()
    done: Done | None = None
    try:
        if context.record_targets and is_written:
            await _record_target(number, rendered, context)
        await beware(rendered, timeout_s, context)
        done = await _perform(action, rendered, timeout_s, context)
        _keep(number, rendered, done, context)
        held = await require(action.expect, context, timeout_s=_patience(action, context), may_heal=context.may_heal)
    except SopbenchError as error:
        if done is not None and isinstance(error, StepError):
            error.performed = True  # whatever went wrong, it was in looking at what the action brought about
        await note_failed(number, action, error, started, context)
        raise
    context.emit(
        ActionFinished(
            step=context.step,
            action=number,
            duration_s=context.clock.monotonic() - started,
            expected=held,
            remark=done.remark,
            waited_s=dict(done.waited_s),
        )
    )
    return True


async def came_late(number: int, action: AnyAction, context: ExecutionContext, *, patient: bool = False) -> bool:
    """Whether what the action should bring about, and was seen not to be there, has come since.

    It need not be repeated then. ``patient`` waits for it as long as after the action itself: where it may not be
    repeated, that is all that can be done.
    """
    try:
        held = await require(action.expect, context, timeout_s=_patience(action, context), at_once=not patient)
    except StepError:
        return False
    why = f"what it should bring about came late: {'; '.join(held)}"
    context.emit(ActionSkipped(step=context.step, action=number, says=str(action), why=why))
    return True


async def may_repeat(action: AnyAction, error: StepError, context: ExecutionContext) -> bool:
    """Whether the action may be tried again after this error.

    ``read`` and ``idempotent`` always. ``irreversible`` only if it surely was not performed, or if all is seen that the
    document says shows so (``undone``): not to see what was expected is not to see that nothing happened.
    """
    if action.effect is not Effect.IRREVERSIBLE or error.performed is False:
        return True
    if not action.undone:
        return False
    try:
        await require(action.undone, context, at_once=True)
    except StepError:
        return False
    return True


async def _record_target(number: int, action: AnyAction, context: ExecutionContext) -> None:
    """Note what the element is like, as soon as it can be seen. What cannot be noted does not stop the run."""
    element = action.element()
    if element is None:
        return
    kind, target = element
    try:
        if kind != "upload":
            await context.browser.look(Visible(visible=target), timeout_s=context.limits.find_s)
        seen = await context.browser.fingerprint(target, kind)
        exactly = await context.browser.fingerprint(target.model_copy(update={"exact": True}), kind)
    except StepError:
        return
    if seen is not None:
        told = seen.model_dump(mode="json", exclude_defaults=True)
        context.emit(TargetSeen(step=context.step, action=number, fingerprint=told, exact=exactly == seen))


def _arguments(action: AnyAction) -> dict[str, Any]:
    """What the action says, without what was recorded of its elements."""
    told = action.model_dump(exclude=_SAID_ELSEWHERE, exclude_defaults=True, mode="json", by_alias=True)
    plain: dict[str, Any] = _without_fingerprints(told)
    return plain


def _without_fingerprints(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {key: _without_fingerprints(each) for key, each in value.items() if key != "fingerprint"}


async def _perform(written: AnyAction, action: AnyAction, timeout_s: float, context: ExecutionContext) -> Done:
    """``written`` is the action as the document has it; ``action`` has its variables filled in."""
    match action:
        case WaitFor(network=None):
            if action.seconds is not None:
                await context.clock.sleep(action.seconds)
        case Interpret():
            request = interpretation(action, timeout_s=action.timeout_s or context.limits.generation_s)
            same = (*closed_fields(action.answer), *action.same)
            answer = await ask_agreed(request, same, question=action.instructions, about=action.about, context=context)
            set_variable(action.into, answer, "model", context)
        case Set():
            set_variable(action.into, value_of(action.to, context.variables), "expression", context)
        case Request() | CallTool():
            return Done(value=await use_tool(written, action, timeout_s=timeout_s, context=context))
        case _:
            return await context.browser.perform(action, timeout_s=timeout_s)
    return Done()


def _keep(number: int, action: AnyAction, done: Done, context: ExecutionContext) -> None:
    """Note the files an action left, and set the variable it reads into."""
    if done.artifact is not None:
        kept = done.artifact
        context.emit(
            ArtifactKept(
                step=context.step, action=number, name=kept.name, path=kept.path, size=kept.size, sha256=kept.sha256
            )
        )
    if isinstance(action, Extract | Copy | Download) and action.into is not None:
        set_variable(action.into, done.value, "page", context)
    if isinstance(action, Request | CallTool) and action.into is not None:
        set_variable(action.into, done.value, "tool", context)


def _patience(action: AnyAction, context: ExecutionContext) -> float:
    """How long to wait for each expectation that does not say its own time."""
    own = action.timeout_s if isinstance(action, WaitFor) else None
    return own or context.limits.find_s


def _timeout(action: AnyAction, find_s: float | None, context: ExecutionContext) -> float:
    if isinstance(action, Request | CallTool):
        return action.timeout_s or context.limits.tool_s
    loads_a_page = isinstance(action, Navigate | Back | Reload | SwitchTab | Download | WaitFor)
    timeout_s = action.timeout_s or (context.limits.navigation_s if loads_a_page else context.limits.find_s)
    return timeout_s if find_s is None else min(find_s, timeout_s)
