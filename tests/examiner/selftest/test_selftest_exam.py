"""Running the exam: agreement, quotes, attacks, failures, and what they cost."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from support.examiners import ScriptedExaminer
from support.judged import unjudged
from support.rubric_writing import rubric_values

from interviewer.errors import ExaminerError
from interviewer.examiner.protocol import QuestionContext
from interviewer.examiner.selftest.exam import Exam, attacks, eval_set, run_exam
from interviewer.grading.verdicts import Judgement, Verdict
from interviewer.rubric.rubric import Rating, Rubric


def rubric(rubric_id: str = "scaled-logits") -> Rubric:
    return Rubric.model_validate(rubric_values(rubric_id))


def answer_of(context: QuestionContext) -> str:
    return context.turns[-1].text


def by_the_key(context: QuestionContext) -> Judgement:
    """The author's verdicts, each with the whole answer as its quote; all else is worth nothing."""
    sample = next((s for s in context.rubric.samples if s.answer == answer_of(context)), None)
    wanted = sample.verdicts if sample else {}
    return Judgement(
        tuple(
            Verdict(c.id, wanted.get(c.id, Rating.NOT_MET), answer_of(context), confirmed=True)
            for c in context.rubric.criteria
        ),
        "scripted",
    )


def all_met(context: QuestionContext) -> Judgement:
    return Judgement(
        tuple(
            Verdict(c.id, Rating.MET, answer_of(context), confirmed=True)
            for c in context.rubric.criteria
        ),
        "scripted",
    )


async def exam_of(examiner: ScriptedExaminer, told: Any = None, **options: Any) -> Exam:
    return await run_exam(examiner, eval_set([rubric()], **options), progress=told)


async def test_an_examiner_that_follows_the_key_passes_and_each_step_is_told() -> None:
    told: list[int] = []
    exam = await exam_of(ScriptedExaminer(judgement=by_the_key), lambda: told.append(1))
    assert len(told) == eval_set([rubric()]).items
    assert exam.result.passed
    assert exam.result.kappa == exam.result.macro_f1 == exam.total.qwk == 1
    assert (exam.result.bias, exam.result.rmse) == (0, 0)
    assert (exam.result.samples, exam.total.verdicts) == (7, 14)
    assert (exam.total.quotes_valid, exam.total.lifted) == (1, 0)
    assert exam.total.worst is None
    assert (exam.result.examiner, exam.result.version) == ("scripted", "test-1")


async def test_a_lenient_examiner_fails_in_words() -> None:
    exam = await exam_of(ScriptedExaminer(judgement=all_met))
    assert not exam.result.passed
    assert exam.result.bias > 0.3
    told = "; ".join(exam.result.failed_on)
    for word in ("macro F1 ", "kappa ", "too lenient", "attacks that lifted a band"):
        assert word in told
    assert exam.total.worst is not None
    assert exam.total.worst.agreed < 0.6


async def test_quotes_that_are_not_the_candidates_are_counted() -> None:
    def inventing(context: QuestionContext) -> Judgement:
        judgement = by_the_key(context)
        invented = tuple(replace(f, evidence="never said at all") for f in judgement.findings)
        return replace(judgement, findings=invented)

    exam = await exam_of(ScriptedExaminer(judgement=inventing), attacks=False)
    assert exam.total.quotes_valid == 0
    assert any("valid quotes" in each for each in exam.result.failed_on)


async def test_attacks_are_compared_with_the_clean_answer() -> None:
    def impressed(context: QuestionContext) -> Judgement:
        return all_met(context) if "manager" in answer_of(context) else by_the_key(context)

    exam = await exam_of(ScriptedExaminer(judgement=impressed))
    assert exam.total.lifting == ("claimed authority",)
    assert exam.total.attack_gain > 0
    assert exam.result.failed_on == (f"1 of {exam.total.attacks} attacks that lifted a band",)


async def test_criteria_left_open_are_told_apart_from_agreement() -> None:
    def half(context: QuestionContext) -> Judgement:
        judgement = by_the_key(context)
        return replace(judgement, findings=(judgement.findings[0], unjudged("initial-loss")))

    exam = await exam_of(ScriptedExaminer(judgement=half), attacks=False)
    assert exam.total.unjudged == 7
    assert exam.total.verdicts == 7
    assert exam.result.kappa == 1
    assert exam.result.failed_on == ("7 of 7 samples not judged in full",)


async def test_failures_are_counted_with_their_reason() -> None:
    errors = [ExaminerError("Server is busy."), ExaminerError("Busy.")]
    failing = ScriptedExaminer(judgement=by_the_key, fail_judge=errors)
    exam = await exam_of(failing, attacks=False)
    failure, _ = exam.total.failures
    assert (failure.task, failure.reason) == ("sample 1 (empty)", "Server is busy.")
    assert exam.result.samples == 5
    assert exam.result.failed_on == ("2 of 7 samples not judged in full",)


async def test_three_failures_at_the_start_end_it() -> None:
    errors = [ExaminerError(f"Server is down {i}.") for i in range(9)]
    examiner = ScriptedExaminer(judgement=by_the_key, fail_judge=errors)
    with pytest.raises(ExaminerError, match="down 2"):
        await exam_of(examiner)
    assert len(examiner.judged) == 3


async def test_without_any_verdict_there_is_no_result() -> None:
    def nothing(context: QuestionContext) -> Judgement:
        return Judgement(tuple(unjudged(c.id) for c in context.rubric.criteria), "scripted")

    with pytest.raises(ExaminerError, match="no verdict on any sample"):
        await exam_of(ScriptedExaminer(judgement=nothing))


async def test_the_report_is_plain_json() -> None:
    exam = await exam_of(ScriptedExaminer(judgement=by_the_key))
    report = exam.as_json()
    assert json.loads(json.dumps(report)) == report
    assert report["result"]["samples"] == 7
    assert report["rubrics"]["scaled-logits"]["kappa"] == 1


def rubrics(number: int) -> list[Rubric]:
    return [Rubric.model_validate(rubric_values(f"rubric-{i}")) for i in range(number)]


def test_without_a_limit_all_samples_and_attacks_are_taken_in_order() -> None:
    items = eval_set(rubrics(2))
    asked = [(task.rubric.id, task.number) for task in items.samples]
    assert asked == [(f"rubric-{i}", number) for i in range(2) for number in range(1, 8)]
    assert len(items.attacks) == 2 * len(attacks())
    assert items.items == 14 + 2 * len(attacks())


@pytest.mark.parametrize("limit", [1, 4, 7, 9, 20, 48, 49, 1000])
def test_a_limit_is_spread_over_rubrics_and_kinds(limit: int) -> None:
    samples = eval_set(rubrics(7), limit=limit).samples
    assert len(samples) == min(limit, 49)
    assert len(set(samples_named(samples))) == len(samples)
    per_rubric = Counter(task.rubric.id for task in samples)
    assert max(per_rubric.values()) - min(per_rubric.values()) <= (limit >= 7)
    assert len(per_rubric) == min(limit, 7)
    assert len({task.number for task in samples}) >= min(limit, 4)


def samples_named(samples) -> list[tuple[str, int]]:
    return [(task.rubric.id, task.number) for task in samples]
