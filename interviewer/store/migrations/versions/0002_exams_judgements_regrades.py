"""Exams of examiners, judgements kept for repeats, and later gradings of a session."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_exams()
    _create_judgements()
    _create_regrades()


def _create_exams() -> None:
    op.create_table(
        "exams",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("examiner", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("taken_at", sa.DateTime(), nullable=False),
        sa.Column("samples", sa.Integer(), nullable=False),
        sa.Column("kappa", sa.Double(), nullable=False),
        sa.Column("macro_f1", sa.Double(), nullable=False),
        sa.Column("bias", sa.Double(), nullable=False),
        sa.Column("rmse", sa.Double(), nullable=False),
        sa.Column("failed_on", sa.Text(), nullable=False),
        sa.Column("rubrics_sha256", sa.Text(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_exams"),
    )
    op.create_index(
        "ix_exams_examiner_version_taken_at", "exams", ["examiner", "version", "taken_at"]
    )


def _create_judgements() -> None:
    op.create_table(
        "judgements",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_judgements"),
    )


def _create_regrades() -> None:
    op.create_table(
        "regrades",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("examiner", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("grades", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_regrades"),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], "fk_regrades_session_id", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("session_id", "number", name="uq_regrades_session_id_number"),
    )
