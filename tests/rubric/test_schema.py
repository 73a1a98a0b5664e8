from __future__ import annotations

from interviewer.content.files import shipped_folder
from interviewer.rubric.scaffold import rubric_schema, rubric_schema_text


def test_the_shipped_schema_is_in_step_with_the_model() -> None:
    shipped = (shipped_folder() / "rubric.schema.json").read_text("utf-8")
    assert shipped == rubric_schema_text(), "write it anew from rubric_schema_text()"


def test_the_schema_takes_the_short_forms() -> None:
    criterion = rubric_schema()["$defs"]["Criterion"]["properties"]
    for field in ("patterns", "misconceptions"):
        forms = criterion[field]["items"]["anyOf"]
        assert forms[0] == {"type": "string", "minLength": 1}
        assert len(forms) == 2
