"""The numbers that were stated over the session, and what became of those that do not add up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from interviewer.examiner.protocol import MoveKind
from interviewer.grading.claims.claim import Claim, Ledger
from interviewer.interview.state import QuestionState, SessionState

Outcome = Literal["stands", "given_up"]


@dataclass(frozen=True)
class Impossibility:
    """Numbers that cannot be true together.

    ``sentence`` states the arithmetic. ``challenged`` is the turn in which the examiner put it to
    the candidate, None where it never did. ``outcome`` says whether they stand by the end.
    """

    sentence: str
    challenged: int | None
    outcome: Outcome


@dataclass(frozen=True)
class ClaimsDebrief:
    """The claims that stand, those given up, and every sum that did not add up, oldest first."""

    made: tuple[Claim, ...] = ()
    retracted: tuple[Claim, ...] = ()
    impossible: tuple[Impossibility, ...] = ()

    @property
    def standing(self) -> tuple[Impossibility, ...]:
        """The impossibilities that the candidate left standing."""
        return tuple(each for each in self.impossible if each.outcome == "stands")


def claims_debrief(state: SessionState, ledger: Ledger) -> ClaimsDebrief:
    """What the ledger holds beside the challenges that were made of it."""
    challenges = dict(c for question in state.questions for c in _challenges(question))
    standing = {contradiction.sentence for contradiction in ledger.contradictions}
    challenged = [
        Impossibility(sentence, turn, "stands" if sentence in standing else "given_up")
        for sentence, turn in challenges.items()
    ]
    unasked = [
        Impossibility(contradiction.sentence, None, "stands")
        for contradiction in ledger.contradictions
        if contradiction.sentence not in challenges
    ]
    return ClaimsDebrief(ledger.claims, ledger.retracted, (*challenged, *unasked))


def _challenges(question: QuestionState) -> Iterator[tuple[str, int]]:
    """The sums that the examiner cited, each with its turn."""
    follow_ups = [turn for turn in question.turns[1:] if turn.author == "examiner"]
    for move, turn in zip(question.moves, follow_ups, strict=True):
        if move.kind is MoveKind.CHALLENGE and move.sum:
            yield move.sum, turn.number
