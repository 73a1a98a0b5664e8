"""Plans, the blueprints of a mock: load, lint and lay them out."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field, model_validator

from interviewer.content.collection import PLANS, Origin, close_to, collect, look_up, yaml_files
from interviewer.content.files import read, rendered, shipped_folder
from interviewer.content.problems import Locator, Problem
from interviewer.errors import RubricFileError, UnknownNameError
from interviewer.examiner.protocol import Patience, Persona
from interviewer.interview.events import RoundOutline
from interviewer.rubric.library import Brief, Library
from interviewer.rubric.rubric import Difficulty, QuestionKind, Slug, Text
from interviewer.rubric.scaffold import as_file, schema_of


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PlanPersona(_Frozen):
    """Who asks in a round. All of it shapes the tone and never the rules."""

    name: Text
    manner: Text
    patience: Patience = "even"
    cares_about: str = Field(default="", max_length=200)
    """What this person listens for, in a few words."""


class Pick(_Frozen):
    """Which rubrics may be drawn; a list that is empty allows all."""

    rounds: tuple[Slug, ...] = ()
    topics: tuple[Slug, ...] = ()
    difficulty: tuple[Difficulty, ...] = ()
    kinds: tuple[QuestionKind, ...] = ()

    def allows(self, rubric: Brief) -> bool:
        """Every list that is given names the rubric's own value."""
        return (
            (not self.rounds or rubric.round in self.rounds)
            and (not self.topics or rubric.topic in self.topics)
            and (not self.difficulty or rubric.difficulty in self.difficulty)
            and (not self.kinds or rubric.kind in self.kinds)
        )


class PlanRound(_Frozen):
    """A part of the mock.

    ``ask`` names rubrics in order, and ``pick`` fills up to ``count``. In their place, ``ladder``
    lists what may be drawn on each rung, easiest first: the answers decide how fast it is climbed,
    from rung ``start``, counted from 1.
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
    """A smooth answer is met with what the candidate did themselves, whatever it covered."""

    @model_validator(mode="after")
    def _adds_up(self) -> PlanRound:
        if self.ladder:
            if self.ask or self.pick:
                raise ValueError("has a ladder, which chooses alone; remove ask and pick")
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


class Plan(_Frozen):
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
                raise ValueError(f"the {noun} {twice[0]} stands in the plan twice; remove one")
        return self


@dataclass(frozen=True)
class PlanEntry:
    """A plan and where it comes from. ``replaces`` says that a shipped one has the same id."""

    plan: Plan
    path: Path
    origin: Origin
    replaces: bool = False


@dataclass(frozen=True)
class Plans:
    """Plans by id. ``problems`` tells of the files that are not among them."""

    entries: Mapping[str, PlanEntry]
    problems: tuple[Problem, ...] = ()

    def get(self, plan_id: str) -> PlanEntry:
        """The plan with this id; raises UnknownNameError with the ids that come close."""
        return look_up(self.entries, plan_id, "plan")


def shipped_plans_folder() -> Path:
    """The folder of the plans that come with the program."""
    return shipped_folder() / PLANS


def load_plans(folders: Iterable[Path] = ()) -> Plans:
    """Load the shipped plans and those of the given folders, as rubrics are loaded."""
    found, problems = collect(shipped_plans_folder(), folders, lambda path, _: read(path, Plan))
    entries = {name: PlanEntry(f.value, f.path, f.origin, f.replaces) for name, f in found.items()}
    return Plans(MappingProxyType(entries), problems)


_MINUTES_A_QUESTION = 2


def lint_plan_paths(paths: Iterable[Path], library: Library) -> tuple[int, list[Problem]]:
    """Lint files and folders: how many files were read, and all problems in order."""
    checked = 0
    problems: list[Problem] = []
    for path in paths:
        found, unread = yaml_files(path) if path.is_dir() else ((path,), ())
        problems += unread
        for file in found:
            checked += 1
            reading = read(file, Plan)
            problems += reading.problems
            if reading.value is not None:
                problems += lint_plan(reading.value, library, reading.where)
    return checked, problems


def lint_plan(plan: Plan, library: Library, where: Locator) -> list[Problem]:
    """Unknown ids, picks and rungs that find too little, rounds too short for their questions."""
    problems: list[Problem] = []
    named = {rubric for part in plan.rounds for rubric in part.ask}
    for i, part in enumerate(plan.rounds):
        for n, rubric in enumerate(part.ask):
            if rubric not in library.entries:
                hint = close_to(rubric, library.entries, "rubric")
                message = f"no rubric is called {rubric}; {hint}"
                problems.append(where.error(("rounds", i, "ask", n), message))
        if part.pick is not None:
            free = sum(part.pick.allows(r) and r.id not in named for r in library.briefs())
            wanted = part.count - len(part.ask)
            if free < wanted:
                complain = where.warning if free or part.ask else where.error
                message = f"finds {free} of the {wanted} questions wanted; widen it"
                problems.append(complain(("rounds", i, "pick"), message))
        for n, rung in enumerate(part.ladder):
            if not any(rung.allows(rubric) for rubric in library.briefs()):
                message = "finds no question, so nobody can stand on this rung; widen it"
                problems.append(where.error(("rounds", i, "ladder", n), message))
        if part.minutes < _MINUTES_A_QUESTION * part.count:
            message = f"leave under {_MINUTES_A_QUESTION} minutes a question; allow more"
            problems.append(where.warning(("rounds", i, "minutes"), message))
    return problems


PLAN_SCHEMA = "plan.schema.json"
"""The schema's file name, beside the plans."""


def plan_schema_text() -> str:
    """The schema as it stands in ``rubrics/plans/plan.schema.json``."""
    return as_file(schema_of(Plan))


_BODY = """\
# What the list of plans says about it.
description: >-
  Four questions in half an hour: two drawn from pre-training, then one that is always asked and
  one drawn from distributed training.
# Held in this order, each with its own clock and its own person opposite.
rounds:
  - id: warm-up
    title: Warm-up
    # Who asks. The manner shapes the tone and never the rules.
    persona:
      name: Noor
      manner: Calm and plain. Leaves time to think, and wants a reason with every answer.
    # For all questions of the round together.
    minutes: 12
    # The most follow-ups to one question, hints included.
    follow_ups: 3
    count: 2
    # Drawn anew every time. Each list that is given has to name the rubric's own value:
    # rounds, topics, difficulty (easy, medium, hard), kinds. Without lists all may be drawn.
    pick:
      rounds: [transformer]
      difficulty: [easy, medium]
  - id: deep-dive
    title: Deep dive
    persona:
      name: Viktor
      manner: Patient and exact. Stays with a number until it is clear where it comes from.
    minutes: 18
    follow_ups: 4
    count: 2
    # Always asked, in this order, by the ids that 'interviewer rubrics list' shows. What then
    # lacks to count is drawn.
    ask: [zero-memory-arithmetic]
    pick:
      rounds: [distributed]
"""


def plan_starter(plan_id: str, *, title: str, schema: str) -> str:
    """The starter as the text of a file; ``schema`` is the address that editors read."""
    head = rendered(
        {"id": plan_id, "version": 1, "title": title},
        heading=[
            f"yaml-language-server: $schema={schema}",
            "A small plan that works as it stands. Put yours in its place;",
            "'interviewer plans lint' says what does not hold together, and",
            f"'interviewer run --plan {plan_id}' holds it.",
        ],
        notes={
            "id": ["The plan's name for good: sessions keep it."],
            "version": ["Raise it when the plan becomes another one."],
        },
    )
    return head + _BODY


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
