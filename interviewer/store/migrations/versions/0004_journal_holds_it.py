"""One table of drafts; verdicts, grades and rounds go: the journal holds them.

What lists show of the rounds, their number, becomes a column of the session.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _join_drafts()
    _count_rounds()
    for table in ("verdicts", "grades", "rounds"):
        op.drop_table(table)


def _join_drafts() -> None:
    op.rename_table("drafts", "answer_drafts")
    op.create_table(
        "drafts",
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("pane", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("saved_at", sa.DateTime(), nullable=False),
        sa.Column("elapsed", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", "pane", name="pk_drafts"),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], "fk_drafts_session_id", ondelete="CASCADE"
        ),
    )
    for pane in ("answer", "bench"):
        op.execute(
            "INSERT INTO drafts (session_id, pane, text, saved_at, elapsed) "
            f"SELECT session_id, '{pane}', text, saved_at, elapsed FROM {pane}_drafts"
        )
        op.drop_table(f"{pane}_drafts")


def _count_rounds() -> None:
    op.add_column("sessions", sa.Column("rounds", sa.Integer(), nullable=False, server_default="0"))
    op.execute(
        "UPDATE sessions SET rounds = "
        "(SELECT count(*) FROM rounds WHERE rounds.session_id = sessions.id)"
    )
