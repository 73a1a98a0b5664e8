"""Whether rules have read the numbers of a contradiction of one run.

A long honest account tells of several runs, of parts of one and of other people's figures, and its
wording does not always say where one ends. What it does show is whether the numbers of a sum stand
together, whether each is the only one of its kind, and whether the number that the sum asks for is
said as well.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from interviewer.grading.claims.claim import PARTS, Claim, Measure
from interviewer.grading.claims.engine import Conflict
from interviewer.grading.claims.run import SAME, Run
from interviewer.rubric.text import Span

TOGETHER = 3
"""Sentences from the first number of a sum to its last, in an account of one run."""
SHORT = 8
"""Sentences of an account in which rules tell two runs apart."""
SEVERAL = 2
"""So many measures with two values make an account of several runs: a sum is of one sentence."""
SAID = 0.03
"""How near a number comes to what the sum asks for."""
TELLING = 20
"""A plain number from which it is no chance that another is the same."""
_MAY_RECUR = PARTS | {
    *(Measure.THROUGHPUT, Measure.TOKENS, Measure.STEPS, Measure.DURATION, Measure.ACCURACY),
}
"""Measures of which one sum may well take several values."""


@dataclass(frozen=True)
class Named:
    """A number of the text, whatever it measures; ``kind`` is the letter of its unit."""

    kind: str
    value: float
    span: Span


@dataclass(frozen=True)
class Account:
    """A turn as the rules saw it: where its sentences begin, and all its numbers."""

    sentences: tuple[int, ...] = ()
    named: tuple[Named, ...] = ()


def is_of_one_run(
    conflict: Conflict, run: Run, stated: Iterable[Claim], accounts: Mapping[int, Account]
) -> bool:
    """The conflict's claims are told of one run, as far as rules have read them.

    ``run`` is what they took for it, ``stated`` all claims, and ``accounts`` the turns that they
    have read. What a model read says itself of which run it is.
    """
    claims = [claim for claim in conflict.claims if claim.turn in accounts]
    once = [claim.measure for claim in claims if claim.measure not in _MAY_RECUR]
    if len(set(once)) < len(once):
        return False
    turns = {claim.turn for claim in claims}
    others = [claim for claim in stated if claim.turn in turns and claim.measure not in PARTS]
    apart = max((_distance(claims, turn, accounts[turn]) for turn in turns), default=0)
    if apart > (0 if _tells_of_several(others) else TOGETHER):
        return False
    if not apart and all(len(accounts[turn].sentences) <= SHORT for turn in turns):
        others = [s.claim for s in run.statements if s.claim.turn in turns]
    return not (_have_rivals(claims, others) or _is_said_right(conflict, claims, accounts))


def without_rivals(run: Run, accounts: Mapping[int, Account]) -> Run:
    """The run without measures of which a turn gives it two values: no sum can rest on either."""
    values: dict[tuple[int, Measure], list[float]] = defaultdict(list)
    for claim in (statement.claim for statement in run.statements):
        if claim.turn in accounts and claim.measure not in _MAY_RECUR:
            values[claim.turn, claim.measure].append(claim.value)
    in_doubt = {key for key, each in values.items() if not _is_near(min(each), [max(each)], SAME)}
    if not in_doubt:
        return run
    kept = (s for s in run.statements if (s.claim.turn, s.claim.measure) not in in_doubt)
    return replace(run, statements=tuple(kept))


def _distance(claims: Sequence[Claim], turn: int, account: Account) -> int:
    """The sentences from the first of the turn's claims to the last."""
    at = [bisect_right(account.sentences, c.span[0]) for c in claims if c.turn == turn]
    return max(at) - min(at)


def _tells_of_several(claims: Iterable[Claim]) -> bool:
    values: dict[tuple[int, Measure], list[float]] = defaultdict(list)
    for claim in claims:
        values[claim.turn, claim.measure].append(claim.value)
    differing = [
        turn for (turn, _), each in values.items() if not _is_near(min(each), [max(each)], SAME)
    ]
    return any(differing.count(turn) >= SEVERAL for turn in differing)


def _have_rivals(claims: Sequence[Claim], others: Iterable[Claim]) -> bool:
    """For one of the claims another value was said, perhaps of this very run."""
    known: dict[Measure, list[float]] = defaultdict(list)
    for claim in claims:
        known[claim.measure].append(claim.value)
    return any(
        other.measure in known
        and other.measure not in PARTS
        and not _is_near(other.value, known[other.measure], SAME)
        for other in others
    )


def _is_said_right(
    conflict: Conflict, claims: Sequence[Claim], accounts: Mapping[int, Account]
) -> bool:
    """Another number of the turn is what the sum asks for in place of a claim: it is the run's."""
    made, other = (side.value for side in conflict.sides)
    if made <= 0 or other <= 0 or not math.isfinite(made / other):
        return False
    taken = {claim: list(_numbers_of(claim, accounts[claim.turn])) for claim in claims}
    used = [number.value for numbers in taken.values() for number in numbers]
    for claim, numbers in taken.items():
        for number in numbers:
            asked = (number.value * made / other, number.value * other / made)
            if any(
                each.kind == number.kind
                and (each.kind != "N" or each.value >= TELLING)
                and _is_near(each.value, asked, SAID)
                and not _is_near(each.value, used, SAID)
                for each in accounts[claim.turn].named
            ):
                return True
    return False


def _numbers_of(claim: Claim, account: Account) -> Iterator[Named]:
    start, end = claim.span
    return (number for number in account.named if start <= number.span[0] < end)


def _is_near(value: float, others: Iterable[float], share: float) -> bool:
    return any(abs(value - other) <= share * max(abs(value), abs(other)) for other in others)
