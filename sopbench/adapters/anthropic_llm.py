"""Claude, or any endpoint that speaks its API, through the anthropic SDK; live or from a cassette."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sopbench.adapters.anthropic_prices import cost_usd
from sopbench.adapters.http_model import WAIT_S, HttpModel, Reply, closed, is_local, quoted
from sopbench.adapters.vcr_cassettes import REPLAYED
from sopbench.errors import AnswerUnusable, CassetteMiss, ModelUnavailable

if TYPE_CHECKING:
    import anthropic
    from httpx2 import AsyncBaseTransport

    from sopbench.ports.llm import ModelRequest

DEFAULT_MODEL = "claude-haiku-5-5"
DEFAULT_ENDPOINT = "https://api.anthropic.com"

_LONGEST_WAIT_S = 10.0
"""A server that asks for more before the next try is taken to be out of reach."""
_INCOMPLETE = {
    "refusal": "the model refused to answer",
    "max_tokens": "the answer was cut off at max_tokens",
    "model_context_window_exceeded": "the question does not fit into the model's context window",
}
_KEEP = {"cache_control": {"type": "ephemeral"}}


class AnthropicModel(HttpModel):
    """Claude, or a model whose endpoint speaks Claude's API."""

    api = "anthropic"
    key_name = "ANTHROPIC_API_KEY"
    default_model = DEFAULT_MODEL
    default_endpoint = DEFAULT_ENDPOINT
    own_domain = "anthropic.com"

    def cost_usd(self, reply: Reply) -> float | None:
        return cost_usd(
            self.model,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            cache_read_tokens=reply.cache_read_tokens,
            cache_written_tokens=reply.cache_written_tokens,
        )

    def _built(self, transport: AsyncBaseTransport | None) -> anthropic.AsyncAnthropic:
        import anthropic  # noqa: PLC0415 - takes 2 s, and a run without questions does not need it

        http_client = None if transport is None else anthropic.DefaultAsyncHttpxClient(transport=transport)
        return anthropic.AsyncAnthropic(
            api_key=self._api_key, base_url=self.endpoint, max_retries=0, timeout=None, http_client=http_client
        )

    async def _reply(self, request: ModelRequest) -> Reply:
        import anthropic  # noqa: PLC0415 - see above

        schema = wire_schema(request.schema, self.endpoint)
        body = {"model": self.model, "max_tokens": request.max_tokens, **wire_texts(request, self.endpoint)}
        body["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        client: anthropic.AsyncAnthropic = self._loaded()
        for tries_left in reversed(range(self._tries)):
            try:
                answer = await client.messages.with_raw_response.create(**body)
            except anthropic.APIError as error:
                wait_s = _wait_s(error) if tries_left else None
                if wait_s is None:
                    raise self._translated(error) from error
                await self._clock.sleep(wait_s)
            else:
                return _read(answer.http_response.text, replayed=bool(answer.http_response.extensions.get(REPLAYED)))
        raise AssertionError("the last try returns or raises")

    def _translated(self, error: anthropic.APIError) -> CassetteMiss | ModelUnavailable:
        import anthropic  # noqa: PLC0415 - see above

        if isinstance(error.__cause__, CassetteMiss):
            return CassetteMiss(error.__cause__.message, **error.__cause__.data)
        if isinstance(error, anthropic.APIStatusError):
            return self._refused(error.status_code, error.response.text)
        return ModelUnavailable(self._says(f"out of reach: {error.__cause__ or error}"))


def wire_texts(request: ModelRequest, endpoint: str) -> dict[str, Any]:
    """System text and messages as an endpoint wants them, marked for the provider's cache as far as they come again.

    A server on this machine sells no cache, and may know no marks: it gets plain texts. (For a cassette both are the
    same question.)
    """
    if is_local(endpoint):
        return {"system": request.system, "messages": [{"role": "user", "content": request.prompt}]}
    content: Any = request.prompt
    stable, rest = request.prompt[: request.stable_chars], request.prompt[request.stable_chars :]
    if stable:
        content = [{"type": "text", "text": stable, **_KEEP}, *([{"type": "text", "text": rest}] if rest else [])]
    return {
        "system": [{"type": "text", "text": request.system, **_KEEP}],
        "messages": [{"role": "user", "content": content}],
    }


def wire_schema(schema: dict[str, Any], endpoint: str) -> dict[str, Any]:
    """The schema as an endpoint wants it: every object closed.

    Anthropic's API refuses limits such as ``maxLength``, so they go into descriptions, the SDK's way. A server on this
    machine is taken to enforce the schema by a grammar, and keeps them: a small model needs them to come to an end.

    Raises: AnswerUnusable when the SDK has no way to ask for such a schema.
    """
    import anthropic  # noqa: PLC0415 - see above

    local: dict[str, Any] = closed(schema)
    if is_local(endpoint):
        return local
    try:
        strict: dict[str, Any] = anthropic.transform_schema(local)
    except (ValueError, AssertionError) as error:
        raise AnswerUnusable(f"no model can be asked for an answer to this schema: {error}") from error
    return strict


def _wait_s(error: anthropic.APIError) -> float | None:
    """Seconds until a further try makes sense; None when it does not."""
    import anthropic  # noqa: PLC0415 - see above

    if isinstance(error, anthropic.APIConnectionError):
        return None if isinstance(error.__cause__, CassetteMiss) else WAIT_S
    if not isinstance(error, anthropic.APIStatusError) or (error.status_code != 429 and error.status_code < 500):
        return None
    asked_for = error.response.headers.get("retry-after")
    if asked_for is None:
        return None if error.status_code == 429 else WAIT_S
    try:
        seconds = float(asked_for)
    except ValueError:
        return None
    return seconds if 0 <= seconds <= _LONGEST_WAIT_S else None


def _read(body: str, *, replayed: bool) -> Reply:
    """Raises: AnswerUnusable when the body is not one of the API's messages."""
    try:
        message = json.loads(body)
        usage = message["usage"]
        written = usage.get("cache_creation_input_tokens") or 0
        read = usage.get("cache_read_input_tokens") or 0
        return Reply(
            text="".join(block["text"] for block in message["content"] if block["type"] == "text"),
            incomplete=_INCOMPLETE.get(message["stop_reason"], ""),
            model=message["model"],
            input_tokens=usage["input_tokens"] + written + read,
            output_tokens=usage["output_tokens"],
            replayed=replayed,
            cache_read_tokens=read,
            cache_written_tokens=written,
        )
    except (ValueError, KeyError, TypeError) as error:
        raise AnswerUnusable(f"the endpoint's answer is not a message: {quoted(body)}") from error
