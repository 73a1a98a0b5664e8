"""Turns of a question as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Literal

from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.sandbox.result import CheckResult

Author = Literal["examiner", "candidate"]


class TurnKind(StrEnum):
    """What an utterance is in the conversation; the examiner's carry the move that caused them."""

    QUESTION = "question"
    ANSWER = "answer"
    BENCH = "bench"
    """A run of the candidate's at the bench: no answer, until it is handed in as one."""
    DONT_KNOW = "dont_know"
    PIN_DOWN = "pin_down"
    PROBE = "probe"
    CHALLENGE = "challenge"
    DRILL = "drill"
    ESCALATE = "escalate"
    HINT = "hint"
    TELL = "tell"
    REDIRECT = "redirect"


@dataclass(frozen=True)
class Turn:
    """One utterance. ``number`` counts the turns of the whole session from 1, both authors."""

    number: int
    author: Author
    kind: TurnKind
    text: str
    target: str | None = None
    """The criterion an examiner's follow-up was aimed at."""
    hint_level: int = 0
    """1 or 2 on a hint, else 0."""
    result: CheckResult | None = None
    """What came of a run; on bench turns only."""
    run: int | None = None
    """On an answer that hands in a run: the number of the run's turn."""

    @cached_property
    def parsed(self) -> ParsedAnswer:
        """The text, read once for everyone."""
        return ParsedAnswer(self.text)


def exchange(question: str, answer: str) -> tuple[Turn, Turn]:
    """A question and one answer to it: all there is where no session is held."""
    return (
        Turn(1, "examiner", TurnKind.QUESTION, question),
        Turn(2, "candidate", TurnKind.ANSWER, answer),
    )
