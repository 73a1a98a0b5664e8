"""The examiner that asks a model: one call to judge, one to ask."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from interviewer.examiner.llm import prompts
from interviewer.examiner.llm.client import ChatClient
from interviewer.examiner.llm.endpoint import Endpoint, Retrying
from interviewer.examiner.llm.gate import says_too_little
from interviewer.examiner.llm.ladder import Ladder
from interviewer.examiner.llm.messages import ask_messages
from interviewer.examiner.llm.request import ChatRequest
from interviewer.examiner.protocol import Case, Examiner, ModelCall, Move, MoveKind
from interviewer.grading.verdicts import Finding, Flag, Judgement
from interviewer.rubric.rubric import Criterion, Verdict

ASK_TEMPERATURE = 0.4
ASK_CAP = 1536
"""Tokens of a follow-up. The words need a twentieth of it; the rest is for reasoning."""
SPOKEN_CHARACTERS = 600
"""No follow-up is longer, whatever cap the server ignores."""


class LlmExaminer:
    """Judges and asks through an OpenAI-compatible endpoint.

    ``fallback`` judges the criteria on which no usable reply is to be had; without it they stay
    ungraded. ``on_retry`` is told before a failed call is made again.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        fallback: Examiner | None = None,
        on_retry: Callable[[Retrying], None] | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._fallback = fallback
        self._client = ChatClient(endpoint, on_retry=on_retry)

    @property
    def name(self) -> str:
        """The model's id, as configured."""
        return self._endpoint.model

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
        """One call as a rule; more only to mend a reply that cannot be used.

        Raises ExaminerError where a call fails.
        """
        if says_too_little(case.turns):
            nothing = tuple(Finding(c.id, "", Verdict.NOT_MET) for c in case.rubric.criteria)
            return Judgement(nothing, self.name, frozenset({Flag.TOO_SHORT}))
        ladder = Ladder(self._client, case)
        await ladder.climb()
        judgement = Judgement(
            ladder.findings,
            self.name,
            frozenset({Flag.PARSE_REPAIRED} if ladder.repaired else ()),
            tuple((criterion.id, ladder.why) for criterion in ladder.lacking),
        )
        if not ladder.lacking or self._fallback is None:
            return judgement
        return _completed(judgement, await self._fallback.judge(case), case.rubric.criteria)

    async def ask(self, case: Case, move: Move) -> AsyncGenerator[str]:
        """The follow-up as the model words it; hints and tellings are the rubric's own words.

        ``move`` must not be a close. Raises ExaminerError.
        """
        if words := _authored(case, move):
            yield words
            return
        request = ChatRequest(
            "ask",
            prompts.load("ask").version,
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

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()


def _authored(case: Case, move: Move) -> str:
    """The rubric's own words where the move is made of them, else ""."""
    if move.target is None or move.kind not in (MoveKind.HINT, MoveKind.TELL):
        return ""
    criterion = case.rubric.criterion(move.target)
    if move.kind is MoveKind.TELL:
        return f"For the record: {criterion.claim}"
    return f"Hint: {criterion.hints[move.hint_level - 1]}"


def _completed(
    judgement: Judgement, fallback: Judgement, criteria: tuple[Criterion, ...]
) -> Judgement:
    """The judgement with the fallback's findings on what the model left open."""
    lacking = dict(judgement.ungraded)
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
