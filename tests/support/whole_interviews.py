"""Interviews as people lead them from the first start to a deletion, with every write recorded.

A course is a list of sittings, each of them one process over the same folder: a command, such as an
interview in plain text, or the full screen.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pickle
import shutil
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual import events
from textual.pilot import Pilot

from interviewer.settings import load_settings
from interviewer.store import backup, opening
from interviewer.store.store import Store
from support.command_line import typed
from support.disk import Before, Note, Operation, Recorder, recorded
from support.stage import editor, my_turn, opens, sees, turn_owner, until
from support.write_log import NAME, stored
from tui.app import InterviewerApp
from tui.interview.presenter import TurnOwner
from tui.keyboard import GRACE
from tui.screens.debrief import DebriefScreen
from tui.screens.home import HomeScreen
from tui.screens.setup import SetupScreen
from tui.widgets.pages import ViList

PLAN = """
id: three-rounds
version: 1
title: Three rounds
description: One question each.
rounds:
""" + "".join(
    f"""
  - id: {topic}
    title: About {topic}
    persona: {{name: Mara, manner: calm}}
    minutes: 20
    follow_ups: 2
    count: 1
    ask: [{question}]
"""
    for topic, question in (
        ("attention", "attention-scale-root-dk"),
        ("sharding", "what-zero-one-shards"),
        ("serving", "what-the-kv-cache-holds"),
    )
)
ANSWERS = (
    "The variance of the products grows with the width of the heads, so the softmax saturates and "
    "its gradients vanish; dividing by the root of that width brings the variance back to one.",
    "I would measure it before I claimed that, on eight cards and with a long sequence.",
    "Each rank holds its own part of the optimiser states, which is twelve bytes a parameter in "
    "mixed precision, and gathers the rest when it is needed.",
    "The keys and values of all tokens so far, for each layer and head; it grows with the batch.",
)
HINT, IDK, SKIP, PAUSE = "/hint", "/idk", "/skip", "/pause"
MOST_TURNS = 60


def _answer(number: int) -> str:
    return f"{ANSWERS[number % len(ANSWERS)]} That is what I would say the {number + 1}. time."


# -- the sittings, each in a process of its own ----------------------------------------


@dataclass(frozen=True)
class Typed:
    """``interviewer ARGUMENTS``; ``{last}`` is the id of the latest session, ``{folder}`` that of
    all files.

    At each turn the next of ``says`` is typed, a command or an answer; then answers, in turn.
    """

    arguments: tuple[str, ...]
    says: tuple[str, ...] = ()

    def sit(self, folder: Path) -> None:
        given = [each.format(last=_latest(folder), folder=folder) for each in self.arguments]
        lines = [*self.says, *map(_answer, range(len(self.says), MOST_TURNS))]
        typed(*given, stdin="".join(f"{said}\n" + "\n" * (said[0] != "/") for said in lines))


def _latest(folder: Path) -> str:
    database = folder / "data" / NAME
    if not database.exists():
        return ""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        newest = "SELECT id FROM sessions ORDER BY created_at DESC LIMIT 1"
        return str((connection.execute(newest).fetchone() or [""])[0])


@dataclass(frozen=True)
class Screened:
    """The full screen; ``drive`` says what is pressed."""

    drive: Callable[[Pilot[None]], Any]

    def sit(self, folder: Path) -> None:
        asyncio.run(self._driven())

    async def _driven(self) -> None:
        async with InterviewerApp(load_settings()).run_test(size=(120, 36)) as pilot:
            await self.drive(pilot)


def _sit(course: str, number: int, folder: Path) -> None:
    os.environ.update(
        INTERVIEWER_DATA_DIR=str(folder / "data"),
        INTERVIEWER_CONFIG_DIR=str(folder / "config"),
        INTERVIEWER_EXAMINER="offline",
    )
    recorder = Recorder(folder / "log")
    recorder.install()
    _note_commits(recorder)
    COURSES[course][number].sit(folder)


def _note_commits(recorder: Recorder) -> None:
    """After each commit, note what it acknowledges; after each backup, that it was made."""
    purposes: dict[int, object] = {}

    class Connection(sqlite3.Connection):
        def commit(self) -> None:
            super().commit()
            if purpose := purposes.pop(threading.get_ident(), None):
                recorder.note(purpose)

    connect: Callable[..., Any] = sqlite3.connect
    sqlite3.connect = lambda *given, **named: connect(  # type: ignore[assignment]
        *given, **{"factory": Connection, **named}
    )

    def before(of: type, method: str, purpose: Callable[..., object]) -> None:
        original = getattr(of, method)

        def told(self: object, *given: Any, **named: Any) -> Any:
            purposes[threading.get_ident()] = purpose(*given)
            return original(self, *given, **named)

        setattr(of, method, told)

    before(Store, "create_session", lambda new, _: ("created", new.id))
    before(Store, "append", _appended)
    before(Store, "save_draft", lambda id_, pane, draft: ("draft", id_, pane, draft.text))
    before(Store, "delete_session", lambda id_: ("deleted", id_))
    before(Store, "add_regrade", lambda id_: ("regraded", id_))
    back_up = backup.back_up

    def backing_up(path: Path, copy: Path) -> None:
        back_up(path, copy)
        recorder.note(("copied", copy.name))

    backup.back_up = opening.back_up = backing_up


def _appended(session: str, commit: Any) -> tuple[object, ...]:
    text = commit.turn.text if commit.turn else ""
    return "entry", session, commit.entry.kind, text, tuple(commit.clear_drafts)


# -- the full screen -------------------------------------------------------------------


async def begin_and_pause(pilot: Pilot[None]) -> None:
    """Half a mock with a hint and an unknown answer, then half a sentence and a pause."""
    await _start(pilot)
    await _press_for_a_turn(pilot, "ctrl+t")
    await _give(pilot, 2)
    await _press_for_a_turn(pilot, "f3")
    await _give(pilot, 1)
    await _type(pilot, "Half a sentence that waits for")
    await pilot.press("f2")
    await _until_home(pilot)


async def resume_to_the_debrief(pilot: Pilot[None]) -> None:
    await _resume(pilot)
    await _give(pilot, MOST_TURNS)
    await pilot.press("escape")
    await _until_home(pilot)


async def _start(pilot: Pilot[None]) -> None:
    await _until_home(pilot)
    await pilot.press("n")
    await opens(pilot, SetupScreen)
    await sees(pilot, "Three rounds")
    plans = pilot.app.screen.query_one("#plans", ViList)
    plans.highlighted = plans.get_option_index("three-rounds")
    await pilot.press("ctrl+s")
    await my_turn(pilot)


async def _resume(pilot: Pilot[None]) -> None:
    await _until_home(pilot)
    await sees(pilot, "Resume")
    await pilot.press("r")
    await my_turn(pilot)


async def _until_home(pilot: Pilot[None]) -> None:
    await opens(pilot, HomeScreen)
    await sees(pilot, "New mock")
    await sees(pilot, "Examiner:")
    await pilot.pause(2 * GRACE)  # a person reads it first


def _debriefed(pilot: Pilot[None]) -> bool:
    return isinstance(pilot.app.screen, DebriefScreen)


def _mine(pilot: Pilot[None]) -> bool:
    return turn_owner(pilot) is TurnOwner.CANDIDATE


async def _give(pilot: Pilot[None], most: int) -> None:
    """Answer so many turns, or until the debrief; back at the candidate's turn."""
    for _ in range(most):
        await until(pilot, lambda: _mine(pilot) or _debriefed(pilot))
        if _debriefed(pilot):
            return
        await _type(pilot, _answer(_said(pilot)))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: _debriefed(pilot) or (_mine(pilot) and not editor(pilot).text))


