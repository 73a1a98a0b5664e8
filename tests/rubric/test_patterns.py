"""Patterns: what they find, and the named words in them, put in once on loading."""

from __future__ import annotations

from typing import Any

import pytest
from support.rubrics import a_criterion, a_rubric

from interviewer.content.fields import FieldsError
from interviewer.rubric.rubric import Rubric, compile_pattern, find, occurrences
from interviewer.rubric.terms import SHARED, with_terms
from interviewer.rubric.text import Span, normalise, windows


@pytest.mark.parametrize("regex", ["(open", "(?=ahead)", r"(a)\1"])
def test_an_unreadable_pattern_names_the_reason(regex: str) -> None:
    with pytest.raises(ValueError, match=r"missing|invalid"):
        compile_pattern(regex)


def test_empty_matches_prove_nothing() -> None:
    assert list(occurrences("x*", "abc")) == []
    assert find([("x*",)], "abc") is None


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
