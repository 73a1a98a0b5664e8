"""What is typed at the bench, and the challenges as they were when a session began."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_bench_drafts()
    _create_session_challenges()


def _create_bench_drafts() -> None:
    op.create_table(
        "bench_drafts",
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("saved_at", sa.DateTime(), nullable=False),
        sa.Column("elapsed", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", name="pk_bench_drafts"),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], "fk_bench_drafts_session_id", ondelete="CASCADE"
        ),
    )


def _create_session_challenges() -> None:
    op.create_table(
        "session_challenges",
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("challenge", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", "challenge", name="pk_session_challenges"),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], "fk_session_challenges_session_id", ondelete="CASCADE"
        ),
    )
