"""One session in several windows: one of them writes, nobody's acknowledged words are lost."""

from __future__ import annotations

import asyncio
import json
import random
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import pytest
from support.examiners import ScriptedExaminer
from support.postgres import queried
from support.rubrics import ONE, TWO
from support.sessions import begin, hold, outline, reopen
from support.windows import Window, opened_at_once

from interviewer.errors import OvertakenError
from interviewer.interview import commands
from interviewer.interview.journal import held_by, load, repair, this_process
from interviewer.settings.database_url import Place
from interviewer.store.records import Draft
from interviewer.store.store import Store

SESSION = "5e55107700"
RUBRICS = {ONE.id: ONE, TWO.id: TWO}


@pytest.fixture
def store(place: Place) -> Any:
    with closing(Store(place)) as store:
        yield store


async def begun(store: Store, rounds: int = 1) -> None:
    """A session that waits for its first answer."""
    planned = (outline(ONE), outline(TWO)) * rounds
    interview = begin(store, planned, RUBRICS, ScriptedExaminer())
    await hold(interview, [])


def said(store: Store) -> list[str]:
    return [turn.text for turn in store.turns(SESSION) if turn.author == "candidate"]


@pytest.mark.parametrize(("windows", "seed"), [(2, 0), (3, 1), (3, 2), (10, 0)])
async def test_any_order_of_windows_leaves_a_session_that_can_be_read(
    store: Store, windows: int, seed: int
) -> None:
    await begun(store)
    draw = random.Random(seed)
    opened: list[Window] = []
    choices = [commands.EndRound(), commands.DontKnow(), commands.AskHint(), commands.Pause()]
    for number in range(6 * windows):
        alive = [each for each in opened if not each.told and not each.over]
        if load(store, SESSION).state.finished:
            break
        if len(opened) < windows and (not alive or draw.random() < 0.4):
            opened.append(Window(reopen(store, SESSION, ScriptedExaminer())))
            await opened[-1].open()
        elif alive:
            answer = commands.Answer(f"Well, the alpha effect, take {number}.")
            acting = draw.choice(alive)
            command = draw.choice([answer, answer, *choices])
            await acting.act(command)
            if command is answer:
                assert acting.told is (acting is not opened[-1])
        replay = load(store, SESSION)
        assert not replay.gap
    acknowledged = [text for each in opened for text in each.acknowledged]
    assert sorted(acknowledged) == sorted(text for text in said(store) if "take" in text)


async def test_windows_of_processes_lose_no_words(place: Place, store: Store) -> None:
    await begun(store)
    seen = await asyncio.to_thread(opened_at_once, place, SESSION, 3)
    acknowledged = [text for each in seen for text in each.acknowledged]
    assert len(acknowledged) == 1
    assert sum(each.told for each in seen) == 2
    assert acknowledged == said(store)
    assert not load(store, SESSION).gap


async def test_the_window_that_was_left_behind_is_told_and_writes_nothing(store: Store) -> None:
    await begun(store)
    first = Window(reopen(store, SESSION, ScriptedExaminer()))
    await first.open()
    first.interview.save_draft("begun in the first", "answer")
    second = Window(reopen(store, SESSION, ScriptedExaminer()))
    await second.open()
    assert second.interview.drafts()["answer"] == "begun in the first"
    with pytest.raises(OvertakenError, match="was continued in another window"):
        first.interview.save_draft("and overwritten", "answer")
    await first.act(commands.EndRound())
    assert first.told
    await second.act(commands.Answer("Alpha decides it, says the second window."))
    assert second.acknowledged == said(store) == ["Alpha decides it, says the second window."]
    assert not load(store, SESSION).gap


async def test_a_session_is_held_until_it_is_left(store: Store) -> None:
    await begun(store)
    row = store.history.session(SESSION)
    assert row.holder == this_process()
    assert held_by(row) == ""
    held(store, "elsewhere 12")
    assert held_by(store.history.session(SESSION)) == "on elsewhere"
    host = this_process().rpartition(" ")[0]
    held(store, f"{host} 1")
    assert held_by(store.history.session(SESSION)) == "in process 1"
    held(store, f"{host} 4194999")  # beyond the largest number that a process gets
    assert held_by(store.history.session(SESSION)) == ""
    await hold(reopen(store, SESSION, ScriptedExaminer()), [commands.Pause()])
    assert store.history.session(SESSION).holder == ""


def held(store: Store, holder: str) -> None:
    queried(store.place, "UPDATE sessions SET holder = :holder", holder=holder)


async def torn_by_two_writers(store: Store) -> None:
    """As versions without a check left it: one window ended the round, the other answered."""
    await begun(store)
    first = Window(reopen(store, SESSION, ScriptedExaminer()))
    await first.open()
    await first.act(commands.EndRound())
    ended = [each.kind for each in store.entries(SESSION)].index("round_end") + 1
    answer = {"event": "answer", "turn": 2, "kind": "answer", "text": "Nobody heard this."}
    queried(store.place, "DELETE FROM entries WHERE seq > :ended", ended=ended)
    for seq, payload in ((ended + 1, answer), (ended + 2, {"event": "paused"})):
        queried(
            store.place,
            "INSERT INTO entries (session_id, seq, kind, payload, at, elapsed) "
            "VALUES (:session, :seq, :kind, :payload, '2026-05-04 12:00:00.000000', 3.0)",
            session=SESSION,
            seq=seq,
            kind=payload["event"],
            payload=json.dumps(payload),
        )


async def test_repair_leaves_a_session_that_goes_on_with_the_answer_as_draft(store: Store) -> None:
    await torn_by_two_writers(store)
    store.save_draft(
        SESSION, "answer", Draft("Typed since.", datetime(2026, 5, 4, 12, 1, tzinfo=UTC), 3.0)
    )
    stored, answers = repair(store, SESSION)
    assert answers == ("Nobody heard this.",)
    assert "makes no sense after entry" in stored.gap
    assert (len(stored.unread), stored.state.rounds[0].ended) == (2, "ended")
    assert not load(store, SESSION).gap
    assert store.history.session(SESSION).status == "paused"
    assert store.drafts(SESSION)["answer"].text == "Typed since.\n\nNobody heard this."
    interview = reopen(store, SESSION, ScriptedExaminer())
    events = await hold(interview, [commands.Answer("Alpha."), commands.EndInterview()])
    assert events[-1].event == "debrief"
    assert load(store, SESSION).state.finished
    assert repair(store, SESSION)[1] == ()
