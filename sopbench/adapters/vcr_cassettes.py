"""Cassettes: the model's traffic of one case in one file, through vcrpy.

vcrpy is used without its patching of HTTP libraries. A cassette hands out a transport that only the model's client
gets, so nothing else in the process is recorded, blocked or slowed.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2
from vcr.cassette import Cassette as Tape  # type: ignore[import-untyped]
from vcr.errors import CannotOverwriteExistingCassetteException  # type: ignore[import-untyped]
from vcr.filters import decode_response  # type: ignore[import-untyped]
from vcr.persisters.filesystem import CassetteNotFoundError  # type: ignore[import-untyped]
from vcr.record_mode import RecordMode  # type: ignore[import-untyped]
from vcr.request import Request  # type: ignore[import-untyped]
from vcr.serialize import deserialize, serialize  # type: ignore[import-untyped]
from vcr.stubs.httpx_stubs import vcr_handle_async_request  # type: ignore[import-untyped]

from sopbench.adapters.cassette_difference import difference, nearest
from sopbench.adapters.cassette_file import (
    RecordedFrom,
    as_asked,
    masked,
    masked_bytes,
    read_cassette,
    readable,
    write_cassette,
)
from sopbench.adapters.system_clock import SystemClock
from sopbench.errors import CassetteMiss, UsageError
from sopbench.events.masking import Masker

if TYPE_CHECKING:
    from types import TracebackType

    from sopbench.adapters.cassette_file import Api
    from sopbench.ports.clock import Clock

REPLAYED = "sopbench_replayed"
"""The response extension that tells a recorded answer (True) from one the endpoint just gave (False)."""

_REQUEST_HEADERS = {"content-type", "anthropic-version", "anthropic-beta"}
_RESPONSE_HEADERS = {"content-type"}


class Cassette:
    """The recorded questions and answers of one case; loaded once, shared by all its trials.

    ``replay`` answers from the file and never calls anybody. ``record`` begins empty, asks each question once, answers
    repeats from what it has, and replaces the file when it is closed: what was not asked again is dropped. Until then,
    and when nothing was recorded, the old file stays as it is. Two processes must not record into the same file.
    """

    def __init__(
        self,
        path: Path,
        mode: Literal["replay", "record"],
        *,
        masker: Masker | None = None,
        served_by: str = "",
        clock: Clock | None = None,
    ) -> None:
        """Load the file, if it is to be replayed. Raises: UsageError when it is there but not a cassette."""
        self.path = path
        self.mode = mode
        self.recorded_from: RecordedFrom | None = None
        self._prompts: dict[str, int] = {}
        self._masker = masker or Masker()
        self._served_by = served_by
        self._clock = clock or SystemClock()
        self._tape = self._open()

    @property
    def recordings(self) -> int:
        """How many questions it can answer."""
        return len(self._tape)

    @property
    def questions(self) -> list[Any]:
        """The bodies of the questions it can answer."""
        return [request.question for request in self._tape.requests]

    def asked_with(self, purpose: str, prompt_version: int) -> None:
        """Note with which version of its prompt a purpose is being recorded, for the header."""
        self._prompts[purpose] = prompt_version

    def other_prompt(self, purpose: str, prompt_version: int) -> str:
        """What is to be said where this purpose was recorded with another version of its prompt; else nothing."""
        recorded = self.recorded_from.prompt_version(purpose) if self.recorded_from and self.recordings else None
        if recorded is None or recorded == prompt_version:
            return ""
        return f"recorded for another prompt ({purpose} v{recorded}, now v{prompt_version})"

    def __enter__(self) -> Cassette:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close; after an error only the old file is kept."""
        if kind is None:
            self.close()

    def transport(self, *, endpoint: str, model: str, api: Api) -> httpx2.AsyncBaseTransport:
        """What the model's client is to send its requests through.

        When recording, the header will say that the answers come from this endpoint and model. When replaying, there
        is nothing behind it that could reach a network.
        """
        if self.mode == "replay":
            return _CassetteTransport(self, self._tape, httpx2.AsyncBaseTransport())
        self.recorded_from = RecordedFrom(
            endpoint=self._masker.text(endpoint),
            model=model,
            served_by=self._masker.text(self._served_by) or urlsplit(endpoint).hostname or endpoint,
            recorded=self._clock.now().date().isoformat(),
            api=api,
        )
        return _CassetteTransport(self, self._tape, httpx2.AsyncHTTPTransport(proxy=_proxy_for(endpoint)))

    def close(self) -> None:
        """Write what was recorded since it was opened, if anything. May be called again."""
        if self.mode == "replay" or not self._tape.dirty:
            return
        recorded = {"requests": self._tape.requests, "responses": copy.deepcopy(self._tape.responses)}
        _WholeFile.save_cassette(self.path, recorded, self)
        self._tape.dirty = False

    def miss(self, asked: Any) -> CassetteMiss:
        """The error for a question (a request's body) that is not recorded."""
        if not self.recordings:
            state = "holds no recordings" if self.path.is_file() else "is not there"
            message = f"nothing recorded: {self.path} {state}; record it with --llm record"
            return CassetteMiss(message, path=str(self.path), recordings=0)
        asked = as_asked(masked(self._masker, asked))
        closest = nearest(asked, self.questions)
        where = difference(closest, asked) or "its address"
        return CassetteMiss(
            f"nothing recorded for this question in {self.path} ({self.recordings} recordings); "
            f"the nearest differs in {where}\nrecord anew with --llm record",
            path=str(self.path),
            recordings=self.recordings,
            difference=where,
        )

    def serialize(self, recorded: dict[str, Any]) -> str:
        """The file's text, as vcrpy asks for it."""
        if self.recorded_from is None:
            raise ValueError("a cassette is written with the header its transport was made for")
        return write_cassette(replace(self.recorded_from, prompts=dict(sorted(self._prompts.items()))), recorded)

    def deserialize(self, text: str) -> dict[str, Any]:
        """The file's recordings, as vcrpy asks for them; the header is taken in."""
        self.recorded_from, recorded = read_cassette(text)
        return recorded

    def _open(self) -> Any:
        settings = {
            "path": str(self.path),
            "serializer": self,
            "persister": _WholeFile,
            "record_mode": RecordMode.NONE if self.mode == "replay" else RecordMode.NEW_EPISODES,
            "match_on": (address, body),
            "before_record_request": self._kept_request,
            "before_record_response": self._kept_response,
            "allow_playback_repeats": True,
        }
        if self.mode == "record":
            return Tape(**settings)
        try:
            return Tape.load(**settings)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            problem = f"{type(error).__name__}: {error}"
            raise UsageError(f"{self.path}: not a cassette ({problem}); record anew with --llm record") from error

    def _kept_request(self, request: Any) -> Any:
        return request if isinstance(request, _Question) else _Question(request, self._masker)

    def _kept_response(self, response: dict[str, Any]) -> dict[str, Any] | None:
        """Only answers are kept: an overload or a refused key must not be replayed for ever."""
        if response["status"]["code"] != 200:
            return None
        response = decode_response(response)
        answer = response["body"]["string"]
        headers = {name: value for name, value in response["headers"].items() if name.lower() in _RESPONSE_HEADERS}
        return {
            "status": response["status"],
            "headers": headers,
            "body": {"string": masked_bytes(self._masker, answer)},
        }


