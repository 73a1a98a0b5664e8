"""The evaluation set: what it holds and how a limit is spread."""

from __future__ import annotations

from collections import Counter

import pytest
from support.rubric_writing import rubric_values

from interviewer.examiner.selftest.exam import attacks, eval_set
from interviewer.rubric.rubric import Rubric


def rubrics(number: int) -> list[Rubric]:
    return [Rubric.model_validate(rubric_values(f"rubric-{i}")) for i in range(number)]


def test_without_a_limit_all_samples_and_attacks_are_taken_in_order() -> None:
    items = eval_set(rubrics(2))
    asked = [(task.rubric.id, task.number) for task in items.samples]
    assert asked == [(f"rubric-{i}", number) for i in range(2) for number in range(1, 8)]
    assert len(items.attacks) == 2 * len(attacks())
    assert (len(items.repeated), items.repeats) == (10, 3)
    assert items.items == 14 + 2 * len(attacks()) + 10


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
