"""What gives a point away and what does not."""

from __future__ import annotations

from typing import Any

import pytest
from support.judged import checked
from support.rubrics import a_criterion, a_rubric, scaling_rubric
from support.tables import table

from interviewer.examiner.checks import doubtful_leaks, leaks, term_pattern
from interviewer.examiner.protocol import NEUTRAL, QuestionContext
from interviewer.grading.transcript import Turn, TurnKind, exchange
from interviewer.rubric.rubric import NumberFact, Rubric

CASES = table("sentences", __file__)["leaks"]

RUBRIC = scaling_rubric()
ANSWER = "It keeps numbers in a good range."


def context_of(
    answer: str = ANSWER, rubric: Rubric = RUBRIC, more: tuple[Turn, ...] = ()
) -> QuestionContext:
    turns = (*exchange(rubric.question, answer), *more)
    verdicts = checked(rubric, turns)
    return QuestionContext(rubric, turns, verdicts, NEUTRAL, exam=True)


def told(text: str, context: QuestionContext | None = None) -> list[str]:
    return list(leaks(text, context or context_of()))


def doubted(text: str, context: QuestionContext | None = None) -> list[str]:
    """What is told, or may be."""
    context = context or context_of()
    return told(text, context) + list(doubtful_leaks(text, context))


@pytest.mark.parametrize("text", CASES["leaks"])
def test_what_would_earn_the_point_is_a_leak_however_it_is_framed(text: str) -> None:
    assert told(text) != []


@pytest.mark.parametrize("text", CASES["no leak"])
def test_everyday_words_and_the_words_of_question_and_probes_are_no_leak(text: str) -> None:
    assert told(text) == []
    assert doubted(text) == []


@pytest.mark.parametrize("case", CASES["in a talk"].values(), ids=CASES["in a talk"])
def test_what_was_said_is_no_leak_and_the_rest_of_the_key_is(case: dict[str, Any]) -> None:
    rubric = a_rubric(a_criterion("alpha", **case["point"])) if "point" in case else RUBRIC
    assert bool(told(case["text"], context_of(case.get("said", ANSWER), rubric))) is case["leaks"]


def test_what_the_examiner_said_earlier_is_no_leak() -> None:
    hint = Turn(3, "examiner", TurnKind.HINT, "The variance grows with the head width.")
    reply = Turn(4, "candidate", TurnKind.ANSWER, "I see, but I do not know what follows.")
    text = "If the variance grows with the head width, what follows for the softmax?"
    assert told(text, context_of(more=(hint, reply))) == []


def test_what_the_candidate_denied_may_be_repeated_but_not_affirmed() -> None:
    denying = context_of("The variance does not grow with the head width at all, I would say.")
    assert told("You said the variance does not grow with the head width. Why?", denying) == []
    assert doubted("Wouldn't the variance grow with the head width?", denying) != []


@pytest.mark.parametrize(("rubric_numbers", "text", "leaks_it"), CASES["numbers"])
def test_a_key_number_with_its_unit_is_a_leak(
    rubric_numbers: tuple[float, str], text: str, leaks_it: bool
) -> None:
    value, unit = rubric_numbers
    number = a_criterion("alpha", kind="number", numbers=(NumberFact(value=value, unit=unit),))
    context = context_of("I would guess 20 GB for that.", a_rubric(number))
    assert bool(told(text, context)) is leaks_it


def test_what_an_easier_question_names_is_no_secret() -> None:
    secret = a_criterion("alpha", secret_terms=("loss scaling",))
    hinted = a_rubric(secret, simpler=("What does loss scaling do?",))
    assert told("What about loss-scaling?", context_of(rubric=hinted)) == []


@pytest.mark.parametrize(("term", "text", "found"), CASES["inflections"])
def test_a_term_is_found_in_its_inflections_only(term: str, text: str, found: bool) -> None:
    assert bool(term_pattern(term).search(text)) is found


HALVES = a_criterion(**CASES["halves"])
HALVES_RUBRIC = a_rubric(HALVES, question="How do you keep the update in bounds?")


@pytest.mark.parametrize("text", CASES["half a point"])
def test_half_a_point_that_is_stated_may_be_a_leak(text: str) -> None:
    assert doubted(text, context_of("I would look at the logs.", HALVES_RUBRIC)) != []


@pytest.mark.parametrize("text", CASES["scenes"])
def test_a_scene_is_set_without_half_a_point(text: str) -> None:
    assert told(text, context_of("I would look at the logs.", HALVES_RUBRIC)) == []


def test_half_a_point_that_was_said_may_be_stated() -> None:
    text = "If the ratio of each token goes in there, what is done with the rest?"
    assert doubted(text, context_of("The ratio of each token goes into it.", HALVES_RUBRIC)) == []


EVERYDAY = a_criterion(
    "alpha", claim="Four models are loaded, one part of them last", patterns=(("frozen copies",),)
)


@pytest.mark.parametrize(("text", "in_doubt"), CASES["in doubt"])
def test_words_of_the_key_are_in_doubt_everyday_ones_as_options(text: str, in_doubt: bool) -> None:
    context = context_of("I would have to think about that.", a_rubric(EVERYDAY))
    assert bool(doubted(text, context)) is in_doubt


def test_without_patterns_the_words_of_the_key_decide() -> None:
    own = a_criterion(
        "alpha",
        patterns=(),
        claim="Staggered breakfasts avert the queue before the elevator",
        accept=("Nobody waits for the lift if mornings are spread",),
    )
    rubric = a_rubric(own, question="How do you run a hotel?")
    context = context_of("With friendly staff, I should think.", rubric)
    assert told("Would staggered breakfasts shorten the queue at the elevator?", context) != []
    assert told("What do your guests complain about in the morning?", context) == []


def test_no_authored_question_of_a_shipped_rubric_leaks(shipped_rubric: Rubric) -> None:
    """Its probes, easier and harder questions, each said to somebody who has said nothing yet."""
    context = context_of("I would have to think about that.", shipped_rubric)
    for criterion in shipped_rubric.criteria:
        assert doubted(criterion.probe, context) == []
    for text in (*shipped_rubric.simpler, *shipped_rubric.harder):
        assert doubted(text, context) == []


def test_every_claim_of_a_shipped_rubric_is_caught(shipped_rubric: Rubric) -> None:
    context = context_of("I would have to think about that.", shipped_rubric)
    missed = [
        criterion.id
        for criterion in shipped_rubric.criteria
        if not doubted(f"Given that {criterion.claim.rstrip('.')}, what would you do?", context)
    ]
    assert missed == []
