"""The profile: by topic and by kind of point, with the weight that was made."""

from __future__ import annotations

from support.mocks import Mock, a_mock, met
from support.rubrics import a_criterion, a_rubric

from interviewer.examiner.protocol import CloseReason
from interviewer.grading.verdicts import Verdict
from interviewer.interview.debrief.assessment import Tally, TopicProfile
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
    (topic,) = mock.debrief().profile.topics
    assert (topic.strong, topic.weak) == (("mechanism",), ("number",))
    assert topic.kinds["tradeoff"] == Tally(0.5, 1, 1)


def test_a_contradiction_takes_from_the_topic_but_never_below_nothing() -> None:
    wrong = "The alpha effect does nothing"
    finding = Verdict("alpha", Rating.CONTRADICTED, wrong)
    mock = Mock([on("alignment", "one")]).ask().answer(wrong, finding).close()
    (topic,) = mock.debrief().profile.topics
    assert tally(topic) == Tally(0.0, 6, 3)


def test_what_could_not_be_judged_counts_neither_way() -> None:
    mock = Mock([on("alignment", "one")]).ask().say("A last word that nobody judged.")
    (topic,) = mock.close(CloseReason.TIME_UP).debrief().profile.topics
    assert (tally(topic), topic.share, topic.bands) == (Tally(0.0, 0, 0), None, (None,))
    assert (topic.strong, topic.weak) == ((), ())


def test_a_skipped_question_has_its_band_and_tells_nothing_else() -> None:
    mock = Mock([on("alignment", "one"), on("alignment", "two"), on("debugging", "three")])
    found = mock.ask().make(*ALL).close().skip().skip().debrief()
    alignment, debugging = found.profile.topics
    assert (tally(alignment), alignment.bands) == (Tally(6, 6, 3), (4, 0))
    assert (alignment.strong, alignment.weak) == (("mechanism",), ())
    assert (debugging.answered, debugging.bands, debugging.weak) == (False, (0,), ())
    assert [question.skipped for question in found.questions] == [False, True, True]


def test_not_knowing_is_an_answer_even_if_the_question_is_skipped_then() -> None:
    mock = Mock([on("alignment", "one")]).ask().dont_know().close(CloseReason.SKIPPED)
    found = mock.debrief()
    assert not found.questions[0].skipped
    assert found.profile.weak == ("mechanism",)


def test_an_extra_counts_neither_way() -> None:
    rubric = a_rubric(
        a_criterion("alpha", kind="mechanism", weight=2),
        a_criterion("beta", kind="mechanism", weight=1),
        a_criterion("gamma", kind="number", weight=1, extra=True),
    )
    for made, earned in ((("alpha", "gamma"), 2), (("alpha", "beta"), 3)):
        (topic,) = a_mock(made, rubrics=[rubric]).debrief().profile.topics
        assert tally(topic) == Tally(earned, 3, 2)
    assert (topic.weak, set(topic.kinds)) == ((), {"mechanism"})
