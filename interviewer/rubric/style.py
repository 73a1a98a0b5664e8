"""How a rubric sounds when it is read aloud: short lines, and nothing that no engineer says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interviewer.content.problems import FieldPath, Locator, Problem
from interviewer.rubric.rubric import Criterion, Rubric
from interviewer.rubric.speech import closed, dangling, praise
from interviewer.rubric.text import normalise, words_of

QUESTION_WORDS = 30
"""What can be taken in when it is heard once."""
ONE_LINER_WORDS = 15
ONE_LINER_POINTS = 2
HINT_WORDS = 25
PROBE_WORDS = range(5, 26)
SIMPLER_WORDS = range(5, 31)
SAME_PHRASE = 5
"""So many words in a row sound like something that was asked before."""

_STILTED = re.compile(
    r"\b(?:nought|elder|shall|thrifty|dear(?:er|est)?|as to|whoever|pupils?|by and by|so to say"
    r"|what troubles|say the steps|put figures|come by|lay \w+ over|for the sake of|with me an?"
    r"|the thing|hangs? on it|set \w+ against"
    # Places in a list: after a few turns nobody remembers the list.
    r"|(?:first|second|third|last) of the (?:two|three|four|five)|the (?:other|newer) one)\b"
)


def style(rubric: Rubric, where: Locator, *, strict: bool) -> Iterator[Problem]:
    """What is too long to be heard once and, with ``strict``, what is stilted.

    Too long is an error with ``strict`` and a warning without.
    """
    problem = where.error if strict else where.warning
    is_one_liner = rubric.kind == "one-liner"
    longest = ONE_LINER_WORDS if is_one_liner else QUESTION_WORDS
    if len(rubric.question.split()) > longest:
        message = f"should have at most {longest} words; leave the rest to the probes"
        yield problem(("question",), message)
    if is_one_liner and sum(not point.extra for point in rubric.criteria) > ONE_LINER_POINTS:
        message = f"ask for more than {ONE_LINER_POINTS} points; make it a question of another kind"
        yield problem(("criteria",), message)
    for i, criterion in enumerate(rubric.criteria):
        for n, hint in enumerate(criterion.hints):
            if len(hint.split()) > HINT_WORDS:
                message = f"should have at most {HINT_WORDS} words; say one thing"
                yield problem(("criteria", i, "hints", n), message)
    if strict:
        yield from _as_spoken(rubric, where)


def _as_spoken(rubric: Rubric, where: Locator) -> Iterator[Problem]:
    for field, text in (*examiners_texts(rubric), *_misconceptions(rubric)):
        if odd := stilted(text):
            yield where.error(field, f"says '{odd}', which nobody says aloud; say it plainly")
    before = _phrases(rubric.question)
    for field, text in _follow_ups(rubric):
        if closed(text):
            yield where.error(field, "would be answered by yes or no; ask how, why or which")
        if said := praise(text):
            yield where.error(field, f"says '{said}', which sounds like a verdict; say it plainly")
        if again := sorted((_phrases(text) - _phrases(rubric.question)) & before):
            yield where.error(field, f"says '{again[0]}', as another one does; say it differently")
        before |= _phrases(text)


def _follow_ups(rubric: Rubric) -> Iterator[tuple[FieldPath, str]]:
    """What may be asked after the question."""
    for i, criterion in enumerate(rubric.criteria):
        yield from (each for each in spoken(i, criterion) if "hints" not in each[0])
    for n, escalation in enumerate(rubric.escalations):
        yield ("escalations", n), escalation.ask


def _phrases(text: str) -> set[str]:
    said = words_of(text)
    starts = range(len(said) - SAME_PHRASE + 1)
    return {" ".join(said[start : start + SAME_PHRASE]) for start in starts}


def asked(
    field: FieldPath, text: str, words: range, where: Locator, *, strict: bool
) -> Iterator[Problem]:
    """One question of the right length that can be understood whatever was said before."""
    problem = where.error if strict else where.warning
    if text.count("?") != 1:
        yield where.error(field, one_question(text))
    if len(text.split()) not in words:
        message = f"should have {words[0]} to {words[-1]} words; rephrase it"
        yield problem(field, message)
    if leaning := dangling(text):
        message = f"leans on what may not have been said ('{leaning}'); make it stand alone"
        yield problem(field, message)


def one_question(text: str) -> str:
    return f"must ask exactly one question, but has {text.count('?')} question marks; rephrase it"


def stilted(text: str) -> str:
    """The first phrase of the text that no engineer says aloud, or ""."""
    found = _STILTED.search(normalise(text).text)
    return found[0] if found else ""


def examiners_texts(rubric: Rubric) -> Iterator[tuple[FieldPath, str]]:
    """All that a candidate hears or reads of the examiner's."""
    yield ("title",), rubric.title
    yield ("question",), rubric.question
    yield ("reference",), rubric.reference
    for i, criterion in enumerate(rubric.criteria):
        yield ("criteria", i, "claim"), criterion.claim
        yield from spoken(i, criterion)
    for n, text in enumerate(rubric.simpler):
        yield ("simpler", n), text


def spoken(i: int, criterion: Criterion) -> Iterator[tuple[FieldPath, str]]:
    """What the examiner may say about the i-th criterion."""
    yield ("criteria", i, "probe"), criterion.probe
    for n, hint in enumerate(criterion.hints):
        yield ("criteria", i, "hints", n), hint
    if criterion.drill:
        yield ("criteria", i, "drill", "ask"), criterion.drill.ask
        yield ("criteria", i, "drill", "again"), criterion.drill.again


def _misconceptions(rubric: Rubric) -> Iterator[tuple[FieldPath, str]]:
    for i, criterion in enumerate(rubric.criteria):
        for n, misconception in enumerate(criterion.misconceptions):
            yield ("criteria", i, "misconceptions", n, "claim"), misconception.claim
