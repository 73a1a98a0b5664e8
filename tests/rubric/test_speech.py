from __future__ import annotations

import pytest

from interviewer.rubric.speech import dangling, is_common, says


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Does the softmax saturate?", "saturation"),
        ("What about saturated scores?", "saturate"),
        ("Why is clipping needed?", "clipped"),
        ("What does the quantised one hold?", "quantization"),
        ("Do you AllReduce here?", "all-reduce"),
        ("Who all-gathered it?", "allgather"),
        ("Two all gathers, then?", "all-gather"),
        ("Where are the copies kept?", "copy"),
        ("Which square roots?", "square root"),
        ("Is the estimate biased?", "bias"),
        ("Who repeats it, and is it repeating?", "repeated"),
    ],
)
def test_a_term_is_found_however_it_is_written(text: str, term: str) -> None:
    assert says(text, term)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Is the estimate unbiased?", "bias"),
        ("Which root do you take?", "square root"),
        ("What is square about the root?", "root square"),
        ("Where do you gather all of it?", "all-gather"),
        ("How does it interpret that?", "interpolate"),
        ("", "noise"),
    ],
)
def test_other_words_are_not_the_term(text: str, term: str) -> None:
    assert not says(text, term)


def test_everyday_words_alone_betray_nothing() -> None:
    assert all(map(is_common, ("memory", "gradients", "exactly the same", "a batch of 64")))
    assert not any(map(is_common, ("square root", "QK-norm", "per-tensor scale", "fp32")))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("And the other one, what does it store?", "and"),
        ("So why is that, in your eyes?", "so"),
        ("What else takes up room on the card?", "what else"),
        ("Those settings only buy time. What is repaired?", "those"),
        ("Take the second one. What is learned there?", "the second one"),
        ("Now the other layout. What reaches the bottom?", "now the other"),
        ("Your sum is right and it still runs slowly. Why?", "your sum"),
        ("Where does the width enter your argument?", "your argument"),
        ("You’ve just said it hides. What would show that?", "you've just said"),
        ("You have coded it with one key. How did you test it?", "you have coded"),
        ("Now that you know the factor, what is the time?", "now that you"),
        ("Take the derivative of what you have. What pulls?", "what you have"),
        ("In that loop of yours, where is the update?", "that loop of yours"),
    ],
)
def test_a_question_that_leans_on_what_nobody_may_have_said(text: str, told: str) -> None:
    assert dangling(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "What did you actually measure in a run of yours?",
        "How do you know that the next one costs less?",
        "Say the text reads fine. What else could make the norm explode?",
        "Take the second of the three methods. What does it store?",
        "Suppose somebody cuts every entry. Which of those updates differs?",
        "Where in your code is the shift, and what would you have seen without it?",
        "Now put numbers in. How many bytes is it, in all?",
    ],
)
def test_a_question_that_stands_alone(text: str) -> None:
    assert dangling(text) == ""
