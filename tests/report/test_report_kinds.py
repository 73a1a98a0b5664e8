"""Each verdict is called by the kind of examiner that came to it."""

from __future__ import annotations

from support.mocks import Mock, met
from support.rubrics import a_rubric

from interviewer.examiner.offline import NAME as OFFLINE
from interviewer.examiner.protocol import Move, MoveKind
from interviewer.examiner.registry import OFFLINE as OFFLINE_KIND
from interviewer.examiner.registry import kind_of
from interviewer.report.session_json import debrief_json
from interviewer.report.text import debrief_lines

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
    assert "○ not heard: The beta effect" in text
    assert "of 4 (1 of 3 points heard)" in text
    assert "Recommendation by what was heard" in text
    assert text.count(LIMITS) == 1
    for word in ("● met", "not met", "contradicted", "solid", "Solid", "The core"):
        assert word not in text


def test_a_model_s_verdicts_keep_their_words() -> None:
    text = told(a_mock("a-model"))
    assert "● met: The alpha effect" in text
    assert "○ not met: The beta effect" in text
    assert "points heard" not in text
    assert LIMITS not in text


def test_where_a_model_gave_way_each_verdict_is_called_by_its_own_examiner() -> None:
    mock = a_mock("a-model", OFFLINE)
    text = told(mock)
    assert "● met: The alpha effect" in text
    assert "● heard: The beta effect" in text
    (question,) = debrief_json(mock.debrief())["rounds"][0]["questions"]
    verdicts = question["grade"]["verdicts"]
    kinds = {each["criterion"]: each["examiner_kind"] for each in verdicts}
    assert (kinds["alpha"], kinds["beta"]) == ("llm", "offline")
    assert question["grade"]["examiner_kind"] == "offline"
    assert kind_of(f"{OFFLINE}, then a-model") is OFFLINE_KIND
