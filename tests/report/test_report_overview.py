"""What stands above the questions of a debrief, and the doubts that stand beside a grade."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

from support.mocks import Mock, a_mock, met
from support.rubrics import a_rubric

from interviewer.examiner.protocol import CloseReason
from interviewer.grading.claims import catalog
from interviewer.grading.claims.quantity import Quantity
from interviewer.grading.transcript import TurnKind
from interviewer.grading.verdicts import Evidence, Flag, Source, Verdict
from interviewer.interview.debrief import Debrief
from interviewer.interview.debrief.assessment import ClaimsDebrief, Impossibility
from interviewer.interview.debrief.talk import What
from interviewer.interview.debrief.wording import wording
from interviewer.report import document, words
from interviewer.report.document import in_full
from interviewer.report.text import lines_of, section_lines
from interviewer.rubric.rubric import CriterionKind, Rating

MET, PARTIAL, NOT_MET = Rating.MET, Rating.PARTIAL, Rating.NOT_MET


def overview_lines(found: Debrief) -> Iterator[str]:
    return section_lines((*document.appendix(found), *document.numbers(found)))


def a_debrief(*, looks: tuple[Rating, ...] = ()) -> Debrief:
    """One question, whose must-have was looked at so often."""
    mock = Mock([a_rubric()])
    mock.ask()
    text, findings = met("alpha", "beta", "gamma")
    verdict = looks[0] if looks else MET
    mock.answer(text, Verdict("alpha", verdict, findings[0].evidence, votes=looks), *findings[1:])
    mock.close()
    return mock.debrief()


# -- doubt beside a grade ------------------------------------------------------------------


def test_votes_are_told_where_there_were_several() -> None:
    assert words.votes_words((), "a-model") == words.votes_words((MET,), "a-model") == ""
    told = words.votes_words((PARTIAL, MET), "a-model")
    assert told == "Judged 2 times: partial, then met."


def test_a_grade_that_lies_between_two_bands_says_so() -> None:
    found = a_debrief(looks=(MET, MET, NOT_MET))
    told = list(lines_of(in_full(found.questions[0])))
    assert told[0] == "Question 1: Greek letters, between bands 2 and 4 of 4"
    assert "      Judged 3 times: met, then met, then not met." in told
    assert any("1.00 (between 0.50 and 1.00 by what is in doubt)" in line for line in told)
    marked = replace(found.questions[0], failed_exam=("a-model",))
    warning = "  Judged by a-model, which failed its own exam: treat this grade with caution."
    assert warning in list(lines_of(in_full(marked)))


def test_every_flag_turn_cause_and_measure_has_its_words() -> None:
    assert set(words.FLAG) == set(Flag) - {Flag.NO_OWN_WORK}
    assert words.flags_sentence(frozenset(Flag)).count(";") == len(words.FLAG) - 1
    assert set(wording("flagged")) < set(Flag)
    assert set(words.HELP) == set(Source)
    assert set(words.CLOSING) == set(CloseReason)
    assert set(words.TALK) == set(What)
    assert set(words.KIND) == set(words.TO_DO) == set(get_args(CriterionKind))
    assert set(words.TURN) == set(TurnKind)
    assert words.measure_words("gpu_memory") == "GPU memory"
    assert words.measure_words("step_time") == "step time"
    measures = catalog.measures()
    assert len({*map(words.measure_words, measures)}) == len(measures)


# -- the overview --------------------------------------------------------------------------


def test_what_earned_most_is_quoted_with_its_turn() -> None:
    told = list(overview_lines(a_mock(("alpha",), rubrics=[a_rubric()]).debrief()))
    strongest = told.index("Strongest moments")
    assert told[strongest + 1 : strongest + 3] == [
        "  “The alpha effect has decided it” (turn 2): 3 points on “Greek letters”",
        "      for: The alpha effect decides the outcome",
    ]


def test_study_names_points_and_sources_by_topic() -> None:
    found = a_mock(("alpha",), rubrics=[a_rubric(sources=("Paper A, 2020",))]).debrief()
    (section,) = document.study(found)
    (line,) = section.lines
    assert line.text == "transformer, 3 points lost"
    assert [each.text for each in line.details] == [
        "The beta effect decides the outcome (2)",
        "The gamma effect decides the outcome (1)",
        "Source: Paper A, 2020",
    ]


def with_claims(found: Debrief) -> Debrief:
    gpus = Quantity("gpus", 64.0, "", "64 A100s", 2, (3, 11), device="A100")
    days = Quantity("duration", 259200.0, "days", "three <days>", 4, (0, 12))
    sums = (Impossibility("52 days are needed, not 3.", 5),)
    return replace(found, claims=ClaimsDebrief((gpus, days, gpus), sums))


def test_figures_and_sums_that_are_open() -> None:
    told = list(overview_lines(with_claims(a_debrief())))
    section = told[told.index("Figures from your own runs, as they were read") + 1 :]
    sum_ = "Put to you in turn 5, and open as your figures were read: “52 days are needed, not 3.”"
    assert section == [
        "  GPUs: “64 A100s” (turn 2)",
        "  duration: “three <days>” (turn 4)",
        "",
        "Sums still open",
        f"  {sum_}",
    ]


def test_without_a_question_there_is_nothing_to_tell_but_that() -> None:
    mock = Mock([a_rubric()])
    found = mock.debrief()
    assert document.appendix(found) == document.numbers(found) == ()
    assert [section.title for section in document.overview(found)[1:]] == [
        "Recommendation: too few questions",
        "Doubts",
    ]
    assert found.recommendation.reasons == ()


def test_a_doubt_that_stays_is_told_with_what_speaks_for_it() -> None:
    verdict = Verdict(
        "alpha", Rating.PARTIAL, doubt="The direction may be meant.", alternative=Rating.MET
    )
    assert words.notes(verdict, "a-model") == (
        "In doubt, could be met: The direction may be meant.",
    )
    assert words.notes(replace(verdict, doubt=""), "offline-v3") == ("In doubt, could be heard.",)
    assert words.notes(replace(verdict, alternative=None), "a-model") == ()


def test_words_from_two_places_are_told_together() -> None:
    verdict = Verdict("alpha", Rating.MET, "first this", 2, (0, 10))
    apart = replace(verdict, further=(Evidence("then that", 4, (0, 9)),))
    assert words.evidence_words(apart) == "“first this” … “then that”"
