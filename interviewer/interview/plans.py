"""Plans, the blueprints of interviews: the model, checks, what they take.

:mod:`interviewer.interview.drawing` chooses the questions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import Field, model_validator

from interviewer.content.collection import Collection, collect, lint_files
from interviewer.content.fields import FieldPath, Frozen, Locator, Problem, Slug, Text
from interviewer.content.files import read
from interviewer.content.kinds import PLANS
from interviewer.examiner.protocol import Patience
from interviewer.rubric.library import Library, Summary
from interviewer.rubric.rubric import Difficulty, QuestionKind

_DRAWN_BY_NAME: frozenset[QuestionKind] = frozenset({"discussion", "one-liner"})
"""Out of place among full questions: one gets no grade, the other takes a minute."""


class PlanPersona(Frozen):
    """Who asks in a round. It shapes the tone, never the rules."""

    name: Text
    manner: Text
    patience: Patience = "even"
    cares_about: str = Field(default="", max_length=200)
    """What this person listens for, in a few words."""


class Pick(Frozen):
    """Which rubrics may be drawn; an empty list allows all.

    Discussions and one-liners are drawn only where ``kinds`` or ``only`` names them.
    """

    rounds: tuple[Slug, ...] = ()
    topics: tuple[Slug, ...] = ()
    difficulty: tuple[Difficulty, ...] = ()
    kinds: tuple[QuestionKind, ...] = ()
    only: tuple[Slug, ...] = ()
    """These rubrics alone, by id."""

    def allows(self, rubric: Summary) -> bool:
        """Every list given contains the rubric's value."""
        return (
            (not self.rounds or rubric.round in self.rounds)
            and (not self.topics or rubric.topic in self.topics)
            and (not self.difficulty or rubric.difficulty in self.difficulty)
            and (not self.kinds or rubric.kind in self.kinds)
            and (not self.only or rubric.id in self.only)
            and (
                rubric.kind not in _DRAWN_BY_NAME
                or rubric.kind in self.kinds
                or rubric.id in self.only
            )
        )

    def of(self, rubrics: Iterable[Summary]) -> list[Summary]:
        return [rubric for rubric in rubrics if self.allows(rubric)]


class Part(Frozen):
    """A stretch of a round: questions by name (``ask``), or drawn from all that ``pick`` allows.

    ``count`` is its share of a session, as long as it has questions that the candidate was never
    asked; without it, all that are named. With 0 it only fills up where others have no more. Those
    asked keep the order in which they are named.
    """

    ask: tuple[Slug, ...] = Field(default=(), max_length=40)
    pick: Pick | None = None
    count: int | None = Field(default=None, ge=0, le=20)
    chain: bool = False
    """Each builds on the one before, and is asked only if that went well enough."""
    always: bool = False
    """Asked every time, also of somebody who has been asked before."""

    @model_validator(mode="after")
    def _adds_up(self) -> Part:
        if bool(self.ask) == bool(self.pick):
            raise ValueError("names its questions in ask or draws them by pick; give one of them")
        if self.pick and self.count is None:
            raise ValueError("draws by pick; say how many in count")
        if self.ask and (self.count or 0) > len(self.ask):
            raise ValueError(f"asks {len(self.ask)} questions, but count is {self.count}; lower it")
        if self.chain and len(self.ask) < 2:
            raise ValueError("is a chain; name two questions or more in ask, in their order")
        return self

    @property
    def share(self) -> int:
        return len(self.ask) if self.count is None else self.count


