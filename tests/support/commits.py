"""Sessions and commits for the tests of the store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from interviewer.store.records import (
    CallRecord,
    Commit,
    Entry,
    GradeRecord,
    NewRound,
    NewSession,
    Progress,
    TurnRecord,
    VerdictRecord,
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
        "examiner": "offline-v2",
        "created_at": NOON,
        "rubrics": {"scale": SCALE, "kl": KL},
        "rounds": (NewRound(1, "Transformer", 900, 2), NewRound(2, "RLHF", 600, 3)),
    }
    return NewSession(**(values | changes))


def started(at: datetime = NOON) -> Commit:
    return Commit(Entry("session", {"plan": "sprint"}, at, 0.0))


def said(number: int, text: str = "It keeps the variance at one.", **changes: Any) -> Commit:
    """The commit of one answer, ``number`` minutes after noon."""
    at = changes.pop("at", minute(number))
    payload = {"turn": number, "text": text}
    turn = TurnRecord(number, 1, 1, "candidate", "answer", text, at)
    return Commit(Entry("answer", payload, at, 60.0 * number), turn=turn, **changes)


def judged(answer_turn: int) -> Commit:
    """The commit of a look at an answer: two verdicts, a grade and the progress after it."""
    met = VerdictRecord(
        answer_turn, "scale", "variance", "met", "variance at one", answer_turn, 13, 28, "first",
        "", "", "offline-v2",
    )  # fmt: skip
    open_point = VerdictRecord(
        answer_turn, "scale", "softmax", "not_met", "", None, None, None, "first",
        "what saturates", "the quote is not yours", "offline-v2",
    )  # fmt: skip
    return Commit(
        Entry("grade", {"final": 0.75}, minute(answer_turn), 61.5),
        verdicts=(met, open_point),
        grade=grade(0.75),
        progress=Progress(round=1, question=2, headline="Why divide?", band=3.0),
    )


def grade(final: float | None, question: int = 1) -> GradeRecord:
    band = None if final is None else 3
    return GradeRecord(
        1, question, "scale", 1, "offline-v2", None, 0.5, final, band, ("cut_off", "echo")
    )


CALL = CallRecord(
    NOON, "judge", "judge-3", "qwen", "ok", 1200, 300, 2048, 1024, 96, 0.00125, "json_schema"
)
BARE_CALL = CallRecord(
    NOON, "ask", "ask-1", "qwen", "timeout", 60000, None, None, None, None, None, ""
)
