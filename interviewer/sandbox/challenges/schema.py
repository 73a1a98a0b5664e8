"""The JSON schema of challenge files, which editors use to complete and check them."""

from __future__ import annotations

from interviewer.rubric.scaffold import as_file, schema_of
from interviewer.sandbox.challenges.challenge import Challenge

CHALLENGE_SCHEMA = "challenge.schema.json"
"""The schema's file name, beside the challenges."""


def challenge_schema_text() -> str:
    """The schema as it stands in ``rubrics/challenges/challenge.schema.json``."""
    return as_file(schema_of(Challenge))
