"""What models behind an HTTP endpoint have in common: how one is asked, and how its answer is taken."""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from httpx2 import AsyncHTTPTransport
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from sopbench.errors import AnswerUnusable, CassetteMiss, MissingSecret, ModelUnavailable
from sopbench.ports.llm import AnswerForm, ModelAnswer, ModelRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from httpx2 import AsyncBaseTransport

    from sopbench.adapters.cassette_file import Api
    from sopbench.adapters.vcr_cassettes import Cassette
    from sopbench.ports.clock import Clock

WAIT_S = 1.0
"""Before the next try, when the server does not say."""
_QUOTED = 200


@dataclass(frozen=True)
class Reply:
    """What of an endpoint's message counts here."""

    text: str
    incomplete: str
    """Why the text is not the whole answer, in words; empty when it is."""
    model: str
    input_tokens: int
    """All of them, cached or not."""
    output_tokens: int
    replayed: bool
    cache_read_tokens: int = 0
    """Of the input: read from the provider's cache."""
    cache_written_tokens: int = 0
    """Of the input: put into the provider's cache, where that has a price of its own."""
    form: AnswerForm = "json_schema"


class HttpModel(ABC):
    """Asks one endpoint for one model. Build one per cassette, or one per session without; close it in the end.

    In replay, endpoint and model are the recording's unless they are given, and no key is needed.
    """

    api: ClassVar[Api]
    key_name: ClassVar[str]
    """Of the environment variable."""
    default_model: ClassVar[str]
    default_endpoint: ClassVar[str]
    own_domain: ClassVar[str]
    """Where a key is needed, and prices are known."""

    def __init__(
        self,
        *,
        model: str | None = None,
        base_url: str | None = None,
        api_key: str | None = None,
        cassette: Cassette | None = None,
        clock: Clock,
        behind: Callable[[AsyncBaseTransport], AsyncBaseTransport] | None = None,
    ) -> None:
        """``behind`` puts something between the client and its cassette or endpoint: given the transport, gives it."""
        self._replays = cassette is not None and cassette.mode == "replay"
        header = cassette.recorded_from if cassette is not None and self._replays else None
        if header is not None and header.api != self.api:
            header = None
        self.model = model or (header.model if header else self.default_model)
        self.endpoint = (base_url or (header.endpoint if header else self.default_endpoint)).rstrip("/")
        self._no_key = ""
        if not self._replays and not api_key and self.is_own:
            self._no_key = f"no key for {self.own_domain}: set {self.key_name}, or --llm replay"
        self._behind = behind
        self._tries = 1 if self._replays and behind is None else 2
        self._cassette = cassette
        self._api_key = api_key if api_key and not self._replays else "none-needed"
        self._clock = clock
        self._client: Any = None

    @property
    def is_own(self) -> bool:
        """Whether the endpoint is that of the API's maker."""
        return within(self.endpoint, self.own_domain)

    def prepare(self) -> None:
        """Load the SDK and build the client now (2 s, once per process) rather than with the first question.

        Raises: MissingSecret when the endpoint wants a key and there is none.
        """
        if self._no_key:
            raise MissingSecret(self._no_key)
        self._loaded()

    async def ask(self, request: ModelRequest) -> ModelAnswer:
        """Put one question; ``timeout_s`` holds for all tries together.

        Raises: CassetteMiss, ModelUnavailable (also when ``timeout_s`` is over), AnswerUnusable.
        """
        if self._no_key:
            raise ModelUnavailable(self._no_key)
        self._loaded()
        if self._cassette is not None:
            self._cassette.asked_with(request.purpose, request.prompt_version)
        try:
            async with asyncio.timeout(request.timeout_s):
                reply = await self._reply(request)
        except TimeoutError as error:
            raise ModelUnavailable(self._says(f"no answer within {request.timeout_s:g} s")) from error
        except CassetteMiss as miss:
            raise self._explained(miss, request) from miss
        return ModelAnswer(
            value=_value(reply, request.schema),
            model=reply.model,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            cost_usd=self.cost_usd(reply) if self.is_own else None,
            replayed=reply.replayed,
            cached_tokens=reply.cache_read_tokens,
            form=reply.form,
        )

    def expected_cost_usd(self, input_tokens: int, output_tokens: int) -> float | None:
        """What so many tokens would cost, with nothing cached; None where no price is known."""
        reply = Reply("", "", self.model, input_tokens, output_tokens, replayed=False)
        return self.cost_usd(reply) if self.is_own else None

    async def aclose(self) -> None:
        """Give the connections back. The cassette stays open: it is not this object's own."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    @abstractmethod
    def cost_usd(self, reply: Reply) -> float | None:
        """At the maker's own endpoint; of a replayed answer too: what it cost when it was recorded."""

    def _loaded(self) -> Any:
        """The SDK's client, built once."""
        if self._client is None:
            transport = None
            if self._cassette is not None:
                transport = self._cassette.transport(endpoint=self.endpoint, model=self.model, api=self.api)
            if self._behind is not None:
                transport = self._behind(transport or AsyncHTTPTransport())
            self._client = self._built(transport)
        return self._client

    @abstractmethod
    def _built(self, transport: AsyncBaseTransport | None) -> Any:
        """Import the SDK, and build its client on this transport or its own."""

    @abstractmethod
    async def _reply(self, request: ModelRequest) -> Reply:
        """Raises: CassetteMiss, ModelUnavailable, AnswerUnusable."""

    def _explained(self, miss: CassetteMiss, request: ModelRequest) -> CassetteMiss:
        """The miss; where the prompt has changed since, that comes first."""
        changed = self._cassette.other_prompt(request.purpose, request.prompt_version) if self._cassette else ""
        message = f"{changed}: {miss.message}" if changed else miss.message
        return CassetteMiss(message, **miss.data, **({"other_prompt": changed} if changed else {}))

    def _refused(self, status: int, body: str) -> ModelUnavailable:
        """The error for an answer that is none."""
        if status in {401, 403}:
            return ModelUnavailable(self._says(f"refused the key ({status}): set {self.key_name}, or --llm replay"))
        return ModelUnavailable(self._says(f"answered {status}: {quoted(body)}"), status=status)

    def _says(self, what: str) -> str:
        return f"{self.model} at {self.endpoint}: {what}"


