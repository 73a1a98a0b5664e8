"""Points that are not apart: one sentence of a sample earns two of them, or is punished twice.

What is found may be right, as a sentence can make two points; a person has to look.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from interviewer.rubric.patterns import find
from interviewer.rubric.rubric import AllOf, Criterion, Rating, Rubric, Sample
from interviewer.rubric.text import Span, is_negated, looks_for_negator, normalise, sentences

SHORT = 16
"""Words; a longer sentence may well make two points."""


def overlaps(rubric: Rubric) -> Iterator[str]:
    """A sentence for each short sentence of a sample that does for two criteria at once."""
    for n, sample in enumerate(rubric.samples):
        plain = normalise(sample.answer)
        for start, end in sentences(plain):
            sentence = plain.text[start:end]
            if len(sentence.split()) > SHORT:
                continue
            for verdict, told in _TOLD.items():
                found = [
                    c.id for c in _judged(rubric, sample, verdict) if _does(c, verdict, sentence)
                ]
                if len(found) > 1:
                    yield f"samples[{n}]: “{sentence}” {told} {' and '.join(found)}"


_TOLD: Mapping[Rating, str] = {
    Rating.MET: "earns at once",
    Rating.CONTRADICTED: "is one error that contradicts",
}


def _judged(rubric: Rubric, sample: Sample, verdict: Rating) -> Iterator[Criterion]:
    """The criteria that the sample was given this verdict on."""
    yield from (c for c in rubric.criteria if sample.verdicts.get(c.id) is verdict)


def _does(criterion: Criterion, verdict: Rating, sentence: str) -> bool:
    """The sentence alone is enough for the verdict, by the criterion's patterns."""
    if verdict is Rating.MET:
        return _asserts(criterion.patterns, sentence)
    wrong = (alternative for each in criterion.misconceptions for alternative in each.patterns)
    return _asserts(wrong, sentence)


def _asserts(alternatives: Iterable[AllOf], sentence: str) -> bool:
    return any(_says(alternative, sentence) for alternative in alternatives)


def _says(alternative: AllOf, sentence: str) -> bool:
    def counts(span: Span, regex: str) -> bool:
        return looks_for_negator(regex) or not is_negated(sentence, span)

    return find([alternative], sentence, ((0, len(sentence)),), counts) is not None
