"""Finding questions: by words, by what they are, by how they went. Reads no file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from interviewer.practice.progress import Standing
from interviewer.rubric.library import Library, Summary

Trait = Literal["round", "topic", "difficulty", "kind"]
"""What a question is."""
State = Literal["mine", "weak", "never asked", "due", "marked"]
"""What it is to this person."""
TRAITS: tuple[Trait, ...] = ("round", "topic", "difficulty", "kind")
MEANING: Mapping[State, str] = {
    "mine": "Written, copied or imported by you",
    "weak": "Your last answer was no pass, so below band 3",
    "never asked": "In no interview that you finished",
    "due": "To be repeated by the end of today",
    "marked": "Marked for a mock of your own",
}


@dataclass(frozen=True)
class Filters:
    """What is asked for: any of the values of a trait, and every one of the states."""

    traits: Mapping[Trait, frozenset[str]] = field(default_factory=dict)
    states: frozenset[State] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.states or any(self.traits.values()))

    def flipped(self, state: State) -> Filters:
        """With this state asked for, or not any more."""
        return replace(self, states=self.states ^ {state})

    def turned(self, trait: Trait, value: str) -> Filters:
        """With this value of the trait asked for, or not any more."""
        values = self.traits.get(trait, frozenset()) ^ {value}
        return replace(self, traits={**self.traits, trait: values})


@dataclass(frozen=True)
class Mine:
    """What is known of the person: how their questions stand, and which are marked."""

    standings: Mapping[str, Standing] = field(default_factory=dict)
    marked: Collection[str] = ()


@dataclass(frozen=True)
class Hit:
    """A question that was found, and the places of the letters in its title that match."""

    id: str
    letters: frozenset[int] = frozenset()


@dataclass(frozen=True)
class _Card:
    """A question in the form that is searched: lower case, whitespace folded."""

    summary: Summary
    mine: bool
    title: str
    name: str
    tags: tuple[str, ...]
    question: str


class Browser:
    """The questions of a library, ready to be searched as fast as someone types."""

    def __init__(self, library: Library) -> None:
        entries = library.entries.values()
        cards = [_card(entry.summary, entry.origin == "yours") for entry in entries]
        self._cards = sorted(cards, key=lambda card: (card.summary.round, card.title))

    def __len__(self) -> int:
        return len(self._cards)

    def find(self, words: str, filters: Filters, mine: Mine) -> list[Hit]:
        """The questions that hold every word and pass the filters, the best matches first.

        A word is looked for in title, id, tags and question, and at last, letter by letter, in the
        title. Without words they come by round and title.
        """
        wanted = _folded(words).split()
        found: list[tuple[int, Hit]] = []
        for card in self._cards:
            if _passes(card, filters, mine) and (match := _match(card, wanted)):
                score, letters = match
                found.append((score, Hit(card.summary.id, letters)))
        if wanted:
            found.sort(key=lambda each: -each[0])
        return [hit for _, hit in found]

    def values(self, trait: Trait) -> list[tuple[str, int]]:
        """The values of the trait, each with its number of questions: by name, levels by level."""
        counts = Counter[str](getattr(card.summary, trait) for card in self._cards)
        levels = {"easy": 0, "medium": 1, "hard": 2}
        return sorted(counts.items(), key=lambda item: (levels.get(item[0], 0), item[0]))

    def count(self, state: State, mine: Mine) -> int:
        """How many questions are in this state."""
        return sum(_PASSES[state](card, mine) for card in self._cards)


def _card(summary: Summary, mine: bool) -> _Card:
    tags = (summary.round, summary.topic, summary.difficulty, summary.kind, *summary.covers)
    return _Card(
        summary,
        mine,
        title=_folded(summary.title),
        name=_folded(summary.id),
        tags=tuple(dict.fromkeys(map(_folded, tags))),
        question=_folded(summary.question),
    )


def one_line(text: str) -> str:
    """The text as it stands in a row; the places of a hit's letters count in it."""
    return " ".join(text.split())


def _folded(text: str) -> str:
    """Lower case on one line, character for character, so that places stay the same."""
    text = one_line(text)
    if text.isascii():
        return text.lower()
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


_PASSES: Mapping[State, Callable[[_Card, Mine], bool]] = {
    "mine": lambda card, _: card.mine,
    "weak": lambda card, mine: _standing(card, mine).weak,
    "never asked": lambda card, mine: card.summary.id not in mine.standings,
    "due": lambda card, mine: _standing(card, mine).due,
    "marked": lambda card, mine: card.summary.id in mine.marked,
}
_NONE = Standing(())


def _standing(card: _Card, mine: Mine) -> Standing:
    return mine.standings.get(card.summary.id, _NONE)


def _passes(card: _Card, filters: Filters, mine: Mine) -> bool:
    for trait, values in filters.traits.items():
        if values and getattr(card.summary, trait) not in values:
            return False
    return all(_PASSES[state](card, mine) for state in filters.states)


_WORD_START, _IN_TITLE, _IN_NAME, _IN_TAGS, _IN_QUESTION, _LOOSELY = 60, 40, 30, 20, 10, 4
_SHORTEST_LOOSE = 3
"""Fewer letters would be found in nearly every title."""
_LOOSEST = 3
"""A loose match spans at most so many times the letters of its word."""


def _match(card: _Card, words: Iterable[str]) -> tuple[int, frozenset[int]] | None:
    """How well all the words fit, and their places in the title; None if one fits nowhere."""
    total = 0
    letters: set[int] = set()
    for word in words:
        score, places = _best(card, word)
        if not score:
            return None
        total += score
        letters.update(places)
    return total, frozenset(letters)


def _best(card: _Card, word: str) -> tuple[int, Iterable[int]]:
    if (at := _at_word_start(card.title, word)) is not None:
        return _WORD_START, range(at, at + len(word))
    if (at := card.title.find(word)) >= 0:
        return _IN_TITLE, range(at, at + len(word))
    if word in card.name:
        return _IN_NAME, ()
    if any(word in tag for tag in card.tags):
        return _IN_TAGS, ()
    if word in card.question:
        return _IN_QUESTION, ()
    places = loosely(word, card.title)
    return (_LOOSELY, places) if places else (0, ())


_WORD = re.compile(r"\w+")


def _at_word_start(text: str, word: str) -> int | None:
    at = text.find(word)
    while at > 0 and text[at - 1].isalnum():
        at = text.find(word, at + 1)
    return at if at >= 0 else None


def loosely(word: str, text: str) -> tuple[int, ...]:
    """Where the letters of the word stand in the text, in order, () if nowhere close together.

    The first letter begins a word of the text; of several such places it is the tightest.
    """
    if len(word) < _SHORTEST_LOOSE:
        return ()
    begins = (match.start() for match in _WORD.finditer(text) if match[0][0] == word[0])
    found = [places for at in begins if (places := tuple(_forward(word, text, at)))]
    best = min(found, key=_span, default=())
    return best if best and _span(best) < _LOOSEST * len(word) else ()


def _forward(word: str, text: str, at: int) -> Iterator[int]:
    """The next place of each letter from ``at`` on; none at all if one is missing."""
    places = []
    for letter in word:
        at = text.find(letter, at)
        if at < 0:
            return
        places.append(at)
        at += 1
    yield from places


def _span(places: Sequence[int]) -> int:
    return places[-1] - places[0]
