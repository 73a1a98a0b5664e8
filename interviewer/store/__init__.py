"""The session database: SQLAlchemy on one SQLite file, migrated by alembic.

The only package that imports sqlalchemy. It knows rows, not interviews: what a row means is the
business of :mod:`interviewer.interview.journal`.
"""
