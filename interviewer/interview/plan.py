"""Plans: the blueprint of a mock, and laying one out with the rubrics at hand."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field, model_validator

from interviewer.errors import RubricFileError, UnknownNameError
from interviewer.examiner.protocol import Persona
from interviewer.interview.events import RoundOutline
from interviewer.rubric.files import shipped_folder
from interviewer.rubric.folders import Origin, close_to, collect, look_up
from interviewer.rubric.library import Library
from interviewer.rubric.problems import Problem
from interviewer.rubric.rubric import Difficulty, QuestionKind, Rubric, Slug, Text


class Length(StrEnum):
    """How much of a plan to hold."""

    QUICK = "quick"
    """One question a round."""
    STANDARD = "standard"
    """As written."""
    EXTENDED = "extended"
    """Half as many questions again, rounded up, as far as the library has them."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PlanPersona(_Frozen):
    """Who asks in a round: a name and a manner, which shapes the tone and never the rules."""

    name: Text
    manner: Text


class Pick(_Frozen):
    """Which rubrics may be drawn; a list that is empty allows all."""

    rounds: tuple[Slug, ...] = ()
    topics: tuple[Slug, ...] = ()
    difficulty: tuple[Difficulty, ...] = ()
    kinds: tuple[QuestionKind, ...] = ()

    def allows(self, rubric: Rubric) -> bool:
        """Every list that is given names the rubric's own value."""
        return (
            (not self.rounds or rubric.round in self.rounds)
            and (not self.topics or rubric.topic in self.topics)
            and (not self.difficulty or rubric.difficulty in self.difficulty)
            and (not self.kinds or rubric.kind in self.kinds)
        )


class PlanRound(_Frozen):
    """A part of the mock. ``ask`` names rubrics in order; ``pick`` fills up to ``count``."""

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

    @model_validator(mode="after")
    def _adds_up(self) -> PlanRound:
        if len(self.ask) > self.count:
            raise ValueError(f"asks {len(self.ask)} questions, but count is {self.count}; raise it")
        if len(self.ask) < self.count and self.pick is None:
            raise ValueError("asks fewer questions than count; name more in ask, or add a pick")
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
    return shipped_folder() / "plans"


def load_plans(folders: Iterable[Path] = ()) -> Plans:
    """Load the shipped plans and those of the given folders, as rubrics are loaded."""
    found, problems = collect(shipped_plans_folder(), folders, Plan, lambda plan: plan.id)
    entries = {name: PlanEntry(f.value, f.path, f.origin, f.replaces) for name, f in found.items()}
    return Plans(MappingProxyType(entries), problems)


def lay_out(
    plan: Plan,
    library: Library,
    *,
    length: Length = Length.STANDARD,
    seed: int,
    recently_asked: frozenset[str] = frozenset(),
) -> tuple[RoundOutline, ...]:
    """Choose the questions of every round; the same arguments give the same questions.

    No question comes twice, and one that was asked recently only where nothing else is left. The
    minutes of a round follow the number of its questions. Raises UnknownNameError for an id in
    ``ask`` that no rubric has, RubricFileError for a round that finds no question.
    """
    _require_known(plan, library)
    draw = random.Random(seed)
    taken = {rubric for part in plan.rounds for rubric in part.ask}
    outlines = []
    for part in plan.rounds:
        wanted = _wanted(part, length)
        # A single question need not be the first of the list each time.
        named = _fresh_first(part.ask, recently_asked) if length is Length.QUICK else part.ask
        asked = list(named[:wanted])
        asked += _picked(part, library, draw, taken, recently_asked)[: wanted - len(asked)]
        if not asked:
            raise RubricFileError(
                f"Round {part.id!r} of plan {plan.id!r} finds no question; "
                "widen its pick or add rubrics for it."
            )
        taken.update(asked)
        outlines.append(_outline(part, asked))
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


def _picked(
    part: PlanRound,
    library: Library,
    draw: random.Random,
    taken: set[str],
    recently_asked: frozenset[str],
) -> Sequence[str]:
    if part.pick is None:
        return ()
    allowed = [r.id for r in library.rubrics() if part.pick.allows(r) and r.id not in taken]
    draw.shuffle(allowed)
    return _fresh_first(allowed, recently_asked)


def _fresh_first(rubrics: Sequence[str], recently_asked: frozenset[str]) -> Sequence[str]:
    return sorted(rubrics, key=lambda rubric: rubric in recently_asked)


def _outline(part: PlanRound, asked: Sequence[str]) -> RoundOutline:
    return RoundOutline(
        title=part.title,
        persona=Persona(part.persona.name, part.persona.manner),
        seconds=round(part.minutes * 60 * len(asked) / part.count),
        follow_ups=part.follow_ups,
        questions=tuple(asked),
    )
