"""Persistence: what an event writes, and how a stored session is read back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime

from pydantic import ValidationError

from interviewer.errors import StoreError
from interviewer.examiner.protocol import Examiner, ModelCall
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
    from_json,
    to_json,
)
from interviewer.interview.state import SessionState, replay
from interviewer.rubric.library import load_snapshot
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox.challenges.challenge import Challenge
from interviewer.store.records import (
    CallRecord,
    Commit,
    Entry,
    GradeRecord,
    NewSession,
    Progress,
    SessionRow,
    TurnRecord,
    VerdictRecord,
)
from interviewer.store.store import Store


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
    """What was typed at the bench is submitted with it, or its question is over."""
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


def utc_now() -> datetime:
    """The current time in UTC, timezone-aware."""
    return datetime.now(UTC)


class Journal:
    """Writes one session. All errors are the store's own (StoreError)."""

    def __init__(
        self, store: Store, session_id: str, now: Callable[[], datetime] = utc_now
    ) -> None:
        self._store = store
        self.session_id = session_id
        self._now = now

    async def begin(self, session: NewSession, event: JournalEvent, after: SessionState) -> None:
        """Create the session together with its first event."""
        first = commit_for(event, after, self._now(), 0.0)
        await asyncio.to_thread(self._store.create_session, session, first)

    async def commit(self, event: JournalEvent, after: SessionState, elapsed: float) -> None:
        """Write the event; it is on disk on return."""
        commit = commit_for(event, after, self._now(), elapsed)
        await asyncio.to_thread(self._store.append, self.session_id, commit)

    @asynccontextmanager
    async def recording_calls(self, examiner: Examiner) -> AsyncIterator[None]:
        """Record the examiner's model calls meanwhile, also those that fail."""
        try:
            yield
        finally:
            await self._log_calls(examiner.drain_calls())

    async def _log_calls(self, calls: Sequence[ModelCall]) -> None:
        if calls:
            at = self._now()
            records = [CallRecord(at=at, **asdict(call)) for call in calls]
            await asyncio.to_thread(self._store.log_calls, self.session_id, records)

    def save_draft(self, text: str, elapsed: float) -> None:
        """Keep what is being typed, with the round's clock in seconds."""
        self._store.save_draft(self.session_id, text, self._now(), elapsed)

    def save_bench_draft(self, text: str, elapsed: float) -> None:
        """The same for what is being typed at the bench."""
        self._store.save_bench_draft(self.session_id, text, self._now(), elapsed)

    def bench_draft(self) -> str:
        """What was typed at the bench on this question and not handed in, "" if nothing."""
        draft = self._store.bench_draft(self.session_id)
        return draft.text if draft else ""

    def draft(self) -> str:
        """What was typed and not sent, "" if nothing."""
        draft = self._store.draft(self.session_id)
        return draft.text if draft else ""


@dataclass(frozen=True)
class Recorded:
    """A journal event with its time and the round's clock in seconds."""

    event: JournalEvent
    at: datetime
    elapsed: float


@dataclass(frozen=True)
class Replay:
    """A session as stored. ``times`` gives each turn's time by turn number."""

    session: SessionRow
    state: SessionState
    rubrics: Mapping[str, Rubric]
    journal: tuple[Recorded, ...]
    times: Mapping[int, datetime]
    challenges: Mapping[str, Challenge] = field(default_factory=dict)
    """Its questions' challenges as they were when it began, by id."""

    @property
    def elapsed(self) -> float:
        """The clock of the latest round in seconds, as far as the journal knows."""
        return self.journal[-1].elapsed if self.journal else 0.0


def load(store: Store, session: str) -> Replay:
    """Read a session by id or unique prefix.

    Raises UnknownNameError if there is none, StoreError or RubricFileError if its journal or a
    rubric stored with it is damaged.
    """
    row = store.history.session(session)
    try:
        journal = tuple(
            Recorded(from_json(entry.payload), entry.at, entry.elapsed)
            for entry in store.entries(row.id)
        )
        rubrics = {id_: load_snapshot(r) for id_, r in store.rubrics(row.id).items()}
    except ValidationError as error:
        first = error.errors()[0]
        raise StoreError(
            f"Session {row.id} cannot be read: its journal is damaged ({first['msg']}). "
            "Other sessions are not affected."
        ) from error
    return Replay(
        session=row,
        state=replay((recorded.event, recorded.elapsed) for recorded in journal),
        rubrics=rubrics,
        journal=journal,
        challenges=dict(_challenges(store, row.id)),
        times={turn.number: turn.at for turn in store.turns(row.id)},
    )


def _challenges(store: Store, session: str) -> Iterator[tuple[str, Challenge]]:
    """Those that can be read; the results of runs are in the journal."""
    for id_, body in store.challenges(session).items():
        with suppress(ValidationError):
            yield id_, Challenge.model_validate(body)
