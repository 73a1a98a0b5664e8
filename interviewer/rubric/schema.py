"""The JSON schema of rubric files, which editors use to complete and check them."""

from __future__ import annotations

import json
from typing import Any

from interviewer.rubric.rubric import Rubric

_ONE_TEXT = {"type": "string", "minLength": 1}


def rubric_schema() -> dict[str, Any]:
    """The schema, including the short forms that the loader takes.

    One pattern may stand for an all-of list of one, and a misconception's claim for the whole of
    it; the model itself only knows the long forms.
    """
    schema = Rubric.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    criterion = schema["$defs"]["Criterion"]["properties"]
    misconception = schema["$defs"]["Misconception"]["properties"]
    for short in (
        criterion["patterns"],
        criterion["partly"],
        criterion["misconceptions"],
        misconception["patterns"],
    ):
        short["items"] = {"anyOf": [_ONE_TEXT, short["items"]]}
    return schema


def rubric_schema_text() -> str:
    """The schema as it stands in ``rubrics/rubric.schema.json``."""
    return json.dumps(rubric_schema(), indent=2, ensure_ascii=False) + "\n"
