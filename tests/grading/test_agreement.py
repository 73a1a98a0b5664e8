"""Agreement between an author and an examiner: worked examples and what holds for any pairs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.agreement import (
    bias,
    kappa,
    macro_f1,
    quadratic_weighted_kappa,
    rmse,
)
from interviewer.rubric.rubric import Rating

MET, PARTIAL, NOT_MET = Rating.MET, Rating.PARTIAL, Rating.NOT_MET
# Cohen's own kind of table: 20 and 15 on the diagonal, 5 and 10 off it.
COHEN = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
verdict_pairs = st.lists(
    st.tuples(st.sampled_from(Rating), st.sampled_from(Rating)), min_size=1, max_size=40
)


def test_kappa_of_a_worked_table() -> None:
    # 0.7 observed; by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5
    assert kappa(COHEN) == pytest.approx(0.4)


def test_macro_f1_counts_only_verdicts_that_occur() -> None:
    pairs = [(MET, MET), (MET, MET), (MET, PARTIAL), (NOT_MET, NOT_MET)]
    # met: 4 / 5; partial never right: 0; not met: 1; contradicted does not occur
    assert macro_f1(pairs) == pytest.approx((0.8 + 0 + 1) / 3)


def test_weighted_kappa_charges_the_square_of_the_distance() -> None:
    pairs = [(0, 0), (4, 4), (2, 3)]
    # one miss by one band: 1/16 of the worst; by chance the nine cells average (51 / 16) / 9
    expected = 1 - (1 / 16 / 3) / (51 / 16 / 9)
    assert quadratic_weighted_kappa(pairs) == pytest.approx(expected)
    assert quadratic_weighted_kappa([(0, 4), (4, 0)]) == pytest.approx(-1)
    assert quadratic_weighted_kappa([(3, 3), (3, 3)]) == 1


@pytest.mark.parametrize("measure", [macro_f1, kappa, quadratic_weighted_kappa, bias, rmse])
def test_without_a_pair_there_is_nothing_to_measure(measure) -> None:
    with pytest.raises(ValueError, match="at least one"):
        measure([])


@given(verdict_pairs)
def test_perfect_agreement_is_one_and_nothing_is_more(pairs: list[tuple[Rating, Rating]]) -> None:
    same = [(author, author) for author, _ in pairs]
    assert macro_f1(same) == kappa(same) == 1
    assert 0 <= macro_f1(pairs) <= 1
    assert -1 <= kappa(pairs) <= 1
