"""The debrief and the transcript as plain lines."""

from __future__ import annotations

from support.replays import Recorder, a_finished_session
from support.rubrics import a_rubric

from interviewer.examiner.protocol import CloseReason
from interviewer.grading.verdicts import Flag, Verdict
from interviewer.interview.debrief import debrief
from interviewer.report import words
from interviewer.report.text import debrief_lines, transcript_lines
from interviewer.rubric.rubric import Rating


def test_a_question_in_brief_has_its_points_and_words_on_one_scale() -> None:
    replay = a_finished_session()
    told = list(debrief_lines(debrief(replay.state, replay.rubrics)))
    question = told.index(
        "Question 1: Greek letters, 1 of 3 points heard in textbook words, 1 in part"
    )
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


def test_the_person_comes_first_then_what_to_do_and_the_long_form_last() -> None:
    replay = a_finished_session()
    found = debrief(replay.state, replay.rubrics)
    told = list(debrief_lines(found, full=True))
    titles = [line for line in told if line and not line.startswith(" ")]
    brief = [
        "Debrief: Two letters",
        "1 of 3 points heard in textbook words, 1 in part: mark below what else you made.",
        "Do next",
        "During the interview",
        "Recommendation: heard, not weighed",
        "Doubts",
        "Not heard, heaviest first",
        "Round 1: Letters",
        "Question 1: Greek letters, 1 of 3 points heard in textbook words, 1 in part",
    ]
    assert titles == [
        *brief,
        "Appendix",
        "Not heard, by topic",
        "Round 1: Letters",
        "Question 1: Greek letters, 1 of 3 points heard in textbook words, 1 in part",
    ]
    shown = list(debrief_lines(found))
    assert [line for line in shown if line and not line.startswith(" ")] == brief


def test_a_finished_transcript_ends_with_what_it_came_to() -> None:
    replay = a_finished_session()
    told = list(transcript_lines(replay, debrief(replay.state, replay.rubrics)))
    assert told.index("Do next") > told.index(
        "In brief: 1 of 3 points heard in textbook words, 1 in part"
    )
    assert "Profile" not in told


def test_a_credit_that_was_taken_back_says_why() -> None:
    recorder = Recorder(a_rubric(), "practice")
    recorder.answer("Something else entirely.")
    recorder.judge(Verdict("alpha", Rating.MET, "alpha decides everything"))
    recorder.close(CloseReason.SKIPPED)
    replay = recorder.replay()
    found = debrief(replay.state, replay.rubrics)
    told = list(transcript_lines(replay, found, full=True))
    assert "      The quote is not in any of your answers." in told
    assert "Skipped; moving on." in told


def test_all_flags_are_told_in_one_sentence() -> None:
    recorder = Recorder(a_rubric(), "practice")
    recorder.answer("First alpha decides it all.")
    recorder.judge(flags=frozenset(Flag) - {Flag.CUT_OFF})
    recorder.close()
    told = list(
        transcript_lines(replay := recorder.replay(), debrief(replay.state, replay.rubrics))
    )
    [note] = [line for line in told if line.startswith("  Note: ")]
    assert note.count(";") == len(words.FLAG) - 2
    assert note.endswith("though all of it is kept.")


def test_an_open_exam_is_a_transcript_only() -> None:
    recorder = Recorder(a_rubric())
    recorder.answer("First alpha decides it all.")
    recorder.judge(Verdict("alpha", Rating.MET, "First alpha decides it"))
    told = list(
        transcript_lines(replay := recorder.replay(), debrief(replay.state, replay.rubrics))
    )
    assert "  Status: open" in told
    assert "Verdicts and reference answers appear once the exam is finished." in told
    assert not [line for line in told if "met" in line]
    assert told[-1].endswith(": First alpha decides it all.")
