"""Finding questions by words and by what they are to a person. Reads no file."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from interviewer.practice.progress import Standing
from interviewer.rubric.library import Library, Summary

State = Literal["mine", "weak", "never asked", "due", "marked"]
"""What a question is to this person."""


@dataclass(frozen=True)
class Filters:
    """What is asked for: every one of these states."""

    states: frozenset[State] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.states)

    def flipped(self, state: State) -> Filters:
        """With this state asked for, or not any more."""
        return Filters(self.states ^ {state})


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

        A word is looked for in title, id, tags and question. Without words they come by round and
        title.
        """
        wanted = _folded(words).split()
        found: list[tuple[int, Hit]] = []
        for card in self._cards:
            passes = all(_PASSES[state](card, mine) for state in filters.states)
            if passes and (match := _match(card, wanted)):
                score, letters = match
                found.append((score, Hit(card.summary.id, letters)))
        if wanted:
            found.sort(key=lambda each: -each[0])
        return [hit for _, hit in found]


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


_WORD_START, _IN_TITLE, _IN_NAME, _IN_TAGS, _IN_QUESTION = 60, 40, 30, 20, 10


def _match(card: _Card, words: Iterable[str]) -> tuple[int, frozenset[int]] | None:
    """How well all the words fit, and their places in the title; None if one fits nowhere."""
    total = 0
    letters: set[int] = set()
    for word in words:
        if found := re.search(rf"(?<![^\W_]){re.escape(word)}", card.title):
            total += _WORD_START
            letters.update(range(*found.span()))
        elif (at := card.title.find(word)) >= 0:
            total += _IN_TITLE
            letters.update(range(at, at + len(word)))
        elif word in card.name:
            total += _IN_NAME
        elif any(word in tag for tag in card.tags):
            total += _IN_TAGS
        elif word in card.question:
            total += _IN_QUESTION
        else:
            return None
    return total, frozenset(letters)
