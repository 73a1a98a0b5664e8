"""Words as they were said: a quote is a span of a turn, so it can be nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from interviewer.grading.transcript import Turn
from interviewer.rubric.text import Span, normalise, sentences


@dataclass(frozen=True)
class Quote:
    """The characters ``span`` of a turn's text. Raises ValueError where nobody could read any."""

    turn: Turn
    span: Span

    def __post_init__(self) -> None:
        start, end = self.span
        in_turn = 0 <= start < end <= len(self.turn.text)
        if not in_turn or not normalise(self.text).text:
            raise ValueError(f"turn {self.turn.number} holds no words at {start}:{end}")

    @property
    def text(self) -> str:
        start, end = self.span
        return self.turn.text[start:end]


def whole(turn: Turn) -> Quote | None:
    """All of a turn, None where it holds nothing to read."""
    return Quote(turn, (0, len(turn.text))) if normalise(turn.text).text else None


def opening(turn: Turn) -> Quote | None:
    """The first sentence of a turn, None where it holds nothing to read."""
    plain = normalise(turn.text)
    parts = sentences(plain)
    return Quote(turn, plain.original_span(*parts[0])) if parts else None
