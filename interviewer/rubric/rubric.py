"""A rubric: a question, its criteria and its graded samples, as written in a YAML file."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BeforeValidator, Field, model_validator

from interviewer.content.fields import (
    FieldPath,
    FieldsError,
    Finite,
    Frozen,
    Name,
    Slug,
    Text,
    dotted,
)
from interviewer.rubric.figure import Figure
from interviewer.rubric.terms import with_terms


class Rating(StrEnum):
    """How far an answer meets one criterion."""

    MET = "met"
    PARTIAL = "partial"
    NOT_MET = "not_met"
    CONTRADICTED = "contradicted"


def _one_or_many(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _alone(field: str, value: Any) -> Any:
    """A text that stands for a whole with this field."""
    return {field: value} if isinstance(value, str) else value


_T = TypeVar("_T")
_Few = Annotated[tuple[_T, ...], Field(max_length=50)]
"""More than a person writes, and still matched in a moment."""
_OneText = Annotated[str, Field(min_length=1)]
_Regexes = Annotated[tuple[Text, ...], Field(min_length=1, max_length=20)]
AllOf = Annotated[
    _Regexes, BeforeValidator(_one_or_many, json_schema_input_type=_OneText | _Regexes)
]
"""Regular expressions (RE2 syntax, case ignored) that must all be found close together.

A file may write a single one without the list.
"""


class NumberFact(Frozen):
    """A quantity the criterion asks for.

    A stated value counts when it lies within ``rel`` (a share of the value) of ``value`` or of one
    of ``alternatives``, and carries ``unit`` where one is given.
    """

    value: Finite
    unit: str = ""
    rel: Finite = Field(default=0.05, ge=0, le=1)
    alternatives: tuple[Finite, ...] = ()


class Misconception(Frozen):
    """A statement that contradicts the criterion; its patterns are for the offline examiner."""

    claim: Text
    patterns: _Few[AllOf] = ()


_ClaimOrMore = Annotated[
    Misconception,
    BeforeValidator(partial(_alone, "claim"), json_schema_input_type=_OneText | Misconception),
]


CriterionKind = Literal["fact", "mechanism", "number", "tradeoff", "pitfall", "experience"]


class _Point(Frozen):
    """What every point has that an answer is judged by."""

    id: Slug
    claim: Text
    accept: _Few[Text] = ()
    reject: _Few[Text] = ()
    misconceptions: _Few[_ClaimOrMore] = ()
    numbers: _Few[NumberFact] = ()
    patterns: _Few[AllOf] = ()
    partly: _Few[AllOf] = ()
    """Patterns that earn half the point: it is touched on, but a step or number is missing."""
    secret_terms: _Few[Text] = ()
    """Words that would give the point away; no examiner says one before the candidate has."""


class OwnDrill(Frozen):
    """What they are asked about their own work; ``wants`` names what a reply must hold."""

    ask: Text
    wants: Text
    again: Text


class Step(Frozen):
    """One of several steps whose order matters; any of its patterns finds it."""

    claim: Text
    patterns: _Regexes


class Criterion(_Point):
    """One proposition that an answer should hold."""

    weight: Finite = Field(gt=0, le=10)
    kind: CriterionKind
    must_have: bool = False
    extra: bool = False
    """The question does not ask for it: it can add to a score, and never takes from one."""
    probe: Text
    deeper: str = Field(default="", exclude_if=lambda deeper: not deeper)
    """What is asked once the point was made: one step further into it."""
    hints: tuple[Text, ...] = Field(default=(), max_length=2)
    bench: Name | None = None
    """The part or step of the rubric's challenge whose derivation proves this point."""
    drill: OwnDrill | None = Field(default=None, exclude_if=lambda drill: drill is None)
    steps: tuple[Step, ...] = Field(default=(), min_length=2, exclude_if=lambda steps: not steps)
    """What the point consists of, where half of it is their order."""

    @property
    def is_own(self) -> bool:
        """It is on what the candidate did, which nobody else can know."""
        return self.kind == "experience"


class Further(Criterion):
    """A criterion of an escalation that was asked: an extra, and nothing but the reply is due."""


class HarderPoint(_Point):
    """What an escalation asks for, as a file has it."""

    weight: Finite = Field(default=1, gt=0, le=10)
    kind: CriterionKind = "mechanism"


SampleKind = Literal["empty", "wrong", "middle", "full", "recited", "negated", "swapped"]


class Sample(Frozen):
    """An answer with its verdicts: the rubric's own test."""

    kind: SampleKind
    answer: str = Field(max_length=8000)
    verdicts: dict[Slug, Rating]


class Escalation(Frozen):
    """A harder variant of the question, for those who have made its main points.

    A file may write the question alone: it is asked and discussed, but not graded.
    """

    ask: Text
    criteria: tuple[HarderPoint, ...] = Field(default=(), max_length=2)
    """What the reply is graded by: extras, which add to the question's score."""
    samples: tuple[Sample, ...] = ()
    """Replies to it with their verdicts."""


_AskOrMore = Annotated[
    Escalation,
    BeforeValidator(partial(_alone, "ask"), json_schema_input_type=_OneText | Escalation),
]


