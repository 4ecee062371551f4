"""A decision by a model: its choice, with a quote that is checked; and asked once more, simply, if that is no good."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sopbench.engine.asking import ask_agreed
from sopbench.engine.evidence import Evidence, gives_orders, of_elements, of_text
from sopbench.engine.prompts import UNSURE, decision, simple_decision
from sopbench.errors import AnswerUnusable
from sopbench.sop.nodes import CONFIDENCES, Confidence
from sopbench.sop.targets import Target, Visible
from sopbench.sop.templates import render, render_part

if TYPE_CHECKING:
    from sopbench.engine.context import ExecutionContext
    from sopbench.sop.nodes import Question

MAIN = Target(role="main")
_CHOICE = ("choice",)


@dataclass(frozen=True)
class Settled:
    """What a model decided, and on what."""

    choice: str
    branch: str
    confidence: Confidence
    quote: str = ""
    """What was quoted, if it holds."""
    piece: int | None = None
    """The number of the piece that the quote is from."""
    remark: str = ""
    """How it was settled without a quote."""

    @property
    def evidence(self) -> str:
        """All of that in one line."""
        why = f"“{self.quote}” [{self.piece}]" if self.piece else self.remark
        return f"{self.choice}: {why} ({self.confidence} confidence)"


async def observed(question: Question, context: ExecutionContext) -> Evidence:
    """What the question is about: its text; else its region, for which it waits; else the page's main part, or all.

    Empty when nothing is to be read there.
    """
    browser = context.browser
    if question.about is not None:
        return of_text(render(question.about, context.variables))
    if question.region is not None:
        region = render_part(question.region, context.variables)
        seen = await browser.look(Visible(visible=region), timeout_s=context.limits.find_s)
        return of_elements(await browser.matches(region) if seen.holds else [])
    main = await browser.matches(MAIN) if (await browser.look(Visible(visible=MAIN), timeout_s=0)).holds else []
    return of_elements(main if len(main) == 1 and main[0].strip() else [await browser.visible_text()])


async def settle(question: Question, evidence: Evidence, context: ExecutionContext, *, timeout_s: float) -> Settled:
    """Ask, with ``question.ask`` filled in.

    An answer counts if its quote stands in what was shown. If it does not, or twice could not be read, the choice
    alone is asked for, without the pieces that give orders to machines. That second answer proves nothing, and nothing
    in it can be checked; so it may only confirm. It counts where it takes the branch that the first one took; or, after
    a first one that could not be read, or that did what a piece ordered it to, the branch *no*. Whoever owns what the
    other branches write to would rather be asked, or miss one, than have it filled by an answer that could not say why:
    a record too many is acted on, and looks like all the others. An answer that is not as sure as ``sure_from`` is
    unsure, and not asked about again.

    Raises: AnswerUnusable, saying why it is not settled; AnswersDiffer; and what the model port raises.
    """
    if not evidence.pieces:
        raise AnswerUnusable("there is nothing to read to decide on")
    first: dict[str, Any] = {}
    asked = decision(question, evidence.shown, len(evidence.pieces), timeout_s=timeout_s)
    try:
        first = await ask_agreed(asked, _CHOICE, question=question.ask, about=evidence.shown, context=context)
        settled = _proved(first, question, evidence)
    except AnswerUnusable as error:
        if first.get("choice") == UNSURE:
            raise
        heard = {} if error.data.get("ordered") or _names_an_order(first, question, evidence) else first
        shown = evidence.shown_without_orders(question.choices)
        again = simple_decision(question, shown, timeout_s=timeout_s)
        answer = await ask_agreed(again, _CHOICE, question=question.ask, about=shown, context=context)
        settled = _confirmed(heard, answer, question, why=str(error))
    if CONFIDENCES.index(settled.confidence) < CONFIDENCES.index(question.sure_from):
        raise AnswerUnusable(f"the model is not sure enough: {settled.evidence}")
    return settled


def _proved(answer: dict[str, Any], question: Question, evidence: Evidence) -> Settled:
    """Raises: AnswerUnusable."""
    name, quote = answer["choice"], answer["quote"]
    if name == UNSURE:
        raise AnswerUnusable(f"the model is {UNSURE}" + (f": {quote!r}" if quote else ""))
    piece = evidence.place_of(quote, question.choices)
    return Settled(name, question.choices[name].branch, answer["confidence"], quote, piece)


def _names_an_order(answer: dict[str, Any], question: Question, evidence: Evidence) -> bool:
    """Whether the piece that it says it is from gives orders, whatever it quotes."""
    return bool(answer) and gives_orders(evidence.pieces[answer["piece"] - 1], question.choices)


def _confirmed(first: dict[str, Any], second: dict[str, Any], question: Question, *, why: str) -> Settled:
    """Raises: AnswerUnusable."""
    names = [answer["choice"] for answer in (first, second) if answer]
    if UNSURE in names:
        raise AnswerUnusable(f"{why}; asked again, the model is {UNSURE}")
    branches = {question.choices[name].branch for name in names}
    if first and len(branches) > 1:
        raise AnswerUnusable(f"{why}; asked again, the model said {names[1]!r} after {names[0]!r}")
    if not first and branches != {"no"}:
        raise AnswerUnusable(f"{why}; asked again, the model said {names[0]!r} without saying why")
    remark = f"{why}; asked again, the model said {names[-1]!r}"
    return Settled(names[0], branches.pop(), first.get("confidence", "low"), remark=remark)
