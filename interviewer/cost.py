"""What a mock costs with a model, roughly."""

from __future__ import annotations

TOKENS = {"sprint": 110_000, "frontier-loop": 480_000}
"""Tokens sent and received by plan at standard length, measured by ``prompt_cost.py`` in
``tests/benchmarks``; rounded. Most of them are sent, and many of those are cached by servers."""


def of_mocks(price: float | None) -> str:
    """A sentence on these plans, at a price for a million tokens if it is known."""
    mocks = " and ".join(
        f"{tokens:,} tokens for {plan}{_cost(tokens, price)}" for plan, tokens in TOKENS.items()
    )
    return f"About {mocks}."


def _cost(tokens: int, price: float | None) -> str:
    return "" if price is None else f" ({tokens * price / 1e6:.2f})"
