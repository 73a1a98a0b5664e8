"""Short right answers, and the reader of files of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.right import SHIPPED, read_right, tally


def test_right_answers_earn_their_points_and_no_others() -> None:
    found = tally(read_right(SHIPPED))
    assert found.answers == 762
    assert len(found.met) >= 0.83 * found.made
    assert len(found.wrong_answers) <= 0.01 * found.answers
    assert len(found.granted) + len(found.half_granted) <= 0.045 * found.unmade


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"rubric": "no-such", "text": "x", "points": []}, "no shipped rubric is called 'no-such'"),
        (
            {"rubric": "robust-long-runs", "text": "x", "points": ["nothing"]},
            "robust-long-runs has no criterion 'nothing'",
        ),
        ({"rubric": "robust-long-runs", "points": []}, "Field required"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(
    row: dict[str, object], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(f"\n{json.dumps(row)}\n")
    with pytest.raises(ValueError, match="line 2") as refused:
        list(read_right(file))
    assert said in str(refused.value)
