"""Plans, the blueprints of interviews: the model, checks, and choosing the questions."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from pydantic import Field, model_validator

from interviewer.content.collection import Collection, collect, lint_files
from interviewer.content.fields import Frozen, Slug, Text
from interviewer.content.files import read
from interviewer.content.kinds import PLANS
from interviewer.content.problems import Locator, Problem
from interviewer.errors import RubricFileError, UnknownNameError
from interviewer.examiner.protocol import Patience, Persona
from interviewer.interview.events import RoundOutline
from interviewer.rubric.library import Library, Summary
from interviewer.rubric.rubric import Difficulty, QuestionKind


class PlanPersona(Frozen):
    """Who asks in a round. It shapes the tone, never the rules."""

    name: Text
    manner: Text
    patience: Patience = "even"
    cares_about: str = Field(default="", max_length=200)
    """What this person listens for, in a few words."""


class Pick(Frozen):
    """Which rubrics may be drawn; an empty list allows all."""

    rounds: tuple[Slug, ...] = ()
    topics: tuple[Slug, ...] = ()
    difficulty: tuple[Difficulty, ...] = ()
    kinds: tuple[QuestionKind, ...] = ()

    def allows(self, rubric: Summary) -> bool:
        """Every list given contains the rubric's value."""
        return (
            (not self.rounds or rubric.round in self.rounds)
            and (not self.topics or rubric.topic in self.topics)
            and (not self.difficulty or rubric.difficulty in self.difficulty)
            and (not self.kinds or rubric.kind in self.kinds)
        )


class PlanRound(Frozen):
    """A part of the mock.

    ``ask`` names rubrics in order, and ``pick`` fills up to ``count``. Instead of both, ``ladder``
    makes the difficulty adaptive: it lists what may be drawn on each rung, easiest first, and the
    answers decide the rung after the first, ``start``, counted from 1.
    """

    id: Slug
    title: Text
    persona: PlanPersona
    minutes: float = Field(gt=0, le=240)
    follow_ups: int = Field(default=4, ge=0, le=12)
    """The most follow-ups to one question, hints included."""
    count: int = Field(ge=1, le=20)
    """Questions in the standard length, to which ``minutes`` belongs."""
    ask: tuple[Slug, ...] = ()
    pick: Pick | None = None
    ladder: tuple[Pick, ...] = Field(default=(), max_length=8)
    start: int = Field(default=1, ge=1)
    drills: bool = False
    """A smooth answer is followed by asking what the candidate did themselves."""

    @model_validator(mode="after")
    def _adds_up(self) -> PlanRound:
        if self.ladder:
            if self.ask or self.pick:
                raise ValueError("has a ladder, which chooses every question; remove ask and pick")
            if self.start > len(self.ladder):
                raise ValueError(f"starts on rung {self.start} of {len(self.ladder)}; lower start")
            return self
        if len(self.ask) > self.count:
            raise ValueError(f"asks {len(self.ask)} questions, but count is {self.count}; raise it")
        if len(self.ask) < self.count and self.pick is None:
            raise ValueError(
                "asks fewer questions than count; name more in ask, or add a pick or a ladder"
            )
        return self


class Plan(Frozen):
    """The blueprint of a mock: its rounds in order."""

    id: Slug
    version: int = Field(ge=1)
    title: Text
    description: Text
    rounds: tuple[PlanRound, ...] = Field(min_length=1, max_length=12)

    @model_validator(mode="after")
    def _asks_nothing_twice(self) -> Plan:
        for noun, ids in (
            ("round", [part.id for part in self.rounds]),
            ("question", [rubric for part in self.rounds for rubric in part.ask]),
        ):
            twice = sorted({i for i in ids if ids.count(i) > 1})
            if twice:
                raise ValueError(f"the {noun} {twice[0]} appears in the plan twice; remove one")
        return self


Plans = Collection[Plan, Plan]


