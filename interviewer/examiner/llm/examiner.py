"""The examiner that asks a model: one call to judge as a rule, one to ask."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from interviewer.errors import SettingsError
from interviewer.examiner.llm import judging, prompts
from interviewer.examiner.llm.ask_messages import ask_messages, prompt_of
from interviewer.examiner.llm.cache import JudgementCache, as_plain, cache_key, from_plain
from interviewer.examiner.llm.canary import SHARE
from interviewer.examiner.llm.client import ChatClient
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.gate import says_too_little
from interviewer.examiner.llm.request import ChatRequest
from interviewer.examiner.llm.votes import MOST_LOOKS
from interviewer.examiner.offline.speech import utterance
from interviewer.examiner.protocol import Case, Examiner, ModelCall, Move, Retrying
from interviewer.grading.verdicts import Finding, Flag, Judgement
from interviewer.rubric.rubric import Criterion, Verdict

ASK_TEMPERATURE = 0.4
ASK_CAP = 1536
"""Tokens of a follow-up. The words need a twentieth of it; the rest is for reasoning."""
SPOKEN_CHARACTERS = 600
"""No follow-up is longer, whatever cap the server ignores."""
LOOKS = 3


class LlmExaminer:
    """Judges and asks through an OpenAI-compatible endpoint.

    ``fallback`` judges the criteria on which no usable reply is to be had; without it they stay
    ungraded. ``cache`` spares the calls for what was judged before. ``looks`` is how many looks a
    criterion in doubt gets, 1 for no votes. ``canaries`` is the share of questions, 0..1, in which
    a criterion is planted that nobody can meet. ``on_retry`` is told before a failed call is made
    again. Raises SettingsError where ``looks`` is out of range.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        fallback: Examiner | None = None,
        cache: JudgementCache | None = None,
        looks: int = LOOKS,
        canaries: float = SHARE,
        on_retry: Callable[[Retrying], None] | None = None,
    ) -> None:
        if not 1 <= looks <= MOST_LOOKS:
            raise SettingsError(f"{looks} looks were asked for: choose from 1 to {MOST_LOOKS}.")
        self._endpoint = endpoint
        self._fallback = fallback
        self._cache = cache
        self._looks = looks
        self._canaries = canaries
        self._client = ChatClient(endpoint, on_retry=on_retry)

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
        return (
            f"{self._endpoint.model} at {self._endpoint.address}: judges meaning and reasoning, "
            "but may be wrong or lenient; a credit stands only on your own words, checked by code."
        )

    def warm_up(self) -> None:
        """Load what the first call needs; may run in a thread. Raises ExaminerError."""
        self._client.warm_up()

    def learned(self) -> tuple[str, ...]:
        """What the endpoint turned out not to support, a sentence each."""
        return self._client.capabilities.learned()

    async def judge(self, case: Case) -> Judgement:
        """One call as a rule; more where a reply cannot be used or a verdict is in doubt.

        Raises ExaminerError where a call fails, StoreError where the cache does.
        """
        if says_too_little(case.turns):
            nothing = tuple(Finding(c.id, "", Verdict.NOT_MET) for c in case.rubric.criteria)
            return Judgement(nothing, self.name, frozenset({Flag.TOO_SHORT}))
        if kept := await self._kept(case):
            return kept
        looked = await judging.judge(self._client, case, looks=self._looks, canaries=self._canaries)
        judgement = Judgement(
            looked.findings, self.name, looked.flags, (*looked.lacking, *looked.undecided)
        )
        if looked.lacking and self._fallback:
            lacking = {criterion for criterion, _ in looked.lacking}
            theirs = await self._fallback.judge(case)
            return _completed(judgement, theirs, lacking, case.rubric.criteria)
        if looked.complete and not self._client.capabilities.cuts_prompts:
            await self._keep(case, judgement)
        return judgement

    async def ask(self, case: Case, move: Move) -> AsyncGenerator[str]:
        """The follow-up as the model words it; what must be exact is worded without it.

        Hints, tellings, sums and the way back to the question are authored. ``move`` must not be a
        close. Raises ExaminerError.
        """
        if move.authored:
            yield utterance(case, move)
            return
        request = ChatRequest(
            "ask",
            prompts.load(prompt_of(move)).version,
            ask_messages(case, move),
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
        """Have the listener told before a failed call is made again."""
        self._client.on_retry = listener

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _kept(self, case: Case) -> Judgement | None:
        if self._cache is None:
            return None
        body = await asyncio.to_thread(self._cache.get, self._cache_key(case))
        return from_plain(body) if body else None

    async def _keep(self, case: Case, judgement: Judgement) -> None:
        if self._cache is not None:
            await asyncio.to_thread(self._cache.put, self._cache_key(case), as_plain(judgement))

    def _cache_key(self, case: Case) -> str:
        judge = {
            "model": self._endpoint.model,
            "address": self._endpoint.address,
            "extra_body": dict(self._endpoint.extra_body),
            "prompts": [prompts.load(name).version for name in ("judge", "repair", "requote")],
            "looks": self._looks,
        }
        return cache_key(case, judge)


def _completed(
    judgement: Judgement, fallback: Judgement, lacking: set[str], criteria: tuple[Criterion, ...]
) -> Judgement:
    """The judgement with the fallback's findings on what brought no usable reply."""
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
