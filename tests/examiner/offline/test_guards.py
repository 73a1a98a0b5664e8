"""What holds a hit back: lists, bags, announcements, hedges, swapped directions, denials."""

from __future__ import annotations

import pytest

from interviewer.examiner.offline import guards
from interviewer.rubric.text import is_denied


@pytest.mark.parametrize(
    ("text", "a_list"),
    [
        ("softmax, variance, head width, gradient, logits, scaling, jacobian, root", True),
        ("loss, gradient norm, learning rate, update size, node swaps, memory errors", True),
        (
            "stage one partitions optimiser states, stage two additionally partitions gradients",
            False,
        ),
        ("the variance grows with the width, so softmax saturates, and gradients vanish", False),
        (
            "scores = q k^T / sqrt(d), variance = d, std = 11, softmax saturates, gradients die",
            False,
        ),
    ],
)
def test_a_string_of_short_terms_is_a_list(text: str, a_list: bool) -> None:
    at = text.index("gradient")
    assert guards.is_in_a_list(text, at, at + 8) is a_list


@pytest.mark.parametrize(
    ("text", "a_bag"),
    [
        (
            "width variance 11.3 gradient softmax one-hot 16/N jacobian entries grows 128 scaled",
            True,
        ),
        ("the gradient is small there because the softmax is saturated and all but flat so", False),
        (
            "softmax saturates, gradient dies, jacobian near zero, rescale logits, variance one",
            False,
        ),
        ("L = log(a) + log(b) - gradient * weight / sum(p) + beta * kl(q, r) - c * entropy", False),
    ],
)
def test_words_in_a_row_without_a_mark_are_a_bag(text: str, a_bag: bool) -> None:
    at = text.index("gradient")
    assert guards.is_in_a_bag(text, at, at + 8) is a_bag


@pytest.mark.parametrize(
    ("text", "asked_for_names", "a_string"),
    [
        ("softmax, 0.02 init, head width 128, gradient, b=64, qk / norm, mixture of heads", 0, 1),
        ("softmax, 0.02 init, head width 128, gradient, b=64, qk / norm, mixture of heads", 1, 0),
        ("softmax, logits, width, gradient, heads, norm, root, std, init, rope, loss, b", 1, 1),
        ("softmax saturates as logits grow, so the gradient dies, heads of 128, norm, root", 0, 0),
        ("width -> 128, std -> 11, softmax -> 1, gradient -> 0, root -> fix, 1 -> kept", 0, 0),
    ],
)
def test_bare_terms_in_a_row_are_a_string_whatever_figures_they_have(
    text: str, asked_for_names: bool, a_string: bool
) -> None:
    at = text.index("gradient")
    assert guards.is_in_a_string(text, at, wanted=bool(asked_for_names)) is bool(a_string)


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("it isn't the case that the sum of all those products has a variance of d", True),
        ("i don't think that in a wide head of any kind the variance changes", True),
        ("nobody says that the variance grows", True),
        ("it's a myth that the variance grows", True),
        ("it's not the mean that changes, but the variance grows", False),
        ("i don't think it is the mean, because the variance grows", False),
        ("the variance grows, i don't think anybody doubts it", False),
    ],
)
def test_a_denial_reaches_what_follows_it_in_its_sentence(text: str, denied: bool) -> None:
    assert is_denied(text, text.index("variance")) is denied


def test_the_claim_word_for_word_is_a_repetition() -> None:
    claim = "The variance of the product grows with the width."
    assert guards.repeats("the variance of the product grows with the width", claim)
    assert not guards.repeats("the variance of the product grows as the width does", claim)
    assert not guards.repeats("it grows", "It grows")
