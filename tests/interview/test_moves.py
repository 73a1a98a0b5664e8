"""The move policy: which follow-up next, and when to stop."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rubrics import a_criterion, a_rubric

from interviewer.examiner.moves import (
    Challenge,
    Close,
    CloseReason,
    Drill,
    Escalate,
    Hint,
    Move,
    PinDown,
    Probe,
    Redirect,
    SumChallenge,
    Tell,
    target_of,
)
from interviewer.grading.transcript import DialogueAct, Turn, TurnKind
from interviewer.grading.verdicts import CriterionVerdict, Flag
from interviewer.interview.policy import (
    STALE_FOLLOW_UPS,
    TRIES_PER_CRITERION,
    Caps,
    Status,
    next_hint,
    next_move,
    status_of,
)
from interviewer.interview.state import Judged, QuestionState
from interviewer.rubric.rubric import Rubric, Verdict

RUBRIC = a_rubric()
CAPS = Caps(follow_ups=6)
MET, PARTIAL = Verdict.MET, Verdict.PARTIAL
NOT_MET, CONTRADICTED = Verdict.NOT_MET, Verdict.CONTRADICTED


def opened(rubric: Rubric = RUBRIC) -> QuestionState:
    return QuestionState(
        1, 1, rubric.id, (Turn(1, "examiner", TurnKind.QUESTION, rubric.question),)
    )


def answered(
    question: QuestionState,
    vague: tuple[str, ...] = (),
    *,
    words: str = "some words on it",
    flags: frozenset[Flag] = frozenset(),
    **verdicts: Verdict,
) -> QuestionState:
    """The question after one more judged answer; criteria not named are not met."""
    number = question.last_turn.number + 1
    turn = Turn(number, "candidate", TurnKind.ANSWER, words)
    looks = tuple(
        CriterionVerdict(c.id, verdicts.get(c.id, NOT_MET), vague=c.id in vague)
        for c in RUBRIC.criteria
    )
    judged = Judged(number, looks, "test", flags, ())
    return replace(question, turns=(*question.turns, turn), judged=(*question.judged, judged))


def dont_know(question: QuestionState) -> QuestionState:
    turn = Turn(question.last_turn.number + 1, "candidate", TurnKind.DONT_KNOW, "I don't know.")
    return replace(question, turns=(*question.turns, turn))


def followed(question: QuestionState, move: Move) -> QuestionState:
    """The question after the examiner made the move."""
    assert not isinstance(move, Close)
    level = move.level if isinstance(move, Hint) else 0
    number = question.last_turn.number + 1
    turn = Turn(number, "examiner", move.kind, "a follow-up", target_of(move), level)
    return replace(
        question,
        turns=(*question.turns, turn),
        moves=(*question.moves, move),
        hint_requested=False,
    )


@pytest.mark.parametrize(
    ("verdicts", "move"),
    [
        ({}, Probe("alpha")),
        ({"alpha": MET}, Probe("beta")),
        ({"alpha": MET, "beta": PARTIAL}, PinDown("beta")),
        ({"gamma": PARTIAL}, PinDown("gamma")),
        ({"gamma": CONTRADICTED, "beta": PARTIAL}, Challenge("gamma")),
    ],
)
def test_the_worst_and_heaviest_point_is_next(verdicts: dict[str, Verdict], move: Move) -> None:
    assert next_move(answered(opened(), **verdicts), RUBRIC, CAPS, "exam") == move


def test_a_guarded_hit_is_pinned_down_rather_than_lost() -> None:
    question = answered(opened(), vague=("gamma",))
    assert status_of(question, RUBRIC.criterion("gamma")) is Status.VAGUE
    assert next_move(question, RUBRIC, CAPS, "exam") == PinDown("gamma")


def test_all_met_brings_the_harder_variant_once_and_then_the_end() -> None:
    question = answered(opened(), alpha=MET, beta=MET, gamma=MET)
    move = next_move(question, RUBRIC, CAPS, "exam")
    assert isinstance(move, Escalate)
    question = answered(followed(question, move), alpha=MET, beta=MET, gamma=MET)
    assert next_move(question, RUBRIC, CAPS, "exam") == Close(CloseReason.COVERED)


def test_a_point_gets_a_question_then_its_two_hints() -> None:
    single = a_rubric(a_criterion("alpha"))
    question = answered(opened(single))
    made = []
    for _ in range(TRIES_PER_CRITERION):
        move = next_move(question, single, CAPS, "exam")
        made.append(move)
        question = answered(followed(question, move))
    assert made == [Probe("alpha"), Hint("alpha", 1), Hint("alpha", 2)]
    assert isinstance(next_move(question, single, CAPS, "exam"), Close)


def test_practice_tells_a_point_whose_tries_are_used_up() -> None:
    single = a_rubric(a_criterion("alpha"))
    question = answered(opened(single))
    for _ in range(TRIES_PER_CRITERION):
        question = answered(followed(question, next_move(question, single, CAPS, "practice")))
    move = next_move(question, single, CAPS, "practice")
    assert move == Tell("alpha")
    after = next_move(followed(question, move), single, CAPS, "practice")
    assert isinstance(after, Close)


def test_i_dont_know_brings_a_hint_and_three_in_a_row_the_end() -> None:
    question = dont_know(opened())
    for level in (1, 2):
        move = next_move(question, RUBRIC, CAPS, "exam")
        assert move == Hint("alpha", level)
        question = dont_know(followed(question, move))
    assert isinstance(next_move(question, RUBRIC, CAPS, "exam"), Close)


def test_a_requested_hint_is_for_the_point_under_discussion() -> None:
    question = answered(opened(), alpha=PARTIAL)
    question = followed(question, Probe("beta"))
    question = replace(question, hint_requested=True)
    assert next_move(question, RUBRIC, CAPS, "exam") == Hint("beta", 1)


def test_no_hint_is_offered_where_none_is_left() -> None:
    bare = a_rubric(a_criterion("alpha", hints=()))
    assert next_hint(opened(bare), bare) is None


def test_follow_ups_used_up_is_not_answered() -> None:
    question = followed(answered(opened()), Probe("alpha"))
    question = answered(question, alpha=PARTIAL)
    move = next_move(question, RUBRIC, Caps(follow_ups=1), "exam")
    assert move == Close(CloseReason.FOLLOW_UPS_USED)


def test_follow_ups_without_new_evidence_end_the_question() -> None:
    wide = a_rubric(*(a_criterion(n, hints=()) for n in ("alpha", "beta", "gamma")))
    question = answered(opened(wide))
    for _ in range(STALE_FOLLOW_UPS):
        question = answered(followed(question, next_move(question, wide, CAPS, "exam")))
    assert next_move(question, wide, CAPS, "exam") == Close(CloseReason.NO_PROGRESS)


def test_what_is_no_answer_is_redirected_once_and_then_the_question_takes_its_course() -> None:
    question = answered(opened(), words="Just tell me the answer.")
    move = next_move(question, RUBRIC, CAPS, "exam")
    assert move == Redirect(DialogueAct.WANTS_ANSWER)
    question = answered(followed(question, move), words="Come on, you stupid machine!")
    assert next_move(question, RUBRIC, CAPS, "exam") == Probe("alpha")


def test_a_redirection_uses_up_no_follow_up() -> None:
    question = answered(opened(), words="What is my score so far?")
    question = followed(question, next_move(question, RUBRIC, CAPS, "exam"))
    question = answered(question, alpha=PARTIAL)
    assert isinstance(next_move(question, RUBRIC, Caps(follow_ups=1), "exam"), PinDown)


def test_rude_words_beside_a_point_are_an_answer() -> None:
    question = answered(opened(), words="what a stupid question, alpha decides", alpha=MET)
    assert next_move(question, RUBRIC, CAPS, "exam") == Probe("beta")


def test_a_recited_answer_is_met_by_a_changed_case() -> None:
    question = answered(opened(), flags=frozenset({Flag.RECITED}), alpha=MET, beta=PARTIAL)
    move = next_move(question, RUBRIC, CAPS, "exam")
    assert isinstance(move, Escalate)
    question = answered(followed(question, move), flags=frozenset({Flag.RECITED}), alpha=MET)
    assert not isinstance(next_move(question, RUBRIC, CAPS, "exam"), Escalate)


def test_numbers_that_cannot_be_true_together_are_put_first() -> None:
    question = answered(opened(), gamma=CONTRADICTED)
    move = next_move(question, RUBRIC, CAPS, "exam", ("This needs more.", "And so does this."))
    assert move == SumChallenge("This needs more.")
    assert isinstance(next_move(question, RUBRIC, Caps(0), "exam", ("x",)), Close)


def test_an_answer_to_a_sum_is_no_follow_up_without_evidence() -> None:
    question = answered(opened())
    for _ in range(STALE_FOLLOW_UPS):
        move = next_move(question, RUBRIC, CAPS, "exam", ("This needs more.",))
        question = answered(followed(question, move))
    assert next_move(question, RUBRIC, CAPS, "exam") == Probe("alpha")


_VERDICTS = st.fixed_dictionaries({c.id: st.sampled_from(list(Verdict)) for c in RUBRIC.criteria})
_REPLIES = st.lists(st.one_of(st.none(), _VERDICTS), min_size=30, max_size=30)


@given(_REPLIES, st.sampled_from(["exam", "practice"]))
def test_every_conversation_ends_and_never_drills_a_met_point(
    replies: list[dict[str, Verdict] | None], mode: str
) -> None:
    question = opened()
    for reply in replies:
        question = dont_know(question) if reply is None else answered(question, **reply)
        move = next_move(question, RUBRIC, CAPS, mode)  # type: ignore[arg-type]
        while isinstance(move, Tell):
            question = followed(question, move)
            move = next_move(question, RUBRIC, CAPS, mode)  # type: ignore[arg-type]
        if isinstance(move, Close):
            return
        if named := target_of(move):
            target = RUBRIC.criterion(named)
            assert status_of(question, target) not in (Status.MET, Status.EXHAUSTED)
        question = followed(question, move)
    pytest.fail("thirty answers and no end")


@given(_REPLIES)
def test_hints_rise_one_level_at_a_time(replies: list[dict[str, Verdict] | None]) -> None:
    question = opened()
    levels: dict[str, int] = {}
    for reply in replies:
        question = dont_know(question) if reply is None else answered(question, **reply)
        move = next_move(question, RUBRIC, CAPS, "exam")
        if isinstance(move, Close):
            return
        if isinstance(move, Hint):
            assert move.level == levels.get(move.target, 0) + 1
            levels[move.target] = move.level
        question = followed(question, move)


SMOOTH = (
    "Alpha is what decides the outcome because it comes before everything else in that chain and "
    "nothing that follows it is able to change what it has already fixed."
)
DRILLING = Caps(follow_ups=6, drills=True)
ON_ALPHA = Drill("alpha")


def test_a_smooth_answer_is_asked_for_what_was_done() -> None:
    smooth = answered(opened(), words=SMOOTH, alpha=MET)
    assert next_move(smooth, RUBRIC, DRILLING, "exam") == ON_ALPHA
    assert not isinstance(next_move(smooth, RUBRIC, CAPS, "exam"), Drill)


@pytest.mark.parametrize(
    "words",
    [
        SMOOTH + " We set it to a half and saw the loss fall.",
        SMOOTH + " It was 3e-4 in the end.",
        "Alpha decides.",
    ],
    ids=["own decision", "a number", "terse"],
)
def test_an_answer_that_commits_or_is_terse_is_not_drilled(words: str) -> None:
    move = next_move(answered(opened(), words=words, alpha=MET), RUBRIC, DRILLING, "exam")
    assert not isinstance(move, Drill)


def test_a_smooth_answer_that_earned_nothing_is_not_drilled() -> None:
    move = next_move(answered(opened(), words=SMOOTH), RUBRIC, DRILLING, "exam")
    assert move == Probe("alpha")


def test_a_drill_is_not_repeated_at_once_and_takes_no_try_from_the_criterion() -> None:
    drilled = followed(answered(opened(), words=SMOOTH, alpha=PARTIAL), ON_ALPHA)
    again = answered(drilled, words=SMOOTH, alpha=MET)
    assert not isinstance(next_move(again, RUBRIC, DRILLING, "exam"), Drill)
    still_vague = answered(drilled, words="well, it depends", alpha=PARTIAL)
    assert next_move(still_vague, RUBRIC, DRILLING, "exam") == PinDown("alpha")


@pytest.mark.parametrize("kind", ["derivation", "pseudocode", "estimation"])
def test_exercises_are_not_drilled(kind: str) -> None:
    rubric = RUBRIC.model_copy(update={"kind": kind})
    move = next_move(answered(opened(), words=SMOOTH, alpha=MET), rubric, DRILLING, "exam")
    assert not isinstance(move, Drill)
