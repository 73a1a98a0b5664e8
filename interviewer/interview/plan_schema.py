"""The JSON schema of plan files, which editors use to complete and check them."""

from __future__ import annotations

from interviewer.interview.plan import Plan
from interviewer.rubric.schema import as_file, schema_of

PLAN_SCHEMA = "plan.schema.json"
"""The schema's file name, beside the plans."""


def plan_schema_text() -> str:
    """The schema as it stands in ``rubrics/plans/plan.schema.json``."""
    return as_file(schema_of(Plan))
