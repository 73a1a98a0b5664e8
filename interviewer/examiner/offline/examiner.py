"""The offline examiner as an :class:`~interviewer.examiner.protocol.Examiner`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from interviewer.examiner.moves import Move
from interviewer.examiner.offline import ABOUT, NAME
from interviewer.examiner.offline import judge as verdicts
from interviewer.examiner.protocol import (
    AnswerToRead,
    Estimate,
    Heard,
    ModelCall,
    QuestionContext,
    Rejected,
    Retrying,
)
from interviewer.examiner.wording import utterance
from interviewer.grading.claims import rules
from interviewer.grading.claims.catalog import words
from interviewer.grading.claims.quantity import Reading
from interviewer.grading.verdicts import Finding, Judgement


class OfflineExaminer:
    """Judges with authored patterns and asks authored probes. Deterministic."""

    name = NAME
    version = NAME
    about = ABOUT

    async def judge(self, context: QuestionContext) -> Judgement:
        """Never fails: what patterns cannot recognise counts as not met, or as vague.

        It can be cancelled between any two of its steps.
        """
        steps = verdicts.in_steps(context.rubric, context.turns)
        while True:
            try:
                next(steps)
            except StopIteration as done:
                judgement: Judgement = done.value
                return judgement
            await asyncio.sleep(0)

    async def estimate(self, context: QuestionContext) -> Estimate:
        """Nothing: no model is called."""
        return Estimate()

    async def settle(self, context: QuestionContext, doubts: Sequence[Finding]) -> Judgement:
        """Nothing: a second look at patterns would find the same."""
        return Judgement((), NAME)

    async def listen(self, context: QuestionContext) -> Heard:
        """The figures; what the turn does is told by rules, which are applied to every turn."""
        return Heard(frozenset(), reading=await self.read_figures(context.to_read))

    async def read_figures(self, answer: AnswerToRead) -> Reading:
        """By rules, what is explicit."""
        return rules.read(
            answer.turn.parsed,
            answer.turn.number,
            own_work=answer.on_own_work or bool(words()["asks_own"].search(answer.asked.lower())),
            to_objection=answer.to_objection,
            known=answer.figures,
            since=answer.since,
            asked=answer.asked,
        )

    async def ask(
        self, context: QuestionContext, move: Move, rejected: Sequence[Rejected] = ()
    ) -> str:
        """The template of the move."""
        return utterance(context, move)

    async def giveaways(self, context: QuestionContext, texts: Sequence[str]) -> tuple[str, ...]:
        """All of each: what patterns leave in doubt they cannot clear. It says authored words."""
        return tuple(texts)

    def drain_calls(self) -> tuple[ModelCall, ...]:
        """Always empty: no model is called."""
        return ()

    def on_retry(self, listener: Callable[[Retrying], None]) -> None:
        """Do nothing: no call is made, so none is retried."""

    async def aclose(self) -> None:
        """Nothing to release."""