def load_plans(own: Iterable[Path] = ()) -> Plans:
    """Load the shipped plans and those of a person's own folders, subfolders included."""
    return collect(PLANS, own, lambda path, _: read(path, Plan), lambda _path, plan: plan)


_MINUTES_A_QUESTION = 2


def lint_plan_paths(paths: Iterable[Path], library: Library) -> tuple[int, list[Problem]]:
    """Check files and folders: how many files were read, and all problems by file and line."""
    return lint_files(paths, Plan, lambda plan, where: lint_plan(plan, library, where))


def lint_plan(plan: Plan, library: Library, where: Locator) -> Iterator[Problem]:
    """Unknown ids, picks and rungs that match too little, rounds too short for their questions."""
    named = {rubric for part in plan.rounds for rubric in part.ask}
    for i, part in enumerate(plan.rounds):
        for n, rubric in enumerate(part.ask):
            if rubric not in library.entries:
                message = f"no rubric is called {rubric}; {library.suggestion(rubric)}"
                yield where.error(("rounds", i, "ask", n), message)
        if part.pick is not None:
            free = sum(part.pick.allows(r) and r.id not in named for r in library.summaries())
            wanted = part.count - len(part.ask)
            if free < wanted:
                complain = where.warning if free or part.ask else where.error
                message = f"finds {free} of the {wanted} questions wanted; widen it"
                yield complain(("rounds", i, "pick"), message)
        for n, rung in enumerate(part.ladder):
            if not any(rung.allows(rubric) for rubric in library.summaries()):
                message = "matches no question; widen it"
                yield where.error(("rounds", i, "ladder", n), message)
        if part.minutes < _MINUTES_A_QUESTION * part.count:
            message = f"leave under {_MINUTES_A_QUESTION} minutes a question; allow more"
            yield where.warning(("rounds", i, "minutes"), message)


class Length(StrEnum):
    """How much of a plan to use."""

    QUICK = "quick"
    """One question a round."""
    STANDARD = "standard"
    """As written."""
    EXTENDED = "extended"
    """Half as many questions again, rounded up, if the library has them."""


@dataclass(frozen=True)
class Extent:
    """What a plan takes."""

    questions: int
    minutes: float


def extent(plan: Plan, length: Length) -> Extent:
    """What the plan takes at this length, if the library has enough questions for it."""
    rounds = [round_extent(part, length) for part in plan.rounds]
    return Extent(sum(each.questions for each in rounds), sum(each.minutes for each in rounds))


def round_extent(part: PlanRound, length: Length) -> Extent:
    """What one round takes, likewise."""
    asks = _asks(part, length)
    return Extent(asks, part.minutes * asks / part.count)


def _asks(part: PlanRound, length: Length) -> int:
    """How many questions the round asks if all are found; a mere list of names does not grow."""
    wanted = _wanted(part, length)
    return wanted if part.ladder or part.pick else min(wanted, len(part.ask))


def lay_out(
    plan: Plan,
    library: Library,
    *,
    length: Length = Length.STANDARD,
    seed: int,
    recently_asked: frozenset[str] = frozenset(),
) -> tuple[RoundOutline, ...]:
    """Choose the questions of every round; the same arguments give the same questions.

    No question comes twice, and a recently asked one only if nothing else is left. With a ladder,
    enough is drawn for every path through its rungs. A round's minutes follow the number of its
    questions. Raises UnknownNameError for an id in ``ask`` that no rubric has,
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
                    f"rubric; {library.suggestion(rubric)}"
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
    """Deals rubrics, each at most once."""

    def __init__(self, library: Library, draw: random.Random, recent: frozenset[str]) -> None:
        self._library = library
        self._draw = draw
        self._recent = recent
        self.taken: set[str] = set()

    def deal(self, pick: Pick, most: int) -> tuple[str, ...]:
        """Up to ``most`` rubrics that the pick allows, none dealt before."""
        rubrics = self._library.summaries()
        allowed = [r.id for r in rubrics if pick.allows(r) and r.id not in self.taken]
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
