from __future__ import annotations

import pytest

from interviewer.rubric.text import is_common, says


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
