"""Interviews as people lead them from the first start to a deletion, with every write recorded.

A course is a list of sittings, each of them one process over the same folder: in plain text on a
terminal, in the full screen, or a command.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import shutil
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from textual import events
from textual.pilot import Pilot
from textual.widgets import RadioButton

from interviewer.settings import load_settings
from support.crashed import Crashing, Hooks, forks, install
from support.disk import Before, Note, Operation, recorded
from support.stage import editor, my_turn, shown, turn_owner, until
from support.write_log import NAME, stored
from tui.app import InterviewerApp
from tui.interview.presenter import TurnOwner
from tui.keyboard import GRACE
from tui.screens.debrief import DebriefScreen
from tui.screens.home import HomeScreen
from tui.screens.sessions import SessionsScreen
from tui.screens.setup import SetupScreen
from tui.widgets.dialogs import Confirm
from tui.widgets.pages import ViList
from tui.widgets.points import VerdictCard

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
HINT, IDK, SKIP, PAUSE, END = "/hint", "/idk", "/skip", "/pause", "/end"
MOST_TURNS = 60


@dataclass(frozen=True)
class Typed:
    """``interviewer ARGUMENTS`` on a terminal; ``{last}`` is the id of the latest session,
    ``{folder}`` that of all files.

    At each turn the next of ``says`` is typed, a command or an answer; then answers, in turn.
    """

    arguments: tuple[str, ...]
    says: tuple[str, ...] = ()

    def sit(self, folder: Path, environment: Mapping[str, str], hooks: Hooks) -> None:
        given = [each.format(last=_latest(folder), folder=folder) for each in self.arguments]
        with Crashing(*given, environment=environment, hooks=hooks) as window:
            for number in range(MOST_TURNS):
                if not _turn(window, number + 1):
                    break
                said = self.says[number] if number < len(self.says) else _answer(number)
                window.write(f"{said}\n" if said.startswith("/") else f"{said}\n\n")
            assert window.wait() == 0, f"{given}: {window.text.strip()}"


def _turn(window: Crashing, number: int) -> bool:
    """Whether it becomes the candidate's turn for that time, and not the end."""

    def here() -> bool:
        return bytes(window.written).count(b"[your turn") >= number

    while not here() and window.process.poll() is None:
        time.sleep(0.01)
    return here()


def _answer(number: int) -> str:
    return f"{ANSWERS[number % len(ANSWERS)]} That is what I would say the {number + 1}. time."


def _latest(folder: Path) -> str:
    database = folder / "data" / NAME
    if not database.exists():
        return ""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        newest = "SELECT id FROM sessions ORDER BY created_at DESC LIMIT 1"
        return str((connection.execute(newest).fetchone() or [""])[0])


@dataclass(frozen=True)
class Screened:
    """The full screen; ``drive`` names one of the functions below, which says what is pressed."""

    drive: str

    def sit(self, folder: Path, environment: Mapping[str, str], hooks: Hooks) -> None:
        process = forks().Process(target=_be_driven, args=(self.drive, dict(environment), hooks))
        process.start()
        process.join()
        assert process.exitcode == 0, f"{self.drive} ended with {process.exitcode}"


def _be_driven(drive: str, environment: Mapping[str, str], hooks: Hooks) -> None:
    """In the forked process: the program without a terminal, driven from within."""
    os.environ.update(environment)
    install(hooks)
    asyncio.run(_driven(drive))


async def _driven(drive: str) -> None:
    async with InterviewerApp(load_settings()).run_test(size=(120, 36)) as pilot:
        await DRIVES[drive](pilot)


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


async def practise_with_retries(pilot: Pilot[None]) -> None:
    """A whole plan in practice, with each question's verdict; the first two are tried again."""
    await _start(pilot, practice=True)
    for verdicts in count(1):
        await _give(pilot, MOST_TURNS)
        if _debriefed(pilot):
            break
        await pilot.press("r" if verdicts in (1, 3) else "enter")
    await pilot.press("escape")
    await _until_home(pilot)


