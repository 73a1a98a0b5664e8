"""Every shipped plan, held from the first question to the debrief."""

from __future__ import annotations

import pytest
from support.benches import FakeBench

from interviewer import composition
from interviewer.composition import load_library, load_plans, new_interview
from interviewer.content.kinds import PLANS as PLAN_FILES
from interviewer.interview import commands, events
from interviewer.interview.debrief import debrief
from interviewer.interview.debrief.assessment import Level
from interviewer.interview.interview import Interview
from interviewer.interview.journal import Replay, load
from interviewer.interview.plans import Length
from interviewer.names import DEFAULT_PLAN
from interviewer.settings import load_settings
from interviewer.store.store import Store

PLANS = sorted(path.stem for path in PLAN_FILES.shipped.glob("*.yaml"))


@pytest.fixture(autouse=True)
def _no_worker_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composition, "open_bench", lambda _: FakeBench())


async def held(
    store: Store, plan_id: str, kind: str, length: Length = Length.STANDARD, answers: int = 1
) -> Replay:
    """The plan at this length; so many questions of each round are answered.

    By a sample of this kind; after one follow-up, and on other questions, the candidate skips.
    """
    settings = load_settings()
    interview = new_interview(
        settings,
        store,
        load_library(settings),
        load_plans(settings).get(plan_id).model,
        length=length,
        examiner="offline",
        seed=5,
    )
    async for event in interview:
        if isinstance(event, events.YourTurn):
            interview.send(_reply(interview, kind, answers))
    return load(store, interview.session_id)


def _reply(interview: Interview, kind: str, answers: int) -> commands.Command:
    question = interview.state.question
    assert question is not None
    if question.number > answers or len(question.turns) > 1:
        return commands.Skip()
    samples = interview.rubrics[question.rubric].samples
    answers = (sample.answer for sample in samples if sample.kind == kind)
    return commands.Answer(next(answers, "We argued about it for a week, and then I ran it."))


@pytest.mark.parametrize(("length", "questions"), [(Length.QUICK, 4), (Length.STANDARD, 6)])
async def test_the_default_mock_has_three_rounds_and_a_recommendation(
    store: Store, length: Length, questions: int
) -> None:
    replay = await held(store, DEFAULT_PLAN, "full", length, answers=2)
    found = debrief(replay.state, replay.rubrics)
    assert (len(found.rounds), len(found.questions)) == (3, questions)
    assert found.recommendation.level is not Level.NOT_ENOUGH
    if length is Length.STANDARD:
        for part in replay.state.rounds:
            first, second = (replay.rubrics[question.rubric].kind for question in part.questions)
            assert first == "one-liner" != second


@pytest.mark.parametrize("plan_id", PLANS)
async def test_a_plan_is_held_to_its_debrief(store: Store, plan_id: str) -> None:
    replay = await held(store, plan_id, "middle")
    plan = load_plans(load_settings()).get(plan_id).model
    finished = replay.state.finished
    assert finished is not None
    talks = [q for q in replay.state.questions if replay.rubrics[q.rubric].is_discussion]
    own = [q for q in replay.state.questions if replay.rubrics[q.rubric].kind == "project"]
    asked = finished.graded + finished.ungraded + len(talks)
    assert asked == sum(part.count for part in plan.rounds)
    assert finished.ungraded <= len(own)
    assert finished.not_asked == 0
    assert len(debrief(replay.state, replay.rubrics).rounds) == len(plan.rounds)
