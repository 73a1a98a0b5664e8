"""Alembic's environment: it runs on the connection it is given, in the transaction already begun.

To add a revision: change ``tables.py``, write ``versions/NNNN_*.py`` after the template, and add
its number to ``REVISIONS`` in ``peek.py``; the tests compare all three. There are no downgrades: a
database of a later version is refused.
"""

from __future__ import annotations

from alembic import context

from interviewer.store.tables import Base, is_mapped

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    include_name=is_mapped,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
