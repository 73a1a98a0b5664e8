"""Whatever was written when the power failed, what was acknowledged before is there afterwards."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from support.disk import Note, Operation, Sync, Write, reachable, recorded
from support.write_log import acknowledged, losses, points

TESTS = Path(__file__).parents[1]
WRITER = """
import sys
from pathlib import Path
from support.commits import draft, new_session, said, started
from support.disk import Recorder
from interviewer.store.store import Store

recorder = Recorder(Path(sys.argv[1]))
recorder.install()
store = Store(Path(sys.argv[2]))
store.create_session(new_session(), started())
recorder.note(("created", "5e551001"))
for number in range(1, 4):
    store.save_draft("5e551001", "answer", draft(f"draft {number}"))
    recorder.note(("draft", "5e551001", "answer", f"draft {number}"))
    text = f"answer {number} " * 50
    store.append("5e551001", said(number, text, clear_drafts=frozenset({"answer"})))
    recorder.note(("entry", "5e551001", "answer", text, ("answer",)))
store.close()
"""


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> list[Operation]:
    """A session from the first write of its database to the last."""
    if not reachable():
        pytest.skip("SQLite is built into this interpreter, so its writes cannot be recorded")
    folder = tmp_path_factory.mktemp("recording")
    arguments = [str(folder / "log"), str(folder / "sessions.db")]
    place = {"PYTHONPATH": f"{TESTS}:{TESTS.parent}"}
    subprocess.run([sys.executable, "-c", WRITER, *arguments], env=place, check=True)
    return list(recorded(folder / "log"))


def begun(recording: list[Operation]) -> int:
    """How many operations there are before the first draft was acknowledged."""
    return next(
        n for n, each in enumerate(recording) if isinstance(each, Note) and each.what[0] == "draft"
    )


def test_a_kill_or_a_power_cut_at_any_write_loses_nothing(recording: list[Operation]) -> None:
    """A sample; ``tests/evals/durability/kills.py`` looks at every one."""
    names = {each.name for each in recording if isinstance(each, Write | Sync)}
    assert {"sessions.db", "sessions.db-wal"} <= names
    whole = acknowledged(each for each in recording if isinstance(each, Note))
    assert len(whole.sessions["5e551001"].said) == 3
    dice, begin = random.Random(16), begun(recording)
    everywhere = points(recording, ("killed", "dropped", "torn"))
    later = [place for place in everywhere if place[0] > begin]
    creating = [place for place in everywhere if place[0] <= begin]
    chosen = sorted(dice.sample(creating, 1) + dice.sample(later, 24))
    chosen.append((len(recording), "killed"))
    assert list(losses(recording, chosen, dice, interviews=False)) == []
