"""Escalations as files have them: plain or graded, and what is wrong with them."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from pydantic import ValidationError
from rubric.test_lint import CASES, lint_of, put
from support.rubric_writing import rubric_values

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.selftest.exam import eval_set, run_exam
from interviewer.rubric.rubric import Rubric

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
def test_each_rule_names_its_field(case: dict[str, Any]) -> None:
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
