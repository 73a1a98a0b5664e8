"""The types of fields that all kinds of content file share."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

SHORTEST_SLUG = 2
LONGEST_SLUG = 80
SLUG_PATTERN = "^[a-z0-9]+(-[a-z0-9]+)*$"

Slug = Annotated[
    str,
    StringConstraints(pattern=SLUG_PATTERN, min_length=SHORTEST_SLUG, max_length=LONGEST_SLUG),
]
"""An id: lower-case words joined by hyphens."""
LONGEST_TEXT = 8000
"""Characters."""
Text = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_TEXT)
]
Name = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*$", min_length=1, max_length=24)
]
"""A quantity's name at the bench."""
Finite = Annotated[float, Field(allow_inf_nan=False)]


class Frozen(BaseModel):
    """A part of a content file: immutable, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")
