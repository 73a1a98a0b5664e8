"""What a check of the audit is: a numbered function from a played interview to its breaches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evals.conduct.played import Exchange, Played, Talk, Utterance


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


Check = Callable[[Played], Iterator[Breach]]
Turnwise = Callable[[Talk, Exchange], Iterator[str]]
Uttered = Callable[[Talk, Exchange, Utterance], Iterator[str]]
Questionwise = Callable[[Played, Talk], Iterator[str]]


@dataclass(frozen=True)
class AuditItem:
    """One item of the audit."""

    number: int
    meaning: str
    check: Check


def each_turn(number: int, meaning: str) -> Callable[[Turnwise], AuditItem]:
    """An item that looks at a candidate's turn and what follows it."""

    def made(rule: Turnwise) -> AuditItem:
        def check(played: Played) -> Iterator[Breach]:
            for talk, exchange in played.each():
                for why in rule(talk, exchange):
                    said, text = exchange.candidate, exchange.text or f"[{exchange.closed}]"
                    yield Breach(number, meaning, talk.rubric.id, said, text, why)

        return AuditItem(number, meaning, check)

    return made


def each_utterance(number: int, meaning: str) -> Callable[[Uttered], AuditItem]:
    """An item that looks at one utterance of the examiner's."""

    def made(rule: Uttered) -> AuditItem:
        def check(played: Played) -> Iterator[Breach]:
            for talk, exchange in played.each():
                for said in exchange.utterances:
                    for why in rule(talk, exchange, said):
                        candidate = exchange.candidate
                        yield Breach(number, meaning, talk.rubric.id, candidate, said.text, why)

        return AuditItem(number, meaning, check)

    return made


def each_question(number: int, meaning: str) -> Callable[[Questionwise], AuditItem]:
    """An item that looks at a question as a whole."""

    def made(rule: Questionwise) -> AuditItem:
        def check(played: Played) -> Iterator[Breach]:
            for talk in played.talks:
                for why in rule(played, talk):
                    yield Breach(number, meaning, talk.rubric.id, "", "", why)

        return AuditItem(number, meaning, check)

    return made