class Cassettes:
    """All cassettes of a session: each file is loaded once, and all are written together at the end."""

    def __init__(self, mode: Literal["replay", "record"], *, served_by: str = "", clock: Clock | None = None) -> None:
        self.mode = mode
        self._served_by = served_by
        self._clock = clock
        self._open: dict[Path, Cassette] = {}

    def at(self, path: Path, *, masker: Masker | None = None) -> Cassette:
        """The cassette of this file; the masker counts when it is asked for first. Raises: UsageError."""
        path = path.absolute()
        if path not in self._open:
            self._open[path] = Cassette(path, self.mode, masker=masker, served_by=self._served_by, clock=self._clock)
        return self._open[path]

    def close(self) -> None:
        """Write all that was recorded."""
        for cassette in self._open.values():
            cassette.close()
        self._open.clear()


def address(asked: Any, recorded: Any) -> bool:
    """Match method, scheme, host, port, path and query, for vcrpy."""
    return bool(asked.address == recorded.address)


def body(asked: Any, recorded: Any) -> bool:
    """Match bodies by what they ask, for vcrpy."""
    return bool(asked.question == recorded.question)


class _Question(Request):  # type: ignore[misc]
    """A request as it is kept: without secrets, and taken apart once for all comparisons."""

    def __init__(self, request: Any, masker: Masker) -> None:
        headers = {name: value for name, value in request.headers.items() if name.lower() in _REQUEST_HEADERS}
        kept = masked_bytes(masker, request.body or b"")
        super().__init__(request.method, masker.text(request.uri), kept, headers)
        self.address = (self.method, self.scheme, self.host, self.port, self.path, self.query)
        self.question = as_asked(readable(kept.decode()))


class _CassetteTransport(httpx2.AsyncBaseTransport):
    """Sends a client's requests to a cassette, and on to the endpoint only where one may be asked."""

    def __init__(self, cassette: Cassette, tape: Any, real: httpx2.AsyncBaseTransport) -> None:
        self._cassette = cassette
        self._tape = tape
        self._real = real

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Raises: CassetteMiss, and what the real transport raises."""
        replayed = True

        async def ask(_: object, request: httpx2.Request) -> httpx2.Response:
            nonlocal replayed
            replayed = False
            return await self._real.handle_async_request(request)

        try:
            response: httpx2.Response = await vcr_handle_async_request(self._tape, ask, httpx2)(self, request)
        except CannotOverwriteExistingCassetteException as error:
            raise self._cassette.miss(readable(error.failed_request.body.decode())) from error
        response.extensions[REPLAYED] = replayed
        return response

    async def aclose(self) -> None:
        await self._real.aclose()


class _WholeFile:
    """vcrpy's persister: UTF-8 on every machine, and a file that is either the old or the new one."""

    @staticmethod
    def load_cassette(path: str, serializer: Cassette) -> Any:
        try:
            return deserialize(Path(path).read_text("utf-8"), serializer)
        except FileNotFoundError as error:
            raise CassetteNotFoundError from error

    @staticmethod
    def save_cassette(path: Path, recorded: dict[str, Any], serializer: Cassette) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(path.name + ".unfinished")
        unfinished.write_text(serialize(recorded, serializer), "utf-8", newline="\n")
        unfinished.replace(path)


def _proxy_for(endpoint: str) -> str | None:
    """The machine's HTTP proxy for this address; a client with a transport of its own does not look for one."""
    address = urlsplit(endpoint)
    return None if proxy_bypass(address.hostname or "") else getproxies().get(address.scheme)
