"""Samples whose verdicts break the rules of rubrics/VERDICTS.md, as far as words alone can tell."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence

from interviewer.rubric.rubric import Criterion, Rating, Rubric, Sample, find, hits, is_usable
from interviewer.rubric.text import (
    NEGATOR,
    Span,
    consecutive,
    has_negator,
    long_words,
    normalise,
    overlapping,
    sentences,
)

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
_CREDIT = frozenset([Rating.MET, Rating.PARTIAL])


def broken_rules(rubric: Rubric) -> Iterator[str]:
    """What VERDICTS.md would judge otherwise.

    Credit that rests on a rejected wording or on another figure, an accepted wording that earns
    nothing or costs, a misconception in so many words that is credited or costs nothing, and its
    denial that does.
    """
    for n, sample in enumerate(rubric.samples):
        for criterion in rubric.criteria:
            for rule in (_wordings, _other_figure, _misconceptions):
                for message in rule(rubric, criterion, sample):
                    verdict = sample.verdicts.get(criterion.id)
                    yield f"samples[{n}]: {criterion.id} is {verdict}, though {message}"


def _wordings(_rubric: Rubric, criterion: Criterion, sample: Sample) -> Iterator[str]:
    """A rejected wording that earns, or an accepted one that earns nothing or costs."""
    verdict = sample.verdicts.get(criterion.id)
    text = normalise(sample.answer)
    said = sentences(text)
    for n, (start, end) in enumerate(said):
        sentence = text.text[start:end]
        others = [text.text[slice(*span)] for span in (*said[:n], *said[n + 1 :])]
        wordings: Sequence[str] = ()
        costs = verdict is Rating.CONTRADICTED and not _contradicts(criterion, others)
        if verdict in _CREDIT and not _earned(criterion, text.text, said[:n], said[n + 1 :]):
            wordings = criterion.reject
        elif costs or verdict is Rating.NOT_MET:
            wordings = criterion.accept
        for wording in _same(sentence, wordings):
            yield f"“{sentence}” says the same as “{wording}”"


def _other_figure(rubric: Rubric, criterion: Criterion, sample: Sample) -> Iterator[str]:
    """A figure in the place of the criterion's, in the sentences that are taken for the point."""
    if sample.verdicts.get(criterion.id) is not Rating.MET:
        return
    wanted = {figure for figure in _figures(criterion.claim) if figure[1]}
    wanted |= {(fact.value, _unit(fact.unit)) for fact in criterion.numbers if fact.unit}
    if not wanted or not (criterion.numbers or criterion.kind == "number"):
        return
    also = {(each, _unit(fact.unit)) for fact in criterion.numbers for each in fact.alternatives}
    texts = (criterion.claim, *criterion.accept, rubric.reference, rubric.question)
    right = wanted.union(also, *map(_figures, texts))
    units = {unit for _, unit in wanted}
    said = [each for text in _carrying(criterion, sample) for each in _figures(text)]
    named = [each for each in said if each[1] in units]
    if named and not any(_is_near(one, other) for one in named for other in right):
        value, unit = named[0]
        yield f"neither the claim nor an accepted phrasing has {value:g} {unit}"


def _carrying(criterion: Criterion, sample: Sample) -> Iterator[str]:
    """The sentences in which the criterion's patterns find the point; all if they don't."""
    text = normalise(sample.answer)
    said = sentences(text)
    usable = [each for each in criterion.patterns if is_usable(each)]
    found = find(usable, text.text, consecutive(said))
    touched = {n for span in (found.spans if found else ()) for n in overlapping(said, span)}
    for n, span in enumerate(said):
        if found is None or n in touched:
            yield text.text[slice(*span)]


_FIGURE = re.compile(
    r"(?<![\w.,-])(\d+(?:\.\d+)?|\d{1,3}(?:,\d{3})+) ?"
    r"(%|percent|[kmgtp]i?b|bits?|bytes?|tokens?|gpus?|steps?|times|seconds?|hours?|days?)(?!\w)"
)
_UNITS = {"%": "percent", "kib": "kb", "mib": "mb", "gib": "gb", "tib": "tb"}
FIGURE_NEAR = 0.06
"""Figures that differ by a smaller share are the same but for rounding."""


