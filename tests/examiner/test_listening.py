"""What a candidate's turn does where no model listens."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rubrics import scaling_rubric
from support.tables import table

from interviewer.examiner.listening import acts_of, kind_of
from interviewer.grading.transcript import DialogueAct, ParsedAnswer, Turn, TurnKind, exchange
from interviewer.rubric.rubric import Rubric

CASES = table("sentences", __file__)["listening"]

RUBRIC = scaling_rubric()
A = DialogueAct


def acts(text: str, *before: Turn, heard: Collection[A] = ()) -> frozenset[DialogueAct]:
    question, answer = exchange(RUBRIC.question, text)
    return acts_of((question, *before, answer), frozenset(heard))


@pytest.mark.parametrize(("text", "act"), CASES["no answer"])
def test_what_a_turn_without_an_answer_does(text: str, act: DialogueAct) -> None:
    assert acts(text) == {act}
    assert kind_of(acts(text)) is not TurnKind.ANSWER


@pytest.mark.parametrize("text", CASES["an answer"])
def test_what_is_an_answer_and_nothing_else(text: str) -> None:
    assert acts(text) == {A.ANSWER}


@pytest.mark.parametrize(("text", "also"), CASES["an answer and more"])
def test_a_turn_can_answer_and_do_something_else(text: str, also: DialogueAct) -> None:
    assert acts(text) == {A.ANSWER, also}


OFFER = Turn(2, "examiner", TurnKind.OFFER, "Would a hint help? It costs a quarter of this point.")


@pytest.mark.parametrize(("text", "found"), CASES["offered"])
def test_a_reply_to_an_offer(text: str, found: list[str]) -> None:
    assert acts(text, OFFER) == set(found)


def test_saying_it_again_is_no_answer() -> None:
    said = "The variance of the dot product grows with the head width, so one divides by its root."
    before = Turn(2, "candidate", TurnKind.ANSWER, said)
    assert acts(said, before) == {A.REPETITION}
    assert acts(f"As I said: {said}", before) == {A.REPETITION}
    assert acts(f"{RUBRIC.question} {RUBRIC.question}") == {A.REPETITION}


SAID = "It keeps the softmax in a range where it still learns."


@pytest.mark.parametrize(("heard", "does"), CASES["beside an answer"])
def test_beside_an_answer_a_model_is_heard_if_it_is_free(heard: list[str], does: list[str]) -> None:
    assert acts(SAID, heard=[A(each) for each in heard]) == set(does)


def test_a_model_that_hears_an_answer_alone_overrules_what_rules_hear_beside_it() -> None:
    mended = "Actually, no, that was fine-tuning and not from scratch."
    assert acts(mended) == {A.ANSWER, A.WITHDRAWAL}
    assert acts(mended, heard={A.ANSWER}) == {A.ANSWER}


def test_what_is_plainly_no_answer_is_none_whatever_a_model_hears() -> None:
    assert acts("ok", heard={A.ANSWER, A.OFF_TOPIC}) == {A.BARE}


def test_an_honest_no_may_be_said_twice() -> None:
    said = "That wasn't part of my work, I could only guess."
    assert acts(said, Turn(2, "candidate", TurnKind.ANSWER, said)) == {A.ANSWER}


@pytest.mark.parametrize(
    "act", [A.WANTS_HINT, A.WANTS_SKIP, A.QUESTION_BACK, A.SAID_THAT, A.OBJECTS, A.TRIES]
)
def test_where_the_model_hears_no_answer_there_is_none(act: A) -> None:
    assert acts(SAID, heard={act}) == {act}
    assert acts("no idea, give me a push", heard={act}) == {act}


def test_in_any_language_a_model_hears_that_the_hint_just_offered_is_taken() -> None:
    assert acts("好的,请给我提示。", OFFER, heard={A.ACCEPTS}) == {A.ACCEPTS}


@given(st.text(max_size=400))
def test_every_text_does_something(text: str) -> None:
    assert acts(text)


def test_no_shipped_sample_is_taken_for_anything_but_an_answer(shipped_rubric: Rubric) -> None:
    answers = [ParsedAnswer(s.answer) for s in shipped_rubric.samples if s.kind != "empty"]
    assert [a.text for a in answers if A.ANSWER not in acts(a.text)] == []
