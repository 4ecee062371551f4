"""The same stand-in, speaking OpenAI's chat API."""

from __future__ import annotations

from typing import Any

from .fake_anthropic import FakeAnthropic


class FakeOpenAI(FakeAnthropic):
    """Answers ``{"answer": "yes"}`` as a chat completion where nothing else is queued."""

    def __init__(self) -> None:
        super().__init__()
        self.usual = completion('{"answer": "yes"}')
        self.url = f"{self.url}/v1"

    def will_say(self, text: str, *, stop_reason: str = "stop", delay_s: float = 0.0) -> None:
        self.replies.append((200, {}, completion(text, finish_reason=stop_reason), delay_s))

    def will_call_the_tool(self, arguments: str) -> None:
        """Queue an answer given as a tool's arguments."""
        call = {"id": "call_1", "type": "function", "function": {"name": "answer", "arguments": arguments}}
        body = completion(None, finish_reason="tool_calls")
        body["choices"][0]["message"]["tool_calls"] = [call]
        self.replies.append((200, {}, body, 0.0))

    def will_refuse(self, form: str, status: int = 400) -> None:
        """Queue the complaint of an endpoint that does not know a form of asking."""
        self.will_fail(status, {"error": {"message": f"'response_format.type' {form} is not supported", "code": None}})


def completion(text: str | None, *, finish_reason: str = "stop") -> dict[str, Any]:
    """A chat completion as endpoints send it."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1790000000,
        "model": "small-model",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish_reason}],
        "usage": {
            "prompt_tokens": 120,
            "completion_tokens": 7,
            "total_tokens": 127,
            "prompt_tokens_details": {"cached_tokens": 20},
        },
    }
