"""Words for examiners and their exams, and text made safe to print."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.mocks import Mock, met
from support.rubrics import a_rubric

from interviewer.examiner.offline import NAME as OFFLINE
from interviewer.examiner.protocol import Move, MoveKind
from interviewer.examiner.registry import OFFLINE as OFFLINE_KIND
from interviewer.examiner.registry import kind_of
from interviewer.grading.agreement import ExamResult
from interviewer.report.plain import printable
from interviewer.report.session_json import debrief_json
from interviewer.report.text import debrief_lines
from interviewer.report.words import exam_sentence, signed

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
    return "\n".join(debrief_lines(mock.debrief(), full=True))


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


PASSED = ExamResult(
    "offline-v3", "offline-v3", datetime(2026, 1, 2, tzinfo=UTC), 320, 0.711, 0.8, -0.021, 0.1
)


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (PASSED, "tiny agreed with the authors at κ 0.71 on 320 samples (bias −0.02)."),
        (
            replace(PASSED, samples=1),
            "tiny agreed with the authors at κ 0.71 on 1 sample (bias −0.02).",
        ),
        (
            replace(PASSED, failed_on=("kappa 0.40, under 0.60", "2 of 9 attacks")),
            "tiny failed its exam on 320 samples (kappa 0.40, under 0.60; 2 of 9 attacks): take "
            "its grades with care.",
        ),
        (
            None,
            "tiny has not taken the exam here: E in the debrief has it judge ten graded answers, "
            "`interviewer rubrics selftest` all.",
        ),
    ],
)
def test_an_exam_is_told_in_a_sentence(result: ExamResult | None, sentence: str) -> None:
    assert exam_sentence(result, "tiny") == sentence


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "0.00"), (-0.004, "0.00"), (0.05, "+0.05"), (-0.2, "−0.20"), (1.0, "+1.00")],
)
def test_signs_are_shown_and_nothing_has_none(value: float, shown: str) -> None:
    assert signed(value) == shown


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
