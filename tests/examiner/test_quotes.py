"""Which of the candidate's words are quoted, and which quotations are fair."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rubrics import a_criterion, a_rubric
from support.tables import table

from interviewer.examiner.protocol import NEUTRAL, Move, MoveKind, QuestionContext
from interviewer.examiner.wording import LONGEST_WORD, PHRASE_WORDS, faults, phrase, utterance
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import Verdict
from interviewer.rubric.importing import PROBES
from interviewer.rubric.rubric import Criterion, Rating, Rubric

CASES = table("sentences", __file__)["quotes"]

CRITERION = a_criterion(
    "alpha",
    claim="The variance of the logits grows with the head width, so the softmax saturates",
    accept=("gradient clipping bounds the norm", "the learning rate was lowered to 3e-4"),
    probe="What happens to the softmax and its gradient when the logits become large?",
)
RUBRIC = a_rubric(CRITERION)


def context_of(*answers: str, rubric: Rubric = RUBRIC) -> QuestionContext:
    turns = [Turn(1, "examiner", TurnKind.QUESTION, rubric.question)]
    for answer in answers:
        number = len(turns) + 1
        turns += [
            Turn(number, "candidate", TurnKind.ANSWER, answer),
            Turn(number + 1, "examiner", TurnKind.PROBE, "And what is it that follows from that?"),
        ]
    return QuestionContext(rubric, tuple(turns[:-1]), (), NEUTRAL, exam=True)


def quoted(*answers: str, criterion: Criterion = CRITERION) -> str:
    return phrase(context_of(*answers), criterion)


@pytest.mark.parametrize(("answer", "expected"), CASES["quoted"])
def test_a_whole_phrase_near_the_topic_is_quoted(answer: str, expected: str) -> None:
    assert quoted(answer) == expected


@pytest.mark.parametrize("answer", CASES["not quoted"])
def test_what_is_no_fit_phrase_is_not_quoted(answer: str) -> None:
    assert quoted(answer) == ""


def test_the_second_half_of_a_pair_is_not_quoted_as_a_whole() -> None:
    assert quoted("Logits and softmax gradients don't differ from the others.") == ""


def test_later_answers_are_preferred() -> None:
    assert quoted("The softmax saturates early.", "The softmax saturates late.").endswith("late")


def test_only_the_words_a_verdict_rests_on_are_taken_up() -> None:
    credited, later = "The norm is bounded.", "The variance of the logits grows."
    context = context_of(credited, later)
    verdict = Verdict(
        "alpha", Rating.PARTIAL, credited, turn=2, span=(0, len(credited)), vague=True
    )
    resting = replace(context, verdicts=(verdict,))
    assert phrase(context, CRITERION) == "The variance of the logits grows"
    assert phrase(resting, CRITERION) == "The norm is bounded"
    assert (
        utterance(resting, Move(MoveKind.PIN_DOWN, "alpha"))
        == f"“The norm is bounded”, you said. {CRITERION.probe}"
    )


def test_a_probe_that_fits_any_point_is_not_put_to_quoted_words() -> None:
    criterion = a_criterion("alpha", claim=CRITERION.claim, probe=PROBES[1])
    context = context_of("The softmax saturates.", rubric=a_rubric(criterion))
    said = utterance(context, Move(MoveKind.PIN_DOWN, "alpha"))
    assert said.startswith("“The softmax saturates”: ")
    assert PROBES[1] not in said


@pytest.mark.parametrize(
    ("answer", "lead"),
    [
        ("The logits become large.", "“The logits become large”, you said. "),
        ("The learning rate was lowered to 3e-4.", ""),
    ],
)
def test_a_probe_takes_up_what_it_speaks_of(answer: str, lead: str) -> None:
    said = utterance(context_of(answer), Move(MoveKind.PROBE, "alpha"))
    assert said.removeprefix("Okay. ") == f"{lead}{CRITERION.probe}"


def test_a_point_told_in_part_is_said_to_be_touched_where_nothing_can_be_quoted() -> None:
    said = utterance(context_of("Not much of it."), Move(MoveKind.PIN_DOWN, "alpha"))
    assert said == f"You touched on this. {CRITERION.probe}"


def test_once_its_probe_was_asked_a_vague_point_is_pinned_down_in_other_words() -> None:
    context = context_of("It depends.", "The softmax saturates.")
    asked = Turn(3, "examiner", TurnKind.PROBE, CRITERION.probe, target="alpha")
    turns = (*context.turns[:2], asked, *context.turns[3:])
    said = utterance(replace(context, turns=turns), Move(MoveKind.PIN_DOWN, "alpha"))
    assert said.startswith("“The softmax saturates”: ")
    assert CRITERION.probe not in said


def test_a_submitted_run_is_not_quoted() -> None:
    turns = (
        Turn(1, "examiner", TurnKind.QUESTION, RUBRIC.question),
        Turn(2, "candidate", TurnKind.ANSWER, "the softmax saturates early", run=1),
    )
    assert phrase(QuestionContext(RUBRIC, turns, (), NEUTRAL, exam=True), CRITERION) == ""


_SAID = (
    "the softmax gradient logits norm not never saturates grows with and or of a we set I think "
    "clipping, rate. (variance) “width” 3e-4 if because would — ; it's isn't which"
)
_WORDS = st.sampled_from((*_SAID.split(), "head\n"))
_ANSWERS = st.one_of(st.lists(_WORDS, max_size=40).map(" ".join), st.text(max_size=120))


@given(_ANSWERS, _ANSWERS)
def test_a_phrase_is_literal_short_and_fair(first: str, second: str) -> None:
    context = context_of(first, second)
    found = phrase(context, CRITERION)
    if not found:
        return
    assert any(found in turn.text for turn in context.turns if turn.author == "candidate")
    assert PHRASE_WORDS[0] <= len(found.split()) <= PHRASE_WORDS[1]
    assert max(map(len, found.split())) <= LONGEST_WORD
    assert not re.search(r"[“”\"\n{}<>]", found)
    assert list(faults(f"You said “{found}”. What follows from that?", context)) == []


@given(_ANSWERS, st.data())
def test_words_that_nobody_said_are_no_quotation(answer: str, data: st.DataObject) -> None:
    context = context_of(answer)
    made_up = data.draw(st.sampled_from(("zebra stripes", "the softmax zebra", "zebra")))
    assert list(faults(f"You said “{made_up}”. Why?", context)) == [f"nobody said “{made_up}”"]


def test_one_word_may_be_taken_up_if_it_was_said() -> None:
    context = context_of("It gets a bit unstable there.")
    assert list(faults("“Unstable” in what sense?", context)) == []
    assert list(faults("“Stable” in what sense?", context)) == ["nobody said “Stable”"]


@pytest.mark.parametrize(("answer", "text", "fault"), CASES["unfair"])
def test_an_unfair_quotation_is_named(answer: str, text: str, fault: str) -> None:
    (found,) = faults(f"You said “{text}”. What follows?", context_of(answer))
    assert fault in found
    assert text in found


def test_only_a_reply_to_it_quotes_what_is_no_answer() -> None:
    context = context_of("What is a boundary to you?")
    asked = replace(context.turns[-1], kind=TurnKind.ASIDE)
    context = replace(context, turns=(*context.turns[:-1], asked))
    text = "What follows from “a boundary” there?"
    assert [*faults(text, context)] == ["it quotes what is no answer: “a boundary”"]
    assert [*faults(text, context, of_answers=False)] == []


def test_the_meaning_of_an_expression_may_be_asked_for_though_it_was_negated() -> None:
    context = context_of("The data must not get too old.")
    assert list(faults("How old is “too old” on your cluster?", context)) == []
    assert list(faults("“Too old” in which unit?", context)) == []
    assert list(faults("The data gets “too old”, you say; why?", context)) != []


def test_what_was_said_plainly_elsewhere_may_be_quoted() -> None:
    context = context_of("It does not saturate the softmax.", "Large logits saturate the softmax.")
    assert list(faults("You said “saturate the softmax”. Why?", context)) == []


@pytest.mark.parametrize("said", ["损失尖峰是坏数据引起的", "bf16训练", "跳过那些批次"])
def test_words_between_characters_without_spaces_may_be_quoted(said: str) -> None:
    context = context_of("我们用bf16训练，损失尖峰是坏数据引起的，所以跳过那些批次。")
    assert list(faults(f"You said “{said}”. What follows?", context)) == []
    assert list(faults("You said “f16训练”. What follows?", context)) == ["nobody said “f16训练”"]
