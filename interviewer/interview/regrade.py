"""A finished session judged again: every answer in its turn, by another examiner or rubric.

What was said stays as it was, so the follow-ups are those that the first examiner asked for. The
three scores come about as they do live: each answer is judged with the turns up to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from interviewer.errors import StoreError
from interviewer.examiner.protocol import Case, Examiner
from interviewer.grading.evidence import candidate_turns
from interviewer.grading.score import Grade
from interviewer.interview.grades import checked, grade_of
from interviewer.interview.moves import standings
from interviewer.interview.replay import Replay
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import Rubric
from interviewer.store.records import RegradeRecord


@dataclass(frozen=True)
class GradedQuestion:
    """A question's grade, with the claims by criterion id that it was judged on."""

    round: int
    question: int
    title: str
    grade: Grade
    claims: Mapping[str, str]


@dataclass(frozen=True)
class Regrade:
    """A whole session graded again.

    ``examiner`` and ``version`` say who judged. ``kept`` are the ids of the rubrics that were asked
    for in today's version and judged by the session's own, as there is none today.
    """

    examiner: str
    version: str
    questions: tuple[GradedQuestion, ...]
    kept: tuple[str, ...] = ()


_REGRADE = TypeAdapter(Regrade)


def original(replay: Replay) -> tuple[GradedQuestion, ...]:
    """The grades that the session itself came to."""
    return tuple(
        _graded(question, replay.rubrics[question.rubric], question.grade)
        for question in replay.state.questions
        if question.grade
    )


async def regrade(
    replay: Replay,
    examiner: Examiner,
    rubrics: Mapping[str, Rubric] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Regrade:
    """Judge every answer of every graded question again; pure but for the examiner.

    ``rubrics`` are today's by id; None judges by those kept with the session. ``progress`` is told
    the looks taken and planned. Raises ExaminerError where a look fails: half a regrade is none.
    """
    questions = [question for question in replay.state.questions if question.grade]
    looks = sum(len(candidate_turns(question.turns)) for question in questions)
    done = 0

    def tell() -> None:
        nonlocal done
        done += 1
        if progress:
            progress(done, looks)

    graded = []
    for question in questions:
        kept = replay.rubrics[question.rubric]
        rubric = (rubrics or {}).get(question.rubric, kept)
        judged = await _judged(replay, question, rubric, examiner, tell)
        graded.append(_graded(judged, rubric, grade_of(judged, rubric, examiner.name)))
    missing = {q.rubric for q in questions} - rubrics.keys() if rubrics is not None else set()
    return Regrade(examiner.name, examiner.version, tuple(graded), tuple(sorted(missing)))


def as_json(regraded: Regrade) -> dict[str, Any]:
    """The regrade as JSON values, for the store."""
    values: dict[str, Any] = _REGRADE.dump_python(regraded, mode="json")
    return values


def from_record(record: RegradeRecord) -> Regrade:
    """A stored regrade; raises StoreError where it is damaged."""
    try:
        return _REGRADE.validate_python(record.grades)
    except ValidationError as error:
        raise StoreError(
            f"Regrade {record.number} cannot be read: it is damaged "
            f"({error.errors()[0]['msg']}). Grade the session once more; other regrades are not "
            "affected."
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
    """The question with all its answers judged anew, none of the earlier judgements left."""
    judged = replace(question, judged=())
    persona = replay.state.rounds[question.round - 1].outline.persona
    for answer in candidate_turns(question.turns):
        await asyncio.sleep(0)  # an examiner without a network never pauses: let a cancel through
        turns = tuple(turn for turn in question.turns if turn.number <= answer.number)
        case = Case(
            rubric,
            turns,
            tuple(standings(judged).values()),
            persona,
            exam=replay.state.mode == "exam",
        )
        judged = replace(judged, judged=(*judged.judged, checked(case, await examiner.judge(case))))
        tell()
    return judged
