"""Which follow-up comes next, and when a question is left."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from support.rubrics import a_criterion, a_rubric

from interviewer.examiner.listening import acts_of, kind_of
from interviewer.examiner.protocol import WORDED, Move, MoveKind
from interviewer.grading.transcript import DialogueAct, ParsedAnswer, Turn, TurnKind
from interviewer.grading.verdicts import Verdict
from interviewer.interview.events import AnswerHeard, Mode
from interviewer.interview.examining import admit, open_moves
from interviewer.interview.numbers import Numbers
from interviewer.interview.policy import Situation, Status, next_move
from interviewer.interview.state import FREE, Judged, QuestionState
from interviewer.rubric.rubric import Criterion, Rating, Rubric

TABLE = yaml.safe_load(Path(__file__).with_name("follow_ups.yaml").read_text(encoding="utf-8"))
RUBRIC = a_rubric()
FOLLOW_UPS = 6
MET, PARTIAL = Rating.MET, Rating.PARTIAL
NOT_MET, CONTRADICTED = Rating.NOT_MET, Rating.CONTRADICTED
DRILL_WORDS = {"ask": "So what did you set?", "wants": "learning_rate", "again": "Which was it?"}
OF_GAMMA = Move(MoveKind.DRILL, "gamma", wants="learning_rate")
DRILLED = a_rubric(*RUBRIC.criteria[:2], a_criterion("gamma", kind="experience", drill=DRILL_WORDS))
RUBRICS = {
    "plain": RUBRIC,
    "drilled": DRILLED,
    "two drills": a_rubric(a_criterion("alpha", drill=DRILL_WORDS), *DRILLED.criteria[1:]),
    "must alpha": a_rubric(a_criterion("alpha", must_have=True), *RUBRIC.criteria[1:]),
    "must gamma": a_rubric(
        a_criterion("alpha", weight=9), a_criterion("beta"), a_criterion("gamma", must_have=True)
    ),
    "extra": a_rubric(
        a_criterion("alpha", extra=True), a_criterion("beta"), escalations=(), reference="All."
    ),
    "wide": a_rubric(*map(a_criterion, ("alpha", "beta", "gamma", "delta", "epsilon"))),
    "talk": a_rubric(kind="discussion"),
}


def move_after(question: QuestionState, rubric: Rubric = RUBRIC, mode: Mode = "exam") -> Move:
    return next_move(Situation(question, rubric, FOLLOW_UPS, mode=mode)).move


def status_of(question: QuestionState, criterion: Criterion, rubric: Rubric = RUBRIC) -> Status:
    return Situation(question, rubric, FOLLOW_UPS).status[criterion.id]


def opened(rubric: Rubric = RUBRIC) -> QuestionState:
    return QuestionState(
        1, 1, rubric.id, (Turn(1, "examiner", TurnKind.QUESTION, rubric.question),)
    )


def answered(
    question: QuestionState,
    vague: tuple[str, ...] = (),
    *,
    words: str = "we built it that way early on",
    **verdicts: Rating,
) -> QuestionState:
    """The question after one more judged answer; criteria not named are not met."""
    question = said(question, words)
    number = question.turns[-1].number
    looks = tuple(
        Verdict(c.id, verdicts.get(c.id, NOT_MET), turn=number, vague=c.id in vague)
        for c in RUBRIC.criteria
    )
    return replace(question, judged=(*question.judged, Judged(number, looks, "test", frozenset())))


def said(question: QuestionState, words: str) -> QuestionState:
    """The question after a turn of the candidate's that nobody has judged."""
    turn = Turn(question.turns[-1].number + 1, "candidate", TurnKind.ANSWER, words)
    turn = replace(turn, kind=kind_of(acts_of((*question.turns, turn))))
    return replace(question, turns=(*question.turns, turn))


def dont_know(question: QuestionState) -> QuestionState:
    turn = Turn(question.turns[-1].number + 1, "candidate", TurnKind.DONT_KNOW, "I don't know.")
    return replace(question, turns=(*question.turns, turn))


def followed(question: QuestionState, move: Move) -> QuestionState:
    """The question after the examiner made the move."""
    assert move.kind is not MoveKind.CLOSE
    level = move.hint_level if move.kind is MoveKind.HINT else 0
    number = question.turns[-1].number + 1
    turn = Turn(number, "examiner", move.kind.turn, "a follow-up", move.target or None, level)
    return replace(
        question, turns=(*question.turns, turn), moves=(*question.moves, move), hint_requested=False
    )


def named(text: str) -> Move:
    """A move by its name, its target or remark, and its level."""
    kind, *rest = text.split()
    if kind == MoveKind.REDIRECT:
        return Move(MoveKind.REDIRECT, remark=DialogueAct(rest[0]))
    target, level = (*rest, "", "")[:2]
    wants = OF_GAMMA.wants if text == "drill gamma" else ""
    return Move(MoveKind(kind), target, int(level or 0), wants=wants)


def name_of(move: Move) -> str:
    """The name of a move as ``named`` reads it."""
    about = (move.target, move.hint_level or "", move.remark or "", move.why or "")
    return " ".join([move.kind, *map(str, filter(None, about))])


def after(question: QuestionState, step: str) -> QuestionState:
    """The question after one step of the table."""
    done, _, words = (part.strip() for part in step.partition("|"))
    kind, *rest = done.split()
    if kind == "say":
        return said(question, words)
    if kind == "answer":
        marks = dict(each.split("=") for each in rest if "=" in each)
        vague = tuple(name for name, mark in marks.items() if mark == "vague")
        names = RUBRIC.criteria if "all" in marks else ()
        verdicts = {each.id: MET for each in names}
        verdicts |= {n: Rating(m) for n, m in marks.items() if n != "all" and m != "vague"}
        return answered(question, vague, words=words or "we built it that way early on", **verdicts)
    if kind == "heard":
        number = question.last_words.number
        return replace(question, heard=(AnswerHeard(number, [*map(DialogueAct, rest)]),))
    if done == "don't know":
        return dont_know(question)
    if done == "hint key":
        return replace(question, hint_requested=True)
    return followed(question, named(done))


