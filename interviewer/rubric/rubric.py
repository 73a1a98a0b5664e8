"""What a question is worth: the rubric, its criteria and its graded samples.

Plain frozen values, as written in a YAML file. Reading files is :mod:`interviewer.content.files`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from interviewer.content.problems import FieldsError
from interviewer.rubric.terms import with_terms


class Verdict(StrEnum):
    """How far an answer carries one criterion."""

    MET = "met"
    PARTIAL = "partial"
    NOT_MET = "not_met"
    CONTRADICTED = "contradicted"


Slug = Annotated[
    str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", min_length=2, max_length=80)
]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=8000)]


_Finite = Annotated[float, Field(allow_inf_nan=False)]
Name = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*$", min_length=1, max_length=24)
]
"""A quantity's name at the bench."""


def _one_or_many(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


_T = TypeVar("_T")
_Few = Annotated[tuple[_T, ...], Field(max_length=50)]
"""More than a person writes, and still matched in a moment."""
AllOf = Annotated[
    tuple[Text, ...], BeforeValidator(_one_or_many), Field(min_length=1, max_length=20)
]
"""Regular expressions (RE2 syntax, case ignored) that must all be found close together."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class NumberFact(_Frozen):
    """A quantity the criterion asks for.

    A stated value counts when it lies within ``rel`` (a share of the value) of ``value`` or of one
    of ``alternatives``, and carries ``unit`` where one is given.
    """

    value: _Finite
    unit: str = ""
    rel: _Finite = Field(default=0.05, ge=0, le=1)
    alternatives: tuple[_Finite, ...] = ()


class Misconception(_Frozen):
    """A statement that contradicts the criterion; patterns let the offline examiner see it."""

    claim: Text
    patterns: _Few[AllOf] = ()


def _as_misconception(value: Any) -> Any:
    return {"claim": value} if isinstance(value, str) else value


class Criterion(_Frozen):
    """One proposition that an answer should hold."""

    id: Slug
    claim: Text
    weight: _Finite = Field(gt=0, le=10)
    kind: Literal["fact", "mechanism", "number", "tradeoff", "pitfall", "experience"]
    must_have: bool = False
    accept: _Few[Text] = ()
    reject: _Few[Text] = ()
    misconceptions: _Few[Annotated[Misconception, BeforeValidator(_as_misconception)]] = ()
    numbers: _Few[NumberFact] = ()
    patterns: _Few[AllOf] = ()
    partly: _Few[AllOf] = ()
    """Patterns of what goes part of the way: the point is touched, a step or number is lacking."""
    probe: Text
    hints: tuple[Text, ...] = Field(default=(), max_length=2)
    bench: Name | None = None
    """The part or step of the rubric's challenge that shows this point where it is derived."""


SampleKind = Literal["empty", "wrong", "middle", "full", "recited", "negated", "swapped"]


class Sample(_Frozen):
    """An answer with its verdicts: the rubric's own test."""

    kind: SampleKind
    answer: str = Field(max_length=8000)
    verdicts: dict[Slug, Verdict]


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
]


Looks = Literal["number", "decision", "trouble", "result", "anything"]
PASSAGE = "{passage}"
"""Stands in an own-project question for the candidate's words."""


class OwnProject(_Frozen):
    """How the question is put where the candidate gave notes on a project of their own.

    ``looks_for`` says which passage of the notes it is about. ``passage`` is that passage, set when
    a session is laid out; a file leaves it out.
    """

    looks_for: Looks
    question: Text
    passage: str = ""

    @model_validator(mode="after")
    def _has_room_for_the_passage(self) -> OwnProject:
        if self.question.count(PASSAGE) != 1 and not self.passage:
            raise ValueError(f"its question needs {PASSAGE} once, where their words go")
        return self


class Rubric(_Frozen):
    """A question, what a good answer holds, and how to drill towards it."""

    id: Slug
    version: int = Field(ge=1)
    title: Text
    round: Slug
    topic: Slug
    difficulty: Difficulty
    kind: QuestionKind
    covers: tuple[Slug, ...] = ()
    question: Text
    reference: Text
    terms: dict[str, Text] = Field(default_factory=dict)
    """Names for words that mean the same, for use as ``{name}`` in this rubric's patterns.

    They are put in when a file is read; a rubric in use, or kept with a session, has none."""
    criteria: tuple[Criterion, ...] = Field(min_length=1, max_length=12)
    escalations: tuple[Text, ...] = ()
    own_project: OwnProject | None = None
    challenge: Slug | None = None
    samples: tuple[Sample, ...] = ()
    sources: tuple[Text, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _terms_are_put_in(cls, values: Any) -> Any:
        return with_terms(values)

    @model_validator(mode="after")
    def _criteria_are_distinct(self) -> Rubric:
        ids = [criterion.id for criterion in self.criteria]
        faults = [
            (("criteria", n, "id"), f"is the id of criteria[{ids.index(i)}] too; give each its own")
            for n, i in enumerate(ids)
            if ids.index(i) < n
        ]
        if faults:
            raise FieldsError(*faults)
        return self

    def criterion(self, criterion_id: str) -> Criterion:
        """The criterion with this id; KeyError where there is none."""
        for criterion in self.criteria:
            if criterion.id == criterion_id:
                return criterion
        raise KeyError(criterion_id)
