"""A recording of all writes, held against what was acknowledged when each of them was made.

A recording notes after each commit what that acknowledged: ``("created", session)``, ``("entry",
session, kind, text, cleared panes)``, ``("draft", session, pane, text)``, ``("regraded",
session)``, ``("deleted", session)``, and ``("copied", file)`` for a backup. One that begins with a
database says first what that holds: ``("held", sessions)``.
"""

from __future__ import annotations

import random
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from interviewer.errors import StoreError
from interviewer.interview.journal import load
from interviewer.store.backup import find_damage
from interviewer.store.store import Store
from support.disk import Before, Cutting, Disk, Note, Operation

NAME = "sessions.db"


@dataclass(frozen=True)
class Stored:
    """What a database holds of one session."""

    entries: tuple[str, ...] = ()
    """Their kinds, without the first."""
    said: tuple[str, ...] = ()
    drafts: frozenset[tuple[str, str]] = frozenset()
    regrades: int = 0


Sessions = Mapping[str, Stored]


@dataclass(frozen=True)
class Held:
    """All that a folder holds: the sessions by their ids, and those of each backup by its name."""

    sessions: Sessions = field(default_factory=dict)
    copies: Mapping[str, Sessions] = field(default_factory=dict)


def acknowledged(notes: Iterable[Note]) -> Held:
    """What these commits must have left."""
    held = Held()
    for note in notes:
        held = _after(held, note)
    return held


def _after(held: Held, note: Note) -> Held:
    match note.what:
        case ("held", sessions):
            return Held(sessions)
        case ("copied", name):
            return replace(held, copies={**held.copies, name: held.sessions})
        case ("deleted", gone):
            left = {id_: each for id_, each in held.sessions.items() if id_ != gone}
            return replace(held, sessions=left)
        case (_, id_, *_):
            session = _changed(held.sessions.get(id_, Stored()), note)
            return replace(held, sessions={**held.sessions, id_: session})
        case _:
            raise ValueError(f"no such note: {note.what!r}")


def _changed(session: Stored, note: Note) -> Stored:
    match note.what:
        case ("created", _):
            return session
        case ("regraded", _):
            return replace(session, regrades=session.regrades + 1)
        case ("entry", _, kind, text, cleared):
            return replace(
                session,
                entries=(*session.entries, kind),
                said=(*session.said, text) if text else session.said,
                drafts=frozenset(each for each in session.drafts if each[0] not in cleared),
            )
        case ("draft", _, pane, text):
            others = frozenset(each for each in session.drafts if each[0] != pane)
            return replace(session, drafts=others | {(pane, text)})
        case _:
            raise ValueError(f"no such note: {note.what!r}")


def stored(path: Path) -> Sessions:
    """What the program reads of each session, which must add up. Raises StoreError."""
    with closing(Store(path)) as store:
        key = _content(path)
        if key not in _READ:
            ids = [row.id for row in store.history.sessions(1000)]
            gaps = [gap for id_ in ids if (gap := load(store, id_).gap)]
            if gaps:
                raise StoreError(gaps[0])
            _READ[key] = {id_: _read(store, id_) for id_ in ids}
        return _READ[key]


_READ: dict[bytes, Sessions] = {}
"""By content: of a thousand writes, few change what is read, and reading is slow."""


def _content(path: Path) -> bytes:
    digest = sha256()
    with closing(sqlite3.connect(path)) as connection:
        for line in connection.iterdump():
            digest.update(line.encode(errors="surrogatepass"))
    return digest.digest()


def _read(store: Store, session: str) -> Stored:
    drafts = store.drafts(session).items()
    return Stored(
        tuple(entry.kind for entry in store.entries(session)[1:]),
        tuple(turn.text for turn in store.turns(session)),
        frozenset((str(pane), draft.text) for pane, draft in drafts),
        len(store.regrades(session)),
    )


def points(
    operations: Sequence[Operation], cuttings: Sequence[Cutting]
) -> list[tuple[int, Cutting]]:
    """Every number of operations after which the power may fail, with every way it may."""
    places = (number for number, each in enumerate(operations, 1) if _is_done(each))
    return [(number, cutting) for number in places for cutting in cuttings]


def _is_done(operation: Operation) -> bool:
    return not isinstance(operation, Note | Before)


def losses(
    operations: Sequence[Operation], at: Iterable[tuple[int, Cutting]], dice: random.Random
) -> Iterator[str]:
    """What is lost or damaged if the program or the power fails at these points, in their order."""
    notes = [each for each in operations if isinstance(each, Note)]
    disk, done, seen = Disk(), 0, 0
    for number, cutting in at:
        for operation in operations[done:number]:
            disk.apply(operation)
            seen += isinstance(operation, Note)
        done = number
        with tempfile.TemporaryDirectory(dir=_memory()) as folder:
            disk.put(Path(folder), cutting, dice)
            either = acknowledged(notes[:seen]), acknowledged(notes[: seen + 1])
            if wrong := _wrong(Path(folder) / NAME, either):
                yield f"{cutting} after operation {number}: {wrong}"


def _memory() -> str | None:
    """A folder in memory where there is one: these files are read at once and thrown away."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _wrong(path: Path, either: tuple[Held, Held]) -> str:
    copies = sorted(each for each in path.parent.glob("[!.]*.db") if each != path)
    try:
        found = Held(stored(path), {each.name: stored(each) for each in copies})
    except StoreError as error:
        return str(error)
    for each in (path, *copies):
        if damage := find_damage(each):
            return damage
    if found in either:
        return ""
    return f"found {found}, acknowledged {either[0]}"
