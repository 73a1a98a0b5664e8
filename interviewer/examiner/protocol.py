"""What the interview needs from an examiner, and what an examiner gets to see."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from interviewer.examiner.moves import Spoken
from interviewer.grading.transcript import Turn
from interviewer.grading.verdicts import CriterionVerdict, Judgement
from interviewer.rubric.rubric import Rubric

LEAST_WORDS, MOST_WORDS = 5, 40
"""How long a follow-up may be."""


Patience = Literal["short", "even", "long"]


@dataclass(frozen=True)
class Persona:
    """The interviewer of a round. It sets the tone and changes no rule.

    ``cares_about`` names what this person listens for, "" for nothing in particular.
    """

    name: str
    manner: str
    patience: Patience = "even"
    cares_about: str = ""


NEUTRAL = Persona("Examiner", "neutral and brief")
"""Who asks outside a round."""


@dataclass(frozen=True)
class QuestionContext:
    """One question so far: all that an examiner may know when it judges or asks.

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
    """One request to an endpoint, for the log. Token counts are None if the server sent none."""

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
    """A call failed and is retried after ``seconds``; ``attempt`` counts from 1."""

    attempt: int
    of: int
    seconds: float
    reason: str
    """One sentence."""


class Examiner(Protocol):
    """Asks and judges. It holds no state of the interview and never returns a score."""

    @property
    def name(self) -> str:
        """Its name on record: "offline-v2", or the model's id."""

    @property
    def version(self) -> str:
        """What else decides its verdicts: the version of its prompts or rules."""

    @property
    def about(self) -> str:
        """What it can and cannot judge, in a sentence for the screen."""

    async def judge(self, context: QuestionContext) -> Judgement:
        """A verdict for each criterion, with the candidate's words that carry it.

        Raises ExaminerError if nothing usable came back.
        """

    def ask(self, context: QuestionContext, move: Spoken) -> AsyncGenerator[str]:
        """The words of the move, in pieces as they arrive; joined they are the utterance.

        Raises ExaminerError, which voids the pieces yielded before.
        """

    def drain_calls(self) -> tuple[ModelCall, ...]:
        """The model calls made since the last drain, oldest first; empty for offline."""

    def on_retry(self, listener: Callable[[Retrying], None]) -> None:
        """Call this listener, in place of any earlier one, before each retry."""

    async def aclose(self) -> None:
        """Release connections."""


class JudgementCache(Protocol):
    """JSON values by key. Both methods are called in a thread and may block or raise StoreError."""

    def get(self, key: str) -> dict[str, Any] | None:
        """The value under the key, if any."""

    def put(self, key: str, body: dict[str, Any]) -> None:
        """Store the value, in place of any earlier one."""
