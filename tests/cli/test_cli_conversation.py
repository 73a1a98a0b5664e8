"""The clock, waiting, cancelling and numbers, with an interview held over streams."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Sequence

import pytest
from support.command_line import json_lines, typed
from support.conversations import Held
from support.examiners import ScriptedExaminer
from support.rubrics import a_rubric
from support.sessions import HandClock, begin, outline

from interviewer.cli.conversation import stdin_lines
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import Retrying
from interviewer.store.store import Store

ONE = a_rubric()
TWO = a_rubric(id="more-letters", title="More letters")
RUBRICS = {ONE.id: ONE, TWO.id: TWO}


async def test_the_clock_takes_what_was_typed_and_the_next_answer_starts_afresh(
    store: Store,
) -> None:
    clock = HandClock()
    rounds = (outline(ONE, seconds=1), outline(TWO))
    interview = begin(store, rounds, RUBRICS, OfflineExaminer(), now=clock)
    async with Held(interview) as held:
        await held.listener.until("your_turn")
        held.keyboard.type("First alpha decides")
        await asyncio.wait_for(held.saved.wait(), timeout=10)
        clock.seconds = 2.0
        await held.listener.until("question", 2)
        await held.ends("beta adds to it", "", "/end")
    assert held.listener.count("time_up") == 1
    assert held.listener.answers() == ["First alpha decides", "beta adds to it"]


async def test_lines_sent_ahead_wait_for_their_turn(store: Store) -> None:
    examiner = ScriptedExaminer(hold=asyncio.Event())
    interview = begin(store, (outline(ONE),), RUBRICS, examiner)
    async with Held(interview, as_json=True) as held:
        await held.type('"First alpha decides it all."', '"/skip"', until="thinking")
        await asyncio.sleep(0.05)
        assert held.listener.count("question_closed") == 0
        assert examiner.hold
        examiner.hold.set()
        await held.ended()
    assert held.listener.events[-1].event == "debrief"
    assert held.listener.count("follow_up") == 1


@pytest.mark.parametrize("wait_for", ["your_turn", "thinking", "error"])
async def test_an_interrupt_pauses_at_any_point(store: Store, wait_for: str) -> None:
    examiner = ScriptedExaminer(hold=asyncio.Event())
    interview = begin(store, (outline(ONE),), RUBRICS, examiner)
    async with Held(interview) as held:
        if wait_for != "your_turn":
            await held.type("First alpha decides it all.", "", until="thinking")
        if wait_for == "error":
            await held.type("/cancel", until="error")
        await held.listener.until(wait_for)
        held.conversation.interrupt()
        await held.ended()
    assert held.listener.events[-1].event == "paused"
    assert store.history.session(interview.session_id).status == "paused"


@pytest.mark.parametrize("line", ["some words", "/hint", "/idk"])
async def test_after_a_failure_only_a_remedy_helps(store: Store, line: str) -> None:
    examiner = ScriptedExaminer(hold=asyncio.Event())
    interview = begin(store, (outline(ONE),), RUBRICS, examiner)
    async with Held(interview) as held:
        await held.type("First alpha decides it all.", "", until="thinking")
        await held.type("/cancel", until="error")
        await held.type(line, "", until="refused")
        await held.type("/offline", until="follow_up")
        await held.ends("/end")
    assert held.listener.refusals == ["The last step failed; retry it, go offline, or pause."]
    assert held.listener.count("examiner") == 1


@pytest.mark.parametrize(
    ("chunks", "lines"),
    [
        ([b"one\ntwo\n"], ["one", "two"]),
        ([b"no end"], ["no end"]),
        ([b"one\r\n", b"\n", b"three"], ["one", "", "three"]),
        ([b"caf\xc3", b"\xa9\n"], ["café"]),
        ([b"bad \xff byte\n"], ["bad \ufffd byte"]),
        ([], []),
    ],
)
async def test_lines_are_read_as_they_come(chunks: Sequence[bytes], lines: list[str]) -> None:
    reader, writer = os.pipe()
    try:
        for chunk in chunks:
            os.write(writer, chunk)
        os.close(writer)
        assert [line async for line in stdin_lines(reader)] == lines
    finally:
        os.close(reader)


@pytest.mark.parametrize("retrying", [True, False])
@pytest.mark.parametrize("as_json", [True, False])
@pytest.mark.parametrize("word", ["cancel", "pause"])
async def test_cancel_and_pause_work_while_a_call_waits(
    store: Store, word: str, as_json: bool, retrying: bool
) -> None:
    examiner = ScriptedExaminer(hold=asyncio.Event())
    examiner.retries = [Retrying(1, 2, 60.0, "Limited.")] if retrying else []
    interview = begin(store, [outline(ONE)], RUBRICS, examiner)
    async with Held(interview, as_json=as_json) as held:
        await held.listener.until("your_turn")
        await held.type(
            *(['"An answer."'] if as_json else ["An answer.", ""]),
            until="retrying" if retrying else "thinking",
        )
        await held.type(
            f'{{"command": "{word}"}}' if as_json else f"/{word}",
            until={"cancel": "error", "pause": "paused"}[word],
        )
        assert held.listener.refusals == []
        assert held.listener.answers() == ["An answer."]


async def test_cancel_is_heard_behind_a_line_that_has_to_wait(store: Store) -> None:
    examiner = ScriptedExaminer(hold=asyncio.Event())
    interview = begin(store, [outline(ONE)], RUBRICS, examiner)
    async with Held(interview) as held:
        await held.listener.until("your_turn")
        await held.type("An answer.", "", until="thinking")
        await held.type("/hint", "/cancel", until="error")


SIZE = "We trained a 70B model on 1.4 trillion tokens."


def test_as_text_and_as_json_a_session_is_marked_by_hand() -> None:
    asked = ("run", "--question", "own-project-number", "--examiner", "offline")
    out = typed(
        *asked, stdin=f"{SIZE}\n\n/numbers\n/number 1 7B\n/numbers\n/number 9\n/end\n"
    ).stdout
    assert "“70B model”" in out
    assert "“7B”" in out
    assert "no number 9" in out
    lines = [SIZE, "/numbers", "/number 1 strike", "/numbers", "/end"]
    told = json_lines(typed(*asked, "--json", stdin="\n".join(map(json.dumps, lines))).stdout)
    before, after = [each["numbers"] for each in told if each["event"] == "numbers"]
    assert [each["status"] for each in before] == ["stands", "stands"]
    assert [each["status"] for each in after] == ["struck", "stands"]
    assert any(each["event"] == "figure_marked" for each in told)
