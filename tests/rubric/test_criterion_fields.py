"""One criterion of a file as fields: read, changed, put back; the rest of the text stays."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from interviewer.errors import RubricFileError
from interviewer.rubric.criterion_fields import criterion_at, with_fields

TEXT = """\
id: x
criteria:
  - id: a
    # why
    claim: >-
      one
      two
    weight: 2  # heavy
  - {id: b, claim: three}
  - id: c
    claim: four
    hints:
      - look
      - think
    drill:
      ask: So how many?
      wants: tokens
title: y
"""


@pytest.mark.parametrize(
    ("line", "place", "claim"),
    [(0, 0, "one two"), (6, 0, "one two"), (8, 1, "three"), (17, 2, "four")],
)
def test_the_criterion_on_a_line_is_read(line: int, place: int, claim: str) -> None:
    found, values = criterion_at(TEXT, line)
    assert (found, values["claim"]) == (place, claim)


def test_what_is_changed_is_put_in_and_nothing_else() -> None:
    place, values = criterion_at(TEXT, 3)
    new = {"claim": 'say: "50%"', "weight": "2.5", "hint_1": "a, b", "must_have": "false"}
    text = with_fields(TEXT, place, values | new)
    first, *others = yaml.safe_load(text)["criteria"]
    assert first == {"id": "a", "claim": 'say: "50%"', "weight": 2.5, "hints": ["a, b"]}
    assert others == yaml.safe_load(TEXT)["criteria"][1:]
    assert {"# why", "# heavy"} <= {
        part.strip() for line in text.splitlines() for part in line.split("  ")
    }
    place, values = criterion_at(text, 99)
    text = with_fields(text, place, values | {"drill": "So what?", "hint_2": ""})
    assert yaml.safe_load(text)["criteria"][2]["hints"] == ["look"]
    assert yaml.safe_load(text)["criteria"][2]["drill"] == {"ask": "So what?", "wants": "tokens"}


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]), min_size=1))
def test_any_text_can_be_a_claim(said: str) -> None:
    wanted = " ".join(said.split())
    text = with_fields(TEXT, 0, {"claim": said})
    if wanted and not wanted.replace(".", "", 1).isdigit() and wanted not in ("true", "false"):
        assert yaml.safe_load(text)["criteria"][0]["claim"] == wanted


@pytest.mark.parametrize("text", ["criteria: [", "id: x", "criteria: []"])
def test_what_is_no_rubric_yet_is_told(text: str) -> None:
    with pytest.raises(RubricFileError, match=r"no YAML|no criterion"):
        criterion_at(text, 0)
