"""One judgement, a call per batch, and the second look at what it leaves in doubt.

A reply that cannot be used is shown to the model again, once. The second look comes when the
question is over: about quotes or numbers that the check did not find, and about doubts that would
move the band. The judge is also asked whether words give a point away, where code cannot decide.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ValidationError

from interviewer.errors import ExaminerError
from interviewer.examiner.llm.client import ChatClient, ChatRequest, ask_for
from interviewer.examiner.llm.messages import (
    MOST_WORDINGS,
    Batch,
    Message,
    canary_for,
    fenced,
    filled,
    first_messages,
    in_batches,
    load_prompt,
    question_of,
    repair_messages,
    second_messages,
)
from interviewer.examiner.llm.replies import (
    Read,
    Words,
    as_written,
    first_fault,
    only_object,
    or_else,
    read_as,
    schema_of,
)
from interviewer.examiner.protocol import QuestionContext
from interviewer.grading.evidence import check
from interviewer.grading.verdicts import (
    MOST_QUOTES,
    Evidence,
    Flag,
    Judgement,
    Ungraded,
    Verdict,
    decisive,
    standing,
)
from interviewer.rubric.rubric import Rating
from interviewer.rubric.text import is_content, words

CAP_BASE, CAP_PER_CRITERION = 1024, 160
"""Tokens of a judgement: room for some reasoning, and for each criterion's entry."""
LONGEST_BASE, LONGEST_PER_CRITERION = 400, 1000
"""Characters that the JSON of an honest judgement stays within."""
REPAIR_CHARACTERS = 4000
"""How much of a bad reply the model is shown again."""
CANARY_CREDITED = "it credits a planted point that nobody could make"
NO_OTHER = "none"
"""In place of an alternative verdict; some servers take no empty word in an enumeration."""
MISSING_CHARACTERS = 300
PROBLEMS = 6
"""At most this many are reported to the model; more would not help it."""
GIVEAWAYS_CAP, GIVEAWAYS_LONGEST = 1536, 3000
"""Tokens of a reply on giveaways, and the characters that an honest reply stays within."""


def _as_texts(value: object) -> object:
    return value if isinstance(value, list) else [value] if value else []


class _Entry(BaseModel):
    id: str
    evidence: Annotated[list[str], BeforeValidator(_as_texts)] = []
    verdict: Annotated[Rating, BeforeValidator(as_written)]
    missing: Words = ""
    sure: Annotated[
        Literal["high", "medium", "low"], or_else("high"), BeforeValidator(as_written)
    ] = "high"
    otherwise: Annotated[Rating | None, or_else(None), BeforeValidator(as_written)] = None
    doubt: Words = ""

    def finding(self) -> Verdict:
        """What it says about its criterion."""
        first, *further = [quote for quote in self.evidence if quote.strip()] or [""]
        is_doubtful = self.sure != "high" and self.otherwise not in (None, self.verdict)
        return Verdict(
            self.id,
            self.verdict,
            first,
            missing=self.missing[:MISSING_CHARACTERS],
            further=tuple(map(Evidence, further[: MOST_QUOTES - 1])),
            doubt=self.doubt[:MISSING_CHARACTERS] if is_doubtful else "",
            alternative=self.otherwise if is_doubtful else None,
        )


class _Findings(BaseModel):
    criteria: list[_Entry]


def schema_for(criteria: Sequence[str]) -> dict[str, Any]:
    """The JSON schema of a reply on these criteria: the evidence comes before the verdict."""
    return schema_of(_Findings, id=criteria, otherwise=[*(each.value for each in Rating), NO_OTHER])


Findings = dict[str, Verdict]
"""By criterion."""


