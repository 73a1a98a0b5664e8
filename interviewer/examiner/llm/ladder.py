"""From a case to findings on every criterion, down a ladder that ends in a reason, never a guess.

One call is the normal path. A reply that cannot be used in full is followed by one repair request
that says what was wrong, then by one request a criterion for what is still lacking. What remains
after that is left to the caller, with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.examiner.llm import failures, prompts
from interviewer.examiner.llm.client import ChatClient
from interviewer.examiner.llm.findings import Reading, read_findings, schema_for
from interviewer.examiner.llm.messages import Message, judge_messages, repair_messages
from interviewer.examiner.llm.reply import Reply
from interviewer.examiner.llm.request import ChatRequest
from interviewer.examiner.protocol import Case
from interviewer.grading.verdicts import Finding
from interviewer.rubric.rubric import Criterion

TEMPERATURE = 0.0
CAP_BASE, CAP_PER_CRITERION = 1024, 160
"""Tokens of a judgement: room for some reasoning, and for each criterion's entry."""
LONGEST_BASE, LONGEST_PER_CRITERION = 400, 1000
"""Characters that the JSON of a judgement cannot honestly exceed."""
UNUSABLE_IN_A_ROW = 2
"""After so many single criteria without a usable reply the others are not tried."""
REPAIR_CHARACTERS = 4000
"""So much of a bad reply is shown to the model again."""


class Ladder:
    """One judgement under way."""

    def __init__(self, client: ChatClient, case: Case) -> None:
        self._client = client
        self._case = case
        self._found: dict[str, Finding] = {}
        self.repaired = False
        """The first reply was not enough."""
        self.why = ""
        """Why the criteria that are lacking have no finding: one sentence."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found, in the rubric's order."""
        criteria = self._case.rubric.criteria
        return tuple(self._found[c.id] for c in criteria if c.id in self._found)

    @property
    def lacking(self) -> tuple[Criterion, ...]:
        """The criteria without a finding, in the rubric's order."""
        return tuple(c for c in self._case.rubric.criteria if c.id not in self._found)

    async def climb(self) -> None:
        """Gather all findings that can be had. Raises ExaminerError where a call fails."""
        criteria = self._case.rubric.criteria
        messages = judge_messages(self._case, criteria)
        reply, problems = await self._judge(messages, criteria, prompts.load("judge"))
        if not self.lacking:
            return
        self.repaired = True
        if reply.refused:
            return
        if not reply.cut_off:
            again = repair_messages(messages, reply.text[:REPAIR_CHARACTERS], problems)
            await self._judge(again, criteria, prompts.load("repair"))
        await self._one_by_one()

    async def _one_by_one(self) -> None:
        unusable = 0
        for criterion in self.lacking:
            messages = judge_messages(self._case, (criterion,))
            await self._judge(messages, (criterion,), prompts.load("judge"))
            unusable = 0 if criterion.id in self._found else unusable + 1
            if unusable == UNUSABLE_IN_A_ROW:
                return

    async def _judge(
        self, messages: tuple[Message, ...], criteria: Sequence[Criterion], prompt: prompts.Prompt
    ) -> tuple[Reply, tuple[str, ...]]:
        """One request. What it brings is kept; the problems say what it does not."""
        ids = [criterion.id for criterion in criteria]
        request = ChatRequest(
            "judge",
            prompt.version,
            messages,
            cap=CAP_BASE + CAP_PER_CRITERION * len(ids),
            temperature=TEMPERATURE,
            longest=LONGEST_BASE + LONGEST_PER_CRITERION * len(ids),
            schema=schema_for(ids),
        )
        reply, call = await self._client.complete(request)
        outcome, reading = _read(reply, ids)
        self._found = {**reading.findings, **self._found}
        if reading.problems and any(criterion not in reading.findings for criterion in ids):
            told = failures.redacted("; ".join(reading.problems), self._client.endpoint)
            self._client.log.correct(call, outcome, told)
            model = self._client.endpoint.model
            self.why = f"The reply of {model} could not be used: {reading.problems[0]}."
        return reply, reading.problems


def _read(reply: Reply, ids: Sequence[str]) -> tuple[str, Reading]:
    """The reading, and a word for the log where it lacks something."""
    if reply.refused:
        return "refused", Reading({}, ("it declined to answer",))
    if reply.text:
        reading = read_findings(reply.text, ids)
        if reply.cut_off and len(reading.findings) < len(ids):
            return "cut off", Reading(reading.findings, ("it ran into its length limit",))
        return "unparsable", reading
    if reply.reasoned or reply.cut_off:
        return "empty", Reading({}, ("it holds reasoning and no answer",))
    return "empty", Reading({}, ("it is empty",))
