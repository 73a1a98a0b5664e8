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
from support.rubrics import a_rubric
from support.shipped import sample, shipped_library

from interviewer.content.collection import yaml_files
from interviewer.content.files import read
from interviewer.content.kinds import RUBRICS
from interviewer.content.problems import Locator
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.selftest.exam import eval_set, run_exam
from interviewer.rubric.library import snapshot
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


def test_steps_are_several_and_their_patterns_can_be_read(tmp_path: Path) -> None:
    told = []
    [first, *_] = steps = DRILL["criteria.0.steps"]
    for wrong in ([first], [*steps, {"claim": "Broken.", "patterns": ["(open"]}]):
        values = put(rubric_values(), {"criteria.0.steps": wrong})
        _, [problem] = lint_paths([write_yaml(tmp_path / "r.yaml", values)])
        told.append(f"{problem.field}: {problem.message}")
    assert told[0] == "criteria[0].steps: must have at least 2 items, not 1"
    assert told[1].startswith("criteria[0].steps[2].patterns[0][0]: is not a valid RE2")


def test_a_rubric_without_a_drill_or_steps_is_stored_as_before() -> None:
    values = snapshot(a_rubric())
    assert not {"drill", "steps"} & values["criteria"][0].keys()
    put(values, DRILL)
    assert snapshot(Rubric.model_validate(values)) == values


def test_what_is_only_incomplete_is_a_warning() -> None:
    fields = {"samples": [], "criteria.0.patterns": [], "criteria.0.hints": []}
    told = lint_of(put(rubric_values(), fields))
    assert [one.split(":")[:2] for one in told] == [
        ["warning", " samples"],
        ["warning", " criteria[0].patterns"],
        ["warning", " criteria[0].hints"],
    ]
    (told_of_few,) = lint_of(rubric_values(samples=rubric_values()["samples"][:3]))
    assert "lack full, recited, a second middle, negated or swapped;" in told_of_few


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


def test_a_plain_one_is_a_question_alone() -> None:
    rubric = Rubric.model_validate(rubric_values(escalations=["And if it were wider?"]))
    assert rubric.harder == ("And if it were wider?",)
    assert Rubric.model_validate(rubric.model_dump(mode="json")) == rubric


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


async def test_the_exam_grades_its_samples() -> None:
    rubric = Rubric.model_validate(rubric_values(escalations=[GRADED]))
    items = eval_set([rubric], attacks=False, repeats=1)
    replies = [each for each in items.samples if each.escalation is not None]
    assert [each.label for each in replies] == [
        "sample 1 of escalation 1 (full)",
        "sample 2 of escalation 1 (wrong)",
    ]
    exam = await run_exam(OfflineExaminer(), items)
    assert exam.total.samples == len(rubric.samples) + 2
