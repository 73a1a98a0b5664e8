"""What models cost: prices, and bills for calls that were made."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interviewer.errors import SettingsError
from interviewer.plural import pluralize

if TYPE_CHECKING:
    from interviewer.interview.plans import Length, Plan
    from interviewer.settings import Settings
    from interviewer.store.records import SpentRow

TOKENS_STEP = 2_000
"""By so many tokens each answer to a question costs more than the one before it, since all that was
said goes along; the first costs two steps. Fitted to ten shipped plans at standard length, held by
``tests/evals/endpoint/prompts.py``: their totals come out within 26 %."""
_DATED = re.compile(r"-\d{4}-?\d{2}-?\d{2}$")
"""The end of a model's name that pins a version of it, at the same price."""


@dataclass(frozen=True)
class Price:
    """For a million tokens sent, sent and found in the server's cache, and received."""

    input: float
    cached: float
    output: float

    def of(self, prompt: int, cached: int, completion: int) -> float:
        """``cached`` of the ``prompt`` tokens were in the cache."""
        fresh = max(0, prompt - cached)
        return (fresh * self.input + cached * self.cached + completion * self.output) / 1e6


def price_of(settings: Settings, model: str) -> Price | None:
    """A person's own price of a model, else the list's, None for neither."""
    known = {**_listed(), **settings.prices}
    prices = {name: Price(**values) for name, values in known.items()}
    if settings.price is not None and settings.model and settings.model not in settings.prices:
        prices[settings.model] = Price(*(settings.price,) * 3)
    return prices.get(model) or prices.get(_DATED.sub("", model))


@cache
def _listed() -> dict[str, Any]:
    import tomllib

    file = Path(__file__).with_name("prices.toml")
    models: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))["models"]
    return models


def bill(settings: Settings, used: Iterable[SpentRow]) -> str:
    """What these calls come to: their number, tokens and money; "" if no token was counted."""
    rows = list(used)
    prices = {row.model: price_of(settings, row.model) for row in rows}
    sent, cached = sum(row.prompt_tokens for row in rows), sum(row.cached_tokens for row in rows)
    received = sum(row.completion_tokens for row in rows)
    if not (sent or received):
        return ""
    money = sum(
        price.of(row.prompt_tokens, row.cached_tokens, row.completion_tokens)
        for row in rows
        if (price := prices[row.model])
    )
    in_cache = f" ({cached:,} cached)" if cached else ""
    calls = pluralize(sum(row.calls for row in rows), "call")
    told = [calls, f"{sent:,} tokens sent{in_cache} and {received:,} received"]
    unpriced = sorted(model for model, price in prices.items() if price is None)
    if money or not unpriced:
        told.append(f"about {money:.2f}" if money >= 1 or not money else f"about {money:.4f}")
    if unpriced:
        told.append(f"no price is known for {' and '.join(unpriced)}")
    return ", ".join(told)


def of_a_mock(settings: Settings, plan: Plan, length: Length) -> str:
    """What a mock takes, in words: its tokens, and its price where that is known."""
    from interviewer.examiner.llm.endpoint import model_of

    taken, price = tokens(plan, length), None
    with suppress(SettingsError):
        price = price_of(settings, model_of(settings))
    told = f"about {float(f'{taken:.2g}'):,.0f} tokens"
    return f"{told} ({price.of(taken, 0, 0):.2f})" if price else told


def tokens(plan: Plan, length: Length) -> int:
    """About how many tokens a model reads and writes in a mock where every question takes all its
    answers. Most are read, and servers have many of those in their caches."""
    from interviewer.interview.plans import round_extent

    return sum(
        round_extent(part, length).questions
        * sum(TOKENS_STEP * (number + 1) for number in range(1, part.follow_ups + 2))
        for part in plan.rounds
    )
