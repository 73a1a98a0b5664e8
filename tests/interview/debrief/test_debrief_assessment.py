"""The recommendation: written anchors, what speaks against it, and sums that stay open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.mocks import Mock, a_mock, met
from support.rubrics import a_rubric
from support.tables import table

from interviewer.examiner.offline import NAME as OFFLINE
from interviewer.examiner.protocol import CloseReason, Move, MoveKind
from interviewer.grading.agreement import ExamResult
from interviewer.grading.bands import EDGES
from interviewer.grading.claims.quantity import Contradiction, Ledger, Quantity
from interviewer.grading.verdicts import Verdict
from interviewer.interview.debrief import Debrief
from interviewer.interview.debrief.assessment import (
    ClaimsDebrief,
    Level,
    Record,
    anchor_of,
    claims_debrief,
)
from interviewer.rubric.rubric import Rating, Rubric

CASES = table("cases", __file__)["assessment"]

ALL = ("alpha", "beta", "gamma")
CORE = ("alpha",)
NOTHING = ()


def letters(count: int, topics: int = 1) -> list[Rubric]:
    return [
        a_rubric(id=f"letters-{n}", title=f"Letters {n}", topic=f"topic-{n % topics}")
        for n in range(count)
    ]


def level(*made: Sequence[str], topics: int = 1) -> Level:
    rubrics = letters(len(made), topics)
    return a_mock(*made, rubrics=rubrics).debrief().recommendation.level


@pytest.mark.parametrize(("made", "expected"), CASES["levels"])
def test_the_level_follows_the_written_anchor(made: list[list[str]], expected: str) -> None:
    assert level(*made) == expected


def test_a_topic_that_is_missing_stands_against_a_hire() -> None:
    made = [ALL, ALL, ALL, NOTHING]
    assert level(*made, topics=1) is Level.HIRE
    assert level(*made, topics=4) is Level.LEAN_NO


def test_a_contradiction_stands_against_a_strong_hire() -> None:
    text, findings = met("alpha", "beta")
    wrong = "The gamma effect undoes it all"
    mock = a_mock(ALL, ALL, ALL, rubrics=letters(4)).ask()
    mock.answer(f"{text} {wrong}", *findings[:2], Verdict("gamma", Rating.CONTRADICTED, wrong))
    found = mock.close().debrief().recommendation
    assert found.level is Level.HIRE
    (reason,) = [reason for reason in found.reasons if reason.text.startswith("You said otherwise")]
    assert "on 1 point" in reason.text
    assert (reason.quote and reason.quote.text) == wrong


@pytest.mark.parametrize("made", [ALL, CORE, NOTHING])
def test_what_was_only_heard_is_recommended_as_such_without_reasons(made: tuple[str, ...]) -> None:
    mock = Mock(letters(5))
    mock.examiner = OFFLINE
    for _ in range(5):
        mock.ask().make(*made).close()
    told = mock.debrief().recommendation
    assert (told.basis, told.reasons) == ("by what was heard", ())
    assert "by what was heard" in mock.debrief().headline
    assert told.level is (Level.STRONG_HIRE if made == ALL else told.level)


def test_ungraded_and_skipped_questions_are_not_counted_as_enough() -> None:
    skipped = a_mock(ALL, ALL, rubrics=letters(3)).skip().debrief()
    assert skipped.recommendation.level is Level.NOT_ENOUGH
    mock = a_mock(ALL, ALL, rubrics=letters(3)).ask().say("Never judged, this.")
    found = mock.close(CloseReason.TIME_UP).debrief()
    assert found.recommendation.level is Level.NOT_ENOUGH
    assert "1 of 3 questions could not be fully judged." in found.doubts


def record_of(bands: list[int], own: bool) -> Record:
    scores = tuple((0.0, *EDGES)[band] for band in bands)
    return Record(tuple(bands), (sum(bands) / len(bands),), 0, 0, scores, own_runs=own)


@given(st.lists(st.integers(0, 4), min_size=4, max_size=12), st.booleans(), st.data())
def test_a_better_answer_is_never_worse(bands: list[int], own: bool, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(bands) - 1))
    better = [min(4, band + (n == place)) for n, band in enumerate(bands)]
    ranks = [[*Level].index(anchor_of(record_of(each, own))[0]) for each in (bands, better)]
    assert ranks[1] <= ranks[0]


@pytest.mark.parametrize(
    ("bands", "most"), [([4] * 4, Level.LEAN_NO), ([1] * 4, Level.NO_HIRE), ([4], Level.NOT_ENOUGH)]
)
def test_ones_own_figures_left_open_keep_it_from_a_hire(bands: list[int], most: Level) -> None:
    assert anchor_of(replace(record_of(bands, True), figures_open=True))[0] is most


# -- skips, and an honest senior ------------------------------------------------------------


def test_a_skip_counts_as_not_solid_but_its_topic_is_not_missing() -> None:
    found = a_mock(ALL, ALL, ALL, ALL, rubrics=letters(5, topics=5)).skip().debrief().recommendation
    assert found.level is Level.HIRE
    mock = a_mock(ALL, ALL, ALL, ALL, rubrics=letters(7, topics=7)).skip().skip().skip()
    assert mock.debrief().recommendation.level is Level.LEAN_NO


def told(own: Sequence[str], *made: tuple[str, ...]) -> Level:
    """The level for these points made, with these words on own work in the first answers."""
    mock = Mock(letters(len(made)))
    for number, names in enumerate(made):
        text, findings = met(*names)
        mock.ask().answer(f"{text} {' '.join(own[number : number + 1])}", *findings).close()
    return mock.debrief().recommendation.level


SENIOR = (ALL, ALL, CORE, CORE)
"""Half of the questions in full, the others at their core: solid on average."""


@pytest.mark.parametrize(("own", "level"), CASES["own runs"])
def test_a_solid_average_is_a_hire_with_figures_of_own_runs(own: Sequence[str], level: str) -> None:
    assert told(own, *SENIOR) == level


# -- doubt ---------------------------------------------------------------------------------


def exam(*failed_on: str, examiner: str = "a-model") -> ExamResult:
    taken = datetime(2026, 1, 2, tzinfo=UTC)
    return ExamResult(examiner, "v1", taken, 126, 0.31, 0.5, 0.1, 0.2, failed_on)


def voted(*looks: Rating) -> Debrief:
    """Four questions whose must-have was looked at three times."""
    text, findings = met(*ALL)
    findings[0] = Verdict("alpha", looks[0], findings[0].evidence, votes=looks)
    mock = Mock(letters(4))
    for _ in range(4):
        mock.ask().answer(text, *findings).close()
    return mock.debrief()


def test_looks_that_disagree_are_counted() -> None:
    found = voted(Rating.MET, Rating.MET, Rating.NOT_MET)
    assert found.recommendation.level is Level.STRONG_HIRE
    assert "4 of 4 questions lie between two bands" in " ".join(found.doubts)
    assert "between two bands" not in " ".join(voted(*(Rating.MET,) * 3).doubts)


def test_the_exam_of_each_examiner_is_told() -> None:
    mock = a_mock(ALL, rubrics=letters(2))
    mock.examiner = "another"
    mock.ask().make(*ALL).close()
    failed = exam("kappa 0.31 is below 0.5")
    assert mock.debrief({"a-model": failed}).exams == {"a-model": failed, "another": None}


# -- figures that were stated ---------------------------------------------------------


GPUS = Quantity("gpus", 64.0, "", "64 A100s", 2, (3, 11), device="A100")
DAYS = Quantity("duration", 259200.0, "days", "three days", 2, (15, 25))
MORE_DAYS = Quantity("duration", 2592000.0, "days", "thirty days", 4, (0, 11), status="withdrawn")
TOO_FAST = "7B parameters on 2T tokens take 52 days on 64 A100s, not 3."
TOO_LARGE = "112 GB of states do not fit into 80 GB."
CLASH = Contradiction(("flops",), TOO_FAST, (GPUS, DAYS), 1.0, 2.0)


def objection(said: str, *places: tuple[int, int]) -> Move:
    return Move(MoveKind.NUMBERS_CLASH, sum=said, ask="", figures=places)


FAST = objection(TOO_FAST, GPUS.place, DAYS.place)
LARGE = objection(TOO_LARGE, MORE_DAYS.place)


def found(ledger: Ledger, *raised: Move) -> ClaimsDebrief:
    """What is told of these figures where these objections were raised, in turn 3 and 5."""
    mock = Mock([a_rubric()]).ask().make("alpha")
    for move in (*raised, Move(MoveKind.CHALLENGE, "beta")):
        mock.follow_up(move, move.sum).answer("Then one of them must be wrong, I suppose.")
    return claims_debrief(mock.close().state, ledger)


@pytest.mark.parametrize(
    ("raised", "ledger", "still_open"),
    [
        ((FAST,), Ledger((GPUS, DAYS), (CLASH,)), [TOO_FAST]),
        ((LARGE,), Ledger((GPUS, DAYS, MORE_DAYS)), []),
        ((FAST,), Ledger((GPUS, DAYS)), []),
        ((), Ledger((GPUS, DAYS), (CLASH,)), []),
    ],
    ids=["fails still", "a figure was taken back", "its figures fit by now", "never put"],
)
def test_each_sum_that_was_put_is_told_with_the_reply_open_or_not(
    raised: tuple[Move, ...], ledger: Ledger, still_open: list[str]
) -> None:
    told = found(ledger, *raised)
    assert [each.sentence for each in told.impossible] == still_open
    assert [each.sentence for each in told.raised] == [move.sum for move in raised]
    assert all(each.reply and "must be wrong" in each.reply.text for each in told.raised)


def test_a_sum_without_a_reply_is_not_held_against_anyone() -> None:
    mock = Mock([a_rubric()]).ask().make("alpha").follow_up(FAST, FAST.sum).close()
    assert claims_debrief(mock.state, Ledger((GPUS, DAYS), (CLASH,))).impossible == ()


def test_own_figures_count_once_and_nobody_else_s_does() -> None:
    gone = replace(DAYS, status="struck"), MORE_DAYS
    again, more = replace(GPUS, turn=6), replace(GPUS, value=128.0, turn=8)
    others = (replace(more, value=8.0, whose=whose) for whose in ("team", "other", "exercise"))
    notes = replace(more, value=16.0, turn=0)
    told = found(Ledger((GPUS, again, more, *others, notes, *gone)))
    assert told.own == (GPUS, more)


def test_a_contradiction_that_later_figures_hide_was_not_explained() -> None:
    mock = Mock([a_rubric(kind="project")]).ask()
    mock.say("We trained a 13B model on 1.2 trillion tokens with 64 H100s in nine days.").object()
    mock.say("A step has 2,048 sequences of 4,096 tokens, and we took precisely 30,000 steps.")
    mock.object().say("It is what it is.").close()
    told = mock.debrief().claims
    assert len(told.raised) >= 2
