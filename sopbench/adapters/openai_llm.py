"""Any endpoint that speaks OpenAI's chat API (OpenAI, Ollama, llama.cpp, vLLM …) through the openai SDK."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sopbench.adapters.http_model import WAIT_S, HttpModel, Reply, closed, quoted
from sopbench.adapters.openai_prices import cost_usd
from sopbench.adapters.vcr_cassettes import REPLAYED
from sopbench.errors import AnswerUnusable, CassetteMiss, ModelUnavailable

if TYPE_CHECKING:
    import openai
    from httpx2 import AsyncBaseTransport

    from sopbench.ports.llm import AnswerForm, ModelRequest

DEFAULT_MODEL = "gpt-5.4-mini"
DEFAULT_ENDPOINT = "https://api.openai.com/v1"

FORMS: tuple[AnswerForm, ...] = ("json_schema", "json_object", "tool_call")
"""In the order in which they are tried."""
_TOOL = "answer"
_REFUSALS = {400, 404, 415, 422, 501}
_NAMES_OF_THE_FORM = {
    "json_schema": ("response_format", "json_schema", "json schema", "structured output", "grammar"),
    "json_object": ("response_format", "json_object", "json mode"),
    "tool_call": (),
}
"""What an endpoint's complaint mentions when it is the form that it refuses, and not the question."""
_INCOMPLETE = {
    "content_filter": "the model refused to answer",
    "length": "the answer was cut off at max_tokens",
}


class OpenAIModel(HttpModel):
    """A model behind an endpoint that speaks OpenAI's chat API.

    The answer is asked for by its JSON Schema. Where the endpoint refuses that it is asked for as a JSON object, and
    where it refuses that too as a tool's arguments; the form an endpoint was brought to is kept for later questions.
    """

    api = "openai"
    key_name = "OPENAI_API_KEY"
    default_model = DEFAULT_MODEL
    default_endpoint = DEFAULT_ENDPOINT
    own_domain = "openai.com"
    _forms: tuple[AnswerForm, ...] = ()

    def cost_usd(self, reply: Reply) -> float | None:
        return cost_usd(
            self.model,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            cache_read_tokens=reply.cache_read_tokens,
        )

    def _built(self, transport: AsyncBaseTransport | None) -> openai.AsyncOpenAI:
        import openai  # noqa: PLC0415 - takes 1 s, and a run without questions does not need it

        recorded = self._cassette.questions if self._cassette is not None and self._replays else None
        self._forms = FORMS if recorded is None else _recorded_forms(recorded)
        http_client = None if transport is None else openai.DefaultAsyncHttpxClient(transport=transport)
        return openai.AsyncOpenAI(
            api_key=self._api_key, base_url=self.endpoint, max_retries=0, timeout=None, http_client=http_client
        )

    async def _reply(self, request: ModelRequest) -> Reply:
        """In the first form the endpoint takes; in replay, the first that was recorded."""
        for form in self._forms:
            last = form == self._forms[-1]
            try:
                reply = await self._reply_as(form, request)
            except CassetteMiss:
                if last:
                    raise
            except _FormRefused as refusal:
                if last:
                    raise self._refused(refusal.status, refusal.body) from refusal
            else:
                if not self._replays:
                    self._forms = self._forms[self._forms.index(form) :]
                return reply
        raise AssertionError("the last form returns or raises")

    async def _reply_as(self, form: AnswerForm, request: ModelRequest) -> Reply:
        import openai  # noqa: PLC0415 - see above

        body = wire_body(request, form, model=self.model, own=self.is_own)
        client: openai.AsyncOpenAI = self._loaded()
        for tries_left in reversed(range(self._tries)):
            try:
                answer = await client.chat.completions.with_raw_response.create(**body)
            except openai.APIStatusError as error:
                said = error.response.text
                if error.status_code in _REFUSALS and any(name in said.lower() for name in _NAMES_OF_THE_FORM[form]):
                    raise _FormRefused(error.status_code, said) from error
                raise self._refused(error.status_code, said) from error
            except openai.APIError as error:
                if not tries_left:
                    raise ModelUnavailable(self._says(f"out of reach: {error.__cause__ or error}")) from error
                await self._clock.sleep(WAIT_S)
            else:
                response = answer.http_response
                return _read(response.text, form, replayed=bool(response.extensions.get(REPLAYED)))
        raise AssertionError("the last try returns or raises")


