from __future__ import annotations

import pytest

from interviewer.rubric.patterns import compile_pattern, find, occurrences
from interviewer.rubric.text import Span, normalise, windows


def test_case_is_ignored() -> None:
    assert list(occurrences(r"\bVARIANC\w*", "the variance and variances")) == [(4, 12), (17, 26)]


@pytest.mark.parametrize("regex", ["(open", "(?=ahead)", r"(a)\1"])
def test_an_unreadable_pattern_names_the_reason(regex: str) -> None:
    with pytest.raises(ValueError, match=r"missing|invalid"):
        compile_pattern(regex)


def test_empty_matches_prove_nothing() -> None:
    assert list(occurrences("x*", "abc")) == []
    assert find([("x*",)], "abc") is None


def test_the_first_whole_alternative_counts() -> None:
    match = find([("square", "absent"), ("root", "width")], "square root of the width")
    assert match
    assert match.alternative == 1
    assert match.spans == ((7, 11), (19, 24))


def test_parts_must_stand_close_together() -> None:
    near = normalise("Divide the logits. By the root of the width.")
    far = normalise("Divide the logits. Then mask. Take the root of the width.")
    wanted = [("divide", "root")]
    assert find(wanted, near.text, windows(near))
    assert find(wanted, far.text, windows(far)) is None


def test_a_match_that_does_not_count_gives_way_to_the_next() -> None:
    text = "it does not grow at first, then it does grow"

    def not_negated(span: Span, _regex: str) -> bool:
        return "not" not in text[max(0, span[0] - 6) : span[0]]

    match = find([("grow",)], text, counts=not_negated)
    assert match
    assert match.spans == ((40, 44),)


def test_a_greedy_pattern_stays_inside_its_window() -> None:
    text = normalise("Alpha beta here. Nothing. Nothing. Beta again.")
    match = find([("alpha.*beta",)], text.text, windows(text))
    assert match
    assert match.spans == ((0, 10),)


def test_hostile_patterns_end() -> None:
    assert find([("(x+x+)+y",)], "x" * 8000) is None
