"""An answer made ready for matching, and quotes out of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from interviewer.examiner.lexical import words
from interviewer.grading.evidence import MIN_WORDS
from interviewer.grading.orders import order_spans
from interviewer.grading.transcript import Turn
from interviewer.rubric.text import Normalised, Span, consecutive, normalise, sentences

QUOTE_CHARACTERS = 240


@dataclass(frozen=True)
class Said:
    """An answer turn made ready for matching, once for all criteria.

    Sentences that try to instruct the examiner are left out, and no window reaches over one.
    """

    turn: Turn
    plain: Normalised
    sentences: tuple[Span, ...]
    windows: tuple[Span, ...]

    @classmethod
    def of(cls, turn: Turn) -> Said:
        plain = normalise(turn.text)
        ordering = order_spans(turn.text)

        def is_clean(span: Span) -> bool:
            start, end = plain.original_span(*span)
            return all(end <= first or last <= start for first, last in ordering)

        runs = [tuple(run) for clean, run in groupby(sentences(plain), is_clean) if clean]
        return cls(
            turn, plain, tuple(chain(*runs)), tuple(chain.from_iterable(map(consecutive, runs)))
        )


def quote(said: Said, spans: Sequence[Span]) -> str:
    """The candidate's words around the spans, as typed: whole sentences where they are short."""
    start, end = min(a for a, _ in spans), max(b for _, b in spans)
    around = [(a, b) for a, b in said.sentences if a < end and start < b]
    if around and around[-1][1] - around[0][0] <= QUOTE_CHARACTERS:
        start, end = around[0][0], around[-1][1]
    elif around and end - start > QUOTE_CHARACTERS:
        start, end = around[0]
    else:
        start, end = _with_neighbours(said.plain.text, start, end)
    if len(words(said.plain.text[start:end])) < MIN_WORDS:
        start, end = _with_neighbours(said.plain.text, start, end)
    first, last = said.plain.original_span(start, end)
    return said.turn.text[first:last]


def _with_neighbours(text: str, start: int, end: int) -> Span:
    """The span grown to whole words and two more on each side, so that it reads."""
    for _ in range(3):
        start = text.rfind(" ", 0, max(0, start - 1)) + 1
        following = text.find(" ", end + 1)
        end = len(text) if following < 0 else following
    return start, end
