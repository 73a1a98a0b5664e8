"""The debrief as it is read first: short, on one scale, each claim with its words and turn."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.mocks import Mock, a_mock
from support.rubrics import a_rubric

from interviewer.examiner.protocol import CloseReason, Move, MoveKind
from interviewer.grading.verdicts import Evidence
from interviewer.interview.debrief.assessment import Incident, What
from interviewer.report import document
from interviewer.report.document import Line, in_full
from interviewer.report.text import debrief_lines, lines_of


def below(line: Line) -> list[str]:
    return [each.whole for each in line.details]


def test_each_kind_is_told_once_and_no_more_than_three_are_quoted() -> None:
    mock = Mock([a_rubric()]).ask()
    for _ in range(5):
        mock.follow_up(Move(MoveKind.HINT, "beta", 1), "Look near b.").say("It has to do with b.")
    (line,) = document.talk(mock.close().debrief()).lines
    assert line.text == "You got 5 hints."
    assert below(line) == [
        *(f"“Look near b.” (turn {turn})" for turn in (2, 4, 6)),
        "and in turns 8, 10",
    ]


@pytest.mark.parametrize("what", What)
@pytest.mark.parametrize("count", [1, 2])
def test_everything_that_can_happen_has_its_words(what: What, count: int) -> None:
    incident = Incident(what, Evidence("Well, that is how it was.", 2, (0, 25)), 300)
    found = replace(a_mock(("alpha",), rubrics=[a_rubric()]).debrief(), talk=(incident,) * count)
    (line,) = document.talk(found).lines
    assert line.text.endswith((".", ":"))
    assert "{" not in line.text
    assert below(line) == ["“Well, that is how it was.” (turn 2)"] * count


def test_a_skip_is_a_skip_and_a_question_that_was_cut_off_none() -> None:
    briefs = {}
    for reason in (CloseReason.SKIPPED, CloseReason.INTERVIEW_ENDED):
        mock = Mock([a_rubric()])
        mock.ask()
        mock.close(reason)
        found = mock.debrief()
        briefs[reason] = list(lines_of(in_full(found.questions[0])))[:2]
        assert not [line for line in debrief_lines(found) if "Said nothing" in line]
    skipped, cut_off = briefs.values()
    assert skipped == ["Question 1: Greek letters, skipped", "  You skipped it."]
    assert cut_off[1] == "  It got no answer."
