"""An examiner that does what the test says, through the same door as the real ones."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from interviewer.errors import ExaminerError
from interviewer.examiner.offline.judge import judge
from interviewer.examiner.protocol import (
    AnswerToRead,
    Heard,
    ModelCall,
    Move,
    QuestionContext,
    Rejected,
    Retrying,
)
from interviewer.examiner.wording import utterance
from interviewer.grading.claims import rules
from interviewer.grading.claims.quantity import Reading
from interviewer.grading.verdicts import Judgement, Verdict


@dataclass
class ScriptedExaminer:
    """Judges like the offline examiner unless told otherwise.

    ``fail_judge``, ``fail_ask`` and ``fail_figures`` are errors, used up front to back; the last
    are raised where figures alone are read, and part of what was heard where it listens.
    ``hold`` makes every call wait until it is set. ``hears`` is what it makes of a turn, ``words``
    what it says when it is asked for the words of a move, ``settles`` its second look, ``finds``
    the words of an utterance that give a point away (none if it is not set), ``reads`` the figures
    of a turn (by rules if it is not set). ``retries`` are told to the listener, all of them before
    the next judgement.
    """

    name: str = "scripted"
    version: str = "test-1"
    about: str = "Does what the test says."
    fail_judge: list[ExaminerError] = field(default_factory=list)
    fail_ask: list[ExaminerError] = field(default_factory=list)
    hears: Callable[[QuestionContext], Heard] | None = None
    words: Callable[[QuestionContext, Move], str] | None = None
    judgement: Callable[[QuestionContext], Judgement] | None = None
    settles: Callable[[QuestionContext, Sequence[Verdict]], Judgement] | None = None
    hold: asyncio.Event | None = None
    retries: list[Retrying] = field(default_factory=list)
    listener: Callable[[Retrying], None] | None = None
    judged: list[QuestionContext] = field(default_factory=list)
    listened: list[QuestionContext] = field(default_factory=list)
    asked: list[tuple[QuestionContext, Move]] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    reads: Callable[[AnswerToRead], Reading] | None = None
    fail_figures: list[ExaminerError] = field(default_factory=list)
    read: list[AnswerToRead] = field(default_factory=list)
    finds: Callable[[str], str] | None = None
    fail_giveaways: list[ExaminerError] = field(default_factory=list)
    doubted: list[tuple[str, ...]] = field(default_factory=list)
    cancelled: int = 0

    async def judge(self, context: QuestionContext) -> Judgement:
        self.judged.append(context)
        while self.retries and self.listener:
            self.listener(self.retries.pop(0))
        await self._wait()
        if self.fail_judge:
            raise self.fail_judge.pop(0)
        if self.judgement:
            return self.judgement(context)
        return replace(judge(context.rubric, context.turns), examiner=self.name)

    async def settle(self, context: QuestionContext, doubts: Sequence[Verdict]) -> Judgement:
        await self._wait()
        return self.settles(context, doubts) if self.settles else Judgement((), self.name)

    async def listen(self, context: QuestionContext) -> Heard:
        self.listened.append(context)
        await self._wait()
        if self.fail_ask:
            raise self.fail_ask.pop(0)
        heard = self.hears(context) if self.hears else Heard(frozenset())
        if heard.reading is not None:
            return heard
        if self.fail_figures:
            why = str(self.fail_figures.pop(0))
            unread = Reading(context.turns[-1].number, by="model", failed=why)
            return replace(heard, reading=unread)
        return replace(heard, reading=self._reading(context.to_read))

    async def read_figures(self, answer: AnswerToRead) -> Reading:
        self.read.append(answer)
        await self._wait()
        if self.fail_figures:
            raise self.fail_figures.pop(0)
        return self._reading(answer)

    def _reading(self, answer: AnswerToRead) -> Reading:
        if self.reads:
            return self.reads(answer)
        return rules.read(
            answer.turn.parsed,
            answer.turn.number,
            own_work=answer.on_own_work,
            to_objection=answer.to_objection,
        )

    async def ask(
        self, context: QuestionContext, move: Move, rejected: Sequence[Rejected] = ()
    ) -> str:
        self.asked.append((context, move))
        self.rejected += rejected
        await self._wait()
        if self.fail_ask:
            raise self.fail_ask.pop(0)
        return self.words(context, move) if self.words else utterance(context, move)

    async def giveaways(self, context: QuestionContext, texts: Sequence[str]) -> tuple[str, ...]:
        self.doubted.append(tuple(texts))
        await self._wait()
        if self.fail_giveaways:
            raise self.fail_giveaways.pop(0)
        return tuple(self.finds(text) if self.finds else "" for text in texts)

    def drain_calls(self) -> tuple[ModelCall, ...]:
        return (ModelCall("judge", "test-1", "scripted", "ok", 1),)

    def on_retry(self, listener: Callable[[Retrying], None]) -> None:
        self.listener = listener

    async def aclose(self) -> None:
        return

    async def _wait(self) -> None:
        if self.hold:
            try:
                await self.hold.wait()
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
