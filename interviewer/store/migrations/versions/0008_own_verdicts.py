"""The candidate's own verdicts, beside those of the examiner."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    on_server = op.get_bind().dialect.name == "postgresql"
    text = sa.String(collation="C") if on_server else sa.Text()
    op.create_table(
        "own_verdicts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("session_id", text, nullable=False),
        sa.Column("question", sa.Integer(), nullable=False),
        sa.Column("criterion", text, nullable=False),
        sa.Column("verdict", text, nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_own_verdicts"),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], "fk_own_verdicts_session_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_own_verdicts_session_id", "own_verdicts", ["session_id"])
