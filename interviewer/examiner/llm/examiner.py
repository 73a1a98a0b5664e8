"""The LLM examiner: one call to judge as a rule, one to ask; judgements may be cached."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import aclosing
from typing import Any

from pydantic import TypeAdapter, ValidationError

from interviewer.errors import SettingsError
from interviewer.examiner.llm import ABOUT, prompts
from interviewer.examiner.llm.client import ChatClient, ChatRequest
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.judge import MOST_VOTES, judge_question
from interviewer.examiner.llm.messages import SHARE, ask_messages, has_runs, prompt_of, run_facts
from interviewer.examiner.moves import Authored, Spoken
from interviewer.examiner.protocol import (
    Examiner,
    JudgementCache,
    ModelCall,
    QuestionContext,
    Retrying,
)
from interviewer.examiner.wording import utterance
from interviewer.grading.evidence import candidate_turns
from interviewer.grading.lexical import MIN_CONTENT_WORDS
from interviewer.grading.transcript import Turn
from interviewer.grading.verdicts import Finding, Flag, Judgement
from interviewer.rubric.rubric import Criterion, Verdict

MIN_OTHER_LETTERS = 6
"""With this many letters beyond ASCII a text counts as written in another script."""
_OTHER_LETTER = re.compile(r"[^\W\d_\x00-\x7f]")
ASK_TEMPERATURE = 0.4
ASK_CAP = 1536
"""Tokens of a follow-up: a twentieth for its words, the rest for reasoning."""
SPOKEN_CHARACTERS = 600
"""No follow-up is longer, even if the server ignores the cap."""
VOTES = 3


class LlmExaminer:
    """Judges and asks through an OpenAI-compatible endpoint.

    ``fallback`` judges the criteria on which no reply was usable; without it they stay ungraded.
    ``cache`` saves the calls for what was judged before. ``votes`` is how many verdicts a criterion
    in doubt gets; 1 means no vote. ``canaries`` is the share of questions, 0..1, in which a
    criterion is planted that nobody can meet. Raises SettingsError if ``votes`` is out of range.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        fallback: Examiner | None = None,
        cache: JudgementCache | None = None,
        votes: int = VOTES,
        canaries: float = SHARE,
    ) -> None:
        if not 1 <= votes <= MOST_VOTES:
            raise SettingsError(f"{votes} votes are out of range: choose from 1 to {MOST_VOTES}.")
        self._endpoint = endpoint
        self._fallback = fallback
        self._cache = cache
        self._votes = votes
        self._canaries = canaries
        self._client = ChatClient(endpoint)

    @property
    def name(self) -> str:
        """The model's id, as configured."""
        return self._endpoint.model

    @property
    def version(self) -> str:
        """The version of the judge's prompt."""
        return prompts.load("judge").version

    @property
    def about(self) -> str:
        """What it can and cannot judge."""
        return ABOUT.format(name=f"{self._endpoint.model} at {self._endpoint.address}")

    async def judge(self, context: QuestionContext) -> Judgement:
        """Usually one call; more if a reply cannot be used or a verdict is in doubt.

        Raises ExaminerError if a call fails, StoreError if the cache does.
        """
        if is_empty_answer(context.turns):
            nothing = tuple(Finding(c.id, "", Verdict.NOT_MET) for c in context.rubric.criteria)
            return Judgement(nothing, self.name, frozenset({Flag.TOO_SHORT}))
        if kept := await self._kept(context):
            return kept
        judged = await judge_question(
            self._client, context, votes=self._votes, canaries=self._canaries
        )
        judgement = Judgement(
            judged.findings, self.name, judged.flags, (*judged.lacking, *judged.undecided)
        )
        if judged.lacking and self._fallback:
            lacking = {criterion for criterion, _ in judged.lacking}
            theirs = await self._fallback.judge(context)
            return _completed(judgement, theirs, lacking, context.rubric.criteria)
        if judged.complete and not self._client.capabilities.cuts_prompts:
            await self._keep(context, judgement)
        return judgement

    async def ask(self, context: QuestionContext, move: Spoken) -> AsyncGenerator[str]:
        """The follow-up in the model's words; authored moves are worded without it.

        Raises ExaminerError.
        """
        if isinstance(move, Authored):
            yield utterance(context, move)
            return
        request = ChatRequest(
            "ask",
            prompts.load(prompt_of(move)).version,
            ask_messages(context, move),
            cap=ASK_CAP,
            temperature=ASK_TEMPERATURE,
            longest=SPOKEN_CHARACTERS,
        )
        async with aclosing(self._client.stream(request)) as pieces:
            async for piece in pieces:
                yield piece

    def drain_calls(self) -> tuple[ModelCall, ...]:
        """The requests made since the last drain, oldest first."""
        return self._client.log.drain()

    def on_retry(self, listener: Callable[[Retrying], None]) -> None:
        """Call the listener before each retry."""
        self._client.on_retry = listener

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _kept(self, context: QuestionContext) -> Judgement | None:
        if self._cache is None:
            return None
        body = await asyncio.to_thread(self._cache.get, self._cache_key(context))
        return from_plain(body) if body else None

    async def _keep(self, context: QuestionContext, judgement: Judgement) -> None:
        if self._cache is not None:
            await asyncio.to_thread(self._cache.put, self._cache_key(context), as_plain(judgement))

    def _cache_key(self, context: QuestionContext) -> str:
        judge = {
            "model": self._endpoint.model,
            "address": self._endpoint.address,
            "extra_body": dict(self._endpoint.extra_body),
            "prompts": [prompts.load(name).version for name in ("judge", "repair", "requote")],
            "looks": self._votes,
        }
        return cache_key(context, judge)


