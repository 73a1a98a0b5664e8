"""The LLM examiner: as a rule one call to judge, beside it one to listen; judgements are cached.

Where the words to be said next are suspicious, one more call asks whether they give a point away.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from pydantic import TypeAdapter, ValidationError

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
from interviewer.examiner.llm.messages import (
    SHARE,
    load_prompt,
    on_one_line,
    run_facts,
)
from interviewer.examiner.protocol import (
    WORDED,
    AnswerToRead,
    Heard,
    JudgementCache,
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
_JUDGEMENT = TypeAdapter(Judgement)
_JUDGING = ("judge", "judge_bench", "remark", "repair", "second_look")
GIVEAWAYS_SECONDS = 20.0
"""Candidates wait for it: after that the words in doubt are not said."""


class LlmExaminer:
    """Judges and asks through an OpenAI-compatible endpoint.

    ``cache`` saves the calls for what was judged before. ``canaries`` is the share of questions,
    0..1, in which a criterion of another question is planted. ``pace`` is shared with the other
    examiners of a pool.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        cache: JudgementCache | None = None,
        canaries: float = SHARE,
        pace: Pace | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._cache = cache
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
        """Usually one call, or one for each batch at the same time.

        Rules never stand in. Raises ExaminerError if a call fails or no reply can be used,
        StoreError if the cache does.
        """
        if is_empty_answer(context.turns):
            nothing = tuple(Verdict(c.id, Rating.NOT_MET) for c in context.rubric.criteria)
            return Judgement(nothing, self.name, frozenset({Flag.TOO_SHORT}))
        if kept := await self._kept(context):
            return kept
        judgement = await judge_question(self._client, context, canaries=self._canaries)
        ungraded = [finding for finding in judgement.findings if finding.ungraded]
        if len(ungraded) == len(judgement.findings) and Flag.CANARY not in judgement.flags:
            raise ExaminerError(ungraded[0].reason, retryable=True)
        if not ungraded:
            await self._keep(context, judgement)
        return judgement

    async def settle(self, context: QuestionContext, doubts: Sequence[Verdict]) -> Judgement:
        """As a rule one call, about these criteria alone. Raises StoreError if the cache does."""
        if not doubts:
            return Judgement((), self.name)
        if kept := await self._kept(context, doubts):
            return kept
        settled, is_complete = await settle_doubts(self._client, context, doubts)
        judgement = Judgement(settled, self.name)
        if is_complete:
            await self._keep(context, judgement, doubts)
        return judgement

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
        """The move in the model's words; authored moves are worded without it.

        Raises ExaminerError.
        """
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

    async def _kept(
        self, context: QuestionContext, doubts: Sequence[Verdict] = ()
    ) -> Judgement | None:
        """None also where this version does not know the shape of what was kept."""
        if self._cache is None:
            return None
        body = await asyncio.to_thread(self._cache.get, self._cache_key(context, doubts))
        try:
            return _JUDGEMENT.validate_python(body)
        except ValidationError:
            return None

    async def _keep(
        self, context: QuestionContext, judgement: Judgement, doubts: Sequence[Verdict] = ()
    ) -> None:
        if self._cache is not None and not self._client.capabilities.cuts_prompts:
            key, body = (
                self._cache_key(context, doubts),
                _JUDGEMENT.dump_python(judgement, mode="json"),
            )
            await asyncio.to_thread(self._cache.put, key, body)

    def _cache_key(self, context: QuestionContext, doubts: Sequence[Verdict]) -> str:
        judge = {
            "model": self._endpoint.model,
            "address": self._endpoint.address,
            "extra_body": dict(self._endpoint.extra_body),
            "prompts": [load_prompt(name).version for name in _JUDGING],
            "doubts": _JUDGEMENT.dump_python(Judgement(tuple(doubts), ""), mode="json"),
        }
        return cache_key(context, judge)


def is_empty_answer(turns: Iterable[Turn]) -> bool:
    """All answers together hold neither three content words nor a number with its unit."""
    answers = [turn.parsed for turn in candidate_turns(turns)]
    if sum(len(answer.stems) for answer in answers) >= MIN_CONTENT_WORDS:
        return False
    if any(quantity.tail for answer in answers for quantity in answer.quantities):
        return False
    return sum(len(_OTHER_LETTER.findall(answer.text)) for answer in answers) < MIN_OTHER_LETTERS


def cache_key(context: QuestionContext, judge: Mapping[str, object]) -> str:
    """A digest of all that decides a judgement: rubric, what was said, and who judges how.

    What the judge does not see is left out: persona, mode, the turns' numbers in the session, and
    the standing verdicts, which follow from the turns.
    """
    turns = [
        [t.author, t.kind, t.text, t.target, t.hint_level, run_facts(t, context.turns)]
        for t in context.turns
    ]
    decides: list[object] = [context.rubric.model_dump(mode="json"), turns, context.remark, judge]
    if context.elsewhere:
        decides += [load_prompt("elsewhere").version, [turn.text for turn in context.elsewhere]]
    return hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()
