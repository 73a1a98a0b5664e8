"""Has a model propose patterns; each is held to the rules for those that the program makes."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from interviewer.errors import ExaminerError
from interviewer.examiner.llm import prompts
from interviewer.examiner.llm.client import ChatClient, ChatRequest
from interviewer.examiner.llm.failures import redacted
from interviewer.examiner.llm.findings import object_of, the_object
from interviewer.examiner.llm.messages import Message, fenced
from interviewer.examiner.offline.proposals import Proposed, Refused, screened
from interviewer.rubric.rubric import Rubric
from interviewer.rubric.terms import SHARED

CAP = 6000
"""Tokens of a reply: some eighty for a pattern, the rest for reasoning."""
LONGEST = 24_000
"""Characters that an honest reply stays within."""

_Regex = Annotated[str, Field(min_length=1, max_length=400)]
_Pattern = Annotated[tuple[_Regex, ...], Field(min_length=1, max_length=4)]


class _Criterion(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: str
    patterns: tuple[_Pattern, ...] = Field(max_length=20)


class _Reply(BaseModel):
    model_config = ConfigDict(extra="ignore")

    criteria: tuple[_Criterion, ...]


def schema_of(rubric: Rubric) -> dict[str, object]:
    """The JSON schema of a reply."""
    pattern = {"type": "array", "items": {"type": "string"}}
    ids = {"type": "string", "enum": [criterion.id for criterion in rubric.criteria]}
    criterion = object_of({"id": ids, "patterns": {"type": "array", "items": pattern}})
    return object_of({"criteria": {"type": "array", "items": criterion}})


async def propose_patterns(
    client: ChatClient, rubric: Rubric
) -> tuple[tuple[Proposed, ...], list[Refused]]:
    """The model's patterns that hold to the rules, and those that do not.

    Raises ExaminerError if the call fails or the reply holds no patterns.
    """
    prompt = prompts.load("patterns")
    messages = (
        Message("system", prompt.text),
        Message("user", fenced("The rubric", _data(rubric), rubric.id)),
    )
    request = ChatRequest(
        "draft",
        prompt.version,
        messages,
        cap=CAP,
        temperature=0.0,
        longest=LONGEST,
        schema=schema_of(rubric),
    )
    reply, call = await client.complete(request)
    read = the_object(reply.text, _Reply)
    if isinstance(read, str):
        why = redacted(read, client.endpoint)
        client.log.correct(call, "refused" if reply.refused else "unparsable", why)
        raise ExaminerError(
            f"{client.endpoint.model} proposed no patterns ({why}); try again, or leave out "
            "--examiner."
        )
    by_id: dict[str, list[tuple[str, ...]]] = {}
    for each in read.criteria:
        by_id.setdefault(each.id, []).extend(each.patterns)
    found = [screened(rubric, i, by_id.get(c.id, ())) for i, c in enumerate(rubric.criteria)]
    return tuple(each for each, _ in found), [one for _, refused in found for one in refused]


def _data(rubric: Rubric) -> dict[str, object]:
    fields = {"id", "claim", "accept", "reject", "misconceptions"}
    return {
        "question": rubric.question,
        "reference": rubric.reference,
        "criteria": [
            each.model_dump(mode="json", include=fields)
            | {"misconceptions": [wrong.claim for wrong in each.misconceptions]}
            for each in rubric.criteria
        ],
        "terms": dict(SHARED),
    }
