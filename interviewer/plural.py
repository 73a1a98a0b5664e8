"""Numbers with what they count, as every layer says them."""

from __future__ import annotations


def minutes(seconds: int) -> str:
    """As a clock shows them: "9 minutes", "3:20 minutes"."""
    whole, rest = divmod(seconds, 60)
    return f"{whole}:{rest:02} minutes" if rest else pluralize(whole, "minute")


def pluralize(number: float, noun: str) -> str:
    """The number with its noun: "no errors", "1 error", "12.5 minutes", "1,200 sessions"."""
    shown = f"{number:g}" if isinstance(number, float) else f"{number:,}"
    return f"{shown if number else 'no'} {noun}{'' if number == 1 else 's'}"
