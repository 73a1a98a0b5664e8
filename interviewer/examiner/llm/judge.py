"""One judgement: a call per batch, repairs for unusable replies, votes where there is doubt."""

from __future__ import annotations

import asyncio
import random
from asyncio import Task
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from interviewer.errors import ExaminerError
from interviewer.examiner.llm import endpoint, prompts
from interviewer.examiner.llm.client import ChatClient, ChatRequest
from interviewer.examiner.llm.findings import Reading, read_findings, schema_for
from interviewer.examiner.llm.messages import (
    CREDITED,
    Batch,
    Canary,
    Message,
    canary_for,
    in_batches,
    look_at,
    material,
    quote_again,
    repair_messages,
)
from interviewer.examiner.llm.prompts import Prompt
from interviewer.examiner.llm.replies import Reply
from interviewer.examiner.offline.judge import judge as judge_offline
from interviewer.examiner.protocol import QuestionContext
from interviewer.grading.evidence import check
from interviewer.grading.verdicts import CriterionVerdict, Finding, Flag
from interviewer.rubric.rubric import Criterion, Verdict


@asynccontextmanager
async def together() -> AsyncIterator[asyncio.TaskGroup]:
    """Tasks that end together. The first failure cancels the others and is raised as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None


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
        client.log.correct(call, outcome, endpoint.redacted("; ".join(problems), client.endpoint))
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


UNUSABLE_IN_A_ROW = 2
"""After so many single criteria without a usable reply the others are not tried."""
REPAIR_CHARACTERS = 4000
"""So much of a bad reply is shown to the model again."""


class Ladder:
    """The first look at a batch under way."""

    def __init__(self, client: ChatClient, context: QuestionContext, batch: Batch) -> None:
        self.batch = batch
        self.material = material(context, batch)
        self._client = client
        self._case = context
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


_NO_CREDIT = (Verdict.NOT_MET, Verdict.CONTRADICTED)
_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five")
MOST_LOOKS = len(_NUMBERS) - 1


def refused(
    findings: Iterable[Finding], checked: Iterable[CriterionVerdict]
) -> dict[str, CriterionVerdict]:
    """The checked verdicts that lost all credit since the quote does not carry it."""
    said = {finding.criterion: finding.verdict for finding in findings}
    return {
        each.criterion: each
        for each in checked
        if each.verdict is Verdict.NOT_MET and said[each.criterion] is not Verdict.NOT_MET
    }


def disagreed(findings: Iterable[Finding], others: Mapping[str, Finding]) -> set[str]:
    """The criteria that one side finds met and the other does not see made at all."""
    return {
        mine.criterion
        for mine in findings
        if (theirs := others.get(mine.criterion))
        if (mine.verdict is Verdict.MET and theirs.verdict in _NO_CREDIT)
        or (theirs.verdict is Verdict.MET and mine.verdict in _NO_CREDIT)
    }


def votes_before(
    context: QuestionContext, checked: Iterable[CriterionVerdict]
) -> dict[str, tuple[Verdict, ...]]:
    """The votes on criteria that were voted on after an earlier answer, with the same outcome."""
    standing = {verdict.criterion: verdict for verdict in context.verdicts if verdict.votes}
    return {
        each.criterion: standing[each.criterion].votes
        for each in checked
        if each.criterion in standing and standing[each.criterion].verdict is each.verdict
    }


def majority(context: QuestionContext, looks: Sequence[Finding]) -> Finding | None:
    """The verdict of more than half of the looks, first look first; None where there is none.

    It comes from the first look that gave it with a quote that stands, else from the first that
    gave it.
    """
    votes = tuple(look.verdict for look in looks)
    winner, count = Counter(votes).most_common(1)[0]
    if 2 * count <= len(votes):
        return None
    winning = [look for look in looks if look.verdict is winner]
    grounded = [
        look
        for look in winning
        if not refused([look], check(context.rubric, context.turns, [look]))
    ]
    return replace((grounded or winning)[0], votes=votes)


def no_majority(looks: Sequence[Finding]) -> str:
    """The sentence for a criterion on which the looks do not come to a verdict."""
    verdicts = [look.verdict for look in looks]
    kinds = _NUMBERS[len(set(verdicts))].lower()
    return f"{_NUMBERS[len(verdicts)]} looks gave {kinds} verdicts: {', '.join(verdicts)}."


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
        self, client: ChatClient, context: QuestionContext, first: Sequence[Finding], looks: int
    ) -> None:
        self._client = client
        self._case = context
        self._looks = looks
        self._first = {finding.criterion: finding for finding in first}
        checked = check(context.rubric, context.turns, first)
        self._refused: Mapping[str, CriterionVerdict] = refused(first, checked)
        self._votes_before = votes_before(context, checked)
        self._voted_on: frozenset[str] = frozenset()
        self._complete = True

    async def run(self, ladders: Sequence[Ladder], opinion: Mapping[str, Finding]) -> Settled:
        """No request at all where nothing is in doubt.

        In doubt is a credit whose quote was refused, and a verdict that is a full step from the
        second opinion, unless it was voted on after an earlier answer with this outcome.
        """
        if self._looks > 1:
            apart = disagreed(self._first.values(), opinion) - self._votes_before.keys()
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
        still = refused(found, check(self._case.rubric, self._case.turns, found))
        self._first |= {f.criterion: f for f in found if f.criterion not in still}

    def _settle(self, looks: Sequence[Look]) -> Settled:
        findings: list[Finding] = []
        undecided: list[tuple[str, str]] = []
        for criterion, first in self._first.items():
            others = [seen.findings[criterion] for seen in looks if criterion in seen.findings]
            if criterion not in self._voted_on or not others:
                before: tuple[Verdict, ...] = self._votes_before.get(criterion, ())
                findings.append(replace(first, votes=before))
            elif winner := majority(self._case, [first, *others]):
                findings.append(winner)
            else:
                undecided.append((criterion, no_majority([first, *others])))
        return Settled(tuple(findings), tuple(undecided), self._complete)


def _brought(tasks: Sequence[Task[Look | None]]) -> list[Look]:
    return [seen for task in tasks if (seen := task.result())]


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


async def judge(
    client: ChatClient, context: QuestionContext, *, looks: int, canaries: float
) -> Looked:
    """Judge all criteria, those that are met already too: a later turn may take them back.

    ``looks`` is how many looks a criterion in doubt gets, ``canaries`` the share of questions with
    a planted criterion. Raises ExaminerError where a first look fails.
    """
    batches = in_batches(context.rubric.criteria, canary_for(context, canaries))
    ladders = [Ladder(client, context, batch) for batch in batches]
    async with together() as group:
        for ladder in ladders:
            group.create_task(ladder.climb())
        opinion = group.create_task(_second_opinion(context, looks))
    flags = frozenset({Flag.PARSE_REPAIRED} if any(each.repaired for each in ladders) else ())
    if any(ladder.credits_canary for ladder in ladders):
        why = f"The reply of {client.endpoint.model} could not be used: {CANARY_CREDITED}."
        every = tuple((criterion.id, why) for criterion in context.rubric.criteria)
        return Looked((), flags | {Flag.CANARY}, every)
    first = [finding for ladder in ladders for finding in ladder.findings]
    settled = await SecondRound(client, context, first, looks).run(ladders, opinion.result())
    lacking = tuple((c.id, ladder.why) for ladder in ladders for c in ladder.lacking)
    return Looked(
        settled.findings,
        flags,
        lacking,
        settled.undecided,
        settled.complete and not lacking,
    )


async def _second_opinion(context: QuestionContext, looks: int) -> Mapping[str, Finding]:
    """The offline findings by criterion, nothing where there are no looks to settle a quarrel."""
    if looks == 1:
        return {}
    judgement = await asyncio.to_thread(judge_offline, context.rubric, context.turns)
    return {finding.criterion: finding for finding in judgement.findings}
