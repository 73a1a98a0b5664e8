"""One judgement, a call per batch, and the second look at what it leaves in doubt.

A reply that cannot be used is shown to the model again, then the criteria that still lack a finding
are judged one by one. The second look comes when the question is over, in one call, about the
criteria in doubt alone: those whose quotes or numbers the check did not find, and those of which
the judge was not sure if the other reading would move the band.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from time import monotonic

from interviewer.errors import ExaminerError
from interviewer.examiner.llm import prompts
from interviewer.examiner.llm.client import ChatClient, ChatRequest
from interviewer.examiner.llm.failures import redacted
from interviewer.examiner.llm.findings import Reading, read_findings, schema_for
from interviewer.examiner.llm.messages import (
    Batch,
    Canary,
    Message,
    canary_for,
    criteria_to_judge,
    in_batches,
    look_again,
    material,
    material_on,
    repair_messages,
)
from interviewer.examiner.llm.prompts import PromptName
from interviewer.examiner.llm.replies import Reply
from interviewer.examiner.protocol import QuestionContext
from interviewer.grading.evidence import check
from interviewer.grading.score import decisive, standing
from interviewer.grading.verdicts import Flag, Judgement, Ungraded, Verdict
from interviewer.rubric.rubric import Criterion, Rating

CAP_BASE, CAP_PER_CRITERION = 1024, 160
"""Tokens of a judgement: room for some reasoning, and for each criterion's entry."""
LONGEST_BASE, LONGEST_PER_CRITERION = 400, 1000
"""Characters that the JSON of an honest judgement stays within."""
REPAIR_CHARACTERS = 4000
"""How much of a bad reply the model is shown again."""
UNUSABLE_IN_A_ROW = 2
"""After this many single criteria without a usable reply the rest are not tried."""
CANARY_CREDITED = "it credits a planted point that nobody could make"
_CREDITED = (Rating.MET, Rating.PARTIAL)


@dataclass(frozen=True)
class Settled:
    """What a second look came to; the other findings stay as they were."""

    findings: tuple[Verdict, ...]
    complete: bool
    """Every call did what it was for, so there is no reason to look at the same again."""


async def judge_question(
    client: ChatClient, context: QuestionContext, *, canaries: float
) -> Judgement:
    """Judge all criteria, met ones too: a later turn may take them back.

    Those on which no reply was usable are ungraded. ``canaries`` is the share of questions with a
    planted criterion. Raises ExaminerError where a call fails.
    """
    model = client.endpoint.model
    judging = _Judging(client, context)
    canary = await asyncio.to_thread(canary_for, context, canaries)
    batches = in_batches(context.rubric.criteria, canary)
    tried = [_BatchJudgement(batch, material(context, batch)) for batch in batches]
    async with _task_group() as group:
        for batch in tried:
            group.create_task(judging.first_round(batch))
    flags = frozenset({Flag.PARSE_REPAIRED} if any(batch.repaired for batch in tried) else ())
    if any(batch.credits_canary for batch in tried):
        every = tuple(_unusable(c, CANARY_CREDITED) for c in context.rubric.criteria)
        return Judgement(every, model, flags | {Flag.CANARY})
    found = {finding.criterion: finding for b in tried for finding in b.findings.values()}
    first = tuple(found[c.id] for c in context.rubric.criteria if c.id in found)
    ungraded = (_unusable(c, batch.problem) for batch in tried for c in batch.lacking)
    return Judgement((*first, *ungraded), model, flags, tuple(_in_doubt(context, first)))


def _unusable(criterion: Criterion, why: str) -> Verdict:
    return Verdict(criterion.id, None, ungraded=(Ungraded.UNUSABLE,), missing=why)


async def settle_doubts(
    client: ChatClient, context: QuestionContext, doubts: Sequence[Verdict]
) -> Settled:
    """Look again at these findings of a judgement of the same context, all at once.

    A call that fails is left to the call log, and what it was for stays as it was.
    """
    return await _Judging(client, context).second_look(doubts)


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
    findings: Mapping[str, Verdict]
    """On the criteria asked about, by id."""
    problems: tuple[str, ...]
    """Why others have none; empty where none is lacking."""
    credits_canary: bool


