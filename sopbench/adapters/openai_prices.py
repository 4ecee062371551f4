"""What tokens cost at OpenAI's own API, in US dollars per million: standard tier, prompts up to 272,000 tokens.

As published in the summer of 2026; the older models' prices are those they had when they were last listed.
"""

from __future__ import annotations

import re

_LONG_PROMPT = 272_000
"""Input tokens above which some models have other prices: then none is known here."""

_PRICES = {
    "gpt-4.1": (2.0, 0.5, 8.0),
    "gpt-4o": (2.5, 1.25, 10.0),
    "gpt-4o-mini": (0.15, 0.075, 0.6),
    "gpt-5-mini": (0.25, 0.025, 2.0),
    "gpt-5.4": (2.5, 0.25, 15.0),
    "gpt-5.4-mini": (0.75, 0.075, 4.5),
    "gpt-5.4-nano": (0.2, 0.02, 1.25),
    "gpt-5.5": (5.0, 0.5, 30.0),
}
"""Input, input from the cache, output."""


def cost_usd(model: str, *, input_tokens: int, output_tokens: int, cache_read_tokens: int = 0) -> float | None:
    """US dollars for one question and its answer; None for a model whose price is not known.

    ``input_tokens`` are all of them, those read from the cache included.
    """
    prices = _PRICES.get(re.sub(r"-\d{4}-\d{2}-\d{2}$", "", model))
    if prices is None or input_tokens > _LONG_PROMPT:
        return None
    plain, cached, output = prices
    whole = (input_tokens - cache_read_tokens) * plain + cache_read_tokens * cached + output_tokens * output
    return whole / 1_000_000
