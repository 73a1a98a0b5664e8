"""What to say next time, and what to study."""

from __future__ import annotations

import pytest
from support.mocks import Mock, a_mock, met, sentence
from support.rubrics import a_criterion, a_rubric
from support.shipped import shipped_rubrics

from interviewer.examiner.protocol import CloseReason, Move, MoveKind
from interviewer.grading.verdicts import Verdict
from interviewer.interview.debrief.questions import Lesson, told_in
from interviewer.report.document import in_brief
from interviewer.report.text import lines_of
from interviewer.rubric.rubric import Rating

REFERENCE = (
    "First comes alpha, an effect that decides nearly all. "
    "The beta effect decides the rest: it weighs less than 0.5 of it. Gamma closes the row."
)
RUBRIC = a_rubric(reference=REFERENCE)


def lessons(mock: Mock) -> dict[str, Lesson]:
    (question,) = mock.debrief().rounds[0].questions
    return {lesson.criterion: lesson for lesson in question.lessons}


def test_only_what_was_lost_is_a_lesson_the_costliest_first() -> None:
    found = lessons(a_mock(("beta",), rubrics=[RUBRIC]))
    assert list(found) == ["alpha", "gamma"]
    assert found["alpha"].reference == "First comes alpha, an effect that decides nearly all."


def test_the_judged_words_stand_beside_the_reference() -> None:
    mock = Mock([RUBRIC])
    mock.ask()
    mock.answer(
        "Maybe the beta effect does something there.",
        Verdict("beta", Rating.PARTIAL, "beta effect does something", missing="How much?"),
    )
    mock.close()
    beta = lessons(mock)["beta"]
    assert beta.said is not None
    assert (beta.said.text, beta.said.turn) == ("beta effect does something", 2)
    assert beta.reference.startswith("The beta effect decides the rest: it weighs less than 0.5")
    assert beta.lost == 1


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (
            "Great question. The beta part I never looked at. Honestly.",
            "The beta part I never looked at.",
        ),
        ("Around that corner I never looked. Honestly.", None),
    ],
)
def test_without_judged_words_what_the_reply_says_of_the_point_is_shown(
    reply: str, said: str | None
) -> None:
    mock = Mock([RUBRIC])
    mock.ask()
    text, findings = met("alpha")
    mock.answer(text, *findings)
    mock.follow_up(Move(MoveKind.PROBE, "beta"))
    mock.answer(reply, *findings[1:])
    mock.close()
    found = lessons(mock)
    assert (found["beta"].said and found["beta"].said.text) == said
    assert found["gamma"].said is None


@pytest.mark.parametrize(
    ("kind", "of_point"), [("project", "mechanism"), ("concept", "experience")]
)
def test_of_own_work_next_time_asks_for_a_run_and_tells_no_other(kind: str, of_point: str) -> None:
    rubric = a_rubric(a_criterion("alpha", kind=of_point), kind=kind, reference=REFERENCE)
    mock = a_mock((), rubrics=[rubric])
    (found,) = lessons(mock).values()
    assert (found.reference, found.ask) == ("", rubric.criteria[0].probe)
    brief = "\n".join(lines_of(in_brief(mock.debrief().questions[0])))
    assert f"Next time, from a run of your own: {found.ask}" in brief


def test_a_point_made_with_a_hint_is_still_to_be_said_unaided() -> None:
    mock = Mock([RUBRIC])
    mock.ask()
    mock.follow_up(Move(MoveKind.HINT, "beta", 1), "Look near b.")
    mock.answer(sentence("beta"), Verdict("beta", Rating.MET, sentence("beta")))
    mock.close()
    assert lessons(mock)["beta"].lost == 0.5


def test_what_could_not_be_judged_was_not_lost() -> None:
    mock = Mock([RUBRIC])
    mock.ask()
    mock.say("Never judged, this.")
    mock.close(CloseReason.TIME_UP)
    assert lessons(mock) == {}


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("Gamma is the last of the row", "Gamma closes the row."),
        (
            "The beta effect is below 0.5",
            "The beta effect decides the rest: it weighs less than 0.5 of it.",
        ),
        ("Something that nobody wrote down", ""),
    ],
)
def test_the_reference_tells_a_point_where_most_words_of_the_claim_are(
    claim: str, told: str
) -> None:
    assert told_in(REFERENCE, a_criterion("point", claim=claim, patterns=())) == told


def test_an_item_of_an_imported_answer_is_told_without_its_mark() -> None:
    criterion = a_criterion("point", claim="Gamma ends it", patterns=())
    assert told_in("- Alpha opens it\n- Gamma closes the row", criterion) == "Gamma closes the row"


def test_a_reference_that_says_the_claim_word_for_word_is_not_told_again() -> None:
    rubric = RUBRIC.model_copy(update={"reference": "\n".join(c.claim for c in RUBRIC.criteria)})
    mock = Mock([rubric])
    mock.ask()
    mock.answer("Nothing of the kind.", Verdict("beta", Rating.NOT_MET))
    mock.close()
    assert lessons(mock)["beta"].reference == ""


def test_a_sentence_that_the_patterns_hit_goes_before_one_with_more_of_the_words() -> None:
    criterion = a_criterion("point", claim="The beta effect closes", patterns=(("closes",),))
    assert told_in(REFERENCE, criterion) == "Gamma closes the row."


def test_every_shipped_claim_has_its_words_in_the_reference() -> None:
    nearest = [
        (told_in(rubric.reference, criterion), rubric.reference)
        for rubric in shipped_rubrics()
        for criterion in rubric.criteria
    ]
    assert all(sentence in reference for sentence, reference in nearest)
    assert all(sentence for sentence, _ in nearest)


def test_study_begins_with_the_topic_that_cost_most() -> None:
    rubrics = [
        a_rubric(id="one", topic="debugging", sources=("Paper A", "Paper B")),
        a_rubric(id="two", topic="alignment", sources=("Paper C",)),
        a_rubric(id="three", topic="debugging", sources=("Paper B", "Paper D")),
        a_rubric(id="four", topic="systems", sources=("Paper E",)),
    ]
    made = [("alpha", "gamma"), ("alpha",), (), ("alpha", "beta", "gamma")]
    found = a_mock(*made, rubrics=rubrics).debrief().study
    assert [(topic.topic, topic.lost) for topic in found] == [("debugging", 8), ("alignment", 3)]
    debugging = found[0]
    assert [lesson.criterion for lesson in debugging.points] == [
        "alpha",
        "beta",
        "beta",
        "gamma",
    ]
    assert debugging.sources == ("Paper B", "Paper D", "Paper A")


def test_a_contradiction_costs_more_than_silence() -> None:
    rubric = a_rubric(a_criterion("alpha", weight=2), a_criterion("beta", weight=2))
    mock = Mock([rubric])
    mock.ask()
    wrong = "The beta effect decides nothing at all"
    mock.answer(wrong, Verdict("beta", Rating.CONTRADICTED, wrong))
    mock.close()
    (topic,) = mock.debrief().study
    assert [(le.criterion, le.lost) for le in topic.points] == [
        ("beta", 2.5),
        ("alpha", 2),
    ]


def test_an_extra_that_was_not_made_is_no_lesson() -> None:
    rubric = a_rubric(a_criterion("alpha"), a_criterion("beta", extra=True))
    assert lessons(a_mock(("alpha",), rubrics=[rubric])) == {}
