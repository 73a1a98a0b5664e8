"""The evaluation set: what it holds, how a limit is spread, and points that are taken out."""

from __future__ import annotations

from collections import Counter

import pytest
from support.rubric_writing import rubric_values
from support.rubrics import a_criterion, a_rubric

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.selftest.attacks import ATTACKS, Mutant, mutants_of, mutations_of
from interviewer.examiner.selftest.exam import Exam, eval_set, run_exam
from interviewer.rubric.rubric import Misconception, Rating, Rubric, Sample


def rubrics(number: int) -> list[Rubric]:
    return [Rubric.model_validate(rubric_values(f"rubric-{i}")) for i in range(number)]


def test_without_a_limit_all_samples_and_attacks_are_taken_in_order() -> None:
    items = eval_set(rubrics(2))
    asked = [(task.rubric.id, task.number) for task in items.samples]
    assert asked == [(f"rubric-{i}", number) for i in range(2) for number in range(1, 8)]
    assert len(items.attacks) == 2 * len(ATTACKS)
    assert (len(items.repeated), items.repeats) == (10, 3)
    assert items.judgements == 14 + 2 * len(ATTACKS) + 10 * 2


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


# -- a point taken out ----------------------------------------------------------------


ANSWER = (
    "To begin with, the alpha effect sets the scale of the whole thing. "
    "After that the beta effect adds its own part to the sum. "
    "I should say that this is what we saw on our cluster as well."
)
ALPHA = a_criterion(
    "alpha", misconceptions=(Misconception(claim="That part plays no role at all here"),)
)
BOTH_MET = {"alpha": Rating.MET, "beta": Rating.MET}


def rubric_with(**patterns: str) -> Rubric:
    beta = a_criterion("beta")
    criteria = tuple(
        c.model_copy(update={"patterns": ((patterns.get(c.id, c.id),),)}) for c in (ALPHA, beta)
    )
    full = Sample(kind="full", answer=ANSWER, verdicts=BOTH_MET)
    return a_rubric(*criteria, reference=ANSWER, samples=(full,))


async def exam_of(rubric: Rubric, examiner: object = None) -> Exam:
    return await run_exam(
        examiner or OfflineExaminer(),  # type: ignore[arg-type]
        eval_set([rubric], attacks=False, repeats=1, mutants=True),
    )


def test_a_mutant_lacks_the_sentence_that_carries_the_point() -> None:
    start = ANSWER.index("alpha")
    removed, turned = mutants_of(ALPHA, ANSWER, (start, start + 5))
    rest = ANSWER.split(". ", 1)[1]
    assert removed == Mutant("removed", rest)
    assert turned == Mutant("reversed", f"{rest} That part plays no role at all here")


def test_only_points_that_a_full_sample_makes_are_taken_out() -> None:
    partly = {"alpha": Rating.MET, "beta": Rating.PARTIAL}
    rubric = a_rubric(samples=(Sample(kind="full", answer=ANSWER, verdicts=partly),))
    assert [mutation.criterion.id for mutation in mutations_of(rubric)] == ["alpha"]
    assert mutations_of(a_rubric()) == ()


async def test_points_that_go_with_their_words_are_caught() -> None:
    exam = await exam_of(rubric_with())
    assert (exam.total.mutants, exam.total.caught) == (3, 3)
    assert not exam.total.cannot_tell


async def test_a_point_that_something_else_earns_is_not_caught() -> None:
    exam = await exam_of(rubric_with(alpha=r"alpha|we saw on our cluster"))
    assert (exam.total.mutants, exam.total.caught) == (3, 1)
    assert any("1 of 3 mutants caught" in missed for missed in exam.result.failed_on)


async def test_a_point_that_was_never_credited_makes_no_mutant() -> None:
    exam = await exam_of(rubric_with(alpha="omega"))
    assert (exam.total.mutants, exam.total.caught) == (1, 1)
