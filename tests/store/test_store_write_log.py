"""Whatever was written when the power failed, what was acknowledged before is there afterwards."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from support.disk import Cut, Gone, Note, Operation, Sync, Write, reachable, recorded
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


def test_the_recording_holds_every_write(recording: list[Operation], path: Path) -> None:
    names = {each.name for each in recording if isinstance(each, Write | Sync)}
    assert {"sessions.db", "sessions.db-wal"} <= names
    assert (
        list(losses(recording, [(len(recording), "killed")], random.Random(0), interviews=False))
        == []
    )
    whole = acknowledged(each for each in recording if isinstance(each, Note))
    assert len(whole.sessions["5e551001"].said) == 3
    assert not whole.sessions["5e551001"].drafts


def test_a_kill_or_a_power_cut_at_any_write_loses_nothing(recording: list[Operation]) -> None:
    """A sample; ``tests/evals/durability/kills.py`` looks at every one."""
    dice, begin = random.Random(16), begun(recording)
    everywhere = points(recording, ("killed", "dropped", "torn"))
    later = [place for place in everywhere if place[0] > begin]
    creating = [place for place in everywhere if place[0] <= begin]
    chosen = sorted(dice.sample(creating, 1) + dice.sample(later, 24))
    assert list(losses(recording, chosen, dice, interviews=False)) == []


@pytest.mark.parametrize("left_out", ["the log's syncs", "the log"])
def test_what_is_lost_is_found(recording: list[Operation], left_out: str) -> None:
    """A store that did not sync, or whose log was thrown away, would be told of."""

    def kept(each: Operation) -> bool:
        if isinstance(each, Note) or not each.name.endswith("-wal"):
            return True
        return left_out != "the log" and not isinstance(each, Sync)

    faulty = [each for each in recording if kept(each)]
    faulty = [each for each in faulty if not isinstance(each, Gone | Cut)]
    before_the_end = [place for place in points(faulty, ["dropped"]) if place[0] > begun(faulty)]
    assert list(losses(faulty, before_the_end[:4], random.Random(0), interviews=False))
