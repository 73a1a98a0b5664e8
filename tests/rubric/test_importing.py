"""Questions become rubrics that load: nothing twice, nothing over another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.tables import table

from interviewer.content.files import read
from interviewer.rubric.importing import (
    ANY_ANSWER,
    MOST_CRITERIA,
    NO_ANSWER,
    Outcome,
    import_questions,
    points_of,
)
from interviewer.rubric.library import load_library
from interviewer.rubric.lint import lint_paths
from interviewer.rubric.question_lists import Item, Question, Skipped
from interviewer.rubric.rubric import Rubric

CASES = table("importing", __file__)

ANSWER = (
    "Adam's second moment is noisy in the first steps, e.g. for rare tokens. "
    "It rests on two things:\n- few samples, so far\n- large gradients\n\nYes. Small steps bound "
    "the harm."
)


@pytest.fixture
def to(tmp_path: Path) -> Path:
    return tmp_path / "own"


def imported(to: Path, *items: Item) -> Outcome:
    there = load_library([to]).models()
    return import_questions(items, there, to, "list.csv")


def rubric_at(path: Path) -> Rubric:
    return read(path, Rubric).required()


def test_each_point_of_the_answer_becomes_a_criterion(to: Path) -> None:
    (written,) = imported(to, Question(3, "Why warm the  rate up?", ANSWER)).written
    rubric = rubric_at(written.path)
    assert (written.line, written.id, rubric.id) == (3, "warm-rate-up", "warm-rate-up")
    assert (rubric.question, rubric.reference) == ("Why warm the rate up?", ANSWER)
    assert (rubric.round, rubric.topic, rubric.difficulty) == ("own", "own", "medium")
    assert [criterion.claim for criterion in rubric.criteria] == [
        "Adam's second moment is noisy in the first steps, e.g. for rare tokens.",
        "It rests on two things: few samples, so far; large gradients.",
        "Small steps bound the harm.",
    ]
    assert len({criterion.probe for criterion in rubric.criteria}) == 3
    many = "\n".join(f"- The {word} of the batch grows twice." for word in "abcdefghijklmnopq")
    (written,) = imported(to, Question(1, "Why decay it?", many)).written
    assert len(rubric_at(written.path).criteria) == MOST_CRITERIA
    _, problems = lint_paths([written.path])
    assert not [problem for problem in problems if problem.field.endswith("probe")]


def test_a_heading_above_becomes_the_topic_unless_one_is_given(to: Path) -> None:
    question = Question(3, "Why warm the rate up?", ANSWER, section="Optimiser state (3)")
    (written,) = imported(to, question).written
    assert rubric_at(written.path).topic == "optimiser-state-3"
    named = replace(question, question="Why clip it?", topic="Clipping")
    assert rubric_at(imported(to, named).written[0].path).topic == "clipping"


@pytest.mark.parametrize(("answer", "points"), CASES["points_are_what_is_said_without_code"])
def test_points_are_what_is_said_without_code_formulas_and_headings(
    answer: str, points: list[str]
) -> None:
    assert points_of(answer) == points


def test_what_the_list_shows_is_shown_and_tells_questions_apart(to: Path) -> None:
    question = Question(1, "What does it print?", "It prints a half.", shown="print(1 / 2)")
    other = replace(question, shown="print(1 // 2)", answer="It prints a zero.")
    first, second = imported(to, question, other).written
    figure = rubric_at(first.path).figure
    assert figure is not None
    assert figure.text == "print(1 / 2)"
    assert rubric_at(second.path).reference == "It prints a zero."
    assert len(imported(to, question, other).duplicates) == 2


def test_what_is_too_long_is_shortened_and_says_so(to: Path) -> None:
    listing = "print(1)\n" * 100
    long = Question(1, "What does it print?", "Ones. " * 3000, shown=listing)
    (written,) = imported(to, long).written
    rubric = rubric_at(written.path)
    assert rubric.figure is None
    assert rubric.reference.startswith("print(1)")
    assert rubric.reference.endswith("[The list says more.]")
    assert len(imported(to, long).duplicates) == 1


def test_a_question_without_an_answer_can_be_asked_and_lint_tells(to: Path) -> None:
    (written,) = imported(to, Question(1, "Why warm up?")).written
    rubric = rubric_at(written.path)
    assert (rubric.reference, rubric.criteria[0].claim) == (NO_ANSWER, ANY_ANSWER)
    _, problems = lint_paths([written.path])
    assert "reference" in [problem.field for problem in problems]
    assert {problem.severity for problem in problems} == {"warning"}


def test_the_columns_of_the_list_are_kept(to: Path) -> None:
    question = Question(1, "Compare A with B.", "A is faster.", "My own ID", "Fine Tuning", "Hard")
    (written,) = imported(to, question).written
    rubric = rubric_at(written.path)
    assert (rubric.id, rubric.topic, rubric.difficulty) == ("my-own-id", "fine-tuning", "hard")
    assert rubric.kind == "comparison"
    found = {}
    for word in ("Junior", "mid", "Expert"):
        (written,) = imported(to, Question(1, f"Why {word}?", difficulty=word, id="a-b")).written
        found[written.id] = rubric_at(written.path).difficulty
    assert found == {"a-b": "easy", "a-b-2": "medium", "a-b-3": "hard"}


def test_the_same_question_is_not_imported_twice(to: Path) -> None:
    first = imported(to, Question(1, "Why warm up?"), Question(2, "why,  WARM up"))
    assert [len(first.written), len(first.duplicates)] == [1, 1]
    again = imported(to, Question(1, "Why warm up?"), Question(2, "Why decay?"))
    assert [written.id for written in again.written] == ["decay"]
    assert [question.line for question in again.duplicates] == [1]
    shipped = load_library().models()[0]
    outcome = imported(to, Question(1, shipped.question, "An answer."))
    assert (outcome.written, len(outcome.duplicates)) == ([], 1)


def test_ids_stay_unique_and_no_file_is_touched(to: Path) -> None:
    to.mkdir(parents=True)
    broken, gone = to / "warm-up.yaml", to / "warm-up-2.yaml"
    broken.write_text("id: [")
    gone.symlink_to(to / "nowhere")
    outcome = imported(to, Question(1, "Why warm up?"), Question(2, "How do you warm up?"))
    assert [written.id for written in outcome.written] == ["warm-up-3", "warm-up-4"]
    assert broken.read_text() == "id: ["
    assert gone.is_symlink()


def test_what_makes_no_rubric_is_named_and_the_rest_lands(to: Path) -> None:
    outcome = imported(
        to,
        Skipped(1, "has no question"),
        Question(2, "?!"),
        Question(3, f"Why {'so ' * 3000} long?"),
        Question(4, "Why hard?", difficulty="hrad"),
        Question(5, "Why decay?"),
    )
    assert [written.line for written in outcome.written] == [5]
    assert [(each.line, each.why[:30]) for each in outcome.skipped] == [
        (1, "has no question"),
        (2, "has a question without a word"),
        (3, "makes no rubric (question: Str"),
        (4, "has the difficulty 'hrad'; use"),
    ]


@settings(max_examples=100)
@given(
    st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=60),
    st.text(alphabet="aB .:;-*#'\"{}[]&!|>%@`\n\u2028é語", max_size=120),
)
def test_whatever_is_written_is_read_back_as_it_was(to: Path, question: str, answer: str) -> None:
    outcome = import_questions([Question(1, question, answer.strip())], (), to, "list.csv")
    for written in outcome.written:
        rubric = rubric_at(written.path)
        assert rubric.question == " ".join(question.split())
        assert rubric.reference == (answer.strip() or NO_ANSWER)
