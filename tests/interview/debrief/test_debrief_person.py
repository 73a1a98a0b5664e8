"""The first sentence: one sentence on the person, composed from what the session shows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.mocks import Mock, met
from support.mocks import sentence as made
from support.rubrics import a_criterion, a_rubric

from interviewer.examiner.protocol import CloseReason, Move, MoveKind
from interviewer.grading.verdicts import Flag, Verdict
from interviewer.interview.debrief.assessment import Level
from interviewer.interview.debrief.person import Showing, sentence
from interviewer.interview.situation import numbers_in
from interviewer.rubric.rubric import Rating

NAMES = ("alpha", "beta", "gamma")
KINDS = ("fact", "mechanism", "number", "tradeoff", "pitfall", "experience")


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        (
            Showing(5, 0.6, strong=("fact",), own_asked=True),
            "You know the terms, but fewer than three figures from your own runs: bring three from "
            "one.",
        ),
        (
            Showing(5, 0.5, strong=("fact",), weak=("mechanism",)),
            "You know the terms but few of the mechanisms: be able to say why each step works.",
        ),
        (
            Showing(5, 0.75, figures=3),
            "Solid knowledge, and 3 figures from your own runs noted: try harder questions next.",
        ),
        (
            Showing(5, 0.75, weak=("number",), own_asked=True, figures=1),
            "Solid knowledge except for the numbers, but fewer than three figures from your own "
            "runs: bring three from one.",
        ),
        (
            Showing(5, 0.9, figures=4, impossible=1),
            "Solid knowledge, but your own figures contradict each other: "
            "do the sums before you quote them.",
        ),
        (
            Showing(4, 0.05, figures=4),
            "Hardly a point made, though 4 figures from your own runs noted: begin with the points "
            "below.",
        ),
        (Showing(4, 0.3), "Fragments rather than answers: begin with the points below."),
        (
            Showing(4, 0.5, hints=3),
            "The core is there, but you took 3 hints: answer the same questions again without any.",
        ),
        (
            Showing(5, 0.9, weak=("number",), figures=9, heard="9 of 10 points heard"),
            "9 of 10 points heard, few on the numbers, and 9 figures from your own runs noted: "
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
        level=st.sampled_from(Level),
        strong=st.lists(st.sampled_from(KINDS), unique=True).map(tuple),
        weak=st.lists(st.sampled_from(KINDS), unique=True).map(tuple),
        own_asked=st.booleans(),
        numbers=st.integers(0, 24),
        figures=st.integers(0, 24),
        impossible=st.integers(0, 3),
        hints=st.integers(0, 20),
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


RATINGS = st.fixed_dictionaries({name: st.sampled_from(Rating) for name in NAMES})
HIRES = {Level.STRONG_HIRE, Level.HIRE}


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(RATINGS, st.booleans()), min_size=1, max_size=8), st.booleans())
def test_what_is_said_of_the_bands_agrees_with_what_is_recommended(
    questions: list[tuple[dict[str, Rating], bool]], own: bool
) -> None:
    """Over any set of grades, and whether the figures told of one's own runs stay open or not."""
    rubrics = [
        a_rubric(id=f"q{n}", topic=f"topic-{n % 3}", kind="project" if own else "concept")
        for n in range(len(questions))
    ]
    mock = Mock(rubrics)
    for ratings, objects in questions:
        mock.ask()
        said = [Verdict(name, rating, made(name)) for name, rating in ratings.items()]
        impossible = " We trained a 7B on 2T tokens with 64 A100s in three days." * objects
        mock.answer(". ".join(map(made, NAMES)) + "." + impossible, *said)
        if objects and numbers_in(mock.state, mock.rubrics).impossible:
            mock.object()
            mock.answer("It is what it is.", *said)
        mock.close()
    found = mock.debrief()
    level, anchor = found.recommendation.level, found.recommendation.anchor
    grades = [question.grade for question in found.questions if question.grade]
    bands = [grade.band for grade in grades if grade.band is not None]
    solid, core = (sum(b >= least for b in bands) / len(bands) for least in (3, 2))
    is_open = any(Flag.FIGURES_OPEN in grade.flags for grade in grades)
    assert ("Solid" in found.person or "try harder" in found.person) <= (
        level in HIRES or level is Level.NOT_ENOUGH
    )
    assert (level in HIRES) <= (solid >= 0.5 and not is_open)
    assert (level is Level.NO_HIRE) == (len(bands) >= 4 and core < 0.5)
    assert ("figures of your own runs cannot all be true" in anchor) <= is_open
    weakest = min(t.mean_band or 0 for t in found.profile.topics)
    assert ("fewer than two in three" in anchor) <= (solid < 2 / 3 or weakest < 2)
    for grade in grades:
        (must_have,) = (v.verdict for v in grade.verdicts if v.criterion == "alpha")
        assert (must_have is Rating.CONTRADICTED) <= (grade.band in (0, 1))
        assert (own and Flag.FIGURES_OPEN in grade.flags) <= (grade.band in (0, 1))


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
        "Solid knowledge, but fewer than three figures from your own runs: bring three from one."
    )


def test_own_work_with_figures_is_said() -> None:
    told = "We trained a 7B on 64 H100s with a learning rate of 3e-4 for 40,000 steps."
    assert "4 figures from your own runs noted" in drilled(told).debrief().person


def test_a_name_with_a_digit_is_no_figure() -> None:
    assert "fewer than" in drilled("We used ZeRO-3 for it and saw it work.").debrief().person


def test_figures_that_nobody_read_are_not_called_few() -> None:
    told = "Recovery took me 50 before that, 6 after, and the third try came to 4."
    assert "fewer than" not in drilled(told).debrief().person


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
