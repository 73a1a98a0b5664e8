"""Drafts the answer and key of a question that has none: one request, and one repair."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from interviewer.content.fields import Text
from interviewer.content.files import keep_text
from interviewer.content.scaffold import slug_of
from interviewer.errors import ExaminerError
from interviewer.examiner.llm.client import ChatClient, ChatRequest, ask_for
from interviewer.examiner.llm.messages import (
    Message,
    fenced,
    filled,
    load_prompt,
    on_one_line,
    repair_messages,
)
from interviewer.examiner.llm.replies import Read, first_fault, read_as, schema_of
from interviewer.rubric.rubric import CriterionKind, Rubric

MOST_CRITERIA = 8
CAP, LONGEST = 6000, 24_000
"""Tokens, two thousand for the words, and the characters that an honest draft stays within."""
REPAIR_CHARACTERS = 12_000
"""How much of a bad draft the model is shown again."""


_Line = Annotated[Text, BeforeValidator(on_one_line)]


class DraftCriterion(BaseModel):
    """A criterion as a model proposes it, without patterns: people write those."""

    claim: _Line
    weight: int = Field(ge=1, le=5, json_schema_extra={"enum": [1, 2, 3]})
    kind: CriterionKind
    must_have: bool = False
    extra: bool = False
    accept: list[_Line] = Field(default_factory=list, max_length=8)
    reject: list[_Line] = Field(default_factory=list, max_length=8)
    misconceptions: list[_Line] = Field(default_factory=list, max_length=8)
    probe: _Line
    hints: list[_Line] = Field(default_factory=list, max_length=2)


class AnswerDraft(BaseModel):
    """An answer and its key as a model proposes them."""

    reference: _Line
    criteria: list[DraftCriterion] = Field(min_length=1, max_length=MOST_CRITERIA)


@dataclass(frozen=True)
class Drafted:
    """The outcome."""

    rubric: dict[str, Any] | None
    """The question's own fields with the draft's reference and criteria; None if no reply made any.
    """
    said: str
    """The model's last reply."""
    model: str
    """Who made it."""
    why: str = ""
    """Why there is no rubric: the end of a sentence."""

    def usable(self, path: Path) -> dict[str, Any]:
        """The fields of the rubric for the file ``path``.

        Raises ExaminerError if there is none; what the model said is kept beside the file.
        """
        if self.rubric is not None:
            return self.rubric
        message = f"The draft by {self.model} cannot be used ({self.why})"
        if self.said:
            kept = keep_text(path.with_suffix(".draft.txt"), self.said)
            message += f"; its reply is saved in {kept}"
        raise ExaminerError(f"{message}. Try again, or use another model.")


async def draft_answer(client: ChatClient, rubric: Rubric) -> Drafted:
    """Have the model propose the key of a question; a reply that makes none gets one repair.

    The question is data: it travels as a JSON string in a message of its own, with the code or
    options below it. Raises ExaminerError if a call fails.
    """
    listing = (rubric.figure.listing,) if rubric.figure else ()
    data = {"title": rubric.title, "question": "\n\n".join((rubric.question, *listing))}
    asked: tuple[Message, ...] = (
        Message("system", load_prompt("draft").text),
        Message("user", fenced("The question", [data], rubric.id)),
    )
    messages, schema = asked, schema_of(AnswerDraft)
    for prompt in ("draft", "repair"):
        version = load_prompt(prompt).version
        request = ChatRequest("draft", version, messages, CAP, 0.0, LONGEST, schema)
        read, reply = await ask_for(client, request, partial(_read, rubric=rubric))
        if read.value or reply.refused or reply.cut_off:
            break
        messages = repair_messages(asked, reply.text[:REPAIR_CHARACTERS], read.problems)
    return Drafted(read.value, reply.text, client.endpoint.model, "".join(read.problems))


def _read(text: str, rubric: Rubric) -> Read[dict[str, Any] | None]:
    draft = read_as(text, AnswerDraft, "criteria")
    if isinstance(draft, str):
        return Read(None, (draft,))
    taken: set[str] = set()
    values = rubric.model_dump(mode="json", exclude_defaults=True) | {
        "reference": draft.reference,
        "criteria": [_as_criterion(each, taken) for each in draft.criteria],
    }
    try:
        Rubric.model_validate(values)
    except ValidationError as error:
        return Read(None, (first_fault(error),))
    return Read(values)


def _as_criterion(criterion: DraftCriterion, taken: set[str]) -> dict[str, Any]:
    name = slug_of(criterion.claim, taken, otherwise="point")
    taken.add(name)
    fields = criterion.model_dump() | {"extra": criterion.extra and not criterion.must_have}
    return filled(id=name, **fields)  # a file leaves out empty lists and what is false
