"""The five bands a score is read in, by edges at which two raters are agreed with best, rounded."""

from __future__ import annotations

from collections.abc import Sequence

EDGES = (0.1, 0.35, 0.65, 0.85)
"""Lower edges of bands 1..4."""

TOP_BAND = len(EDGES)


def band_of(score: float) -> int:
    """The band, 0..4, of a score in 0..1."""
    return sum(score >= edge - 1e-9 for edge in EDGES)


def mean_band(bands: Sequence[int | None]) -> float | None:
    """The mean of the bands that exist, None if none does; an ungraded question is not a zero."""
    known = [band for band in bands if band is not None]
    return sum(known) / len(known) if known else None
