"""A target that fits no element, or several: another element is taken for it, or none is.

When this may be done is said in ``recovery``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sopbench.engine.asking import ask_agreed, ask_operator
from sopbench.engine.context import Autonomy
from sopbench.engine.pictures import kept_picture
from sopbench.engine.prompts import element_choice
from sopbench.engine.stand_ins import note_stand_in
from sopbench.errors import StepError, TargetNotFound
from sopbench.events.types import TargetHealed, TargetUnclear
from sopbench.ports.operator import OperatorQuestion
from sopbench.sop.targets import Visible
from sopbench.sop.templates import render_part
from sopbench.sop.verbs.base import Effect
from sopbench.targeting import shown
from sopbench.targeting.choosing import choose_within, is_named_so, strayed
from sopbench.targeting.shown import NONE, says
from sopbench.targeting.sparse import fingerprint_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sopbench.engine.context import ExecutionContext
    from sopbench.ports.browser import Candidates
    from sopbench.sop.actions import AnyAction
    from sopbench.sop.fingerprint import Fingerprint
    from sopbench.sop.targets import Target
    from sopbench.targeting.choosing import Choice
    from sopbench.targeting.scoring import Ranking

_ON_THE_MENU = 8
_TWO = 2
_STRICTER = {Effect.READ: Effect.IDEMPOTENT, Effect.IDEMPOTENT: Effect.IRREVERSIBLE}


@dataclass(frozen=True)
class Healed:
    """What was taken for a stale target."""

    target: Target
    is_surely_it: bool
    """It has the words or the key of the recorded one: to act on it was not to act on something else."""


async def healed(
    number: int, action: AnyAction, error: StepError, following: Sequence[AnyAction], context: ExecutionContext
) -> tuple[Healed, ...]:
    """The element that is meant; ``following`` are the actions that come after it in its skill.

    Of two that are both just what is said, and alike in all else, either may be meant: both are given, one to be tried
    after the other.

    Raises: the error itself where healing is not for it; TargetNotFound naming the candidates when none is taken;
    OperatorStopped; BrowserLost.
    """
    rendered = render_part(action, context.variables)
    element = rendered.element()
    if element is None or not is_stale(error):
        raise error
    kind, target = element
    if error.data.get("target") != str(target):
        raise error  # something else is missing: where to drag it, a field of a row
    old = fingerprint_of(target)
    candidates = await context.browser.candidates(kind, like=old, within=target.within)
    weight = _weight(action, following)
    several_fit = error.data["count"] > 1
    ranking, choice = choose_within(old, candidates.elements, candidates.those_within, weight, several_fit=several_fit)
    healing = _Healing(number, rendered, old, candidates, ranking, choice, context)
    if choice.taken is not None:
        return (Healed(await healing.take(choice.taken, "score"), is_surely_it=is_named_so(ranking)),)
    if error.data["count"] == _TWO and (twins := _either(ranking, candidates, weight)):
        targets = await healing.take(twins[0], "score"), await candidates.target(twins[1])
        return tuple(Healed(target, is_surely_it=True) for target in targets)
    return (Healed(await healing.ask(error), is_surely_it=False),)


async def beware(action: AnyAction, timeout_s: float, context: ExecutionContext) -> None:
    """Look twice where a target says what its element is near, and it is recorded what stood around it.

    Raises: TargetNotFound when the one that fits stands elsewhere.
    """
    element = action.element()
    if element is None:
        return
    kind, target = element
    recorded, beside = target.fingerprint, fingerprint_of(target).beside
    if recorded is None or beside is None:
        return
    await context.browser.look(Visible(visible=target), timeout_s=timeout_s)
    seen = await context.browser.fingerprint(target, kind)
    if seen is not None and strayed(recorded, beside, seen):
        message = f"{target} fits only an element that stands among other texts than was recorded"
        raise TargetNotFound(message, performed=False, target=str(target), count=0)


def is_stale(error: StepError) -> bool:
    """Whether none, or several, fit: not one that is there and cannot take the action now."""
    return isinstance(error, TargetNotFound) and error.performed is False and "count" in error.data


def _either(ranking: Ranking, candidates: Candidates, weight: Effect) -> tuple[int, ...]:
    """The two that are alike, in their order on the page, if it does no harm to try one and then the other.

    What only reads may; what can be done again where they stand side by side: rows that read the same are two things.
    """
    if ranking.twin is None or weight is Effect.IRREVERSIBLE:
        return ()
    twins = tuple(sorted((ranking.entries[0].number, ranking.twin)))
    paths = [candidates.elements[number].get("path", "") for number in twins]
    return twins if weight is Effect.READ or _are_side_by_side(*paths) else ()


def _are_side_by_side(one: str, other: str) -> bool:
    found = [re.fullmatch(r"(.+)\[(\d+)\]", path) for path in (one, other)]
    if found[0] is None or found[1] is None:
        return False
    return found[0][1] == found[1][1] and int(found[1][2]) - int(found[0][2]) == 1


def _weight(action: AnyAction, following: Sequence[AnyAction]) -> Effect:
    """How much harm a wrong element would do: more, where nothing would tell that it was the wrong one."""
    is_seen = bool(action.expect) or any(later.expect for later in following)
    return action.effect if is_seen else _STRICTER.get(action.effect, action.effect)


@dataclass(frozen=True)
class _Healing:
    """One look at the page for one target."""

    number: int
    action: AnyAction
    """With its variables filled in."""
    old: Fingerprint
    candidates: Candidates
    ranking: Ranking
    choice: Choice
    context: ExecutionContext

    @property
    def menu(self) -> tuple[int, ...]:
        """The candidates most alike."""
        return tuple(entry.number for entry in self.ranking.entries[:_ON_THE_MENU])

    async def take(self, number: int, by: Literal["score", "operator", "model"], picture: str = "") -> Target:
        """Say what is taken, and give its target. Raises: TargetNotFound when it is gone."""
        target = await self.candidates.target(number)
        new = dict(self.candidates.elements[number])
        if target.within is not None and number not in self.candidates.those_within:
            for counted in ("index", "of"):  # on the whole page: not what such a target is counted in
                new.pop(counted, None)
        entry = next(each for each in self.ranking.entries if each.number == number)
        self.context.emit(
            TargetHealed(
                step=self.context.step,
                action=self.number,
                says=says(new),
                by=by,
                old=self.old.model_dump(mode="json", exclude_defaults=True),
                new=new,
                target=target.model_dump(mode="json", exclude_defaults=True),
                candidates=len(self.candidates.elements),
                score=entry.score,
                probability=self.choice.probability if by == "score" else None,
                margin=self.choice.margin if by == "score" else None,
                picture=picture or await self._picture((number,)),
            )
        )
        self.context.used.add("healed")
        _, stale = self.action.element() or ("", None)
        if stale is not None:
            note_stand_in(stale, target, self.context)
        return target

    async def ask(self, error: StepError) -> Target:
        """Operator, then model, each only if allowed. Raises: TargetNotFound with the list when nobody takes one."""
        picture = await self._picture(self.menu)
        self.context.emit(
            TargetUnclear(
                step=self.context.step,
                action=self.number,
                why=self.choice.why,
                candidates=len(self.candidates.elements),
                best=tuple({"number": n, **self.candidates.elements[n]} for n in self.menu),
                picture=picture,
            )
        )
        if self.menu:
            if (number := await self._by_operator(picture)) is not None:
                return await self.take(number, "operator", picture)
            if (number := await self._by_model()) is not None:
                return await self.take(number, "model", picture)
        like = "; ".join(says(self.candidates.elements[number]) for number in self.menu[:3])
        message = f"{error.message}; none was taken for it: {self.choice.why}"
        raise TargetNotFound(f"{message} (most alike: {like})" if like else message, performed=False) from error

    async def _by_operator(self, picture: str) -> int | None:
        lines = shown.menu(self.candidates.elements, self.menu)
        text = f"which of these is meant by {self.action}?\n{lines}"
        options = (*map(str, self.menu), NONE)
        answer = await ask_operator(OperatorQuestion(text, options, safe=NONE, picture=picture), self.context)
        return None if answer == NONE else int(answer)

    async def _by_model(self) -> int | None:
        """Only where the run may explore, and never for what cannot be undone."""
        if self.context.autonomy is not Autonomy.FULL or self.action.effect is Effect.IRREVERSIBLE:
            return None
        lines = shown.menu(self.candidates.elements, self.menu)
        request = element_choice(
            str(self.action), says(self.old.model_dump(exclude_defaults=True)), lines, self.menu,
            timeout_s=self.context.limits.decision_s,
        )  # fmt: skip
        answer = await ask_agreed(request, ("choice",), question=str(self.action), about=lines, context=self.context)
        number = str(answer.get("choice"))
        return int(number) if number in map(str, self.menu) else None

    async def _picture(self, numbers: Sequence[int]) -> str:
        async def take(path: Path) -> None:
            await self.candidates.picture(path, numbers)

        return await kept_picture(f"-candidates-{self.number}", take, self.context)
