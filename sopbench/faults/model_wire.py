"""Where in the models' two interfaces a question, its schema and its answer stand."""

from __future__ import annotations

import copy
from typing import Any

_ENDINGS = {"length": ("max_tokens", "length"), "refusal": ("refusal", "content_filter")}
"""How an answer ended: as Anthropic's interface says it, and as OpenAI's does."""


def question_schema(asked: dict[str, Any]) -> dict[str, Any]:
    """The JSON Schema that the answer is to fit; empty where the question has none."""
    own = asked.get("output_config", {}).get("format", {}).get("schema")
    theirs = asked.get("response_format", {}).get("json_schema", {}).get("schema")
    tools = [tool["function"]["parameters"] for tool in asked.get("tools", ()) if "function" in tool]
    found: dict[str, Any] = own or theirs or next(iter(tools), {})
    return found


def question_text(asked: dict[str, Any]) -> str:
    """What the model is asked, as one text."""
    content = asked["messages"][-1]["content"]
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def answer_text(body: dict[str, Any]) -> str:
    """What the model answered; empty for what is no answer."""
    if "content" in body:
        return "".join(part.get("text", "") for part in body["content"])
    message: dict[str, Any] = next((choice["message"] for choice in body.get("choices", ())), {})
    if message.get("tool_calls"):
        return str(message["tool_calls"][0]["function"]["arguments"])
    return message.get("content") or ""


def ending(body: dict[str, Any], how: str) -> str:
    """``length`` or ``refusal``, as this interface says it."""
    return _ENDINGS[how]["choices" in body]


def with_answer(body: dict[str, Any], text: str, ended: str | None) -> dict[str, Any]:
    """A copy with another answer, and perhaps another ending."""
    changed = copy.deepcopy(body)
    if "choices" in changed:
        choice = changed["choices"][0]
        if choice["message"].get("tool_calls"):
            choice["message"]["tool_calls"][0]["function"]["arguments"] = text
        else:
            choice["message"]["content"] = text
        choice["finish_reason"] = ended or choice.get("finish_reason")
        return changed
    changed["content"] = [{"type": "text", "text": text}] if text else []
    changed["stop_reason"] = ended or changed.get("stop_reason")
    return changed
