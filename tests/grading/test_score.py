"""Scores: values, prices, caps, one's own verdicts, and that help never pays more than no help."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter
from support.judged import unjudged
from support.rubrics import a_criterion, a_rubric
from support.tables import table

from interviewer.grading.bands import EDGES, band_of, mean_band
from interviewer.grading.verdicts import (
    Flag,
    Grade,
    Source,
    Verdict,
    decisive,
    grade_question,
    latest,
    own_verdict,
    weighted_score,
    with_own,
)
from interviewer.rubric.rubric import Rating, Rubric

CASES = table("cases", __file__)["score"]

RUBRIC = a_rubric()
CRITERIA = [c.id for c in RUBRIC.criteria]


def said(**verdicts: str) -> list[Verdict]:
    return [Verdict(c, Rating(v)) for c, v in verdicts.items()]


def with_source(source: Source, **verdicts: str) -> list[Verdict]:
    return [Verdict(c, Rating(v), source=source) for c, v in verdicts.items()]


@pytest.mark.parametrize(("verdicts", "score"), CASES["weights"])
def test_a_score_is_earned_over_possible_weight(verdicts: dict[str, str], score: float) -> None:
    assert weighted_score(RUBRIC, said(**verdicts)) == pytest.approx(score)


def test_what_the_question_asks_for_counts_whether_or_not_its_probe_was_reached() -> None:
    rubric = a_rubric(a_criterion("alpha"), a_criterion("beta"), a_criterion("gamma", extra=True))
    first = said(alpha="met", beta="not_met", gamma="not_met")
    probed = with_source(Source.PROBE, alpha="not_met", beta="not_met", gamma="not_met")
    time_up = grade_question(rubric, [first], examiner="test")
    to_the_end = grade_question(rubric, [first, probed, probed], examiner="test")
    assert time_up.final == to_the_end.final == 0.5


@pytest.mark.parametrize(("core", "flags", "final", "why"), CASES["caps"])
def test_the_caps(core: str, flags: list[str], final: float, why: str) -> None:
    """Each alone, and the lowest of two; without one nothing is said of any."""
    rest = {f"point-{n}": "met" for n in range(9)}
    rubric = a_rubric(a_criterion("core", must_have=True), *map(a_criterion, rest))
    verdicts = said(core=core, **rest)
    grade = grade_question(rubric, [verdicts], examiner="test", flags=frozenset(map(Flag, flags)))
    assert (grade.final, grade.cap) == (pytest.approx(final), final if why else None)
    assert [each.startswith(why) for each in grade.reasons] == [True] * bool(why)


def test_a_must_have_that_was_set_right_is_no_longer_contradicted() -> None:
    rubric = a_rubric(a_criterion("core", must_have=True), a_criterion("rest"))
    history = [said(core="contradicted", rest="met"), said(core="met", rest="met")]
    grade = grade_question(rubric, history, examiner="test")
    assert (grade.final, grade.cap) == (1.0, None)


def test_a_stored_grade_keeps_its_score_and_its_band() -> None:
    """Given before a must-have that is contradicted stopped it, and by other edges."""
    verdicts = said(alpha="contradicted", beta="met", gamma="met")
    made = grade_question(RUBRIC, [verdicts], examiner="test")
    stored = TypeAdapter(Grade).dump_python(made, mode="json") | {"final": 0.5, "band": 3}
    loaded = TypeAdapter(Grade).validate_python(stored)
    assert (loaded.final, loaded.band) == (0.5, 3)


@pytest.mark.parametrize(("verdicts", "band"), CASES["bands"])
def test_the_bands_keep_their_anchors(verdicts: tuple[str, ...], band: int) -> None:
    """Of five equal points: a term or two, a good part, most, nearly all."""
    names = [f"point-{n}" for n in range(5)]
    rubric = a_rubric(*map(a_criterion, names))
    told = said(**dict(zip(names, verdicts, strict=True)))
    assert grade_question(rubric, [told], examiner="test").band == band


def test_the_three_scores_tell_help_apart() -> None:
    first = said(alpha="partial", beta="not_met", gamma="not_met")
    probed = [
        *with_source(Source.PROBE, alpha="met", gamma="not_met"),
        *with_source(Source.HINT_1, beta="met"),
    ]
    grade = grade_question(RUBRIC, [first, probed], examiner="test")
    assert grade.first == pytest.approx(1.5 / 6)
    assert grade.unassisted == pytest.approx(3 / 6)
    assert grade.final == pytest.approx((3 + 2 * 0.75) / 6)


def test_nothing_judged_is_no_number_and_silence_is_nothing_said() -> None:
    none = tuple(map(unjudged, CRITERIA))
    grade = grade_question(RUBRIC, [none], examiner="test")
    assert (grade.first, grade.unassisted, grade.final, grade.band) == (None,) * 4
    assert grade.verdicts == none
    judged = [*said(alpha="met", beta="met"), unjudged("gamma")]
    grade = grade_question(RUBRIC, [judged], examiner="test")
    assert grade.final == 1.0
    assert "1 of 3" in " ".join(grade.reasons)
    silence = grade_question(RUBRIC, [], examiner="test")
    assert (silence.final, silence.band) == (0.0, 0)


def test_a_point_once_made_is_lost_by_a_contradiction_and_not_by_silence() -> None:
    all_met = said(alpha="met", beta="met", gamma="met")
    silent = [all_met, said(alpha="not_met", beta="met", gamma="met")]
    assert grade_question(RUBRIC, silent, examiner="test").final == 1.0
    wrong = grade_question(RUBRIC, [all_met, said(beta="contradicted")], examiner="test")
    assert wrong.final == pytest.approx((3 - 0.5 + 1) / 6)


_VERDICTS = st.sampled_from(list(Rating))
_SOURCES = st.sampled_from(list(Source))
_HISTORIES = st.lists(
    st.fixed_dictionaries({c: st.tuples(_VERDICTS, _SOURCES) for c in CRITERIA}),
    min_size=1,
    max_size=5,
)


def _history(drawn: list[dict[str, tuple[Rating, Source]]]) -> list[list[Verdict]]:
    return [[Verdict(c, v, source=s) for c, (v, s) in look.items()] for look in drawn]


@given(_HISTORIES)
def test_help_never_pays_more_than_no_help(drawn: list[dict[str, tuple[Rating, Source]]]) -> None:
    helped = grade_question(RUBRIC, _history(drawn), examiner="test")
    unaided = [
        [Verdict(v.criterion, v.verdict, source=Source.FIRST) for v in look]
        for look in _history(drawn)
    ]
    alone = grade_question(RUBRIC, unaided, examiner="test")
    assert helped.final is not None
    assert alone.final is not None
    assert 0 <= helped.final <= alone.final + 1e-9 <= 1 + 1e-9
    assert helped.band in range(5)


def test_ungraded_questions_are_left_out_of_the_mean() -> None:
    assert mean_band([4, None, 2]) == 3
    assert mean_band([None]) is None


def test_votes_open_an_interval_round_the_score() -> None:
    votes = (Rating.MET, Rating.PARTIAL, Rating.MET)
    voted = Verdict("alpha", Rating.MET, "words", votes=votes)
    settled = [Verdict(c, Rating.MET, "words") for c in ("beta", "gamma")]
    grade = grade_question(a_rubric(), [[voted, *settled]], examiner="test")
    assert grade.final == 1.0
    assert grade.interval == (0.75, 1.0)
    assert grade.between_bands == (3, 4)


def test_without_votes_or_words_there_is_no_interval() -> None:
    votes = (Rating.MET, Rating.MET, Rating.PARTIAL)
    refused = Verdict("alpha", Rating.NOT_MET, votes=votes, unsupported="The quote is not yours.")
    assert grade_question(a_rubric(), [[refused]], examiner="test").interval is None
    plain = Verdict("alpha", Rating.PARTIAL, "words")
    assert grade_question(a_rubric(), [[plain]], examiner="test").interval is None


WITH_EXTRA = a_rubric(
    a_criterion("alpha", weight=2), a_criterion("beta"), a_criterion("gamma", extra=True)
)


@pytest.mark.parametrize(("verdicts", "score"), CASES["extras"])
def test_an_extra_only_adds(verdicts: dict[str, str], score: float | None) -> None:
    assert weighted_score(WITH_EXTRA, said(**verdicts)) == pytest.approx(score)


RISING = [Rating.CONTRADICTED, Rating.NOT_MET, Rating.PARTIAL, Rating.MET]


@given(st.fixed_dictionaries({c: st.tuples(*[st.sampled_from(RISING)] * 2) for c in CRITERIA}))
def test_better_verdicts_never_lower_the_band(drawn: dict[str, tuple[Rating, Rating]]) -> None:
    grades = [
        grade_question(
            RUBRIC,
            [[Verdict(c, choose(pair, key=RISING.index)) for c, pair in drawn.items()]],
            examiner="test",
        )
        for choose in (min, max)
    ]
    (low, low_band), (high, high_band) = ((g.final or 0.0, g.band or 0) for g in grades)
    assert low <= high
    assert low_band <= high_band


def wrong(criterion: str, start: int, end: int) -> Verdict:
    return Verdict(criterion, Rating.CONTRADICTED, "words", 2, (start, end))


def test_one_misconception_costs_once() -> None:
    right = Verdict("alpha", Rating.MET)
    once = [right, wrong("beta", 10, 40), Verdict("gamma", Rating.NOT_MET)]
    same_words = [right, wrong("beta", 10, 40), wrong("gamma", 30, 60)]
    apart = [right, wrong("beta", 10, 40), wrong("gamma", 40, 60)]
    assert weighted_score(RUBRIC, same_words) == weighted_score(RUBRIC, once)
    assert (weighted_score(RUBRIC, apart) or 0) < (weighted_score(RUBRIC, once) or 0)


def torn(criterion: str, verdict: str, alternative: str) -> Verdict:
    return Verdict(criterion, Rating(verdict), alternative=Rating(alternative))


def test_a_doubt_is_decisive_only_if_the_other_verdict_moves_the_band() -> None:
    doubtful = [torn("alpha", "met", "not_met"), *said(beta="met", gamma="met")]
    assert decisive(RUBRIC, doubtful) == {"alpha"}
    light = a_rubric(a_criterion("alpha", weight=9), a_criterion("beta", weight=0.5))
    assert not decisive(light, [torn("beta", "partial", "met"), *said(alpha="met")])
    assert not decisive(light, said(alpha="met", beta="not_met"))


def test_each_doubt_is_weighed_by_itself() -> None:
    even = a_rubric(*(a_criterion(each, weight=1) for each in ("alpha", "beta", "gamma", "delta")))
    both = [torn("alpha", "met", "partial"), torn("beta", "met", "partial")]
    verdicts = [*both, *said(gamma="met", delta="not_met")]  # 0.75, each 0.625 and both 0.5
    assert decisive(even, verdicts) == {"alpha", "beta"}
    verdicts = [*both, *said(gamma="met", delta="partial")]  # 0.875, each 0.75
    assert decisive(even, verdicts) == {"alpha", "beta"}
    verdicts = [*both, *said(gamma="met", delta="met")]  # 1, each 0.875, only both 0.75
    assert not decisive(even, verdicts)


def test_an_open_doubt_opens_the_interval_by_itself_and_not_with_others() -> None:
    verdicts = [torn("alpha", "met", "partial"), torn("beta", "met", "partial"), *said(gamma="met")]
    grade = grade_question(RUBRIC, [verdicts], examiner="test")
    assert grade.interval == (0.75, 1.0)


# -- the edges of the bands -----------------------------------------------------------


BANDS = {"full": {4}, "recited": {0, 1}, "empty": {0}, "wrong": {0}, "negated": {0}}


def test_samples_reach_the_band_of_their_kind(shipped_rubric: Rubric) -> None:
    """Complete ones are strong, recited ones at most fragments, and the rest nothing usable."""
    for sample in shipped_rubric.samples:
        verdicts = [Verdict(*each) for each in sample.verdicts.items()]
        band = band_of(weighted_score(shipped_rubric, verdicts) or 0.0)
        assert band in BANDS.get(sample.kind, {band}), sample.kind


def test_the_page_of_verdicts_names_the_edges_in_use() -> None:
    page = Path(__file__).parents[2] / "rubrics" / "VERDICTS.md"
    rows = re.findall(r"^\| [0-4] \| ([\d.]+) \|", page.read_text("utf-8"), re.MULTILINE)
    assert tuple(map(float, rows)) == (0.0, *EDGES)


# -- the candidate's own verdicts -----------------------------------------------------


OWN = a_rubric(a_criterion("alpha", weight=2, must_have=True), a_criterion("beta", weight=3))


def with_marks(*verdicts: Verdict, **own: str) -> float | None:
    settled = {each: own_verdict(each, mark) for each, mark in own.items()}
    return weighted_score(OWN, with_own(verdicts, settled))  # type: ignore[arg-type]


@pytest.mark.parametrize("verdict", list(Rating))
def test_said_is_met_and_not_is_not_met_whatever_the_examiner_says(verdict: Rating) -> None:
    found = Verdict("beta", verdict), Verdict("alpha", Rating.MET)
    assert with_marks(*found, beta="said") == 1
    assert with_marks(*found, beta="not") == 0.4


def test_a_hint_keeps_its_price_but_what_one_made_was_not_told() -> None:
    found = Verdict("alpha", Rating.PARTIAL, source=Source.HINT_1)
    assert with_marks(found, alpha="said") == 0.75
    assert with_marks(Verdict("alpha", Rating.MET, source=Source.TOLD), alpha="said") == 1


def test_a_point_that_could_not_be_judged_counts_once_it_is_settled() -> None:
    alpha = Verdict("alpha", Rating.MET)
    assert (with_marks(alpha), with_marks(alpha, beta="said")) == (1, 1)
    assert with_marks(alpha, beta="not") == 0.4


def test_a_must_have_that_one_did_not_make_caps_the_score() -> None:
    found = [Verdict(each, Rating.MET) for each in ("alpha", "beta")]
    assert with_marks(*found, alpha="not") == 0.5


def test_the_latest_mark_counts() -> None:
    marks = [
        (1, "a", "said"),
        (1, "a", "not"),
        (2, "a", "said"),
        (2, "a", "none"),
        (1, "b", "none"),
    ]
    assert latest(marks) == {1: {"a": Verdict("a", Rating.NOT_MET, by="candidate")}}
