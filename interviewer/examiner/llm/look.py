"""One request of a judgement: what was asked about, and what of the reply can be used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interviewer.examiner.llm import failures
from interviewer.examiner.llm.batches import Batch
from interviewer.examiner.llm.canary import CREDITED, Canary
from interviewer.examiner.llm.client import ChatClient
from interviewer.examiner.llm.findings import Reading, read_findings, schema_for
from interviewer.examiner.llm.messages import Message
from interviewer.examiner.llm.prompts import Prompt
from interviewer.examiner.llm.reply import Reply
from interviewer.examiner.llm.request import ChatRequest
from interviewer.grading.verdicts import Finding

CAP_BASE, CAP_PER_CRITERION = 1024, 160
"""Tokens of a judgement: room for some reasoning, and for each criterion's entry."""
LONGEST_BASE, LONGEST_PER_CRITERION = 400, 1000
"""Characters that the JSON of a judgement cannot honestly exceed."""
CANARY_CREDITED = "it credits a planted point that nobody could make"


@dataclass(frozen=True)
class Look:
    """What one request brought."""

    reply: Reply
    findings: Mapping[str, Finding]
    """On the criteria asked about, by id."""
    problems: tuple[str, ...]
    """Why there are none on the others; empty where none is lacking."""
    credits_canary: bool


async def look(
    client: ChatClient,
    batch: Batch,
    messages: tuple[Message, ...],
    wanted: Sequence[str],
    prompt: Prompt,
    *,
    temperature: float = 0.0,
    optional: bool = False,
) -> Look:
    """Ask about the wanted criteria of the batch.

    The schema names all criteria of the batch every time: some servers put it in front of the
    prompt, and it should not differ from look to look. ``optional`` looks are not tried again.
    Raises ExaminerError.
    """
    size = len(batch.ids)
    request = ChatRequest(
        "judge",
        prompt.version,
        messages,
        cap=CAP_BASE + CAP_PER_CRITERION * size,
        temperature=temperature,
        longest=LONGEST_BASE + LONGEST_PER_CRITERION * size,
        schema=schema_for(batch.ids),
        optional=optional,
    )
    reply, call = await client.complete(request)
    outcome, reading = _read(reply, wanted, batch.ids)
    found = {each: reading.findings[each] for each in wanted if each in reading.findings}
    problems = reading.problems if len(found) < len(wanted) else ()
    credited = _credits(batch.canary, reading)
    if credited:
        outcome, problems = "canary", (CANARY_CREDITED,)
    if problems:
        client.log.correct(call, outcome, failures.redacted("; ".join(problems), client.endpoint))
    return Look(reply, found, problems, credited)


def _credits(canary: Canary | None, reading: Reading) -> bool:
    planted = reading.findings.get(canary.criterion.id) if canary else None
    return planted is not None and planted.verdict in CREDITED


def _read(reply: Reply, wanted: Sequence[str], known: Sequence[str]) -> tuple[str, Reading]:
    """The reading, and a word for the log where it lacks something."""
    if reply.refused:
        return "refused", Reading({}, ("it declined to answer",))
    if reply.text:
        reading = read_findings(reply.text, wanted, known)
        if reply.cut_off and any(each not in reading.findings for each in wanted):
            return "cut off", Reading(reading.findings, ("it ran into its length limit",))
        return "unparsable", reading
    if reply.reasoned or reply.cut_off:
        return "empty", Reading({}, ("it holds reasoning and no answer",))
    return "empty", Reading({}, ("it is empty",))
