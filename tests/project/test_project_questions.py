"""Questions about the candidate's own project."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from support.rubrics import a_rubric

from interviewer.project import put_to_project
from interviewer.rubric.rubric import OwnProject, Rubric

NOTES = """\
Pre-trained a 7B model on 1.4T tokens with 256 H100s over 21 days.

Chose FSDP over tensor parallelism because the team knew PyTorch.

It also served as the base of three product models later.
"""


def looking(name: str, look: str) -> Rubric:
    own = {"looks_for": look, "question": 'You write: "{passage}". What was your part?'}
    return a_rubric(id=name, own_project=own)


def test_each_question_is_about_a_passage_that_fits_and_none_about_the_same() -> None:
    anything, number = looking("anything", "anything"), looking("number", "number")
    about = put_to_project([anything, looking("decision", "decision"), number], NOTES)
    assert about["number"].question == (
        'You write: "Pre-trained a 7B model on 1.4T tokens with 256 H100s over 21 days". '
        "What was your part?"
    )
    assert "Chose FSDP" in about["decision"].question
    assert "It also served" in about["anything"].question
    own = about["number"].own_project
    assert own is not None
    assert own.passage in NOTES
    assert about["number"].criteria == number.criteria


def test_what_does_not_fit_or_is_no_project_question_is_asked_as_it_stands() -> None:
    about = put_to_project([looking("trouble", "trouble"), a_rubric()], NOTES)
    assert about == {}
    assert put_to_project([looking("anything", "anything")], "Short.") == {}


def test_a_question_on_anything_may_come_back_to_a_passage_that_is_taken() -> None:
    notes = "Pre-trained a 7B model on 1.4T tokens with 256 H100s over 21 days."
    about = put_to_project([looking("any", "anything"), looking("number", "number")], notes)
    assert about["any"].question == about["number"].question


def test_words_in_braces_are_taken_literally() -> None:
    notes = "We wrote {passage} and {0} into a template."
    about = put_to_project([looking("any", "anything")], notes)
    assert "{passage} and {0} into" in about["any"].question


def test_a_project_question_needs_one_place_for_the_words() -> None:
    for question in ("What was your part?", "{passage}: {passage}?"):
        with pytest.raises(ValidationError, match=r"needs \{passage\} exactly once"):
            OwnProject(looks_for="anything", question=question)
