"""The first tables, and the full-text index over what was said."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_sessions()
    _create_conversation()
    _create_assessment()
    _create_drafts_and_calls()
    _create_rubric_snapshots()
    _create_search_index()


def _session_key(table: str) -> tuple[sa.Column[str], sa.ForeignKeyConstraint]:
    return (
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], f"fk_{table}_session_id", ondelete="CASCADE"
        ),
    )


def _create_sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("plan_title", sa.Text(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("examiner", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("updated_at", sa.DateTime(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("finished_rounds", sa.Integer(), nullable=False),
        sa.Column("question", sa.Integer(), nullable=False),
        sa.Column("headline", sa.Text(), nullable=False),
        sa.Column("band", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
    )
    op.create_index("ix_sessions_updated_at_id", "sessions", ["updated_at", "id"])
    op.create_index("ix_sessions_status_updated_at_id", "sessions", ["status", "updated_at", "id"])
    op.create_table(
        "rounds",
        *_session_key("rounds"),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.Column("questions", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", "number", name="pk_rounds"),
    )


def _create_conversation() -> None:
    op.create_table(
        "entries",
        *_session_key("entries"),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("elapsed", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", "seq", name="pk_entries"),
    )
    op.create_table(
        "turns",
        sa.Column("id", sa.Integer(), nullable=False),
        *_session_key("turns"),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("question", sa.Integer(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_turns"),
        sa.UniqueConstraint("session_id", "number", name="uq_turns_session_id_number"),
    )


def _create_assessment() -> None:
    op.create_table(
        "verdicts",
        sa.Column("id", sa.Integer(), nullable=False),
        *_session_key("verdicts"),
        sa.Column("answer_turn", sa.Integer(), nullable=False),
        sa.Column("rubric", sa.Text(), nullable=False),
        sa.Column("criterion", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("span_start", sa.Integer(), nullable=True),
        sa.Column("span_end", sa.Integer(), nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("missing", sa.Text(), nullable=False),
        sa.Column("unsupported", sa.Text(), nullable=False),
        sa.Column("examiner", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_verdicts"),
    )
    op.create_index("ix_verdicts_session_id", "verdicts", ["session_id"])
    op.create_table(
        "grades",
        *_session_key("grades"),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("question", sa.Integer(), nullable=False),
        sa.Column("rubric", sa.Text(), nullable=False),
        sa.Column("rubric_version", sa.Integer(), nullable=False),
        sa.Column("examiner", sa.Text(), nullable=False),
        sa.Column("first", sa.Double(), nullable=True),
        sa.Column("unassisted", sa.Double(), nullable=True),
        sa.Column("final", sa.Double(), nullable=True),
        sa.Column("band", sa.Integer(), nullable=True),
        sa.Column("flags", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", "round", "question", name="pk_grades"),
    )


def _create_drafts_and_calls() -> None:
    op.create_table(
        "drafts",
        *_session_key("drafts"),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("saved_at", sa.DateTime(), nullable=False),
        sa.Column("elapsed", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", name="pk_drafts"),
    )
    op.create_table(
        "model_calls",
        sa.Column("id", sa.Integer(), nullable=False),
        *_session_key("model_calls"),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("prompt_version", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("milliseconds", sa.Integer(), nullable=False),
        sa.Column("first_token_milliseconds", sa.Integer(), nullable=True),
        sa.Column("prompt_tokens", sa.Integer(), nullable=True),
        sa.Column("cached_tokens", sa.Integer(), nullable=True),
        sa.Column("completion_tokens", sa.Integer(), nullable=True),
        sa.Column("cost", sa.Double(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_model_calls"),
    )
    op.create_index("ix_model_calls_session_id", "model_calls", ["session_id"])


def _create_rubric_snapshots() -> None:
    op.create_table(
        "rubric_snapshots",
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_rubric_snapshots"),
    )
    op.create_table(
        "session_rubrics",
        *_session_key("session_rubrics"),
        sa.Column("rubric", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", "rubric", name="pk_session_rubrics"),
        sa.ForeignKeyConstraint(
            ["sha256"], ["rubric_snapshots.sha256"], "fk_session_rubrics_sha256"
        ),
    )
    op.create_index("ix_session_rubrics_sha256", "session_rubrics", ["sha256"])


def _create_search_index() -> None:
    """An index without a copy of the text. Turns are never changed, so there is no update."""
    op.execute(
        "CREATE VIRTUAL TABLE turn_words USING fts5("
        "text, content='turns', content_rowid='id', "
        "tokenize='porter unicode61 remove_diacritics 2')"
    )
    op.execute(
        "CREATE TRIGGER turn_words_insert AFTER INSERT ON turns BEGIN "
        "INSERT INTO turn_words (rowid, text) VALUES (new.id, new.text); END"
    )
    op.execute(
        "CREATE TRIGGER turn_words_delete AFTER DELETE ON turns BEGIN "
        "INSERT INTO turn_words (turn_words, rowid, text) VALUES ('delete', old.id, old.text); END"
    )
