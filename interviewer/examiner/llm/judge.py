"""One judgement, a call per batch, and the second look at what it leaves in doubt.

A reply that cannot be used is shown to the model again, then the criteria that still lack a finding
are judged one by one. The second look comes later, all at once: quotes that the check refused are
asked for again, and verdicts in doubt are put to a vote.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from interviewer.errors import ExaminerError
from interviewer.examiner.llm import prompts
from interviewer.examiner.llm.client import ChatClient, ChatRequest
from interviewer.examiner.llm.failures import redacted
from interviewer.examiner.llm.findings import Reading, read_findings, schema_for
from interviewer.examiner.llm.messages import (
    CREDITED,
    Batch,
    Canary,
    Message,
    canary_for,
    criteria_to_judge,
    in_batches,
    material,
    quote_again,
    repair_messages,
)
from interviewer.examiner.llm.prompts import PromptName
from interviewer.examiner.llm.replies import Reply
from interviewer.examiner.offline.judge import judge as judge_offline
from interviewer.examiner.protocol import QuestionContext
from interviewer.grading.evidence import check
from interviewer.grading.verdicts import CriterionVerdict, Finding, Flag
from interviewer.rubric.rubric import Criterion, Verdict

CAP_BASE, CAP_PER_CRITERION = 1024, 160
"""Tokens of a judgement: room for some reasoning, and for each criterion's entry."""
LONGEST_BASE, LONGEST_PER_CRITERION = 400, 1000
"""Characters that the JSON of an honest judgement stays within."""
REPAIR_CHARACTERS = 4000
"""How much of a bad reply the model is shown again."""
UNUSABLE_IN_A_ROW = 2
"""After this many single criteria without a usable reply the rest are not tried."""
VOTE_TEMPERATURE = 0.7
"""At temperature 0 votes would agree whatever they are worth."""
CANARY_CREDITED = "it credits a planted point that nobody could make"
_NUMBERS = ("No", "One", "Two", "Three", "Four", "Five")
MOST_VOTES = len(_NUMBERS) - 1
_NO_CREDIT = (Verdict.NOT_MET, Verdict.CONTRADICTED)


@dataclass(frozen=True)
class Judged:
    """What a judgement came to. Criteria without a finding have a sentence each."""

    findings: tuple[Finding, ...]
    flags: frozenset[Flag]
    lacking: tuple[tuple[str, str], ...] = ()
    """No reply on them was usable."""
    doubts: tuple[Finding, ...] = ()
    """The findings that call for a second look."""


@dataclass(frozen=True)
class Settled:
    """What a second look came to; the other findings stay as they were."""

    findings: tuple[Finding, ...]
    undecided: tuple[tuple[str, str], ...]
    """The votes on these criteria came to no verdict: a sentence each."""
    complete: bool
    """Every call did what it was for, so there is no reason to look at the same again."""


async def judge_question(
    client: ChatClient, context: QuestionContext, *, votes: int, canaries: float
) -> Judged:
    """Judge all criteria, met ones too: a later turn may take them back.

    ``votes`` is how many verdicts a criterion in doubt is to get, ``canaries`` the share of
    questions with a planted criterion. Raises ExaminerError where a call fails.
    """
    judging = _Judging(client, context)
    tried = _batches(context, canaries)
    async with _task_group() as group:
        for batch in tried:
            group.create_task(judging.first_round(batch))
        opinion = group.create_task(_second_opinion(context, votes))
    unusable = f"The reply of {client.endpoint.model} could not be used: %s."
    flags = frozenset({Flag.PARSE_REPAIRED} if any(batch.repaired for batch in tried) else ())
    if any(batch.credits_canary for batch in tried):
        every = tuple((c.id, unusable % CANARY_CREDITED) for c in context.rubric.criteria)
        return Judged((), flags | {Flag.CANARY}, every)
    lacking = tuple((c.id, unusable % batch.problem) for batch in tried for c in batch.lacking)
    found = {finding.criterion: finding for b in tried for finding in b.findings.values()}
    first = [found[c.id] for c in context.rubric.criteria if c.id in found]
    checked = _check(context, first)
    before = _voted_before(context, checked)
    apart = _disagreed(first, opinion.result()) - before.keys()
    doubtful = _refused(first, checked).keys() | apart
    return Judged(
        tuple(replace(finding, votes=before.get(finding.criterion, ())) for finding in first),
        flags,
        lacking,
        tuple(finding for finding in first if finding.criterion in doubtful),
    )


