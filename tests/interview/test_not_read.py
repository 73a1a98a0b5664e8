"""Offline, an answer that was not read: told at once, asked for once in English, no number."""

from __future__ import annotations

import pytest
from support.judged import reasons
from support.rubrics import FULL, ONE
from support.sessions import begin, grade_in, hold, kinds, of_kind, outline

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import Move, MoveKind
from interviewer.grading.score import graded
from interviewer.grading.transcript import DialogueAct
from interviewer.grading.verdicts import Flag
from interviewer.interview import commands, events
from interviewer.interview.debrief import debrief
from interviewer.interview.interview import Interview
from interviewer.interview.journal import load
from interviewer.interview.state import QuestionState
from interviewer.store.store import Store

RUBRICS = {ONE.id: ONE}
CHINESE = "首先是第一个字母决定结果，然后是第二个，最后是第三个。"
FORMULA = "x_1 = f(x_0) + y_0, x_2 = f(x_1)"
ASKED = Move(MoveKind.REDIRECT, remark=DialogueAct.UNREAD)


async def held(store: Store, *answers: str) -> tuple[Interview, list[events.Event]]:
    interview = begin(store, (outline(ONE),), RUBRICS, OfflineExaminer())
    replies = [*map(commands.Answer, answers), commands.Skip()]
    return interview, await hold(interview, replies)


def first(interview: Interview) -> QuestionState:
    return interview.state.questions[0]


def told(seen: list[events.Event]) -> list[tuple[str, ...]]:
    return [event.codes for event in of_kind(seen, events.NotRead)]


async def test_it_is_told_at_once_and_once_a_reason(store: Store) -> None:
    _, seen = await held(store, f"alpha decides it. {CHINESE}", f"{CHINESE}\n{FORMULA}")
    assert told(seen) == [("language",), ("formula",)]
    names = kinds(seen)
    before = names[names.index("answer") : names.index("follow_up")]
    assert before == ["answer", "thinking", "not_read"]


async def test_it_is_asked_for_in_english_once(store: Store) -> None:
    interview, seen = await held(store, CHINESE, CHINESE.replace("第一", "头一"))
    asked, *others = first(interview).moves
    assert asked == ASKED
    assert others
    assert ASKED not in others
    assert any("English" in each.text for each in of_kind(seen, events.FollowUpAsked))


async def test_such_a_question_has_no_number_and_counts_in_no_average(store: Store) -> None:
    interview, seen = await held(store, f"alpha decides it. {CHINESE}")
    grade = grade_in(interview.state)
    assert (grade.final, grade.first, grade.band, grade.interval) == (None,) * 4
    assert [*graded(grade.verdicts)] == ["alpha"]
    assert reasons(grade.verdicts).keys() == {"beta", "gamma"}
    assert not grade.flags & {Flag.TOO_SHORT, Flag.KEYWORD_LIST}
    ended = seen[-1]
    assert isinstance(ended, events.SessionEnded)
    assert (ended.band, ended.graded, ended.ungraded) == (None, 0, 1)
    found = debrief(interview.state, RUBRICS)
    assert found.headline == "Nothing could be graded."
    assert all(tally.points == 0 for _, tally in found.profile.kinds)
    assert load(store, interview.session_id).state == interview.state


async def test_with_every_point_heard_the_number_stands(store: Store) -> None:
    interview, seen = await held(store, f"{CHINESE} {FULL}")
    grade = grade_in(interview.state)
    assert grade.final == pytest.approx(1.0)
    assert told(seen) == []


async def test_a_point_missed_before_may_have_been_said_since(store: Store) -> None:
    interview, _ = await held(store, "I think that alpha decides it.", CHINESE)
    grade = grade_in(interview.state)
    assert graded(grade.verdicts).keys() == {"alpha"}
    assert grade.final is None
