"""One judgement: a first look at everything, then one more round for what is in doubt.

The first look takes one request a batch. Where a quote does not carry its credit it is asked for
again; where that is so, or the model and the offline patterns are a full step apart, further looks
vote. All requests of that second round go out together: a judgement waits for the model once as a
rule, and otherwise twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from interviewer.examiner.llm.batches import in_batches
from interviewer.examiner.llm.canary import canary_for
from interviewer.examiner.llm.client import ChatClient
from interviewer.examiner.llm.concurrency import together
from interviewer.examiner.llm.ladder import Ladder
from interviewer.examiner.llm.look import CANARY_CREDITED
from interviewer.examiner.llm.second_round import SecondRound
from interviewer.examiner.offline.judge import judge as judge_offline
from interviewer.examiner.protocol import Case
from interviewer.grading.verdicts import Finding, Flag


@dataclass(frozen=True)
class Looked:
    """What the looks at a case came to."""

    findings: tuple[Finding, ...]
    flags: frozenset[Flag]
    lacking: tuple[tuple[str, str], ...]
    """Criteria without a usable reply, each with a sentence."""
    undecided: tuple[tuple[str, str], ...] = ()
    """Criteria on which the looks come to no verdict, each with a sentence."""
    complete: bool = False
    """Nothing went wrong on the way, so that there is no reason to judge the same again."""


async def judge(client: ChatClient, case: Case, *, looks: int, canaries: float) -> Looked:
    """Judge all criteria, those that are met already too: a later turn may take them back.

    ``looks`` is how many looks a criterion in doubt gets, ``canaries`` the share of questions with
    a planted criterion. Raises ExaminerError where a first look fails.
    """
    batches = in_batches(case.rubric.criteria, canary_for(case, canaries))
    ladders = [Ladder(client, case, batch) for batch in batches]
    async with together() as group:
        for ladder in ladders:
            group.create_task(ladder.climb())
        opinion = group.create_task(_second_opinion(case, looks))
    flags = frozenset({Flag.PARSE_REPAIRED} if any(each.repaired for each in ladders) else ())
    if any(ladder.credits_canary for ladder in ladders):
        why = f"The reply of {client.endpoint.model} could not be used: {CANARY_CREDITED}."
        every = tuple((criterion.id, why) for criterion in case.rubric.criteria)
        return Looked((), flags | {Flag.CANARY}, every)
    first = [finding for ladder in ladders for finding in ladder.findings]
    settled = await SecondRound(client, case, first, looks).run(ladders, opinion.result())
    lacking = tuple((c.id, ladder.why) for ladder in ladders for c in ladder.lacking)
    return Looked(
        settled.findings,
        flags,
        lacking,
        settled.undecided,
        settled.complete and not lacking,
    )


async def _second_opinion(case: Case, looks: int) -> Mapping[str, Finding]:
    """The offline findings by criterion, nothing where there are no looks to settle a quarrel."""
    if looks == 1:
        return {}
    judgement = await asyncio.to_thread(judge_offline, case.rubric, case.turns)
    return {finding.criterion: finding for finding in judgement.findings}
