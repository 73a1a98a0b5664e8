"""Judging by words alone: a criterion without patterns, from its claim and phrasings.

The words of an answer are compared with those of the key, rare ones counting more; small trees
(``by_words.json``, written by ``tests/evals/training/by_words.py``) weigh what was found. Words
show that a point came up, not that it was understood: such verdicts are never contradictions.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from interviewer.grading.transcript import ParsedAnswer
from interviewer.rubric.rubric import Criterion, Rating, Rubric
from interviewer.rubric.terms import SHARED
from interviewer.rubric.text import (
    Span,
    content_stems,
    denied_parts,
    is_content,
    normalise,
    stem,
    words,
)

FILE = Path(__file__).with_suffix(".json")
PREFIX, SYNONYM, AKIN = 0.8, 0.6, 0.5
"""What a word counts for that is not the same but begins alike, is a shared synonym, or was used
for it in the library's phrasings."""
PREFIX_LETTERS = 4
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
TOO_BROAD = frozenset({"number", "no", "i", "because", "every", "only", "data", "model", "cost"})
"""Shared terms whose words cannot stand for each other."""


class Measures(NamedTuple):
    """What an answer and a key have in common; shares are 0..1 of the key's words by rarity."""

    core: float
    """Of the words that many phrasings share, by the two neighbouring sentences that cover most of
    any phrasing: the best window."""
    whole: float
    """Of the phrasing best covered by the whole answer."""
    hits: float
    """Logarithm of the number of the key's words in the best window."""
    misconception: float
    """Of the nearest misconception, by the best window."""
    lead: float
    """How much nearer its nearest sentence is to a right phrasing than to a wrong one, -1..1."""
    numbers: float
    """1 if it contains a number of the key, -1 if the key has numbers and it does not, else 0."""
    ahead: float
    """How much more the best window covers of this point than of any other, -1..1."""


@dataclass(frozen=True)
class WordReading:
    """How far the words go, the part that shows most, and the nearest other verdict, if any."""

    verdict: Rating
    window: Span
    alternative: Rating | None


class _Model:
    """The file's contents: how rare words are, which are akin, and the trained trees."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._texts: int = data["texts"]
        self._found_in: Mapping[str, int] = data["found_in"]
        self.akin: dict[str, list[str]] = {}
        """For each stem those that the library's phrasings use in its place."""
        for one, other in data["akin"]:
            self.akin.setdefault(one, []).append(other)
            self.akin.setdefault(other, []).append(one)
        self._start: float = data["start"]
        self._trees: Sequence[Sequence[Sequence[float]]] = data["trees"]
        self.met_from: float = data["met_from"]
        self.partial_from: float = data["partial_from"]

    def rarity(self, word: str) -> float:
        """The weight of a stem: more for those in fewer texts."""
        return math.log((self._texts + 1) / (self._found_in.get(word, 0) + 1)) + 0.3

    def credit(self, measures: Measures) -> float:
        """The share of the point that authors of samples gave for such measures, 0..1."""
        total = self._start
        for tree in self._trees:
            node = tree[0]
            while len(node) > 1:
                column, threshold, left, right = node
                node = tree[int(left if measures[int(column)] <= threshold else right)]
            total += node[0]
        return 1 / (1 + math.exp(-total))


_used: list[_Model] = []


def model() -> _Model:
    """The model in use: the shipped one, read when it is first needed."""
    if not _used:
        use(json.loads(FILE.read_text(encoding="utf-8")))
    return _used[0]


def use(data: Mapping[str, Any]) -> None:
    """Use another model from now on, as training does."""
    _used[:] = [_Model(data)]
    _rarity.cache_clear()


@lru_cache(maxsize=20000)
def _rarity(word: str) -> float:
    return model().rarity(word)


_GROUPS = tuple(re.compile(regex) for name, regex in SHARED.items() if name not in TOO_BROAD)


@lru_cache(maxsize=20000)
def _groups(word: str) -> frozenset[int]:
    return frozenset(n for n, regex in enumerate(_GROUPS) if regex.fullmatch(word))


Words = Mapping[str, frozenset[int]]
"""Stems, with the shared terms that their words belong to."""


@lru_cache(maxsize=1024)
def _words(text: str) -> Words:
    found: dict[str, frozenset[int]] = {}
    for word in words(text):
        if is_content(word):
            found[stem(word)] = found.get(stem(word), frozenset()) | _groups(word)
    return found


