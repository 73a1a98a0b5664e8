"""The tables of a new database, and what brings one of an earlier revision up to date.

To add a revision: change ``tables.py``, add what makes an older database the same to STEPS, and its
number to ``REVISIONS`` in ``reader.py``; the tests compare all three. There are no downgrades: a
database of a later version is refused. Servers came with revision 0006.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, text

from interviewer.errors import StoreError
from interviewer.settings.database_url import Place
from interviewer.store.reader import HEAD, decoded, stored_revision
from interviewer.store.tables import SEARCH_TABLE, Base

EDGES = (0.1, 0.35, 0.65, 0.85)
"""Those of revision 0005, whatever becomes of the bands later."""


def bring_up_to_date(
    connection: Connection, place: Place, keep: Callable[[str], None] = lambda _: None
) -> None:
    """Make the tables or migrate them, in the transaction that ``connection`` is in.

    ``keep`` is called with the revision before anything of an earlier one is changed.
    """
    revision = connected_revision(connection, place)
    if revision is None:
        _create(connection, place)
    elif revision != HEAD:
        keep(revision)
        upgrade(connection, HEAD)


def connected_revision(connection: Connection, place: Place) -> str | None:
    """As :func:`stored_revision`, of an open connection."""
    return stored_revision(place, lambda query: connection.scalars(text(query)))


def upgrade(connection: Connection, to: str) -> None:
    """Do what is left up to a revision, in the transaction that ``connection`` is in."""
    dialect = connection.dialect.name
    current = connection.scalar(text("SELECT version_num FROM alembic_version")) or HEAD
    for revision, steps in STEPS.items():
        if not current < revision <= to:
            continue
        for step in steps:
            if callable(step):
                step(connection)
            else:
                connection.exec_driver_sql(step.format(**_TYPES[dialect]))
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{revision}'"))


def _create(connection: Connection, place: Place) -> None:
    if connection.dialect.name == "postgresql":
        encoding = connection.scalar(text("SHOW server_encoding"))
        if encoding != "UTF8":
            raise StoreError(
                f"The database {place} is encoded as {encoding}, which cannot hold every text; "
                "make one with createdb --encoding=UTF8 --template=template0."
            )
        schema = connection.scalar(text("SELECT quote_ident(current_schema())"))
        search: Sequence[str] = [_SERVER_SEARCH.replace("SCHEMA", str(schema))]
    else:
        search = _FILE_SEARCH
    Base.metadata.create_all(connection, checkfirst=False)
    for statement in (*search, *_VERSION):
        connection.exec_driver_sql(statement)


_VERSION = (
    "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
    "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))",
    f"INSERT INTO alembic_version VALUES ('{HEAD}')",
)
# An index without a copy of the text. Turns are never changed, so there is no update.
_FILE_SEARCH = (
    f"CREATE VIRTUAL TABLE {SEARCH_TABLE} USING fts5("
    "text, content='turns', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2')",
    f"CREATE TRIGGER {SEARCH_TABLE}_insert AFTER INSERT ON turns BEGIN "
    f"INSERT INTO {SEARCH_TABLE} (rowid, text) VALUES (new.id, new.text); END",
    f"CREATE TRIGGER {SEARCH_TABLE}_delete AFTER DELETE ON turns BEGIN INSERT INTO {SEARCH_TABLE} "
    f"({SEARCH_TABLE}, rowid, text) VALUES ('delete', old.id, old.text); END",
)
# What FTS5 makes of a turn: words without accents, their English endings and punctuation. The
# functions name the schema themselves, since pg_restore fills the index with an empty search_path.
_SERVER_SEARCH = rf"""
CREATE TEXT SEARCH DICTIONARY {SEARCH_TABLE}_stem (TEMPLATE = snowball, Language = english);
CREATE TEXT SEARCH CONFIGURATION {SEARCH_TABLE} (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION {SEARCH_TABLE} ALTER MAPPING FOR asciiword, word, numword
    WITH {SEARCH_TABLE}_stem;
CREATE FUNCTION {SEARCH_TABLE}_plain(said text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT regexp_replace(regexp_replace(regexp_replace(normalize(said, NFD),
        '\x1a[0-9a-f]{{4}}', ' ', 'g'),
        '[\u0300-\u036f]', '', 'g'),
        '[^a-zA-Z0-9\u00c0-\u1fff\u2c00-\u2fff\u3040-\U0010ffff]+', ' ', 'g')
    $$;
CREATE FUNCTION {SEARCH_TABLE}(said text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT to_tsvector('SCHEMA.{SEARCH_TABLE}', SCHEMA.{SEARCH_TABLE}_plain(said)) $$;
CREATE FUNCTION turn_query(wanted text) RETURNS tsquery
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(string_agg('(' || phrase::text || ')', ' & '), '')::tsquery
    FROM (SELECT phraseto_tsquery('SCHEMA.{SEARCH_TABLE}', SCHEMA.{SEARCH_TABLE}_plain(word))
          FROM regexp_split_to_table(wanted, '\s+') AS word) AS phrases (phrase)
    WHERE numnode(phrase) > 0 $$;
CREATE INDEX {SEARCH_TABLE}_index ON turns USING gin ({SEARCH_TABLE}(text));
"""


def _take_bands_by_new_edges(connection: Connection) -> None:
    """The mean band in the list of sessions, read off the scores by the edges of this revision.

    The scores stay as they are, and every other place reads its bands off them anyway.
    """
    finished = "SELECT id FROM sessions WHERE band IS NOT NULL AND status = 'finished'"
    for session in connection.scalars(text(finished)).all():
        if bands := _bands(_questions_and_grades(connection, session)):
            connection.execute(
                text("UPDATE sessions SET band = :band WHERE id = :session"),
                {"band": sum(bands) / len(bands), "session": session},
            )


def _questions_and_grades(connection: Connection, session: str) -> list[tuple[str, Any]]:
    """Oldest first; none if one is damaged, which is reported when the session is opened."""
    stored = connection.execute(
        text(
            "SELECT kind, CAST(payload AS BLOB) FROM entries WHERE session_id = :session "
            "AND kind IN ('question', 'grade') ORDER BY seq"
        ),
        {"session": session},
    )
    try:
        return [(kind, json.loads(decoded(payload))) for kind, payload in stored]
    except ValueError:
        return []


def _bands(entries: Iterable[tuple[str, Any]]) -> list[int]:
    """The band of each question's last grade, but for drills of a single point."""
    scores: dict[tuple[int, int], float | None] = {}
    drills: set[tuple[int, int]] = set()
    for kind, payload in entries:
        place = payload["round"], payload["question"]
        if kind == "grade":
            scores[place] = payload["grade"]["final"]
        elif payload.get("point"):
            drills.add(place)
    return [
        sum(score >= edge - 1e-9 for edge in EDGES)
        for place, score in scores.items()
        if score is not None and place not in drills
    ]


def _take_owners(connection: Connection) -> None:
    """On a server, sessions go to the user who migrates, by whose name a URL has them opened.

    In a file whoever could open it saw all of it. So it stays: they have no owner.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("UPDATE sessions SET owner = session_user"))


_TYPES = {
    "sqlite": {"id": "INTEGER", "text": "TEXT", "time": "DATETIME"},
    "postgresql": {"id": "SERIAL", "text": 'VARCHAR COLLATE "C"', "time": "TIMESTAMP"},
}
_OF_SESSION = "FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE"

STEPS: Mapping[str, Sequence[str | Callable[[Connection], None]]] = {
    # Exams of examiners, judgements kept for repeats, and later gradings of a session.
    "0002": (
        "CREATE TABLE exams (id INTEGER NOT NULL, examiner TEXT NOT NULL, version TEXT NOT NULL, "
        "taken_at DATETIME NOT NULL, samples INTEGER NOT NULL, kappa DOUBLE NOT NULL, "
        "macro_f1 DOUBLE NOT NULL, bias DOUBLE NOT NULL, rmse DOUBLE NOT NULL, "
        "failed_on TEXT NOT NULL, rubrics_sha256 TEXT NOT NULL, report TEXT NOT NULL, "
        "CONSTRAINT pk_exams PRIMARY KEY (id))",
        "CREATE INDEX ix_exams_examiner_version_taken_at ON exams (examiner, version, taken_at)",
        'CREATE TABLE judgements ("key" TEXT NOT NULL, body TEXT NOT NULL, '
        'created_at DATETIME NOT NULL, CONSTRAINT pk_judgements PRIMARY KEY ("key"))',
        "CREATE TABLE regrades (id INTEGER NOT NULL, session_id TEXT NOT NULL, "
        "number INTEGER NOT NULL, at DATETIME NOT NULL, examiner TEXT NOT NULL, "
        "version TEXT NOT NULL, grades TEXT NOT NULL, CONSTRAINT pk_regrades PRIMARY KEY (id), "
        f"CONSTRAINT fk_regrades_session_id {_OF_SESSION}, "
        "CONSTRAINT uq_regrades_session_id_number UNIQUE (session_id, number))",
    ),
    # What is typed at the bench, and the challenges as they were when a session began.
    "0003": (
        "CREATE TABLE bench_drafts (session_id TEXT NOT NULL, text TEXT NOT NULL, "
        "saved_at DATETIME NOT NULL, elapsed DOUBLE NOT NULL, "
        "CONSTRAINT pk_bench_drafts PRIMARY KEY (session_id), "
        f"CONSTRAINT fk_bench_drafts_session_id {_OF_SESSION})",
        "CREATE TABLE session_challenges (session_id TEXT NOT NULL, challenge TEXT NOT NULL, "
        "body TEXT NOT NULL, "
        "CONSTRAINT pk_session_challenges PRIMARY KEY (session_id, challenge), "
        f"CONSTRAINT fk_session_challenges_session_id {_OF_SESSION})",
    ),
    # One table of drafts; verdicts, grades and rounds go: the journal holds them. What lists show
    # of the rounds, their number, becomes a column of the session.
    "0004": (
        "ALTER TABLE drafts RENAME TO answer_drafts",
        "CREATE TABLE drafts (session_id TEXT NOT NULL, pane TEXT NOT NULL, text TEXT NOT NULL, "
        "saved_at DATETIME NOT NULL, elapsed DOUBLE NOT NULL, "
        "CONSTRAINT pk_drafts PRIMARY KEY (session_id, pane), "
        f"CONSTRAINT fk_drafts_session_id {_OF_SESSION})",
        "INSERT INTO drafts SELECT session_id, 'answer', text, saved_at, elapsed "
        "FROM answer_drafts",
        "INSERT INTO drafts SELECT session_id, 'bench', text, saved_at, elapsed FROM bench_drafts",
        "ALTER TABLE sessions ADD COLUMN rounds INTEGER DEFAULT '0' NOT NULL",
        "UPDATE sessions SET rounds = "
        "(SELECT count(*) FROM rounds WHERE rounds.session_id = sessions.id)",
        *(
            f"DROP TABLE {table}"
            for table in ("answer_drafts", "bench_drafts", "verdicts", "grades", "rounds")
        ),
    ),
    "0005": (_take_bands_by_new_edges,),
    # Which process writes the journal of a session.
    "0006": ("ALTER TABLE sessions ADD COLUMN holder TEXT DEFAULT '' NOT NULL",),
    # Whose a session is.
    "0007": (
        "ALTER TABLE sessions ADD COLUMN owner {text} DEFAULT '' NOT NULL",
        _take_owners,
        "DROP INDEX ix_sessions_updated_at_id",
        "DROP INDEX ix_sessions_status_updated_at_id",
        "CREATE INDEX ix_sessions_owner_updated_at_id ON sessions (owner, updated_at, id)",
        "CREATE INDEX ix_sessions_owner_status_updated_at_id "
        "ON sessions (owner, status, updated_at, id)",
        "CREATE INDEX ix_sessions_owner_id ON sessions (owner, id)",
    ),
    # The candidate's own verdicts, beside those of the examiner.
    "0008": (
        "CREATE TABLE own_verdicts (id {id} NOT NULL, session_id {text} NOT NULL, "
        "question INTEGER NOT NULL, criterion {text} NOT NULL, verdict {text} NOT NULL, "
        "at {time} NOT NULL, CONSTRAINT pk_own_verdicts PRIMARY KEY (id), "
        f"CONSTRAINT fk_own_verdicts_session_id {_OF_SESSION})",
        "CREATE INDEX ix_own_verdicts_session_id ON own_verdicts (session_id)",
    ),
    # What a model says of a point that the candidate appealed, beside their own verdict on it.
    "0009": ("ALTER TABLE own_verdicts ADD COLUMN appeal {text}",),
}
