"""What an event writes: the journal row and its projections, as one commit."""

from __future__ import annotations

from datetime import datetime

from interviewer.grading.score import Grade
from interviewer.grading.verdicts import CriterionVerdict
from interviewer.interview.events import (
    AnswerGiven,
    AnswerJudged,
    BenchRan,
    ExaminerChanged,
    FollowUpAsked,
    HintGiven,
    JournalEvent,
    Paused,
    QuestionAsked,
    QuestionClosed,
    QuestionGraded,
    Resumed,
    RoundEnded,
    RoundStarted,
    SessionEnded,
    to_json,
)
from interviewer.interview.state import SessionState
from interviewer.store.records import (
    Commit,
    Entry,
    GradeRecord,
    Progress,
    TurnRecord,
    VerdictRecord,
)


def commit_for(event: JournalEvent, after: SessionState, at: datetime, elapsed: float) -> Commit:
    """The rows of one event. ``after`` is the state with the event applied."""
    entry = Entry(event.event, to_json(event), at, elapsed)
    match event:
        case QuestionAsked() | AnswerGiven() | BenchRan() | FollowUpAsked() | HintGiven():
            return Commit(
                entry,
                turn=_latest_turn(after, at),
                progress=_progress(event),
                clear_draft=isinstance(event, AnswerGiven)
                and (event.cut_off or event.bench is None),
                clear_bench_draft=_leaves_the_bench(event),
            )
        case AnswerJudged():
            return Commit(entry, verdicts=_verdicts(event, after))
        case QuestionGraded():
            return Commit(entry, grade=_grade(event.round, event.question, event.grade))
        case _:
            leaves = _leaves_the_bench(event)
            return Commit(entry, progress=_progress(event), clear_bench_draft=leaves)


def _leaves_the_bench(event: JournalEvent) -> bool:
    """What is typed at the bench is handed in with it, or belongs to a question that is over."""
    if isinstance(event, AnswerGiven):
        return event.cut_off or event.bench is not None
    return isinstance(event, QuestionClosed)


def _progress(event: JournalEvent) -> Progress:
    match event:
        case RoundStarted():
            return Progress(status="open", round=event.round, question=0, headline=event.title)
        case QuestionAsked():
            return Progress(status="open", question=event.question, headline=event.title)
        case RoundEnded():
            return Progress(finished_rounds=event.round)
        case Paused():
            return Progress(status="paused")
        case Resumed() | ExaminerChanged():
            return Progress(status="open", examiner=event.examiner)
        case SessionEnded():
            return Progress(status="finished", band=event.band)
        case _:
            return Progress()


def _latest_turn(after: SessionState, at: datetime) -> TurnRecord:
    question = after.rounds[-1].questions[-1]
    turn = question.last_turn
    return TurnRecord(
        number=turn.number,
        round=question.round,
        question=question.number,
        author=turn.author,
        kind=turn.kind.value,
        text=turn.text,
        at=at,
    )


def _verdicts(event: AnswerJudged, after: SessionState) -> tuple[VerdictRecord, ...]:
    question = after.rounds[-1].questions[-1]
    return tuple(
        _verdict(verdict, question.rubric, question.last_words.number, event.examiner)
        for verdict in event.verdicts
    )


def _verdict(
    verdict: CriterionVerdict, rubric: str, answer_turn: int, examiner: str
) -> VerdictRecord:
    start, end = verdict.span or (None, None)
    return VerdictRecord(
        answer_turn=answer_turn,
        rubric=rubric,
        criterion=verdict.criterion,
        verdict=verdict.verdict.value,
        evidence=verdict.evidence,
        turn=verdict.turn,
        span_start=start,
        span_end=end,
        source=verdict.source.value,
        missing=verdict.missing,
        unsupported=verdict.unsupported,
        examiner=examiner,
    )


def _grade(round_: int, question: int, grade: Grade) -> GradeRecord:
    return GradeRecord(
        round=round_,
        question=question,
        rubric=grade.rubric,
        rubric_version=grade.rubric_version,
        examiner=grade.examiner,
        first=grade.first,
        unassisted=grade.unassisted,
        final=grade.final,
        band=grade.band,
        flags=tuple(sorted(flag.value for flag in grade.flags)),
    )
