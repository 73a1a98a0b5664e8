"""Five bands with written anchors: what a score means in words."""

from __future__ import annotations

from collections.abc import Sequence

EDGES = (0.2, 0.45, 0.7, 0.88)
"""Lower edges of bands 1..4."""

ANCHORS = (
    "No usable answer: the main points are absent or wrong.",
    "Fragments: knows the terms, not the mechanism; would not pass the question.",
    "Partial: the core is there, important points or numbers are missing.",
    "Solid: nearly all points, in the candidate's own words; a pass.",
    "Strong: complete and precise, with little or no help.",
)


def band_of(score: float) -> int:
    """The band, 0..4, of a score in 0..1."""
    return sum(score >= edge - 1e-9 for edge in EDGES)


def mean_band(bands: Sequence[int | None]) -> float | None:
    """The mean of the bands that exist, None if none does: an ungraded question is no zero."""
    known = [band for band in bands if band is not None]
    return sum(known) / len(known) if known else None
