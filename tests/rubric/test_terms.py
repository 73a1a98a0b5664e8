"""Named words in patterns: put in on loading, once, with a clear sentence where a name is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from support.rubrics import a_criterion, a_rubric

from interviewer.content.problems import FieldsError
from interviewer.rubric.patterns import compile_pattern
from interviewer.rubric.rubric import Rubric
from interviewer.rubric.terms import SHARED, with_terms


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


def faults_of(values: dict[str, Any]) -> list[tuple[str, str]]:
    with pytest.raises(FieldsError) as caught:
        with_terms(values)
    return [("/".join(map(str, where)), message) for where, message in caught.value.faults]


def test_every_unknown_term_is_told_by_its_place() -> None:
    wrong = {"claim": "It shrinks", "patterns": ["{shrnik}", ["{grow}", "{zzz}"]]}
    criterion = {"patterns": [["{grow}", "{grwo} {grow}"]], "partly": ["{x1}"]}
    criteria = [criterion, {"claim": "{grwo}", "misconceptions": [wrong]}]
    places = dict(faults_of({"criteria": criteria}))
    assert list(places) == [
        "criteria/0/patterns/0/1",
        "criteria/0/partly/0",
        "criteria/1/misconceptions/0/patterns/0",
        "criteria/1/misconceptions/0/patterns/1/1",
    ]
    assert "there is no term {grwo}: write {grow}" in places["criteria/0/patterns/0/1"]
    assert "use one of because, compare," in places["criteria/0/partly/0"]


def test_terms_cannot_grow_without_end() -> None:
    terms = {"a0": "x" * 100} | {f"a{n}": f"{{a{n - 1}}}" * 10 for n in range(1, 40)}
    ((place, message),) = faults_of({"terms": terms, "criteria": []})
    assert (place, "more than 8000 characters" in message) == ("terms/a2", True)
    pattern = {"terms": {"long": "y" * 900}, "criteria": [{"patterns": ["{long}" * 9]}]}
    assert faults_of(pattern)[0][0] == "criteria/0/patterns/0"


@pytest.mark.parametrize("values", [None, [], {"terms": []}, {"terms": {"a": ["b"]}}])
def test_what_is_not_shaped_like_a_rubric_is_left_to_the_model(values: Any) -> None:
    assert with_terms(values) is values
