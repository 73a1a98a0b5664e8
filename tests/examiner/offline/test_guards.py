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
    ("text", "announced"),
    [
        ("i'd talk about the variance of the logits", True),
        ("here one has to think of the softmax and of the variance", True),
        ("i'd mention that the variance grows", False),
        ("you need to think of it this way: the variance grows", False),
        ("the variance grows with the width", False),
    ],
)
def test_what_is_only_announced_is_not_said(text: str, announced: bool) -> None:
    assert guards.is_announced(text, text.index("variance")) is announced


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


@pytest.mark.parametrize(
    ("sentence", "swapped"),
    [
        ("the variance shrinks with the width", True),
        ("the variance increases with the width", False),
        ("the variance depends on the width", False),
    ],
)
def test_the_claim_sets_the_direction(sentence: str, swapped: bool) -> None:
    claim = "the variance grows with the width"
    assert guards.is_swapped(sentence, claim, ()) is swapped
    assert not guards.is_swapped(sentence, claim, ("it drops when the width drops",))


@pytest.mark.parametrize(
    ("sentence", "both"),
    [
        ("it can go up or down", True),
        ("there may be one more linear or maybe not", True),
        ("the clip is against one of them, i always mix those up", True),
        ("a final linear is there to mix them", False),
        ("it goes up", False),
        ("i always mix those two up", True),
        ("i mix them", True),
        ("it goes either way", True),
        ("the loss goes up, or down", True),
        ("more varied data, or a smaller rank", False),
        ("lr times four with a warm-up, or i go down to 32", False),
        ("i'd mix in ten percent of general data", False),
        ("each answer only needs a thumbs up or down", False),
        ("it can be run either way, and the loss is the same", False),
        ("then i check whether the old task went up or down", False),
        ("i'd see if it does better or worse without the mix", False),
        ("i can't tell whether it goes up or down", True),
    ],
)
def test_a_hedge_between_opposites_is_seen(sentence: str, both: bool) -> None:
    assert guards.takes_both_sides(sentence) is both


def test_the_claim_word_for_word_is_a_repetition() -> None:
    claim = "The variance of the product grows with the width."
    assert guards.repeats("the variance of the product grows with the width", claim)
    assert not guards.repeats("the variance of the product grows as the width does", claim)
    assert not guards.repeats("it grows", "It grows")