def read_findings(text: str, wanted: Sequence[str], known: Collection[str] = ()) -> Read[Findings]:
    """The valid findings on wanted or known criteria; only a missing wanted one is a problem."""
    reply = only_object(text, "criteria")
    entries, problems = ([], [reply]) if isinstance(reply, str) else (reply["criteria"], [])
    found: Findings = {}
    disputed: set[str] = set()
    for number, raw in enumerate(entries, start=1):
        try:
            entry = _Entry.model_validate(raw)
        except ValidationError as error:
            problems.append(f"entry {number}: {first_fault(error)}")
            continue
        if entry.id not in (*wanted, *known):
            problems.append(f"entry {number}: the answer key has no id {entry.id[:60]!r}")
            continue
        finding = entry.finding()
        if found.setdefault(entry.id, finding).verdict is not finding.verdict:
            disputed.add(entry.id)
    problems += [f"{each} has two different verdicts" for each in sorted(disputed)]
    lacking = [each for each in wanted if each not in found]
    problems += [f"{each} has no usable entry" for each in lacking]
    usable = {each: finding for each, finding in found.items() if each not in disputed}
    lacks = lacking or disputed.intersection(wanted)
    return Read(usable, tuple(problems[:PROBLEMS]) if lacks else ())


async def judge_question(
    client: ChatClient, context: QuestionContext, *, canaries: float
) -> Judgement:
    """Judge all criteria, met ones too: a later turn may take them back.

    Those on which no reply was usable are ungraded. Raises ExaminerError where a call fails.
    """
    model = client.endpoint.model
    batches = await asyncio.to_thread(_batches, context, canaries)
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_judge_batch(client, context, each)) for each in batches]
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None
    judged = [task.result() for task in tasks]
    flags = frozenset({Flag.PARSE_REPAIRED} if any(each.repaired for each in judged) else ())
    if any(each.is_void for each in judged):
        every = tuple(_unusable(c.id, CANARY_CREDITED) for c in context.rubric.criteria)
        return Judgement(every, model, flags | {Flag.CANARY})
    found = {id_: finding for each in judged for id_, finding in each.findings.items()}
    first = tuple(found[c.id] for c in context.rubric.criteria if c.id in found)
    ungraded = (
        _unusable(id_, each.problem)
        for batch, each in zip(batches, judged, strict=True)
        for id_ in batch.wanted
        if id_ not in each.findings
    )
    return Judgement((*first, *ungraded), model, flags, tuple(_in_doubt(context, first)))


def _unusable(criterion: str, why: str) -> Verdict:
    return Verdict(criterion, None, ungraded=(Ungraded.UNUSABLE,), missing=why)


async def settle_doubts(
    client: ChatClient, context: QuestionContext, doubts: Sequence[Verdict]
) -> tuple[Verdict, ...]:
    """Look again at these findings, in one call; those that it does not settle are left out."""
    doubted = {finding.criterion: finding for finding in doubts}
    batch = Batch(tuple(c for c in context.rubric.criteria if c.id in doubted))
    if not batch.criteria:
        return ()
    refused = _corrected(context, doubts)
    asked = [(doubted[c], refused[c].unsupported if c in refused else "") for c in batch.ids]
    messages = second_messages(context, batch, asked)
    request = replace(_request(batch, messages, "second_look"), optional=True)
    try:
        read, _ = await ask_for(client, request, lambda text: read_findings(text, batch.ids))
    except ExaminerError:
        return ()
    settled = [
        replace(second, votes=_votes(doubted[c], second, refused.get(c)), confirmed=True)
        for c in batch.ids
        if (second := read.value.get(c))
    ]
    failing = _corrected(context, settled)
    return tuple(each for each in settled if each.criterion not in failing)


@dataclass(frozen=True)
class _Judged:
    """What the calls about a batch found; ``is_void``: the planted criterion was credited."""

    findings: Findings
    problem: str
    repaired: bool
    is_void: bool


async def _judge_batch(client: ChatClient, context: QuestionContext, batch: Batch) -> _Judged:
    """One call, and one more where the reply was not enough. Raises ExaminerError."""

    def read_all(text: str) -> Read[Findings]:
        found = read_findings(text, batch.wanted, batch.ids)
        planted = found.value.pop(batch.planted, None)
        if planted and planted.verdict in (Rating.MET, Rating.PARTIAL):
            return Read(found.value, (CANARY_CREDITED,), "canary")
        return found

    messages = first_messages(context, batch)
    read, reply = await ask_for(client, _request(batch, messages, "judge"), read_all)
    findings, lacks = read.value, bool(read.problems) and read.outcome != "canary"
    if lacks and not reply.refused:
        again = repair_messages(messages, reply.text[:REPAIR_CHARACTERS], read.problems)
        read, _ = await ask_for(client, _request(batch, again, "repair"), read_all)
        findings = read.value | findings
    problem = read.problems[0] if read.problems else ""
    return _Judged(findings, problem, lacks, read.outcome == "canary")