async def settle_doubts(
    client: ChatClient,
    context: QuestionContext,
    doubts: Sequence[Finding],
    *,
    votes: int,
    canaries: float,
) -> Settled:
    """Look again at these findings of a judgement of the same context, all at once.

    A call that fails is left to the call log, and what it was for stays as it was.
    """
    return await _Judging(client, context).second_look(_batches(context, canaries), doubts, votes)


def _batches(context: QuestionContext, canaries: float) -> list[_BatchJudgement]:
    batches = in_batches(context.rubric.criteria, canary_for(context, canaries))
    return [_BatchJudgement(batch, material(context, batch)) for batch in batches]


async def _second_opinion(context: QuestionContext, votes: int) -> Mapping[str, Finding]:
    """The offline findings by criterion, empty where no vote could settle a difference."""
    if votes == 1:
        return {}
    judgement = await asyncio.to_thread(judge_offline, context.rubric, context.turns)
    return {finding.criterion: finding for finding in judgement.findings}


@asynccontextmanager
async def _task_group() -> AsyncIterator[asyncio.TaskGroup]:
    """A task group whose first failure is raised as it is, not as a group."""
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None


@dataclass(frozen=True)
class JudgeCall:
    """What one call brought."""

    reply: Reply
    findings: Mapping[str, Finding]
    """On the criteria asked about, by id."""
    problems: tuple[str, ...]
    """Why others have none; empty where none is lacking."""
    credits_canary: bool


@dataclass
class _BatchJudgement:
    """What the first round has found out about a batch."""

    batch: Batch
    material: tuple[Message, ...]
    findings: dict[str, Finding] = field(default_factory=dict)
    repaired: bool = False
    """The first reply was not enough."""
    credits_canary: bool = False
    """The model credited the planted criterion, so nothing that it found counts."""
    problem: str = ""
    """Why the criteria that are lacking have no finding."""

    @property
    def lacking(self) -> tuple[Criterion, ...]:
        return tuple(c for c in self.batch.criteria if c.id not in self.findings)

    def keep(self, call: JudgeCall) -> None:
        """Add what is new; earlier findings stay."""
        self.findings = {**call.findings, **self.findings}
        self.credits_canary = call.credits_canary
        if call.problems:
            self.problem = call.problems[0]