class Index:
    """The key's words, found by what somebody says."""

    def __init__(self, texts: Iterable[str]) -> None:
        wanted: dict[str, frozenset[int]] = {}
        for text in texts:
            wanted |= _words(text)
        self._wanted = wanted
        self._begin: dict[str, list[str]] = {}
        self._in_group: dict[int, list[str]] = {}
        for word, groups in wanted.items():
            if len(word) >= PREFIX_LETTERS:
                self._begin.setdefault(word[:PREFIX_LETTERS], []).append(word)
            for group in groups:
                self._in_group.setdefault(group, []).append(word)

    def covered(self, said: Words) -> dict[str, float]:
        """How far each of the key's words was said, 0..1; those not at all are left out."""
        found: dict[str, float] = {}
        for word, groups in said.items():
            for other in model().akin.get(word, ()):
                if other in self._wanted:
                    found[other] = max(AKIN, found.get(other, 0.0))
            for group in groups:
                for other in self._in_group.get(group, ()):
                    found[other] = max(SYNONYM, found.get(other, 0.0))
            for other in self._begin.get(word[:PREFIX_LETTERS], ()):
                if other.startswith(word) or word.startswith(other):
                    found[other] = max(PREFIX, found.get(other, 0.0))
            if word in self._wanted:
                found[word] = 1.0
        return found


Cover = Mapping[str, float]


def _share(wanted: Iterable[str], cover: Cover) -> float:
    """The share of the wanted stems, weighted by rarity, that are covered."""
    total = covered = 0.0
    for word in wanted:
        weight = _rarity(word)
        total += weight
        covered += weight * cover.get(word, 0.0)
    return covered / total if total else 0.0


def _joined(covers: Iterable[Cover]) -> dict[str, float]:
    best: dict[str, float] = {}
    for cover in covers:
        for word, strength in cover.items():
            if strength > best.get(word, 0.0):
                best[word] = strength
    return best


@lru_cache(maxsize=4096)
def _denied(text: str) -> frozenset[str]:
    return frozenset().union(*map(content_stems, denied_parts(text)))


@lru_cache(maxsize=4096)
def _marks(text: str) -> frozenset[str]:
    """The stems, those that are denied marked as such."""
    denied = _denied(text)
    return frozenset(f"not {word}" if word in denied else word for word in content_stems(text))


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    """Dice's coefficient (1945), rare words counting more, 0..1."""
    total = sum(map(_rarity, one)) + sum(map(_rarity, other))
    return 2 * sum(map(_rarity, one & other)) / total if total else 0.0


@dataclass(frozen=True)
class Key:
    """The texts of a criterion that words are compared with."""

    claim: str
    accept: tuple[str, ...]
    reject: tuple[str, ...]
    misconceptions: tuple[str, ...]
    others: tuple[str, ...]
    """The claims of the rubric's other points."""
    given: frozenset[str]
    """Stems that the question or the examiner introduced; they show nothing."""

    @classmethod
    def of(cls, rubric: Rubric, criterion: Criterion, given: frozenset[str]) -> Key:
        """The key of one criterion of a rubric."""
        wrong = tuple(each.claim for each in criterion.misconceptions)
        others = tuple(each.claim for each in rubric.criteria if each.id != criterion.id)
        return _kept(cls(criterion.claim, criterion.accept, criterion.reject, wrong, others, given))

    @cached_property
    def phrasings(self) -> tuple[str, ...]:
        """The claim and the accepted phrasings, normalised."""
        return tuple(normalise(text).text for text in (self.claim, *self.accept))

    @cached_property
    def wanted(self) -> tuple[frozenset[str], ...]:
        """The stems of each phrasing that were not given; all if nearly all were."""
        return tuple(self._own(text) for text in self.phrasings)

    def _own(self, text: str) -> frozenset[str]:
        stems = content_stems(text)
        return stems - self.given if len(stems - self.given) >= 2 else stems

    @cached_property
    def core(self) -> Mapping[str, float]:
        """How much each stem counts: more if many phrasings have it, the claim's at least half."""
        often = Counter(word for stems in self.wanted for word in stems)
        shares = {word: n / len(self.wanted) for word, n in often.items()}
        return {
            word: max(share, 0.5 if word in self.wanted[0] else 0.0) ** 2
            for word, share in shares.items()
        }

    @cached_property
    def wrong(self) -> tuple[frozenset[str], ...]:
        """The stems of the misconceptions."""
        return tuple(content_stems(text) - self.given for text in self.misconceptions)

    @cached_property
    def index(self) -> Index:
        """All words that are looked for, whatever for."""
        return Index((*self.phrasings, *self.misconceptions))

    @cached_property
    def rivals(self) -> tuple[tuple[frozenset[str], ...], Index]:
        """The stems of the other points' claims that were not given, and all their words."""
        claims = [normalise(text).text for text in self.others]
        return tuple(map(self._own, claims)), Index(claims)

    @cached_property
    def marks(self) -> tuple[tuple[frozenset[str], ...], tuple[frozenset[str], ...]]:
        """The right phrasings and the wrong ones, with what they deny."""
        wrong = (normalise(text).text for text in (*self.reject, *self.misconceptions))
        return tuple(map(_marks, self.phrasings)), tuple(map(_marks, wrong))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers of the right phrasings that were not given."""
        found = frozenset(n for text in self.phrasings for n in _NUMBER.findall(text))
        return found - self.given


@lru_cache(maxsize=256)
def _kept(key: Key) -> Key:
    return key


def windows(answer: ParsedAnswer, sentences: Sequence[Span]) -> list[Span]:
    """These sentences of the answer, alone and with the neighbour that follows."""
    allowed = frozenset(sentences)
    edges = {span[0]: span for span in sentences}
    pairs = [
        (start, end)
        for start, end in answer.windows
        if start in edges
        and (start, end) not in allowed
        and all(each in allowed for each in answer.judged_sentences if start <= each[0] < end)
    ]
    return [*sentences, *pairs]


@dataclass(frozen=True)
class _Best:
    """The window that covers most of a phrasing, and that phrasing's number."""

    window: Span
    numbers: Sequence[int]
    cover: Cover
    phrasing: int
    share: float