async def _press_for_a_turn(pilot: Pilot[None], key: str) -> None:
    before = _said(pilot)
    await pilot.press(key)
    await until(pilot, lambda: _said(pilot) > before and _mine(pilot))


async def _type(pilot: Pilot[None], text: str) -> None:
    before = editor(pilot).text
    pilot.app.post_message(events.Paste(text))
    await until(pilot, lambda: editor(pilot).text == before + text)
    await until(pilot, lambda: text in _drafts(pilot))


def _interview(pilot: Pilot[None]) -> tuple[int, str]:
    """How much was said in the latest session, and what is typed there."""
    store = pilot.app.bridge.engine.store  # type: ignore[attr-defined]
    (row,) = store.history.sessions(1)
    draft = store.drafts(row.id).get("answer")
    return len(store.turns(row.id)), draft.text if draft else ""


def _said(pilot: Pilot[None]) -> int:
    return _interview(pilot)[0]


def _drafts(pilot: Pilot[None]) -> str:
    return _interview(pilot)[1]


RUN = ("run", "--plan", "three-rounds", "--examiner", "offline", "--seed", "1")
AFTERWARDS = (
    Typed(("sessions", "regrade", "--examiner", "offline", "{last}")),
    Typed(("sessions", "backup", "{folder}/data/copy.db")),
    Typed(("run", "--question", "what-a-straggler-costs"), (SKIP,)),
    Typed(("sessions", "delete", "--yes", "{last}")),
)
COURSES: Mapping[str, Sequence[Typed | Screened]] = {
    "a plain mock, regraded, copied, deleted": (
        Typed(RUN, (HINT, _answer(1), IDK, _answer(3), _answer(4), PAUSE)),
        Typed(("run", "--resume")),
        *AFTERWARDS,
    ),
    "a full-screen mock, regraded, copied, deleted": (
        Screened(begin_and_pause),
        Screened(resume_to_the_debrief),
        *AFTERWARDS,
    ),
    "plain practice": (Typed((*RUN, "--mode", "practice"), (_answer(0), SKIP, IDK)),),
    "a migration, resumed": (Typed(("sessions", "list")), Typed(("run", "--resume"))),
}
BEGINS_WITH = {"a migration, resumed": "revision-0001.sql"}
"""Databases of earlier versions, of those that the tests keep."""
_FIXTURES = Path(__file__).parents[1] / "store" / "fixtures"


def recording(course: str, folder: Path) -> list[Operation]:
    """Sit through a course in an empty folder; all that was written there, in order."""
    (folder / "config" / "plans").mkdir(parents=True)
    (folder / "config" / "plans" / "three-rounds.yaml").write_text(PLAN, encoding="utf-8")
    (folder / "data").mkdir()
    log = folder / "log"
    if course in BEGINS_WITH:
        log.write_bytes(_begun_with(BEGINS_WITH[course], folder / "data" / NAME))
    for number in range(len(COURSES[course])):
        # A new process: what it records is for good, and it begins as the program does.
        sitting = multiprocessing.get_context("spawn").Process(
            target=_sit, args=(course, number, folder)
        )
        sitting.start()
        sitting.join()
        assert sitting.exitcode == 0, f"{course}: sitting {number} ended with {sitting.exitcode}"
    return list(recorded(log))


def _begun_with(script: str, database: Path) -> bytes:
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript((_FIXTURES / script).read_text(encoding="utf-8"))
    aside = database.with_name("aside") / NAME
    aside.parent.mkdir()
    shutil.copy(database, aside)
    held = Note(("held", stored(aside)))
    shutil.rmtree(aside.parent)
    return pickle.dumps(Before(NAME, database.read_bytes())) + pickle.dumps(held)
