"""Persistence: what each event writes, and how a stored session is read back."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from socket import gethostname
from typing import get_args

from pydantic import ValidationError

from interviewer.errors import StoreError
from interviewer.examiner.protocol import Examiner
from interviewer.grading.verdicts import Own
from interviewer.interview import events
from interviewer.interview.state import SessionState, replay, rubric_of
from interviewer.rubric.library import load_library, remains
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox.challenge import Challenge
from interviewer.store.records import (
    Commit,
    Draft,
    JournalEntry,
    NewSession,
    Pane,
    SessionProgress,
    SessionRow,
    TurnRecord,
)
from interviewer.store.store import Store

_log = logging.getLogger(__name__)
_MILESTONES = frozenset({"session", "round", "paused", "resumed", "examiner", "debrief", "grade"})
_LOGGED = ("stage", "outcome", "milliseconds", "prompt_tokens", "completion_tokens")
"""Of a call, what the log may hold: no model's words, nor what they were about."""


def commit_for(
    event: events.JournalEvent, after: SessionState, at: datetime, elapsed: float
) -> Commit:
    """The rows of one event. ``after`` is the state with the event applied."""
    said = None
    if isinstance(event, events.SpokenEvent):
        question = after.rounds[-1].questions[-1]
        turn, place = question.turns[-1], (question.round, question.number)
        said = TurnRecord(turn.number, *place, turn.author, turn.kind.value, turn.text, at)
    entry = JournalEntry(event.event, events.to_json(event), at, elapsed)
    return Commit(entry, said, _progress(event), _settled(event))


def _settled(event: events.JournalEvent) -> frozenset[Pane]:
    """The panes whose drafts were sent with the event, or belong to a question that is over."""
    match event:
        case events.AnswerGiven(cut_off=True):
            return frozenset({"answer", "bench"})
        case events.AnswerGiven():
            return frozenset({"answer"} if event.bench is None else {"bench"})
        case events.QuestionClosed():
            return frozenset({"bench"})
        case _:
            return frozenset()


def this_process() -> str:
    return f"{gethostname()} {os.getpid()}"


def held_by(session: SessionRow) -> str:
    """Who else goes on with the session, "" for nobody; a process that ended holds nothing."""
    host, _, number = session.holder.rpartition(" ")
    if session.status != "open" or session.holder in ("", this_process()):
        return ""
    if host != gethostname():
        return f"on {host or 'another machine'}"
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, ValueError):
        return ""
    except PermissionError:
        pass  # it runs, as another user
    return f"in process {number}"


def _progress(event: events.JournalEvent) -> SessionProgress:
    match event:
        case events.SessionStarted():
            return SessionProgress(holder=this_process())
        case events.RoundStarted():
            return SessionProgress(
                status="open", round=event.round, question=0, headline=event.title
            )
        case events.QuestionAsked():
            return SessionProgress(status="open", question=event.question, headline=event.title)
        case events.RoundEnded():
            return SessionProgress(finished_rounds=event.round)
        case events.Paused():
            return SessionProgress(status="paused", holder="")
        case events.Resumed():
            return SessionProgress(status="open", examiner=event.examiner, holder=this_process())
        case events.ExaminerChanged():
            return SessionProgress(status="open", examiner=event.examiner)
        case events.SessionEnded():
            return SessionProgress(status="finished", band=event.band, holder="")
        case _:
            return SessionProgress()


def utc_now() -> datetime:
    return datetime.now(UTC)


