"""Leaving while the examiner is at work: the last answer is graded first, but nobody is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from support.examiners import ScriptedExaminer
from support.rubrics import a_rubric
from support.sessions import begin, outline

from interviewer.examiner.protocol import QuestionContext
from interviewer.grading.verdicts import Judgement, Verdict
from interviewer.interview import commands, events
from interviewer.rubric.rubric import Rating
from interviewer.store.store import Store

ONE, TWO, THREE = (a_rubric(id=f"letters-{n}") for n in range(3))
ANSWER = "The alpha effect decides the letters"
HELD = 60.0


class SlowSecondLook(ScriptedExaminer):
    """In doubt about every answer, and it never comes back from looking again."""

    async def judge(self, context: QuestionContext) -> Judgement:
        doubt = Verdict("alpha", Rating.MET, "alpha effect decides", alternative=Rating.NOT_MET)
        return Judgement((doubt,), self.name, doubts=(doubt,))

    async def settle(self, context: QuestionContext, doubts: Sequence[Verdict]) -> Judgement:
        await asyncio.sleep(HELD)
        raise AssertionError("nobody waits so long")


@pytest.mark.parametrize(
    ("leave", "next_asked"),
    [
        (commands.Skip(), TWO.id),
        (commands.EndRound(), THREE.id),
        (commands.EndInterview(), ""),
    ],
)
async def test_no_second_look_holds_anybody_up(
    store: Store, leave: commands.Command, next_asked: str
) -> None:
    """And the next question is not skipped unseen."""
    rubrics = {each.id: each for each in (ONE, TWO, THREE)}
    interview = begin(store, [outline(ONE, TWO), outline(THREE)], rubrics, SlowSecondLook())
    replies: list[commands.Command] = [commands.Answer(ANSWER), commands.Skip()]
    seen: list[events.Event] = []
    async with asyncio.timeout(HELD / 2):
        async for event in interview:
            seen.append(event)
            match event:
                case events.YourTurn() if replies:
                    interview.send(replies.pop(0))
                case events.YourTurn():
                    break
                case events.Thinking() if isinstance(seen[-2], events.QuestionClosed):
                    interview.send(leave)
    asked = [event.rubric for event in seen if isinstance(event, events.QuestionAsked)]
    assert asked == [ONE.id, *filter(None, [next_asked])]
    assert sum(isinstance(event, events.QuestionClosed) for event in seen) == 1
    grade = interview.state.questions[0].grade
    assert grade is not None
    assert [v.verdict for v in grade.verdicts if v.criterion == "alpha"] == [Rating.MET]
