"""What SQLite asks of the disk: recorded, and replayed to any point.

The functions that Python's own SQLite calls to write, sync, cut and delete files are replaced in
this process, so that it is the program's own writing that is looked at. Not where SQLite is built
into the interpreter and can't be reached: see :func:`reachable`.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import random
import sqlite3
from collections.abc import Iterator
from ctypes import CFUNCTYPE, POINTER, c_int, c_int64, c_void_p
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

SECTORS = (512, 4096)
_WRITE, _TRUNCATE, _SYNC = 3, 4, 5
"""Places in sqlite3_io_methods, counted in pointers."""
_METHODS = 19
_OPEN, _DELETE = 5, 6
"""Places in sqlite3_vfs, counted in pointers; its first three integers take two."""

# Names are passed on as they came: SQLite keeps the pointer, and reads beyond the name.
_Open = CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(c_void_p), c_int, c_void_p)
_Delete = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)
_Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_Truncate = CFUNCTYPE(c_int, c_void_p, c_int64)
_Sync = CFUNCTYPE(c_int, c_void_p, c_int)


@dataclass(frozen=True)
class Write:
    """Bytes put into a file; the name is that of the file without its folder."""

    name: str
    offset: int
    data: bytes


@dataclass(frozen=True)
class Cut:
    """A file shortened to so many bytes."""

    name: str
    size: int


@dataclass(frozen=True)
class Sync:
    """All that was done to a file so far is on the disk itself."""

    name: str


@dataclass(frozen=True)
class Gone:
    """A file was deleted; ``synced`` if its folder was written to the disk at once."""

    name: str
    synced: bool


@dataclass(frozen=True)
class Moved:
    """A file got another name, in the same folder."""

    name: str
    to: str


@dataclass(frozen=True)
class Before:
    """A file as it was on the disk before anything was recorded."""

    name: str
    data: bytes


@dataclass(frozen=True)
class Note:
    """Something that the program did between two writes."""

    what: Any


Operation = Write | Cut | Sync | Gone | Moved | Before | Note


def reachable() -> bool:
    """Whether Python's SQLite is a library that can be looked into."""
    try:
        _library()
    except (AttributeError, ImportError, OSError):
        return False
    return True


def _library() -> ctypes.CDLL:
    import _sqlite3

    library = ctypes.CDLL(_sqlite3.__file__)
    library.sqlite3_vfs_find.restype = c_void_p
    return library


class Recorder:
    """Appends each operation to a file, which is whole up to the last one however it ends."""

    def __init__(self, log: Path) -> None:
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._names: dict[int, str] = {}
        self._kept: list[object] = []
        """What C refers to, and Python must not collect."""
        self._tables: dict[int, int] = {}

    def note(self, what: object) -> None:
        self._put(Note(what))

    def _put(self, operation: Operation) -> None:
        os.write(self._log, pickle.dumps(operation))

    def install(self) -> None:
        """Look on from now on, in this process, for good."""
        vfs = (c_void_p * 8).from_address(_library().sqlite3_vfs_find(None))
        opened, deleted = _Open(vfs[_OPEN]), _Delete(vfs[_DELETE])

        def on_open(self_: int, name: int | None, file: Any, flags: int, out: int) -> int:
            result: int = opened(self_, name, file, flags, out)
            if result == sqlite3.SQLITE_OK and name:
                address = ctypes.cast(file, c_void_p).value or 0
                self._names[address] = _name_at(name)
                file[0] = self._table(file[0])
            return result

        def on_delete(self_: int, name: int, synced: int) -> int:
            result: int = deleted(self_, name, synced)
            self._put(Gone(_name_at(name), bool(synced)))
            return result

        vfs[_OPEN] = self._pointer(_Open(on_open))
        vfs[_DELETE] = self._pointer(_Delete(on_delete))
        self._look_at_python()

    def _look_at_python(self) -> None:
        """What is done to files without SQLite: a backup gets its name once it is whole."""
        replace, fsync = os.replace, os.fsync

        def on_replace(source: Any, target: Any, **where: Any) -> None:
            replace(source, target, **where)
            self._put(Moved(Path(source).name, Path(target).name))

        def on_fsync(file: Any) -> None:
            fsync(file)
            number = file if isinstance(file, int) else file.fileno()
            self._put(Sync(Path(f"/proc/self/fd/{number}").readlink().name))

        os.replace, os.fsync = on_replace, on_fsync

    def _pointer(self, function: Any) -> int | None:
        self._kept.append(function)
        return ctypes.cast(function, c_void_p).value

    def _table(self, original: int) -> int:
        """The functions for files, as they are but for those that are looked at."""
        if original not in self._tables:
            self._tables[original] = self._replaced(original)
            self._tables[self._tables[original]] = self._tables[original]
        return self._tables[original]

    def _replaced(self, original: int) -> int:
        table = (c_void_p * _METHODS)(*(c_void_p * _METHODS).from_address(original))
        write, cut, sync = _Write(table[_WRITE]), _Truncate(table[_TRUNCATE]), _Sync(table[_SYNC])

        def on_write(file: int, data: int, amount: int, offset: int) -> int:
            result: int = write(file, data, amount, offset)
            self._put(Write(self._names.get(file, ""), offset, ctypes.string_at(data, amount)))
            return result

        def on_cut(file: int, size: int) -> int:
            result: int = cut(file, size)
            self._put(Cut(self._names.get(file, ""), size))
            return result

        def on_sync(file: int, flags: int) -> int:
            result: int = sync(file, flags)
            self._put(Sync(self._names.get(file, "")))
            return result

        table[_WRITE] = self._pointer(_Write(on_write))
        table[_TRUNCATE] = self._pointer(_Truncate(on_cut))
        table[_SYNC] = self._pointer(_Sync(on_sync))
        self._kept.append(table)
        return ctypes.addressof(table)


