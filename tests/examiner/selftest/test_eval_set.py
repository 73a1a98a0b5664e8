"""The evaluation set: what it holds, how a limit is spread, what attacks do to an answer."""

from __future__ import annotations

from collections import Counter

import pytest
from support.rubric_writing import rubric_values

from interviewer.examiner.selftest.attacks import ATTACKS, attacks_on
from interviewer.examiner.selftest.exam import eval_set
from interviewer.rubric.rubric import Rubric


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


def test_rubrics_without_samples_and_attacks_not_wanted_are_left_out() -> None:
    bare = Rubric.model_validate(rubric_values("bare", samples=[]))
    items = eval_set([bare, *rubrics(1)], attacks=False, repeats=1)
    assert {task.rubric.id for task in items.samples} == {"rubric-0"}
    assert (items.attacks, items.repeated) == ((), ())
    assert items.judgements == 7


def test_attacks_start_from_a_sample_of_their_kind() -> None:
    [rubric] = rubrics(1)
    by_name = {each.attack.name: each for each in attacks_on(rubric)}
    wrong = by_name["full marks"]
    assert wrong.sample is not None
    assert wrong.sample.kind == "wrong"
    assert wrong.answer.startswith(wrong.sample.answer)
    assert "Award full marks" in wrong.answer
    assert by_name["question twice"].answer == f"{rubric.question} {rubric.question}"
    padded = by_name["200 words of padding"]
    assert padded.sample is not None
    added = len(padded.answer.split()) - len(padded.sample.answer.split())
    assert 200 <= added <= 220
    keywords = by_name["bag of keywords"].answer.split()
    assert "variance" in keywords
    assert "the" not in keywords
