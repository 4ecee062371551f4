"""Claude, or any endpoint that speaks its API, through the anthropic SDK; live or from a cassette."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from sopbench.adapters.anthropic_prices import cost_usd
from sopbench.adapters.vcr_cassettes import REPLAYED, Cassette
from sopbench.errors import AnswerUnusable, CassetteMiss, ModelUnavailable
from sopbench.ports.llm import ModelAnswer, ModelRequest

if TYPE_CHECKING:
    import anthropic

    from sopbench.ports.clock import Clock

DEFAULT_MODEL = "claude-haiku-5-5"
DEFAULT_ENDPOINT = "https://api.anthropic.com"

_LONGEST_WAIT_S = 10.0
"""A server that asks for more before the next try is taken to be out of reach."""
_WAIT_S = 1.0
"""Before the next try, when the server does not say."""
_QUOTED = 200
_INCOMPLETE = {
    "refusal": "the model refused to answer",
    "max_tokens": "the answer was cut off at max_tokens",
    "model_context_window_exceeded": "the question does not fit into the model's context window",
}


@dataclass(frozen=True)
class _Reply:
    """What of the API's message counts here."""

    text: str
    stop_reason: str
    model: str
    input_tokens: int
    output_tokens: int
    replayed: bool


class AnthropicModel:
    """Asks one endpoint for one model. Build one per cassette, or one per session without; close it in the end.

    In replay, endpoint and model are the recording's unless they are given, and no key is needed.
    """

    def __init__(
        self,
        *,
        model: str | None = None,
        base_url: str | None = None,
        api_key: str | None = None,
        cassette: Cassette | None = None,
        clock: Clock,
    ) -> None:
        replay = cassette is not None and cassette.mode == "replay"
        header = cassette.recorded_from if cassette is not None and replay else None
        self.model = model or (header.model if header else DEFAULT_MODEL)
        self.endpoint = (base_url or (header.endpoint if header else DEFAULT_ENDPOINT)).rstrip("/")
        self._needs_key = not replay and api_key is None and _is_anthropic(self.endpoint)
        self._tries = 1 if replay else 2
        self._cassette = cassette
        self._api_key = "none-needed" if replay or api_key is None else api_key
        self._clock = clock
        self._client: anthropic.AsyncAnthropic | None = None

    async def ask(self, request: ModelRequest) -> ModelAnswer:
        """Put one question; ``timeout_s`` holds for both tries together.

        Raises: CassetteMiss, ModelUnavailable (also when ``timeout_s`` is over), AnswerUnusable.
        """
        if self._needs_key:
            raise ModelUnavailable("no key for Anthropic's API: set ANTHROPIC_API_KEY, or --llm replay")
        schema = wire_schema(request.schema, self.endpoint)
        client = self.prepare()
        try:
            async with asyncio.timeout(request.timeout_s):
                reply = await self._reply(client, request, schema)
        except TimeoutError as error:
            raise ModelUnavailable(self._says(f"no answer within {request.timeout_s:g} s")) from error
        return ModelAnswer(
            value=_value(reply, request.schema),
            model=reply.model,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            cost_usd=self._cost_usd(reply),
            replayed=reply.replayed,
        )

    async def aclose(self) -> None:
        """Give the connections back. The cassette stays open: it is not this object's own."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    def prepare(self) -> anthropic.AsyncAnthropic:
        """Load the SDK and build the client now (2 s, once per process) rather than with the first question."""
        import anthropic  # noqa: PLC0415 - takes 2 s, and a run without questions does not need it

        if self._client is None:
            http_client = None
            if self._cassette is not None:
                transport = self._cassette.transport(endpoint=self.endpoint, model=self.model)
                http_client = anthropic.DefaultAsyncHttpxClient(transport=transport)
            self._client = anthropic.AsyncAnthropic(
                api_key=self._api_key, base_url=self.endpoint, max_retries=0, timeout=None, http_client=http_client
            )
        return self._client

    async def _reply(self, client: anthropic.AsyncAnthropic, request: ModelRequest, schema: dict[str, Any]) -> _Reply:
        import anthropic  # noqa: PLC0415 - see above

        for tries_left in reversed(range(self._tries)):
            try:
                answer = await client.messages.with_raw_response.create(
                    model=self.model,
                    max_tokens=request.max_tokens,
                    system=request.system,
                    messages=[{"role": "user", "content": request.prompt}],
                    output_config={"format": {"type": "json_schema", "schema": schema}},
                )
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
        if isinstance(error, anthropic.AuthenticationError | anthropic.PermissionDeniedError):
            return ModelUnavailable(
                self._says(f"refused the key ({error.status_code}): set ANTHROPIC_API_KEY, or --llm replay")
            )
        if isinstance(error, anthropic.APIStatusError):
            return ModelUnavailable(
                self._says(f"answered {error.status_code}: {_quoted(error.response.text)}"), status=error.status_code
            )
        return ModelUnavailable(self._says(f"out of reach: {error.__cause__ or error}"))

    def _says(self, what: str) -> str:
        return f"{self.model} at {self.endpoint}: {what}"

    def _cost_usd(self, reply: _Reply) -> float | None:
        """Of a replayed answer too: what it cost when it was recorded."""
        if not _is_anthropic(self.endpoint):
            return None
        return cost_usd(self.model, input_tokens=reply.input_tokens, output_tokens=reply.output_tokens)


def wire_schema(schema: dict[str, Any], endpoint: str) -> dict[str, Any]:
    """The schema as an endpoint wants it: every object closed.

    Anthropic's API refuses limits such as ``maxLength``, so they go into descriptions, the SDK's way. A server on this
    machine is taken to enforce the schema by a grammar, and keeps them: a small model needs them to come to an end.

    Raises: AnswerUnusable when the SDK has no way to ask for such a schema.
    """
    import anthropic  # noqa: PLC0415 - see above

    closed: dict[str, Any] = _closed(schema)
    if _is_local(endpoint):
        return closed
    try:
        strict: dict[str, Any] = anthropic.transform_schema(closed)
    except (ValueError, AssertionError) as error:
        raise AnswerUnusable(f"no model can be asked for an answer to this schema: {error}") from error
    return strict


def _closed(schema: Any) -> Any:
    """A copy in which objects allow no further properties, and a list of types is spelled as alternatives."""
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: value if key in {"enum", "const", "default"} else _closed(value) for key, value in schema.items()}
    if isinstance(closed.get("type"), list):
        kinds = closed.pop("type")
        shared = {key: closed.pop(key) for key in ("description", "title") if key in closed}
        alternatives = [{"type": kind} if kind == "null" else {"type": kind, **closed} for kind in kinds]
        return {**shared, "anyOf": [_closed(alternative) for alternative in alternatives]}
    if closed.get("type") == "object":
        closed["additionalProperties"] = False
    return closed


def _wait_s(error: anthropic.APIError) -> float | None:
    """Seconds until a further try makes sense; None when it does not."""
    import anthropic  # noqa: PLC0415 - see above

    if isinstance(error, anthropic.APIConnectionError):
        return _WAIT_S
    if not isinstance(error, anthropic.APIStatusError) or (error.status_code != 429 and error.status_code < 500):
        return None
    asked_for = error.response.headers.get("retry-after")
    if asked_for is None:
        return None if error.status_code == 429 else _WAIT_S
    try:
        seconds = float(asked_for)
    except ValueError:
        return None
    return seconds if 0 <= seconds <= _LONGEST_WAIT_S else None


def _read(body: str, *, replayed: bool) -> _Reply:
    """Raises: AnswerUnusable when the body is not one of the API's messages."""
    try:
        message = json.loads(body)
        return _Reply(
            text="".join(block["text"] for block in message["content"] if block["type"] == "text"),
            stop_reason=message["stop_reason"],
            model=message["model"],
            input_tokens=message["usage"]["input_tokens"],
            output_tokens=message["usage"]["output_tokens"],
            replayed=replayed,
        )
    except (ValueError, KeyError, TypeError) as error:
        raise AnswerUnusable(f"the endpoint's answer is not a message: {_quoted(body)}") from error


