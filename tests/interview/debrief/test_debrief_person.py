"""The first sentence: one sentence on the person, composed from what the session shows."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.mocks import Mock
from support.mocks import sentence as made
from support.rubrics import a_criterion, a_rubric
from support.tables import table

from interviewer.examiner.protocol import CloseReason, Move, MoveKind
from interviewer.grading.verdicts import Flag, Verdict
from interviewer.interview.debrief.assessment import Level
from interviewer.interview.debrief.person import Showing, sentence
from interviewer.interview.numbers import numbers_in
from interviewer.rubric.rubric import Rating

CASES = table("cases", __file__)["person"]


NAMES = ("alpha", "beta", "gamma")
KINDS = ("fact", "mechanism", "number", "tradeoff", "pitfall", "experience")
FEW = "fewer than three figures from your own runs"


@pytest.mark.parametrize(("shown", "told"), CASES["shown"])
def test_the_sentence_says_what_was_shown(shown: dict[str, Any], told: str) -> None:
    assert told in sentence(Showing(**shown))


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
    assert (told.count("."), told.count(":")) == (1, 1)
    assert not {"!", "{", "}"} & set(told)
    assert "  " not in told
    assert len(told.split()) <= 25


RATINGS = st.fixed_dictionaries({name: st.sampled_from(Rating) for name in NAMES})
HIRES = {Level.STRONG_HIRE, Level.HIRE}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(RATINGS, st.booleans()), min_size=1, max_size=8), st.booleans())
def test_what_is_said_of_the_bands_agrees_with_what_is_recommended(
    questions: list[tuple[dict[str, Rating], bool]], own: bool
) -> None:
    """Over any set of grades, and whether the figures told of one's own runs stay open or not."""
    kind = "project" if own else "concept"
    mock = Mock([a_rubric(id=f"q{n}", topic=f"topic-{n % 3}", kind=kind) for n in range(8)])
    for ratings, objects in questions:
        said = [Verdict(name, rating, made(name)) for name, rating in ratings.items()]
        impossible = " We trained a 7B on 2T tokens with 64 A100s in three days." * objects
        mock.ask().answer(". ".join(map(made, NAMES)) + "." + impossible, *said)
        if objects and numbers_in(mock.state, mock.rubrics).impossible:
            mock.object().answer("It is what it is.", *said)
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


@pytest.mark.parametrize(("replies", "told"), CASES["own work"])
def test_own_work_is_missed_only_where_it_was_asked_for(replies: list[str], told: str) -> None:
    mock = Mock([a_rubric()]).ask().make(*NAMES)
    findings = [Verdict(name, Rating.MET, made(name)) for name in NAMES]
    for reply in replies:
        drill = Move(MoveKind.DRILL, "alpha")
        mock.follow_up(drill, "What did you set yourself?").answer(reply, *findings)
    assert told in mock.close().debrief().person


def test_skips_tell_no_weakness_and_no_knowledge() -> None:
    assert Mock([a_rubric()]).skip().debrief().person.startswith("No answer")
    mock = Mock([a_rubric(id=name) for name in ("one", "two", "three")])
    mock.ask().make(*NAMES).close()
    mock.skip().ask().close(CloseReason.TIME_UP)
    assert "most of the questions went unanswered" in mock.debrief().person
    heavy = a_rubric(a_criterion("delta", kind="fact", weight=9), id="two")
    found = Mock([a_rubric(id="one"), heavy]).ask().make(*NAMES).close().skip().debrief()
    assert found.person == "Solid knowledge: try harder questions next."
    assert found.profile.weak == ()
