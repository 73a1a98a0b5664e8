"""What a check of the audit is: a numbered function from a played interview to its breaches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from evals.conduct.played import Played


@dataclass(frozen=True)
class Breach:
    """A rule of conduct that a played interview breaks."""

    item: int
    meaning: str
    rubric: str
    said: str
    """The candidate's turn, "" where the breach is in no single turn."""
    utterance: str
    why: str

    def __str__(self) -> str:
        return f"{self.item} {self.meaning}: {self.why} | {self.said} | {self.utterance}"


Rule = Callable[..., Iterator[str]]
Place = tuple[tuple[Any, ...], str, str, str]
"""What a rule is asked about; the rubric, the candidate's turn and the examiner's words there."""


@dataclass(frozen=True)
class AuditItem:
    """A rule that is asked at all its places in an interview."""

    number: int
    meaning: str
    places: Callable[[Played], Iterator[Place]]
    rule: Rule

    def check(self, played: Played) -> Iterator[Breach]:
        for asked, *told in self.places(played):
            for why in self.rule(*asked):
                yield Breach(self.number, self.meaning, *told, why)


ITEMS: list[AuditItem] = []
"""All items of the modules that were imported."""


def each_turn(number: int, meaning: str) -> Callable[[Rule], Rule]:
    """An item that looks at a candidate's turn and what follows it."""
    return _listed(number, meaning, _turns)


def each_utterance(number: int, meaning: str) -> Callable[[Rule], Rule]:
    """An item that looks at one utterance of the examiner's."""
    return _listed(number, meaning, _utterances)


def each_question(number: int, meaning: str) -> Callable[[Rule], Rule]:
    """An item that looks at a question as a whole."""
    return _listed(number, meaning, _questions)


def _listed(
    number: int, meaning: str, places: Callable[[Played], Iterator[Place]]
) -> Callable[[Rule], Rule]:
    def listed(rule: Rule) -> Rule:
        ITEMS.append(AuditItem(number, meaning, places, rule))
        return rule

    return listed


def _turns(played: Played) -> Iterator[Place]:
    for talk, exchange in played.each():
        text = exchange.text or f"[{exchange.closed}]"
        yield (talk, exchange), talk.rubric.id, exchange.candidate, text


def _utterances(played: Played) -> Iterator[Place]:
    for talk, exchange in played.each():
        for said in exchange.utterances:
            yield (talk, exchange, said), talk.rubric.id, exchange.candidate, said.text


def _questions(played: Played) -> Iterator[Place]:
    for talk in played.talks:
        yield (played, talk), talk.rubric.id, "", ""
