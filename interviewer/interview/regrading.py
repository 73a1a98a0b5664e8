"""Regrade finished sessions and compare two gradings."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from interviewer.errors import ExaminerError, StoreError, StoreWriteError, UnknownNameError
from interviewer.examiner.protocol import Examiner, QuestionContext
from interviewer.grading.evidence import candidate_turns
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import Grade, Verdict, credit, graded
from interviewer.interview.events import translate
from interviewer.interview.examining import grade_of, judge_answer, look_up, said_elsewhere
from interviewer.interview.journal import Journal, Replay, load, utc_now
from interviewer.interview.numbers import leaves_figures_open
from interviewer.interview.state import QuestionState, rubric_of
from interviewer.rubric.library import snapshot
from interviewer.rubric.rubric import Rubric
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
    """A whole session graded again by ``examiner`` in this ``version``."""

    examiner: str
    version: str
    questions: tuple[GradedQuestion, ...]
    kept: tuple[str, ...] = ()
    """The ids of rubrics that no longer exist: the session's own judged instead of today's."""
    rubrics: str = ""
    """A digest of all that judged; "" if it was stored before there was one."""


_REGRADE = TypeAdapter(Regrade)


def original(replay: Replay) -> tuple[GradedQuestion, ...]:
    return tuple(
        _graded(question, rubric_of(question, replay.rubrics), question.grade)
        for question in replay.state.questions
        if question.grade and not question.grade.is_none
    )


async def regrade(
    replay: Replay,
    examiner: Examiner,
    rubrics: Mapping[str, Rubric] | None = None,
) -> Regrade:
    """Judge every answer of every graded question again; pure apart from the examiner.

    ``rubrics`` are today's by id; None uses those stored with the session. Raises ExaminerError if
    a judgement fails: half a regrade is no regrade.
    """
    questions = _questions(replay)
    graded = []
    for question in questions:
        rubric = _rubric_for(question, replay.rubrics, rubrics or {})
        judged = await _judged(replay, question, rubric, examiner)
        is_open = leaves_figures_open(replay.state, replay.rubrics, question)
        grade = grade_of(judged, rubric, examiner.name, figures_open=is_open)
        graded.append(_graded(judged, rubric, grade))
    missing = {q.rubric for q in questions} - rubrics.keys() if rubrics is not None else set()
    return Regrade(examiner.name, examiner.version, tuple(graded), tuple(sorted(missing)))


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
    """Store the regrade, made by ``todays`` rubrics if given; returns its number."""
    regraded = replace(regraded, rubrics=rubrics_digest(store.rubrics(session_id), todays))
    by = {"examiner": regraded.examiner, "version": regraded.version}
    return store.add_regrade(session_id, at=utc_now(), **by, grades=as_json(regraded))


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
    """Today's rubric with the harder variant that was asked, where it has all that was asked."""
    rubric, own = today.get(question.rubric), kept[question.rubric]
    if rubric is None:
        return rubric_of(question, kept)
    n = question.escalated_to
    if n is not None and rubric.harder[n : n + 1] != own.harder[n : n + 1]:
        rubric = rubric.model_copy(update={"escalations": own.escalations})
    try:
        return rubric_of(question, {question.rubric: rubric})
    except KeyError:  # today's has lost the point that was drilled
        return rubric_of(question, kept)


def as_json(regraded: Regrade) -> dict[str, Any]:
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
    replay: Replay, question: QuestionState, rubric: Rubric, examiner: Examiner
) -> QuestionState:
    """The question with all its answers judged again, and where they pointed to earlier ones."""
    judged, said = replace(question, judged=()), candidate_turns(question.turns)
    answers = [t for t in question.turns if t in said or question.says_so_again(t)]
    for answer in answers:
        await asyncio.sleep(0)  # an examiner without a network never yields: let a cancel through
        context = _context(replay, judged, rubric, answer)
        is_last = answer is answers[-1]
        found = await judge_answer(examiner, context, judged.judged, is_last=is_last)
        judged = replace(judged, judged=found)
    return judged