class Journal:
    """Writes one session, or raises StoreError: OvertakenError after an entry of another writer.

    ``length`` is how many entries its writer knows, ``latest`` the latest time stored with it.
    """

    def __init__(
        self,
        store: Store,
        session_id: str,
        now: Callable[[], datetime] = utc_now,
        *,
        length: int = 0,
        latest: datetime | None = None,
    ) -> None:
        self._store = store
        self.session_id = session_id
        self._clock = now
        self._latest = latest
        self._length = length
        self._writing = threading.Lock()
        """Held from the check of the length to its change: drafts are saved in other threads."""

    def _now(self) -> datetime:
        """Strictly increasing, though the clock may be set back: a draft sorts after its events."""
        now = self._clock()
        if self._latest is not None:
            now = max(now, self._latest + timedelta(microseconds=1))
        self._latest = now
        return now

    async def begin(
        self, session: NewSession, event: events.JournalEvent, after: SessionState
    ) -> None:
        first = commit_for(event, after, self._now(), 0.0)
        await asyncio.to_thread(self._store.create_session, session, first)
        self._length = 1
        self._log_entry(first.entry.kind)

    async def commit(self, event: events.JournalEvent, after: SessionState, elapsed: float) -> None:
        """Write the event; it is on disk on return."""
        commit = commit_for(event, after, self._now(), elapsed)
        await asyncio.to_thread(self._append, commit)

    def _append(self, commit: Commit) -> None:
        with self._writing:
            self._length = self._store.append(self.session_id, commit, after=self._length)
        self._log_entry(commit.entry.kind)

    def _log_entry(self, kind: str) -> None:
        level = logging.INFO if kind in _MILESTONES else logging.DEBUG
        facts = {"session": self.session_id, "entries": self._length}
        _log.log(level, kind, extra={"facts": facts})

    @asynccontextmanager
    async def recording_calls(self, examiner: Examiner) -> AsyncIterator[None]:
        """Record the examiner's model calls meanwhile, also those that fail."""
        try:
            yield
        finally:
            if calls := [asdict(call) for call in examiner.drain_calls()]:
                for call in calls:
                    level = logging.INFO if call["outcome"] == "ok" else logging.WARNING
                    facts = {"session": self.session_id, **{each: call[each] for each in _LOGGED}}
                    _log.log(level, "model call", extra={"facts": facts})
                log = self._store.log_calls
                await asyncio.to_thread(log, self.session_id, self._now(), calls)

    def save_draft(self, text: str, pane: Pane, elapsed: float) -> None:
        """Keep what is being typed in a pane, with the round's clock in seconds."""
        draft = Draft(text, self._now(), elapsed)
        with self._writing:
            self._store.save_draft(self.session_id, pane, draft, after=self._length)

    def drafts(self) -> Mapping[Pane, str]:
        kept = self._store.drafts(self.session_id)
        return {pane: kept[pane].text if pane in kept else "" for pane in get_args(Pane)}


@dataclass(frozen=True)
class Recorded:
    """A journal event with its time and the round's clock in seconds."""

    event: events.JournalEvent
    at: datetime
    elapsed: float


@dataclass(frozen=True)
class Replay:
    """A session as stored; ``times`` is when each turn was said, by its number."""

    session: SessionRow
    state: SessionState
    rubrics: Mapping[str, Rubric]
    journal: tuple[Recorded, ...]
    times: Mapping[int, datetime]
    challenges: Mapping[str, Challenge] = field(default_factory=dict)
    """Its questions' challenges as they were when it began, by id."""
    own: Own = field(default_factory=dict)
    """What the candidate put beside the examiner's verdicts."""
    broken: tuple[str, ...] = ()
    """The rubrics whose copy is damaged: the shipped one or what remains stands in."""
    unread: tuple[JournalEntry, ...] = ()
    """The entries from the first one that is damaged or cannot follow those before it."""

    @property
    def elapsed(self) -> float:
        """The clock of the latest round in seconds, according to the journal."""
        return self.journal[-1].elapsed

    @property
    def gap(self) -> str:
        """What cannot be read as it was stored, in a sentence each, "" if all can."""
        told = []
        if self.broken:
            told.append(
                f"The copy of rubric {', '.join(self.broken)} stored with session "
                f"{self.session.id} is damaged: the shipped one or its points' names stand in."
            )
        if self.unread:
            told.append(
                f"The journal of session {self.session.id} makes no sense after entry "
                f"{len(self.journal)} of {len(self.journal) + len(self.unread)}, so no more is "
                f"read: 'interviewer sessions repair {self.session.id}' saves the rest."
            )
        return " ".join(told)


