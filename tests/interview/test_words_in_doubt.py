"""What is suspicious is not said before the examiner has cleared it, which it does once a turn."""

from __future__ import annotations

import pytest
from support.examiners import ScriptedExaminer
from support.rubrics import a_criterion, a_rubric

from interviewer.errors import ExaminerError
from interviewer.examiner.offline.judge import judge
from interviewer.examiner.protocol import NEUTRAL, Heard, Move, MoveKind, Proposal, QuestionContext
from interviewer.grading.transcript import DialogueAct, exchange
from interviewer.interview.examining import (
    Reply,
    Unready,
    as_heard,
    ask_for_reply,
    check_judgement,
    choose_reply,
)
from interviewer.interview.policy import NextMove, next_move
from interviewer.interview.situation import Caps, Situation
from interviewer.interview.state import QuestionState

MUST = a_criterion(
    "alpha",
    claim="Staggered breakfasts avert the queue before the elevator",
    patterns=(("(stagger|spread).*breakfast", "queue|wait"),),
    must_have=True,
)
OWN = {"ask": "So which lift was yours?", "wants": "decision", "again": "Which was it?"}
RUBRIC = a_rubric(MUST, question="How do you run a hotel?")
ANSWER = "With friendly staff, and we paint the rooms every spring."
PLAIN = "Friendly staff, noted. What do your guests complain about before nine, and how often?"
DOUBTFUL = "Friendly staff, noted. What did the elevator look like before nine, and how often?"
WORSE = "Friendly staff, noted. Who waits at breakfast, and what have you tried so far?"
OTHER = "Friendly staff, noted. Which colours did you paint the rooms in, and why those?"
PROBE = Move(MoveKind.PROBE, "alpha")


def a_context() -> QuestionContext:
    turns = exchange(RUBRIC.question, ANSWER)
    return QuestionContext(RUBRIC, turns, (), NEUTRAL, exam=True)


def proposing(*texts: str, move: Move = PROBE) -> tuple[Reply | Unready, NextMove]:
    """What can be said where these are the proposals."""
    return proposing_moves(*((text, move) for text in texts))


def proposing_moves(
    *say: tuple[str, Move], drills: bool = False
) -> tuple[Reply | Unready, NextMove]:
    context = a_context()
    judged = check_judgement(context, judge(RUBRIC, context.turns))
    heard = Heard(
        frozenset({DialogueAct.ANSWER}), tuple(Proposal(text, move) for text, move in say)
    )
    question = QuestionState(
        1, 1, RUBRIC.id, context.turns, judged=(judged,), heard=(as_heard(2, heard),)
    )
    asked = a_criterion(MUST.id, kind="experience", drill=OWN) if drills else MUST
    at = Situation(question, a_rubric(asked), Caps(4, drills))
    due = next_move(at)
    return choose_reply(context, due, at), due


def in_doubt(*texts: str) -> Unready:
    return Unready((), tuple(Reply(PROBE, text) for text in texts))


def test_what_is_beyond_doubt_goes_before_what_is_in_doubt() -> None:
    said, _ = proposing(DOUBTFUL, PLAIN, OTHER)
    assert said == Reply(PROBE, PLAIN)


def test_where_all_is_in_doubt_nothing_is_said_yet() -> None:
    said, _ = proposing(DOUBTFUL, WORSE)
    assert said == in_doubt(DOUBTFUL, WORSE)


def test_a_drill_that_is_due_and_in_doubt_does_not_yield_to_other_moves() -> None:
    drill = Move(MoveKind.DRILL, "")
    said, due = proposing_moves((PLAIN, PROBE), (DOUBTFUL, drill), drills=True)
    assert due.move.kind is MoveKind.DRILL
    assert said == Unready((), (Reply(drill, DOUBTFUL),))


async def test_what_is_cleared_is_said_and_nothing_else_is_asked_for() -> None:
    examiner = ScriptedExaminer(finds=lambda text: "elevator" if text == DOUBTFUL else "")
    said = await ask_for_reply(examiner, a_context(), PROBE, in_doubt(DOUBTFUL, WORSE))
    assert said == Reply(PROBE, WORSE, cleared=("it may give away “breakfast”",))
    assert examiner.doubted == [(DOUBTFUL, WORSE)]
    assert examiner.asked == []


async def test_where_nothing_is_cleared_other_words_are_asked_for_with_the_reason() -> None:
    examiner = ScriptedExaminer(finds=lambda text: "the elevator", words=lambda *_: PLAIN)
    said = await ask_for_reply(examiner, a_context(), PROBE, in_doubt(DOUBTFUL))
    assert said == Reply(PROBE, PLAIN)
    (rejected,) = examiner.rejected
    assert (rejected.text, rejected.why) == (DOUBTFUL, "it gives away “the elevator”")


async def test_a_call_that_fails_clears_nothing() -> None:
    examiner = ScriptedExaminer(
        fail_giveaways=[ExaminerError("It timed out.", retryable=True)], words=lambda *_: PLAIN
    )
    said = await ask_for_reply(examiner, a_context(), PROBE, in_doubt(DOUBTFUL))
    assert said == Reply(PROBE, PLAIN)
    assert [each.why for each in examiner.rejected] == ["it may give away “elevator”"]


async def test_doubts_are_put_once_between_two_turns() -> None:
    examiner = ScriptedExaminer(finds=lambda text: "the elevator", words=lambda *_: DOUBTFUL)
    said = await ask_for_reply(examiner, a_context(), PROBE, in_doubt(WORSE))
    assert MUST.probe in said.text
    assert "elevator" in said.replaced
    assert examiner.doubted == [(WORSE,)]


@pytest.mark.parametrize(("found", "is_said"), [("", True), ("the elevator", False)])
async def test_asked_for_words_in_doubt_are_looked_at_too(found: str, is_said: bool) -> None:
    examiner = ScriptedExaminer(finds=lambda text: found, words=lambda *_: DOUBTFUL)
    said = await ask_for_reply(examiner, a_context(), PROBE, Unready())
    assert examiner.doubted == [(DOUBTFUL,)]
    assert (said.text == DOUBTFUL) is is_said
    assert bool(said.replaced) is not is_said
