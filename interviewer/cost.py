"""What a mock costs with a model, roughly."""

from __future__ import annotations

TOKENS = {"Sprint": 110_000, "Frontier-lab loop": 480_000}
"""Tokens sent and received, by the title of the plan, at standard length; measured by
``prompt_cost.py`` in ``tests/benchmarks``; rounded. Most of them are sent, and many of those are
cached by servers."""


def of_mocks(price: float | None) -> str:
    """A sentence on these plans, at a price for a million tokens if it is known."""
    mocks = (f"a {plan} about {tokens:,}{_cost(tokens, price)}" for plan, tokens in TOKENS.items())
    return f"Tokens in a mock: {', '.join(mocks)}."


def _cost(tokens: int, price: float | None) -> str:
    return "" if price is None else f" ({tokens * price / 1e6:.2f})"
