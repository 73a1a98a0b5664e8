"""Regrade a finished session and compare two gradings."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from pydantic import TypeAdapter, ValidationError

from interviewer.errors import StoreError
from interviewer.examiner.protocol import Examiner, QuestionContext
from interviewer.grading.evidence import candidate_turns
from interviewer.grading.score import Grade, credit, graded
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import Verdict
from interviewer.interview.earlier import translate
from interviewer.interview.examining import (
    check_judgement,
    grade_of,
    look_up,
    said_elsewhere,
    settle_doubts,
)
from interviewer.interview.journal import Replay, utc_now
from interviewer.interview.numbers import leaves_figures_open
from interviewer.interview.state import QuestionState, after_settling, rubric_of
from interviewer.rubric.library import snapshot
from interviewer.rubric.rubric import Rating, Rubric
from interviewer.store.records import RegradeRecord
from interviewer.store.store import Store


@dataclass(frozen=True)
class GradedQuestion:
    """A question's grade, with the claims by criterion id that it was judged by."""

    round: int
    question: int
    title: str
    grade: Grade
    claims: Mapping[str, str]


@dataclass(frozen=True)
class Regrade:
    """A whole session graded again by ``examiner`` in this ``version``.

    ``kept`` are the ids of rubrics that no longer exist: the session's own version judged instead
    of today's. ``rubrics`` is a digest of all that judged, see :func:`rubrics_digest`; "" if it was
    stored before there was one.
    """

    examiner: str
    version: str
    questions: tuple[GradedQuestion, ...]
    kept: tuple[str, ...] = ()
    rubrics: str = ""


_REGRADE = TypeAdapter(Regrade)


def original(replay: Replay) -> tuple[GradedQuestion, ...]:
    """The session's own grades."""
    return tuple(
        _graded(question, rubric_of(question, replay.rubrics), question.grade)
        for question in replay.state.questions
        if question.grade and not question.grade.is_none
    )


