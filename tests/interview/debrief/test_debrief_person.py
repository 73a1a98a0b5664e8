"""The first sentence: one sentence on the person, composed from what the session shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.mocks import Mock, met
from support.rubrics import a_criterion, a_rubric

from interviewer.examiner.protocol import CloseReason, Move, MoveKind
from interviewer.interview.debrief.person import OwnWork, Showing, sentence

KINDS = ("fact", "mechanism", "number", "tradeoff", "pitfall", "experience")


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        (
            Showing(5, 0.6, strong=("fact",), own=OwnWork.NOTHING),
            "You know the terms, but you described no run of your own: bring three figures from "
            "one.",
        ),
        (
            Showing(5, 0.5, strong=("fact",), weak=("mechanism",), own=OwnWork.NOT_ASKED),
            "You know the terms but lack the mechanisms: be able to say why each step works.",
        ),
        (
            Showing(5, 0.75, own=OwnWork.FIGURES),
            "Solid knowledge, and your own runs came with figures: try harder questions next.",
        ),
        (
            Showing(5, 0.75, weak=("number",), own=OwnWork.SOME),
            "Solid knowledge except for the numbers, but your own work came with few figures: "
            "put three figures to one run.",
        ),
        (
            Showing(5, 0.9, own=OwnWork.FIGURES, impossible=1),
            "Solid knowledge, but your own figures contradict each other: "
            "do the sums before you quote them.",
        ),
        (
            Showing(4, 0.05, own=OwnWork.FIGURES),
            "Hardly a point made, though your own runs came with figures: begin with the points "
            "below.",
        ),
        (
            Showing(4, 0.3, gave_up=3),
            "Fragments rather than answers, and you gave up early: say what you do know before you "
            "pass.",
        ),
        (
            Showing(4, 0.5, hints=3),
            "The core is there, but you needed hints for much of it: answer the same questions "
            "again without any.",
        ),
        (
            Showing(5, 0.9, weak=("number",), own=OwnWork.FIGURES, heard="9 of 10 points heard"),
            "9 of 10 points heard, few on the numbers, and your own runs came with figures: "
            "learn the figures and where they come from.",
        ),
        (
            Showing(1, 0.9, left=2),
            "Solid knowledge, but most of the questions went unanswered: answer the ones you left.",
        ),
        (
            Showing(0, None),
            "No answers yet, so there is nothing to say about you: pick one question and try it.",
        ),
        (
            Showing(2, None),
            "Your answers could not be judged: settle the points yourself, or have a model grade.",
        ),
    ],
)
def test_the_sentence_says_what_was_shown_and_what_to_do(shown: Showing, told: str) -> None:
    assert sentence(shown) == told


@given(
    st.builds(
        Showing,
        answered=st.integers(0, 12),
        share=st.none() | st.floats(0, 1),
        strong=st.lists(st.sampled_from(KINDS), unique=True).map(tuple),
        weak=st.lists(st.sampled_from(KINDS), unique=True).map(tuple),
        own=st.sampled_from(OwnWork),
        impossible=st.integers(0, 3),
        took_back=st.integers(0, 5),
        hints=st.integers(0, 20),
        gave_up=st.integers(0, 20),
        left=st.integers(0, 12),
        heard=st.sampled_from(["", "14 of 22 points heard"]),
    )
)
def test_it_is_always_one_short_plain_sentence(shown: Showing) -> None:
    told = sentence(shown)
    assert told[0].isupper() or told[0].isdigit()
    assert told.endswith(".")
    assert told.count(".") == 1
    assert told.count(":") == 1
    assert not {"!", "{", "}"} & set(told)
    assert "  " not in told
    assert len(told.split()) <= 25


def test_two_corrections_among_figures_are_honest_and_not_a_changing_story() -> None:
    assert "story" not in sentence(Showing(4, 0.8, own=OwnWork.FIGURES, took_back=2))
    assert "your story changed" in sentence(Showing(4, 0.8, own=OwnWork.SOME, took_back=2))


def drilled(*replies: str) -> Mock:
    """One question whose points are all made, drilled until the replies are used up."""
    mock = Mock([a_rubric()])
    mock.ask()
    text, findings = met("alpha", "beta", "gamma")
    mock.answer(text, *findings)
    for reply in replies:
        mock.follow_up(Move(MoveKind.DRILL, "alpha"), "What did you set yourself?")
        mock.answer(reply, *findings)
    mock.close()
    return mock


def test_no_own_work_when_drilled_is_said() -> None:
    mock = drilled("One would tune it with care.", "It depends on the use case at hand.")
    assert mock.debrief().person == (
        "Solid knowledge, but you described no run of your own: bring three figures from one."
    )


def test_own_work_with_figures_is_said() -> None:
    assert (
        "your own runs came with figures" in drilled("We set 3e-4 for 40 steps.").debrief().person
    )


def test_a_name_with_a_digit_is_no_figure() -> None:
    assert "few figures" in drilled("We used ZeRO-3 for it and saw it work.").debrief().person


def test_own_work_that_nobody_asked_about_is_not_missed() -> None:
    assert drilled().debrief().person == "Solid knowledge: try harder questions next."


def test_a_session_of_skips_says_that_nothing_can_be_said() -> None:
    mock = Mock([a_rubric()])
    mock.ask()
    mock.close(CloseReason.SKIPPED)
    assert mock.debrief().person.startswith("No answer")


def test_what_is_known_is_no_sum_of_a_session_that_was_mostly_skipped() -> None:
    mock = Mock([a_rubric(id=name) for name in ("one", "two", "three")])
    mock.ask()
    text, findings = met("alpha", "beta", "gamma")
    mock.answer(text, *findings)
    mock.close()
    for reason in (CloseReason.SKIPPED, CloseReason.TIME_UP):
        mock.ask()
        mock.close(reason)
    assert "most of the questions went unanswered" in mock.debrief().person


def test_skipping_tells_no_weakness() -> None:
    one, two = a_rubric(id="one"), a_rubric(a_criterion("delta", kind="fact", weight=9), id="two")
    mock = Mock([one, two])
    mock.ask()
    text, findings = met("alpha", "beta", "gamma")
    mock.answer(text, *findings)
    mock.close()
    mock.ask()
    mock.close(CloseReason.SKIPPED)
    found = mock.debrief()
    assert found.person == "Solid knowledge: try harder questions next."
    assert (found.profile.weak, found.hardest) == ((), ())
