"""The honest measure: derivations that were written from the tasks alone, right ones and wrong.

On a part of the corpus; the exam of ``.ci/run`` goes through all of it with
``tests/benchmarks/derivation_corpus.py``.
"""

from __future__ import annotations

from collections import Counter

import pytest
from benchmarks.derivation_corpus import Derivation, Finding, examine, first_bad, right, wrong
from support.shipped import sample

from interviewer.sandbox.bench import Bench
from interviewer.sandbox.result import Outcome

RIGHT = right()
WRONG = wrong()

in_session = pytest.mark.asyncio(loop_scope="session")


def named(derivation: Derivation) -> str:
    return f"{derivation.challenge}-{derivation.id}"


async def finding(bench: Bench, derivation: Derivation) -> Finding:
    (found,) = await examine(bench, [derivation])
    return found


@in_session
@pytest.mark.parametrize("derivation", sample(RIGHT, 16), ids=named)
async def test_a_right_derivation_passes(bench: Bench, derivation: Derivation) -> None:
    found = await finding(bench, derivation)
    assert found.result.outcome is Outcome.PASSED, found.told()


@in_session
@pytest.mark.parametrize("derivation", sample(WRONG, 24), ids=named)
async def test_a_wrong_derivation_fails_at_its_line(bench: Bench, derivation: Derivation) -> None:
    found = await finding(bench, derivation)
    assert found.result.outcome is Outcome.FAILED, found.told()
    bad = first_bad(found.result)
    assert bad is not None
    assert bad.line == derivation.line, found.told()
    assert bad.message


def test_the_corpus_is_large_and_spread() -> None:
    for corpus, research, new in ((RIGHT, 8, 30), (WRONG, 30, 35)):
        origins = Counter(derivation.origin for derivation in corpus)
        assert origins["research"] == research
        assert origins["new"] >= new
        fresh = [derivation for derivation in corpus if derivation.origin == "new"]
        assert len({derivation.challenge for derivation in fresh}) >= 20
        assert sum(derivation.is_function for derivation in fresh) >= len(fresh) // 3
        assert len({derivation.id for derivation in corpus}) == len(corpus)


def test_mistakes_lie_inside_their_source() -> None:
    assert all(derivation.line is None for derivation in RIGHT)
    for derivation in WRONG:
        assert derivation.line is not None
        assert derivation.mistake
        line = derivation.source.splitlines()[derivation.line - 1]
        assert line.strip()
        assert not line.lstrip().startswith("#")
        assert line.startswith("def ") or not derivation.is_function
