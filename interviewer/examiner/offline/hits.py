"""What a criterion's patterns find in an answer, and which of it stands as said."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from interviewer.examiner.offline import guards
from interviewer.examiner.offline.said import Said
from interviewer.grading.verdicts import Flag
from interviewer.rubric.negation import (
    denies,
    has_negator,
    is_denied,
    is_negated,
    is_negated_before,
    looks_for_negator,
)
from interviewer.rubric.patterns import AllOfMatch, best_match
from interviewer.rubric.rubric import AllOf, Criterion
from interviewer.rubric.text import Span, normalise


class Guard:
    """Decides of each hit whether it stands for the criterion, and remembers a hedge."""

    def __init__(self, criterion: Criterion, said: Said) -> None:
        self._claim = normalise(criterion.claim).text
        self._accept = tuple(normalise(text).text for text in criterion.accept)
        self._wants_list = guards.enumerate_terms(self._accept)
        self._said = said
        self.flag: Flag | None = None

    def best_of(self, alternatives: Sequence[AllOf]) -> AllOfMatch:
        """The most complete of the alternatives, counting only what stands as said."""
        hits = (self._best_hit(alternative) for alternative in alternatives)
        return max(hits, key=lambda match: match.fraction, default=AllOfMatch(0.0))

    def _best_hit(self, alternative: AllOf) -> AllOfMatch:
        text = self._said.plain.text
        negative = any(looks_for_negator(regex) for regex in alternative)

        def counts(_text: str, span: Span, negative: bool = negative) -> bool:
            return self.lets_through(span, negative=negative)

        match = best_match([alternative], text, self._said.windows, counts)
        if negative and not any(has_negator(text[slice(*span)]) for span in match.spans):
            # The negator is one way of saying it, and not the one that was found.
            plain = partial(counts, negative=False)
            match = best_match([alternative], text, self._said.windows, plain)
        return match

    def lets_through(self, span: Span, *, negative: bool) -> bool:
        """The hit is neither turned round nor hedged away nor, unless meant so, negated."""
        text = self._said.plain.text
        for start, end in self._said.sentences:
            if start >= span[1] or end <= span[0]:
                continue
            sentence, at = text[start:end], max(0, span[0] - start)
            to = min(end, span[1]) - start
            lists = not self._wants_list and guards.is_in_a_list(sentence, at, to)
            if lists or guards.is_in_a_bag(sentence, at, to):
                self.flag = Flag.KEYWORD_LIST
                return False
            if guards.takes_both_sides(sentence):
                self.flag = Flag.BOTH_SIDES
                return False
            if (
                guards.is_swapped(sentence, self._claim, self._accept)
                or guards.is_announced(sentence, at)
                or is_denied(sentence, at)
            ):
                return False
        return negative or not is_negated(text, span)


def misconception(criterion: Criterion, said: Said) -> AllOfMatch | None:
    """The first misconception that is stated, and neither negated nor denied itself."""
    alternatives = (a for wrong in criterion.misconceptions for a in wrong.patterns)
    for alternative in alternatives:
        negative = any(looks_for_negator(regex) for regex in alternative)

        def stated(text: str, span: Span, negative: bool = negative) -> bool:
            turned = is_negated_before if negative else is_negated
            return not turned(text, span) and not _is_denied(said, span)

        match = best_match([alternative], said.plain.text, said.windows, stated)
        if match.fraction == 1:
            return match
    return None


def _is_denied(said: Said, span: Span) -> bool:
    return any(
        is_denied(said.plain.text[start:end], span[0] - start)
        for start, end in said.sentences
        if start <= span[0] < end
    )


def denial(criterion: Criterion, said: Said, hit: AllOfMatch) -> AllOfMatch | None:
    """The whole point inside a sentence that denies it, where that is the last word on it."""
    text = said.plain.text
    affirmed_at = min((a for a, _ in hit.spans), default=-1) if hit.fraction == 1 else -1
    for start, end in reversed(said.sentences):
        if start <= affirmed_at or not denies(text[start:end]):
            continue
        match = best_match((*criterion.patterns, *criterion.partly), text, [(start, end)])
        first = min((a for a, _ in match.spans), default=start)
        if match.fraction == 1 and is_denied(text[start:end], first - start):
            return match
    return None
