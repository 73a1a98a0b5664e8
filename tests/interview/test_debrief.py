"""The debrief: what it shows, which doubts it voices, and what it tells of a discussion."""

from __future__ import annotations

from support.examiners import ScriptedExaminer
from support.rubrics import FULL, ONE, TWO, a_rubric
from support.sessions import begin, hold, of_kind, outline, react

from interviewer.errors import ExaminerError
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import MoveKind
from interviewer.interview import commands, events
from interviewer.interview.commands import Answer
from interviewer.interview.debrief import Debrief, debrief
from interviewer.interview.events import FollowUpAsked, SessionEnded
from interviewer.interview.interview import Interview
from interviewer.interview.journal import load
from interviewer.interview.regrading import original
from interviewer.practice.attempts import read_past
from interviewer.report.text import debrief_lines, transcript_markdown
from interviewer.store.store import Store

RUBRICS = {ONE.id: ONE, TWO.id: TWO}


def new(store: Store, examiner: object = None, *rubrics: object) -> Interview:
    chosen = rubrics or (ONE, TWO)
    rounds = [outline(*chosen)]  # type: ignore[arg-type]
    return begin(store, rounds, RUBRICS, examiner or OfflineExaminer())  # type: ignore[arg-type]


async def debrief_after(store: Store, *replies: commands.Command) -> Debrief:
    interview = new(store)
    await hold(interview, replies)
    return debrief(interview.state, RUBRICS)


async def test_the_overall_band_is_the_mean_of_the_questions(store: Store) -> None:
    found = await debrief_after(store, commands.Answer(FULL), commands.Skip(), commands.Skip())
    assert [q.grade.band for q in found.questions if q.grade] == [4, 0]
    assert found.band == 2.0
    assert found.recommendation.anchor in found.headline


async def test_an_interview_without_a_word_has_no_band_and_counts_nothing(store: Store) -> None:
    interview = new(store)
    await hold(interview, [commands.Skip(), commands.EndInterview()])
    ended = interview.state.finished
    assert ended is not None
    assert (ended.band, ended.graded, ended.ungraded) == (None, 0, 0)
    found = debrief(interview.state, RUBRICS)
    assert (found.band, found.rounds[0].band) == (None, None)
    assert (found.headline, found.profile.topics) == ("Nothing was graded.", ())
    assert found.recommendation.reasons == ()
    assert not any("rests on" in doubt for doubt in found.doubts)
    told = "\n".join(debrief_lines(found))
    assert "More letters" in told
    assert "band" not in told
    past = read_past(store.place)
    assert (past.results, past.attempts) == ((), ())


async def test_a_change_of_examiner_is_a_doubt(store: Store) -> None:
    interview = new(store, ScriptedExaminer(fail_ask=[ExaminerError("No reply.")]))
    said = [commands.Answer("alpha decides the whole matter"), commands.Answer(FULL)]
    replies = [*said, commands.EndInterview()]
    await react(interview, {events.YourTurn: replies, events.TurnFailed: commands.GoOffline()})
    found = debrief(interview.state, RUBRICS)
    assert found.examiner == "scripted, then offline-v3"
    assert any("are not comparable" in doubt for doubt in found.doubts)


# -- a discussion ---------------------------------------------------------------------


TALK = a_rubric(id="a-talk", title="A talk", kind="discussion")
LETTERS = a_rubric()
TALKS = {each.id: each for each in (TALK, LETTERS)}


async def test_what_was_said_is_in_the_debrief_and_no_number_is(store: Store) -> None:
    interview = begin(store, [outline(TALK)], TALKS, OfflineExaminer())
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
    for text in (
        "\n".join(debrief_lines(found)),
        transcript_markdown(replay, found),
    ):
        assert "A talk, talked over, no grade" in text or "Verdict: talked over, no grade" in text
        assert all(each in text for each in said)
        assert "decides the outcome" not in text
    assert original(replay) == ()


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
