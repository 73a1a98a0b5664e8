"""The shipped rubrics: verdicts against rubrics/VERDICTS.md, and points that are not apart.

A sentence that earns two points at once may be right, as it can make both; a person has to look.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from evals.figures import Figure, count
from evals.rubrics.verdict_rules import broken_rules

from interviewer.rubric.library import load_library
from interviewer.rubric.rubric import AllOf, Criterion, Rating, Rubric, find
from interviewer.rubric.text import Span, is_negated, looks_for_negator, normalise, sentences

SAMPLED = 12
"""Every so many rubrics of the sample."""
SHORT = 16
"""Words; a longer sentence may well make two points."""


def overlaps(rubric: Rubric) -> Iterator[str]:
    """Each short sentence of a sample that does for two criteria at once."""
    for n, sample in enumerate(rubric.samples):
        plain = normalise(sample.answer)
        for sentence in (plain.text[start:end] for start, end in sentences(plain)):
            for verdict in (Rating.MET, Rating.CONTRADICTED):
                does = [
                    c.id
                    for c in rubric.criteria
                    if sample.verdicts.get(c.id) is verdict and _does(c, verdict, sentence)
                ]
                if len(does) > 1 and len(sentence.split()) <= SHORT:
                    yield f"samples[{n}]: “{sentence}” is {verdict} for {' and '.join(does)}"


def _does(criterion: Criterion, verdict: Rating, sentence: str) -> bool:
    """The sentence alone is enough for the verdict, by the criterion's patterns."""
    wrong = (alternative for each in criterion.misconceptions for alternative in each.patterns)
    alternatives = criterion.patterns if verdict is Rating.MET else wrong
    return any(_says(alternative, sentence) for alternative in alternatives)


def _says(alternative: AllOf, sentence: str) -> bool:
    def counts(span: Span, regex: str) -> bool:
        return looks_for_negator(regex) or not is_negated(sentence, span)

    return find([alternative], sentence, ((0, len(sentence)),), counts) is not None


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    rubrics = load_library().models()[:: SAMPLED if asked.sample else 1]
    for name, check in (
        ("verdicts against the rules", broken_rules),
        ("sentences that earn two points", overlaps),
    ):
        yield count(name, (f"{r.id}: {why}" for r in rubrics for why in check(r)))
