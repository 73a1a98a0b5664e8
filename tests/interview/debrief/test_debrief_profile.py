"""The profile by topic and kind of point, and the sentence on the person that it leads to."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.mocks import Mock, a_mock, met
from support.mocks import sentence as made
from support.rubrics import a_criterion, a_rubric
from support.tables import table

from interviewer.examiner.protocol import CloseReason, Move, MoveKind
from interviewer.grading.bands import mean_band
from interviewer.grading.verdicts import Flag, Verdict
from interviewer.interview.debrief.assessment import ENOUGH_QUESTIONS, Level, Tally, TopicProfile
from interviewer.interview.numbers import numbers_in
from interviewer.rubric.rubric import Rating, Rubric

ALL = ("alpha", "beta", "gamma")


def tally(topic: TopicProfile) -> Tally:
    return Tally(topic.earned, topic.possible, topic.points)


def on(topic: str, name: str) -> Rubric:
    return a_rubric(id=name, title=name, topic=topic)


def test_each_topic_of_a_round_has_its_own_weight_and_bands() -> None:
    first = [on("debugging", "one"), on("alignment", "two"), on("debugging", "three")]
    mock = Mock(first, [on("alignment", "four")])
    for names in (ALL, ("beta",), ("alpha",), ()):
        mock.ask().make(*names).close()
    topics = mock.debrief().profile.topics
    assert [(each.topic, each.round, tally(each), each.bands) for each in topics] == [
        ("debugging", 1, Tally(9, 12, 6), (4, 2)),
        ("alignment", 1, Tally(2, 6, 3), (1,)),
        ("alignment", 2, Tally(0, 6, 3), (0,)),
    ]


def test_kinds_of_points_are_strong_or_weak_by_their_share() -> None:
    rubric = a_rubric(
        a_criterion("alpha", kind="mechanism", weight=2),
        a_criterion("beta", kind="mechanism", weight=1),
        a_criterion("gamma", kind="number", weight=2),
        a_criterion("delta", kind="number", weight=1),
        a_criterion("epsilon", kind="tradeoff", weight=1),
    )
    text, findings = met("alpha", "beta", "epsilon")
    partly = Verdict("epsilon", Rating.PARTIAL, findings[2].evidence)
    mock = Mock([rubric]).ask().answer(text, *findings[:2], partly).close()
    found = mock.debrief().profile
    assert (found.strong, found.weak) == (("mechanism",), ("number",))
    assert found.kinds["tradeoff"] == Tally(0.5, 1, 1)


def test_what_could_not_be_judged_counts_neither_way() -> None:
    mock = Mock([on("alignment", "one")]).ask().say("A last word that nobody judged.")
    found = mock.close(CloseReason.TIME_UP).debrief().profile
    (topic,) = found.topics
    assert (tally(topic), topic.share, topic.bands) == (Tally(0.0, 0, 0), None, (None,))
    assert (found.strong, found.weak) == ((), ())


def test_a_skipped_question_has_its_band_and_tells_nothing_else() -> None:
    mock = Mock([on("alignment", "one"), on("alignment", "two"), on("debugging", "three")])
    found = mock.ask().make(*ALL).close().skip().skip().debrief()
    alignment, debugging = found.profile.topics
    assert (tally(alignment), alignment.bands) == (Tally(6, 6, 3), (4, 0))
    assert (found.profile.strong, found.profile.weak) == (("mechanism",), ())
    assert (debugging.answered, debugging.bands) == (False, (0,))
    assert [question.skipped for question in found.questions] == [False, True, True]


def test_an_extra_counts_neither_way() -> None:
    rubric = a_rubric(
        a_criterion("alpha", kind="mechanism", weight=2),
        a_criterion("beta", kind="mechanism", weight=1),
        a_criterion("gamma", kind="number", weight=1, extra=True),
    )
    for names, earned in ((("alpha", "gamma"), 2), (("alpha", "beta"), 3)):
        found = a_mock(names, rubrics=[rubric]).debrief().profile
        assert [tally(topic) for topic in found.topics] == [Tally(earned, 3, 2)]
        assert (found.weak, set(found.kinds)) == ((), {"mechanism"})


# -- the first sentence ---------------------------------------------------------------


CASES = table("cases", __file__)["person"]

NAMES = ("alpha", "beta", "gamma")
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
    assert (level is Level.NO_HIRE) == (len(bands) >= ENOUGH_QUESTIONS and core < 0.5)
    assert ("figures of your own runs cannot all be true" in anchor) <= is_open
    weakest = min(mean_band(topic.bands) or 0 for topic in found.profile.topics)
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
