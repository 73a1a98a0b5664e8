"""What the shipped library asks: every question of the map, and what lies beyond it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from support.shipped import shipped_rubrics

from interviewer.rubric.rubric import Rubric

QUESTIONS = Path(__file__).with_name("questions.txt").read_text("utf-8").split()
"""The questions that the library promises, an id a line."""
KINDS = {"empty", "wrong", "middle", "full", "recited"}
TURN_ON_NO_SINGLE_POINT = {
    "benchmark-map",
    "double-quantisation-arithmetic",
    "expert-parallel-all-to-all",
    "finetune-13b-on-consumer-gpus",
    "fit-and-speed-13b-on-8",
    "lr-warmup-purpose",
    "reward-hacking-symptoms",
    "sft-data-construction",
    "strong-versus-weak-scaling",
}
"""They ask for several points alike, or for figures alone: none of these is a must-have."""


@pytest.fixture(scope="module")
def rubrics() -> tuple[Rubric, ...]:
    return shipped_rubrics()


def test_every_question_of_the_map_has_one_rubric_and_there_are_more(
    rubrics: tuple[Rubric, ...],
) -> None:
    covered = Counter(question for rubric in rubrics for question in rubric.covers)
    assert len(QUESTIONS) == 111
    assert sorted(covered) == QUESTIONS
    assert set(covered.values()) == {1}
    assert sum(not rubric.covers for rubric in rubrics) >= 20


def test_every_shipped_rubric_is_whole(rubrics: tuple[Rubric, ...]) -> None:
    for rubric in rubrics:
        kinds = Counter(sample.kind for sample in rubric.samples)
        assert len(rubric.samples) >= 7, rubric.id
        assert kinds.keys() >= KINDS, rubric.id
        assert kinds["middle"] >= 2, rubric.id
        assert kinds["negated"] + kinds["swapped"], rubric.id
        if rubric.kind == "one-liner":
            assert rubric.difficulty == "easy", rubric.id
            assert len(rubric.criteria) <= 3, rubric.id
        else:
            assert 4 <= len(rubric.criteria) <= 8, rubric.id
            assert 1 <= len(rubric.escalations) <= 3, rubric.id
        assert rubric.sources, rubric.id
        for criterion in rubric.criteria:
            assert len(criterion.hints) == 2, (rubric.id, criterion.id)
            assert criterion.accept, (rubric.id, criterion.id)
            assert criterion.reject, (rubric.id, criterion.id)


def test_what_a_shipped_rubric_says_can_be_taken_in_when_it_is_heard_once(
    rubrics: tuple[Rubric, ...],
) -> None:
    for rubric in rubrics:
        longest = 15 if rubric.kind == "one-liner" else 30
        assert len(rubric.question.split()) <= longest, rubric.id
        for criterion in rubric.criteria:
            for asked in filter(None, [criterion.probe, criterion.deeper]):
                assert 5 <= len(asked.split()) <= 25, (rubric.id, asked)
            for hint in criterion.hints:
                assert len(hint.split()) <= 25, (rubric.id, hint)
        for asked in (*rubric.simpler, *rubric.harder):
            assert asked.count("?") == 1, (rubric.id, asked)


def test_the_weights_of_a_shipped_rubric_are_balanced(rubrics: tuple[Rubric, ...]) -> None:
    for rubric in rubrics:
        due = [criterion.weight for criterion in rubric.criteria if not criterion.extra]
        assert len(due) == 1 or max(due) <= 0.6 * sum(due), rubric.id
        assert min(due) >= 0.1 * max(due), rubric.id


def test_a_shipped_rubric_has_one_must_have_where_its_question_turns_on_one_point(
    rubrics: tuple[Rubric, ...],
) -> None:
    """Two would fail an answer for one gap; whoever adds a rubric without one says so here."""
    must_haves = {r.id: sum(criterion.must_have for criterion in r.criteria) for r in rubrics}
    assert {each for each, n in must_haves.items() if n > 1} == set()
    assert {each for each, n in must_haves.items() if not n} == TURN_ON_NO_SINGLE_POINT
