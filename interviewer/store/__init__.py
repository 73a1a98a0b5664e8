"""The session database: one SQLite file through SQLAlchemy, migrated by alembic.

The only package that imports sqlalchemy. It knows rows, not interviews: what a row means is up to
:mod:`interviewer.interview.journal`.
"""
