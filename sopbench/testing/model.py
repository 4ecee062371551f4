"""A language model that says what it was told to say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator

from sopbench.errors import AnswerUnusable, SopbenchError
from sopbench.ports.llm import ModelAnswer

if TYPE_CHECKING:
    from sopbench.ports.llm import ModelRequest, Purpose

Answer = str | Mapping[str, Any] | SopbenchError
"""A choice (short for an answer with that ``choice`` and whatever else is asked for: sure of it, and quoting the first
piece that is shown), a whole answer, or an error to be raised."""
_FIRST_PIECE = re.compile(r"<text>\n\[1\] (.*?)\n(?:\[2\] |</text>)", re.DOTALL)
Answers = Callable[["ModelRequest"], Answer] | Mapping["Purpose", Iterable[Answer]]


class FakeModel:
    """Answers in the order given for each purpose, or by a function.

        FakeModel({"decide": ["yes", "no"], "interpret": [{"amount": 1500}]})
        FakeModel(lambda request: "yes" if "invoice" in request.prompt else "no")

    An answer that does not fit the question's schema is AnswerUnusable, as with a real model. Being asked more than it
    was told is a mistake of the test: AssertionError.
    """

    def __init__(
        self,
        answers: Answers | None = None,
        *,
        cost_usd: float | None = None,
        replayed: bool = False,
    ) -> None:
        self._answer = answers if callable(answers) else _by_purpose(answers or {})
        self._cost_usd = cost_usd
        self._replayed = replayed
        self.requests: list[ModelRequest] = []
        """Every question it was asked."""

    async def ask(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        answer = self._answer(request)
        if isinstance(answer, SopbenchError):
            raise answer
        value = _whole(answer, request) if isinstance(answer, str) else dict(answer)
        problem = next(Draft202012Validator(request.schema).iter_errors(value), None)
        if problem is not None:
            raise AnswerUnusable(f"the answer does not fit: {problem.message}")
        words = len(request.prompt.split())
        return ModelAnswer(value, "fake", words, len(value), self._cost_usd, self._replayed)


def _whole(choice: str, request: ModelRequest) -> dict[str, Any]:
    first = _FIRST_PIECE.search(request.prompt)
    others: dict[str, Any] = {"confidence": "high", "piece": 1, "quote": first[1][:100] if first else "", "reason": ""}
    return {"choice": choice, **{name: others[name] for name in request.schema["required"] if name in others}}


def _by_purpose(answers: Mapping[Purpose, Iterable[Answer]]) -> Callable[[ModelRequest], Answer]:
    waiting = {purpose: iter(given) for purpose, given in answers.items()}

    def answer(request: ModelRequest) -> Answer:
        for given in waiting.get(request.purpose, ()):
            return given
        raise AssertionError(f"the fake model has no answer left to {request.purpose}: {request.prompt[-300:]}")

    return answer
