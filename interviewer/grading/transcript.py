"""The turns of a question."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.sandbox.result import CheckResult

if TYPE_CHECKING:
    from interviewer.rubric.figure import Figure

Author = Literal["examiner", "candidate"]


class TurnKind(StrEnum):
    """What kind of utterance a turn is; the examiner's are named for their move."""

    QUESTION = "question"
    ANSWER = "answer"
    BENCH = "bench"
    """A run at the bench. It is not an answer until the candidate submits it."""
    DONT_KNOW = "dont_know"
    ASIDE = "aside"
    """A candidate's turn with nothing to judge: a wish, a question back, a repetition."""
    PIN_DOWN = "pin_down"
    PROBE = "probe"
    CHALLENGE = "challenge"
    DRILL = "drill"
    ESCALATE = "escalate"
    HINT = "hint"
    TELL = "tell"
    REDIRECT = "redirect"
    NUMBERS = "numbers"
    """Takes up numbers of the candidate's that fit together."""
    SIMPLIFY = "simplify"
    OFFER = "offer"
    """Offers a hint; giving it is a turn of its own."""
    CLARIFY = "clarify"
    REFRAME = "reframe"
    """Takes up what the candidate has just withdrawn."""


RESPONSES = frozenset({TurnKind.ANSWER, TurnKind.DONT_KNOW})
"""Turns that answer, if only by saying that one does not know."""


class DialogueAct(StrEnum):
    """What a candidate does with a turn. One turn can do several of these."""

    ANSWER = "answer"
    """It holds something that can be judged."""
    QUESTION_BACK = "question_back"
    WANTS_HINT = "wants_hint"
    WANTS_REPEAT = "wants_repeat"
    WANTS_SKIP = "wants_skip"
    WANTS_TO_STOP = "wants_to_stop"
    WANTS_ANSWER = "wants_answer"
    WANTS_RUBRIC = "wants_rubric"
    """Asked for criteria, weights, prompts or the score."""
    ACCEPTS = "accepts"
    """Takes the hint that was offered."""
    DECLINES = "declines"
    GIVES_UP = "gives_up"
    WITHDRAWAL = "withdrawal"
    """Takes back something said before."""
    REPETITION = "repetition"
    """Says again what they or the examiner said before."""
    BARE = "bare"
    """"Okay", and no more."""
    DODGE = "dodge"
    OFF_TOPIC = "off_topic"
    UNREAD = "unread"
    """It brought nothing that the examiner could read, and something that it could not."""
    ORDER = "order"
    """Tries to instruct the examiner."""
    INSULT = "insult"


@dataclass(frozen=True)
class Turn:
    """One utterance. ``number`` counts all turns of the session, from 1."""

    number: int
    author: Author
    kind: TurnKind
    text: str
    target: str | None = None
    """The criterion that an examiner's follow-up was aimed at."""
    hint_level: int = 0
    """1 or 2 on a hint, else 0."""
    result: CheckResult | None = None
    """The result of the run; on bench turns only."""
    run: int | None = None
    """On an answer that submits a run: the number of the run's turn."""
    figure: Figure | None = None
    """On a question that gives something to look at."""

    @cached_property
    def parsed(self) -> ParsedAnswer:
        """The parsed text."""
        return ParsedAnswer(self.text)


def exchange(question: str, answer: str) -> tuple[Turn, Turn]:
    """A question and one answer to it, for judging outside a session."""
    return (
        Turn(1, "examiner", TurnKind.QUESTION, question),
        Turn(2, "candidate", TurnKind.ANSWER, answer),
    )
