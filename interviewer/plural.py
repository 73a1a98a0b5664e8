"""Numbers with what they count, as every layer says them."""

from __future__ import annotations


def pluralize(number: float, noun: str) -> str:
    """The number with its noun: "no errors", "1 error", "12.5 minutes", "1,200 sessions"."""
    shown = f"{number:g}" if isinstance(number, float) else f"{number:,}"
    return f"{shown if number else 'no'} {noun}{'' if number == 1 else 's'}"
