"""Figures as rows of cells: a share, a course over time. Each stands beside its number."""

from __future__ import annotations

from collections.abc import Sequence

_STEPS = "▁▂▃▄▅▆▇█"


def bar(share: float, cells: int = 10) -> tuple[tuple[str, str], tuple[str, str]]:
    """A share, 0..1, of so many cells: what is full and what is empty, each with its style."""
    full = round(min(max(share, 0.0), 1.0) * cells)
    return ("━" * full, "$text-primary"), ("─" * (cells - full), "$border-blurred")


def course(values: Sequence[float], top: float, cells: int, rows: int = 1) -> list[str]:
    """The last values that fit as columns, oldest first, from 0 to ``top``; the upper row first."""
    shown = values[-cells:]
    steps = len(_STEPS)
    heights = [round(min(max(value / top, 0.0), 1.0) * (rows * steps - 1)) + 1 for value in shown]
    return [
        "".join(_step(height - row * steps) for height in heights) for row in reversed(range(rows))
    ]


def _step(eighths: int) -> str:
    return " " if eighths <= 0 else _STEPS[min(eighths, len(_STEPS)) - 1]
