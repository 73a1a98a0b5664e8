"""A rubric: a question, its criteria and its graded samples, as written in a YAML file."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BeforeValidator, Field, model_validator

from interviewer.content.fields import Finite, Frozen, Name, Slug, Text
from interviewer.content.problems import FieldsError
from interviewer.rubric.terms import with_terms


class Verdict(StrEnum):
    """How far an answer meets one criterion."""

    MET = "met"
    PARTIAL = "partial"
    NOT_MET = "not_met"
    CONTRADICTED = "contradicted"


def _one_or_many(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


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


def _as_misconception(value: Any) -> Any:
    return {"claim": value} if isinstance(value, str) else value


_ClaimOrMore = Annotated[
    Misconception,
    BeforeValidator(_as_misconception, json_schema_input_type=_OneText | Misconception),
]


class Criterion(Frozen):
    """One proposition that an answer should hold."""

    id: Slug
    claim: Text
    weight: Finite = Field(gt=0, le=10)
    kind: Literal["fact", "mechanism", "number", "tradeoff", "pitfall", "experience"]
    must_have: bool = False
    extra: bool = False
    """The question does not ask for it: it can add to a score, and never takes from one."""
    accept: _Few[Text] = ()
    reject: _Few[Text] = ()
    misconceptions: _Few[_ClaimOrMore] = ()
    numbers: _Few[NumberFact] = ()
    patterns: _Few[AllOf] = ()
    partly: _Few[AllOf] = ()
    """Patterns that earn half the point: it is touched on, but a step or number is missing."""
    probe: Text
    hints: tuple[Text, ...] = Field(default=(), max_length=2)
    secret_terms: _Few[Text] = ()
    """Words that would give the point away; no examiner says one before the candidate has."""
    bench: Name | None = None
    """The part or step of the rubric's challenge whose derivation proves this point."""


SampleKind = Literal["empty", "wrong", "middle", "full", "recited", "negated", "swapped"]


class Sample(Frozen):
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
    reference: Text
    terms: dict[str, Text] = Field(default_factory=dict)
    """Named synonyms, used as ``{name}`` in this rubric's patterns.

    They are expanded when a file is read; a rubric in use, or stored with a session, has none."""
    criteria: tuple[Criterion, ...] = Field(min_length=1, max_length=12)
    escalations: tuple[Text, ...] = ()
    """Harder variants, for those who have made the main points."""
    simpler: tuple[Text, ...] = ()
    """Easier ways into the question, for those who are stuck; they give no point away."""
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
            (
                ("criteria", n, "id"),
                f"is also the id of criteria[{ids.index(i)}]; give each its own",
            )
            for n, i in enumerate(ids)
            if ids.index(i) < n
        ]
        if faults:
            raise FieldsError(*faults)
        return self

    @property
    def has_hints(self) -> bool:
        return any(criterion.hints for criterion in self.criteria)

    def on_point(self, criterion_id: str) -> Rubric:
        """This rubric with one criterion left; KeyError where it has none of this id."""
        changes = {"criteria": (self.criterion(criterion_id),), "challenge": None}
        return self.model_copy(update={**changes, "escalations": (), "simpler": (), "samples": ()})

    def criterion(self, criterion_id: str) -> Criterion:
        """The criterion with this id; KeyError where there is none."""
        for criterion in self.criteria:
            if criterion.id == criterion_id:
                return criterion
        raise KeyError(criterion_id)