def _batches(context: QuestionContext, canaries: float) -> tuple[Batch, ...]:
    return in_batches(context.rubric.criteria, canary_for(context, canaries))


def _request(batch: Batch, messages: tuple[Message, ...], prompt: str) -> ChatRequest:
    cap = CAP_BASE + CAP_PER_CRITERION * len(batch.ids)
    longest = LONGEST_BASE + LONGEST_PER_CRITERION * len(batch.ids)
    version, schema = load_prompt(prompt).version, schema_for(batch.ids)
    return ChatRequest("judge", version, messages, cap, 0.0, longest, schema)


def _corrected(context: QuestionContext, findings: Iterable[Verdict]) -> Findings:
    """The verdicts that code would take credit from."""
    checked = check(context.rubric, context.turns, findings, context.elsewhere)
    return {verdict.criterion: verdict for verdict in checked if verdict.unsupported}


def _in_doubt(context: QuestionContext, findings: Sequence[Verdict]) -> Iterator[Verdict]:
    """Findings that code would take back, and doubts that could move the band as it stands."""
    before = {verdict.criterion: verdict for verdict in context.verdicts}
    checked = check(context.rubric, context.turns, findings, context.elsewhere)
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


def _votes(first: Verdict, second: Verdict, refused: Verdict | None) -> tuple[Rating, ...]:
    """Both verdicts; words that nobody said were no vote."""
    had_no_quote = refused is not None and refused.verdict is Rating.NOT_MET
    return () if had_no_quote else tuple(filter(None, (first.verdict, second.verdict)))


# -- words that may give a point away -------------------------------------------------


class _Utterance(BaseModel):
    number: int
    point: Words = ""
    words: Words = ""
    gives_away: bool


class _Giveaways(BaseModel):
    utterances: list[_Utterance]


def giveaways_request(context: QuestionContext, texts: Sequence[str]) -> ChatRequest:
    """The open points with their key, the conversation, and the utterances, numbered from 1."""
    made = {v.criterion for v in context.verdicts if v.verdict is Rating.MET}
    rubric, subject = context.rubric, question_of(context)
    points = [
        filled(id=c.id, claim=c.claim, accept=c.accept[:MOST_WORDINGS], ask=c.probe)
        for c in rubric.criteria
        if c.id not in made
    ]
    points += [{"ask": each} for each in (*rubric.simpler, *rubric.harder)]
    talk = [
        {"who": "interviewer" if turn.author == "examiner" else "candidate", "text": turn.text}
        for turn in context.turns
    ]
    utterances = [{"number": n, "text": text} for n, text in enumerate(texts, start=1)]
    prompt = load_prompt("giveaways")
    messages = (
        Message("system", prompt.text),
        Message("user", fenced("The open points", points, subject)),
        Message("user", fenced("The conversation", talk, subject)),
        Message("user", fenced("The utterances to check", utterances, subject)),
    )
    size, schema = (GIVEAWAYS_CAP, 0.0, GIVEAWAYS_LONGEST), schema_of(_Giveaways)
    return ChatRequest("giveaways", prompt.version, messages, *size, schema)


def read_giveaways(reply: str, texts: Sequence[str]) -> Read[tuple[str, ...]]:
    """For each text the words that give a point away, "" for none; no text is cleared in part."""
    found = read_as(reply, _Giveaways, "utterances")
    if isinstance(found, str):
        return Read((), (found,))
    said = {(u.number, u.words.strip() if u.gives_away else "") for u in found.utterances}
    if sorted(number for number, _ in said) != list(range(1, len(texts) + 1)):
        return Read((), ("it does not say one thing of each utterance",))
    told = zip(texts, (quoted for _, quoted in sorted(said)), strict=True)
    return Read(tuple(quoted if _holds(text, quoted) else "" for text, quoted in told))


def _holds(text: str, quoted: str) -> bool:
    wanted = words(quoted)
    return any(map(is_content, wanted)) and f" {' '.join(wanted)} " in f" {' '.join(words(text))} "
