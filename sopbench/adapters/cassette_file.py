"""A cassette as text: a header, then requests and responses with their bodies as JSON that people can read."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from sopbench.events.masking import Masker

Api = Literal["anthropic", "openai"]


@dataclass(frozen=True)
class RecordedFrom:
    """A cassette's header: where its answers come from."""

    endpoint: str
    """Base URL the questions went to."""
    model: str
    """Name the questions asked for."""
    served_by: str
    """What really answered, in free text; the endpoint's host when nobody said."""
    recorded: str
    """Date, ISO 8601, UTC."""
    api: Api = "anthropic"
    """What the endpoint speaks."""
    prompts: dict[str, int] = field(default_factory=dict)
    """Version of the prompt per purpose. Recordings from before prompts had versions say nothing: they are of 1."""

    def prompt_version(self, purpose: str) -> int | None:
        """The version this purpose was recorded with; None when it was not recorded."""
        return self.prompts.get(purpose) if self.prompts else 1


def write_cassette(header: RecordedFrom, recorded: dict[str, Any]) -> str:
    """The file's text. ``recorded`` is what vcrpy hands to a serializer; its bodies are texts."""
    interactions = [
        {
            "request": {**pair["request"], "body": readable(pair["request"]["body"])},
            "response": {**pair["response"], "body": readable(pair["response"]["body"]["string"])},
        }
        for pair in recorded["interactions"]
    ]
    whole = {"recorded_from": asdict(header), **recorded, "interactions": interactions}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def read_cassette(text: str) -> tuple[RecordedFrom, dict[str, Any]]:
    """The header, and what vcrpy expects of a serializer. Raises: ValueError, KeyError, TypeError."""
    whole: dict[str, Any] = json.loads(text)
    header = RecordedFrom(**whole.pop("recorded_from"))
    for pair in whole["interactions"]:
        pair["request"]["body"] = as_sent(pair["request"]["body"])
        pair["response"]["body"] = {"string": as_sent(pair["response"]["body"])}
    return header, whole


def readable(sent: str) -> Any:
    """A JSON object as such; any other text as it is."""
    try:
        value = json.loads(sent)
    except ValueError:
        return sent
    return value if isinstance(value, dict) else sent


def as_sent(body: Any) -> str:
    """The text of a body, whether it is kept as an object or as it is."""
    return body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)


def as_asked(body: Any) -> Any:
    """A request's body as the question it is: texts in one piece, without marks for the provider's cache."""
    if not isinstance(body, dict):
        return body
    question = {key: value for key, value in body.items() if key != "cache_control"}
    if "system" in question:
        question["system"] = _in_one_piece(question["system"])
    if isinstance(question.get("messages"), list):
        question["messages"] = [
            {**message, "content": _in_one_piece(message["content"])} if "content" in message else message
            for message in question["messages"]
        ]
    return question


def _in_one_piece(content: Any) -> Any:
    if not isinstance(content, list):
        return content
    blocks = [{key: value for key, value in block.items() if key != "cache_control"} for block in content]
    if all(block.keys() == {"type", "text"} for block in blocks):
        return "".join(block["text"] for block in blocks)
    return blocks


def masked(masker: Masker, body: Any) -> Any:
    """Mask a body, and the JSON within its texts too: there a secret may be spelled with escapes."""
    if isinstance(body, dict):
        return {key: masked(masker, item) for key, item in body.items()}
    if isinstance(body, list):
        return [masked(masker, item) for item in body]
    if not isinstance(body, str):
        return body
    inner = readable(body)
    clean = masker.value(inner)
    return masker.text(body) if clean == inner else as_sent(clean)


def masked_bytes(masker: Masker, sent: bytes) -> bytes:
    """Mask a body on its way into the cassette; without a secret in it, it stays as it was sent."""
    body = readable(sent.decode())
    clean = masked(masker, body)
    return sent if clean == body else as_sent(clean).encode()
