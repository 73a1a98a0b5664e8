"""Laying a plan out: which questions a session may ask, drawn once when it begins."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum

from interviewer.errors import RubricFileError, UnknownNameError
from interviewer.examiner.protocol import Persona
from interviewer.interview.events import RoundOutline
from interviewer.interview.plan import Pick, Plan, PlanRound
from interviewer.rubric.folders import close_to
from interviewer.rubric.library import Library


class Length(StrEnum):
    """How much of a plan to hold."""

    QUICK = "quick"
    """One question a round."""
    STANDARD = "standard"
    """As written."""
    EXTENDED = "extended"
    """Half as many questions again, rounded up, as far as the library has them."""


def lay_out(
    plan: Plan,
    library: Library,
    *,
    length: Length = Length.STANDARD,
    seed: int,
    recently_asked: frozenset[str] = frozenset(),
) -> tuple[RoundOutline, ...]:
    """Choose the questions of every round; the same arguments give the same questions.

    No question comes twice, and one that was asked recently only where nothing else is left. Of a
    ladder, enough is drawn for every way of climbing it. The minutes of a round follow the number
    of its questions. Raises UnknownNameError for an id in ``ask`` that no rubric has,
    RubricFileError for a round that finds no question.
    """
    _require_known(plan, library)
    deck = _Deck(library, random.Random(seed), recently_asked)
    deck.taken |= {rubric for part in plan.rounds for rubric in part.ask}
    outlines = []
    for part in plan.rounds:
        wanted = _wanted(part, length)
        if part.ladder:
            outline = _ladder_outline(part, wanted, deck)
        else:
            asked = _asked(part, wanted, length, deck)
            outline = _outline(part, asked, len(asked))
        if not outline.questions:
            raise RubricFileError(
                f"Round {part.id!r} of plan {plan.id!r} finds no question; "
                "widen its pick or add rubrics for it."
            )
        outlines.append(outline)
    return tuple(outlines)


def _require_known(plan: Plan, library: Library) -> None:
    for part in plan.rounds:
        for rubric in part.ask:
            if rubric not in library.entries:
                raise UnknownNameError(
                    f"Plan {plan.id!r} asks {rubric!r} in round {part.id!r}, but there is no such "
                    f"rubric; {close_to(rubric, library.entries, 'rubric')}"
                )


def _wanted(part: PlanRound, length: Length) -> int:
    match length:
        case Length.QUICK:
            return 1
        case Length.STANDARD:
            return part.count
        case Length.EXTENDED:
            return math.ceil(part.count * 1.5)


class _Deck:
    """The rubrics not dealt yet."""

    def __init__(self, library: Library, draw: random.Random, recent: frozenset[str]) -> None:
        self._library = library
        self._draw = draw
        self._recent = recent
        self.taken: set[str] = set()

    def deal(self, pick: Pick, most: int) -> tuple[str, ...]:
        """Up to so many rubrics that the pick allows, none dealt before."""
        briefs = self._library.briefs()
        allowed = [r.id for r in briefs if pick.allows(r) and r.id not in self.taken]
        self._draw.shuffle(allowed)
        dealt = tuple(self.fresh_first(allowed)[:most])
        self.taken.update(dealt)
        return dealt

    def fresh_first(self, rubrics: Iterable[str]) -> Sequence[str]:
        return sorted(rubrics, key=lambda rubric: rubric in self._recent)


def _asked(part: PlanRound, wanted: int, length: Length, deck: _Deck) -> tuple[str, ...]:
    # A single question need not be the first of the list each time.
    named = deck.fresh_first(part.ask) if length is Length.QUICK else part.ask
    asked = tuple(named[:wanted])
    return asked + (deck.deal(part.pick, wanted - len(asked)) if part.pick else ())


def _outline(part: PlanRound, questions: tuple[str, ...], asks: int) -> RoundOutline:
    persona = part.persona
    return RoundOutline(
        title=part.title,
        persona=Persona(persona.name, persona.manner, persona.patience, persona.cares_about),
        seconds=round(part.minutes * 60 * asks / part.count),
        follow_ups=part.follow_ups,
        questions=questions,
        drills=part.drills,
    )


def _ladder_outline(part: PlanRound, wanted: int, deck: _Deck) -> RoundOutline:
    start = part.start - 1
    # The first question stands on the start rung, the next at most one rung off, and so on.
    reachable = (max(wanted - abs(rung - start), 0) for rung in range(len(part.ladder)))
    rungs = tuple(deck.deal(pick, most) for pick, most in zip(part.ladder, reachable, strict=True))
    questions = tuple(rubric for rung in rungs for rubric in rung)
    asks = min(wanted, len(questions))
    return replace(_outline(part, questions, asks), rungs=rungs, start=start, asks=asks)