async def regrade(
    replay: Replay,
    examiner: Examiner,
    rubrics: Mapping[str, Rubric] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Regrade:
    """Judge every answer of every graded question again; pure apart from the examiner.

    ``rubrics`` are today's by id; None uses those stored with the session. ``progress`` receives
    the number of judgements done and planned. Raises ExaminerError if one fails: half a regrade is
    no regrade.
    """
    questions = _questions(replay)
    judgements = sum(len(_judged_turns(question)) for question in questions)
    done = 0

    def tell() -> None:
        nonlocal done
        done += 1
        if progress:
            progress(done, judgements)

    graded = []
    for question in questions:
        rubric = _rubric_for(question, replay.rubrics, rubrics or {})
        judged = await _judged(replay, question, rubric, examiner, tell)
        is_open = leaves_figures_open(replay.state, replay.rubrics, question)
        grade = grade_of(judged, rubric, examiner.name, figures_open=is_open)
        graded.append(_graded(judged, rubric, grade))
    missing = {q.rubric for q in questions} - rubrics.keys() if rubrics is not None else set()
    return Regrade(examiner.name, examiner.version, tuple(graded), tuple(sorted(missing)))


def _judged_turns(question: QuestionState) -> list[Turn]:
    """The answers, and where the candidate pointed to earlier ones."""
    answers = candidate_turns(question.turns)
    return [turn for turn in question.turns if turn in answers or question.says_so_again(turn)]


def _questions(replay: Replay) -> list[QuestionState]:
    graded = (q for q in replay.state.questions if q.grade and not q.grade.is_none)
    return [q for q in graded if replay.rubrics[q.rubric].version]  # a lost one judges nothing


def require_finished(replay: Replay) -> None:
    """Raises StoreError for a session that has no grades to compare with."""
    if not replay.state.finished:
        raise StoreError(
            f"Session {replay.session.id} is not finished, so it has no grades to compare with; "
            "resume and finish it first."
        )


def rubrics_digest(
    kept: Mapping[str, Mapping[str, Any]], todays: Mapping[str, Rubric] | None = None
) -> str:
    """A digest of the rubrics that judge a session, given its snapshots: theirs or today's."""
    bodies: dict[str, Any] = dict(kept)
    bodies |= {id_: snapshot(todays[id_]) for id_ in kept if todays and id_ in todays}
    return hashlib.sha256(json.dumps(bodies, sort_keys=True).encode()).hexdigest()


def keep(
    store: Store, session_id: str, regraded: Regrade, todays: Mapping[str, Rubric] | None = None
) -> int:
    """Store the regrade beside the session's own grades; returns its number.

    ``todays`` are the rubrics it was made by, as for :func:`regrade`.
    """
    digest = rubrics_digest(store.rubrics(session_id), todays)
    regraded = replace(regraded, rubrics=digest)
    return store.regrades.add(
        session_id,
        at=utc_now(),
        examiner=regraded.examiner,
        version=regraded.version,
        grades=as_json(regraded),
    )


def _context(
    replay: Replay, question: QuestionState, rubric: Rubric, answer: Turn
) -> QuestionContext:
    """What the examiner may know when it judges this answer of the question."""
    context = QuestionContext(
        rubric,
        tuple(turn for turn in question.turns if turn.number <= answer.number),
        tuple(question.verdicts.values()),
        replay.state.rounds[question.round - 1].outline.persona,
        exam=replay.state.mode == "exam",
        elsewhere=tuple(said_elsewhere(replay.state, question)),
    )
    is_aside = answer.kind is TurnKind.ASIDE
    return look_up(context, replay.state, question, answer) if is_aside else context


def _rubric_for(
    question: QuestionState, kept: Mapping[str, Rubric], today: Mapping[str, Rubric]
) -> Rubric:
    """Today's rubric, else the session's own; that too where today's lost the point drilled.

    The harder variant that was asked is the session's own, unless today's has the same words.
    """
    asked = question.escalated_to
    rubric = today.get(question.rubric)
    if rubric and asked is not None:
        own = kept[question.rubric]
        if rubric.harder[asked : asked + 1] != own.harder[asked : asked + 1]:
            now = rubric.model_copy(update={"escalations": own.escalations})
            today = {question.rubric: now}
    try:
        return rubric_of(question, today)
    except KeyError:
        return rubric_of(question, kept)


def as_json(regraded: Regrade) -> dict[str, Any]:
    """The regrade as JSON values, for the store."""
    values: dict[str, Any] = _REGRADE.dump_python(regraded, mode="json")
    return values


def from_record(record: RegradeRecord) -> Regrade:
    """A stored regrade; raises StoreError if it is damaged."""
    try:
        return _REGRADE.validate_python(translate(record.grades))
    except ValidationError as error:
        raise StoreError(
            f"Regrade {record.number} cannot be read: it is damaged "
            f"({error.errors()[0]['msg']}). Regrade the session; other regrades are not affected."
        ) from error


def _graded(question: QuestionState, rubric: Rubric, grade: Grade) -> GradedQuestion:
    claims = {criterion.id: criterion.claim for criterion in rubric.criteria}
    return GradedQuestion(question.round, question.number, rubric.title, grade, claims)


async def _judged(
    replay: Replay,
    question: QuestionState,
    rubric: Rubric,
    examiner: Examiner,
    tell: Callable[[], None],
) -> QuestionState:
    """The question with all its answers judged again."""
    judged = replace(question, judged=())
    answers = _judged_turns(question)
    for answer in answers:
        await asyncio.sleep(0)  # an examiner without a network never yields: let a cancel through
        context = _context(replay, judged, rubric, answer)
        judgement = await examiner.judge(context)
        found = (*judged.judged, check_judgement(context, judgement))
        doubts = found[-1].doubts
        if doubts and answer is answers[-1]:  # as in the interview
            second = await examiner.settle(context, doubts)
            found = after_settling(found, settle_doubts(context, second))
        judged = replace(judged, judged=found)
        tell()
    return judged


class Reason(StrEnum):
    """Why a verdict changed, as far as the two verdicts show."""

    ADDED = "criterion_added"
    REMOVED = "criterion_removed"
    NOT_JUDGED = "not_judged"
    """It could not be judged the second time."""
    JUDGED_NOW = "judged_now"
    NUMBER = "number_rule"
    """The number asked for is missing or outside its tolerance."""
    QUOTE_REFUSED = "quote_refused"
    OBJECTION_GONE = "objection_gone"
    """The quote or number was refused the first time only."""
    OTHER_QUOTE = "other_quote"
    OTHER_HELP = "other_help"
    """The point counts as made with more or less help."""
    VOTES = "votes"
    """Repeated judgements disagreed in one of the two gradings."""
    RUBRIC_CHANGED = "rubric_changed"
    OTHER_EXAMINER = "other_examiner"
    SAME_WORDS = "same_words"
    """The same examiner read the same words differently."""


@dataclass(frozen=True)
class PointChange:
    """A criterion whose verdict or credit changed; None: not judged, or not in the rubric."""

    criterion: str
    claim: str
    before: Verdict | None
    after: Verdict | None
    reasons: tuple[Reason, ...]


@dataclass(frozen=True)
class QuestionChange:
    """A question with a change. ``points`` is empty if only weights changed."""

    before: GradedQuestion
    after: GradedQuestion
    points: tuple[PointChange, ...]


def compare(
    before: Sequence[GradedQuestion], after: Sequence[GradedQuestion]
) -> tuple[QuestionChange, ...]:
    """The questions whose scores, band or verdicts changed, in the order of ``before``."""
    later = {(graded.round, graded.question): graded for graded in after}
    return tuple(
        change
        for graded in before
        if (other := later.get((graded.round, graded.question)))
        if (change := _change(graded, other))
    )


def _change(before: GradedQuestion, after: GradedQuestion) -> QuestionChange | None:
    points = tuple(_points(before, after))
    return QuestionChange(before, after, points) if points or _moved(before, after) else None


def _moved(before: GradedQuestion, after: GradedQuestion) -> bool:
    scores = [
        (graded.grade.first, graded.grade.unassisted, graded.grade.final)
        for graded in (before, after)
    ]
    return any(
        (a is None) != (b is None) or (a is not None and b is not None and abs(a - b) > 1e-9)
        for a, b in zip(*scores, strict=True)
    )


def _points(before: GradedQuestion, after: GradedQuestion) -> Iterator[PointChange]:
    earlier, later = graded(before.grade.verdicts), graded(after.grade.verdicts)
    for criterion, claim in {**before.claims, **after.claims}.items():
        a, b = earlier.get(criterion), later.get(criterion)
        if a == b or (a and b and a.verdict is b.verdict and credit(a) == credit(b)):
            continue
        reasons = tuple(_reasons(criterion, before, after, a, b))
        yield PointChange(criterion, claim, a, b, reasons)


def _reasons(
    criterion: str,
    before: GradedQuestion,
    after: GradedQuestion,
    a: Verdict | None,
    b: Verdict | None,
) -> Iterator[Reason]:
    """All the reasons that the two gradings show, the most direct first."""
    if criterion not in before.claims:
        yield Reason.ADDED
    elif criterion not in after.claims:
        yield Reason.REMOVED
    elif a is None or b is None:
        yield Reason.JUDGED_NOW if a is None else Reason.NOT_JUDGED
    else:
        seen = [*_seen(a, b), *_circumstances(before, after)]
        yield from seen or [Reason.SAME_WORDS]


def _seen(a: Verdict, b: Verdict) -> Iterator[Reason]:
    if b.unsupported:
        # A missing number leaves partial credit, a refused quote none.
        yield Reason.NUMBER if b.verdict is Rating.PARTIAL else Reason.QUOTE_REFUSED
    elif a.unsupported:
        yield Reason.OBJECTION_GONE
    if (a.evidence, a.further) != (b.evidence, b.further):
        yield Reason.OTHER_QUOTE
    if a.source is not b.source:
        yield Reason.OTHER_HELP
    if len(set(a.votes)) > 1 or len(set(b.votes)) > 1:
        yield Reason.VOTES


def _circumstances(before: GradedQuestion, after: GradedQuestion) -> Iterator[Reason]:
    versions = before.grade.rubric_version, after.grade.rubric_version
    if versions[0] != versions[1] or before.claims != after.claims:
        yield Reason.RUBRIC_CHANGED
    if before.grade.examiner != after.grade.examiner:
        yield Reason.OTHER_EXAMINER
