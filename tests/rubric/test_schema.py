"""The JSON schemas that editors read, shipped beside the files."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from interviewer.content.kinds import CHALLENGES, PLANS, RUBRICS, Kind
from interviewer.content.scaffold import schema_text
from interviewer.interview.plans import Plan
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox.challenge import Challenge


@pytest.mark.parametrize(
    ("kind", "model"), [(RUBRICS, Rubric), (PLANS, Plan), (CHALLENGES, Challenge)]
)
def test_the_shipped_schema_is_in_step_with_the_model(kind: Kind, model: type[BaseModel]) -> None:
    shipped = (kind.shipped / kind.schema).read_text("utf-8")
    assert shipped == schema_text(model), "write it anew from schema_text(model)"
