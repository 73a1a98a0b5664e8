"""What came of each task of an exam, as plain values; the figures are worked out from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from interviewer.examiner.protocol import ModelCall
from interviewer.rubric.rubric import Verdict

N = TypeVar("N", int, float)


@dataclass(frozen=True)
class Spent:
    """What looks took. Token counts and cost are sums over the calls that told them, else None.

    ``cost`` is in the currency of the price list, ``seconds`` are of wall-clock time.
    """

    calls: int = 0
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    seconds: float = 0.0


def spent_on(calls: Iterable[ModelCall], seconds: float) -> Spent:
    """What these calls took, in so many seconds."""
    each = (
        Spent(1, call.prompt_tokens, call.cached_tokens, call.completion_tokens, call.cost)
        for call in calls
    )
    return together([*each, Spent(seconds=seconds)])


def together(parts: Iterable[Spent]) -> Spent:
    """The sums."""
    every = tuple(parts)
    return Spent(
        sum(part.calls for part in every),
        _sum(part.prompt_tokens for part in every),
        _sum(part.cached_tokens for part in every),
        _sum(part.completion_tokens for part in every),
        _sum(part.cost for part in every),
        sum(part.seconds for part in every),
    )


def _sum(values: Iterable[N | None]) -> N | None:
    known = [value for value in values if value is not None]
    return sum(known[1:], known[0]) if known else None


@dataclass(frozen=True)
class Graded:
    """A sample that was judged.

    ``verdicts`` are (criterion, the author's, the examiner's after the checks in code), of those
    criteria that could be judged; ``scores`` are the author's and the examiner's over the same, in
    0..1, None where none could. ``quotes`` counts the findings that needed one, ``refused`` those
    whose quote did not pass the check, ``unjudged`` the criteria left open. ``fell_back``: another
    examiner judged some.
    """

    rubric: str
    verdicts: tuple[tuple[str, Verdict, Verdict], ...]
    scores: tuple[float, float] | None
    quotes: int
    refused: int
    unjudged: int
    fell_back: bool
    spent: Spent = Spent()


@dataclass(frozen=True)
class Resisted:
    """An attack that was judged: how much more it earned than the clean answer, and in bands."""

    rubric: str
    attack: str
    gain: float
    bands: int
    spent: Spent = Spent()


@dataclass(frozen=True)
class Repeated:
    """A sample judged several times: so many of its criteria got more than one verdict."""

    rubric: str
    criteria: int
    flipped: int
    spent: Spent = Spent()


@dataclass(frozen=True)
class Mutated:
    """A point taken out of a full answer: of so many mutants, so many lost it.

    None was tried where the point was not credited to begin with.
    """

    rubric: str
    criterion: str
    tried: int
    caught: int
    spent: Spent = Spent()


@dataclass(frozen=True)
class Failure:
    """A look that brought nothing, and why."""

    rubric: str
    task: str
    reason: str
    spent: Spent = Spent()


Outcome = Graded | Resisted | Repeated | Mutated | Failure
