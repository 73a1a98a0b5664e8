"""Finding questions by words and by what they are to a person. Reads no file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Literal, NamedTuple

from interviewer.practice.progress import Standing
from interviewer.rubric.library import Library, Summary

State = Literal["mine", "weak", "never asked", "due", "marked"]
"""What a question is to this person."""


@dataclass(frozen=True)
class Hit:
    """A question that was found, and the places of the letters in its title that match."""

    id: str
    letters: frozenset[int] = frozenset()


class _Card(NamedTuple):
    """A question in the form that is searched: lower case, whitespace folded."""

    summary: Summary
    mine: bool
    title: str
    others: tuple[str, ...]
    """Id, tags and question, in which a word weighs less the later it is found."""


class Browser:
    """The questions of a library, ready to be searched as fast as someone types."""

    def __init__(self, library: Library) -> None:
        cards = [_card(each.summary, each.origin == "yours") for each in library.entries.values()]
        self._cards = sorted(cards, key=lambda card: (card.summary.round, card.title))

    def __len__(self) -> int:
        return len(self._cards)

    def find(
        self,
        words: str,
        states: Set[State] = frozenset(),
        standings: Mapping[str, Standing] = {},
        marked: Collection[str] = (),
    ) -> list[Hit]:
        """The questions with every word and state, the best matches first, else by round, title."""
        wanted = _folded(words).split()
        found: list[tuple[int, Hit]] = []
        for card in self._cards:
            passes = states <= _states(card, standings, marked)
            if passes and (match := _match(card, wanted)):
                rank, letters = match
                found.append((rank, Hit(card.summary.id, letters)))
        return [hit for _, hit in sorted(found, key=lambda each: each[0])]


def _card(summary: Summary, mine: bool) -> _Card:
    tags = (summary.round, summary.topic, summary.difficulty, summary.kind, *summary.covers)
    others = summary.id, " ".join(tags), summary.question
    return _Card(summary, mine, _folded(summary.title), tuple(map(_folded, others)))


def one_line(text: str) -> str:
    """The text as it stands in a row; the places of a hit's letters count in it."""
    return " ".join(text.split())


def _folded(text: str) -> str:
    """Lower case on one line, character for character, so that places stay the same."""
    text = one_line(text)
    if text.isascii():
        return text.lower()
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def _states(card: _Card, standings: Mapping[str, Standing], marked: Collection[str]) -> set[State]:
    id_ = card.summary.id
    standing = standings.get(id_)
    is_in: dict[State, bool] = {
        "mine": card.mine,
        "weak": standing is not None and standing.weak,
        "never asked": standing is None,
        "due": standing is not None and standing.due_since is not None,
        "marked": id_ in marked,
    }
    return {state for state, holds in is_in.items() if holds}


def _match(card: _Card, words: Iterable[str]) -> tuple[int, frozenset[int]] | None:
    """How far from the title the words are, and their places in it; None if one is nowhere."""
    rank = 0
    letters: set[int] = set()
    for word in words:
        begins, at = f" {card.title}".find(f" {word}"), card.title.find(word)
        places = (begins >= 0, at >= 0, *(word in other for other in card.others))
        if not any(places):
            return None
        rank += places.index(True)
        if at >= 0:
            start = begins if begins >= 0 else at
            letters.update(range(start, start + len(word)))
    return rank, frozenset(letters)
