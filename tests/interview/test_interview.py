"""A whole interview over a real database: order, durability, failures, the clock."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence

import pytest
from support.examiners import ScriptedExaminer
from support.judged import reasons, unjudged
from support.rubrics import FULL, ONE, TWO, a_rubric
from support.sessions import (
    HandClock,
    begin,
    grade_in,
    hold,
    kinds,
    of_kind,
    outline,
    react,
    reopen,
)

from interviewer.errors import ExaminerError
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import (
    CloseReason,
    Heard,
    Move,
    MoveKind,
    Proposal,
    QuestionContext,
)
from interviewer.grading.transcript import TurnKind
from interviewer.grading.verdicts import Flag, Grade, Judgement, Verdict
from interviewer.interview import commands, events
from interviewer.interview.debrief import debrief
from interviewer.interview.interview import Interview
from interviewer.interview.journal import load
from interviewer.rubric.rubric import Rating
from interviewer.store.store import Store

RUBRICS = {ONE.id: ONE, TWO.id: TWO}
HARDER = "Reversed, I would expect the last letter to open the alphabet."
TWICE = [commands.Answer(FULL), commands.Answer(HARDER)] * 2
SESSION = "5e55107700"
IN_DOUBT = commands.Answer("The alpha effect decides the letters")


def interview(store: Store, examiner: object = None, **options: object) -> Interview:
    rounds = options.pop("rounds", (outline(ONE), outline(TWO)))
    return begin(store, rounds, RUBRICS, examiner or OfflineExaminer(), **options)  # type: ignore[arg-type]


async def graded(store: Store, *replies: commands.Command, **options: object) -> Grade:
    """The grade of the first question of an interview with these replies."""
    running = interview(store, **options)
    await hold(running, [*replies, commands.EndInterview()])
    return grade_in(running.state)


async def test_a_mock_runs_from_the_first_question_to_the_debrief(store: Store) -> None:
    seen = await hold(interview(store), TWICE)
    assert kinds(seen) == [
        "session",
        *("round", "question", "your_turn"),
        *("answer", "thinking", "follow_up", "your_turn"),
        *("answer", "thinking", "question_closed", "round_end"),
        *("round", "question", "your_turn"),
        *("answer", "thinking", "follow_up", "your_turn"),
        *("answer", "thinking", "question_closed", "round_end"),
        "debrief",
    ]
    ended = seen[-1]
    assert isinstance(ended, events.SessionEnded)
    assert (ended.band, ended.graded, ended.not_asked) == (4.0, 2, 0)
    assert store.history.session(SESSION).status == "finished"


async def test_every_event_is_on_disk_before_it_is_heard_of(store: Store) -> None:
    running = interview(store)
    async for event in running:
        if not isinstance(event, events.TransientEvent):
            assert store.entries(SESSION)[-1].kind == event.event
        if isinstance(event, events.YourTurn):
            running.send(commands.Answer(FULL))


async def test_an_exam_keeps_verdicts_targets_and_grades_back(store: Store) -> None:
    seen = await hold(
        interview(store), [commands.Answer("alpha"), commands.Skip(), commands.EndInterview()]
    )
    assert "judged" not in kinds(seen)
    assert "grade" not in kinds(seen)
    follow_up = next(e for e in seen if isinstance(e, events.FollowUpAsked | events.HintGiven))
    assert follow_up.move.target == ""
    journal = [entry.kind for entry in store.entries(SESSION)]
    assert "judged" in journal
    assert "grade" in journal


async def test_skip_grades_what_was_said(store: Store) -> None:
    running = interview(store)
    await hold(running, [commands.Answer("alpha and beta decide that, I think"), commands.Skip()])
    assert running.state.questions[0].closed is CloseReason.SKIPPED
    assert grade_in(running.state).final == pytest.approx(5 / 6)


async def test_a_hint_has_its_price_and_marks_what_follows(store: Store) -> None:
    running = interview(store)
    answer = commands.Answer("then alpha decides the matter first")
    seen = await hold(running, [commands.AskHint(), answer, commands.Skip()])
    (hint,) = of_kind(seen, events.HintGiven)
    assert (hint.price, hint.requested) == (0.25, True)
    grade = grade_in(running.state)
    assert (grade.final, grade.unassisted) == (pytest.approx(3 * 0.75 / 6), 0)


async def test_the_price_of_the_next_hint_is_told_beforehand(store: Store) -> None:
    seen = await hold(interview(store), [commands.AskHint(), commands.AskHint()])
    prices = [each.hint_price for each in of_kind(seen, events.YourTurn)]
    assert prices == [0.25, 0.5, 0.25]


async def test_an_empty_answer_is_no_turn(store: Store) -> None:
    running = interview(store)
    await hold(running, [commands.Answer("  \n "), commands.Answer("")])
    assert load(store, SESSION).state == running.state
    assert [t.author for t in store.turns(SESSION)] == ["examiner"]


async def test_ending_a_round_goes_to_the_next_and_names_what_was_not_asked(store: Store) -> None:
    rounds = (outline(ONE, TWO), outline(TWO))
    running = interview(store, rounds=rounds)
    seen = await hold(running, [commands.EndRound()])
    assert [each.reason for each in of_kind(seen, events.RoundEnded)] == ["ended"]
    assert running.state.rounds[-1].number == 2
    assert debrief(running.state, RUBRICS).rounds[0].not_asked == ("More letters",)


async def test_a_pause_stops_and_resuming_goes_on_at_the_step(store: Store) -> None:
    answer = commands.Answer("alpha is it, in my view")
    assert kinds(await hold(interview(store), [answer, commands.Pause()]))[-1] == "paused"
    assert store.history.session(SESSION).status == "paused"
    seen = await hold(reopen(store, SESSION, OfflineExaminer()), [commands.Answer(FULL)])
    assert kinds(seen)[:3] == ["resumed", "your_turn", "answer"]
    assert [turn.kind for turn in store.turns(SESSION)].count("question") == 1


@pytest.mark.parametrize("stop_after", range(1, 30))
async def test_killed_after_any_event_it_ends_the_same(store: Store, stop_after: int) -> None:
    """Dropping the interview without a word is what a kill -9 leaves behind."""
    heard = 0
    current = interview(store)
    while not current.state.finished:
        seen = aiter(current)
        async for event in seen:
            heard += 1
            if isinstance(event, events.YourTurn):
                escalated = current.state.questions[-1].moves
                current.send(commands.Answer(HARDER if escalated else FULL))
            if heard == stop_after:
                await seen.aclose()
                break
        current = reopen(store, SESSION, OfflineExaminer())
    state = load(store, SESSION).state
    assert state.finished
    assert state.finished.band == 4.0
    said = [turn.kind for question in state.questions for turn in question.turns]
    assert (said.count(TurnKind.QUESTION), said.count(TurnKind.ANSWER)) == (2, 4)


# -- failures ---------------------------------------------------------------------------


async def test_a_failed_judgement_is_told_and_retried_without_asking_again(store: Store) -> None:
    examiner = ScriptedExaminer(fail_judge=[ExaminerError("No reply.", retryable=True)])
    replies = {events.YourTurn: [commands.Answer(FULL)], events.TurnFailed: commands.Retry()}
    seen = await react(interview(store, examiner), replies)
    (failed,) = of_kind(seen, events.TurnFailed)
    assert (failed.stage, failed.message) == ("judge", "No reply.")
    assert [turn.text for turn in store.turns(SESSION) if turn.author == "candidate"] == [FULL]
    assert len(examiner.judged) == 2


async def test_an_unjudged_answer_is_no_number(store: Store) -> None:
    running = interview(store, ScriptedExaminer(fail_judge=[ExaminerError("No reply.")] * 9))
    leaves = {events.YourTurn: commands.Answer(FULL), events.TurnFailed: commands.EndInterview()}
    ended = (await react(running, leaves))[-1]
    grade = grade_in(running.state)
    assert (grade.final, grade.band) == (None, None)
    assert reasons(grade.verdicts).keys() == {"alpha", "beta", "gamma"}
    assert (ended.band, ended.graded, ended.ungraded) == (None, 0, 1)


async def test_cancelling_drops_the_call_and_asks_what_to_do(store: Store) -> None:
    examiner = ScriptedExaminer(hold=asyncio.Event())
    replies = {events.YourTurn: IN_DOUBT, events.Thinking: commands.Cancel(), events.TurnFailed: []}
    seen = await react(interview(store, examiner), replies)
    assert "stopped waiting" in seen[-1].message
    assert examiner.cancelled == 2


async def test_pausing_while_the_examiner_listens_keeps_the_step(store: Store) -> None:
    examiner = ScriptedExaminer(hold=asyncio.Event())
    replies = {events.YourTurn: IN_DOUBT, events.Thinking: commands.Pause()}
    await react(interview(store, examiner), replies)
    assert store.history.session(SESSION).status == "paused"
    seen = await hold(reopen(store, SESSION, OfflineExaminer()), [])
    assert kinds(seen) == ["resumed", "thinking", "follow_up", "your_turn"]


async def test_leaving_while_an_answer_is_judged_waits_for_the_judgement(store: Store) -> None:
    examiner = ScriptedExaminer(hold=asyncio.Event())
    running = interview(store, examiner)
    async for event in running:
        match event:
            case events.YourTurn():
                running.send(commands.Answer(FULL))
            case events.Thinking(stage="judge"):
                assert examiner.hold is not None
                running.send(commands.EndInterview())
                asyncio.get_running_loop().call_later(0.02, examiner.hold.set)
    assert grade_in(running.state).final == 1.0
    assert running.state.finished


async def test_a_follow_up_that_leaks_is_replaced_by_the_probe(store: Store) -> None:
    leak = "Is it not true that the beta effect decides the outcome?"
    examiner = ScriptedExaminer(
        hears=lambda context: Heard(frozenset(), (Proposal(leak, Move(MoveKind.PROBE, "beta")),)),
        words=lambda context, move: leak,
    )
    running = interview(store, examiner)
    await hold(running, [commands.Answer("The alpha effect, as far as letters go, decides it")])
    last = running.state.questions[0].turns[-1]
    assert "beta" not in last.text
    assert any(criterion.probe in last.text for criterion in ONE.criteria)
    (follow_up,) = (e for e in store.entries(SESSION) if e.kind == "follow_up")
    assert follow_up.payload["replaced"]
    (rejected,) = examiner.rejected
    assert rejected.text == leak
    assert rejected.why


# -- a second look ----------------------------------------------------------------------


def doubting(second: Judgement | ExaminerError) -> ScriptedExaminer:
    """Credits alpha at first, with a doubt that comes out as given."""

    def first(context: QuestionContext) -> Judgement:
        doubt = Verdict("alpha", Rating.MET, "alpha effect decides", alternative=Rating.NOT_MET)
        return Judgement((doubt,), "scripted", doubts=(doubt,))

    def settles(context: QuestionContext, doubts: Sequence[Verdict]) -> Judgement:
        assert [doubt.criterion for doubt in doubts] == ["alpha"]
        assert context.turns[-1].text == IN_DOUBT.text
        if isinstance(second, ExaminerError):
            raise second
        return second

    return ScriptedExaminer(judgement=first, settles=settles)


DENIED = Judgement((Verdict("alpha", Rating.NOT_MET),), "scripted")


async def test_doubts_are_settled_once_when_the_question_is_closed(store: Store) -> None:
    running = interview(store, doubting(DENIED))
    await hold(running, [IN_DOUBT, IN_DOUBT, commands.Skip()])
    journal = [entry.kind for entry in store.entries(SESSION)]
    assert (journal.count("judged"), journal.count("settled")) == (2, 1)
    assert journal.index("question_closed") < journal.index("settled") < journal.index("grade")
    assert grade_in(running.state).final == 0.0, "the first judgement was in the same doubt"


async def test_a_second_look_that_fails_leaves_the_first_verdict(store: Store) -> None:
    running = interview(store, doubting(ExaminerError("No reply.")))
    await hold(running, [IN_DOUBT, commands.Skip()])
    verdicts = {v.criterion: v.verdict for v in grade_in(running.state).verdicts}
    assert verdicts["alpha"] is Rating.MET
    assert running.state.questions[0].doubts == ()


async def test_a_point_that_the_second_look_cannot_decide_is_no_number(store: Store) -> None:
    undecided = Judgement((unjudged("alpha", "Two votes gave two verdicts."),), "scripted")
    grade = await graded(store, IN_DOUBT, commands.Skip(), examiner=doubting(undecided))
    assert reasons(grade.verdicts)["alpha"] == "Two votes gave two verdicts."


# -- the clock --------------------------------------------------------------------------


async def test_when_time_is_up_the_draft_counts_and_the_round_ends(store: Store) -> None:
    await hold(interview(store, rounds=(outline(ONE, TWO, seconds=60),)), [])
    running = reopen(store, SESSION, OfflineExaminer(), elapsed=59.97)
    running.save_draft(FULL, "answer")
    assert kinds([event async for event in running]) == [
        *("resumed", "your_turn", "time_up", "answer"),
        *("thinking", "question_closed", "round_end", "debrief"),
    ]
    assert [question.closed for question in running.state.questions] == [CloseReason.TIME_UP]
    grade = grade_in(running.state)
    assert grade.final == 1.0
    assert Flag.CUT_OFF in grade.flags
    assert running.drafts()["answer"] == ""


async def test_an_answer_sent_as_the_time_runs_out_is_taken_once(store: Store) -> None:
    late = "Sent at the last moment: alpha decides."
    await hold(interview(store, rounds=(outline(ONE, seconds=60), outline(TWO))), [])
    running = reopen(store, SESSION, OfflineExaminer(), elapsed=59.97)
    async for event in running:
        if isinstance(event, events.TimeUp):
            running.send(commands.Answer(late))
            running.save_draft(late, "answer")
        if isinstance(event, events.QuestionAsked):
            running.send(commands.Pause())
    first, second = running.state.questions
    assert [t.text for t in first.turns if t.author == "candidate"] == [late]
    assert [t.author for t in second.turns] == ["examiner"]


async def test_no_question_is_named_before_it_is_asked(store: Store) -> None:
    (started, *_) = await hold(interview(store), [])
    assert isinstance(started, events.SessionStarted)
    assert [each.questions for each in started.rounds] == [(), ()]


@pytest.mark.parametrize(("elapsed", "minutes"), [(299.97, 5), (539.97, 1)])
async def test_the_clock_warns_once(store: Store, elapsed: float, minutes: int) -> None:
    await hold(interview(store, rounds=(outline(ONE, seconds=600),)), [])
    running = reopen(store, SESSION, OfflineExaminer(), elapsed=elapsed)
    seen = await react(running, {events.ClockWarning: commands.Pause()})
    assert [each.minutes_left for each in of_kind(seen, events.ClockWarning)] == [minutes]
    assert kinds(seen).count("your_turn") == 2


async def test_the_examiners_time_is_not_the_candidates(store: Store) -> None:
    now = HandClock()

    def slow(context: QuestionContext) -> Judgement:
        now.seconds += 1000
        return Judgement((), "slow")

    running = interview(store, ScriptedExaminer(judgement=slow), now=now)
    await hold(running, [commands.Answer(FULL)])
    assert running.seconds_left == 600


async def test_a_broken_journal_is_one_sentence(store: Store) -> None:
    await hold(interview(store), [commands.Pause()])
    with sqlite3.connect(store.place) as connection:
        connection.execute("""update entries set payload = '{"event": "nonsense"}'""")
    with pytest.raises(Exception, match="journal is damaged from the start"):
        load(store, SESSION)


async def test_an_unusable_listener_is_told_and_the_interview_goes_on(store: Store) -> None:
    sentence = "The reply of tiny could not be used."
    examiner = ScriptedExaminer(hears=lambda context: Heard(frozenset(), unusable=sentence))
    interview = begin(store, (outline(ONE),), {ONE.id: ONE}, examiner)
    seen = await hold(interview, [commands.Answer("The first letter."), commands.Skip()])
    assert [each.message for each in of_kind(seen, events.NotRead)] == [sentence]
    assert of_kind(seen, events.TurnFailed) == []


# -- leaving while the examiner is at work -----------------------------------------------

SLOW, NEXT, LATER = (a_rubric(id=f"letters-{n}") for n in range(3))
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
    [(commands.Skip(), NEXT.id), (commands.EndRound(), LATER.id), (commands.EndInterview(), "")],
)
async def test_no_second_look_holds_anybody_up(
    store: Store, leave: commands.Command, next_asked: str
) -> None:
    """And the next question is not skipped unseen."""
    rubrics = {each.id: each for each in (SLOW, NEXT, LATER)}
    interview = begin(store, [outline(SLOW, NEXT), outline(LATER)], rubrics, SlowSecondLook())
    replies: list[commands.Command] = [IN_DOUBT, commands.Skip()]
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
    assert asked == [SLOW.id, *filter(None, [next_asked])]
    assert sum(isinstance(event, events.QuestionClosed) for event in seen) == 1
    grade = interview.state.questions[0].grade
    assert grade is not None
    assert [v.verdict for v in grade.verdicts if v.criterion == "alpha"] == [Rating.MET]
