"""A finished interview that comes with the program: what one gets, before an answer is typed.

It is in no database. Its answers and verdicts were written for it.
"""

from __future__ import annotations

import json
from datetime import datetime
from importlib.resources import files
from typing import Any

from interviewer.interview.events import from_json
from interviewer.interview.journal import Recorded, Replay
from interviewer.interview.state import replay
from interviewer.rubric.rubric import Rubric
from interviewer.store.records import SessionRow


def example() -> Replay:
    """The interview as if it were stored."""
    stored = json.loads(files(__package__).joinpath("example.json").read_text(encoding="utf-8"))
    row: dict[str, Any] = stored["session"]
    row |= {name: _time(row[name]) for name in ("created_at", "updated_at")}
    journal = tuple(
        Recorded(from_json(entry["payload"]), _time(entry["at"]), entry["elapsed"])
        for entry in stored["entries"]
    )
    state, _ = replay(each.event for each in journal)
    return Replay(
        session=SessionRow(**row, holder="", has_draft=False),
        state=state,
        rubrics={id_: Rubric.model_validate(body) for id_, body in stored["rubrics"].items()},
        journal=journal,
        times={int(turn): _time(at) for turn, at in stored["turns"].items()},
    )


def _time(stored: str) -> datetime:
    return datetime.fromisoformat(stored)