async def delete_the_latest(pilot: Pilot[None]) -> None:
    await _until_home(pilot)
    await pilot.press("s")
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionsScreen))
    await until(pilot, lambda: "Three rounds" in shown(pilot))
    await pilot.pause(2 * GRACE)
    await pilot.press("d")
    await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
    await pilot.pause(2 * GRACE)
    await pilot.press("y")
    await until(pilot, lambda: "Three rounds" not in shown(pilot))


DRIVES = {
    each.__name__: each
    for each in (
        begin_and_pause,
        resume_to_the_debrief,
        practise_with_retries,
        delete_the_latest,
    )
}


async def _start(pilot: Pilot[None], *, practice: bool = False) -> None:
    await _until_home(pilot)
    await pilot.press("n")
    await until(pilot, lambda: isinstance(pilot.app.screen, SetupScreen))
    await until(pilot, lambda: "Three rounds" in shown(pilot))
    plans = pilot.app.screen.query_one("#plans", ViList)
    plans.highlighted = plans.get_option_index("three-rounds")
    if practice:
        modes = pilot.app.screen.query("#mode RadioButton").results(RadioButton)
        next(each for each in modes if each.name == "practice").value = True
    await pilot.press("ctrl+s")
    await my_turn(pilot)


async def _resume(pilot: Pilot[None]) -> None:
    await _until_home(pilot)
    await until(pilot, lambda: "Resume" in shown(pilot))
    await pilot.press("r")
    await my_turn(pilot)


async def _until_home(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, HomeScreen))
    await until(pilot, lambda: "New mock" in shown(pilot) and "Examiner:" in shown(pilot))
    await pilot.pause(2 * GRACE)  # a person reads it first


def _debriefed(pilot: Pilot[None]) -> bool:
    return isinstance(pilot.app.screen, DebriefScreen)


def _stopped(pilot: Pilot[None]) -> bool:
    return _debriefed(pilot) or isinstance(pilot.app.screen, VerdictCard)


def _mine(pilot: Pilot[None]) -> bool:
    return turn_owner(pilot) is TurnOwner.CANDIDATE


async def _give(pilot: Pilot[None], most: int) -> None:
    """Answer so many turns, or until a verdict or the debrief; back at the candidate's turn."""
    for _ in range(most):
        await until(pilot, lambda: _mine(pilot) or _stopped(pilot))
        if _stopped(pilot):
            return
        await _type(pilot, _answer(_said(pilot)))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: _stopped(pilot) or (_mine(pilot) and not editor(pilot).text))


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


Course = Sequence[Typed | Screened]
RUN = ("run", "--plan", "three-rounds", "--examiner", "offline", "--seed", "1")
AFTERWARDS = (
    Typed(("sessions", "regrade", "--examiner", "offline", "{last}")),
    Typed(("sessions", "backup", "{folder}/data/copy.db")),
)
COURSES: Mapping[str, Course] = {
    "a plain mock, regraded, copied, deleted": (
        Typed(RUN, (HINT, _answer(1), IDK, _answer(3), _answer(4), PAUSE)),
        Typed(("run", "--resume")),
        *AFTERWARDS,
        Typed(("run", "--question", "what-a-straggler-costs"), (SKIP,)),
        Typed(("sessions", "delete", "--yes", "{last}")),
    ),
    "a full-screen mock, regraded, copied, deleted": (
        Screened("begin_and_pause"),
        Screened("resume_to_the_debrief"),
        *AFTERWARDS,
        Screened("delete_the_latest"),
    ),
    "practice with retries": (Screened("practise_with_retries"),),
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
    environment = {
        "INTERVIEWER_DATA_DIR": str(folder / "data"),
        "INTERVIEWER_CONFIG_DIR": str(folder / "config"),
        "INTERVIEWER_EXAMINER": "offline",
    }
    for sitting in COURSES[course]:
        sitting.sit(folder, environment, Hooks(record=log))
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
