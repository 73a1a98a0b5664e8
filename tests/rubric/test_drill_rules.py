"""Drills on one's own work and steps in their order, as a file holds them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.rubric_writing import rubric_values, write_yaml
from support.rubrics import a_rubric

from interviewer.rubric.library import load_snapshot, snapshot
from interviewer.rubric.lint import lint_paths

DRILL = {
    "ask": "So what width did your own heads have, and what made you choose it?",
    "wants": "head_width",
    "again": "A number, please: how wide was one of your heads?",
}
STEPS = [
    {"claim": "It is summed.", "patterns": [r"\bsum\w* of \w+"]},
    {"claim": "It is scaled.", "patterns": [r"\bscal\w* (?:it|down)"]},
]


def told_of(tmp_path: Path, **fields: Any) -> list[str]:
    """What lint says of a sound rubric with these fields in its first criterion."""
    values = rubric_values()
    values["criteria"][0] |= fields
    _, problems = lint_paths([write_yaml(tmp_path / "r.yaml", values)])
    return [f"{problem.field}: {problem.message}" for problem in problems]


def test_a_sound_drill_and_sound_steps_pass(tmp_path: Path) -> None:
    assert told_of(tmp_path, drill=DRILL, steps=STEPS) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"ask": "Tell me how wide your own heads were."}, "ask: must ask one question"),
        ({"again": "How wide was it? Why was it as wide as that?"}, "again: must ask one question"),
        ({"again": "How wide was it?"}, "again: must ask one question, and in 5 to 30 words"),
        ({"ask": "So did your own loss start at 11.5 as well?"}, "ask: gives away the number 11.5"),
        (
            {"again": "How flat was the spread of yours?"},
            "secret_terms[0]: stands in criteria[1].drill.again, so it is no secret",
        ),
        ({"wants": "head_widht"}, "wants: is no quantity of the ledger; did you mean head_width"),
        ({"wants": "xyzzy"}, "wants: is no quantity of the ledger; take decision, inc"),
    ],
)
def test_what_is_wrong_with_a_drill_is_told(
    tmp_path: Path, change: dict[str, str], problem: str
) -> None:
    values = rubric_values()
    values["criteria"][1] |= {"drill": DRILL | change, "secret_terms": ["flat"]}
    _, problems = lint_paths([write_yaml(tmp_path / "r.yaml", values)])
    told = [f"{each.field}: {each.message}" for each in problems]
    assert any(problem in each for each in told), told


def test_steps_are_several_and_their_patterns_can_be_read(tmp_path: Path) -> None:
    (told,) = told_of(tmp_path, steps=STEPS[:1])
    assert told == "criteria[0].steps: must have at least 2 items, not 1"
    (told,) = told_of(tmp_path, steps=[*STEPS, {"claim": "Broken.", "patterns": ["(open"]}])
    assert told.startswith("criteria[0].steps[2].patterns[0][0]: is not a valid RE2")


def test_a_rubric_without_either_is_stored_as_before() -> None:
    values = snapshot(a_rubric())
    assert not {"drill", "steps"} & values["criteria"][0].keys()
    values["criteria"][0] |= {"drill": DRILL, "steps": STEPS}
    assert snapshot(load_snapshot(values)) == values
