"""Patterns proposed for a criterion from its own texts: what its right phrasings have in common.

A pattern is two or three telling words, rare ones preferred, that stand together in as many right
phrasings as possible and in none that is rejected, in no misconception, in no phrasing of another
criterion and in nothing that the examiner says. Deterministic, and no substitute for a person's
judgement: the words are those of the key, while candidates use others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice

from interviewer.examiner.offline.by_words import TOO_BROAD, model
from interviewer.grading.lexical import content_stems, is_content, stem
from interviewer.rubric.lint import pattern_faults
from interviewer.rubric.patterns import asserts, compile_pattern
from interviewer.rubric.rubric import AllOf, Criterion, Rubric
from interviewer.rubric.terms import SHARED, expanded
from interviewer.rubric.text import has_negator, normalise, whole_sentences

MOST = 6
"""Alternatives for one criterion; more are no longer read."""
SIZES = (2, 3)
"""How many words make a pattern."""
TELLING_FROM = 6.0
"""The rarity, summed over its words, from which a pattern tells the point rather than a topic."""
OF_THE_CLAIM = 0.5
"""The share of a claim that a sentence of the reference covers if it makes that point."""
NUMBER_RARITY, DIGIT_RARITY = 5.0, 2.5
"""What a number weighs, and what a single digit without a unit, which stands in any text."""
GIVEN = 0.3
"""What a word of the question counts for: to repeat it shows little."""
LONGEST_ROOT = 6
"""Letters that tell a word, whatever its ending."""
APART = 60
"""Characters between words whose order matters."""
MOST_TRIED = 20
"""Pairs of words that are tried in that order for one text."""

_TOKEN = re.compile(
    r"(?P<value>\b\d+(?:[.,]\d+)*)(?: ?(?P<unit>%|percent\b|[kmgt]i?b\b|[kmb]\b|bits?\b|bytes?\b))?"
    r"|(?P<word>[a-z]+(?:'[a-z]+)?)"
)
_PERCENT = ("%", "percent")
_ENDING = re.compile(r"(?<=\w{4})(?:ings?|ed|ly|e|y)$")
_GROUPS = {name: re.compile(regex) for name, regex in SHARED.items() if name not in TOO_BROAD}
_NO = "{no}"


@dataclass(frozen=True)
class Proposal:
    """A pattern as a file writes it, shared terms not expanded, and the right texts it finds."""

    pattern: tuple[str, ...]
    finds: tuple[str, ...]

    @property
    def alternative(self) -> AllOf:
        """The pattern as the examiner uses it."""
        return _expanded(self.pattern)


@dataclass(frozen=True)
class Proposed:
    """What is proposed for one criterion.

    ``unmatched`` are the claim and accepted phrasings that neither these patterns nor the
    criterion's own find.
    """

    criterion: str
    patterns: tuple[Proposal, ...]
    unmatched: tuple[str, ...]


def propose(rubric: Rubric) -> tuple[Proposed, ...]:
    """Patterns for every criterion, for what those it has do not find."""
    return tuple(_for_criterion(rubric, i) for i in range(len(rubric.criteria)))


def with_patterns(rubric: Rubric, proposed: Iterable[Proposed]) -> Rubric:
    """The rubric with the proposals added to its patterns."""
    added = {each.criterion: [p.alternative for p in each.patterns] for each in proposed}
    criteria = tuple(
        c.model_copy(update={"patterns": (*c.patterns, *added.get(c.id, ()))})
        for c in rubric.criteria
    )
    return rubric.model_copy(update={"criteria": criteria})


def _for_criterion(rubric: Rubric, i: int) -> Proposed:
    criterion = rubric.criteria[i]
    required = (criterion.claim, *criterion.accept)
    right = (*required, *_in_reference(rubric, criterion))
    missed = {
        n
        for n, text in enumerate(right)
        if not any(asserts(own, text) for own in criterion.patterns)
    }
    choice = _Choice(rubric, i, right)
    chosen = choice.patterns(missed, MOST - len(criterion.patterns)) if missed else []
    found = {text for each in chosen for text in each.finds}
    unmatched = tuple(right[n] for n in sorted(missed) if n < len(required))
    return Proposed(
        criterion.id, tuple(chosen), tuple(text for text in unmatched if text not in found)
    )


@dataclass(frozen=True)
class Refused:
    """A pattern by somebody else that is not proposed, and why."""

    criterion: str
    pattern: tuple[str, ...]
    why: str


def screened(
    rubric: Rubric, i: int, patterns: Iterable[tuple[str, ...]]
) -> tuple[Proposed, list[Refused]]:
    """Patterns by somebody else for criterion ``i``, held to the rules for those made here."""
    criterion = rubric.criteria[i]
    right = (criterion.claim, *criterion.accept, *_in_reference(rubric, criterion))
    kept: list[Proposal] = []
    refused: list[Refused] = []
    for pattern in dict.fromkeys(patterns):
        try:
            alternative = _expanded(pattern)
            why = why_not(rubric, i, alternative)
        except ValueError as error:
            why = str(error)
        if not why and len(criterion.patterns) + len(kept) >= MOST:
            why = f"is one more than the {MOST} that can still be read"
        if why:
            refused.append(Refused(criterion.id, pattern, why))
        else:
            finds = tuple(text for text in right if asserts(alternative, text))
            kept.append(Proposal(pattern, finds))
    own = [*criterion.patterns, *(each.alternative for each in kept)]
    required = (criterion.claim, *criterion.accept)
    missed = tuple(text for text in required if not any(asserts(each, text) for each in own))
    return Proposed(criterion.id, tuple(kept), missed), refused


def why_not(rubric: Rubric, i: int, alternative: AllOf) -> str:
    """Why a pattern is not fit for the rubric's criterion ``i``, "" if it is."""
    if faults := pattern_faults(rubric, i, alternative):
        return faults[0]
    wrong = (text for text in _not_to_find(rubric, i) if asserts(alternative, text))
    return next((f"finds what is another point, or wrong: {text!r}" for text in wrong), "")


