"""Verbs that ask other systems, not a page: web APIs over HTTP, and tools of MCP servers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from sopbench.sop.targets import Data, Name, Template
from sopbench.sop.verbs.base import Action, Effect

READING = ("GET", "HEAD")
"""Methods that change nothing, unless an action says otherwise."""
Status = Annotated[int, Field(ge=200, le=599)]


class Request(Action):
    """Ask a web API over HTTP. Done when its answer is here whole, and has a status that is expected.

    It goes only to the origin that ``url`` spells out before its first template, or to one that ``private.api_origins``
    lists; a redirect is not followed. An answer of 4xx was not performed; where the connection broke after the request
    was sent, or the server failed, nobody knows. The effect is ``read`` for GET and HEAD unless it says otherwise.
    """

    do: Literal["request"] = "request"
    method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    url: Template
    query: dict[str, Template] = Field(default_factory=dict)
    """Added to the address, encoded."""
    headers: dict[str, Template] = Field(default_factory=dict)
    json_: Data = Field(default=None, alias="json")
    """The body, as JSON. A text that is nothing but one ``{{ … }}`` gives the value itself: a number stays one."""
    text: Template | None = None
    """The body, as text."""
    status: tuple[Status, ...] = ()
    """Which answers count as done; any of 2xx when empty."""
    into: Name | None = None
    """Variable that takes the answer: JSON as data, anything else as text. At most 2 MB."""
    answer: dict[str, Any] | None = None
    """JSON Schema that the answer must fit."""
    effect: Effect = Effect.IRREVERSIBLE

    @model_validator(mode="before")
    @classmethod
    def _reading_is_read(cls, data: Any) -> Any:
        if isinstance(data, dict) and "effect" not in data and data.get("method", "GET") in READING:
            return {**data, "effect": Effect.READ}
        return data

    @model_validator(mode="after")
    def _one_body(self) -> Request:
        if self.json_ is not None and self.text is not None:
            raise ValueError("a request has one body: 'json' or 'text'")
        if self.method in READING and (self.json_ is not None or self.text is not None):
            raise ValueError(f"a {self.method} has no body; what it asks for stands in 'query'")
        return self

    def __str__(self) -> str:
        return f"request {self.method} {self.url}"


class CallTool(Action):
    """Call a tool of an MCP server. Done when it answered, and not with an error."""

    do: Literal["call_tool"] = "call_tool"
    server: str
    """Its name in ``private.tools``."""
    tool: str
    arguments: dict[str, Data] = Field(default_factory=dict)
    """A text that is nothing but one ``{{ … }}`` gives the value itself."""
    into: Name | None = None
    """Variable that takes the answer: what it says as data, else its text. At most 2 MB."""
    answer: dict[str, Any] | None = None
    """JSON Schema that the answer must fit."""
    effect: Effect = Effect.IRREVERSIBLE

    def __str__(self) -> str:
        return f"call tool {self.tool!r} of {self.server}"
