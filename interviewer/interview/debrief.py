"""The debrief: what every question came to, with the words that carry it, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from interviewer.examiner.offline.about import ABOUT as OFFLINE_ABOUT
from interviewer.examiner.offline.about import NAME as OFFLINE
from interviewer.examiner.protocol import CloseReason
from interviewer.grading.bands import ANCHORS, mean_band
from interviewer.grading.score import Grade
from interviewer.grading.transcript import Turn
from interviewer.grading.verdicts import CriterionVerdict, Flag
from interviewer.interview.events import Mode, SessionEnded
from interviewer.interview.state import QuestionState, RoundState, SessionState
from interviewer.rubric.rubric import Criterion, Rubric

FEW_QUESTIONS = 4


@dataclass(frozen=True)
class CriterionLine:
    """A criterion with what it got; ``verdict`` is None where it could not be judged."""

    criterion: Criterion
    verdict: CriterionVerdict | None
    ungraded_reason: str = ""


@dataclass(frozen=True)
class QuestionDebrief:
    """One question. ``grade`` is None while it is still open."""

    round: int
    number: int
    rubric: Rubric
    grade: Grade | None
    closed: CloseReason | None
    lines: tuple[CriterionLine, ...]
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class RoundDebrief:
    """One round that was begun; ``band`` is the mean of its graded questions."""

    number: int
    title: str
    band: float | None
    questions: tuple[QuestionDebrief, ...]
    not_asked: tuple[str, ...]
    """Titles of questions that the round had no time for."""


@dataclass(frozen=True)
class Debrief:
    """The whole session. ``doubts`` are sentences on what the bands do not show."""

    plan_title: str
    mode: Mode
    examiner: str
    about: str
    rounds: tuple[RoundDebrief, ...]
    band: float | None
    headline: str
    doubts: tuple[str, ...]


def debrief(state: SessionState, rubrics: Mapping[str, Rubric]) -> Debrief:
    """Put a session's results together; pure. ``rubrics`` are the session's snapshots by id."""
    examiners = tuple(dict.fromkeys(_examiners(state))) or (state.examiner,)
    band = mean_band(_bands(state.questions))
    return Debrief(
        plan_title=state.plan_title,
        mode=state.mode,
        examiner=", then ".join(examiners),
        about=" ".join(_about(name) for name in examiners),
        rounds=tuple(_round(round_, rubrics) for round_ in state.rounds),
        band=band,
        headline=_headline(state, band),
        doubts=tuple(_doubts(state)),
    )


def summary(state: SessionState) -> SessionEnded:
    """The closing event of a session whose last question is graded."""
    bands = _bands(state.questions)
    planned = sum(len(outline.questions) for outline in state.outline)
    return SessionEnded(
        band=mean_band(bands),
        graded=sum(band is not None for band in bands),
        ungraded=sum(band is None for band in bands),
        not_asked=planned - len(bands),
    )


def _bands(questions: tuple[QuestionState, ...]) -> list[int | None]:
    return [q.grade.band for q in questions if q.grade]


def _examiners(state: SessionState) -> Iterator[str]:
    return (judged.examiner for question in state.questions for judged in question.judged)


def _about(examiner: str) -> str:
    if examiner == OFFLINE:
        return OFFLINE_ABOUT
    return (
        f"{examiner} judged: every credit rests on words of yours that code found in the "
        "transcript, but a model may read them too kindly or too harshly."
    )


def _round(state: RoundState, rubrics: Mapping[str, Rubric]) -> RoundDebrief:
    left_out = state.outline.questions[len(state.questions) :] if state.ended else ()
    return RoundDebrief(
        number=state.number,
        title=state.outline.title,
        band=mean_band(_bands(state.questions)),
        questions=tuple(_question(q, rubrics[q.rubric]) for q in state.questions),
        not_asked=tuple(rubrics[rubric].title for rubric in left_out),
    )


def _question(state: QuestionState, rubric: Rubric) -> QuestionDebrief:
    return QuestionDebrief(
        round=state.round,
        number=state.number,
        rubric=rubric,
        grade=state.grade,
        closed=state.closed,
        lines=tuple(_lines(rubric, state.grade)) if state.grade else (),
        turns=state.turns,
    )


def _lines(rubric: Rubric, grade: Grade) -> Iterator[CriterionLine]:
    verdicts = {verdict.criterion: verdict for verdict in grade.verdicts}
    reasons = dict(grade.ungraded)
    for criterion in rubric.criteria:
        yield CriterionLine(criterion, verdicts.get(criterion.id), reasons.get(criterion.id, ""))


def _headline(state: SessionState, band: float | None) -> str:
    asked = len(state.questions)
    if not asked:
        return "No question was asked."
    if band is None:
        return "Nothing could be graded."
    anchor = ANCHORS[min(len(ANCHORS) - 1, int(band + 0.5))]
    plural = "question" if asked == 1 else "questions"
    return f"Band {band:.1f} of {len(ANCHORS) - 1} over {asked} {plural}. {anchor}"


def _doubts(state: SessionState) -> Iterator[str]:
    grades = [q.grade for q in state.questions if q.grade]
    flagged = frozenset[Flag]().union(*(grade.flags for grade in grades))
    missing = sum(bool(grade.ungraded) for grade in grades)
    if missing:
        yield f"{missing} of {len(grades)} questions could not be judged in full."
    if Flag.FALLBACK in flagged:
        yield "Some points were judged offline since the model's reply could not be used."
    if Flag.CUT_OFF in flagged:
        yield "The clock cut at least one answer short."
    if Flag.INJECTION_SUSPECTED in flagged:
        yield "Some text tried to instruct the examiner; it carried no credit."
    if Flag.RECITED in flagged:
        yield "At least one answer repeats the reference nearly word for word."
    if len(set(_examiners(state))) > 1:
        yield "More than one examiner judged: bands before and after the change do not compare."
    if 0 < len(grades) < FEW_QUESTIONS:
        yield f"The overall band rests on {len(grades)} graded question(s) only."