def _covered(key: Key, sentences: Sequence[Span], covers: Sequence[Cover], window: Span) -> _Best:
    """What the sentences in the window cover, and of which phrasing most."""
    start, end = window
    numbers = [n for n, (a, b) in enumerate(sentences) if start <= a and b <= end]
    cover = _joined(covers[n] for n in numbers)
    shares = [_share(stems, cover) for stems in key.wanted]
    return _Best(window, numbers, cover, shares.index(max(shares)), max(shares))


def measure(key: Key, answer: ParsedAnswer, windows: Sequence[Span]) -> tuple[Measures, Span]:
    """Compare an answer with a key, and say which of the ``windows`` covers most of it."""
    sentences = answer.judged_sentences
    said = [answer.plain.text[slice(*each)] for each in sentences]
    covers = [key.index.covered(_words(each)) for each in said]
    tried = [_covered(key, sentences, covers, window) for window in windows]
    best = max(tried, key=lambda each: each.share)
    texts = [said[n] for n in best.numbers]
    whole = _joined(covers)
    weights = {word: share * _rarity(word) for word, share in key.core.items()}
    core = sum(weight * best.cover.get(word, 0.0) for word, weight in weights.items())
    numbers = frozenset(n for text in texts for n in _NUMBER.findall(text))
    measures = Measures(
        core=core / (sum(weights.values()) or 1.0),
        whole=max(_share(stems, whole) for stems in key.wanted),
        hits=math.log1p(sum(best.cover.get(word, 0.0) for word in key.wanted[best.phrasing])),
        misconception=max((_share(stems, best.cover) for stems in key.wrong), default=0.0),
        lead=_lead(key, texts),
        numbers=0.0 if not key.numbers else 1.0 if key.numbers & numbers else -1.0,
        ahead=best.share - _rival(key, [_words(each) for each in texts]),
    )
    return measures, best.window


def _rival(key: Key, said: Sequence[Words]) -> float:
    stems, index = key.rivals
    cover = _joined(index.covered(each) for each in said)
    return max((_share(each, cover) for each in stems), default=0.0)


def _lead(key: Key, texts: Sequence[str]) -> float:
    right, wrong = key.marks
    marks = [_marks(text) for text in texts]
    nearest = max(_alike(phrasing, said) for phrasing in right for said in marks)
    return nearest - max((_alike(text, said) for text in wrong for said in marks), default=0.0)


def credit_by_words(
    rubric: Rubric, answer: ParsedAnswer, given: frozenset[str]
) -> dict[str, float]:
    """How likely each point was made, by words alone, 0..1."""
    parts = windows(answer, answer.judged_sentences)
    keys = {each.id: Key.of(rubric, each, given) for each in rubric.criteria}
    found = {id_: measure(key, answer, parts)[0] if parts else None for id_, key in keys.items()}
    return {id_: model().credit(each) if each else 0.0 for id_, each in found.items()}


def read(key: Key, answer: ParsedAnswer, windows: Sequence[Span]) -> WordReading | None:
    """The verdict that the words earn, as in :func:`measure`; None without a window."""
    if not windows:
        return None
    measures, window = measure(key, answer, windows)
    credit = model().credit(measures) if measures.hits else 0.0
    met_from, partial_from = model().met_from, model().partial_from
    if credit >= met_from:
        return WordReading(Rating.MET, window, Rating.PARTIAL)
    if credit >= partial_from:
        upper_half = credit >= (met_from + partial_from) / 2
        return WordReading(Rating.PARTIAL, window, Rating.MET if upper_half else Rating.NOT_MET)
    return WordReading(
        Rating.NOT_MET, window, Rating.PARTIAL if credit >= partial_from / 2 else None
    )
