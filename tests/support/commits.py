"""Sessions and commits for the tests of the store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from interviewer.store.records import (
    Commit,
    Draft,
    JournalEntry,
    NewSession,
    SessionProgress,
    TurnRecord,
)

NOON = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
SCALE = {"id": "scale", "version": 1, "claim": "variance → 1", "weights": [3, 0.5, None]}
KL = {"id": "kl", "version": 2, "claim": "stay close to the reference"}


def minute(number: float) -> datetime:
    """So many minutes after noon."""
    return NOON + timedelta(minutes=number)


def new_session(session_id: str = "5e551001", **changes: Any) -> NewSession:
    values: dict[str, Any] = {
        "id": session_id,
        "plan": "sprint",
        "plan_title": "Sprint",
        "mode": "exam",
        "examiner": "offline-v3",
        "created_at": NOON,
        "rubrics": {"scale": SCALE, "kl": KL},
        "rounds": 2,
    }
    return NewSession(**(values | changes))


def started(at: datetime = NOON) -> Commit:
    return Commit(JournalEntry("session", {"plan": "sprint"}, at, 0.0))


def said(number: int, text: str = "It keeps the variance at one.", **changes: Any) -> Commit:
    """The commit of one answer, ``number`` minutes after noon."""
    at = changes.pop("at", minute(number))
    payload = {"turn": number, "text": text}
    turn = TurnRecord(number, 1, 1, "candidate", "answer", text, at)
    return Commit(JournalEntry("answer", payload, at, 60.0 * number), turn=turn, **changes)


def judged(minutes: float) -> Commit:
    return Commit(
        JournalEntry("grade", {"final": 0.75}, minute(minutes), 61.5),
        progress=SessionProgress(round=1, question=2, headline="Why divide?", band=3.0),
    )


def draft(text: str, minutes: float = 0, elapsed: float = 0.0) -> Draft:
    return Draft(text, minute(minutes), elapsed)


CALL: dict[str, Any] = {
    "stage": "judge",
    "prompt_version": "judge-3",
    "model": "qwen",
    "outcome": "ok",
    "milliseconds": 1200,
    "first_token_milliseconds": 300,
    "prompt_tokens": 2048,
    "cached_tokens": 1024,
    "completion_tokens": 96,
    "cost": 0.00125,
    "detail": "json_schema",
}
BARE_CALL = CALL | {
    "outcome": "timeout",
    "first_token_milliseconds": None,
    "prompt_tokens": None,
    "cached_tokens": None,
    "completion_tokens": None,
    "cost": None,
    "detail": "",
}