def _not_to_find(rubric: Rubric, i: int) -> list[str]:
    """What belongs to the question, to what is wrong or not enough, or to other points."""
    criterion = rubric.criteria[i]
    others = [c for c in rubric.criteria if c is not criterion]
    return [
        rubric.question,
        *criterion.reject,
        *(wrong.claim for wrong in criterion.misconceptions),
        *(text for other in others for text in (other.claim, *other.accept)),
    ]


def _in_reference(rubric: Rubric, criterion: Criterion) -> Iterator[str]:
    """The sentences of the reference that make this point rather than another."""
    for sentence in whole_sentences(rubric.reference):
        shares = {c.id: _share(c, sentence) for c in rubric.criteria}
        if shares[criterion.id] == max(shares.values()) >= OF_THE_CLAIM:
            yield sentence


def _share(criterion: Criterion, sentence: str) -> float:
    wanted = content_stems(criterion.claim)
    total = sum(map(model().rarity, wanted))
    return sum(map(model().rarity, wanted & content_stems(sentence))) / total if total else 0.0


@cache
def _expanded(pattern: tuple[str, ...]) -> AllOf:
    return tuple(expanded(each, SHARED) for each in pattern)


def _words(text: str) -> dict[str, float]:
    """The words of a text as patterns would find them, with their weights, in its order."""
    found: dict[str, float] = {}
    plain = normalise(text).text
    for token in _TOKEN.finditer(plain):
        if value := token["value"]:
            weight = DIGIT_RARITY if len(value) == 1 and not token["unit"] else NUMBER_RARITY
            found.setdefault(_number(value, token["unit"]), weight)
        elif is_content(token["word"]):
            word = token["word"].partition("'")[0]
            found.setdefault(_word(word), model().rarity(stem(word)))
    if has_negator(plain):
        found[_NO] = 1.0
    return found


def _number(value: str, unit: str | None) -> str:
    regex = rf"\b{re.sub('[.,]', '[.,]', value)}"
    if unit in _PERCENT:
        return regex + " ?(?:%|percent)"
    return regex + (rf" ?{unit}\b" if unit else r"\b")


