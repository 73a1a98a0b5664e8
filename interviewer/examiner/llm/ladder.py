"""From a batch to findings on its criteria, down a ladder that ends in a reason, never a guess.

One call is the normal path. A reply that cannot be used in full is followed by one repair request
that says what was wrong, then by one request a criterion for what is still lacking. What remains
after that is left to the caller, with the reason.
"""

from __future__ import annotations

from interviewer.examiner.llm import prompts
from interviewer.examiner.llm.batches import Batch
from interviewer.examiner.llm.client import ChatClient
from interviewer.examiner.llm.judge_messages import look_at, material, repair_messages
from interviewer.examiner.llm.look import Look, look
from interviewer.examiner.llm.messages import Message
from interviewer.examiner.protocol import Case
from interviewer.grading.verdicts import Finding
from interviewer.rubric.rubric import Criterion

UNUSABLE_IN_A_ROW = 2
"""After so many single criteria without a usable reply the others are not tried."""
REPAIR_CHARACTERS = 4000
"""So much of a bad reply is shown to the model again."""


class Ladder:
    """The first look at a batch under way."""

    def __init__(self, client: ChatClient, case: Case, batch: Batch) -> None:
        self.batch = batch
        self.material = material(case, batch)
        self._client = client
        self._case = case
        self._found: dict[str, Finding] = {}
        self.repaired = False
        """The first reply was not enough."""
        self.credits_canary = False
        """The model credited the planted criterion: nothing that it found counts."""
        self.why = ""
        """Why the criteria that are lacking have no finding: one sentence."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found, in the rubric's order."""
        return tuple(self._found[c.id] for c in self.batch.criteria if c.id in self._found)

    @property
    def lacking(self) -> tuple[Criterion, ...]:
        """The criteria without a finding, in the rubric's order."""
        return tuple(c for c in self.batch.criteria if c.id not in self._found)

    async def climb(self) -> None:
        """Gather all findings that can be had. Raises ExaminerError where a call fails."""
        messages = (*self.material, look_at(self.batch.ids))
        first = await self._look(self.batch, messages, prompts.load("judge"))
        if not self.lacking or self.credits_canary:
            return
        self.repaired = True
        if first.reply.refused:
            return
        if not first.reply.cut_off:
            bad = first.reply.text[:REPAIR_CHARACTERS]
            again = repair_messages(messages, bad, first.problems)
            await self._look(self.batch, again, prompts.load("repair"))
        if not self.credits_canary:
            await self._one_by_one()

    async def _one_by_one(self) -> None:
        unusable = 0
        for criterion in self.lacking:
            alone = Batch((criterion,))
            messages = (*material(self._case, alone), look_at(alone.ids))
            await self._look(alone, messages, prompts.load("judge"))
            unusable = 0 if criterion.id in self._found else unusable + 1
            if unusable == UNUSABLE_IN_A_ROW:
                return

    async def _look(
        self, batch: Batch, messages: tuple[Message, ...], prompt: prompts.Prompt
    ) -> Look:
        """One request. What it brings is kept, what was there before stays."""
        wanted = [criterion.id for criterion in batch.criteria]
        seen = await look(self._client, batch, messages, wanted, prompt)
        self._found = {**seen.findings, **self._found}
        self.credits_canary = seen.credits_canary
        if seen.problems:
            model = self._client.endpoint.model
            self.why = f"The reply of {model} could not be used: {seen.problems[0]}."
        return seen
