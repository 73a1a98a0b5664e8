"""A model's reply read as the draft of a rubric: all of it, or what is wrong with it."""

from __future__ import annotations

from typing import Annotated, Any, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from interviewer.examiner.llm.findings import first_fault, json_objects, object_of
from interviewer.examiner.llm.messages import as_json_text
from interviewer.rubric.rendering import without_control
from interviewer.rubric.rubric import Criterion, Difficulty, QuestionKind, Rubric, Text
from interviewer.rubric.slugs import slug_of

MOST_CRITERIA = 8
_CRITERION_KINDS = get_args(Criterion.model_fields["kind"].annotation)


def _clean(value: Any) -> Any:
    """One line without what no file may hold."""
    return (
        " ".join(without_control(as_json_text(value)).split()) if isinstance(value, str) else value
    )


_Line = Annotated[Text, BeforeValidator(_clean)]


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore")


class DraftCriterion(_Lenient):
    """A criterion as a model proposes it, without patterns: those are for people to write."""

    claim: _Line
    weight: int = Field(ge=1, le=5)
    kind: str
    must_have: bool = False
    accept: list[_Line] = Field(default_factory=list, max_length=8)
    reject: list[_Line] = Field(default_factory=list, max_length=8)
    misconceptions: list[_Line] = Field(default_factory=list, max_length=8)
    probe: _Line
    hints: list[_Line] = Field(default_factory=list, max_length=2)


class RubricDraft(_Lenient):
    """A rubric as a model proposes it."""

    title: _Line
    question: _Line
    kind: QuestionKind
    difficulty: Difficulty
    reference: _Line
    criteria: list[DraftCriterion] = Field(min_length=1, max_length=MOST_CRITERIA)


def draft_schema() -> dict[str, object]:
    """The JSON schema of a reply, in what all servers with structured output know."""
    text = {"type": "string"}
    texts = {"type": "array", "items": text}
    criterion = {
        "claim": text,
        "weight": {"type": "integer", "enum": [1, 2, 3]},
        "kind": {"type": "string", "enum": list(_CRITERION_KINDS)},
        "must_have": {"type": "boolean"},
        "accept": texts,
        "reject": texts,
        "misconceptions": texts,
        "probe": text,
        "hints": texts,
    }
    return object_of(
        {
            "title": text,
            "question": text,
            "kind": {"type": "string", "enum": list(get_args(QuestionKind))},
            "difficulty": {"type": "string", "enum": list(get_args(Difficulty))},
            "reference": text,
            "criteria": {"type": "array", "items": object_of(criterion)},
        }
    )


def read_draft(text: str) -> RubricDraft | str:
    """The draft that the text holds, or in a few words why it holds none."""
    found = [value for value in json_objects(text) if "criteria" in value]
    if len(found) != 1:
        return "the reply holds no JSON object, or more than one, with the fields asked for"
    try:
        return RubricDraft.model_validate(found[0])
    except ValidationError as error:
        return first_fault(error)


def as_rubric(
    draft: RubricDraft, rubric_id: str, *, title: str | None, round_id: str, topic: str
) -> dict[str, Any] | str:
    """The draft as the fields of a rubric file, or in a few words why it makes no rubric."""
    taken: set[str] = set()
    values: dict[str, Any] = {
        "id": rubric_id,
        "version": 1,
        "title": title or draft.title,
        "round": round_id,
        "topic": topic,
        "difficulty": draft.difficulty,
        "kind": draft.kind,
        "question": draft.question,
        "reference": draft.reference,
        "criteria": [_as_criterion(each, taken) for each in draft.criteria],
    }
    try:
        Rubric.model_validate(values)
    except ValidationError as error:
        return first_fault(error)
    return values


def _as_criterion(criterion: DraftCriterion, taken: set[str]) -> dict[str, Any]:
    name = slug_of(criterion.claim, taken, otherwise="point")
    taken.add(name)
    fields = criterion.model_dump()
    # Empty lists and a false must_have are what a file leaves out.
    return {"id": name, **{field: value for field, value in fields.items() if value}}