def situation(case: dict[str, Any]) -> Situation:
    rubric = RUBRICS[case.get("rubric", "plain")]
    rubric = rubric.model_copy(update={"kind": case.get("kind", rubric.kind)})
    question = opened(rubric)
    for step in case["talk"]:
        question = after(question, step)
    caps = {"follow_ups": FOLLOW_UPS, **case.get("caps", {})}
    raised = case.get("sums", {}).items()
    sums = Numbers(**{use: (Move(MoveKind(kind), sum="It is off."),) for use, kind in raised})
    return Situation(question, rubric, **caps, mode=case.get("mode", "exam"), numbers=sums)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{section}: {name}")
        for section, cases in TABLE.items()
        if section != "texts"
        for name, case in cases.items()
    ],
)
def test_what_comes_next(case: dict[str, Any]) -> None:
    at = situation(case)
    due = next_move(at)
    assert f"{name_of(due.move)} ".startswith(f"{case.get('next', '')} ".lstrip())
    assert due.move.kind not in case.get("not", ())
    if proposed := case.get("propose"):
        becomes = admit(at, due, named(proposed))
        assert (name_of(becomes) if becomes else "nothing") == case["becomes"]
    if "passed" in case:
        assert [mark.passed for mark in at.question.drills] == case["passed"]


def test_no_hint_can_be_had_where_none_is_left_and_the_cap_takes_none_away() -> None:
    bare = a_rubric(a_criterion("alpha", hints=()))
    assert Situation(opened(bare), bare, FOLLOW_UPS).hint is None
    assert Situation(opened(), RUBRIC, 0).hint == Move(MoveKind.HINT, "alpha", 1)


def test_help_is_no_follow_up_nor_is_leading_back_or_clarifying_at_first() -> None:
    question = opened()
    for free in ("redirect insult", "clarify", "tell alpha", "hint alpha 1", "offer alpha 2"):
        question = followed(said(question, "ok"), named(free))
        assert question.follow_ups_used == 0
    simpler, asked = named("simplify alpha"), named("probe beta")
    clarified = [named("clarify")] * FREE  # the first is among those above
    for used, move in zip((1, 1, 1, 2, 3), (simpler, *clarified, asked), strict=True):
        question = followed(said(question, "ok"), move)
        assert question.follow_ups_used == used


# -- drills, and what an examiner is told of the moves ---------------------------------------


def test_one_passage_settles_one_drill() -> None:
    pasted = "We set it to 3e-4 in the end and saw the loss come down to 2.1 within a day of it."
    drilled = followed(answered(opened(), alpha=MET), OF_GAMMA)
    question = answered(drilled, words=pasted)
    assert [mark.passed for mark in question.drills] == [True]
    later = replace(question, passages=(ParsedAnswer(pasted),))
    assert [mark.passed for mark in later.drills] == [False]


def test_the_table_tells_what_may_be_said_and_why_the_rest_may_not() -> None:
    at = Situation(answered(opened(), gamma=PARTIAL), RUBRIC, FOLLOW_UPS)
    told = {each.kind: each for each in open_moves(at, next_move(at))}
    assert set(told) == set(WORDED)
    assert told[MoveKind.PIN_DOWN].targets == ("alpha", "beta", "gamma")
    assert told[MoveKind.CHALLENGE].targets == ("gamma",)
    assert told[MoveKind.DRILL].closed == ""
    assert told[MoveKind.REFRAME].closed == "first: the latest answer"


# -- whatever is said -----------------------------------------------------------------------


_VERDICTS = st.fixed_dictionaries({c.id: st.sampled_from(list(Rating)) for c in RUBRIC.criteria})
_REPLIES = st.lists(st.one_of(st.none(), _VERDICTS), min_size=30, max_size=30)


@given(_REPLIES, st.sampled_from(["exam", "practice"]))
def test_every_conversation_ends_within_its_cap_and_asks_nothing_that_is_met(
    replies: list[dict[str, Rating] | None], mode: Mode
) -> None:
    question = opened()
    for reply in replies:
        question = dont_know(question) if reply is None else answered(question, **reply)
        move = move_after(question, mode=mode)
        while move.kind is MoveKind.TELL:
            question = followed(question, move)
            move = move_after(question, mode=mode)
        if move.kind is MoveKind.CLOSE:
            return
        if move.kind in (
            MoveKind.PROBE,
            MoveKind.PIN_DOWN,
            MoveKind.CHALLENGE,
            MoveKind.SIMPLIFY,
            MoveKind.OFFER,
        ):
            met = status_of(question, RUBRIC.criterion(move.target)) is Status.MET
            assert not met
        question = followed(question, move)
        assert question.follow_ups_used <= FOLLOW_UPS
    pytest.fail("thirty answers and no end")


@given(st.lists(st.booleans(), min_size=8, max_size=8))
def test_hints_rise_one_level_at_a_time(asks: list[bool]) -> None:
    question = opened()
    levels: dict[str, int] = {}
    for wants in asks:
        question = said(question, "hint please") if wants else dont_know(question)
        move = move_after(question)
        if move.kind is MoveKind.CLOSE:
            return
        if move.kind is MoveKind.HINT:
            assert move.hint_level == levels.get(move.target, 0) + 1
            levels[move.target] = move.hint_level
        question = followed(question, move)