def _name_at(address: int) -> str:
    return Path(os.fsdecode(ctypes.string_at(address))).name


def recorded(log: Path) -> Iterator[Operation]:
    """The operations of a recording, without the last where it was cut off."""
    with log.open("rb") as stream:
        while True:
            try:
                yield pickle.load(stream)
            except (EOFError, pickle.UnpicklingError):
                return


Cutting = Literal["killed", "dropped", "torn"]
"""What is left of writes that were not synced: all, none, or some, the last of them in part."""


@dataclass
class _File:
    now: bytearray = field(default_factory=bytearray)
    """As programs read it."""
    safe: bytearray | None = None
    """As it was at its last sync, None if it was never synced."""
    since: list[Write | Cut] = field(default_factory=list)


class Disk:
    """Files as a recording leaves them after any number of its operations."""

    def __init__(self) -> None:
        self._files: dict[str, _File] = {}
        self._undeletable: dict[str, bytearray] = {}
        """Deleted since the last sync of any file: a power cut brings them back.

        Journalling file systems write what was done to folders no later than the next sync.
        """
        self._renamed: dict[str, str] = {}
        """Names given since then, with the names before, which a power cut brings back as well."""

    def apply(self, operation: Operation) -> None:
        match operation:
            case Write() | Cut():
                file = self._files.setdefault(operation.name, _File())
                _do(file.now, operation)
                file.since.append(operation)
                self._undeletable.pop(operation.name, None)
            case Sync(name):
                if file := self._files.get(name):
                    file.safe, file.since = bytearray(file.now), []
                self._undeletable.clear()
                self._renamed.clear()
            case Before(name, data):
                self._files[name] = _File(bytearray(data), bytearray(data))
            case Moved(name, to) if name in self._files:
                self._files[to] = self._files.pop(name)
                self._renamed[to] = name
            case Gone(name, synced):
                if (gone := self._files.pop(name, None)) and gone.safe and not synced:
                    self._undeletable[name] = gone.safe

    def put(self, folder: Path, cutting: Cutting, dice: random.Random) -> None:
        """Write the files as they are found after a kill, or after a power cut of that kind."""
        for name, file in self._files.items():
            content = file.now if cutting == "killed" else _after_power_cut(file, cutting, dice)
            if content is not None:
                (folder / self._name_after(name, cutting, dice)).write_bytes(content)
        if cutting != "killed":
            for name, content in self._undeletable.items():
                (folder / name).write_bytes(content)

    def _name_after(self, name: str, cutting: Cutting, dice: random.Random) -> str:
        before = self._renamed.get(name, name)
        if cutting == "killed" or (cutting == "torn" and dice.random() < 0.5):
            return name
        return before


def _after_power_cut(file: _File, cutting: Cutting, dice: random.Random) -> bytearray | None:
    if cutting == "dropped" or not file.since:
        return None if file.safe is None else bytearray(file.safe)
    content = bytearray(file.safe or b"")
    for operation in file.since:
        if dice.random() < 0.5:
            _do(content, _torn(operation, dice) if dice.random() < 0.5 else operation)
    return content


def _torn(operation: Write | Cut, dice: random.Random) -> Write | Cut:
    """Only some of the sectors that a write touches."""
    if isinstance(operation, Cut):
        return operation
    sector = dice.choice(SECTORS)
    whole = range(
        operation.offset // sector + 1, (operation.offset + len(operation.data)) // sector + 1
    )
    edges = [operation.offset, *(each * sector for each in whole)]
    end = dice.choice(edges) - operation.offset
    return Write(operation.name, operation.offset, operation.data[: max(0, end)])


def _do(content: bytearray, operation: Write | Cut) -> None:
    if isinstance(operation, Cut):
        del content[operation.size :]
        return
    end = operation.offset + len(operation.data)
    if len(content) < operation.offset:
        content.extend(bytes(operation.offset - len(content)))
    content[operation.offset : end] = operation.data
