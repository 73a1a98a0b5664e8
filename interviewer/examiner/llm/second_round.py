"""The second round of a judgement: quotes asked for again, and votes, all at the same time."""

from __future__ import annotations

import random
from asyncio import Task
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from interviewer.errors import ExaminerError
from interviewer.examiner.llm import prompts, votes
from interviewer.examiner.llm.client import ChatClient
from interviewer.examiner.llm.concurrency import together
from interviewer.examiner.llm.judge_messages import look_at, quote_again
from interviewer.examiner.llm.ladder import Ladder
from interviewer.examiner.llm.look import Look, look
from interviewer.examiner.llm.messages import Message
from interviewer.examiner.protocol import Case
from interviewer.grading.evidence import check
from interviewer.grading.verdicts import CriterionVerdict, Finding
from interviewer.rubric.rubric import Verdict

VOTE_TEMPERATURE = 0.7
"""Looks at temperature 0 would agree with each other whatever they are worth."""


@dataclass(frozen=True)
class Settled:
    """What is left after the second round."""

    findings: tuple[Finding, ...]
    undecided: tuple[tuple[str, str], ...]
    """Criteria on which the looks come to no verdict, each with a sentence."""
    complete: bool
    """Every request of the round brought what it was for."""


class SecondRound:
    """What is in doubt after the first look, and the looks that settle it."""

    def __init__(
        self, client: ChatClient, case: Case, first: Sequence[Finding], looks: int
    ) -> None:
        self._client = client
        self._case = case
        self._looks = looks
        self._first = {finding.criterion: finding for finding in first}
        checked = check(case.rubric, case.turns, first)
        self._refused: Mapping[str, CriterionVerdict] = votes.refused(first, checked)
        self._votes_before = votes.votes_before(case, checked)
        self._voted_on: frozenset[str] = frozenset()
        self._complete = True

    async def run(self, ladders: Sequence[Ladder], opinion: Mapping[str, Finding]) -> Settled:
        """No request at all where nothing is in doubt.

        In doubt is a credit whose quote was refused, and a verdict that is a full step from the
        second opinion, unless it was voted on after an earlier answer with this outcome.
        """
        if self._looks > 1:
            apart = votes.disagreed(self._first.values(), opinion) - self._votes_before.keys()
            self._voted_on = frozenset(self._refused.keys() | apart)
        again: list[Task[Look | None]] = []
        further: list[Task[Look | None]] = []
        async with together() as group:
            for ladder in ladders:
                if refused := [each for each in ladder.batch.ids if each in self._refused]:
                    again.append(group.create_task(self._requote(ladder, refused)))
                if voted := [each for each in ladder.batch.ids if each in self._voted_on]:
                    for number in range(1, self._looks):
                        further.append(group.create_task(self._vote(ladder, voted, number)))
        self._mend(_brought(again))
        return self._settle(_brought(further))

    async def _requote(self, ladder: Ladder, wanted: Sequence[str]) -> Look | None:
        refused = [(self._first[each], self._refused[each].unsupported) for each in wanted]
        prompt = prompts.load("requote")
        return await self._look(ladder, wanted, quote_again(refused), prompt, 0.0)

    async def _vote(self, ladder: Ladder, wanted: Sequence[str], number: int) -> Look | None:
        order = list(wanted)
        said = [turn.text for turn in self._case.turns]
        random.Random(f"{self._case.rubric.id} {number} {said}").shuffle(order)
        prompt = prompts.load("judge")
        return await self._look(ladder, wanted, look_at(order), prompt, VOTE_TEMPERATURE)

    async def _look(
        self,
        ladder: Ladder,
        wanted: Sequence[str],
        last: Message,
        prompt: prompts.Prompt,
        temperature: float,
    ) -> Look | None:
        """A look that the judgement can do without: that one failed is left to the call log."""
        try:
            seen = await look(
                self._client,
                ladder.batch,
                (*ladder.material, last),
                wanted,
                prompt,
                temperature=temperature,
                optional=True,
            )
        except ExaminerError:
            self._complete = False
            return None
        self._complete = self._complete and not seen.problems
        return None if seen.credits_canary else seen

    def _mend(self, looks: Sequence[Look]) -> None:
        """Take the findings whose quote now stands in place of the first ones."""
        found = [finding for seen in looks for finding in seen.findings.values()]
        still = votes.refused(found, check(self._case.rubric, self._case.turns, found))
        self._first |= {f.criterion: f for f in found if f.criterion not in still}

    def _settle(self, looks: Sequence[Look]) -> Settled:
        findings: list[Finding] = []
        undecided: list[tuple[str, str]] = []
        for criterion, first in self._first.items():
            others = [seen.findings[criterion] for seen in looks if criterion in seen.findings]
            if criterion not in self._voted_on or not others:
                before: tuple[Verdict, ...] = self._votes_before.get(criterion, ())
                findings.append(replace(first, votes=before))
            elif winner := votes.majority(self._case, [first, *others]):
                findings.append(winner)
            else:
                undecided.append((criterion, votes.no_majority([first, *others])))
        return Settled(tuple(findings), tuple(undecided), self._complete)


def _brought(tasks: Sequence[Task[Look | None]]) -> list[Look]:
    return [seen for task in tasks if (seen := task.result())]
