"""The bench in an interview: offered, in place of the conversation or beside it, submitting."""

from __future__ import annotations

import asyncio

from support.bench_stage import FakeBench, bench_app, paste, source
from support.stage import (
    NARROW,
    SESSION,
    WIDE,
    answers_on_disk,
    editor,
    engine_of,
    in_interview,
    lines_with,
    my_turn,
    opens,
    resumed,
    sees,
    shown,
    turn_owner,
    type_in,
    until,
)
from textual.pilot import Pilot

from interviewer.interview import commands
from tui import messages
from tui.bench.editor import BenchEditor
from tui.interview.presenter import TurnOwner
from tui.interview.widgets import AnswerEditor
from tui.screens.home import HomeScreen
from tui.widgets.transcript_view import LineView

GOOD = "S = Q @ T(K)\nout = softmax(S, dim=-1)"
BAD = "S = Q @ T(K)\nA = wrong(S)\nout = A @ V"


async def bench_open(pilot: Pilot[None]) -> None:
    await in_interview(pilot)
    await pilot.press("f9")
    await until(pilot, lambda: isinstance(pilot.app.focused, BenchEditor))


def bench_draft(pilot: Pilot[None]) -> str:
    draft = engine_of(pilot).store.drafts(SESSION).get("bench")
    return draft.text if draft else ""


async def test_one_key_goes_there_and_back_and_nothing_typed_is_lost() -> None:
    async with bench_app(FakeBench()).run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        await type_in(pilot, "in words")
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(pilot.app.focused, BenchEditor))
        await sees(pilot, "Every query spreads its attention")
        assert not lines_with(pilot, "in words")
        await sees(pilot, "F9 goes back.")
        await paste(pilot, GOOD)
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(pilot.app.focused, AnswerEditor))
        assert not lines_with(pilot, "S = Q")
        assert editor(pilot).text == "in words"
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(pilot.app.focused, BenchEditor))
        await sees(pilot, "S = Q")
        assert source(pilot).text == GOOD


async def test_a_run_is_marked_at_the_bench_and_kept_in_the_transcript() -> None:
    async with bench_app(FakeBench()).run_test(size=NARROW) as pilot:
        await bench_open(pilot)
        await paste(pilot, BAD)
        await pilot.press("ctrl+r")
        await sees(pilot, "✗ fails")
        await until(pilot, lambda: turn_owner(pilot) is TurnOwner.CANDIDATE)
        assert source(pilot).text == BAD
        await until(pilot, lambda: isinstance(pilot.app.focused, BenchEditor))
        said = pilot.app.screen.query(LineView).last().line
        assert "  2  ✗ fails       A = wrong(S)" in said.text
        assert "The columns sum to 1" in said.text
        assert said.note == "bench"


async def test_submitting_is_the_answer_and_the_next_question_closes_the_bench() -> None:
    async with bench_app(FakeBench()).run_test(size=WIDE) as pilot:
        await bench_open(pilot)
        await paste(pilot, GOOD)
        await sees(pilot, "Submit")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: answers_on_disk(pilot)[-1:] == [GOOD])
        await my_turn(pilot)
        await sees(pilot, "(submitted from the bench")
        assert source(pilot).text == GOOD
        assert pilot.app.screen.has_class("-bench")
        engine_of(pilot).interviews[-1].send(commands.Skip())
        await sees(pilot, "Which letters matter here")
        await my_turn(pilot)
        assert not pilot.app.screen.has_class("-bench")
        await until(pilot, lambda: isinstance(pilot.app.focused, AnswerEditor))
        await until(pilot, lambda: "F9 Bench" not in shown(pilot))


async def test_a_bench_that_is_not_up_yet_is_warming_and_without_one_words_can_be_sent() -> None:
    fake = FakeBench(tier="off", about="No torch.", warming=asyncio.Event())
    async with bench_app(fake).run_test(size=NARROW) as pilot:
        await bench_open(pilot)
        await sees(pilot, "starting, about 5 s")
        assert "No torch." not in shown(pilot)
        assert fake.warming
        fake.warming.set()
        await sees(pilot, "No torch.")
        await sees(pilot, "interviewer sandbox install")
        await paste(pilot, GOOD)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: answers_on_disk(pilot)[-1:] == [GOOD])


async def test_what_is_typed_at_the_bench_survives_leaving() -> None:
    async with bench_app(FakeBench()).run_test(size=NARROW) as pilot:
        await bench_open(pilot)
        await paste(pilot, GOOD)
        await sees(pilot, "saved · 2 lines")
        assert bench_draft(pilot) == GOOD
        await pilot.press("f2")
        await opens(pilot, HomeScreen)
        await resumed(pilot)
        await pilot.press("f9")
        await until(pilot, lambda: pilot.app.screen.query(BenchEditor))
        assert source(pilot).text == GOOD


async def test_the_debrief_shows_the_last_run_and_the_solution() -> None:
    async with bench_app(FakeBench()).run_test(size=(120, 60)) as pilot:
        await engine_of(pilot).hold(
            commands.RunBench(BAD), commands.SubmitRun(GOOD), commands.EndInterview()
        )
        pilot.app.post_message(messages.Go("debrief", (SESSION,)))
        await until(pilot, lambda: pilot.app.screen.query("Questions"))
        await pilot.press("2")
        await sees(pilot, "At the bench: 2 runs, 1 submitted.")
        await sees(pilot, "✓ holds")
        await sees(pilot, "since *one query* spreads")
