"""A target that fits no element, or several: another element is taken for it, or none is.

Only after every attempt by the document's own words, only where surely nothing was done yet, and never under
``--autonomy deterministic``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sopbench.engine.asking import ask_model, ask_operator
from sopbench.engine.context import Autonomy
from sopbench.engine.prompts import element_choice
from sopbench.errors import StepError, TargetNotFound
from sopbench.events.types import TargetHealed, TargetUnclear
from sopbench.ports.operator import OperatorQuestion
from sopbench.sop.targets import Visible
from sopbench.sop.templates import render_part
from sopbench.sop.verbs.base import Effect
from sopbench.targeting.choosing import choose, strayed
from sopbench.targeting.kinds import needs
from sopbench.targeting.scoring import rank
from sopbench.targeting.shown import NONE, menu, says
from sopbench.targeting.sparse import fingerprint_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopbench.engine.context import ExecutionContext
    from sopbench.ports.browser import Candidates
    from sopbench.sop.actions import AnyAction
    from sopbench.sop.fingerprint import Fingerprint
    from sopbench.sop.targets import Target
    from sopbench.targeting.choosing import Choice
    from sopbench.targeting.scoring import Ranking

_ON_THE_MENU = 8
_STRICTER = {Effect.READ: Effect.IDEMPOTENT, Effect.IDEMPOTENT: Effect.IRREVERSIBLE}


async def healed(
    number: int, action: AnyAction, error: StepError, following: Sequence[AnyAction], context: ExecutionContext
) -> Target:
    """The target of the element that is meant; ``following`` are the actions that come after it in its skill.

    Raises: the error itself where healing is not for it; TargetNotFound naming the candidates when none is taken;
    OperatorStopped; BrowserLost.
    """
    needed = needs(action)
    if context.autonomy is Autonomy.DETERMINISTIC or needed is None or not is_stale(error):
        raise error
    rendered = render_part(action, context.variables)
    kind, target = needed[0], render_part(needed[1], context.variables)
    if error.data.get("target") != str(target):
        raise error  # something else is missing: where to drag it, a field of a row
    old = fingerprint_of(target)
    candidates = await context.browser.candidates(kind)
    ranking = rank(old, candidates.elements)
    choice = choose(ranking, _weight(action, following))
    healing = _Healing(number, rendered, old, candidates, ranking, choice, context)
    if choice.taken is not None:
        return await healing.take(choice.taken, "score")
    return await healing.ask(error)


async def beware(action: AnyAction, timeout_s: float, context: ExecutionContext) -> None:
    """Look twice where a target says what its element is near, and it is recorded what stood around it.

    Raises: TargetNotFound when the one that fits stands elsewhere.
    """
    needed = needs(action)
    if needed is None or needed[1].near is None or needed[1].fingerprint is None:
        return
    kind, target = needed
    await context.browser.look(Visible(visible=target), timeout_s=timeout_s)
    seen = await context.browser.fingerprint(target, kind)
    if seen is not None and strayed(fingerprint_of(target), seen):
        message = f"{target} fits only an element that stands among other texts than was recorded"
        raise TargetNotFound(message, performed=False, target=str(target), count=0)


def is_stale(error: StepError) -> bool:
    """Whether none, or several, fit: not one that is there and cannot take the action now."""
    return isinstance(error, TargetNotFound) and error.performed is False and "count" in error.data


def _weight(action: AnyAction, following: Sequence[AnyAction]) -> Effect:
    """How much harm a wrong element would do: more, where nothing would tell that it was the wrong one."""
    is_seen = bool(action.expect) or any(later.expect for later in following)
    return action.effect if is_seen else _STRICTER.get(action.effect, action.effect)


class _Healing:
    """One look at the page for one target."""

    def __init__(
        self,
        number: int,
        action: AnyAction,
        old: Fingerprint,
        candidates: Candidates,
        ranking: Ranking,
        choice: Choice,
        context: ExecutionContext,
    ) -> None:
        self._number = number
        self._action = action
        self._old = old
        self._candidates = candidates
        self._ranking = ranking
        self._choice = choice
        self._context = context
        self._menu = tuple(entry.number for entry in ranking.entries[:_ON_THE_MENU])

    async def take(self, number: int, by: Any, picture: str = "") -> Target:
        """Say what is taken, and give its target. Raises: TargetNotFound when it is gone."""
        target = await self._candidates.target(number)
        new = self._candidates.elements[number]
        entry = next(each for each in self._ranking.entries if each.number == number)
        self._context.emit(
            TargetHealed(
                step=self._context.step,
                action=self._number,
                says=says(new),
                by=by,
                old=self._old.model_dump(mode="json", exclude_defaults=True),
                new=dict(new),
                target=target.model_dump(mode="json", exclude_defaults=True),
                candidates=len(self._candidates.elements),
                score=entry.score,
                probability=self._choice.probability,
                margin=self._choice.margin,
                picture=picture or await self._picture((number,)),
            )
        )
        self._context.healed = True
        return target

    async def ask(self, error: StepError) -> Target:
        """Operator, then model, each only if allowed. Raises: TargetNotFound with the list when nobody takes one."""
        picture = await self._picture(self._menu)
        self._context.emit(
            TargetUnclear(
                step=self._context.step,
                action=self._number,
                why=self._choice.why,
                candidates=len(self._candidates.elements),
                best=tuple({"number": n, **self._candidates.elements[n]} for n in self._menu),
                picture=picture,
            )
        )
        if self._menu:
            if (number := await self._by_operator(picture)) is not None:
                return await self.take(number, "operator", picture)
            if (number := await self._by_model()) is not None:
                return await self.take(number, "model", picture)
        like = "; ".join(says(self._candidates.elements[number]) for number in self._menu[:3])
        message = f"{error.message}; none was taken for it: {self._choice.why}"
        raise TargetNotFound(f"{message} (most alike: {like})" if like else message, performed=False) from error

    async def _by_operator(self, picture: str) -> int | None:
        lines = menu(self._candidates.elements, self._menu)
        text = f"which of these is meant by {self._action}?\n{lines}"
        options = (*map(str, self._menu), NONE)
        answer = await ask_operator(OperatorQuestion(text, options, safe=NONE, picture=picture), self._context)
        return None if answer == NONE else int(answer)

    async def _by_model(self) -> int | None:
        """Only where the run may explore, and never for what cannot be undone."""
        if self._context.autonomy is not Autonomy.FULL or self._action.effect is Effect.IRREVERSIBLE:
            return None
        lines = menu(self._candidates.elements, self._menu)
        request = element_choice(
            str(self._action), says(self._old.model_dump(exclude_defaults=True)), lines, self._menu,
            timeout_s=self._context.limits.decision_s,
        )  # fmt: skip
        answer = await ask_model(request, question=str(self._action), about=lines, context=self._context)
        number = str(answer.get("choice"))
        return int(number) if number in map(str, self._menu) else None

    async def _picture(self, numbers: Sequence[int]) -> str:
        if self._context.folder is None or self._context.capture == "off":
            return ""
        path = f"screenshots/{self._context.step:04}-candidates.jpg"
        try:
            await self._candidates.picture(self._context.folder / path, numbers)
        except StepError:
            return ""
        return path
