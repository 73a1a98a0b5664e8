"""Bringing a database to the newest revision. Imported only when there is something to do."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

_SCRIPTS = Path(__file__).with_name("migrations")


def migration_config(connection: Connection) -> Config:
    """Alembic's configuration for this connection, without an ini file."""
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection) -> None:
    """Run what is missing, inside the write transaction that ``connection`` is in.

    That transaction is the lock: a second process waits for it, then finds nothing left to do.
    """
    command.upgrade(migration_config(connection), "head")
