"""Sums that close over the candidate's own figures, and silence over everybody else's."""

from __future__ import annotations

import pytest
from support.mocks import Mock
from support.rubrics import a_criterion, a_rubric
from support.tables import table

from interviewer.examiner.protocol import Move, MoveKind
from interviewer.interview.numbers import numbers_in
from interviewer.rubric.rubric import NumberFact, Rubric

CASES = table("cases", __file__)["closing_sums"]

GIVEN = "You train a 7B model on 400B tokens with 128 A100s. Estimate how long it takes."
RUBRICS = {
    kind: a_rubric(id=f"a-{kind}", kind=kind, question=GIVEN if kind == "estimation" else "Well?")
    for kind in ("project", "concept", "estimation", "derivation")
}
PROBE = Move(MoveKind.PROBE, "alpha")
WHOLE = "We trained a 7B on 400B tokens with 128 A100s in twelve days."


def asked(*rubrics: Rubric) -> Mock:
    """One round for each of these, the first question posed."""
    return Mock(*([rubric] for rubric in rubrics)).ask()


def closing(mock: Mock) -> tuple[Move, ...]:
    return numbers_in(mock.state, mock.rubrics).closing


def sentences(mock: Mock) -> list[str]:
    return [each.sum for each in closing(mock)]


def sums_on(kind: str, answer: str) -> list[str]:
    return sentences(asked(RUBRICS[kind]).say(answer))


@pytest.mark.parametrize(("kind", "answer", "says"), CASES["close"])
def test_own_figures_that_suffice_close(kind: str, answer: str, says: str) -> None:
    assert any(says in each for each in sums_on(kind, answer))


@pytest.mark.parametrize(("kind", "answer"), CASES["silent"])
def test_nothing_is_said_on_other_figures(kind: str, answer: str) -> None:
    assert sums_on(kind, answer) == []


def test_only_what_the_latest_answer_completes_and_each_once_in_a_session() -> None:
    mock = asked(RUBRICS["project"], RUBRICS["concept"])
    assert sentences(mock) == []
    first = sentences(mock.say(WHOLE))[0]
    mock.follow_up(PROBE).say("The learning rate was 3e-4.")
    assert sentences(mock) == []
    mock.follow_up(PROBE, f"{first} What limited it?").say(f"As I said. {WHOLE}")
    assert first not in sentences(mock)
    mock.close()
    assert sentences(mock) == []
    assert first not in sentences(mock.ask().say(WHOLE))
    mock.follow_up(PROBE).dont_know()
    assert sentences(mock) == []


def test_a_number_that_the_question_asks_for_is_not_given_away() -> None:
    criterion = a_criterion("alpha", numbers=(NumberFact(value=41, unit="%", rel=0.03),))
    rubric = a_rubric(criterion, id="mfu", kind="concept")
    said = sentences(asked(rubric).say(WHOLE))
    assert said
    assert not any("MFU" in each for each in said)
    told = asked(rubric).say("You want to hear about 41%.").follow_up(PROBE).say(WHOLE)
    assert any("MFU" in said for said in sentences(told))


@pytest.mark.parametrize("said", CASES["implausible"])
def test_no_utilisation_where_it_is_implausible_or_undefined(said: str) -> None:
    assert not any("MFU" in each for each in sums_on("project", said))
