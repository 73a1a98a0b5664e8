"""Escalations as files have them: plain or graded, and what is wrong with them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from support.rubric_writing import rubric_values

from interviewer.content.problems import Locator
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.selftest.exam import eval_set, run_exam
from interviewer.rubric.lint import lint
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
Change = Callable[[dict[str, Any]], None]


def lint_of(change: Change = lambda values: None) -> list[str]:
    graded = copy.deepcopy(GRADED)
    change(graded)
    rubric = Rubric.model_validate(rubric_values(escalations=[graded]))
    return [str(p).removeprefix("r.yaml: ") for p in lint(rubric, Locator(Path("r.yaml")))]


def first(field: str, to: Any) -> Change:
    return lambda values: values["criteria"][0].update({field: to})


def test_a_sound_one_has_no_problems() -> None:
    assert lint_of() == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (first("patterns", []), "escalations[0].criteria[0].patterns: are missing"),
        (
            first("patterns", ["\\bcap\\w*", "varianc\\w*"]),
            "escalations[0].criteria[0].patterns[1]: matches the reference",
        ),
        (
            first("patterns", ["\\bcap\\w*", "long run"]),
            "escalations[0].criteria[0].patterns[1]: already matches the question",
        ),
        (
            first("patterns", ["\\bcap\\w*", "learning rate"]),
            "escalations[0].criteria[0].patterns[1]: matches samples[1]",
        ),
        (
            lambda v: v.update(samples=v["samples"][:1]),
            "escalations[0].samples: should be at least 2",
        ),
        (
            lambda v: v["samples"][0].update(verdicts={"other": "met"}),
            "escalations[0].samples[0].verdicts: lack bounded",
        ),
        (lambda v: v.update(ask="Go on."), "escalations[0].ask: must ask exactly one question"),
        (
            lambda v: v.update(ask="Do they stay within bounds if a cap sits on each entry?"),
            "escalations[0].criteria[0].patterns[0]: already matches the question",
        ),
    ],
)
def test_each_rule_names_its_field(change: Change, problem: str) -> None:
    told = lint_of(change)
    assert [each for each in told if each.startswith(problem)], told


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
