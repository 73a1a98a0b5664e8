"""A ladder is climbed as fast as the answers allow."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rubrics import FULL, a_rubric
from support.sessions import begin, hold
from support.tables import table

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import Persona
from interviewer.grading.score import Grade
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.interview import commands
from interviewer.interview.debrief import debrief, rubrics_to_show
from interviewer.interview.drawing import level_of, next_question
from interviewer.interview.events import RoundOutline
from interviewer.interview.journal import load
from interviewer.interview.policy import Step, next_step
from interviewer.interview.state import QuestionState, RoundState, SessionState
from interviewer.store.store import Store

CASES = table("cases", __file__)["adaptive_difficulty"]

RUNGS = (("easy-1", "easy-2", "easy-3"), ("medium-1", "medium-2"), ("hard-1",))
ALL = tuple(rubric for rung in RUNGS for rubric in rung)
LADDER = RoundOutline("Climb", Persona("Ada", "calm"), 600, 2, ALL, rungs=RUNGS, asks=4)


def graded(rubric: str, band: int | None) -> QuestionState:
    score = None if band is None else band / 4
    grade = Grade(rubric, 1, "test", (), score, score, score, band)
    return QuestionState(1, 1, rubric, (Turn(1, "examiner", TurnKind.QUESTION, "?"),), grade=grade)


def held(*rounds: tuple[RoundOutline, list[int | None]]) -> SessionState:
    """A session in which each question of a round got the next of its bands."""
    state = SessionState(outline=tuple(outline for outline, _ in rounds))
    for number, (outline, bands) in enumerate(rounds, start=1):
        state = replace(state, rounds=(*state.rounds, RoundState(number, outline)))
        for band in bands:
            running = state.rounds[-1]
            questions = (*running.questions, graded(next_question(state) or "", band))
            running = replace(running, questions=questions)
            state = replace(state, rounds=(*state.rounds[:-1], running))
    return state


def asked(state: SessionState) -> list[str]:
    return [question.rubric for question in state.questions]


@pytest.mark.parametrize(("bands", "expected"), CASES["climbs"])
def test_good_answers_lead_up_poor_ones_down(bands: list[int | None], expected: list[str]) -> None:
    assert asked(held((LADDER, bands))) == expected


CHAIN = RoundOutline(
    "Chain",
    Persona("Ada", "calm"),
    600,
    2,
    ("a", "b", "c", "spare"),
    asks=3,
    links=(("b", "a"), ("c", "b")),
)


@pytest.mark.parametrize(("bands", "expected"), CASES["chains"])
def test_a_poor_answer_rules_out_what_follows(bands: list[int | None], expected: list[str]) -> None:
    state = held((CHAIN, bands[: len(expected)]))
    assert asked(state) == expected


def test_a_round_ends_when_nothing_is_left_that_may_be_asked() -> None:
    pair = replace(CHAIN, questions=("a", "b"), asks=0, links=(("b", "a"),))
    assert next_step(held((pair, [0]))) is Step.END_ROUND
    assert next_step(held((pair, [3]))) is Step.POSE_QUESTION


def test_the_next_round_starts_a_rung_below_where_the_last_was_left() -> None:
    other = replace(LADDER, title="Other")
    assert level_of(held((LADDER, [4, 4, 4]), (other, []))) == 1
    assert level_of(held((LADDER, [0, 0]), (other, []))) == 0
    assert level_of(held((LADDER, [0]), (replace(other, start=1), []))) == 1


def test_rounds_without_a_ladder_ask_in_order_and_leave_the_rung_alone() -> None:
    plain = RoundOutline("Plain", Persona("Ada", "calm"), 600, 2, ("a", "b"))
    state = held((LADDER, [4, 4]), (plain, [0, 0]), (LADDER, []))
    assert asked(state)[2:] == ["a", "b"]
    assert level_of(state) == 1


@given(st.lists(st.one_of(st.none(), st.integers(0, 4)), max_size=6))
def test_no_question_comes_twice(bands: list[int | None]) -> None:
    questions = asked(held((replace(LADDER, asks=len(ALL)), bands)))
    assert len(set(questions)) == len(questions) == len(bands)


async def test_a_held_ladder_asks_what_answers_call_for_and_hides_the_rest(store: Store) -> None:
    rubrics = {name: a_rubric(id=name, title=name) for name in ALL}
    interview = begin(store, [replace(LADDER, asks=2)], rubrics, OfflineExaminer())
    harder = commands.Answer("Reversed, I would expect the last letter to open it.")
    await hold(interview, [commands.Answer(FULL), harder, commands.Skip()])
    replay = load(store, interview.session_id)
    assert asked(replay.state) == ["easy-1", "medium-1"]
    assert replay.state.finished is not None
    assert replay.state.finished.not_asked == 0
    assert rubrics_to_show(replay.state) == {"easy-1", "medium-1"}
    [part] = debrief(replay.state, replay.rubrics).rounds
    assert part.not_asked == ()
