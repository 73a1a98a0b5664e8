"""The same said in English, in Chinese or in both is worth the same and may be taken up alike."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.examiners import ScriptedExaminer
from support.fake_endpoint import context_of
from support.sessions import begin, hold, outline
from support.shipped import shipped_library
from support.tables import table

from interviewer.examiner.checks import objections
from interviewer.examiner.protocol import Heard, Move, MoveKind, Proposal, QuestionContext
from interviewer.grading.transcript import DialogueAct, TurnKind
from interviewer.grading.verdicts import Evidence, Judgement, Verdict
from interviewer.interview.commands import Answer, Pause
from interviewer.rubric.rubric import Rating
from interviewer.store.store import Store

CASES = table("sentences", __file__)["other_scripts"]

FORMATS = shipped_library().get("bf16-versus-fp16").model
SAID = CASES["said"]
DRILLS = "On those cards of yours, which factor did you actually set, and what made you pick it?"
TAKES_UP = "Master weights in fp32, noted. What would go wrong if you dropped them?"


def judged(context: QuestionContext) -> Judgement:
    """The two points that each version makes, by its own words."""
    first = context.turns[1].text
    bits, scaling = next(quotes for text, *quotes, _ in SAID.values() if text == first)
    made = (
        Verdict("bit-layout", Rating.MET, bits[0], further=(Evidence(bits[1]),)),
        Verdict("fp16-loss-scaling", Rating.MET, str(scaling)),
    )
    known = {each.criterion for each in made}
    missed = (c.id for c in context.rubric.criteria if c.id not in known)
    return Judgement((*made, *(Verdict(c, Rating.NOT_MET) for c in missed)), "scripted")


def heard(context: QuestionContext) -> Heard:
    """An answer; after a drill it gives a decision."""
    gives = "decision" if context.turns[-2].kind is TurnKind.DRILL else ""
    probe, drill = Move(MoveKind.PROBE, "lost-updates"), Move(MoveKind.DRILL, "fp16-loss-scaling")
    proposals = (Proposal(DRILLS, drill), Proposal(TAKES_UP, probe))
    return Heard(frozenset({DialogueAct.ANSWER}), proposals, gives=gives)


@pytest.mark.parametrize("language", SAID)
async def test_verdicts_words_and_drills_are_the_same(store: Store, language: str) -> None:
    examiner = ScriptedExaminer(judgement=judged, hears=heard)
    rounds = [replace(outline(FORMATS), drills=True)]
    interview = begin(store, rounds, {FORMATS.id: FORMATS}, examiner)
    first, _, _, told = SAID[language]
    await hold(interview, [Answer(first), Answer(told), Pause()])
    (question,) = interview.state.questions
    made = {v.criterion for v in question.verdicts.values() if v.verdict is Rating.MET}
    assert made == {"bit-layout", "fp16-loss-scaling"}
    assert [turn.text for turn in question.follow_ups] == [DRILLS, TAKES_UP]
    assert [mark.passed for mark in question.drills] == [True]


@pytest.mark.parametrize("language", ["zh", "mixed"])
def test_a_term_said_in_another_script_is_no_certain_leak(language: str) -> None:
    context = context_of(SAID[language][0], rubric=FORMATS)
    assert objections(TAKES_UP, context, Move(MoveKind.PROBE, "lost-updates")) == ()


def test_a_figure_said_in_chinese_may_be_taken_up() -> None:
    zero = shipped_library().get("zero-memory-arithmetic").model
    asks = "Say N grows from 8 to a thousand. What becomes of your 38.5 GB then?"
    probe = Move(MoveKind.PROBE, zero.criteria[-1].id)
    said = context_of("第一阶段每张卡是三十八点五 GB。", rubric=zero)
    assert objections(asks, said, probe) == ()
    assert objections(asks, context_of("It shrinks with every stage.", rubric=zero), probe)
