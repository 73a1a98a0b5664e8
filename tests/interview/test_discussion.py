"""A discussion is held like any question, and judged by nobody."""

from __future__ import annotations

from support.rubrics import a_rubric
from support.sessions import begin, hold, of_kind, outline

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import MoveKind
from interviewer.interview.commands import Answer, Skip
from interviewer.interview.debrief import debrief
from interviewer.interview.events import (
    FollowUpAsked,
    SessionEnded,
)
from interviewer.interview.journal import load
from interviewer.interview.regrading import original
from interviewer.report.text import debrief_lines, transcript_markdown
from interviewer.store.store import Store

TALK = a_rubric(id="a-talk", title="A talk", kind="discussion")
LETTERS = a_rubric()
RUBRICS = {each.id: each for each in (TALK, LETTERS)}


async def test_what_was_said_is_in_the_debrief_and_no_number_is(store: Store) -> None:
    interview = begin(store, [outline(TALK)], RUBRICS, OfflineExaminer())
    said = [
        "We argued over alpha for weeks.",
        "What do you mean by that?",
        "I ran it.",
        "It went well.",
    ]
    heard = await hold(interview, [Answer(each) for each in said])
    ended = heard[-1]
    assert isinstance(ended, SessionEnded)
    assert (ended.band, ended.graded, ended.ungraded, ended.not_asked) == (None, 0, 0, 0)
    replay = load(store, interview.session_id)
    (question,) = replay.state.questions
    assert question.grade is not None
    assert question.grade.is_none
    assert all(not judged.verdicts for judged in question.judged)
    found = debrief(replay.state, replay.rubrics)
    for text in ("\n".join(debrief_lines(found, full=True)), transcript_markdown(replay, found)):
        assert "A talk, talked over, no grade" in text or "In brief: talked over, no grade" in text
        assert all(each in text for each in said)
        assert "decides the outcome" not in text
    assert original(replay) == ()


async def test_it_changes_no_average_and_no_progress(store: Store) -> None:
    interview = begin(store, [outline(LETTERS, TALK)], RUBRICS, OfflineExaminer())
    replies = [Answer("alpha, beta and gamma"), Skip(), Answer("We argued."), Skip()]
    heard = await hold(interview, replies)
    ended = heard[-1]
    assert isinstance(ended, SessionEnded)
    assert (ended.band, ended.graded, ended.ungraded) == (4.0, 1, 0)
    replay = load(store, interview.session_id)
    found = debrief(replay.state, replay.rubrics)
    assert found.band == 4.0
    assert found.rounds[0].band == 4.0


async def test_where_they_ask_they_are_answered_and_no_verdict_is(store: Store) -> None:
    theirs = a_rubric(id="a-talk", title="A talk", kind="discussion", candidate_asks=True)
    interview = begin(store, [outline(theirs)], {theirs.id: theirs}, OfflineExaminer())
    asked = ["How is this graded?", "Did I pass?", "What is the moon made of?", "No, that's all."]
    heard = await hold(interview, [Answer(each) for each in asked])
    said = of_kind(heard, FollowUpAsked)
    assert [each.move.kind for each in said] == [MoveKind.CLARIFY] * 3
    for each, word in zip(said, ("point", "debrief", "can't answer"), strict=True):
        assert word in each.text
    assert isinstance(heard[-1], SessionEnded)