@dataclass
class _BatchJudgement:
    """What the first round has found out about a batch."""

    batch: Batch
    material: tuple[Message, ...]
    findings: dict[str, Verdict] = field(default_factory=dict)
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
        self._until: float | None = None

    # -- the judgement ----------------------------------------------------------------

    async def first_round(self, judged: _BatchJudgement) -> None:
        """Gather all findings on the batch that can be had. Raises ExaminerError.

        The calls after the first last together no longer than one may: then what was found stands.
        """
        messages = (*judged.material, criteria_to_judge(judged.batch.ids))
        first = await self._call(judged.batch, messages, "judge")
        judged.keep(first)
        if not judged.lacking or judged.credits_canary:
            return
        judged.repaired = True
        if first.reply.refused:
            return
        self._until = self._until or self._client.deadline()
        try:
            await self._further_rounds(judged, messages, first)
        except ExaminerError:
            if self._until is None or monotonic() < self._until:
                raise

    async def _further_rounds(
        self, judged: _BatchJudgement, messages: tuple[Message, ...], first: JudgeCall
    ) -> None:
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
            messages = _to_judge(self._context, alone)
            judged.keep(await self._call(alone, messages, "judge"))
            unusable = 0 if criterion.id in judged.findings else unusable + 1
            if unusable == UNUSABLE_IN_A_ROW:
                return

    # -- second look ------------------------------------------------------------------

    async def second_look(self, doubts: Sequence[Verdict]) -> Settled:
        """Ask again about the criteria in doubt, without the rest of the answer key.

        A finding whose quotes fail again is left to the check of the first.
        """
        doubted = {finding.criterion: finding for finding in doubts}
        corrected = _corrected(self._context, doubts)
        criteria = [c for c in self._context.rubric.criteria if c.id in doubted]
        if not criteria:
            return Settled((), complete=True)
        asked = []
        async with _task_group() as group:
            for batch in in_batches(criteria):
                wanted = [
                    (doubted[c], corrected[c].unsupported if c in corrected else "")
                    for c in batch.ids
                ]
                asked.append(group.create_task(self._look_again(batch, wanted)))
        calls = [task.result() for task in asked]
        seen = {c: f for call in calls if call for c, f in call.findings.items()}
        settled = [
            _settled(first, seen[each], corrected.get(each))
            for each, first in doubted.items()
            if each in seen
        ]
        failing = _corrected(self._context, settled)
        return Settled(
            tuple(finding for finding in settled if finding.criterion not in failing),
            complete=all(call and not call.problems for call in calls),
        )

    async def _look_again(
        self, batch: Batch, doubts: Sequence[tuple[Verdict, str]]
    ) -> JudgeCall | None:
        """One call that the judgement can do without: its failure is left to the call log."""
        messages = (*material_on(self._context, batch.criteria), look_again(doubts))
        try:
            return await self._call(batch, messages, "second_look", optional=True)
        except ExaminerError:
            return None

    # -- calls ------------------------------------------------------------------------

    async def _call(
        self,
        batch: Batch,
        messages: tuple[Message, ...],
        prompt: PromptName,
        *,
        optional: bool = False,
    ) -> JudgeCall:
        """Ask about the criteria of the batch. Raises ExaminerError."""
        asked = [criterion.id for criterion in batch.criteria]
        request = replace(_request(batch, messages, prompt), optional=optional, until=self._until)
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


def _request(batch: Batch, messages: tuple[Message, ...], prompt: PromptName) -> ChatRequest:
    size = len(batch.ids)
    return ChatRequest(
        "judge",
        prompts.load(prompt).version,
        messages,
        cap=CAP_BASE + CAP_PER_CRITERION * size,
        temperature=0.0,
        longest=LONGEST_BASE + LONGEST_PER_CRITERION * size,
        schema=schema_for(batch.ids),
    )


def _to_judge(context: QuestionContext, batch: Batch) -> tuple[Message, ...]:
    return (*material(context, batch), criteria_to_judge(batch.ids))


def first_requests(context: QuestionContext, *, canaries: float) -> tuple[ChatRequest, ...]:
    """What :func:`judge_question` sends first; whatever else follows depends on the replies."""
    batches = in_batches(context.rubric.criteria, canary_for(context, canaries))
    return tuple(_request(batch, _to_judge(context, batch), "judge") for batch in batches)


def _check(context: QuestionContext, findings: Iterable[Verdict]) -> tuple[Verdict, ...]:
    return check(context.rubric, context.turns, findings)


def _credits(canary: Canary | None, reading: Reading) -> bool:
    planted = reading.findings.get(canary.criterion.id) if canary else None
    return planted is not None and planted.verdict in _CREDITED


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


def _corrected(context: QuestionContext, findings: Iterable[Verdict]) -> dict[str, Verdict]:
    """The verdicts that code would take credit from, by criterion."""
    checked = _check(context, findings)
    return {verdict.criterion: verdict for verdict in checked if verdict.unsupported}


def _in_doubt(context: QuestionContext, findings: Sequence[Verdict]) -> Iterator[Verdict]:
    """Findings that code would take back, and doubts of the judge that could move the band.

    What counts is how the question stands: a point made before is not in doubt because its words
    are not found this time, but it is if it was then and the judge now says something else.
    """
    before = {verdict.criterion: verdict for verdict in context.verdicts}
    checked = _check(context, findings)
    stands = [
        standing((before[each.criterion], each)) if each.criterion in before else each
        for each in checked
    ]
    moving = decisive(context.rubric, stands)
    found = {finding.criterion: finding for finding in findings}
    for verdict, stood in zip(checked, stands, strict=True):
        finding = found[verdict.criterion]
        moves = verdict.criterion in moving
        if (verdict.unsupported and stood is verdict) or (moves and finding.alternative):
            yield finding
        elif moves and finding.verdict is not stood.verdict:
            yield replace(stood, votes=())  # in the doubt that was left open


def _settled(first: Verdict, second: Verdict, corrected: Verdict | None) -> Verdict:
    """The second finding, with both verdicts as votes; words that nobody said were no vote."""
    had_no_quote = corrected is not None and corrected.verdict is Rating.NOT_MET
    votes = () if had_no_quote else (first.verdict, second.verdict)
    return replace(second, votes=tuple(filter(None, votes)), confirmed=True)
