"""What tokens cost at Anthropic's own API, in US dollars per million; as published in October 2026."""

from __future__ import annotations

import re

_LONG_PROMPT = 100_000
"""Input tokens above which a model in ``_LONG_PROMPT_PRICES`` has other prices, for the whole question."""

_PRICES = {
    "claude-fable-5": (10.0, 50.0),
    "claude-fable-5-1": (10.0, 50.0),
    "claude-haiku-4-5": (1.0, 5.0),
    "claude-haiku-5-5": (0.1, 0.5),
    "claude-mythos-5-1": (10.0, 50.0),
    "claude-opus-4-5": (5.0, 25.0),
    "claude-opus-4-6": (5.0, 25.0),
    "claude-opus-4-7": (5.0, 25.0),
    "claude-opus-4-8": (5.0, 25.0),
    "claude-opus-5": (5.0, 25.0),
    "claude-opus-5-5": (4.0, 20.0),
    "claude-sonnet-4-5": (3.0, 15.0),
    "claude-sonnet-4-6": (3.0, 15.0),
    "claude-sonnet-5": (2.0, 10.0),
    "claude-sonnet-5-5": (2.0, 10.0),
}
"""Input and output."""

_LONG_PROMPT_PRICES = {"claude-haiku-5-5": (0.5, 2.5)}


_CACHE_READ = 0.1
_CACHE_WRITTEN = 1.25
"""Of the input price; for the cache of five minutes."""


def cost_usd(
    model: str, *, input_tokens: int, output_tokens: int, cache_read_tokens: int = 0, cache_written_tokens: int = 0
) -> float | None:
    """US dollars for one question and its answer; None for a model whose price is not known.

    ``input_tokens`` are all of them, those read from and written to the cache included.
    """
    name = re.sub(r"-\d{8}$", "", model)
    prices = _PRICES.get(name)
    if prices is None:
        return None
    if input_tokens > _LONG_PROMPT:
        prices = _LONG_PROMPT_PRICES.get(name, prices)
    plain = input_tokens - cache_read_tokens - cache_written_tokens
    weighed = plain + _CACHE_READ * cache_read_tokens + _CACHE_WRITTEN * cache_written_tokens
    return (weighed * prices[0] + output_tokens * prices[1]) / 1_000_000
