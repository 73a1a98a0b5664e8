"""The program itself as a process that ends in a crash where a test wants it to.

The process is forked from one that has imported everything, so that hundreds can be started. What
is hooked in is hooked in there alone: the commits of SQLite, and what :mod:`support.disk` replaces.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.disk import Recorder
from support.terminal import Terminal

_PRELOADED = (
    "support.crashed",
    "interviewer.cli.run",
    "interviewer.cli.conversation",
    "interviewer.cli.display",
    "interviewer.examiner.offline.judge",
    "interviewer.store.store",
    "tui.app",
    "tui.interview.screen",
)


@dataclass(frozen=True)
class Hooks:
    """What happens in the process besides the program itself.

    It is killed at the commit ``kill_at``, counted from 1, before SQLite commits or ``after``;
    ``commits`` gets a byte for each commit. ``record`` gets all that is written to the database,
    with what it was for; while ``trouble`` exists, the disk refuses writes as that file says.
    """

    kill_at: int = 0
    after: bool = False
    commits: Path | None = None
    record: Path | None = None
    trouble: Path | None = None


def install(hooks: Hooks) -> None:
    recorder = Recorder(hooks.record, hooks.trouble)
    if hooks.record or hooks.trouble:
        recorder.install()
    purposes: dict[int, object] = {}
    counted = 0

    class Connection(sqlite3.Connection):
        def commit(self) -> None:
            nonlocal counted
            if not self.in_transaction:
                return super().commit()
            counted += 1
            if hooks.commits:
                with hooks.commits.open("ab") as stream:
                    stream.write(b".")
            if counted == hooks.kill_at and not hooks.after:
                os.kill(os.getpid(), signal.SIGKILL)
            super().commit()
            if counted == hooks.kill_at:
                os.kill(os.getpid(), signal.SIGKILL)
            if purpose := purposes.pop(threading.get_ident(), None):
                recorder.note(purpose)
            return None

    connect: Callable[..., Any] = sqlite3.connect
    sqlite3.connect = lambda *given, **named: connect(  # type: ignore[assignment]
        *given, **{"factory": Connection, **named}
    )
    if hooks.record:
        _tell_purposes(purposes, recorder)


def _tell_purposes(purposes: dict[int, object], recorder: Recorder) -> None:
    """Say what each commit of this thread acknowledges, and each backup once it is made."""
    from interviewer.store import backup, database
    from interviewer.store.store import Regrades, Store

    _before(Store, "create_session", purposes, lambda new, _: ("created", new.id))
    _before(Store, "append", purposes, _appended)
    _before(
        Store, "save_draft", purposes, lambda id_, pane, draft: ("draft", id_, pane, draft.text)
    )
    _before(Store, "delete_session", purposes, lambda id_: ("deleted", id_))
    _before(Regrades, "add", purposes, lambda id_: ("regraded", id_))
    back_up = backup.back_up

    def backing_up(path: Path, copy: Path) -> None:
        back_up(path, copy)
        recorder.note(("copied", copy.name))

    backup.back_up = database.back_up = backing_up


def _appended(session: str, commit: Any) -> tuple[object, ...]:
    text = commit.turn.text if commit.turn else ""
    return "entry", session, commit.entry.kind, text, tuple(commit.clear_drafts)


def _before(
    of: type, method: str, purposes: dict[int, object], purpose: Callable[..., object]
) -> None:
    original = getattr(of, method)

    def told(self: object, *given: Any, **named: Any) -> Any:
        purposes[threading.get_ident()] = purpose(*given)
        return original(self, *given, **named)

    setattr(of, method, told)


def _play(
    terminal: str, environment: Mapping[str, str], arguments: tuple[str, ...], hooks: Hooks
) -> None:
    """In the forked process: be the program, in this terminal."""
    os.setsid()
    descriptor = os.open(terminal, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(descriptor, standard)
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # type: ignore[misc]  # noqa: SIM115
    sys.stdout = sys.__stdout__ = open(  # type: ignore[misc]  # noqa: SIM115
        1, "w", encoding="utf-8", closefd=False, buffering=1
    )
    sys.stderr = sys.__stderr__ = open(  # type: ignore[misc]  # noqa: SIM115
        2, "w", encoding="utf-8", closefd=False, buffering=1
    )
    os.environ.update(environment)
    install(hooks)
    sys.argv = ["interviewer", *arguments]
    from interviewer.cli import main

    main()


class _Forked:
    """A process of multiprocessing, with the methods of one of subprocess."""

    def __init__(self, process: Any) -> None:
        self._process = process
        process.start()
        self.pid: int = process.pid

    @property
    def returncode(self) -> int | None:
        code: int | None = self._process.exitcode
        return code

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self.returncode is None:
            raise TimeoutError("the program did not end")
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


class Crashing(Terminal):
    """``interviewer ARGUMENTS`` in a terminal of its own, with hooks."""

    def __init__(
        self, *arguments: str, environment: Mapping[str, str], hooks: Hooks = Hooks()
    ) -> None:
        self._hooks = hooks
        self.written = bytearray()
        """All that it has written so far."""
        super().__init__(*arguments, environment=environment, columns=100, rows=40)

    def _start(
        self, arguments: tuple[str, ...], terminal: int, environment: Mapping[str, str]
    ) -> Any:
        self._line = os.dup(terminal)  # else the line is dead before the process has opened it
        given = (os.ttyname(terminal), dict(environment), arguments, self._hooks)
        return _Forked(forks().Process(target=_play, args=given, daemon=True))

    def hang_up(self) -> None:
        os.close(self._line)
        super().hang_up()

    def _feed(self, data: bytes) -> None:
        self.written += data
        super()._feed(data)


def forks() -> Any:
    """Processes that begin where everything is imported."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(_PRELOADED))
    return context
