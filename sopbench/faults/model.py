"""Faults of the model: between its client and the cassette or the endpoint, so that recorded answers break as well.

An occasion is a question; the same question asked again is another one.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any, ClassVar

import httpx2
from pydantic import Field

from sopbench.faults.model_wire import answer_text, ending, question_schema, question_text, with_answer
from sopbench.trials.fault import Cause, Fault, Strikes

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


class ModelFault(Fault):
    """A fault whose occasions are questions to a model."""

    cause: ClassVar[Cause] = "model"

    def model_transport(self, transport: httpx2.AsyncBaseTransport, strikes: Strikes) -> httpx2.AsyncBaseTransport:
        return _Between(transport, self, strikes)

    async def answer(
        self, request: httpx2.Request, ask: Callable[[httpx2.Request], Awaitable[httpx2.Response]], strikes: Strikes
    ) -> httpx2.Response:
        """The answer in place of the true one, which ``ask`` gives."""
        raise NotImplementedError


class Status(ModelFault):
    """The endpoint answers with an error."""

    status: int = Field(ge=400, le=599)
    retry_after_s: float | None = Field(default=None, ge=0)
    """What it says about when to come again; says nothing if left out."""

    async def answer(
        self, request: httpx2.Request, ask: Callable[[httpx2.Request], Awaitable[httpx2.Response]], strikes: Strikes
    ) -> httpx2.Response:
        strikes.note(f"the model's endpoint answered {self.status}")
        headers = {} if self.retry_after_s is None else {"retry-after": f"{self.retry_after_s:g}"}
        return httpx2.Response(self.status, headers=headers, json=_error(self.status), request=request)


class OverloadedLate(ModelFault):
    """The endpoint answers 200, and says in it that it is overloaded."""

    async def answer(
        self, request: httpx2.Request, ask: Callable[[httpx2.Request], Awaitable[httpx2.Response]], strikes: Strikes
    ) -> httpx2.Response:
        strikes.note("the model's endpoint answered 200 and was overloaded after all")
        return httpx2.Response(200, json=_error(529), request=request)


class Timeout(ModelFault):
    """No answer comes in time."""

    async def answer(
        self, request: httpx2.Request, ask: Callable[[httpx2.Request], Awaitable[httpx2.Response]], strikes: Strikes
    ) -> httpx2.Response:
        strikes.note("the model gave no answer in time")
        raise httpx2.ReadTimeout("no answer in time", request=request)


class AnswerFault(ModelFault):
    """A fault that changes the text of an answer."""

    ends: ClassVar[str] = ""
    """How the answer is said to have ended; empty for as it did."""

    async def answer(
        self, request: httpx2.Request, ask: Callable[[httpx2.Request], Awaitable[httpx2.Response]], strikes: Strikes
    ) -> httpx2.Response:
        response = await ask(request)
        body = json.loads(await response.aread())
        asked, was = json.loads(request.content), answer_text(body)
        now = self.changed(was, asked, strikes)
        if response.status_code != 200 or now is None:
            strikes.missed()
            return response
        strikes.note(f"the model’s answer {was[:300]} became {now[:300] or 'nothing'}")
        changed = with_answer(body, now, ending(body, self.ends) if self.ends else None)
        extensions = {name: value for name, value in response.extensions.items() if name.startswith("sopbench")}
        return httpx2.Response(200, json=changed, request=request, extensions=extensions)

    def changed(self, was: str, asked: dict[str, Any], strikes: Strikes) -> str | None:
        """The text in place of the answer's; None where it cannot be changed."""
        raise NotImplementedError


class Truncated(AnswerFault):
    """The answer is cut off at the limit of its length."""

    ends: ClassVar[str] = "length"
    keeps: float = Field(default=0.5, ge=0, lt=1)

    def changed(self, was: str, asked: dict[str, Any], strikes: Strikes) -> str:
        return was[: int(len(was) * self.keeps)]


class Malformed(AnswerFault):
    """The answer is not JSON, though it was asked for."""

    def changed(self, was: str, asked: dict[str, Any], strikes: Strikes) -> str:
        return f"Sure! Here is what you asked for:\n{was.rstrip().removesuffix('}')},"


class Empty(AnswerFault):
    """The answer says nothing."""

    def changed(self, was: str, asked: dict[str, Any], strikes: Strikes) -> str:
        return ""


class Refusal(AnswerFault):
    """The model will not answer."""

    ends: ClassVar[str] = "refusal"

    def changed(self, was: str, asked: dict[str, Any], strikes: Strikes) -> str:
        return "I can’t help with that."


class WrongEnum(AnswerFault):
    """The answer names a choice that there was not."""

    def changed(self, was: str, asked: dict[str, Any], strikes: Strikes) -> str | None:
        answer, choices = _taken_apart(was, asked)
        named = [name for name in answer if name in choices]
        if not named:
            return None
        return json.dumps({**answer, named[0]: f"{answer[named[0]]}_or_something_like_it"}, ensure_ascii=False)


class Wrong(AnswerFault):
    """The answer is well formed, plausible and wrong: another of the choices, the opposite, or other words of the
    question.
    """

    def changed(self, was: str, asked: dict[str, Any], strikes: Strikes) -> str | None:
        answer, choices = _taken_apart(was, asked)
        key = sha256(was.encode()).hexdigest()
        for name, value in answer.items():
            others = [each for each in choices.get(name, ()) if each != value]
            if others:
                return json.dumps({**answer, name: strikes.one_of(key, others)}, ensure_ascii=False)
        for name, value in answer.items():
            if isinstance(value, bool):
                return json.dumps({**answer, name: not value})
        for name, value in answer.items():
            if isinstance(value, str) and value:
                lines = [each.strip() for each in question_text(asked).splitlines()]
                others = [each[: len(value)] for each in lines if len(each) > 3 and each[: len(value)] != value]
                return json.dumps({**answer, name: strikes.one_of(key, others)}, ensure_ascii=False) if others else None
        return None


class _Between(httpx2.AsyncBaseTransport):
    """A transport with a fault in it."""

    def __init__(self, behind: httpx2.AsyncBaseTransport, fault: ModelFault, strikes: Strikes) -> None:
        self._behind = behind
        self._fault = fault
        self._strikes = strikes

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        await request.aread()
        if self._strikes.due(sha256(request.content).hexdigest()):
            return await self._fault.answer(request, self._behind.handle_async_request, self._strikes)
        return await self._behind.handle_async_request(request)

    async def aclose(self) -> None:
        await self._behind.aclose()


def _error(status: int) -> dict[str, Any]:
    """An error's body, as the models' interfaces write it."""
    kind = {429: "rate_limit_error", 529: "overloaded_error"}.get(status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": kind.removesuffix("_error").replace("_", " ")}}


def _taken_apart(was: str, asked: dict[str, Any]) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """An answer's fields, and the choices that there are for some of them."""
    try:
        answer = json.loads(was)
    except ValueError:
        return {}, {}
    properties = question_schema(asked).get("properties", {})
    choices = {name: list(field["enum"]) for name, field in properties.items() if "enum" in field}
    return (answer if isinstance(answer, dict) else {}), choices


FAULTS = {
    "empty": Empty,
    "malformed": Malformed,
    "overloaded_late": OverloadedLate,
    "refusal": Refusal,
    "status": Status,
    "timeout": Timeout,
    "truncated": Truncated,
    "wrong": Wrong,
    "wrong_enum": WrongEnum,
}
