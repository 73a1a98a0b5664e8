"""Breaks, and notices in between: where the candidate takes something in."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from support.rubrics import ONE, TWO
from support.sessions import HandClock, begin, of_kind, outline, react

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.interview import commands, events
from interviewer.interview.interview import Interview
from interviewer.interview.journal import load
from interviewer.store.store import Store

SESSION = "b4ea600000"
RUBRICS = {rubric.id: rubric for rubric in (ONE, TWO)}


def an_interview(
    store: Store, mode: events.Mode, *rounds: events.RoundOutline, clock: HandClock | None = None
) -> Interview:
    running = begin(
        store,
        rounds or (outline(ONE, TWO),),
        RUBRICS,
        OfflineExaminer(),
        mode=mode,
        now=clock,
        session=SESSION,
    )
    running.has_breaks = True
    return running


async def held(running: Interview, at_breaks: Sequence[commands.Command]) -> list[events.Event]:
    """Skip every question, and answer each break with the next command."""
    replies = [*at_breaks]
    seen = await react(running, {events.YourTurn: commands.Skip(), events.Break: replies})
    assert len(of_kind(seen, events.Break)) == len(replies)
    return seen


def asked(seen: Sequence[events.Event]) -> list[tuple[str, int, int]]:
    found = of_kind(seen, events.QuestionAsked)
    return [(event.rubric, event.question, event.questions) for event in found]


def not_asked(seen: Sequence[events.Event]) -> int:
    ended = seen[-1]
    assert isinstance(ended, events.SessionEnded)
    return ended.not_asked


async def test_practice_waits_after_each_grade_with_the_clock_stopped(store: Store) -> None:
    clock = HandClock()
    running = an_interview(store, "practice", clock=clock)
    breaks = 0
    async for event in running:
        if isinstance(event, events.YourTurn):
            running.send(commands.Skip())
        if isinstance(event, events.Break):
            breaks += 1
            assert event.may_retry
            before = running.seconds_left
            clock.seconds += 100
            assert running.seconds_left == before
            running.send(commands.GoOn())
    assert breaks == 2
    assert running.state.finished


async def test_a_question_can_be_tried_again(store: Store) -> None:
    running = an_interview(store, "practice")
    seen = await held(running, [commands.TryAgain(), commands.GoOn(), commands.GoOn()])
    assert asked(seen) == [(ONE.id, 1, 2), (ONE.id, 2, 3), (TWO.id, 3, 3)]
    assert not_asked(seen) == 0
    assert load(store, SESSION).state == running.state


@pytest.mark.parametrize("command", [commands.EndRound(), commands.EndInterview()])
async def test_a_break_can_end_it(store: Store, command: commands.Command) -> None:
    seen = await held(an_interview(store, "practice"), [command])
    assert asked(seen) == [(ONE.id, 1, 2)]
    assert not_asked(seen) == 1


async def test_after_time_is_up_the_next_round_waits(store: Store) -> None:
    running = an_interview(store, "exam", outline(ONE, seconds=0), outline(TWO, seconds=0))
    seen = [event.event for event in await held(running, [commands.GoOn()])]
    assert seen.count("time_up") == 2
    first_end = seen.index("round_end")
    assert seen[first_end : first_end + 3] == ["round_end", "break", "round"]
    assert seen.count("break") == 1


async def test_an_optional_round_can_be_left_out(store: Store) -> None:
    rounds = outline(ONE, seconds=0), replace(outline(TWO), optional=True)
    seen = await held(an_interview(store, "exam", *rounds), [commands.EndInterview()])
    assert not_asked(seen) == 0
    assert asked(seen) == [(ONE.id, 1, 1)]
    assert load(store, SESSION).state.finished


async def test_the_clock_waits_for_the_candidate(store: Store) -> None:
    clock = HandClock()
    running = an_interview(store, "exam", clock=clock)
    running.waits = True
    left: list[float] = []

    async def candidate() -> None:
        for seconds in (100, 7):
            await asyncio.sleep(0.01)
            clock.seconds += seconds
            left.append(running.seconds_left)
            running.begin()
        running.send(commands.EndInterview())

    reading: list[asyncio.Task[None]] = []
    async for event in running:
        if isinstance(event, events.YourTurn):
            reading.append(asyncio.ensure_future(candidate()))
    assert len(reading) == 1
    assert left == [600, 593]
