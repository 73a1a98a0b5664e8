"""Breaks: where the candidate takes something in before the interview goes on."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from support.rubrics import a_rubric
from support.sessions import HandClock, begin, outline, reopen

from interviewer.examiner.offline.examiner import OfflineExaminer
from interviewer.interview import commands, events
from interviewer.interview.interview import Interview
from interviewer.interview.journal import load
from interviewer.store.store import Store

SESSION = "b4ea600000"
ONE = a_rubric()
TWO = a_rubric(id="more-letters", title="More letters", question="And which letters follow?")
RUBRICS = {rubric.id: rubric for rubric in (ONE, TWO)}


def an_interview(
    store: Store,
    mode: events.Mode,
    *rounds: events.RoundOutline,
    clock: HandClock | None = None,
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
    seen, replies = [], list(at_breaks)
    async for event in running:
        seen.append(event)
        if isinstance(event, events.Break):
            running.send(replies.pop(0))
        elif isinstance(event, events.YourTurn):
            running.send(commands.Skip())
    assert not replies
    return seen


def asked(seen: Sequence[events.Event]) -> list[tuple[str, int, int]]:
    return [
        (event.rubric, event.question, event.questions)
        for event in seen
        if isinstance(event, events.QuestionAsked)
    ]


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
    ended = seen[-1]
    assert isinstance(ended, events.SessionEnded)
    assert (ended.graded, ended.not_asked) == (3, 0)
    assert load(store, SESSION).state == running.state


@pytest.mark.parametrize("command", [commands.EndRound(), commands.EndInterview()])
async def test_a_break_can_end_it(store: Store, command: commands.Command) -> None:
    seen = await held(an_interview(store, "practice"), [command])
    assert asked(seen) == [(ONE.id, 1, 2)]
    ended = seen[-1]
    assert isinstance(ended, events.SessionEnded)
    assert ended.not_asked == 1


async def test_paused_at_a_break_it_goes_on_with_the_next_question(store: Store) -> None:
    seen = await held(an_interview(store, "practice"), [commands.Pause()])
    assert isinstance(seen[-1], events.Paused)
    again = reopen(store, SESSION, OfflineExaminer())
    again.has_breaks = True
    assert asked(await held(again, [commands.GoOn()])) == [(TWO.id, 2, 2)]


async def test_after_time_is_up_the_next_round_waits(store: Store) -> None:
    running = an_interview(store, "exam", outline(ONE, seconds=0), outline(TWO, seconds=0))
    seen = [event.event for event in await held(running, [commands.GoOn()])]
    assert seen.count("time_up") == 2
    first_end = seen.index("round_end")
    assert seen[first_end : first_end + 3] == ["round_end", "break", "round"]
    assert seen.count("break") == 1


async def test_an_exam_has_no_breaks_between_questions(store: Store) -> None:
    seen = await held(an_interview(store, "exam"), [])
    assert asked(seen) == [(ONE.id, 1, 2), (TWO.id, 2, 2)]


async def test_a_front_end_that_asks_for_none_gets_none(store: Store) -> None:
    running = an_interview(store, "practice")
    running.has_breaks = False
    assert len(asked(await held(running, []))) == 2
