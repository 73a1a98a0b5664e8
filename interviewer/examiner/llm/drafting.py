"""A rubric proposed by a model from somebody's notes: one request, and one repair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interviewer.examiner.llm import failures, prompts
from interviewer.examiner.llm.client import ChatClient
from interviewer.examiner.llm.draft_reply import as_rubric, draft_schema, read_draft
from interviewer.examiner.llm.judge_messages import repair_messages
from interviewer.examiner.llm.messages import Message, fenced_about
from interviewer.examiner.llm.reply import Reply
from interviewer.examiner.llm.request import ChatRequest

CAP = 6000
"""Tokens of a draft: about two thousand for its words, the rest for reasoning."""
LONGEST = 24_000
"""Characters that a draft cannot honestly exceed."""
REPAIR_CHARACTERS = 12_000
"""So much of a bad draft is shown to the model again."""


@dataclass(frozen=True)
class Wanted:
    """What the draft is to be called and where it belongs; the model has no say in it."""

    id: str
    round: str
    topic: str
    title: str | None = None
    """None leaves the title to the model."""


@dataclass(frozen=True)
class Drafted:
    """What came of the notes."""

    rubric: dict[str, Any] | None
    """The fields of a rubric file; None where no reply made one."""
    said: str
    """The model's last reply."""
    why: str = ""
    """Why there is no rubric: the end of a sentence."""


async def draft_rubric(client: ChatClient, notes: str, wanted: Wanted) -> Drafted:
    """Let the model propose a rubric; a reply that makes none is asked for once more.

    The notes are data: they travel as a JSON string in a message of their own, and code alone
    decides what of the reply is kept. Raises ExaminerError where a call fails.
    """
    data = {"notes": notes, **({"title": wanted.title} if wanted.title else {})}
    asked = (
        Message("system", prompts.load("draft").text),
        Message("user", fenced_about("The notes", data, wanted.id)),
    )
    first, reply = await _ask(client, asked, wanted, prompts.load("draft"))
    if first.rubric or reply.refused or reply.cut_off:
        return first
    again = repair_messages(asked, first.said[:REPAIR_CHARACTERS], [first.why])
    second, _ = await _ask(client, again, wanted, prompts.load("repair"))
    return second


async def _ask(
    client: ChatClient, messages: tuple[Message, ...], wanted: Wanted, prompt: prompts.Prompt
) -> tuple[Drafted, Reply]:
    request = ChatRequest(
        "draft",
        prompt.version,
        messages,
        cap=CAP,
        temperature=0.0,
        longest=LONGEST,
        schema=draft_schema(),
    )
    reply, call = await client.complete(request)
    drafted = _read(reply, wanted)
    if drafted.rubric is None:
        why = failures.redacted(drafted.why, client.endpoint)
        client.log.correct(call, "refused" if reply.refused else "unparsable", why)
    return drafted, reply


def _read(reply: Reply, wanted: Wanted) -> Drafted:
    if reply.refused:
        return Drafted(None, reply.text, "it declined to answer")
    draft = read_draft(reply.text)
    if isinstance(draft, str):
        why = "it ran into its length limit" if reply.cut_off else draft
        return Drafted(None, reply.text, why)
    rubric = as_rubric(
        draft, wanted.id, title=wanted.title, round_id=wanted.round, topic=wanted.topic
    )
    if isinstance(rubric, str):
        return Drafted(None, reply.text, rubric)
    return Drafted(rubric, reply.text)