class _Judging:
    """The calls about one question."""

    def __init__(self, client: ChatClient, context: QuestionContext) -> None:
        self._client = client
        self._context = context

    # -- the judgement ----------------------------------------------------------------

    async def first_round(self, judged: _BatchJudgement) -> None:
        """Gather all findings on the batch that can be had. Raises ExaminerError."""
        messages = (*judged.material, criteria_to_judge(judged.batch.ids))
        first = await self._call(judged.batch, messages, "judge")
        judged.keep(first)
        if not judged.lacking or judged.credits_canary:
            return
        judged.repaired = True
        if first.reply.refused:
            return
        if not first.reply.cut_off:
            bad = first.reply.text[:REPAIR_CHARACTERS]
            again = repair_messages(messages, bad, first.problems)
            judged.keep(await self._call(judged.batch, again, "repair"))
        if not judged.credits_canary:
            await self._one_by_one(judged)

    async def _one_by_one(self, judged: _BatchJudgement) -> None:
        unusable = 0
        for criterion in judged.lacking:
            alone = Batch((criterion,))
            messages = (*material(self._context, alone), criteria_to_judge(alone.ids))
            judged.keep(await self._call(alone, messages, "judge"))
            unusable = 0 if criterion.id in judged.findings else unusable + 1
            if unusable == UNUSABLE_IN_A_ROW:
                return

    # -- second look ------------------------------------------------------------------

    async def second_look(
        self, batches: Sequence[_BatchJudgement], doubts: Sequence[Finding], votes: int
    ) -> Settled:
        """Ask for refused quotes again, and vote where there is to be more than one verdict."""
        doubted = {finding.criterion: finding for finding in doubts}
        refused = _refused(doubts, _check(self._context, doubts))
        quoting, voting = [], []
        async with _task_group() as group:
            for batch in batches:
                if again := [(doubted[c], refused[c]) for c in batch.batch.ids if c in refused]:
                    quoting.append(group.create_task(self._quote_again(batch, again)))
                if doubtful := [c for c in batch.batch.ids if c in doubted]:
                    for number in range(1, votes):
                        voting.append(group.create_task(self._vote(batch, doubtful, number)))
        quotes, ballots = [t.result() for t in quoting], [t.result() for t in voting]
        mended = self._standing(quotes)
        findings, undecided = [], []
        for criterion, doubt in doubted.items():
            first = mended.get(criterion, doubt)
            others = [b.findings[criterion] for b in ballots if b and criterion in b.findings]
            if not others:
                findings += [first] if criterion in mended else []
            elif winner := self._majority([first, *others]):
                findings.append(winner)
            else:
                undecided.append((criterion, _no_majority([first, *others])))
        complete = all(call and not call.problems for call in (*quotes, *ballots))
        return Settled(tuple(findings), tuple(undecided), complete)

    async def _quote_again(
        self, judged: _BatchJudgement, refused: Sequence[tuple[Finding, CriterionVerdict]]
    ) -> JudgeCall | None:
        asked = [finding.criterion for finding, _ in refused]
        last = quote_again((finding, verdict.unsupported) for finding, verdict in refused)
        return await self._optional_call(judged, asked, last, "requote", 0.0)

    async def _vote(
        self, judged: _BatchJudgement, asked: Sequence[str], number: int
    ) -> JudgeCall | None:
        order = list(asked)
        said = [turn.text for turn in self._context.turns]
        random.Random(f"{self._context.rubric.id} {number} {said}").shuffle(order)
        last = criteria_to_judge(order)
        return await self._optional_call(judged, asked, last, "judge", VOTE_TEMPERATURE)

    def _standing(self, calls: Iterable[JudgeCall | None]) -> dict[str, Finding]:
        """The findings whose quote stands now."""
        found = [finding for call in calls if call for finding in call.findings.values()]
        refused = _refused(found, _check(self._context, found))
        return {f.criterion: f for f in found if f.criterion not in refused}

    def _majority(self, findings: Sequence[Finding]) -> Finding | None:
        """The verdict of more than half of the votes, None where there is none.

        It comes from the first vote for it with a quote that stands, else from the first for it.
        """
        votes = tuple(finding.verdict for finding in findings)
        winner, count = Counter(votes).most_common(1)[0]
        if 2 * count <= len(votes):
            return None
        winning = [finding for finding in findings if finding.verdict is winner]
        grounded = [each for each in winning if not self._is_refused(each)]
        return replace((grounded or winning)[0], votes=votes)

    def _is_refused(self, finding: Finding) -> bool:
        return bool(_refused([finding], _check(self._context, [finding])))

    # -- calls ------------------------------------------------------------------------

    async def _optional_call(
        self,
        judged: _BatchJudgement,
        asked: Sequence[str],
        last: Message,
        prompt: PromptName,
        temperature: float,
    ) -> JudgeCall | None:
        """A call that the judgement can do without: its failure is left to the call log."""
        messages = (*judged.material, last)
        try:
            call = await self._call(
                judged.batch, messages, prompt, asked, temperature=temperature, optional=True
            )
        except ExaminerError:
            return None
        return None if call.credits_canary else call

    async def _call(
        self,
        batch: Batch,
        messages: tuple[Message, ...],
        prompt: PromptName,
        asked: Sequence[str] = (),
        *,
        temperature: float = 0.0,
        optional: bool = False,
    ) -> JudgeCall:
        """Ask about some criteria of the batch, about all unless told otherwise.

        The schema names all of them every time: some servers put it in front of the prompt, where
        it should not differ from call to call. Raises ExaminerError.
        """
        asked = asked or [criterion.id for criterion in batch.criteria]
        size = len(batch.ids)
        request = ChatRequest(
            "judge",
            prompts.load(prompt).version,
            messages,
            cap=CAP_BASE + CAP_PER_CRITERION * size,
            temperature=temperature,
            longest=LONGEST_BASE + LONGEST_PER_CRITERION * size,
            schema=schema_for(batch.ids),
            optional=optional,
        )
        reply, call = await self._client.complete(request)
        outcome, reading = _read(reply, asked, batch.ids)
        found = {each: reading.findings[each] for each in asked if each in reading.findings}
        problems = reading.problems if len(found) < len(asked) else ()
        credited = _credits(batch.canary, reading)
        if credited:
            outcome, problems = "canary", (CANARY_CREDITED,)
        if problems:
            detail = redacted("; ".join(problems), self._client.endpoint)
            self._client.log.correct(call, outcome, detail)
        return JudgeCall(reply, found, problems, credited)


