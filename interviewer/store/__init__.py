"""The session database through SQLAlchemy: a file, or one of a PostgreSQL server.

It knows rows, not interviews: what a row means is up to :mod:`interviewer.interview.journal`.
"""