Difficulty = Literal["easy", "medium", "hard"]
QuestionKind = Literal[
    "derivation",
    "concept",
    "comparison",
    "debugging",
    "design",
    "project",
    "estimation",
    "pseudocode",
    "one-liner",
    "discussion",
]
"""A one-liner is asked and answered within a minute: it has one or two points. A discussion has no
right answers: its criteria are what to ask about, and it gets no grade."""


Looks = Literal["number", "decision", "trouble", "result", "anything"]
PASSAGE = "{passage}"
"""The placeholder for the candidate's words in a question about their own project."""


class OwnProject(Frozen):
    """How the question is put to a candidate who gave notes on a project of their own.

    ``looks_for`` says which passage of the notes it is about. ``passage`` is that passage, set when
    a session is planned and never in a file.
    """

    looks_for: Looks
    question: Text
    passage: str = ""

    @model_validator(mode="after")
    def _has_room_for_the_passage(self) -> OwnProject:
        if self.question.count(PASSAGE) != 1 and not self.passage:
            raise ValueError(f"its question needs {PASSAGE} exactly once, where their words go")
        return self


class Rubric(Frozen):
    """A question, what a good answer contains, and how to drill towards it."""

    id: Slug
    version: int = Field(ge=1)
    title: Text
    round: Slug
    topic: Slug
    difficulty: Difficulty
    kind: QuestionKind
    covers: tuple[Slug, ...] = ()
    question: Text
    figure: Figure | None = Field(default=None, exclude_if=lambda figure: figure is None)
    """What the question gives to look at."""
    reference: Text
    terms: dict[str, Text] = Field(default_factory=dict)
    """Named synonyms, used as ``{name}`` in this rubric's patterns.

    They are expanded when a file is read; a rubric in use, or stored with a session, has none."""
    criteria: tuple[Criterion, ...] = Field(min_length=1, max_length=12)
    escalations: tuple[_AskOrMore, ...] = ()
    simpler: tuple[Text, ...] = ()
    """Easier ways into the question, for those who are stuck; they give no point away."""
    own_project: OwnProject | None = None
    candidate_asks: bool = False
    """In a discussion: they ask, and the interviewer answers."""
    challenge: Slug | None = None
    samples: tuple[Sample, ...] = ()
    sources: tuple[Text, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _terms_are_put_in(cls, values: Any) -> Any:
        return with_terms(values)

    @model_validator(mode="after")
    def _criteria_are_distinct(self) -> Rubric:
        places: list[FieldPath] = [("criteria", n) for n in range(len(self.criteria))]
        ids = [criterion.id for criterion in self.criteria]
        for n, escalation in enumerate(self.escalations):
            places += [("escalations", n, "criteria", k) for k in range(len(escalation.criteria))]
            ids += [point.id for point in escalation.criteria]
        first = {each: places[ids.index(each)] for each in ids}
        faults = [
            ((*place, "id"), f"is also the id of {dotted(first[each])}; give each its own")
            for place, each in zip(places, ids, strict=True)
            if first[each] != place
        ]
        if faults:
            raise FieldsError(*faults)
        return self

    @property
    def asked(self) -> tuple[str, ...]:
        """All that the question says: its words, and those of its figure."""
        return (self.question, self.figure.words) if self.figure else (self.question,)

    @property
    def is_discussion(self) -> bool:
        """It is talked over and not graded."""
        return self.kind == "discussion"

    @property
    def has_hints(self) -> bool:
        return any(criterion.hints for criterion in self.criteria)

    def on_point(self, criterion_id: str) -> Rubric:
        """This rubric with one criterion left; KeyError where it has none of this id."""
        changes = {"criteria": (self.criterion(criterion_id),), "challenge": None}
        return self.model_copy(update={**changes, "escalations": (), "simpler": (), "samples": ()})

    @property
    def harder(self) -> tuple[str, ...]:
        """What its escalations ask."""
        return tuple(escalation.ask for escalation in self.escalations)

    @property
    def escalation_to_ask(self) -> int | None:
        """The place of the harder variant to ask: the first that is graded, else the first."""
        graded = (n for n, each in enumerate(self.escalations) if each.criteria)
        return next(graded, 0 if self.escalations else None)

    def with_escalation(self, n: int) -> Rubric:
        """This rubric once the n-th escalation, from 0, was asked: with its criteria as extras.

        KeyError where there is none.
        """
        if n >= len(self.escalations):
            raise KeyError(n)
        harder = self.escalations[n]
        further = tuple(
            Further(**dict(point), extra=True, probe=harder.ask) for point in harder.criteria
        )
        return self.model_copy(update={"criteria": (*self.criteria, *further)})

    def on_escalation(self, n: int) -> Rubric:
        """The n-th escalation, from 0, as a question of its own; it must be graded."""
        harder = self.escalations[n]
        return self.model_copy(
            update={
                "question": harder.ask,
                "reference": " ".join(point.claim for point in harder.criteria),
                "criteria": tuple(
                    Criterion(**dict(point), probe=harder.ask) for point in harder.criteria
                ),
                "escalations": (),
                "simpler": (),
                "own_project": None,
                "challenge": None,
                "samples": harder.samples,
            }
        )

    def criterion(self, criterion_id: str) -> Criterion:
        """The criterion with this id; KeyError where there is none."""
        return {each.id: each for each in self.criteria}[criterion_id]
