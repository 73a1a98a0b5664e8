"""Named words in patterns: put in on loading, once, with a clear sentence where a name is wrong."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from support.rubrics import a_criterion, a_rubric

from interviewer.rubric.patterns import compile_pattern
from interviewer.rubric.rubric import Rubric
from interviewer.rubric.terms import SHARED


@pytest.mark.parametrize("name", SHARED)
def test_every_shared_term_is_a_pattern_of_its_own(name: str) -> None:
    pattern = compile_pattern(rf"^(?:x|{SHARED[name]}|y)$")
    assert pattern.search("x")
    assert not pattern.search("")


def test_a_term_stands_for_its_words_wherever_patterns_stand() -> None:
    criterion = a_criterion(
        "alpha",
        patterns=[[r"\b{grow}\b", "width"]],
        partly=["{herd} of {number}"],
        misconceptions=[{"claim": "It shrinks", "patterns": [r"\b{shrink}\b"]}],
    ).model_dump(mode="json")
    rubric = a_rubric(criterion, terms={"herd": "flock|pack"})  # type: ignore[arg-type]
    (alpha,) = rubric.criteria
    assert compile_pattern(alpha.patterns[0][0]).search("it goes up")
    assert compile_pattern(alpha.partly[0][0]).search("a pack of sixteen")
    assert compile_pattern(alpha.misconceptions[0].patterns[0][0]).search("it decreases")
    assert Rubric.model_validate(rubric.model_dump(mode="json")) == rubric


def test_counts_in_braces_are_no_terms() -> None:
    rubric = a_rubric(a_criterion("alpha", patterns=[r"a{2}.{0,20}b\{c\}"]))
    assert rubric.criteria[0].patterns[0][0] == r"a{2}.{0,20}b\{c\}"


def test_an_unknown_term_is_named_with_what_there_is() -> None:
    with pytest.raises(ValidationError, match=r"no term \{grwo\}.*grow"):
        a_rubric(a_criterion("alpha").model_dump(mode="json") | {"patterns": ["{grwo}"]})
