"""Do the texts of a rubric hold up: is something asked, does each point say its own, is it kept?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interviewer.rubric.problems import FieldPath, Locator, Problem
from interviewer.rubric.rubric import Criterion, Rubric
from interviewer.rubric.text import normalise

GIVEN_AWAY = 0.5
"""The share of a claim's own words above which a hint or probe says the claim."""
RUN = 7
"""So many words of an accepted phrasing in a row give it away."""
ALIKE = 0.8
"""The share of their words from which two claims are one."""

_NUMBER = re.compile(r"(?<![\w.-])\d+(?:[.,]\d+)*(?![\w-])")
_ANY_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*")
_WORD = re.compile(r"[a-z0-9]{4,}")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_UNFINISHED = re.compile(r"\s*(?:TODO|FIXME|TBD)\b")
_STEM = 6
_COMMON_WORDS = """
    about above after also because before being both does each every from have into just less
    more most much must only other over same such than that their them then there these they this
    those when where which while will with without would your
"""
_COMMON = frozenset(_COMMON_WORDS.split())


def lint_texts(rubric: Rubric, where: Locator, *, strict: bool) -> Iterator[Problem]:
    """Problems of question, reference, claims, probes and hints."""
    complain = where.error if strict else where.warning
    for field, text in _authored(rubric):
        if _UNFINISHED.match(text):
            yield complain(field, "is still to be written; put the text in place of the mark")
    if not _LETTERS.search(rubric.question):
        yield where.error(("question",), "holds no word, so there is nothing to answer; ask one")
    for i, criterion in enumerate(rubric.criteria):
        field = ("criteria", i)
        yield from _nothing_of_its_own(rubric, field, criterion, where)
        yield from _said_before(rubric, i, where)
        yield from _gives_claim_away(rubric, field, criterion, where)
        yield from _gives_phrasing_away(rubric, field, criterion, where)


def _authored(rubric: Rubric) -> Iterator[tuple[FieldPath, str]]:
    yield ("title",), rubric.title
    yield ("question",), rubric.question
    yield ("reference",), rubric.reference
    for i, criterion in enumerate(rubric.criteria):
        yield ("criteria", i, "claim"), criterion.claim
        yield from _spoken(("criteria", i), criterion)
    for n, sample in enumerate(rubric.samples):
        yield ("samples", n, "answer"), sample.answer


def _spoken(field: FieldPath, criterion: Criterion) -> Iterator[tuple[FieldPath, str]]:
    """What the examiner may say about the criterion."""
    yield (*field, "probe"), criterion.probe
    for n, hint in enumerate(criterion.hints):
        yield (*field, "hints", n), hint


def _nothing_of_its_own(
    rubric: Rubric, field: FieldPath, criterion: Criterion, where: Locator
) -> Iterator[Problem]:
    if not set(_words(criterion.claim)) - set(_words(rubric.question)):
        yield where.error(
            (*field, "claim"),
            "says nothing that the question does not say, so nobody could fail; add what an answer "
            "has to bring",
        )


def _said_before(rubric: Rubric, i: int, where: Locator) -> Iterator[Problem]:
    mine = set(_words(rubric.criteria[i].claim))
    for n, earlier in enumerate(rubric.criteria[:i]):
        theirs = set(_words(earlier.claim))
        if mine and len(mine & theirs) >= ALIKE * len(mine | theirs):
            yield where.error(
                ("criteria", i, "claim"),
                f"says nearly what criteria[{n}].claim says, so one sentence would be paid twice; "
                "join the two",
            )


def _gives_claim_away(
    rubric: Rubric, field: FieldPath, criterion: Criterion, where: Locator
) -> Iterator[Problem]:
    secret_numbers = _numbers(criterion.claim, *criterion.accept) - _numbers(rubric.question)
    secret_numbers |= {
        f"{value:g}" for fact in criterion.numbers for value in (fact.value, *fact.alternatives)
    }
    secret_words = _stems(criterion.claim) - _stems(rubric.question)
    for place, text in _spoken(field, criterion):
        numbers = _numbers(text) & secret_numbers
        if numbers:
            yield where.error(place, f"gives the number {min(numbers)} away; take it out")
        told = _stems(text) & secret_words
        if len(secret_words) >= 3 and len(told) > GIVEN_AWAY * len(secret_words):
            yield where.error(place, "holds most words of the claim; say less")


def _gives_phrasing_away(
    rubric: Rubric, field: FieldPath, criterion: Criterion, where: Locator
) -> Iterator[Problem]:
    asked = _runs(rubric.question, RUN)
    for place, text in _spoken(field, criterion):
        said = _runs(text, RUN) - asked
        for n, phrasing in enumerate(criterion.accept):
            if said & _runs(phrasing, RUN):
                yield where.error(place, f"repeats accept[{n}] word for word; say less")


def _numbers(*texts: str) -> set[str]:
    return {number for text in texts for number in _NUMBER.findall(normalise(text).text)}


def _stems(text: str) -> set[str]:
    words = _WORD.findall(normalise(text).text)
    return {word[:_STEM] for word in words if word not in _COMMON}


def _words(text: str) -> list[str]:
    return _ANY_WORD.findall(normalise(text).text)


def _runs(text: str, length: int) -> set[tuple[str, ...]]:
    words = _words(text)
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}
