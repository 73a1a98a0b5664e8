"""What the shipped library asks: every question of the map, and what lies beyond it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from support.shipped import shipped_rubrics

from interviewer.rubric.rubric import Rubric

QUESTIONS = Path(__file__).with_name("questions.txt").read_text("utf-8").split()
"""The questions that the library promises, an id a line."""
BEYOND = 20
KINDS = {"empty", "wrong", "middle", "full", "recited"}


@pytest.fixture(scope="module")
def rubrics() -> tuple[Rubric, ...]:
    return shipped_rubrics()


def test_every_question_of_the_map_has_one_rubric(rubrics: tuple[Rubric, ...]) -> None:
    covered = Counter(question for rubric in rubrics for question in rubric.covers)
    assert len(QUESTIONS) == 111
    assert sorted(covered) == QUESTIONS
    assert set(covered.values()) == {1}


def test_the_library_goes_beyond_the_map(rubrics: tuple[Rubric, ...]) -> None:
    beyond = [rubric.id for rubric in rubrics if not rubric.covers]
    assert len(beyond) >= BEYOND


def test_every_shipped_rubric_is_whole(rubrics: tuple[Rubric, ...]) -> None:
    for rubric in rubrics:
        kinds = Counter(sample.kind for sample in rubric.samples)
        assert len(rubric.samples) >= 7, rubric.id
        assert kinds.keys() >= KINDS, rubric.id
        assert kinds["middle"] >= 2, rubric.id
        assert kinds["negated"] + kinds["swapped"], rubric.id
        assert 4 <= len(rubric.criteria) <= 8, rubric.id
        assert any(criterion.must_have for criterion in rubric.criteria), rubric.id
        assert 1 <= len(rubric.escalations) <= 3, rubric.id
        assert rubric.sources, rubric.id
        for criterion in rubric.criteria:
            assert len(criterion.hints) == 2, (rubric.id, criterion.id)
            assert criterion.accept, (rubric.id, criterion.id)
            assert criterion.reject, (rubric.id, criterion.id)
