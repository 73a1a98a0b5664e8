"""Words for examiners, exams, doubts and flags, and text made safe to print."""

from __future__ import annotations

import unicodedata
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.mocks import Mock, met
from support.rubrics import a_rubric

from interviewer.examiner.offline import NAME as OFFLINE
from interviewer.examiner.protocol import CloseReason, Move, MoveKind
from interviewer.examiner.registry import OFFLINE as OFFLINE_KIND
from interviewer.examiner.registry import kind_of
from interviewer.grading.claims.quantity import measures
from interviewer.grading.transcript import TurnKind
from interviewer.grading.verdicts import Flag, Source, Verdict
from interviewer.interview.debrief import Debrief
from interviewer.interview.debrief.assessment import What
from interviewer.interview.debrief.questions import wording
from interviewer.report import words
from interviewer.report.document import in_full
from interviewer.report.plain import printable
from interviewer.report.session_json import debrief_json
from interviewer.report.text import debrief_lines, lines_of
from interviewer.rubric.rubric import CriterionKind, Rating

LIMITS = "hears textbook words in English and cannot weigh an argument"


def a_mock(*examiners: str) -> Mock:
    """One question with an answer for each examiner, the first with alpha, the next with beta."""
    mock = Mock([a_rubric()])
    mock.ask()
    for examiner, point in zip(examiners, ("alpha", "beta"), strict=False):
        if mock.state.turns > 1:
            mock.follow_up(Move(MoveKind.PROBE, "beta"), "And what does beta do?")
        mock.examiner = examiner
        text, findings = met(point)
        mock.answer(text, *findings)
    mock.close()
    return mock


def told(mock: Mock) -> str:
    return "\n".join(debrief_lines(mock.debrief()))


def test_offline_says_what_was_heard_and_praises_nobody() -> None:
    text = told(a_mock(OFFLINE))
    assert "● heard: The alpha effect" in text
    assert "○ yours to mark: The beta effect" in text
    assert "1 of 3 points heard in textbook words" in text
    assert "Recommendation by what was heard: too few questions" in text
    assert text.count(LIMITS) == 1
    for word in ("● met", "not met", "contradicted", "solid", "Solid", "The core", "Strongest"):
        assert word not in text


def test_where_a_model_gave_way_each_verdict_is_called_by_its_own_examiner() -> None:
    mock = a_mock("a-model", OFFLINE)
    text = told(mock)
    assert "● met: The alpha effect" in text
    assert "● heard: The beta effect" in text
    assert LIMITS not in told(a_mock("a-model"))
    (question,) = debrief_json(mock.debrief())["rounds"][0]["questions"]
    verdicts = question["grade"]["verdicts"]
    kinds = {each["criterion"]: each["examiner_kind"] for each in verdicts}
    assert (kinds["alpha"], kinds["beta"]) == ("llm", "offline")
    assert question["grade"]["examiner_kind"] == "offline"
    assert kind_of(f"{OFFLINE}, then a-model") is OFFLINE_KIND


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, ünïcode 漢字 👍", "plain, ünïcode 漢字 👍"),
        ("a\tb\nc", "a\tb\nc"),
        ("a\r\nb", "a\nb"),
        ("over\rwritten", "over␍written"),
        ("\x1b[2J", "␛[2J"),
        ("\x00\x07\x7f", "␀␇␡"),
        ("\x9b31m", "<U+009B>31m"),
        ("abc\u202edef", "abc<U+202E>def"),
        ("zero\u200bwidth\ufeff", "zero<U+200B>width<U+FEFF>"),
        ("\u2066x\u2069", "<U+2066>x<U+2069>"),
        ("line\u2028end", "line<U+2028>end"),
        ("half \ud83d", "half <U+D83D>"),
        ("tag \U000e0041", "tag <U+E0041>"),
    ],
)
def test_what_cannot_be_seen_is_made_visible(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text(st.characters(), max_size=60))
def test_only_newline_tab_and_visible_characters_come_out(text: str) -> None:
    shown = printable(text)
    for char in shown:
        assert char in "\n\t" or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert printable(shown) == shown.encode().decode() == shown


MET, PARTIAL, NOT_MET = Rating.MET, Rating.PARTIAL, Rating.NOT_MET


def a_debrief(*, looks: tuple[Rating, ...] = ()) -> Debrief:
    """One question, whose must-have was looked at so often."""
    mock = Mock([a_rubric()])
    mock.ask()
    text, findings = met("alpha", "beta", "gamma")
    verdict = looks[0] if looks else MET
    mock.answer(text, Verdict("alpha", verdict, findings[0].evidence, votes=looks), *findings[1:])
    mock.close()
    return mock.debrief()


def test_a_grade_that_lies_between_two_bands_says_so() -> None:
    found = a_debrief(looks=(MET, MET, NOT_MET))
    told = list(lines_of(in_full(found.questions[0])))
    assert told[0] == "Question 1: Greek letters, between bands 2 and 4 of 4"
    assert "      Judged 3 times: met, then met, then not met." in told
    assert any("1.00 (between 0.50 and 1.00 by what is in doubt)" in line for line in told)


def test_every_flag_turn_cause_and_measure_has_its_words() -> None:
    assert set(words.FLAG) == set(Flag) - {Flag.NO_OWN_WORK}
    assert words.flags_sentence(frozenset(Flag)).count(";") == len(words.FLAG) - 1
    assert set(wording()["flagged"]) < set(Flag)
    assert set(words.HELP) == set(Source)
    assert set(words.CLOSING) == set(CloseReason)
    assert set(words.TALK) == set(What)
    assert set(words.KIND) == set(words.TO_DO) == set(get_args(CriterionKind))
    assert set(words.TURN) == set(TurnKind)
    assert words.measure_words("gpu_memory") == "GPU memory"
    assert words.measure_words("step_time") == "step time"
    known = measures()
    assert len({*map(words.measure_words, known)}) == len(known)