def _figures(text: str) -> set[tuple[float, str]]:
    """The figures in digits that have a unit."""
    found = _FIGURE.findall(normalise(text).text)
    return {(float(value.replace(",", "")), _unit(unit)) for value, unit in found}


def _unit(unit: str) -> str:
    plain = unit.lower()
    return _UNITS.get(plain, plain if len(plain) <= 2 else plain.removesuffix("s"))


def _is_near(one: tuple[float, str], other: tuple[float, str]) -> bool:
    return one[1] == other[1] and abs(one[0] - other[0]) <= FIGURE_NEAR * abs(other[0])


def _misconceptions(_rubric: Rubric, criterion: Criterion, sample: Sample) -> Iterator[str]:
    """A misconception in its own words that is credited or costs nothing, or its denial that does.

    What a later sentence puts right is credited rightly.
    """
    verdict = sample.verdicts.get(criterion.id)
    text = normalise(sample.answer)
    spans = sentences(text)
    said = [text.text[slice(*span)] for span in spans]
    costs_elsewhere = Rating.CONTRADICTED in sample.verdicts.values()
    for n, sentence in enumerate(said):
        for k, wrong in enumerate(criterion.misconceptions):
            claim = normalise(wrong.claim).text
            if not _in_its_words(sentence, claim):
                continue
            denied = has_negator(sentence) != has_negator(claim)
            others = [*said[:n], *said[n + 1 :]]
            if denied:
                amiss = verdict is Rating.CONTRADICTED and not _contradicts(criterion, others)
            elif verdict in _CREDIT:
                amiss = not _mended(criterion, text.text, spans[n + 1 :])
            else:
                amiss = verdict is Rating.NOT_MET and not costs_elsewhere
            if amiss:
                yield f"“{sentence}” {'denies' if denied else 'asserts'} misconceptions[{k}]"


def _in_its_words(sentence: str, claim: str) -> bool:
    """The sentence is this claim, or its denial, word for word but for a word or two."""
    # Each negator is blotted out, so that it reads as some other word.
    plain = (NEGATOR.sub(lambda at: "q" * len(at[0]), text) for text in (sentence, claim))
    one, other = (_PLAIN_WORD.findall(text) for text in plain)
    if len(other) <= SAME_WORDS or abs(len(one) - len(other)) > LITERAL_WORDS:
        return False
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio() >= LITERAL_FROM


_PLAIN_WORD = re.compile(r"[a-z0-9.]*[a-z0-9]")
LITERAL_WORDS = 2
LITERAL_FROM = 0.85


def _contradicts(criterion: Criterion, said: Iterable[str]) -> bool:
    """One of these sentences asserts a misconception, or denies the point."""
    wrong = [each for m in criterion.misconceptions for each in m.patterns if is_usable(each)]
    right = [each for each in criterion.patterns if is_usable(each)]
    return any(
        any(hits(each, sentence, asserted=True) for each in wrong)
        or (has_negator(sentence) and any(hits(each, sentence) for each in right))
        for sentence in said
    )


def _same(sentence: str, wordings: Sequence[str]) -> Iterator[str]:
    said, short, length = long_words(sentence), _short_words(sentence), len(sentence.split())
    for wording in wordings:
        wanted = long_words(wording)
        if (
            len(said) >= SAME_WORDS
            and said <= wanted
            and short <= _short_words(wording)
            and len(said) >= SAME_FROM * len(wanted)
            and length <= len(wording.split()) + MORE_WORDS
            and has_negator(sentence) == has_negator(normalise(wording).text)
        ):
            yield wording


def _short_words(text: str) -> set[str]:
    found = (word.strip(".,;:!?()\"'") for word in normalise(text).text.split())
    return {word for word in found if len(word) < 4 and word not in _SHORT}


def _mended(criterion: Criterion, text: str, later: Sequence[Span]) -> bool:
    """What comes later earns the point; nothing is known of that where there are no patterns."""
    return bool(later) and (not criterion.patterns or _earned(criterion, text, later))


def _earned(criterion: Criterion, text: str, *runs: Sequence[Span]) -> bool:
    """Some other sentences earn the point, or half of it, by its patterns."""
    written = (*criterion.patterns, *criterion.partly)
    alternatives = [each for each in written if is_usable(each)]
    windows = [span for run in runs for span in consecutive(run)]
    return bool(windows) and find(alternatives, text, windows) is not None