class _FormRefused(Exception):
    """The endpoint does not take this form of asking."""

    def __init__(self, status: int, body: str) -> None:
        super().__init__(status, body)
        self.status = status
        self.body = body


def wire_body(request: ModelRequest, form: AnswerForm, *, model: str, own: bool) -> dict[str, Any]:
    """The request's body. ``own`` is OpenAI's own endpoint, which has rules of its own.

    It takes schemas strictly only when every property is required, refuses limits of length there (they go into
    descriptions), has another name for ``max_tokens``, and lets no temperature be set for some models.
    """
    schema = closed(request.schema)
    system = request.system
    asked: dict[str, Any] = {}
    if own:
        schema = _without_lengths(schema)
    if form == "json_schema":
        named = {"name": request.purpose, "schema": schema, "strict": not own or _all_required(schema)}
        asked["response_format"] = {"type": "json_schema", "json_schema": named}
    elif form == "json_object":
        asked["response_format"] = {"type": "json_object"}
        system = f"{system}\n\nAnswer with one JSON object, and nothing else, that fits this JSON Schema:\n"
        system += json.dumps(schema, ensure_ascii=False)
    else:
        tool = {"name": _TOOL, "description": "Gives the answer.", "parameters": schema}
        asked["tools"] = [{"type": "function", "function": tool}]
        asked["tool_choice"] = {"type": "function", "function": {"name": _TOOL}}
    return {
        "model": model,
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": request.prompt}],
        **({"max_completion_tokens": request.max_tokens} if own else {"max_tokens": request.max_tokens}),
        **({} if own else {"temperature": 0}),
        **asked,
    }


def _recorded_forms(questions: list[Any]) -> tuple[AnswerForm, ...]:
    """The forms in which a cassette's questions were asked."""
    found = {_form(question) for question in questions if isinstance(question, dict)}
    return tuple(form for form in FORMS if form in found) or FORMS[:1]


def _form(question: dict[str, Any]) -> AnswerForm:
    if "tools" in question:
        return "tool_call"
    return "json_schema" if question.get("response_format", {}).get("type") == "json_schema" else "json_object"


def _all_required(schema: Any) -> bool:
    if isinstance(schema, list):
        return all(_all_required(item) for item in schema)
    if not isinstance(schema, dict):
        return True
    named = schema.get("properties")
    here = not isinstance(named, dict) or set(named) <= set(schema.get("required", ()))
    return here and all(_all_required(part) for part in schema.values())


def _without_lengths(schema: Any) -> Any:
    """A copy in which limits of length stand in the descriptions."""
    if isinstance(schema, list):
        return [_without_lengths(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    copied = {
        key: value if key in {"enum", "const", "default"} else _without_lengths(value) for key, value in schema.items()
    }
    if copied.get("type") == "string":
        limits = {key: copied.pop(key) for key in ("minLength", "maxLength") if key in copied}
        if limits:
            told = ", ".join(f"{key}: {value}" for key, value in limits.items())
            copied["description"] = f"{copied.get('description', '')} {{{told}}}".strip()
    return copied


def _read(body: str, form: AnswerForm, *, replayed: bool) -> Reply:
    """Raises: AnswerUnusable when the body is not one of the API's completions."""
    try:
        completion = json.loads(body)
        choice = completion["choices"][0]
        message = choice["message"]
        text = message.get("content") or ""
        if form == "tool_call" and message.get("tool_calls"):
            text = message["tool_calls"][0]["function"]["arguments"]
        incomplete = _INCOMPLETE.get(choice.get("finish_reason") or "", "")
        if message.get("refusal"):
            text, incomplete = message["refusal"], _INCOMPLETE["content_filter"]
        usage = completion.get("usage") or {}
        return Reply(
            text=text,
            incomplete=incomplete,
            model=completion["model"],
            input_tokens=usage.get("prompt_tokens", 0),
            output_tokens=usage.get("completion_tokens", 0),
            replayed=replayed,
            cache_read_tokens=(usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0,
            form=form,
        )
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise AnswerUnusable(f"the endpoint's answer is not a completion: {quoted(body)}") from error
