"""Runs and solutions in the reports: complete, and kept back where they must be."""

from __future__ import annotations

from dataclasses import replace

from support.benches import BAD, CHALLENGES, FAILED, GOOD, POINT, RUBRIC, FakeBench
from support.sessions import begin, hold, outline

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.interview import commands
from interviewer.interview.debrief import debrief
from interviewer.interview.events import Mode
from interviewer.interview.journal import Replay, load
from interviewer.report.session_json import session_json
from interviewer.report.text import debrief_lines, transcript_markdown
from interviewer.report.words import unwrapped
from interviewer.store.store import Store

TRICKY = "```\np = z  # <b>bold</b>"


async def a_session(store: Store, *said: commands.Command, mode: Mode = "exam") -> Replay:
    bench = FakeBench(results={BAD: FAILED, TRICKY: replace(FAILED, output="12\n```")})
    running = begin(
        store,
        (outline(RUBRIC),),
        {RUBRIC.id: RUBRIC},
        OfflineExaminer(),
        mode=mode,
        bench=bench,
        challenges=CHALLENGES,
    )
    await hold(running, said)
    return load(store, running.session_id)


def text_of(replay: Replay) -> str:
    result = debrief(replay.state, replay.rubrics, {}, replay.challenges)
    return "\n".join(debrief_lines(result, replay))


def markdown_of(replay: Replay) -> str:
    result = debrief(replay.state, replay.rubrics, {}, replay.challenges)
    return transcript_markdown(replay, result)


async def test_transcript_and_export_have_every_run_with_its_marks_and_the_solution(
    store: Store,
) -> None:
    replay = await a_session(
        store, commands.RunBench(BAD), commands.SubmitRun(GOOD), commands.EndInterview()
    )
    for told in (text_of(replay), markdown_of(replay)):
        assert "2  ✗ fails       p = w / max(w)" in told
        assert "The entries do not sum to 1. What should they sum to?" in told
        assert "ubmitted from the bench" in told
        assert "At the bench: 2 runs, 1 submitted. The last: Every line holds numerically." in told
        assert POINT in told
        assert "the derivation is correct" not in told
    assert "Exponentiate, then *divide* by the sum." in text_of(replay)
    assert r"Exponentiate, then \*divide\* by the sum." in markdown_of(replay)
    exported = session_json(replay, debrief(replay.state, replay.rubrics, {}, replay.challenges))
    [question] = exported["debrief"]["rounds"][0]["questions"]
    assert question["bench"]["challenge"] == "small-softmax"
    assert question["bench"]["open_points"] == [POINT]
    assert question["bench"]["derivation"] == CHALLENGES["small-softmax"].derivation
    ran = [event for event in exported["events"] if event["event"] == "bench"]
    assert ran[0]["result"]["matched"] == "over-the-maximum"


async def test_nothing_typed_or_printed_breaks_the_document(store: Store) -> None:
    replay = await a_session(store, commands.RunBench(TRICKY), commands.EndInterview())
    markdown = markdown_of(replay)
    assert "````text" in markdown
    assert markdown.count("````") == 2
    assert "It printed:" in markdown


async def test_a_running_exam_keeps_the_solution_and_the_open_points(store: Store) -> None:
    replay = await a_session(store, commands.SubmitRun(GOOD), commands.RunBench(BAD))
    exported = session_json(replay, debrief(replay.state, replay.rubrics, {}, replay.challenges))
    for told in (text_of(replay), markdown_of(replay), str(exported)):
        assert "Exponentiate" not in told
        assert POINT not in told
        assert "over-the-maximum" not in told
        assert "Every line holds numerically." in told


def test_wrapped_paragraphs_become_one_line_each() -> None:
    kept = "\n\nA list:\n- first\n- second\n1. third\n\n    code\n\nend"
    assert unwrapped(f"One sentence\nover two lines.{kept}\n") == (
        f"One sentence over two lines.{kept}"
    )