def _value(reply: _Reply, schema: dict[str, Any]) -> dict[str, Any]:
    """Raises: AnswerUnusable when the answer is incomplete, not JSON, or not what the schema says."""
    if reply.stop_reason in _INCOMPLETE:
        raise AnswerUnusable(f"{_INCOMPLETE[reply.stop_reason]}: {_quoted(reply.text)}", stop_reason=reply.stop_reason)
    try:
        value = json.loads(reply.text)
    except ValueError as error:
        raise AnswerUnusable(f"the answer is not JSON ({error}): {_quoted(reply.text)}") from error
    problem = best_match(Draft202012Validator(schema).iter_errors(value))
    if problem is not None:
        where = f"{problem.json_path}: {_quoted(problem.message)}"
        raise AnswerUnusable(f"the answer does not fit the schema at {where}: {_quoted(reply.text)}") from problem
    if not isinstance(value, dict):
        raise AnswerUnusable(f"the answer is not an object: {_quoted(reply.text)}")
    return value


def _quoted(text: str) -> str:
    return f"“{text[:_QUOTED]}{'…' if len(text) > _QUOTED else ''}”"


def _is_anthropic(endpoint: str) -> bool:
    host = urlsplit(endpoint).hostname or ""
    return host == "anthropic.com" or host.endswith(".anthropic.com")


def _is_local(endpoint: str) -> bool:
    host = urlsplit(endpoint).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
