"""The JSON schemas of the files, which editors use to complete and check them."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel

from interviewer.rubric.rubric import Rubric

RUBRIC_SCHEMA = "rubric.schema.json"
"""The schema's file name, beside the rubrics."""

_ONE_TEXT = {"type": "string", "minLength": 1}


def rubric_schema() -> dict[str, Any]:
    """The schema, including the short forms that the loader takes.

    One pattern may stand for an all-of list of one, and a misconception's claim for the whole of
    it; the model itself only knows the long forms.
    """
    schema = schema_of(Rubric)
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
    return as_file(rubric_schema())


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a file that holds this model, with the dialect that it is written in."""
    return model.model_json_schema() | {"$schema": "https://json-schema.org/draft/2020-12/schema"}


def as_file(schema: dict[str, Any]) -> str:
    """The schema as the text of its file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
