"""A stored session read back: its state by the same fold that a live one goes through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import ValidationError

from interviewer.errors import StoreError
from interviewer.interview.events import JournalEvent, from_json
from interviewer.interview.state import SessionState, replay
from interviewer.rubric.library import load_snapshot
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox.challenges.challenge import Challenge
from interviewer.store.records import SessionRow
from interviewer.store.store import Store


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
    """The challenges of its questions as they were when it began, by id."""

    @property
    def elapsed(self) -> float:
        """The clock of the latest round in seconds, as far as the journal knows."""
        return self.journal[-1].elapsed if self.journal else 0.0


def load(store: Store, session: str) -> Replay:
    """Read a session by id or unique prefix.

    Raises UnknownNameError where there is none, StoreError or RubricFileError where its journal or
    a rubric kept with it is damaged.
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
    """Those that can be read; what came of the runs stands in the journal."""
    for id_, body in store.challenges(session).items():
        with suppress(ValidationError):
            yield id_, Challenge.model_validate(body)
