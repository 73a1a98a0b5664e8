"""A recording of all writes, held against what was acknowledged when each of them was made.

A recording notes after each commit what that acknowledged: ``("entry", kind, text, cleared panes)``
or ``("draft", pane, text)``.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from interviewer.errors import StoreError
from interviewer.store.peek import find_damage
from interviewer.store.store import Store
from support.disk import Cutting, Disk, Note, Operation

NAME = "sessions.db"


@dataclass(frozen=True)
class Stored:
    """What a database holds of one session."""

    entries: tuple[str, ...] = ()
    """Their kinds, without the first."""
    said: tuple[str, ...] = ()
    drafts: frozenset[tuple[str, str]] = frozenset()


def acknowledged(notes: Iterable[Note]) -> Stored:
    """What these commits must have left."""
    entries: list[str] = []
    said: list[str] = []
    drafts: dict[str, str] = {}
    for note in notes:
        match note.what:
            case ("entry", kind, text, cleared):
                entries.append(kind)
                said += [text] if text else []
                drafts = {pane: kept for pane, kept in drafts.items() if pane not in cleared}
            case ("draft", pane, text):
                drafts[pane] = text
    return Stored(tuple(entries), tuple(said), frozenset(drafts.items()))


def stored(path: Path) -> Stored:
    """What the program reads of the only session, nothing if there is none. Raises StoreError."""
    with closing(Store(path)) as store:
        found = store.history.sessions(2)
        if not found:
            return Stored()
        (session,) = found
        drafts = store.drafts(session.id).items()
        return Stored(
            tuple(entry.kind for entry in store.entries(session.id)[1:]),
            tuple(turn.text for turn in store.turns(session.id)),
            frozenset((str(pane), draft.text) for pane, draft in drafts),
        )


def points(
    operations: Sequence[Operation], cuttings: Sequence[Cutting]
) -> list[tuple[int, Cutting]]:
    """Every number of operations after which the power may fail, with every way it may."""
    places = [number for number, each in enumerate(operations, 1) if not isinstance(each, Note)]
    return [(number, cutting) for number in places for cutting in cuttings]


def losses(
    operations: Sequence[Operation],
    at: Iterable[tuple[int, Cutting]],
    dice: random.Random,
    further: Callable[[Path], str] = lambda path: "",
) -> Iterator[str]:
    """What is lost or damaged if the program or the power fails at these points, in their order.

    ``further`` says what else is wrong with a database that was opened again, "" if nothing is.
    """
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
            if wrong := _wrong(Path(folder) / NAME, either) or further(Path(folder) / NAME):
                yield f"{cutting} after operation {number}: {wrong}"


def _memory() -> str | None:
    """A folder in memory where there is one: these files are read at once and thrown away."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _wrong(path: Path, either: tuple[Stored, Stored]) -> str:
    try:
        found = stored(path)
    except StoreError as error:
        return str(error)
    if damage := find_damage(path):
        return damage
    if found in either:
        return ""
    return f"found {found}, acknowledged {either[0]}"
