"""The debrief and the transcript as plain lines."""

from __future__ import annotations

from support.replays import Recorder, a_finished_session
from support.rubrics import a_rubric

from interviewer.examiner.protocol import CloseReason
from interviewer.grading.verdicts import Flag, Verdict
from interviewer.interview.debrief import debrief
from interviewer.report.text import debrief_lines, transcript_lines
from interviewer.rubric.rubric import Rating


def test_a_question_in_brief_has_its_points_and_words_on_one_scale() -> None:
    replay = a_finished_session()
    told = list(debrief_lines(debrief(replay.state, replay.rubrics)))
    question = told.index("Question 1: Greek letters, band 2 of 4 (1 of 3 points heard)")
    assert told[question + 1 :] == [
        "  ● heard: The alpha effect decides the outcome",
        "      “alpha always decides the <b>outcome</b>” (turn 4)",
        "  ◐ partly heard, after a hint: The beta effect decides the outcome",
        "      “beta adds to it” (turn 6)",
        "      Next time: alpha is first, beta is second, gamma is third.",
        "  ✗ said otherwise: The gamma effect decides the outcome",
        "      “alpha always decides the” (turn 4)",
        "      Next time: alpha is first, beta is second, gamma is third.",
        "  Note: lists keywords instead of saying how they connect.",
    ]


def test_a_credit_that_was_taken_back_says_why() -> None:
    recorder = Recorder(a_rubric(), "practice")
    recorder.answer("Something else entirely.")
    recorder.judge(Verdict("alpha", Rating.MET, "alpha decides everything"))
    recorder.close(CloseReason.SKIPPED)
    replay = recorder.replay()
    found = debrief(replay.state, replay.rubrics)
    told = list(transcript_lines(replay, found, full=True))
    assert "      The quote is not in any of your answers." in told
    assert "Skipped." in told


def test_all_flags_are_told_in_one_sentence() -> None:
    recorder = Recorder(a_rubric(), "practice")
    recorder.answer("First alpha decides it all.")
    recorder.judge(flags=frozenset(Flag) - {Flag.CUT_OFF})
    recorder.close()
    told = list(
        transcript_lines(replay := recorder.replay(), debrief(replay.state, replay.rubrics))
    )
    [note] = [line for line in told if line.startswith("  Note: ")]
    assert note.count(";") == len(Flag) - 2
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
