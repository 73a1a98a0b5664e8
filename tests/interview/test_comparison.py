"""Two gradings side by side, and a stored session that is judged again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.examiners import ScriptedExaminer
from support.judged import unjudged
from support.rubrics import ONE, TWO, a_criterion, a_rubric
from support.sessions import begin, hold, outline, react

from interviewer.errors import ExaminerError, StoreError
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.grading.verdicts import Judgement, Source, Verdict, grade_question
from interviewer.interview import commands
from interviewer.interview.commands import Command
from interviewer.interview.events import TurnFailed, YourTurn
from interviewer.interview.journal import Replay, load
from interviewer.interview.regrading import (
    GradedQuestion,
    PointChange,
    as_json,
    compare,
    from_record,
    original,
    regrade,
)
from interviewer.rubric.rubric import Rating, Rubric
from interviewer.store.records import RegradeRecord
from interviewer.store.store import Store

RUBRIC = a_rubric()
MADE = Verdict("alpha", Rating.MET, "alpha decides it", 2, (0, 16))
OPEN = Verdict("alpha", Rating.NOT_MET)


def graded(
    *verdicts: Verdict, rubric: Rubric = RUBRIC, examiner: str = "one", question: int = 1
) -> GradedQuestion:
    given_ids = {verdict.criterion for verdict in verdicts}
    rest = [Verdict(c.id, Rating.NOT_MET) for c in rubric.criteria if c.id not in given_ids]
    grade = grade_question(rubric, [[*verdicts, *rest]], examiner=examiner)
    return GradedQuestion(
        1, question, rubric.title, grade, {c.id: c.claim for c in rubric.criteria}
    )


def change(before: GradedQuestion, after: GradedQuestion) -> PointChange:
    [moved] = compare([before], [after])
    [point] = moved.points
    return point


def test_nothing_moves_between_equal_gradings() -> None:
    assert compare([graded(MADE)], [graded(MADE)]) == ()
    assert compare([graded(MADE)], [graded(MADE, examiner="two")]) == ()


def test_a_verdict_that_moved_is_told_with_both_sides() -> None:
    point = change(graded(OPEN), graded(MADE, examiner="two"))
    assert (point.criterion, point.before, point.after) == ("alpha", OPEN, MADE)
    assert point.claim == RUBRIC.criterion("alpha").claim


def test_criteria_come_and_go_with_the_rubric() -> None:
    alpha = a_criterion("alpha", weight=3, must_have=True)
    newer = a_rubric(alpha, a_criterion("delta"), version=2)
    [moved] = compare([graded(MADE)], [graded(MADE, rubric=newer)])
    assert [point.criterion for point in moved.points] == ["beta", "gamma", "delta"]


def test_what_could_not_be_judged_is_no_verdict() -> None:
    unread = graded(unjudged("alpha"))
    assert change(graded(MADE), unread).after is None
    assert change(unread, graded(OPEN)).before is None
    assert compare([unread], [unread]) == ()


def test_questions_are_matched_by_their_place() -> None:
    before = [graded(MADE), graded(OPEN, question=2)]
    after = [graded(MADE, question=2), graded(MADE)]
    [moved] = compare(before, after)
    assert moved.before.question == moved.after.question == 2


# -- a stored session judged again ----------------------------------------------------


RUBRICS = {ONE.id: ONE, TWO.id: TWO}
SESSION = "5e55107700"
HELPED: list[Command] = [
    commands.Answer("First alpha decides the outcome."),
    commands.AskHint(),
    commands.Answer("Then beta adds to it as well."),
    commands.Skip(),
    commands.Answer("Honestly the letters all matter in their own way."),
    commands.DontKnow(),
    commands.EndInterview(),
]


async def held(store: Store, replies: list[Command] | None = None) -> Replay:
    rounds = (outline(ONE), outline(TWO))
    await hold(begin(store, rounds, RUBRICS, OfflineExaminer()), replies or HELPED)
    return load(store, SESSION)


async def test_the_same_examiner_comes_to_the_same_grades(store: Store) -> None:
    replay = await held(store)
    again = await regrade(replay, OfflineExaminer())
    before = original(replay)
    assert again.questions == before
    assert (again.examiner, again.kept) == (OfflineExaminer.name, ())
    helped = {verdict.criterion: verdict for verdict in before[0].grade.verdicts}
    assert helped["beta"].source is Source.HINT_1
    assert before[0].grade.first is not None
    assert before[0].grade.final is not None
    assert before[0].grade.first < before[0].grade.final


async def test_each_answer_is_judged_with_the_turns_up_to_it(store: Store) -> None:
    replay = await held(store)
    examiner = ScriptedExaminer()
    await regrade(replay, examiner)
    said = [context.turns[-1].text for context in examiner.judged]
    assert said == [reply.text for reply in HELPED if isinstance(reply, commands.Answer)]
    assert all(context.turns[0].kind == "question" for context in examiner.judged)
    assert [len(context.turns) for context in examiner.judged] == [2, 5, 2]
    assert {v.criterion for v in examiner.judged[1].verdicts} == {"alpha", "beta", "gamma"}


async def test_an_answer_that_was_never_judged_is_judged_now(store: Store) -> None:
    failing = ScriptedExaminer(fail_judge=[ExaminerError("Server is down.")])
    running = begin(store, (outline(ONE),), {ONE.id: ONE}, failing)
    answer = commands.Answer("First alpha decides the outcome.")
    await react(running, {YourTurn: answer, TurnFailed: commands.EndInterview()})
    replay = load(store, SESSION)
    [before] = original(replay)
    [after] = (await regrade(replay, OfflineExaminer())).questions
    assert before.grade.final is None
    assert after.grade.final == pytest.approx(0.5)


async def test_a_regrade_survives_the_store(store: Store) -> None:
    replay = await held(store)
    votes = (Rating.MET, Rating.PARTIAL, Rating.MET)
    voted = Verdict("alpha", Rating.MET, "alpha decides the outcome", votes=votes)
    examiner = ScriptedExaminer(judgement=lambda _: Judgement((voted,), "scripted"))
    again = await regrade(replay, examiner)
    at, by = replay.session.created_at, again.examiner
    store.add_regrade(SESSION, at=at, examiner=by, version=again.version, grades=as_json(again))
    [record] = store.regrades(SESSION)
    assert from_record(record) == again


async def test_a_damaged_regrade_is_named(store: Store) -> None:
    replay = await held(store)
    record = RegradeRecord(3, replay.session.created_at, "x", "1", {"questions": [{"round": 1}]})
    with pytest.raises(StoreError, match="Regrade 3 cannot be read"):
        from_record(record)
    good = replace(record, grades={"examiner": "x", "version": "1", "questions": []})
    assert from_record(good).questions == ()