class PlanRound(Frozen):
    """A section of the mock, with its own clock and its own interviewer.

    ``ask`` names rubrics in order, and ``pick`` fills up to ``count``; ``parts`` lists several of
    both. If together they hold more than ``count``, a session asks what was not asked yet, and the
    next one the rest. Instead, ``ladder`` makes the difficulty adaptive: it lists what may be drawn
    on each rung, easiest first, and the answers decide the rung after ``start``, from 1.
    """

    id: Slug
    title: Text
    persona: PlanPersona
    minutes: float = Field(gt=0, le=240)
    follow_ups: int = Field(default=4, ge=0, le=12)
    """The most follow-ups to one question, hints included."""
    count: int = Field(ge=1, le=20)
    """Questions in the standard length, to which ``minutes`` belongs."""
    quick: int = Field(default=1, ge=1, le=20)
    """Questions in the quick length."""
    ask: tuple[Slug, ...] = ()
    pick: Pick | None = None
    parts: tuple[Part, ...] = Field(default=(), max_length=20)
    ladder: tuple[Pick, ...] = Field(default=(), max_length=8)
    start: int = Field(default=1, ge=1)
    drills: bool = False
    """A smooth answer is followed by asking what the candidate did themselves."""
    optional: bool = False
    """Leaving it out counts as nothing left out."""

    @model_validator(mode="after")
    def _adds_up(self) -> PlanRound:
        if self.ladder:
            if self.ask or self.pick or self.parts:
                raise ValueError(
                    "has a ladder, which chooses every question; remove ask and pick, or parts"
                )
            if self.start > len(self.ladder):
                raise ValueError(f"starts on rung {self.start} of {len(self.ladder)}; lower start")
            return self
        if self.parts and (self.ask or self.pick):
            raise ValueError("has parts; move its ask and pick in among them")
        if len(self.ask) > self.count:
            raise ValueError(f"asks {len(self.ask)} questions, but count is {self.count}; raise it")
        if (always := sum(each.share for each in self.parts if each.always)) > self.count:
            raise ValueError(f"always asks {always} questions, but count is {self.count}; raise it")
        if self.holds is not None and self.holds < self.count:
            raise ValueError(
                "asks fewer questions than count; name more in ask, or add a pick or a ladder"
            )
        return self

    @property
    def in_parts(self) -> tuple[Part, ...]:
        """Its parts; ``ask`` and ``pick`` are short for two of them. None with a ladder."""
        named = (Part(ask=self.ask, always=True),) if self.ask else ()
        drawn = self.count - len(self.ask)
        rest = (Part(pick=self.pick, count=drawn),) if self.pick and drawn else ()
        return self.parts or (*named, *rest)

    @property
    def named(self) -> tuple[str, ...]:
        return tuple(rubric for part in self.in_parts for rubric in part.ask)

    @property
    def holds(self) -> int | None:
        """How many questions it has to choose from, None if that is for the library to say."""
        draws = self.ladder or self.pick or any(part.pick for part in self.parts)
        return None if draws else len(self.named)


class Plan(Frozen):
    """The blueprint of a mock: its rounds in order."""

    id: Slug
    version: int = Field(ge=1)
    title: Text
    description: Text
    rounds: tuple[PlanRound, ...] = Field(min_length=1, max_length=12)
    over_days: bool = False
    """Without effect: plans of earlier versions have it."""

    @model_validator(mode="after")
    def _asks_nothing_twice(self) -> Plan:
        for noun, ids in (
            ("round", [part.id for part in self.rounds]),
            ("question", [rubric for part in self.rounds for rubric in part.named]),
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
    named = frozenset(rubric for part in plan.rounds for rubric in part.named)

    def unknown(place: FieldPath, names: Iterable[str]) -> Iterator[Problem]:
        for n, name in enumerate(names):
            if name not in library.entries:
                message = f"no rubric is called {name}; {library.suggestion(name)}"
                yield where.error((*place, n), message)

    def too_few(place: FieldPath, pick: Pick, wanted: int, *, alone: bool) -> Iterator[Problem]:
        free = sum(each.id not in named for each in pick.of(library.summaries()))
        if free < wanted:
            complain = where.error if alone and not free else where.warning
            yield complain(place, f"finds {free} of the {wanted} questions wanted; widen it")

    for i, part in enumerate(plan.rounds):
        place = "rounds", i
        for n, each in enumerate(part.in_parts):
            at = (*place, "parts", n) if part.parts else place
            yield from unknown((*at, "ask"), each.ask)
            if each.pick:
                alone = len(part.in_parts) == 1
                yield from unknown((*at, "pick", "only"), each.pick.only)
                yield from too_few((*at, "pick"), each.pick, each.share, alone=alone)
        for n, rung in enumerate(part.ladder):
            yield from too_few((*place, "ladder", n), rung, 1, alone=True)
        share = sum(each.share for each in part.parts)
        if part.parts and share < part.count:
            message = f"ask {share} questions together, but count is {part.count}; lower it"
            yield where.warning((*place, "parts"), message)
        if part.minutes < _MINUTES_A_QUESTION * part.count:
            message = f"leave under {_MINUTES_A_QUESTION:g} minutes a question; allow more"
            yield where.warning((*place, "minutes"), message)


class Length(StrEnum):
    """How much of a plan to use."""

    QUICK = "quick"
    """One question a round, unless the round says otherwise."""
    STANDARD = "standard"
    """As written."""
    EXTENDED = "extended"
    """Half as many questions again, rounded up, if the library has them."""


@dataclass(frozen=True)
class Extent:
    questions: int
    minutes: float


def extent(plan: Plan, length: Length) -> Extent:
    """What the plan takes at this length, if the library has enough questions for it."""
    rounds = [round_extent(part, length) for part in plan.rounds]
    return Extent(sum(each.questions for each in rounds), sum(each.minutes for each in rounds))


def round_extent(part: PlanRound, length: Length) -> Extent:
    asks = wanted(part, length)
    if part.holds is not None:  # a mere list of names does not grow
        asks = min(asks, part.holds)
    return Extent(asks, part.minutes * asks / part.count)


def wanted(part: PlanRound, length: Length) -> int:
    """How many questions the round asks at this length, if there are enough."""
    match length:
        case Length.QUICK:
            return min(part.quick, part.count)
        case Length.STANDARD:
            return part.count
        case Length.EXTENDED:
            return math.ceil(part.count * 1.5)
