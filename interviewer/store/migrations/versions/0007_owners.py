"""Whose a session is.

Until now whoever could open a database saw all of it. In a file that stays so: its sessions have no
owner, which is how one who gives no name reads them. On a server they go to the user who migrates,
by whose name a URL has sessions opened unless told otherwise.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    on_server = op.get_bind().dialect.name == "postgresql"
    name = sa.String(collation="C") if on_server else sa.Text()
    op.add_column("sessions", sa.Column("owner", name, nullable=False, server_default=""))
    if on_server:
        op.execute("UPDATE sessions SET owner = session_user")
    for columns in (["updated_at", "id"], ["status", "updated_at", "id"]):
        op.drop_index("_".join(["ix_sessions", *columns]), "sessions")
        _index("owner", *columns)
    _index("owner", "id")


def _index(*columns: str) -> None:
    op.create_index("_".join(["ix_sessions", *columns]), "sessions", columns)
