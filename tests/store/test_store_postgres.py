"""What only a server can do or suffer."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from support.commits import CALL, NOON, draft, new_session, said, started
from support.databases import undescribed
from support.postgres import Postgres, queried

from interviewer.errors import StoreError, StoreWriteError
from interviewer.settings.database_url import Server
from interviewer.store import reader, server
from interviewer.store.reader import HomeView, home_view
from interviewer.store.store import Store

pytestmark = pytest.mark.postgres

SESSION = "5e551001"


@pytest.fixture
def empty(postgres: Postgres) -> Server:
    return postgres.empty()


@pytest.fixture
def store(postgres: Postgres) -> Iterator[Store]:
    with closing(Store(postgres.migrated())) as store:
        yield store


def test_the_tables_made_are_those_that_the_classes_describe(empty: Server) -> None:
    assert home_view(empty) is None
    Store(empty).close()
    assert undescribed(empty) == []
    assert queried(empty, "SELECT version_num FROM alembic_version") == [(reader.HEAD,)]


def test_first_starts_at_the_same_time_all_succeed(empty: Server) -> None:
    def use(number: int) -> None:
        with closing(Store(empty)) as store:
            store.create_session(new_session(f"session{number}"), started())

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(use, range(6)))
    with closing(Store(empty)) as store:
        assert store.history.count() == 6


def test_sessions_from_before_there_were_owners_go_to_the_user_who_migrates(
    postgres: Postgres, empty: Server
) -> None:
    """The fixture was written at revision 0006, the first that could be on a server."""
    lines = (Path(__file__).parent / "fixtures/postgres-0006.sql").read_text("utf-8")
    at = ["-h", postgres.address("").url.partition("host=")[2], "-U", "ada", "-d"]
    load = [postgres.program("psql"), "-qX", "-v", "ON_ERROR_STOP=1", *at]
    name = str(empty).rpartition("/")[2]
    subprocess.run([*load, name], input=lines.encode(), capture_output=True, check=True)
    before = home_view(empty, "ada")
    assert before is not None
    assert (before.sessions, before.problem) == (2, "")
    assert home_view(empty, "bea") == HomeView()
    with closing(Store(empty, "bea")) as bea, closing(Store(empty, "ada")) as store:
        assert bea.history.count() == 0
        assert [row.id for row in store.history.sessions(9)] == ["aaaa1111", "bbbb2222"]
        assert len(store.entries("aaaa1111")) == 3
        assert store.drafts("bbbb2222").keys() == {"answer"}
        assert [hit.session.id for hit in store.history.search("naive")] == ["bbbb2222"]
    assert home_view(empty, "ada") == before
    assert queried(empty, "SELECT DISTINCT owner FROM sessions") == [("ada",)]
    assert undescribed(empty) == []


def test_what_is_not_ours_is_not_touched(postgres: Postgres, empty: Server) -> None:
    Store(empty).close()
    queried(empty, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="later version"):
        Store(empty)
    assert queried(empty, "SELECT version_num FROM alembic_version") == [("9999",)]
    other = postgres.empty()
    queried(other, "CREATE TABLE sessions (cookie text)")
    with pytest.raises(StoreError, match="another program"):
        Store(other)
    seen = home_view(other)
    assert seen is not None
    assert "another program" in seen.problem


@pytest.mark.parametrize("login", ["ada:s3cret", "nobody:s3cret"])
def test_a_database_that_is_not_there_is_named_without_the_password(
    postgres: Postgres, login: str
) -> None:
    address = postgres.address("nowhere", login)
    with pytest.raises(StoreWriteError, match=r"cannot be reached.* does not exist") as c:
        Store(address)
    assert "s3cret" not in str(c.value) + repr(c.value.__cause__)
    seen = home_view(address)
    assert seen is not None
    assert str(address) in seen.problem


def test_one_who_may_only_read_is_told_so(postgres: Postgres, store: Store) -> None:
    place = store.place
    assert isinstance(place, Server)
    store.create_session(new_session(), started())
    queried(place, "CREATE ROLE reader LOGIN")
    queried(place, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    database = str(place).rpartition("/")[2]
    with closing(Store(postgres.address(database, "reader"))) as reading:
        assert reading.history.count() == 1
        with pytest.raises(StoreWriteError, match="may not be written by this user"):
            reading.append(SESSION, said(1))


@pytest.fixture
def apart(postgres: Postgres) -> Iterator[Server]:
    """A database with the policies that SECURITY.md offers, for the roles bea and cleo."""
    server = postgres.empty()
    Store(server).close()
    page = Path(__file__).parents[2].joinpath(".github/SECURITY.md").read_text("utf-8")
    (policies,) = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    queried(server, "CREATE ROLE candidates")
    for name in ("bea", "cleo"):
        queried(server, f"CREATE ROLE {name} LOGIN IN ROLE candidates")
    queried(server, policies)
    yield server
    queried(server, "DROP OWNED BY candidates")
    queried(server, "DROP ROLE bea, cleo, candidates")


def test_policies_keep_people_apart_who_write_queries_of_their_own(
    postgres: Postgres, apart: Server
) -> None:
    name = str(apart).rpartition("/")[2]
    logins = {who: postgres.address(name, who) for who in ("bea", "cleo")}
    with (
        closing(Store(logins["bea"], "bea")) as bea,
        closing(Store(logins["cleo"], "cleo")) as cleo,
    ):
        for store, session in ((bea, "bbbb2222"), (cleo, "cccc3333")):
            store.create_session(new_session(session, challenges={"a": {}}), started())
            store.append(session, said(1))
            store.save_draft(session, "answer", draft("and"))
            store.log_calls(session, NOON, [CALL])
            store.add_regrade(session, at=NOON, examiner="o", version="3", grades={})
        assert [row.id for row in bea.history.sessions(9)] == ["bbbb2222"]
        seen = home_view(logins["bea"], "bea")
        assert seen is not None
        assert (seen.sessions, seen.problem) == (1, "")
        said_by_all = queried(apart, "SELECT count(*) FROM turns")
        for table in ("sessions", "entries", "turns", "drafts", "session_challenges", "regrades"):
            key = "id" if table == "sessions" else "session_id"
            visible = queried(logins["bea"], f"SELECT DISTINCT {key} FROM {table}")
            assert visible == [("bbbb2222",)], table
        assert queried(logins["bea"], "DELETE FROM turns WHERE session_id = 'cccc3333'") == []
        assert queried(apart, "SELECT count(*) FROM turns") == said_by_all == [(2,)]
        with closing(Store(logins["bea"], "cleo")) as posing:
            assert posing.history.count() == 0
            with pytest.raises(StoreError, match="row-level security"):
                posing.create_session(new_session("dddd4444"), started())
        bea.delete_session("bbbb2222")
        bea.empty(datetime.now(UTC))
        assert cleo.rubrics("cccc3333").keys() == {"scale", "kl"}
        cleo.delete_session("cccc3333")
        cleo.empty(datetime.now(UTC))
    assert queried(apart, "SELECT count(*) FROM rubric_snapshots") == [(0,)]


def test_a_lock_of_another_program_is_named(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    store.create_session(new_session(), started())
    assert isinstance(store.place, Server)
    monkeypatch.setattr(server, "WAIT_SECONDS", 1)
    other = create_engine(store.place.url)
    with closing(Store(store.place)) as waiting, other.connect() as connection:
        connection.exec_driver_sql("SELECT * FROM sessions FOR UPDATE")
        with pytest.raises(StoreWriteError, match="locked by another program"):
            waiting.append(SESSION, said(1))
    other.dispose()
    assert store.append(SESSION, said(1)) == 2


def test_connections_that_the_server_cut_are_made_anew(store: Store) -> None:
    store.create_session(new_session(), started())
    queried(
        store.place,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )
    assert store.append(SESSION, said(1)) == 2


def test_a_dump_is_restored_with_its_index(postgres: Postgres, store: Store) -> None:
    store.create_session(new_session(), started())
    store.append(SESSION, said(1, "Naïve clipping"))
    folder = postgres.address("").url.partition("host=")[2]
    at = ["-h", folder, "-U", "ada", "-d"]
    dump = [postgres.program("pg_dump"), *at, str(store.place).rpartition("/")[2]]
    saved = subprocess.run(dump, capture_output=True, check=True)
    again = postgres.empty()
    load = [postgres.program("psql"), "-qX", "-v", "ON_ERROR_STOP=1", *at]
    subprocess.run([*load, str(again).rpartition("/")[2]], input=saved.stdout, check=True)
    with closing(Store(again)) as restored:
        assert [hit.session.id for hit in restored.history.search("naive")] == [SESSION]


def test_sessions_that_share_rubrics_come_and_go_at_once(store: Store) -> None:
    """Snapshots are shared: none may vanish under a session that is about to use it."""

    def live(number: int) -> None:
        for turn in range(5):
            session = f"session-{number}-{turn}"
            store.create_session(new_session(session), started())
            store.append(session, said(1))
            store.log_calls(session, NOON, [CALL])
            store.save_draft(session, "answer", draft("and"))
            assert store.rubrics(session).keys() == {"scale", "kl"}
            store.delete_session(session)
            with suppress(StoreWriteError):  # another session has just begun with these rubrics
                store.empty(datetime.now(UTC))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(live, range(8)))
    assert store.history.count() == 0
    store.empty(datetime.now(UTC))
    assert queried(store.place, "SELECT count(*) FROM rubric_snapshots") == [(0,)]
