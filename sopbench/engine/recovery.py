"""What is done when an action fails: the tiers of recovery, in the order in which they are tried.

    retry        the same action again            it may be repeated, and the step has attempts left      (``retry``)
    heal         what it is folded away in is     none or several fit, so surely nothing was done yet     (``healing``)
                 opened; another element for it
    alternative  the step by another skill        nothing that cannot be undone was, or may have been, done
    explore      a way nobody recorded            surely not done, can be undone, and it can be seen when it is there
    ask          a person does it, or helps       somebody would answer
    stop         the step fails                   always

Every tier must be allowed by the run (``TIERS``) and by the node, which may only narrow that. The first that brings
about what the action should ends the recovery; an alternative takes the rest of the step over, with all tiers of its
own, so what would come after it is no longer tried for the skill that failed. The step's tier in the log, and so the
grade of the trial, says the last one that was needed.

Only failures of a step are recovered from: not a limit, a rejection, a model without an answer, a lost browser. What
goes wrong within a tier leads to the next one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from sopbench.engine.actions import do_action, may_repeat
from sopbench.engine.asking import ask_operator
from sopbench.engine.context import Autonomy
from sopbench.engine.expectations import require
from sopbench.engine.exploring import Goal, usual_origins
from sopbench.engine.healing import healed, is_stale
from sopbench.engine.lasting import Lasting
from sopbench.engine.pictures import kept_picture
from sopbench.engine.retry import Attempts, Deeds, do_with_attempts
from sopbench.errors import (
    AnswersDiffer,
    AnswerUnusable,
    BrowserLost,
    ExpectationFailed,
    ModelUnavailable,
    OperatorStopped,
    Rejected,
    SopbenchError,
    StepError,
    WayLost,
)
from sopbench.events.types import ActionSkipped, AlternativeTaken
from sopbench.ports.operator import OperatorQuestion
from sopbench.sop.explorable import USUAL
from sopbench.sop.nodes import LoopNode
from sopbench.sop.targets import That
from sopbench.sop.templates import render_part
from sopbench.sop.verbs.base import Effect
from sopbench.sop.verbs.pointer import Click

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from sopbench.engine.context import ExecutionContext
    from sopbench.sop.actions import AnyAction
    from sopbench.sop.document import Skill
    from sopbench.sop.nodes import NodeBase, RecoveryTier

TIERS: dict[Autonomy, frozenset[RecoveryTier]] = {
    Autonomy.DETERMINISTIC: frozenset({"retry", "alternative"}),
    Autonomy.LIGHT: frozenset({"retry", "alternative", "heal", "ask"}),
    Autonomy.FULL: frozenset({"retry", "alternative", "heal", "ask", "explore"}),
}
"""What each autonomy allows. Deterministic is what the document itself says: no model, no guess, nobody asked."""

_EXPLORED_STEPS = 8
_MOST_QUESTIONS = 3
"""To the operator, about one action."""
AnyError = TypeVar("AnyError", bound=SopbenchError)
DONE, AGAIN, SKIP_ITEM, STOP = "done", "again", "skip item", "stop"


@dataclass
class _Way:
    """One skill of the step on its way."""

    skill: Skill
    others: Sequence[Skill]
    """What may still be taken in its place."""
    before: dict[str, Any]
    """The innermost variables as it began."""
    deeds: Deeds


@dataclass(frozen=True)
class _Failed:
    """An action of a skill that failed, after every attempt."""

    number: int
    action: AnyAction
    error: StepError
    way: _Way


@dataclass
class Recovery:
    """One visit of a task: its actions, and what is done when one of them fails."""

    node: NodeBase
    attempts: Attempts
    context: ExecutionContext
    explore: Callable[[Goal, ExecutionContext], Awaitable[None]]

    async def do(self, skills: Sequence[Skill]) -> None:
        """Do the first skill, or what recovers it; what was done and held is not done again.

        Raises: StepError of the last tier that was tried, and what the ports raise.
        """
        skill, *others = skills
        able = [other for other in others if other.actions]
        way = _Way(skill, able, dict(self.context.variables.maps[0]) if able else {}, Deeds(self.context))
        self.context.skill = skill
        self.context.may_heal = self._allows("heal")
        lasting = Lasting(self.context)
        begin = 0
        while begin < len(skill.actions):
            if await self._done_whole(begin, way, lasting):
                return
            lost = await lasting.lost()
            if lost is None:
                return
            begin, action, error = lost
            if await self.attempts.again(action, error):
                continue
            if await self._recovered_whole(_Failed(begin, action, error, way)):
                return
            begin += 1

    async def _done_whole(self, begin: int, way: _Way, lasting: Lasting) -> bool:
        """Do the actions from number ``begin`` on; whether an alternative did the rest of the step.

        Raises: StepError of the last tier that was tried, and what the ports raise.
        """
        for number, action in enumerate(way.skill.actions[begin:], begin):
            try:
                if await do_with_attempts(number, action, self.attempts, way.deeds, self.context):
                    lasting.note(number, action)
            except StepError as error:
                if await self._recovered_whole(_Failed(number, action, _recoverable(error), way)):
                    return True
                lasting.note(number, action)
        return False

    async def _recovered_whole(self, failed: _Failed) -> bool:
        """Recover the action; whether with it the whole rest of the step is done.

        Raises: StepError of the last tier that was tried.
        """
        error: StepError | None = failed.error
        if isinstance(error, WayLost):
            raise error
        if self._allows("heal") and is_stale(failed.error):
            error = await self._unfold(failed)
            if error is not None and error.performed is False:
                error = await self._heal(failed)
        if error is not None and self._allows("alternative") and failed.way.others:
            if not failed.way.deeds.said:
                await self._take_alternative(failed, error)
                return True
            error = _saying(error, f"no other skill was tried: {failed.way.deeds.said}")
        if error is not None and self._allows("explore") and await self._could_explore(failed, error):
            error = await self._explore(failed, error)
        if error is not None and self._allows("ask"):
            error = await self._ask(failed, error)
        if error is not None:
            raise error
        return False

    def _allows(self, tier: RecoveryTier) -> bool:
        own = self.node.recovery
        return tier in TIERS[self.context.autonomy] and (own is None or tier in own)

    async def _unfold(self, failed: _Failed) -> StepError | None:
        """Where the element is there, but folded away, open that and do it; the error to go on with otherwise."""
        action, context = failed.action, self.context
        element = render_part(action, context.variables).element()
        try:
            opener = await context.browser.opener(element[1]) if element is not None else None
            if opener is None:
                return failed.error
            await do_action(failed.number, Click(target=opener, effect=Effect.READ), context, is_written=False)
        except StepError as error:
            _recoverable(error)
            return failed.error
        try:
            await do_action(failed.number, action, context)
        except StepError as error:
            failed.way.deeds.note(action, performed=error.performed)
            return _recoverable(error)
        failed.way.deeds.note(action, performed=True)
        context.used.add("healed")
        return None

    async def _heal(self, failed: _Failed) -> StepError | None:
        """Do it once, to the element that is meant by a stale target; the error to go on with, if that failed too."""
        action, way = failed.action, failed.way
        try:
            targets = await healed(
                failed.number, action, failed.error, way.skill.actions[failed.number + 1 :], self.context
            )
        except StepError as error:
            return _recoverable(error)
        except (ModelUnavailable, AnswerUnusable, AnswersDiffer) as error:
            return _saying(failed.error, f"healing did not help: {error}")
        failure = failed.error
        for taken in targets:
            try:
                await do_action(failed.number, action, self.context, target=taken.target)
            except StepError as error:
                error.cause = "target"  # what was taken for it was not it, or does something else now
                if taken.is_surely_it:
                    way.deeds.note(action, performed=error.performed)
                elif error.performed is not False:
                    way.deeds.note_wrong_element(action)
                failure = _recoverable(error)
            else:
                way.deeds.note(action, performed=True)
                self.context.stale.add(id(action))
                return None
        return failure

    async def _take_alternative(self, failed: _Failed, error: StepError) -> None:
        """Do the step by the next skill from its beginning, with the variables as they were before the failed one.

        Raises: StepError, which tells of both.
        """
        way, context, skill = failed.way, self.context, failed.way.others[0]
        scope = context.variables.maps[0]
        dropped = sorted(name for name in scope if name not in way.before or scope[name] != way.before[name])
        scope.clear()
        scope.update(way.before)
        context.step_approved = False  # who approved the step did not know that it would be done this way
        context.used.add("alternative")
        self.attempts.renew()
        context.emit(
            AlternativeTaken(
                step=context.step,
                skill=skill.id,
                method=skill.method_type,
                instead_of=way.skill.id,
                why=str(error),
                dropped=tuple(dropped),
            )
        )
        try:
            await self.do(way.others)
        except Rejected as refused:
            raise _saying(error, f"the skill {skill.id!r} was not approved in its place: {refused}") from refused
        except StepError as failure:
            raise _saying(failure, f"before it, the skill {way.skill.id!r} failed: {error}") from error

    async def _could_explore(self, failed: _Failed, error: StepError) -> bool:
        """Whether it would be harmless to look for another way, and could be seen that one was found."""
        action = failed.action
        if failed.way.deeds.said or error.performed is not False or action.effect is Effect.IRREVERSIBLE:
            return False
        if getattr(action, "into", None) is not None or all(isinstance(each, That) for each in action.expect):
            return False
        try:
            await require(action.expect, self.context, at_once=True)
        except ExpectationFailed:
            return True
        return False  # it holds already: nothing would tell when the goal is reached

    async def _explore(self, failed: _Failed, error: StepError) -> StepError | None:
        """Reach by another way what the action should bring about; the error to go on with, if that failed too."""
        context, action = self.context, failed.action
        rendered = render_part(action, context.variables)
        goal = Goal(
            text=f"{self.node.intent or self.node.label}: {rendered}",
            done_when=tuple(render_part(each, context.variables) for each in action.expect),
            allowed=USUAL,
            origins=await usual_origins(context),
            max_steps=_EXPLORED_STEPS,
        )
        try:
            await self.explore(goal, context)
            held = await require(action.expect, context)
        except (StepError, Rejected, ModelUnavailable, AnswerUnusable) as failure:
            _recoverable(failure)
            return _saying(error, f"exploring did not help: {failure}")
        context.used.add("explored")
        self._note(failed, f"reached another way: {'; '.join(held)}")
        return None

    async def _ask(self, failed: _Failed, error: StepError) -> StepError | None:
        """Let a person do the action by hand, or put right what stood in its way; the error, if nobody helped.

        An operator who would not say more than that nothing be done is not asked, and the log says nothing of it.

        Raises: OperatorStopped.
        """
        context, action = self.context, failed.action
        gives_up_item = any(
            isinstance(frame.node, LoopNode) and frame.node.on_item_error == "continue" for frame in context.frames
        )
        for _ in range(_MOST_QUESTIONS):
            options = [DONE] if getattr(action, "into", None) is None else []
            options += [AGAIN] if await may_repeat(action, error, context) else []
            options += [SKIP_ITEM, STOP] if gives_up_item else [STOP]
            question = OperatorQuestion(
                f"step {self.node.label!r} failed at: {action} ({error}); what now?",
                tuple(options),
                safe=SKIP_ITEM if gives_up_item else STOP,
            )
            if not context.operator.would_answer(question):
                break
            picture = await kept_picture(f"-failed-{failed.number}", context.browser.screenshot, context)
            answer = await ask_operator(_with_picture(question, picture), context)
            if answer == question.safe:
                break
            if answer == STOP:
                raise OperatorStopped(f"the operator stopped the run: {error}") from error
            try:
                if answer == DONE:
                    held = await require(action.expect, context)
                    self._note(failed, f"done by the operator: {'; '.join(held) or 'nothing tells that it was'}")
                else:
                    self.attempts.begin()
                    await do_action(failed.number, action, context)
            except StepError as failure:
                error = _recoverable(failure)
                failed.way.deeds.note(action, performed=failure.performed)
            else:
                failed.way.deeds.note(action, performed=True)
                return None
        return error

    def _note(self, failed: _Failed, why: str) -> None:
        self.context.emit(ActionSkipped(step=self.context.step, action=failed.number, says=str(failed.action), why=why))


def _recoverable(error: AnyError) -> AnyError:
    """The error itself. Raises: it, if the browser is lost: nothing can be done without it, and nothing was seen."""
    if isinstance(error, BrowserLost):
        raise error
    return error


def _with_picture(question: OperatorQuestion, picture: str) -> OperatorQuestion:
    return OperatorQuestion(question.text, question.options, question.safe, picture)


def _saying(error: StepError, more: str) -> StepError:
    """The same error with more in its message."""
    error.message = f"{error.message}; {more}"
    return error
