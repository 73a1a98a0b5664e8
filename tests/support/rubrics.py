"""A rubric small enough to reason about by hand."""

from __future__ import annotations

from pathlib import Path

from interviewer.content.collection import Entry
from interviewer.content.kinds import RUBRICS
from interviewer.rubric.library import Library, summary_of
from interviewer.rubric.rubric import Criterion, Misconception, NumberFact, Rubric


def library_of(*rubrics: Rubric) -> Library:
    """These rubrics as if they were the shipped ones."""
    entries = {
        rubric.id: Entry(
            summary_of(rubric), Path(f"{rubric.id}.yaml"), "shipped", lambda rubric=rubric: rubric
        )
        for rubric in rubrics
    }
    return Library(RUBRICS, entries)


def a_criterion(name: str, **changes: object) -> Criterion:
    """A criterion that holds its own name as the only pattern."""
    values: dict[str, object] = {
        "id": name,
        "claim": f"The {name} effect decides the outcome",
        "weight": 1,
        "kind": "mechanism",
        "patterns": ((name,),),
        "probe": f"What happens in the corner we call {name[0]}?",
        "hints": (f"Look near {name[0]}.", f"It relates to {name[0]} twice."),
    }
    return Criterion.model_validate(values | changes)


def a_rubric(*criteria: Criterion, **changes: object) -> Rubric:
    """A rubric with these criteria, or with alpha (must-have, weight 3), beta 2 and gamma 1."""
    chosen = criteria or (
        a_criterion("alpha", weight=3, must_have=True),
        a_criterion("beta", weight=2),
        a_criterion("gamma", weight=1),
    )
    values: dict[str, object] = {
        "id": "greek-letters",
        "version": 1,
        "title": "Greek letters",
        "round": "transformer",
        "topic": "transformer",
        "difficulty": "easy",
        "kind": "concept",
        "question": "Which letters matter here, and why?",
        "reference": "alpha is first, beta is second, gamma is third.",
        "criteria": chosen,
        "escalations": ("What if the alphabet were reversed?",),
    }
    return Rubric.model_validate(values | changes)


def scaling_rubric() -> Rubric:
    """A realistic rubric: a mechanism with directions, a number, a misconception."""
    return a_rubric(
        a_criterion(
            "variance",
            weight=3,
            must_have=True,
            claim="The variance of the dot product grows with the head width",
            accept=("the dot product gets a variance that increases with d_k",),
            patterns=((r"varianc\w*", r"grow\w*|increas\w*|equal\w*", r"head width|d_?k\b"),),
            misconceptions=(
                Misconception(
                    claim="The factor prevents overflow in fp16",
                    patterns=((r"(prevent|avoid|against)\w*.{0,30}overflow",),),
                ),
            ),
        ),
        a_criterion(
            "deviation",
            kind="number",
            claim="At width 128 the raw logits have a standard deviation of about 11.3",
            numbers=(NumberFact(value=11.3, rel=0.1),),
            patterns=((r"(std|deviation|spread)", r"1[01](\.\d+)?"),),
        ),
        id="scaling",
        question="Why are attention logits divided by the root of the head width?",
        reference=(
            "With unit variance entries the variance of the dot product grows with the head width, "
            "so at 128 the standard deviation is about 11.3; dividing by the root undoes that."
        ),
    )


ONE = a_rubric()
TWO = a_rubric(id="more-letters", title="More letters", question="And which letters follow?")
FULL = "First alpha decides, then beta adds to it, and gamma closes the row."
"""An answer that makes all three points of ONE."""
