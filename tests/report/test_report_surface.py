"""The debrief as it is read first: short, on one scale, each claim with its words and turn."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.mocks import Mock, a_mock, met
from support.replays import a_finished_session
from support.rubrics import a_criterion, a_rubric

from interviewer.examiner.protocol import CloseReason, Move, MoveKind
from interviewer.grading.claims.quantity import Quantity
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import Verdict
from interviewer.interview.debrief import debrief
from interviewer.interview.debrief.assessment import ClaimsDebrief, Impossibility
from interviewer.interview.debrief.questions import quote
from interviewer.interview.debrief.talk import Incident, What
from interviewer.report import document
from interviewer.report.document import Line, in_brief
from interviewer.report.text import debrief_lines, lines_of
from interviewer.rubric.rubric import Rating

SOURCE = "Paper A, 2020"


def words_of(lines: list[str]) -> int:
    return sum(len(line.split()) for line in lines)


def test_a_question_in_brief_has_its_points_and_words_on_one_scale() -> None:
    replay = a_finished_session()
    told = list(debrief_lines(debrief(replay.state, replay.rubrics)))
    heard = "1 of 3 points heard in textbook words, 1 in part"
    question = told.index(f"Question 1: Greek letters, band 2 of 4 ({heard})")
    assert told[question + 1 :] == [
        "  ● heard: The alpha effect decides the outcome",
        "      “alpha always decides the <b>outcome</b>” (turn 4)",
        "  ◐ partly heard, after a hint: The beta effect decides the outcome",
        "      “beta adds to it” (turn 6)",
        "      In textbook words: alpha is first, beta is second, gamma is third.",
        "  ✗ said otherwise: The gamma effect decides the outcome",
        "      “alpha always decides the” (turn 4)",
        "      In textbook words: alpha is first, beta is second, gamma is third.",
        "  Note: has terms in a mere list, which earned nothing.",
    ]


def drilled(*replies: str) -> Mock:
    mock = Mock([a_rubric()])
    mock.ask()
    text, findings = met("alpha", "beta", "gamma")
    mock.answer(text, *findings)
    for reply in replies:
        mock.follow_up(Move(MoveKind.DRILL, "alpha"), "What did you set yourself?")
        mock.say(reply)
        mock.judge(*findings)
    mock.close()
    return mock


def talk_lines(mock: Mock) -> list[str]:
    return [line.text for line in document.talk(mock.debrief()).lines]


def below(line: Line) -> list[str]:
    return [each.whole for each in line.details]


# -- what to do ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["fact", "mechanism", "number", "tradeoff", "pitfall"])
def test_a_thing_to_do_names_the_point_its_question_and_its_source(kind: str) -> None:
    rubric = a_rubric(a_criterion("alpha", kind=kind, weight=2), sources=(SOURCE,))
    (line,) = document.to_do(a_mock((), rubrics=[rubric]).debrief())
    assert line.text.startswith("1. The alpha effect decides the outcome: ")
    assert below(line) == ["“Greek letters”, 2 points lost", f"Source: {SOURCE}"]
    assert (line.facts.criterion, line.facts.source) == ("alpha", SOURCE)


# -- the talk ------------------------------------------------------------------------------


def test_each_kind_is_told_once_and_no_more_than_three_are_quoted() -> None:
    mock = Mock([a_rubric()])
    mock.ask()
    for _ in range(5):
        mock.dont_know()
        mock.follow_up(Move(MoveKind.PROBE, "beta"))
    mock.close(CloseReason.NO_PROGRESS)
    (line,) = document.talk(mock.debrief()).lines
    assert line.text == "You gave no answer:"
    assert below(line) == [
        *(f"“I don't know.” (turn {turn})" for turn in (2, 4, 6)),
        "and in turns 8, 10",
    ]
    (line,) = document.talk_in_full(mock.debrief()).lines
    assert below(line) == [f"“I don't know.” (turn {turn})" for turn in (2, 4, 6, 8, 10)]


def test_long_answers_are_told_with_the_longest() -> None:
    mock = Mock([a_rubric()])
    mock.ask()
    for count in (260, 310):
        mock.say(" ".join(f"word{n}" for n in range(count)))
        mock.follow_up(Move(MoveKind.PROBE, "beta"))
    mock.close()
    assert talk_lines(mock) == ["2 answers ran long: the longest had 310 words; aim for under 250."]


def test_a_sum_that_is_open_is_told_with_its_figures() -> None:
    days = Quantity("duration", 259200.0, "days", "three days", 4, (0, 10))
    sums = (Impossibility("52 days are needed, not 3.", 5, (days,)),)
    found = replace(drilled().debrief(), claims=ClaimsDebrief((), sums))
    (line,) = document.talk(found).lines
    text = "Put to you in turn 5, and open as your figures were read: “52 days are needed, not 3.”"
    assert (line.text, line.facts.turn) == (text, 5)
    assert below(line) == ["You said: “three days” (turn 4)"]


@pytest.mark.parametrize("what", What)
@pytest.mark.parametrize("count", [1, 2])
def test_everything_that_can_happen_has_its_words(what: What, count: int) -> None:
    turn = Turn(2, "candidate", TurnKind.ANSWER, "Well, that is how it was.")
    incident = Incident(what, "Greek letters", quote(turn, (0, len(turn.text))), 300)
    found = replace(drilled().debrief(), talk=(incident,) * count)
    (line,) = document.talk(found).lines
    assert line.text.endswith((".", ":"))
    assert "{" not in line.text
    assert below(line) == ["“Well, that is how it was.” (turn 2)"] * count


# -- a question in brief ---------------------------------------------------------------------


def test_a_skip_is_a_skip_and_a_question_that_was_cut_off_none() -> None:
    briefs = {}
    for reason in (CloseReason.SKIPPED, CloseReason.INTERVIEW_ENDED):
        mock = Mock([a_rubric()])
        mock.ask()
        mock.close(reason)
        found = mock.debrief()
        briefs[reason] = list(lines_of(in_brief(found.questions[0])))
        skips = ["You skipped a question."] if reason is CloseReason.SKIPPED else []
        assert [line.text for line in document.talk(found).lines] == skips
        assert not [line for line in debrief_lines(found, full=True) if "Said nothing" in line]
    skipped, cut_off = briefs.values()
    assert skipped == ["Question 1: Greek letters, skipped", "  You skipped it."]
    assert cut_off[1] == "  It got no answer."


@settings(max_examples=40)
@given(
    st.integers(1, 12),
    st.integers(1, 60),
    st.integers(1, 120),
    st.lists(st.sampled_from(Rating), min_size=12, max_size=12),
)
def test_a_question_takes_no_more_words_than_it_may(
    count: int, claim: int, said: int, verdicts: list[Rating]
) -> None:
    names = [f"point-{n}" for n in range(count)]
    criteria = [
        a_criterion(name, claim=f"{name} " + "and so on " * (claim // 3), hints=())
        for name in names
    ]
    mock = Mock([a_rubric(*criteria, reference="first this happens, then that. " * 40)])
    mock.ask()
    answer = "it was like this " * (said // 4 + 1)
    found = [
        Verdict(name, verdict, answer.strip())
        for name, verdict in zip(names, verdicts, strict=False)
    ]
    mock.answer(answer, *found)
    mock.follow_up(Move(MoveKind.HINT, names[0], 1), "Look there.")
    mock.answer(answer, *found)
    mock.close()
    (question,) = mock.debrief().rounds[0].questions
    lines = list(lines_of(in_brief(question)))
    taught = [line for line in lines if "Next time: " in line]
    assert words_of(lines) <= document.QUESTION_WORDS or not taught
    assert all(any(name in line for line in lines) for name in names)
