"""What of the candidate's words is taken up, which quotations are fair, and how drills are put."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rubrics import a_criterion, a_rubric
from support.tables import table

from interviewer.examiner.checks import misquotes
from interviewer.examiner.protocol import NEUTRAL, Move, MoveKind, QuestionContext
from interviewer.examiner.wording import drill_on_figure, utterance
from interviewer.grading.claims import rules
from interviewer.grading.transcript import ParsedAnswer, Turn, TurnKind, exchange
from interviewer.grading.verdicts import Verdict
from interviewer.rubric.rubric import OwnDrill, Rating, Rubric

CASES = table("sentences", __file__)["quotes"]

CRITERION = a_criterion(**CASES["criterion"])
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


def test_a_point_just_made_is_taken_one_step_further_once() -> None:
    further = a_criterion("alpha", deeper="How would you see the softmax saturate in a run?")
    context = context_of("The softmax saturates.", rubric=a_rubric(further))
    move = Move(MoveKind.PIN_DOWN, "alpha")
    assert further.deeper not in utterance(context, move)
    made = Verdict("alpha", Rating.MET, "The softmax saturates", turn=2, span=(0, 21))
    context = replace(context, verdicts=(made,))
    assert utterance(context, move).endswith(further.deeper)
    said = replace(context, said=(further.deeper,))
    assert utterance(said, move) != further.deeper


def test_a_contradiction_is_put_to_the_test_in_their_words_if_they_are_few() -> None:
    for few, words in ((True, "The softmax never saturates"), (False, "It never does " * 4)):
        context = context_of(words)
        verdict = Verdict("alpha", Rating.CONTRADICTED, words, turn=2, span=(0, len(words)))
        said = utterance(replace(context, verdicts=(verdict,)), Move(MoveKind.CHALLENGE, "alpha"))
        assert (f"“{words}”" in said) is few
        assert list(misquotes(said, context)) == []


_SAID = (
    "the softmax gradient logits norm not never saturates grows with and or of a we set I think "
    "clipping, rate. (variance) “width” 3e-4 if because would — ; it's isn't which"
)
_WORDS = st.sampled_from((*_SAID.split(), "head\n"))
_ANSWERS = st.one_of(st.lists(_WORDS, max_size=40).map(" ".join), st.text(max_size=120))


@given(_ANSWERS, st.data())
def test_words_that_nobody_said_are_no_quotation(answer: str, data: st.DataObject) -> None:
    context = context_of(answer)
    made_up = data.draw(st.sampled_from(("zebra stripes", "the softmax zebra", "zebra")))
    assert list(misquotes(f"You said “{made_up}”. Why?", context)) == [f"nobody said “{made_up}”"]


def test_one_word_may_be_taken_up_if_it_was_said() -> None:
    context = context_of("It gets a bit unstable there.")
    assert list(misquotes("“Unstable” in what sense?", context)) == []
    assert list(misquotes("“Stable” in what sense?", context)) == ["nobody said “Stable”"]


@pytest.mark.parametrize(("answer", "text", "fault"), CASES["unfair"])
def test_an_unfair_quotation_is_named(answer: str, text: str, fault: str) -> None:
    (found,) = misquotes(f"You said “{text}”. What follows?", context_of(answer))
    assert fault in found
    assert text in found


def test_only_a_reply_to_it_quotes_what_is_no_answer() -> None:
    context = context_of("What is a boundary to you?")
    asked = replace(context.turns[-1], kind=TurnKind.ASIDE)
    context = replace(context, turns=(*context.turns[:-1], asked))
    text = "What follows from “a boundary” there?"
    assert [*misquotes(text, context)] == ["it quotes what is no answer: “a boundary”"]
    assert [*misquotes(text, context, of_answers=False)] == []


def test_what_was_said_plainly_elsewhere_may_be_quoted() -> None:
    context = context_of("It does not saturate the softmax.", "Large logits saturate the softmax.")
    assert list(misquotes("You said “saturate the softmax”. Why?", context)) == []


@pytest.mark.parametrize("said", ["损失尖峰是坏数据引起的", "bf16训练", "跳过那些批次"])
def test_words_between_characters_without_spaces_may_be_quoted(said: str) -> None:
    context = context_of("我们用bf16训练，损失尖峰是坏数据引起的，所以跳过那些批次。")
    assert list(misquotes(f"You said “{said}”. What follows?", context)) == []
    assert list(misquotes("You said “f16训练”. What follows?", context)) == [
        "nobody said “f16训练”"
    ]


# -- drills ---------------------------------------------------------------------------


OWN = OwnDrill(
    ask="So what learning rate did you actually set, and how did you find it?",
    wants="learning_rate",
    again="A number, please: what was the peak of that run?",
)
DRILLED = a_rubric(a_criterion("alpha", kind="experience", drill=OWN), a_criterion("beta"))


def asked_after(target: str, *drills: str) -> str:
    """What is asked about the target after it was drilled in these words."""
    turns = [*exchange(DRILLED.question, "Alpha is what decides it, in all that we know.")]
    for words in drills:
        turns.append(Turn(len(turns) + 1, "examiner", TurnKind.DRILL, words, target))
        turns.append(Turn(len(turns) + 1, "candidate", TurnKind.ANSWER, "It was an average one."))
    return utterance(
        QuestionContext(DRILLED, tuple(turns), (), NEUTRAL, exam=True), Move(MoveKind.DRILL, target)
    )


def test_a_criterion_is_drilled_in_its_own_words_then_more_sharply_then_by_its_probe() -> None:
    assert asked_after("alpha") == OWN.ask
    assert asked_after("alpha", OWN.ask) == OWN.again
    assert asked_after("alpha", "What did you set there yourself?") == OWN.again
    assert asked_after("alpha", OWN.ask, OWN.again) == DRILLED.criterion("alpha").probe
    assert asked_after("beta") == DRILLED.criterion("beta").probe


def test_a_figure_is_drilled_by_its_own_words_unless_the_answer_holds_them() -> None:
    def asked(text: str) -> str:
        answer = ParsedAnswer(text)
        (figure,) = rules.read(answer, 2, own_work=True).quantities
        return drill_on_figure(figure, answer)

    assert asked("We got 52% MFU in our run.") == "You said 52% MFU. Which peak did you divide by?"
    assert asked("We got 52% MFU in our run, of the dense peak.") == ""
    assert asked("We got 52% MFU in our run, as a share of the card's teraflops.") == ""
