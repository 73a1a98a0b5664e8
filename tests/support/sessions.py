"""Interviews over a real database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, TypeVar

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import Examiner, Persona
from interviewer.grading.verdicts import Grade, Verdict
from interviewer.interview.bench_session import Bench
from interviewer.interview.commands import Command
from interviewer.interview.events import (
    AnswerJudged,
    Event,
    Mode,
    RoundOutline,
    SessionStarted,
    YourTurn,
)
from interviewer.interview.inbox import RoundClock
from interviewer.interview.interview import Interview
from interviewer.interview.journal import Journal, load, utc_now
from interviewer.interview.state import SessionState
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox.challenge import Challenge
from interviewer.sandbox.result import Tries
from interviewer.store.database import model_calls
from interviewer.store.records import NewSession
from interviewer.store.store import Store
from support.postgres import queried

E = TypeVar("E")


class HandClock:
    """A monotonic clock that only moves when told."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def outline(*rubrics: Rubric, seconds: int = 600, follow_ups: int = 4) -> RoundOutline:
    names = tuple(rubric.id for rubric in rubrics)
    return RoundOutline("A round", Persona("Ada", "patient"), seconds, follow_ups, names)


def begin(
    store: Store,
    rounds: Sequence[RoundOutline],
    rubrics: Mapping[str, Rubric],
    examiner: Examiner,
    *,
    mode: Mode = "exam",
    now: Callable[[], float] | None = None,
    session: str = "5e55107700",
    bench: Bench | None = None,
    challenges: Mapping[str, Challenge] = MappingProxyType({}),
    tries: Tries | None = None,
    title: str = "Test plan",
    at: Callable[[], datetime] = utc_now,
) -> Interview:
    """A new interview over the store; ``at`` tells the time of its events."""
    new = NewSession(
        id=session,
        plan="test-plan",
        plan_title=title,
        mode=mode,
        examiner=examiner.name,
        created_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        rubrics={id_: rubric.model_dump(mode="json") for id_, rubric in rubrics.items()},
        rounds=len(rounds),
        challenges={id_: each.model_dump(mode="json") for id_, each in challenges.items()},
    )
    started = SessionStarted("test-plan", title, mode, examiner.name, tuple(rounds))
    return Interview(
        journal=Journal(store, session, at),
        rubrics=rubrics,
        examiner=examiner,
        fallback=OfflineExaminer,
        beginning=(new, started),
        clock=RoundClock(now) if now else None,
        bench=bench,
        challenges=challenges,
        tries=tries,
    )


def reopen(
    store: Store,
    session: str,
    examiner: Examiner,
    *,
    elapsed: float | None = None,
    bench: Bench | None = None,
) -> Interview:
    """The stored session again, as after a crash; with another stand of the clock if given."""
    replay = load(store, session)
    return Interview(
        journal=Journal(store, session, length=len(replay.journal)),
        rubrics=replay.rubrics,
        examiner=examiner,
        fallback=OfflineExaminer,
        state=replay.state,
        elapsed=replay.elapsed if elapsed is None else elapsed,
        bench=bench,
        challenges=replay.challenges,
    )


def judged(store: Store, session: str) -> list[AnswerJudged]:
    events = (recorded.event for recorded in load(store, session).journal)
    return [event for event in events if isinstance(event, AnswerJudged)]


def verdicts(store: Store, session: str) -> list[Verdict]:
    return [verdict for event in judged(store, session) for verdict in event.verdicts]


def logged_calls(store: Store, session: str) -> list[dict[str, Any]]:
    """The logged model calls of a session as rows, oldest first."""
    columns = [column.name for column in model_calls.columns]
    query = f"SELECT {', '.join(columns)} FROM model_calls WHERE session_id = :id ORDER BY id"
    rows = queried(store.place, query, id=session)
    return [dict(zip(columns, row, strict=True)) for row in rows]


async def hold(interview: Interview, replies: Sequence[Command]) -> list[Event]:
    """Run the interview, sending one reply each time it is the candidate's turn.

    Ends with the interview, or when the replies are used up and it is the candidate's turn.
    """
    return await react(interview, {YourTurn: replies})


async def react(
    interview: Interview, replies: Mapping[type[Event], Command | Sequence[Command]]
) -> list[Event]:
    """Run the interview, answering each event of these kinds: always so, or by a list in turn.

    Ends with the interview, or at an event whose list is used up.
    """
    seen: list[Event] = []
    waiting = {
        kind: [*each] if isinstance(each, Sequence) else each for kind, each in replies.items()
    }
    async for event in interview:
        seen.append(event)
        match waiting.get(type(event)):
            case None:
                pass
            case []:
                break
            case list() as rest:
                interview.send(rest.pop(0))
            case command:
                interview.send(command)
    return seen


def of_kind(seen: Iterable[Event], kind: type[E]) -> list[E]:
    return [event for event in seen if isinstance(event, kind)]


def kinds(seen: Iterable[Event]) -> list[str]:
    return [event.event for event in seen]


def grade_in(state: SessionState, question: int = 0) -> Grade:
    grade = state.questions[question].grade
    assert grade is not None
    return grade
