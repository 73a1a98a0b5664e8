"""What a question list holds, whatever its format."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """One question of a list. ``line`` counts from 1; what the list does not say is empty."""

    line: int
    question: str
    answer: str = ""
    id: str = ""
    topic: str = ""
    difficulty: str = ""


@dataclass(frozen=True)
class Skipped:
    """A line of which no question can be made, and why: the end of a sentence."""

    line: int
    why: str


Item = Question | Skipped
