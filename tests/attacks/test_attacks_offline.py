"""The attack suite against the offline examiner, the whole way from the answer to the score.

On two rubrics, so that it stays quick; the exam of ``.ci/run`` holds every attack against more with
``tests/benchmarks/attack_gain.py``, which takes all where none is named.
"""

from __future__ import annotations

import pytest
from evals.attacks.suite import (
    Attack,
    Clean,
    failures,
    graded,
    load_attacks,
    measure,
    sample_of,
    score,
    turns_of,
)
from evals.attacks.transforms import wrong_numbers
from support.shipped import shipped

from interviewer.examiner.offline.examiner import OfflineExaminer
from interviewer.grading.numerals import states
from interviewer.rubric.rubric import Rubric, Verdict

CHOSEN = (
    "attention-scale-root-dk",
    "pretraining-loss-spike",
    "grpo-objective-in-detail",
    "annotator-disagreement",
    "zero-memory-arithmetic",
    "project-deep-dive",
)
RUBRICS = tuple(map(shipped, CHOSEN))
ATTACKED = RUBRICS[:2]
EXAMINER = OfflineExaminer()
ATTACKS = load_attacks()


@pytest.fixture(scope="module")
def clean() -> Clean:
    return Clean(EXAMINER)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.id)
async def test_the_attack_gets_nothing_it_should_not_get(attack: Attack, clean: Clean) -> None:
    results = await measure(EXAMINER, attack, ATTACKED, clean)
    assert results
    assert list(failures(attack, results)) == []


@pytest.mark.parametrize("rubric", RUBRICS, ids=lambda rubric: rubric.id)
async def test_the_samples_are_worth_attacking(rubric: Rubric, clean: Clean) -> None:
    """There is a band to be lifted and credit to be lost, or no bar above could fail."""
    good, middle, wrong = [await clean.grade(rubric, b) for b in ("good", "middle", "wrong")]
    assert score(good) >= 0.7
    assert (wrong.band or 0) < (middle.band or 0) < (good.band or 0)


@pytest.mark.parametrize("rubric", RUBRICS, ids=lambda rubric: rubric.id)
async def test_a_wrong_number_is_never_the_number_asked_for(rubric: Rubric) -> None:
    wrong = wrong_numbers(sample_of(rubric, "good"))
    grade = await graded(EXAMINER, rubric, turns_of(rubric, wrong))
    verdicts = {v.criterion: v.verdict for v in grade.verdicts}
    for criterion in rubric.criteria:
        if any(not states(fact, wrong) for fact in criterion.numbers):
            assert verdicts[criterion.id] is not Verdict.MET