def _check(context: QuestionContext, findings: Iterable[Finding]) -> tuple[CriterionVerdict, ...]:
    return check(context.rubric, context.turns, findings)


def _credits(canary: Canary | None, reading: Reading) -> bool:
    planted = reading.findings.get(canary.criterion.id) if canary else None
    return planted is not None and planted.verdict in CREDITED


def _read(reply: Reply, asked: Sequence[str], known: Sequence[str]) -> tuple[str, Reading]:
    """The reading, and a word for the log where it lacks something."""
    if reply.refused:
        return "refused", Reading({}, ("it declined to answer",))
    if reply.text:
        reading = read_findings(reply.text, asked, known)
        if reply.cut_off and any(each not in reading.findings for each in asked):
            return "cut off", Reading(reading.findings, ("it ran into its length limit",))
        return "unparsable", reading
    if reply.reasoned or reply.cut_off:
        return "empty", Reading({}, ("it holds reasoning and no answer",))
    return "empty", Reading({}, ("it is empty",))


def _refused(
    findings: Iterable[Finding], checked: Iterable[CriterionVerdict]
) -> dict[str, CriterionVerdict]:
    """The verdicts that lost all credit in the check because the quote does not carry it."""
    said = {finding.criterion: finding.verdict for finding in findings}
    return {
        each.criterion: each
        for each in checked
        if each.verdict is Verdict.NOT_MET and said[each.criterion] is not Verdict.NOT_MET
    }


def _disagreed(findings: Iterable[Finding], others: Mapping[str, Finding]) -> set[str]:
    """The criteria that one side finds met and the other does not credit at all."""
    return {
        mine.criterion
        for mine in findings
        if (theirs := others.get(mine.criterion))
        if (mine.verdict is Verdict.MET and theirs.verdict in _NO_CREDIT)
        or (theirs.verdict is Verdict.MET and mine.verdict in _NO_CREDIT)
    }


def _voted_before(
    context: QuestionContext, checked: Iterable[CriterionVerdict]
) -> dict[str, tuple[Verdict, ...]]:
    """The votes on criteria that were voted on after an earlier answer, with the same outcome."""
    standing = {verdict.criterion: verdict for verdict in context.verdicts if verdict.votes}
    return {
        each.criterion: standing[each.criterion].votes
        for each in checked
        if each.criterion in standing and standing[each.criterion].verdict is each.verdict
    }


def _no_majority(findings: Sequence[Finding]) -> str:
    """The sentence for a criterion on which the votes come to no verdict."""
    verdicts = [finding.verdict for finding in findings]
    kinds = _NUMBERS[len(set(verdicts))].lower()
    return f"{_NUMBERS[len(verdicts)]} votes gave {kinds} verdicts: {', '.join(verdicts)}."