@cache
def _word(word: str) -> str:
    """A shared term if exactly one has the word, else its stem with any ending."""
    groups = [name for name, regex in _GROUPS.items() if regex.fullmatch(word)]
    if len(groups) == 1:
        return f"{{{groups[0]}}}"
    if len(word) <= 3:
        return rf"\b{word}s?\b"
    singular = word[:-1] if word.endswith("s") and not word.endswith("ss") else word
    root = _ENDING.sub("", singular)
    if root != singular and len(root) > 4 and root[-1] == root[-2] and root[-1] not in "ls":
        root = root[:-1]
    return rf"\b{root[:LONGEST_ROOT]}\w*"


class _Choice:
    """The candidates for one criterion, each with the right texts that it finds."""

    def __init__(self, rubric: Rubric, i: int, right: Sequence[str]) -> None:
        self._rubric, self._i = rubric, i
        self._right = right
        given = _words(rubric.question)
        self._weights: dict[str, float] = {}
        for text in right:
            for word, weight in _words(text).items():
                self._weights[word] = weight * (GIVEN if word in given else 1.0)
        self._found = {word: self._hit(word, right) for word in self._weights}
        self._not_to_find = _not_to_find(rubric, i)
        self._wrong = {word: self._hit(word, self._not_to_find) for word in self._weights}

    @staticmethod
    def _hit(word: str, texts: Sequence[str]) -> frozenset[int]:
        """The texts that have the word, denied or not."""
        (regex,) = _expanded((word,))
        pattern = compile_pattern(regex)
        return frozenset(n for n, text in enumerate(texts) if pattern.search(normalise(text).text))

    def patterns(self, missed: set[int], most: int) -> list[Proposal]:
        """The patterns that find most of the missed texts, each what those before do not."""
        missing, chosen = set(missed), list[Proposal]()
        left = [words for words in self._of(missed) if not self._goes_wrong(words)]
        while left and missing and len(chosen) < most:
            best = max(left, key=lambda words: self._merit(words, missing))
            left.remove(best)
            if made := self._proposal(best, missing):
                chosen.append(made)
                missing -= self._found_by(best)
            left = [words for words in left if self._found_by(words) & missing]
        return [*chosen, *islice(self._in_order(missing), most - len(chosen))]

    def _in_order(self, missing: set[int]) -> Iterator[Proposal]:
        """For texts whose words also stand in a wrong one: the words in the order of the text."""
        for n in sorted(missing):
            pairs = [words for words in self._of({n}) if len(words) == 2 and _NO not in words]
            pairs.sort(key=lambda words: -self._weight(words))
            tried = (
                self._proposal((f"{first}[^.;]{{0,{APART}}}{then}",), {n})
                for first, then in pairs[:MOST_TRIED]
            )
            if made := next(filter(None, tried), None):
                yield made

    def _of(self, texts: set[int]) -> list[tuple[str, ...]]:
        """The telling combinations of words of these texts."""
        seen = dict.fromkeys(
            words
            for n in sorted(texts)
            for size in SIZES
            for words in combinations(_words(self._right[n]), size)
        )
        return [words for words in seen if self._weight(words) >= TELLING_FROM]

    def _weight(self, words: tuple[str, ...]) -> float:
        return sum(self._weights[word] for word in words)

    def _goes_wrong(self, words: tuple[str, ...]) -> bool:
        return bool(frozenset.intersection(*(self._wrong[word] for word in words)))

    def _found_by(self, words: tuple[str, ...]) -> frozenset[int]:
        return frozenset.intersection(*(self._found[word] for word in words))

    def _merit(self, words: tuple[str, ...], missing: set[int]) -> tuple[float, ...]:
        return len(self._found_by(words) & missing), -len(words), self._weight(words)

    def _proposal(self, pattern: tuple[str, ...], missing: set[int]) -> Proposal | None:
        """The pattern, if it finds something that is missing and nothing is wrong with it."""
        alternative = _expanded(pattern)
        found = [n for n, text in enumerate(self._right) if asserts(alternative, text)]
        if missing.isdisjoint(found) or why_not(self._rubric, self._i, alternative):
            return None
        return Proposal(pattern, tuple(self._right[n] for n in found))
