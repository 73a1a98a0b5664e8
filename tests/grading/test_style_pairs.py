"""Answers with the same facts in two styles: their scores are within 0.05, or known not to be.

When the pairs were first graded, 19 of 31 were within 0.05. No rubric may be made to fit them.
"""

from __future__ import annotations

import asyncio

import pytest
from support.shipped import shipped
from support.style_pairs import GradedPair, graded_pairs, load_pairs

from interviewer.examiner.offline.examiner import OfflineExaminer

KNOWN = {
    "activation-checkpointing": 0.15,
    "catastrophic-forgetting": 0.37,
    "compute-optimal-scaling": 0.10,
    "contamination-and-gaming": 0.10,
    "dpo-versus-ppo": 0.25,
    "low-mfu-speedup": 0.07,
    "multi-node-hang": 0.08,
    "optimizer-offload": 0.08,
    "pipeline-bubble": 0.34,
    "pretraining-loss-spike": 0.08,
}
"""Pairs known to differ by more than 0.05, by rubric, with the most by which they do."""


@pytest.fixture(scope="module")
def graded() -> list[GradedPair]:
    return asyncio.run(graded_pairs(OfflineExaminer(), load_pairs()))


def test_no_pair_differs_but_those_known_to(graded: list[GradedPair]) -> None:
    apart = {each.pair.rubric: each.difference for each in graded if not each.alike}
    assert {name: by for name, by in apart.items() if abs(by) > KNOWN.get(name, 0)} == {}


def test_a_pair_counts_as_known_only_while_it_differs(graded: list[GradedPair]) -> None:
    assert {each.pair.rubric for each in graded if not each.alike} == KNOWN.keys()


def test_both_of_a_pair_say_something(graded: list[GradedPair]) -> None:
    """Two answers that earn nothing would be alike, too."""
    assert [e.pair.rubric for e in graded if not (e.one.grade.final and e.other.grade.final)] == []


def test_there_are_pairs_of_many_kinds_on_many_questions() -> None:
    pairs = load_pairs()
    rubrics = {shipped(pair.rubric).id for pair in pairs}
    assert len(pairs) == len(rubrics) == 31
    assert len({pair.kind for pair in pairs}) == 8
