"""What a model says of a point that the candidate appealed, beside their own verdict on it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    on_server = op.get_bind().dialect.name == "postgresql"
    text = sa.String(collation="C") if on_server else sa.Text()
    op.add_column("own_verdicts", sa.Column("appeal", text, nullable=True))
