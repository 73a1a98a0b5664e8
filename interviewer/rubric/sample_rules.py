"""Samples whose verdicts break the rules of rubrics/VERDICTS.md, as far as words alone can tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interviewer.content.problems import Locator, Problem
from interviewer.rubric.patterns import best_match, is_usable
from interviewer.rubric.rubric import Criterion, Rubric, Sample, Verdict
from interviewer.rubric.speech import long_words
from interviewer.rubric.text import Span, consecutive, has_negator, normalise, sentences

SAME_FROM = 0.75
SAME_WORDS, MORE_WORDS = 2, 3
"""A sentence says the same as a wording with this share of its longer words, at least two of them
and none besides, and with at most three words more in all."""
_SHORT_WORDS = """
    a all also an and are as at be but by can do does for from get gets had has have i i'd if in
    into is it it's its just may more most of on one or so than that the them then they this to
    use uses very was we with you
"""
_SHORT = frozenset(_SHORT_WORDS.split())
"""Short words that add nothing; any other, such as an acronym or a figure, says more."""
_CREDIT = frozenset([Verdict.MET, Verdict.PARTIAL])


def broken_rules(rubric: Rubric, where: Locator) -> Iterator[Problem]:
    """Credit that rests on a rejected wording, and an accepted wording that earns nothing."""
    for n, sample in enumerate(rubric.samples):
        for criterion in rubric.criteria:
            field = ("samples", n, "verdicts", criterion.id)
            for message in _broken(criterion, sample):
                yield where.warning(field, message)


def _broken(criterion: Criterion, sample: Sample) -> Iterator[str]:
    verdict = sample.verdicts.get(criterion.id)
    text = normalise(sample.answer)
    said = sentences(text)
    for n, (start, end) in enumerate(said):
        sentence = text.text[start:end]
        if verdict in _CREDIT and not _earned(criterion, text.text, said[:n], said[n + 1 :]):
            for k in _same(sentence, criterion.reject):
                yield (
                    f"credits “{sentence}”, which is what reject[{k}] says; make it not_met, or "
                    "take that wording out of 'reject'"
                )
        if verdict is Verdict.NOT_MET:
            for k in _same(sentence, criterion.accept):
                yield (
                    f"gives nothing for “{sentence}”, which is what accept[{k}] says; make it met, "
                    "or take that wording out of 'accept'"
                )


def _same(sentence: str, wordings: Sequence[str]) -> Iterator[int]:
    """The numbers of the wordings that the sentence repeats."""
    said, short, length = long_words(sentence), _short_words(sentence), len(sentence.split())
    for n, wording in enumerate(wordings):
        wanted = long_words(wording)
        if (
            len(said) >= SAME_WORDS
            and said <= wanted
            and short <= _short_words(wording)
            and len(said) >= SAME_FROM * len(wanted)
            and length <= len(wording.split()) + MORE_WORDS
            and has_negator(sentence) == has_negator(normalise(wording).text)
        ):
            yield n


def _short_words(text: str) -> set[str]:
    found = (word.strip(".,;:!?()\"'") for word in normalise(text).text.split())
    return {word for word in found if len(word) < 4 and word not in _SHORT}


def _earned(criterion: Criterion, text: str, *runs: Sequence[Span]) -> bool:
    """Some other sentences earn the point, or half of it, by its patterns."""
    written = (*criterion.patterns, *criterion.partly)
    alternatives = [each for each in written if is_usable(each)]
    windows = [span for run in runs for span in consecutive(run)]
    return bool(windows) and best_match(alternatives, text, windows).fraction == 1
