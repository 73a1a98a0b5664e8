"""The recommendation: written anchors, reasons that can be counted, and what speaks against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.mocks import Mock, a_mock, met
from support.rubrics import a_rubric

from interviewer.examiner.offline import NAME as OFFLINE
from interviewer.examiner.protocol import CloseReason, Move, MoveKind
from interviewer.grading.agreement import ExamResult
from interviewer.grading.bands import EDGES
from interviewer.grading.verdicts import Flag, Verdict
from interviewer.interview.debrief.assessment import ANCHORS, Level, Record, anchor_of
from interviewer.rubric.rubric import Rating, Rubric

ALL = ("alpha", "beta", "gamma")
SOLID = ("alpha", "beta")
CORE = ("alpha",)
BARELY = ("alpha", "gamma")
NOTHING = ()


def letters(count: int, topics: int = 1) -> list[Rubric]:
    return [
        a_rubric(id=f"letters-{n}", title=f"Letters {n}", topic=f"topic-{n % topics}")
        for n in range(count)
    ]


def level(*made: tuple[str, ...], topics: int = 1) -> Level:
    rubrics = letters(len(made), topics)
    return a_mock(*made, rubrics=rubrics).debrief().recommendation.level


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ([ALL, ALL, SOLID, SOLID], Level.STRONG_HIRE),
        ([ALL, SOLID, SOLID, SOLID], Level.HIRE),
        ([ALL, ALL, ALL, CORE], Level.HIRE),
        ([SOLID, SOLID, CORE, CORE], Level.LEAN_NO),
        ([ALL, ALL, NOTHING, NOTHING], Level.LEAN_NO),
        ([CORE, NOTHING, NOTHING, NOTHING], Level.NO_HIRE),
        ([ALL, ALL, ALL], Level.NOT_ENOUGH),
        ([], Level.NOT_ENOUGH),
    ],
)
def test_the_level_follows_the_written_anchor(made: list[tuple[str, ...]], expected: Level) -> None:
    assert level(*made) is expected


def test_a_topic_that_is_missing_stands_against_a_hire() -> None:
    made = [ALL, ALL, ALL, NOTHING]
    assert level(*made, topics=1) is Level.HIRE
    assert level(*made, topics=4) is Level.LEAN_NO


def test_a_contradiction_stands_against_a_strong_hire() -> None:
    mock = a_mock(ALL, ALL, ALL, rubrics=letters(4))
    mock.ask()
    text, findings = met("alpha", "beta")
    wrong = "The gamma effect undoes it all"
    mock.answer(f"{text} {wrong}", *findings[:2], Verdict("gamma", Rating.CONTRADICTED, wrong))
    mock.close()
    found = mock.debrief().recommendation
    assert found.level is Level.HIRE
    (reason,) = [reason for reason in found.reasons if "otherwise" in reason.text]
    assert reason.text.startswith("You said otherwise on 1 point;")
    assert reason.quote is not None
    assert reason.quote.text == wrong


def test_ungraded_questions_are_not_counted_as_enough() -> None:
    mock = a_mock(ALL, ALL, ALL, rubrics=letters(4))
    mock.ask()
    mock.say("Never judged, this.")
    mock.close(CloseReason.TIME_UP)
    found = mock.debrief()
    assert found.recommendation.level is Level.NOT_ENOUGH
    assert "1 of 4 questions could not be fully judged." in found.doubts


@given(
    st.lists(st.integers(0, 4), max_size=12),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_some_anchor_always_holds(bands: list[int], missed: int, wrong: int) -> None:
    means = (sum(bands) / len(bands),) if bands else ()
    record = Record(tuple(bands), means, missed, wrong, tuple(band / 4 for band in bands))
    held = next(anchor for anchor in ANCHORS if anchor.holds(record))
    assert (held.level is Level.NOT_ENOUGH) is (len(bands) < 4)


def record_of(bands: list[int], own: bool) -> Record:
    scores = tuple((0.0, *EDGES)[band] for band in bands)
    return Record(tuple(bands), (sum(bands) / len(bands),), 0, 0, scores, own_runs=own)


@given(st.lists(st.integers(0, 4), min_size=4, max_size=12), st.booleans(), st.data())
def test_a_better_question_never_makes_it_worse(
    bands: list[int], own: bool, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(bands) - 1))
    better = [min(4, band + (n == place)) for n, band in enumerate(bands)]
    levels = [
        next(rank for rank, anchor in enumerate(ANCHORS) if anchor.holds(record_of(each, own)))
        for each in (bands, better)
    ]
    assert levels[1] <= levels[0]


@pytest.mark.parametrize(
    ("bands", "most"), [([4] * 4, Level.LEAN_NO), ([1] * 4, Level.NO_HIRE), ([4], Level.NOT_ENOUGH)]
)
def test_ones_own_figures_left_open_keep_it_from_a_hire(bands: list[int], most: Level) -> None:
    assert anchor_of(replace(record_of(bands, True), figures_open=True)).level is most


def test_every_level_has_its_anchor() -> None:
    assert {anchor.level for anchor in ANCHORS} == set(Level)
    assert all(anchor.says.endswith(".") for anchor in ANCHORS)


def test_reasons_count_bands_must_haves_and_hints() -> None:
    mock = a_mock(ALL, SOLID, ("beta",), rubrics=letters(4, topics=2))
    mock.ask()
    mock.follow_up(Move(MoveKind.HINT, "alpha", 2), "Look near a.")
    text, findings = met("alpha")
    mock.answer(text, *findings)
    mock.close()
    told = [reason.text for reason in mock.debrief().recommendation.reasons]
    assert told[0] == (
        "2 of 4 questions reached band 3 or better, 1 of them band 4; 2 stayed below band 2."
    )
    assert told[1] == "Best topic: topic-0 (bands 4, 1); weakest: topic-1 (bands 3, 1)."
    assert any(t.startswith("3 of 4 must-haves heard") and "alpha" in t for t in told)
    assert told[-1] == "You took 1 hint on 1 of 4 questions."


def test_every_reason_holds_a_count_or_a_quote() -> None:
    found = a_mock(ALL, SOLID, NOTHING, CORE, rubrics=letters(4, topics=2)).debrief()
    reasons = found.recommendation.reasons
    assert len(reasons) >= 4
    assert all(r.quote or any(char.isdigit() for char in r.text) for r in reasons)


# -- skips, and an honest senior ------------------------------------------------------------


def skip(mock: Mock) -> None:
    mock.ask()
    mock.close(CloseReason.SKIPPED)


def test_skips_are_not_counted_as_enough() -> None:
    mock = a_mock(ALL, ALL, ALL, rubrics=letters(4))
    skip(mock)
    assert mock.debrief().recommendation.level is Level.NOT_ENOUGH


def test_a_skip_counts_as_not_solid_but_its_topic_is_not_missing() -> None:
    mock = a_mock(ALL, ALL, ALL, ALL, rubrics=letters(5, topics=5))
    skip(mock)
    found = mock.debrief().recommendation
    assert found.level is Level.HIRE
    assert "1 question skipped; each counts as band 0 above." in [r.text for r in found.reasons]


def test_too_many_skips_stand_against_a_hire() -> None:
    mock = a_mock(ALL, ALL, ALL, ALL, rubrics=letters(7, topics=7))
    for _ in range(3):
        skip(mock)
    assert mock.debrief().recommendation.level is Level.LEAN_NO


def told(own: Sequence[str], *made: tuple[str, ...]) -> Level:
    """The level for these points made, with these words on own work in the first answers."""
    mock = Mock(letters(len(made)))
    for number, names in enumerate(made):
        mock.ask()
        text, findings = met(*names)
        mock.answer(f"{text} {' '.join(own[number : number + 1])}", *findings)
        mock.close()
    return mock.debrief().recommendation.level


SENIOR = (ALL, ALL, CORE, CORE)
"""Half of the questions in full, the others at their core: solid on average."""


FIGURES = ("We trained it for 40 hours.", "We used 64 H100s.")


def test_a_solid_average_with_own_figures_is_a_hire() -> None:
    assert told(FIGURES, *SENIOR) is Level.HIRE
    assert told(FIGURES[:1], *SENIOR) is Level.LEAN_NO


@pytest.mark.parametrize(
    "own",
    [
        "",
        "We did a lot there and it scaled really well.",
        "It takes 40 hours.",
        "I have used ZeRO-3 extensively at scale.",
    ],
)
def test_without_figures_from_own_runs_it_is_not(own: str) -> None:
    assert told([own] * 4, *SENIOR) is Level.LEAN_NO


@pytest.mark.parametrize(
    "made",
    [
        (ALL, ALL, ALL, NOTHING),  # a question without its core
        (BARELY, BARELY, CORE, CORE),  # the average is not solid
        (NOTHING, NOTHING, CORE, NOTHING),
    ],
)
def test_figures_alone_make_no_hire(made: tuple[tuple[str, ...], ...]) -> None:
    assert told(FIGURES, *made) is told((), *made)


def test_own_figures_that_cannot_be_true_do_not_count() -> None:
    impossible = "We trained a 7B on 2T tokens with 64 A100s in three days."
    assert told((impossible, "We logged 3,000 steps."), *SENIOR) is Level.LEAN_NO


# -- doubt ---------------------------------------------------------------------------------


def exam(*failed_on: str, examiner: str = "a-model") -> ExamResult:
    taken = datetime(2026, 1, 2, tzinfo=UTC)
    return ExamResult(examiner, "v1", taken, 126, 0.31, 0.5, 0.1, 0.2, failed_on)


def voted(*looks: Rating) -> Mock:
    """Four questions whose must-have was looked at three times."""
    mock = Mock(letters(4))
    for _ in range(4):
        mock.ask()
        text, findings = met(*ALL)
        mock.answer(
            text,
            Verdict("alpha", looks[0], findings[0].evidence, votes=looks),
            *findings[1:],
        )
        mock.close()
    return mock


def test_looks_that_disagree_are_counted_and_their_reach_is_told() -> None:
    found = voted(Rating.MET, Rating.MET, Rating.NOT_MET).debrief()
    assert found.recommendation.level is Level.STRONG_HIRE
    assert found.recommendation.reach == (Level.LEAN_NO, Level.STRONG_HIRE)
    doubts = " ".join(found.doubts)
    assert "On 4 of 4 points the examiner's repeated judgements disagreed." in doubts
    assert "4 of 4 questions lie between two bands" in doubts
    assert "“lean no”" in doubts


def test_looks_that_agree_are_no_doubt() -> None:
    found = voted(Rating.MET, Rating.MET, Rating.MET).debrief()
    assert found.recommendation.reach is None
    assert not [doubt for doubt in found.doubts if "looks" in doubt]


def test_an_examiner_that_failed_its_exam_marks_its_questions() -> None:
    mock = a_mock(ALL, rubrics=letters(2))
    mock.examiner = "another"
    mock.ask()
    text, findings = met(*ALL)
    mock.answer(text, *findings)
    mock.close()
    failed = exam("kappa 0.31 is below 0.5")
    found = mock.debrief({"a-model": failed})
    first, second = found.rounds[0].questions
    assert (first.failed_exam, second.failed_exam) == (("a-model",), ())
    assert any(
        d.startswith("1 of 2 questions were judged") and "a-model" in d for d in found.doubts
    )
    assert found.exams == {"a-model": failed, "another": None}


def test_a_passed_exam_is_no_doubt() -> None:
    found = a_mock(ALL, rubrics=letters(1)).debrief({"a-model": exam()})
    assert found.rounds[0].questions[0].failed_exam == ()
    assert not [doubt for doubt in found.doubts if "exam" in doubt]


def test_the_offline_examiner_is_a_doubt_by_itself() -> None:
    mock = Mock(letters(1))
    mock.examiner = OFFLINE
    mock.ask()
    text, findings = met(*ALL)
    mock.answer(text, *findings)
    mock.close()
    assert any("1 of 1 question was judged offline" in doubt for doubt in mock.debrief().doubts)


def test_a_planted_point_that_was_credited_is_a_doubt() -> None:
    mock = Mock(letters(1))
    mock.ask()
    text, findings = met(*ALL)
    mock.answer(text, *findings, flags=frozenset({Flag.CANARY}))
    mock.close()
    assert any("planted" in doubt for doubt in mock.debrief().doubts)