def _completed(
    judgement: Judgement, fallback: Judgement, lacking: set[str], criteria: tuple[Criterion, ...]
) -> Judgement:
    """The judgement with the fallback's findings where no reply was usable."""
    theirs = {f.criterion: f for f in fallback.findings if f.criterion in lacking}
    if not theirs:
        return judgement
    found = {f.criterion: f for f in judgement.findings} | theirs
    return Judgement(
        tuple(found[c.id] for c in criteria if c.id in found),
        judgement.examiner,
        judgement.flags | fallback.flags | {Flag.FALLBACK},
        tuple((criterion, why) for criterion, why in judgement.ungraded if criterion not in theirs),
    )


def is_empty_answer(turns: Iterable[Turn]) -> bool:
    """All answers together hold neither three content words nor a number with its unit."""
    answers = [turn.parsed for turn in candidate_turns(turns)]
    if sum(len(answer.stems) for answer in answers) >= MIN_CONTENT_WORDS:
        return False
    if any(quantity.tail for answer in answers for quantity in answer.quantities):
        return False
    return sum(len(_OTHER_LETTER.findall(answer.text)) for answer in answers) < MIN_OTHER_LETTERS


_JUDGEMENT = TypeAdapter(Judgement)


def cache_key(context: QuestionContext, judge: Mapping[str, object]) -> str:
    """A digest of all that decides a judgement: rubric, what was said, and who judges how.

    What the judge does not see is left out: persona, mode, the turns' numbers in the session, and
    the standing verdicts, which follow from the turns.
    """
    decides: dict[str, object] = {
        "rubric": context.rubric.model_dump(mode="json"),
        "turns": [[t.author, t.kind, t.text, t.target, t.hint_level] for t in context.turns],
        "judge": judge,
    }
    if has_runs(context):
        decides["runs"] = [run_facts(turn, context.turns) for turn in context.turns]
        decides["about_runs"] = prompts.load("judge_bench").version
    return hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()


def as_plain(judgement: Judgement) -> dict[str, Any]:
    """The judgement as JSON data."""
    plain: dict[str, Any] = _JUDGEMENT.dump_python(judgement, mode="json")
    return plain


def from_plain(body: Mapping[str, Any]) -> Judgement | None:
    """The judgement again; None if this version does not know the shape of the data."""
    try:
        return _JUDGEMENT.validate_python(body)
    except ValidationError:
        return None
