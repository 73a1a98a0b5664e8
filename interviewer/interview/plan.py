"""Plans: the blueprint of a mock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field, model_validator

from interviewer.examiner.protocol import Patience
from interviewer.rubric.files import read, shipped_folder
from interviewer.rubric.folders import PLANS, Origin, collect, look_up
from interviewer.rubric.index import Brief
from interviewer.rubric.problems import Problem
from interviewer.rubric.rubric import Difficulty, QuestionKind, Slug, Text


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
