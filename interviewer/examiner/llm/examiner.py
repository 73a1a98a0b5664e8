"""The LLM examiner: as a rule one call to judge, beside it one to listen."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from interviewer.errors import ExaminerError
from interviewer.examiner.llm import ABOUT
from interviewer.examiner.llm.client import ChatClient, Pace, ask_for
from interviewer.examiner.llm.conversation import (
    ask_request,
    figures_request,
    listen_request,
    read_figures_reply,
    read_heard,
    unread,
)
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.judge import (
    giveaways_request,
    judge_question,
    read_giveaways,
    settle_doubts,
)
from interviewer.examiner.llm.messages import SHARE, load_prompt, on_one_line
from interviewer.examiner.protocol import (
    WORDED,
    AnswerToRead,
    Heard,
    ModelCall,
    Move,
    MoveKind,
    QuestionContext,
    Rejected,
    Retrying,
)
from interviewer.examiner.wording import utterance
from interviewer.grading.claims.quantity import Reading
from interviewer.grading.claims.reported import has_number
from interviewer.grading.evidence import candidate_turns
from interviewer.grading.transcript import Turn
from interviewer.grading.verdicts import Flag, Judgement, Verdict
from interviewer.rubric.rubric import Rating
from interviewer.rubric.text import MIN_CONTENT_WORDS

MIN_OTHER_LETTERS = 6
"""With this many letters beyond ASCII a text counts as written in another script."""
_UNCLEARED = "The model did not say whether the follow-up gives a point away."
_UNHEARD = "The reply of {name} could not be used, so what is asked next is up to the rubric."
_OTHER_LETTER = re.compile(r"[^\W\d_\x00-\x7f]")
GIVEAWAYS_SECONDS = 20.0
"""Candidates wait for it: after that the words in doubt are not said."""


class LlmExaminer:
    """Judges and asks through an OpenAI-compatible endpoint.

    ``canaries`` is the share of questions, 0..1, in which a foreign criterion is planted.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        canaries: float = SHARE,
        pace: Pace | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._canaries = canaries
        self._client = ChatClient(endpoint, pace=pace)

    @property
    def name(self) -> str:
        """The model's id, as configured."""
        return self._endpoint.model

    @property
    def version(self) -> str:
        """The version of the judge's prompt."""
        return load_prompt("judge").version

    @property
    def about(self) -> str:
        """What it can and cannot judge."""
        return ABOUT.format(name=f"{self._endpoint.model} at {self._endpoint.address}")

    async def judge(self, context: QuestionContext) -> Judgement:
        """A call for each batch, at the same time. Raises ExaminerError if no reply is usable."""
        if is_empty_answer(context.turns):
            nothing = tuple(Verdict(c.id, Rating.NOT_MET) for c in context.rubric.criteria)
            return Judgement(nothing, self.name, frozenset({Flag.TOO_SHORT}))
        judgement = await judge_question(self._client, context, canaries=self._canaries)
        ungraded = [finding for finding in judgement.findings if finding.ungraded]
        if len(ungraded) == len(judgement.findings) and Flag.CANARY not in judgement.flags:
            raise ExaminerError(ungraded[0].reason, retryable=True)
        return judgement

    async def settle(self, context: QuestionContext, doubts: Sequence[Verdict]) -> Judgement:
        """As a rule one call, about these criteria alone."""
        settled = await settle_doubts(self._client, context, doubts) if doubts else ()
        return Judgement(settled, self.name)

    async def listen(self, context: QuestionContext) -> Heard:
        """One call; of a reply that cannot be used it says so. Raises ExaminerError."""
        read = partial(read_heard, rubric=context.rubric, turn=context.turns[-1])
        found, _ = await ask_for(self._client, listen_request(context), read)
        if found.value.acts or found.value.proposals:
            return found.value
        return replace(found.value, unusable=_UNHEARD.format(name=self.name))

    async def read_figures(self, answer: AnswerToRead) -> Reading:
        """One call, where a numeral stands in the turn. Raises ExaminerError."""
        if not has_number(answer.turn.text):
            return unread(answer.turn)
        read = partial(read_figures_reply, answer=answer.turn)
        found, _ = await ask_for(self._client, figures_request(answer), read)
        return found.value

    async def ask(
        self, context: QuestionContext, move: Move, rejected: Sequence[Rejected] = ()
    ) -> str:
        """The move in the model's words; authored moves need none. Raises ExaminerError."""
        if move.kind is not MoveKind.OPEN and move.kind not in WORDED:
            return utterance(context, move)
        return on_one_line(await self._client.speak(ask_request(context, move, rejected)))

    async def giveaways(self, context: QuestionContext, texts: Sequence[str]) -> tuple[str, ...]:
        """One call about all of the texts. Raises ExaminerError, also if it takes too long."""
        read = partial(read_giveaways, texts=texts)
        try:
            async with asyncio.timeout(GIVEAWAYS_SECONDS):
                found, _ = await ask_for(self._client, giveaways_request(context, texts), read)
        except TimeoutError:
            raise ExaminerError(_UNCLEARED, retryable=True) from None
        if found.problems:
            raise ExaminerError(_UNCLEARED, retryable=True)
        return found.value

    def drain_calls(self) -> tuple[ModelCall, ...]:
        """The requests made since the last drain, oldest first."""
        return self._client.log.drain()

    def on_retry(self, listener: Callable[[Retrying], None]) -> None:
        """Call the listener before each retry."""
        self._client.on_retry = listener

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()


def is_empty_answer(turns: Iterable[Turn]) -> bool:
    """All answers together hold neither three content words nor a number with its unit."""
    answers = [turn.parsed for turn in candidate_turns(turns)]
    if sum(len(answer.stems) for answer in answers) >= MIN_CONTENT_WORDS:
        return False
    if any(quantity.tail for answer in answers for quantity in answer.quantities):
        return False
    return sum(len(_OTHER_LETTER.findall(answer.text)) for answer in answers) < MIN_OTHER_LETTERS
