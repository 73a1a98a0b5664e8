"""How alembic runs here: on the connection it is handed, inside the transaction already begun.

A new revision: change ``tables.py``, write ``versions/NNNN_*.py`` after the template, add its
number to ``REVISIONS`` in ``revision.py``; the tests compare all three. There is no way down: a
database of a later version is refused, never taken back.
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
