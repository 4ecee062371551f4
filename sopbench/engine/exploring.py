"""Reaching a goal whose way was not recorded: plan, act, observe, within bounds.

Bounded by verbs, origins, steps, and the run's budgets. The page decides with its ``done_when`` whether the goal is
reached; the model only chooses the next action, one at a time, from what the page offers. What cannot be undone is
done only if the operator approves it. The browser itself keeps to the origins, whatever a page does.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sopbench.engine.actions import do_action
from sopbench.engine.asking import ask_model
from sopbench.engine.exploration_memory import Memory
from sopbench.engine.explored_actions import Chosen, NotOffered, chosen, offers, plain
from sopbench.engine.observation import observe
from sopbench.engine.prompts import EXPLORING, GIVE_UP, WHY_MAX_CHARS, exploration
from sopbench.errors import (
    AnswerUnusable,
    BrowserLost,
    GoalNotReached,
    Rejected,
    SopbenchError,
    StepError,
    TargetNotFound,
)
from sopbench.events.types import ExplorationFinished, ExplorationStarted, ExplorationStep
from sopbench.sop.approval_rules import origin_of
from sopbench.sop.explorable import named_addresses
from sopbench.sop.targets import Downloaded, That
from sopbench.sop.templates import render, value_of
from sopbench.sop.verbs.base import Effect
from sopbench.sop.verbs.pages import Back

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.engine.context import ExecutionContext
    from sopbench.engine.exploration_memory import Key
    from sopbench.engine.observation import Observation
    from sopbench.engine.prompts import Offer
    from sopbench.sop.approval import Then
    from sopbench.sop.targets import Expectation

_SETTLES_S = 1.0
"""How long what decides the goal may take to show after an action."""
_FIND_S = 3.0
"""For an element that was just seen."""
_UNUSABLE_IN_A_ROW = 2
_NO_PAGE = ("about:", "chrome-error:")


@dataclass(frozen=True)
class Goal:
    """What an exploration is to reach, and what it may do for it. Everything with its variables filled in."""

    text: str
    done_when: tuple[Expectation, ...]
    """All of it must hold: this decides success, not the model."""
    allowed: tuple[str, ...]
    """Verbs."""
    origins: tuple[str, ...]
    max_steps: int


async def usual_origins(context: ExecutionContext) -> tuple[str, ...]:
    """The origin of the page in front, and those of all addresses that the document's own actions open.

    Raises: BrowserLost.
    """
    addresses = [await context.browser.where()]
    for template in named_addresses(context.sop):
        try:
            addresses.append(render(template, context.variables))
        except StepError:
            continue  # what it names is not set yet
    return tuple(dict.fromkeys(origin_of(each) for each in addresses if not each.startswith(_NO_PAGE)))


async def reach(goal: Goal, context: ExecutionContext) -> None:
    """Explore until the goal's ``done_when`` holds.

    Raises: GoalNotReached (a StepError), LimitReached, OperatorStopped, and what the ports raise.
    """
    context.emit(
        ExplorationStarted(
            step=context.step,
            goal=goal.text,
            done_when=tuple(map(str, goal.done_when)),
            allowed=goal.allowed,
            origins=goal.origins,
            max_steps=goal.max_steps,
        )
    )
    exploration_ = _Exploration(goal, context)
    try:
        why = await exploration_.carry_out()
    except SopbenchError as error:
        exploration_.finish(reached=False, why=str(error))
        raise
    exploration_.finish(reached=True, why=why)
    if exploration_.steps:
        context.used.add("explored")


@dataclass
class _Exploration:
    goal: Goal
    context: ExecutionContext
    memory: Memory = field(default_factory=Memory)
    steps: int = 0
    done: int = 0
    """Actions begun."""
    refused: Sequence[str] = ()
    """What the browser refused; it grows by itself."""
    left: list[str] = field(default_factory=list)
    """Addresses of other origins that a page came to nevertheless."""
    unusable: int = 0
    """Answers in a row."""
    was_warned: bool = False

    async def carry_out(self) -> str:
        """What decides the goal, in words: it holds. Raises: GoalNotReached and what ``reach`` raises."""
        async with self.context.browser.kept_to(self.goal.origins, downloads=self._downloads) as self.refused:
            held = await self._holds(0)
            seen = await self._observe()
            while held is None and self.steps < self.goal.max_steps:
                self.steps += 1
                choice = await self._choose(seen)
                outcome = "" if choice is None else await self._do(choice)
                held = None if choice is None else await self._holds(_SETTLES_S)
                before, seen = seen, await self._observe()
                if choice is not None:
                    self._remember(choice, outcome, before, seen)
            held = held or await self._holds(self.context.limits.find_s)
        if held is None:
            raise self._not_reached("its steps are used up")
        return held

    def finish(self, *, reached: bool, why: str) -> None:
        way = [plain(action, self.context.variables) for action in self.memory.way()] if reached else []
        self.context.emit(
            ExplorationFinished(
                step=self.context.step,
                reached=reached,
                steps=self.steps,
                why=why,
                way=tuple(way),
                refused=(*self.refused, *self.left),
            )
        )

    @property
    def _downloads(self) -> bool:
        """Whether files may be saved: only where the goal is one."""
        return any(isinstance(each, Downloaded) for each in self.goal.done_when)

    async def _observe(self) -> Observation:
        return await observe(self.context.browser, self.goal.origins, downloads=self._downloads)

    async def _holds(self, timeout_s: float) -> str | None:
        """What holds, in words, once all of it does within that time; None when it does not."""
        for expectation in self.goal.done_when:
            if isinstance(expectation, That):
                holds = bool(value_of(expectation.that, self.context.variables))
            else:
                looked = expectation.model_copy(update={"timeout_s": None})
                holds = (await self.context.browser.look(looked, timeout_s=timeout_s)).holds
            if not holds:
                return None
        return "; ".join(map(str, self.goal.done_when))

    async def _choose(self, seen: Observation) -> Chosen | None:
        """The next action; None when there is none to be done in this turn. Raises: GoalNotReached."""
        answer = await self._ask(seen)
        if answer is None:
            return None
        offer = str(answer.get("do", "")), str(answer.get("element", ""))
        if offer[0] == GIVE_UP:
            self._say(seen, GIVE_UP, str(answer.get("why", "")))
            raise self._not_reached(f"the model gave up: {answer.get('why') or 'it says nothing'}")
        try:
            choice = await chosen(answer, seen, self.goal, f"explored {self.done + 1}")
        except NotOffered as error:
            self._say(seen, f"refused: {error}", str(answer.get("why", "")))
            if self._is_new(seen, offer, ("refused", "", str(error)), str(error)):
                self.memory.note(str(error), "refused")
            return None
        except TargetNotFound as error:
            self._say(seen, f"gone: {error}", str(answer.get("why", "")))
            return None
        self._say(seen, choice.says, choice.why, choice)
        return choice if self._is_new(seen, offer, choice.key, choice.says) else None

    def _is_new(self, seen: Observation, offer: Offer, key: Key, says: str) -> bool:
        """Whether it may help. Raises: GoalNotReached when it goes round in circles a second time."""
        if not self.memory.goes_in_circles(seen, key):
            self.memory.begin(seen, offer, key)
            return True
        if self.was_warned:
            raise self._not_reached(f"it goes round in circles: {says}")
        self.was_warned = True
        self.memory.note(says, "not done again: it was tried on this page and changed nothing")
        return False

    async def _ask(self, seen: Observation) -> dict[str, Any] | None:
        """None for an answer that cannot be used. Raises: AnswerUnusable for the second in a row; what ports raise."""
        page, tried = seen.told(), self.memory.told()
        verbs = [verb for verb in self.goal.allowed if verb in EXPLORING]
        may_be = offers(seen, verbs, self.memory.chosen_on(seen))
        request = exploration(self.goal.text, verbs, page, tried, may_be, timeout_s=self.context.limits.generation_s)
        about = f"{page}\n\nTried so far:\n{tried}"
        try:
            answer = await ask_model(request, question=self.goal.text, about=about, context=self.context)
        except AnswerUnusable:
            self.unusable += 1
            if self.unusable == _UNUSABLE_IN_A_ROW:
                raise
            return None
        self.unusable = 0
        return answer

    async def _do(self, choice: Chosen) -> str:
        """What went wrong, in a few words; empty when it was done.

        Raises: GoalNotReached, OperatorStopped, BrowserLost.
        """
        self.context.count_tool_call()
        refused_before = len(self.refused)
        skill = self.context.skill
        number, self.done = self.done + (len(skill.actions) if skill else 0), self.done + 1
        try:
            await do_action(
                number, choice.action, self.context, find_s=_FIND_S, is_written=False,
                otherwise=self._otherwise(choice.verdict.effect),
            )  # fmt: skip
            outcome = ""
        except Rejected:
            outcome = f"not approved: {choice.verdict.why}"
        except BrowserLost:
            raise
        except StepError as error:
            outcome = f"failed: {error}"
        await self._require_home()
        if len(self.refused) > refused_before:
            outcome = outcome or "refused: it led elsewhere"
        return outcome

    def _otherwise(self, effect: Effect) -> Then | None:
        """What holds where no rule fits: the document's own word, unless that would let through what nobody wrote."""
        own = self.context.sop.private.approval
        lets_through = own.otherwise == "approve" or (own.otherwise is None and not own.rules)
        return "ask" if effect is Effect.IRREVERSIBLE and lets_through else None

    async def _require_home(self) -> None:
        """Raises: GoalNotReached when the page is of another origin; it has been gone back from then."""
        address = await self.context.browser.where()
        if address.startswith(_NO_PAGE) or origin_of(address) in self.goal.origins:
            return
        self.left.append(address)
        with suppress(StepError):
            await self.context.browser.perform(Back(), timeout_s=self.context.limits.find_s)
        raise self._not_reached(f"the page went to {address}, outside its origins")

    def _remember(self, choice: Chosen, outcome: str, before: Observation, after: Observation) -> None:
        self.memory.note(choice.says, outcome or after.since(before))
        if not outcome:
            self.memory.moved(choice.key, before, choice.action, after)

    def _say(self, seen: Observation, says: str, why: str, choice: Chosen | None = None) -> None:
        self.context.emit(
            ExplorationStep(
                step=self.context.step,
                number=self.steps,
                observation=seen.digest,
                elements=len(seen.offered),
                left_out=seen.left_out,
                chosen=says,
                why=" ".join(why.split())[:WHY_MAX_CHARS],
                effect=choice.verdict.effect if choice else "",
                because=choice.verdict.why if choice else "",
            )
        )

    def _not_reached(self, why: str) -> GoalNotReached:
        message = f"{self.goal.text!r:.200} was not reached in {self.steps} of {self.goal.max_steps} steps: {why}"
        return GoalNotReached(message, performed=None if self.done else False)
