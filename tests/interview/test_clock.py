"""The computer's clock is set back or forward while an interview goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.examiners import ScriptedExaminer
from support.rubrics import ONE, TWO
from support.sessions import HandClock, begin, outline
from support.tables import table

from interviewer.composition import resume_interview
from interviewer.interview import commands
from interviewer.interview.events import YourTurn
from interviewer.interview.inbox import due_warning
from interviewer.interview.interview import Interview
from interviewer.interview.journal import load
from interviewer.settings import load_settings
from interviewer.store.store import Store

SESSION = "5e55107700"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
JUMPS = [timedelta(hours=-1), timedelta(days=1)]


class Stopwatch(HandClock):
    """It is looked at first when the candidate's time begins, and goes on with every look."""

    def __init__(self, step: float = 0.0) -> None:
        super().__init__()
        self.begun = asyncio.Event()
        self._step = step

    def __call__(self) -> float:
        self.begun.set()
        self.seconds += self._step
        return self.seconds


class WallClock:
    """The computer's clock, which anyone may set."""

    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "sessions.db")) as store:
        yield store


async def jumping(
    interview: Interview, wall: WallClock, jump: timedelta, *answers: commands.Command
) -> None:
    """Hold the interview to its end; the clock jumps before each of these."""
    waiting = list(answers)
    async for event in interview:
        if isinstance(event, YourTurn):
            wall.time += jump
            interview.send(waiting.pop(0) if waiting else commands.EndInterview())


def resumed(store: Store) -> Interview:
    return resume_interview(load_settings(), store, SESSION, examiner="offline")


@pytest.mark.parametrize("jump", JUMPS, ids=str)
async def test_the_rounds_clock_and_the_draft_survive_a_jump(store: Store, jump: timedelta) -> None:
    wall, stopwatch = WallClock(), Stopwatch()
    rubrics = {ONE.id: ONE, TWO.id: TWO}
    rounds = (outline(ONE), outline(TWO))
    interview = begin(store, rounds, rubrics, ScriptedExaminer(), now=stopwatch, at=wall)

    async def waits_for_an_answer() -> None:
        async for _ in interview:
            pass

    waiting = asyncio.create_task(waits_for_an_answer())
    await stopwatch.begun.wait()
    wall.time += jump
    stopwatch.seconds = 200.0
    interview.save_draft("typed after the jump", "answer")
    waiting.cancel()
    again = resumed(store)
    assert again.seconds_left == 400.0
    assert again.drafts()["answer"] == "typed after the jump"


@pytest.mark.parametrize("jump", JUMPS, ids=str)
async def test_times_in_a_journal_only_rise(store: Store, jump: timedelta) -> None:
    wall = WallClock()
    interview = begin(store, (outline(ONE),), {ONE.id: ONE}, ScriptedExaminer(), at=wall)
    answers = commands.Answer("The first letters."), commands.Answer("The last letters.")
    await jumping(interview, wall, jump, *answers)
    replay = load(store, SESSION)
    times = [each.at for each in replay.journal]
    assert times == sorted(set(times))
    assert replay.gap == ""
    assert replay.state.finished
    assert times[-1] >= NOON


async def test_notes_of_an_earlier_round_do_not_set_the_clock(store: Store) -> None:
    wall = WallClock()
    rounds = (outline(ONE), outline(TWO))
    rubrics = {ONE.id: ONE, TWO.id: TWO}
    interview = begin(store, rounds, rubrics, ScriptedExaminer(), now=Stopwatch(10.0), at=wall)
    turns = 0
    async for event in interview:
        if isinstance(event, YourTurn):
            turns += 1
            if turns == 1:
                interview.send(commands.Answer("The first letters."))
            elif interview.state.rounds[1:]:
                break
            else:
                assert interview.seconds_left < 600.0
                interview.save_draft("kept for later", "notes")
                wall.time -= timedelta(hours=1)
                interview.send(commands.EndRound())
    assert interview.seconds_left == 600.0
    assert resumed(store).seconds_left == 600.0


# -- the round's clock -------------------------------------------------------------------

CASES = table("cases", __file__)["clock"]


@pytest.mark.parametrize(("elapsed", "seconds", "given", "warning"), CASES["warnings"])
def test_warnings_come_at_five_minutes_and_at_one(
    elapsed: float, seconds: int, given: tuple[int, ...], warning: int | None
) -> None:
    assert due_warning(elapsed, seconds, frozenset(given)) == warning
