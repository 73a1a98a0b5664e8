"""What lint says, also of escalations; ``lint.yaml`` has the rules' cases."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError
from support.rubric_writing import rubric_values, write_yaml
from support.shipped import sample, shipped_library

from interviewer.content.collection import yaml_files
from interviewer.content.fields import Locator
from interviewer.content.files import read
from interviewer.content.kinds import RUBRICS
from interviewer.rubric.lint import lint, lint_paths
from interviewer.rubric.rubric import Rubric

CASES: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    Path(__file__).with_name("lint.yaml").read_text("utf-8")
)
DRILL: dict[str, Any] = CASES["right"][4]["set"]


def put(values: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    """Set fields by their places; one behind the end of a list is added."""
    for path, value in copy.deepcopy(fields).items():
        *steps, last = (int(step) if step.isdigit() else step for step in path.split("."))
        place: Any = values
        for step in steps:
            place = place[step]
        if isinstance(place, list) and last == len(place):
            place.append(value)
        else:
            place[last] = value
    return values


def lint_of(values: dict[str, Any]) -> list[str]:
    problems = lint(Rubric.model_validate(values), Locator(Path("r.yaml")))
    return [f"{p.severity}: {p}".replace("r.yaml: ", "") for p in problems]


@pytest.mark.parametrize("case", CASES["wrong"], ids=lambda case: case["says"])
def test_each_rule_names_its_field(case: dict[str, Any]) -> None:
    told = lint_of(put(rubric_values(), case["set"]))
    assert [one for one in told if case["says"] in one], told


@pytest.mark.parametrize("case", CASES["right"])
def test_what_is_right_has_no_problems(case: dict[str, Any]) -> None:
    told = lint_of(put(rubric_values(), case["set"]))
    assert not [one for one in told if re.search(case.get("never", ""), one)]


def test_problems_stand_at_the_line_of_the_file(tmp_path: Path) -> None:
    values = rubric_values()
    values["criteria"][1]["probe"] = "Tell me which value you would expect to see first."
    path = write_yaml(tmp_path / "r.yaml", values)
    reading = read(path, Rubric)
    (problem,) = lint(reading.required(), reading.where)
    assert problem.line is not None
    assert "Tell me which value" in path.read_text().splitlines()[problem.line - 1]


def test_folders_and_files_are_linted_together(tmp_path: Path) -> None:
    write_yaml(tmp_path / "a" / "one.yaml", rubric_values("one"))
    write_yaml(tmp_path / "a" / "two.yml", rubric_values("one"))
    broken = write_yaml(tmp_path / "b.yaml", ["no", "rubric"])
    checked, problems = lint_paths([tmp_path / "a", broken])
    assert checked == 3
    assert [problem.field for problem in problems] == ["id", ""]
    assert "one.yaml; give each its own" in problems[0].message


@pytest.mark.parametrize("path", sample(yaml_files(RUBRICS.shipped)[0]), ids=lambda path: path.stem)
def test_shipped_rubrics_hold_together(path: Path) -> None:
    """A sample; `interviewer rubrics lint`, which .ci/run runs, looks at them all."""
    checked, problems = lint_paths([path])
    assert checked == 1
    assert problems == []


def test_shipped_files_are_named_after_their_rubric_and_lie_with_their_round() -> None:
    for entry in shipped_library().entries.values():
        assert (entry.summary.id, entry.summary.round) == (entry.path.stem, entry.path.parent.name)


GRADED: dict[str, Any] = {
    "ask": "The logits keep growing in a long run all the same. What would you put in?",
    "criteria": [
        {
            "id": "bounded",
            "claim": "A cap on each entry bounds them whatever happens to the projections.",
            "accept": ["I'd cap them by a tanh.", "Put a cap on every entry.", "A soft cap it is."],
            "reject": ["I'd lower the learning rate."],
            "patterns": ["\\bcap\\w*"],
            "partly": ["\\bbound\\w*"],
        }
    ],
    "samples": [
        {
            "kind": "full",
            "answer": "I'd cap them at fifty, by tanh.",
            "verdicts": {"bounded": "met"},
        },
        {"kind": "wrong", "answer": "A lower learning rate.", "verdicts": {"bounded": "not_met"}},
    ],
}


@pytest.mark.parametrize("case", CASES["wrong_escalations"], ids=lambda case: case["says"])
def test_each_rule_names_its_field_in_an_escalation(case: dict[str, Any]) -> None:
    values = rubric_values(escalations=[copy.deepcopy(GRADED)])
    assert lint_of(values) == []
    told = lint_of(put(values, case["set"]))
    assert [one for one in told if case["says"] in one], told


def test_ids_are_distinct_across_question_and_escalations() -> None:
    graded = copy.deepcopy(GRADED)
    graded["criteria"][0]["id"] = "variance"
    with pytest.raises(ValidationError, match=r"is also the id of criteria\[0\]"):
        Rubric.model_validate(rubric_values(escalations=[graded]))


def test_terms_may_be_used_in_its_patterns() -> None:
    graded = copy.deepcopy(GRADED)
    graded["criteria"][0]["patterns"] = ["{lid}"]
    rubric = Rubric.model_validate(rubric_values(escalations=[graded], terms={"lid": "cap\\w*"}))
    assert rubric.escalations[0].criteria[0].patterns == (("(?:cap\\w*)",),)
