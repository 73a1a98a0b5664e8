"""A harder variant is graded by criteria of its own: it lifts the score and never sinks it."""

from __future__ import annotations

import pytest
from support.rubrics import a_rubric
from support.sessions import begin, grade_in, hold, outline
from support.tables import table

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import CloseReason, Move, MoveKind
from interviewer.grading.verdicts import Flag
from interviewer.interview import commands, events
from interviewer.interview.debrief import debrief
from interviewer.interview.debrief.questions import QuestionDebrief
from interviewer.interview.journal import Replay, load
from interviewer.interview.regrading import regrade
from interviewer.rubric.rubric import Rating, Rubric
from interviewer.store.store import Store

CASES = table("cases", __file__)["escalations"]

HARDER = CASES["harder"]
ONE = a_rubric(escalations=["Asked and not graded, is it?", HARDER])
FULL = "First alpha decides, then beta adds to it, and gamma closes the row."
NO_GAMMA = "First alpha decides, then beta adds to it, and that closes the row."
NONSENSE = "In our last run I set it by trial, roughly what the paper says."
SESSION = "5e55107700"


async def held(
    store: Store,
    *said: str | commands.Command,
    rubric: Rubric = ONE,
    mode: events.Mode = "exam",
    session: str = SESSION,
) -> Replay:
    rubrics, examiner = {rubric.id: rubric}, OfflineExaminer()
    running = begin(store, (outline(rubric),), rubrics, examiner, mode=mode, session=session)
    await hold(running, [commands.Answer(each) if isinstance(each, str) else each for each in said])
    return load(store, session)


def question_of(replay: Replay) -> QuestionDebrief:
    return debrief(replay.state, replay.rubrics).rounds[0].questions[0]


def further(replay: Replay) -> dict[str, Rating | None]:
    lines = question_of(replay).lines
    return {x.criterion.id: x.verdict and x.verdict.verdict for x in lines if x.further}


@pytest.mark.parametrize(
    ("reply", "verdict", "reason"),
    [
        ("Reversed, omega decides the whole matter.", Rating.MET, CloseReason.COVERED),
        (NONSENSE, Rating.NOT_MET, CloseReason.HARDER_OPEN),
        (commands.DontKnow(), Rating.NOT_MET, CloseReason.HARDER_OPEN),
    ],
)
async def test_the_reply_is_judged_and_nonsense_closes_it_as_not_met(
    store: Store, reply: str | commands.Command, verdict: Rating, reason: CloseReason
) -> None:
    replay = await held(store, FULL, reply)
    assert further(replay) == {"omega": verdict}
    (question,) = replay.state.questions
    graded_one = Move(MoveKind.ESCALATE, escalation=1)
    assert (question.moves, question.closed) == ((graded_one,), reason)
    grade = grade_in(replay.state)
    assert grade.final == 1.0
    assert Flag.RECITED not in grade.flags


async def test_it_lifts_a_score_that_something_is_missing_from(store: Store) -> None:
    vague = "Something at the end of the row, I would have to look."
    met = await held(store, NO_GAMMA, vague, "Then omega decides it all.")
    assert further(met) == {"omega": Rating.MET}
    grade = grade_in(met.state)
    assert (grade.final, grade.first) == (1.0, pytest.approx(5 / 6))


async def test_a_wrong_reply_takes_nothing_from_the_score(store: Store) -> None:
    wrong = "I'd say that nothing changes in that case at all."
    replay = await held(store, FULL, wrong, commands.Skip())
    assert further(replay) == {"omega": Rating.CONTRADICTED}
    grade = grade_in(replay.state)
    assert (grade.final, grade.band) == (1.0, 4)


async def test_what_was_said_before_it_was_asked_earns_nothing_of_it(store: Store) -> None:
    replay = await held(store, f"{FULL} By the way, omega never decides a thing.", NONSENSE)
    assert further(replay) == {"omega": Rating.NOT_MET}


async def test_a_plain_one_is_asked_and_not_graded(store: Store) -> None:
    plain = a_rubric()
    replay = await held(store, FULL, NONSENSE, rubric=plain)
    assert replay.state.questions[0].moves == (Move(MoveKind.ESCALATE),)
    assert replay.state.questions[0].closed is CloseReason.COVERED
    assert further(replay) == {}
    assert [line.criterion.id for line in question_of(replay).lines] == ["alpha", "beta", "gamma"]


async def test_it_is_graded_again_as_it_was_asked(store: Store) -> None:
    replay = await held(store, FULL, "Then omega decides it all, I think.")
    for today in (ONE, a_rubric(escalations=["Something else?", "Or that?"])):
        again = await regrade(replay, OfflineExaminer(), {ONE.id: today})
        (question,) = again.questions
        assert question.grade == replay.state.questions[0].grade
        assert "omega" in question.claims
