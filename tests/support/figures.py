"""Figures small enough to read off by hand."""

from __future__ import annotations

from interviewer.rubric.figure import Figure
from support.tables import table

CURVES, LISTING, PASSAGE = (
    Figure.model_validate(table("figures", __file__)[name])
    for name in ("curves", "listing", "passage")
)
