"""The whole offline interview with candidates that know exactly part of a rubric."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from evals.conduct.candidates import Outcome, SimulatedCandidate, candidates, interviewed
from support.shipped import sample, shipped_rubrics

from interviewer.examiner.moves import Probe
from interviewer.examiner.offline.examiner import OfflineExaminer
from interviewer.interview import commands
from interviewer.rubric.rubric import Rubric
from interviewer.store.store import Store

COUNT = 36
REPEATED_WORDING = (17, 18)
"""Items of the audit that evasions in the same few words, again and again, bring about."""


async def _all(folder: Path) -> list[Outcome]:
    store = Store(folder / "simulated.db")
    rubrics = shipped_rubrics()
    try:
        return [
            await interviewed(store, OfflineExaminer(), candidate, f"{number:010x}")
            for number, candidate in enumerate(candidates(rubrics, COUNT, seed=3))
        ]
    finally:
        store.close()


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    return asyncio.run(_all(tmp_path_factory.mktemp("simulated")))


def test_nobody_is_credited_with_what_they_do_not_know(outcomes: list[Outcome]) -> None:
    credited = [(o.rubric.id, o.unknown_credited) for o in outcomes if o.unknown_credited]
    assert credited == []


def test_drilling_brings_out_most_of_what_was_held_back(outcomes: list[Outcome]) -> None:
    held_back = sum(len(o.known - o.volunteered) for o in outcomes)
    assert sum(len(o.brought_out) for o in outcomes) >= 0.6 * held_back


def test_who_knows_all_passes_and_who_knows_nothing_does_not(outcomes: list[Outcome]) -> None:
    everything = [o.grade.band for o in outcomes if len(o.known) == len(o.rubric.criteria)]
    nothing = [o.grade.band for o in outcomes if not o.known]
    assert everything
    assert nothing
    assert min(band or 0 for band in everything) >= 3
    assert max(band or 0 for band in nothing) == 0


def test_no_utterance_gives_anything_away(outcomes: list[Outcome]) -> None:
    assert [leak for o in outcomes for leak in o.leaks] == []


def test_every_move_and_every_utterance_passes_the_checklist(outcomes: list[Outcome]) -> None:
    assert [(o.rubric.id, fault) for o in outcomes for fault in o.faults] == []


def test_the_audit_finds_nothing_but_repeated_wording(outcomes: list[Outcome]) -> None:
    breaches = [breach for o in outcomes for breach in o.breaches]
    assert [str(each) for each in breaches if each.item not in REPEATED_WORDING] == []


def _says(rubric: Rubric, known: str, question: str) -> bool:
    """Whether a candidate who knows this point says it when asked this."""
    candidate = SimulatedCandidate(rubric, frozenset({known}), frozenset(), random.Random(1))
    reply = candidate.reply(question, Probe(known))
    return isinstance(reply, commands.Answer) and reply.text in rubric.criterion(known).accept


def test_candidates_tell_what_they_are_asked_for_and_nothing_else() -> None:
    rubrics = sample(shipped_rubrics(), 24)
    to_the_point, beside_it = [], []
    for rubric, other in zip(rubrics, [*rubrics[1:], rubrics[0]], strict=True):
        for criterion in rubric.criteria:
            to_the_point.append(_says(rubric, criterion.id, criterion.probe))
            beside_it += [_says(rubric, criterion.id, c.probe) for c in other.criteria]
            generic = ("Go on, what else?", "Can you tell me a bit more about that?")
            beside_it += [_says(rubric, criterion.id, each) for each in generic]
    assert sum(to_the_point) >= 0.9 * len(to_the_point)
    assert sum(beside_it) <= 0.1 * len(beside_it)
