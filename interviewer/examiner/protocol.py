"""What the interview needs from an examiner, and what an examiner gets to see."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol

from interviewer.grading.transcript import Turn
from interviewer.grading.verdicts import CriterionVerdict, Judgement
from interviewer.rubric.rubric import Rubric

LEAST_WORDS, MOST_WORDS = 8, 40
"""How long a follow-up may be."""


class MoveKind(StrEnum):
    """What the examiner does next."""

    OPEN = "open"
    """The question on the candidate's own project, put in the examiner's words."""
    CHALLENGE = "challenge"
    PIN_DOWN = "pin_down"
    PROBE = "probe"
    HINT = "hint"
    DRILL = "drill"
    """What the candidate did themselves: put to a smooth answer where the round drills."""
    ESCALATE = "escalate"
    TELL = "tell"
    REDIRECT = "redirect"
    """Back to the question, after words that were not an answer to it."""
    CLOSE = "close"


class Remark(StrEnum):
    """What a turn of the candidate's was, where it was no answer."""

    WANTS_ANSWER = "wants_answer"
    WANTS_RUBRIC = "wants_rubric"
    """Asked for criteria, weights, prompts or the score."""
    INSULT = "insult"
    OFF_TOPIC = "off_topic"


class CloseReason(StrEnum):
    """Why a question is over. None but COVERED says that the answer was sufficient."""

    COVERED = "covered"
    FOLLOW_UPS_USED = "follow_ups_used"
    NO_PROGRESS = "no_progress"
    SKIPPED = "skipped"
    TIME_UP = "time_up"
    ROUND_ENDED = "round_ended"
    INTERVIEW_ENDED = "interview_ended"


@dataclass(frozen=True)
class Move:
    """A decision of the policy.

    ``target`` is a criterion id; None for escalate, redirect and close, and for a challenge by
    arithmetic. That one carries in ``sum`` the sentence that states it, one by a run at the bench
    in ``bench`` what the run found.
    """

    kind: MoveKind
    target: str | None = None
    hint_level: int = 0
    sum: str = ""
    remark: Remark | None = None
    """Set on redirect only."""
    why: CloseReason | None = None
    """Set on close only."""
    bench: str = ""

    @property
    def authored(self) -> bool:
        """Its words are written or computed beforehand: no model words it, no check is needed."""
        return bool(self.sum or self.bench) or self.kind in (
            MoveKind.HINT,
            MoveKind.TELL,
            MoveKind.REDIRECT,
        )


Patience = Literal["short", "even", "long"]


@dataclass(frozen=True)
class Persona:
    """Who sits opposite in a round. Nothing of it changes rules.

    ``cares_about`` names what this person listens for, "" where nothing in particular.
    """

    name: str
    manner: str
    patience: Patience = "even"
    cares_about: str = ""


NEUTRAL = Persona("Examiner", "neutral and brief")
"""Who asks where there is no round."""


@dataclass(frozen=True)
class QuestionContext:
    """One question as it stands: all an examiner may know when it judges or asks.

    ``turns`` are this question's turns only, oldest first, the question itself included.
    ``verdicts`` are the standing verdicts, empty before the first judgement.
    """

    rubric: Rubric
    turns: tuple[Turn, ...]
    verdicts: tuple[CriterionVerdict, ...]
    persona: Persona
    exam: bool


@dataclass(frozen=True)
class ModelCall:
    """One request to an endpoint, for the log. Token counts are None where the server sent none."""

    stage: Literal["judge", "ask", "check", "draft"]
    prompt_version: str
    model: str
    outcome: str
    """"ok", or a short word for what went wrong ("timeout", "unparsable", "http 429" …)."""
    milliseconds: int
    first_token_milliseconds: int | None = None
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    detail: str = ""


@dataclass(frozen=True)
class Retrying:
    """A call failed and is made again after ``seconds``; ``attempt`` counts from 1."""

    attempt: int
    of: int
    seconds: float
    reason: str
    """One sentence."""


class Examiner(Protocol):
    """Asks and judges. Holds no state of the interview; never returns a score."""

    @property
    def name(self) -> str:
        """Identity for the record: "offline-v2", or the model's id."""

    @property
    def version(self) -> str:
        """What decides its verdicts besides the name: the version of prompts or of the rules."""

    @property
    def about(self) -> str:
        """One sentence for the screen: what this examiner can and cannot judge."""

    async def judge(self, context: QuestionContext) -> Judgement:
        """Find, per criterion, the candidate's words that carry it, and a verdict.

        Raises ExaminerError where nothing usable came back.
        """

    def ask(self, context: QuestionContext, move: Move) -> AsyncGenerator[str]:
        """The words of the move, in pieces as they arrive; joined they are the utterance.

        Raises ExaminerError; pieces yielded before that are void.
        """

    def drain_calls(self) -> tuple[ModelCall, ...]:
        """The model calls made since the last drain, oldest first; empty for offline."""

    def on_retry(self, listener: Callable[[Retrying], None]) -> None:
        """Have the listener, in place of an earlier one, told before a failed call is repeated."""

    async def aclose(self) -> None:
        """Release connections."""