def load(store: Store, session: str) -> Replay:
    """Read a session by id or unique prefix, as far as its journal makes sense.

    Raises UnknownNameError if there is none, StoreError if the beginning of its journal is damaged.
    """
    row = store.history.session(session)
    entries = store.entries(row.id)
    journal, state = _readable(entries)
    if not journal:
        raise StoreError(
            f"Session {row.id} cannot be read: its journal is damaged from the start. Other "
            "sessions are not affected."
        )
    rubrics, broken = dict[str, Rubric](), list[str]()
    for id_, body in store.rubrics(row.id).items():
        try:
            rubrics[id_] = Rubric.model_validate(body)
        except ValidationError:
            rubrics[id_] = _stand_in(id_, state)
            broken.append(id_)
    challenges = {}
    for id_, body in store.challenges(row.id).items():
        with suppress(ValidationError):  # the results of runs are in the journal
            challenges[id_] = Challenge.model_validate(body)
    return Replay(
        session=row,
        state=state,
        rubrics=rubrics,
        broken=tuple(broken),
        journal=journal,
        challenges=challenges,
        own=store.own_verdicts(row.id),
        times={turn.number: turn.at for turn in store.turns(row.id)},
        unread=tuple(entries[len(journal) :]),
    )


def _stand_in(rubric: str, state: SessionState) -> Rubric:
    """The shipped rubric of this id, else what the journal tells of the one that is lost."""
    asked = [question for question in state.questions if question.rubric == rubric]
    with suppress(KeyError):  # none is shipped, or not with the point that was asked
        shipped = load_library().entries[rubric].model
        if all(rubric_of(each, {rubric: shipped}) for each in asked):
            return shipped
    points = (point for each in asked for point in (*each.verdicts, each.point) if point)
    return remains(rubric, asked[0].turns[0].text if asked else rubric, dict.fromkeys(points))


def _readable(entries: Sequence[JournalEntry]) -> tuple[tuple[Recorded, ...], SessionState]:
    """The entries up to the first that is damaged or does not add up, and the state after them."""
    journal: list[Recorded] = []
    with suppress(ValidationError):
        for entry in entries:
            journal.append(Recorded(events.from_json(entry.payload), entry.at, entry.elapsed))
    state, read = replay(each.event for each in journal)
    return tuple(journal[:read]), state


def repair(store: Store, session: str) -> tuple[Replay, tuple[str, ...]]:
    """Cut off what cannot be read, and leave the session paused where that begins.

    Returns it as it was, and the answers that were cut off: they become its draft, after what is
    typed there already. Nothing is changed if everything can be read. Raises as :func:`load`.
    """
    stored = load(store, session)
    if not stored.unread:
        return stored, ()
    state = stored.state
    lost = tuple(
        text
        for entry in stored.unread
        if entry.kind == events.AnswerGiven.event
        and isinstance(text := entry.payload.get("text"), str)
    )
    id_ = stored.session.id
    draft = store.drafts(id_).get("answer")
    text = "\n\n".join(filter(None, (draft.text if draft else "", *lost)))
    kept = Draft(text, utc_now(), stored.elapsed) if lost else draft
    progress = SessionProgress(
        status="finished" if state.finished else "paused",
        round=len(state.rounds),
        finished_rounds=sum(each.ended is not None for each in state.rounds),
        question=len(state.rounds[-1].questions) if state.rounds else 0,
        examiner=state.examiner,
        band=state.finished.band if state.finished else None,
        holder="",
    )
    store.rewind(id_, len(stored.journal), state.turns, progress, kept)
    return stored, lost