IN_VAIN = 3
"""After so many sessions in a row that fail at the endpoint, the others would fail as well."""


@dataclass(frozen=True)
class Done:
    """What became of one session of many."""

    session: str
    regrade: int | None
    """Its number beside the session's own grades; None if there is none."""
    problem: str = ""
    at_the_examiner: bool = False
    """A call failed: other sessions may meet the same."""


def is_regraded(
    store: Store, session: str, examiner: Examiner, todays: Mapping[str, Rubric] | None
) -> bool:
    """Whether the examiner, in this version, has judged the session by these rubrics before."""
    by = (examiner.name, examiner.version)
    before = [r for r in store.regrades(session) if (r.examiner, r.version) == by]
    if not before:
        return False
    digest = rubrics_digest(store.rubrics(session), todays)
    return any(record.grades.get("rubrics") == digest for record in before)


async def regrade_many(
    store: Store,
    sessions: Sequence[str],
    examiners: Sequence[Examiner],
    todays: Mapping[str, Rubric] | None,
    tell: Callable[[Done], None],
) -> str:
    """Regrade and store the sessions one by one, as many at a time as there are examiners.

    Returns why not all were tried, "" if they were. Raises StoreWriteError.
    """
    waiting = iter(sessions)
    failed_in_a_row = 0
    stopped = ""

    async def work(examiner: Examiner) -> None:
        nonlocal failed_in_a_row, stopped
        for session in waiting:
            done = await _one_of_many(store, session, examiner, todays)
            tell(done)
            if done.regrade is not None:
                failed_in_a_row = 0
            failed_in_a_row += done.at_the_examiner
            if failed_in_a_row >= IN_VAIN:
                stopped = stopped or done.problem
            if stopped:
                return

    try:
        async with asyncio.TaskGroup() as group:
            for examiner in examiners:
                group.create_task(work(examiner))
    except* StoreWriteError as failures:
        raise failures.exceptions[0] from None
    return stopped


async def _one_of_many(
    store: Store, session: str, examiner: Examiner, todays: Mapping[str, Rubric] | None
) -> Done:
    """The model calls are logged with the session in any case."""
    try:
        replay = await asyncio.to_thread(load, store, session)
        require_finished(replay)
        async with Journal(store, session).recording_calls(examiner):
            regraded = await regrade(replay, examiner, todays)
        return Done(session, await asyncio.to_thread(keep, store, session, regraded, todays))
    except StoreWriteError:
        raise
    except (ExaminerError, StoreError, UnknownNameError) as error:
        return Done(session, None, str(error), isinstance(error, ExaminerError))


@dataclass(frozen=True)
class PointChange:
    """A criterion whose verdict or credit changed; None: not judged, or not in the rubric."""

    criterion: str
    claim: str
    before: Verdict | None
    after: Verdict | None


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
    later = {(each.round, each.question): each for each in after}
    changes = []
    for each in before:
        if other := later.get((each.round, each.question)):
            points = tuple(_points(each, other))
            if points or _scores(each) != _scores(other):
                changes.append(QuestionChange(each, other, points))
    return tuple(changes)


def _scores(question: GradedQuestion) -> list[float | None]:
    """To nine digits, so that the order of a sum makes no change."""
    grade = question.grade
    return [each and round(each, 9) for each in (grade.first, grade.unassisted, grade.final)]


def _points(before: GradedQuestion, after: GradedQuestion) -> Iterator[PointChange]:
    earlier, later = graded(before.grade.verdicts), graded(after.grade.verdicts)
    for criterion, claim in {**before.claims, **after.claims}.items():
        a, b = earlier.get(criterion), later.get(criterion)
        same = a and b and a.verdict is b.verdict and credit(a) == credit(b)
        if a != b and not same:
            yield PointChange(criterion, claim, a, b)
