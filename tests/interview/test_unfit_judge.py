"""A judge whose quotes have nothing to do with its points credits nothing, and is named."""

from __future__ import annotations

import pytest
from support.examiners import ScriptedExaminer
from support.rubrics import a_criterion, a_rubric
from support.sessions import begin, grade_in, of_kind, outline, react
from support.shipped import shipped_library
from support.tables import table

from interviewer.examiner.protocol import NEUTRAL, QuestionContext
from interviewer.grading.transcript import exchange
from interviewer.grading.verdicts import Flag, Judgement, Verdict, credit
from interviewer.interview import commands, events
from interviewer.interview.examining import check_judgement
from interviewer.rubric.rubric import Rating, Rubric
from interviewer.store.store import Store

CASES = table("cases", __file__)["unfit_judge"]

RUBRIC = a_rubric(
    *(a_criterion(name, claim=claim, accept=()) for name, claim in CASES["criteria"]),
    reference=CASES["reference"],
)
TALK = "Well, we had coffee with the team that morning and it rained."


def met_to_everything(context: QuestionContext) -> Judgement:
    quote = context.turns[-1].text.split(". ")[0]
    return Judgement(
        tuple(Verdict(c.id, Rating.MET, quote) for c in context.rubric.criteria), "yes-man"
    )


async def test_it_is_named_once_and_offline_can_take_over(store: Store) -> None:
    examiner = ScriptedExaminer(judgement=met_to_everything)
    interview = begin(store, (outline(RUBRIC),), {RUBRIC.id: RUBRIC}, examiner)
    said = [commands.Answer(TALK), commands.Answer(f"{TALK} And so on."), commands.Skip()]
    seen = await react(interview, {events.YourTurn: said, events.TurnFailed: [commands.Retry()]})
    (failed,) = of_kind(seen, events.TurnFailed)
    assert "yes-man is no fit judge" in failed.message
    assert "offline" in failed.choices
    grade = grade_in(interview.state)
    assert grade.final == 0
    assert Flag.UNFIT in grade.flags


@pytest.mark.parametrize("rubric", shipped_library().models()[::24], ids=lambda each: each.id)
def test_no_shipped_question_falls_for_it(rubric: Rubric) -> None:
    if rubric.is_discussion:
        pytest.skip("nobody judges it")
    context = QuestionContext(rubric, exchange(rubric.question, TALK), (), NEUTRAL, True)
    judged = check_judgement(context, met_to_everything(context))
    assert Flag.UNFIT in judged.flags
    assert not any(credit(each) for each in judged.verdicts)


@pytest.mark.parametrize("rubric", shipped_library().models()[::24], ids=lambda each: each.id)
def test_right_words_for_each_point_pass(rubric: Rubric) -> None:
    if rubric.is_discussion:
        pytest.skip("nobody judges it")
    said = {c.id: c.accept[0] for c in rubric.criteria if c.accept}
    context = QuestionContext(
        rubric, exchange(rubric.question, " ".join(said.values())), (), NEUTRAL, True
    )
    findings = tuple(Verdict(id_, Rating.MET, quote) for id_, quote in said.items())
    judged = check_judgement(context, Judgement(findings, "fair"))
    assert Flag.UNFIT not in judged.flags
