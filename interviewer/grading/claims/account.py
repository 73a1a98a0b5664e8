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
    question: int = 0
    """Its turns on one question are one account."""


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
    turns = _told_with(claims, accounts)
    others = [claim for claim in stated if claim.turn in turns and claim.measure not in PARTS]
    is_one_sentence = _is_one_sentence(claims, accounts)
    if not is_one_sentence and (_tells_of_several(others) or not _are_near(claims, accounts)):
        return False
    if is_one_sentence and sum(len(accounts[turn].sentences) for turn in turns) <= SHORT:
        others = [s.claim for s in run.statements if s.claim.turn in turns]
    return not (_have_rivals(claims, others) or _is_said_right(conflict, claims, accounts))


def _told_with(claims: Iterable[Claim], accounts: Mapping[int, Account]) -> set[int]:
    """All turns on the questions to which these claims were an answer."""
    questions = {accounts[claim.turn].question for claim in claims}
    return {turn for turn, account in accounts.items() if account.question in questions}


def without_rivals(run: Run, accounts: Mapping[int, Account]) -> Run:
    """The run without measures that an account gives it two values of: no sum rests on either."""
    values: dict[tuple[int, Measure], list[float]] = defaultdict(list)
    for claim in (statement.claim for statement in run.statements):
        if claim.turn in accounts and claim.measure not in _MAY_RECUR:
            values[accounts[claim.turn].question, claim.measure].append(claim.value)
    in_doubt = {key for key, each in values.items() if not _is_near(min(each), [max(each)], SAME)}
    if not in_doubt:
        return run
    kept = (
        statement
        for statement in run.statements
        if (account := accounts.get(statement.claim.turn)) is None
        or (account.question, statement.claim.measure) not in in_doubt
    )
    return replace(run, statements=tuple(kept))


def _places(claims: Sequence[Claim], accounts: Mapping[int, Account]) -> dict[int, list[int]]:
    """The sentences of the claims, by turn."""
    places: dict[int, list[int]] = defaultdict(list)
    for claim in claims:
        places[claim.turn].append(bisect_right(accounts[claim.turn].sentences, claim.span[0]))
    return places


def _is_one_sentence(claims: Sequence[Claim], accounts: Mapping[int, Account]) -> bool:
    places = _places(claims, accounts)
    return len(places) <= 1 and all(min(at) == max(at) for at in places.values())


def _are_near(claims: Sequence[Claim], accounts: Mapping[int, Account]) -> bool:
    return all(max(at) - min(at) <= TOGETHER for at in _places(claims, accounts).values())


def _tells_of_several(claims: Iterable[Claim]) -> bool:
    values: dict[Measure, list[float]] = defaultdict(list)
    for claim in claims:
        values[claim.measure].append(claim.value)
    differing = (each for each in values.values() if not _is_near(min(each), [max(each)], SAME))
    return sum(1 for _ in differing) >= SEVERAL


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