def closed(schema: Any) -> Any:
    """A copy in which objects allow no further properties, and a list of types is spelled as alternatives."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    copied = {key: value if key in {"enum", "const", "default"} else closed(value) for key, value in schema.items()}
    if isinstance(copied.get("type"), list):
        kinds = copied.pop("type")
        shared = {key: copied.pop(key) for key in ("description", "title") if key in copied}
        alternatives = [{"type": kind} if kind == "null" else {"type": kind, **copied} for kind in kinds]
        return {**shared, "anyOf": [closed(alternative) for alternative in alternatives]}
    if copied.get("type") == "object":
        copied["additionalProperties"] = False
    return copied


def quoted(text: str) -> str:
    """The text's beginning, for a message."""
    return f"“{text[:_QUOTED]}{'…' if len(text) > _QUOTED else ''}”"


def within(endpoint: str, domain: str) -> bool:
    """Whether an endpoint's host is of this domain."""
    host = urlsplit(endpoint).hostname or ""
    return host == domain or host.endswith(f".{domain}")


def is_local(endpoint: str) -> bool:
    """Whether an endpoint is on this machine."""
    host = urlsplit(endpoint).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _value(reply: Reply, schema: dict[str, Any]) -> dict[str, Any]:
    """Raises: AnswerUnusable when the answer is incomplete, not JSON, or not what the schema says."""
    if reply.incomplete:
        raise AnswerUnusable(f"{reply.incomplete}: {quoted(reply.text)}")
    try:
        value = json.loads(reply.text)
    except ValueError as error:
        raise AnswerUnusable(f"the answer is not JSON ({error}): {quoted(reply.text)}") from error
    problem = best_match(Draft202012Validator(schema).iter_errors(value))
    if problem is not None:
        where = f"{problem.json_path}: {quoted(problem.message)}"
        raise AnswerUnusable(f"the answer does not fit the schema at {where}: {quoted(reply.text)}") from problem
    if not isinstance(value, dict):
        raise AnswerUnusable(f"the answer is not an object: {quoted(reply.text)}")
    return value
