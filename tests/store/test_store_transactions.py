"""All of a commit or nothing; writers side by side; nothing acknowledged is lost in a crash."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from support.commits import KL, NOON, draft, judged, new_session, said, started
from support.postgres import queried

from interviewer.errors import StoreError, StoreWriteError
from interviewer.settings.database_url import Place, Server
from interviewer.store.records import Commit, JournalEntry
from interviewer.store.store import Store

WRITER = f"""
import sys
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from support.commits import draft, said
from interviewer.settings.database_url import Server, is_address
from interviewer.store.store import Store

place = sys.argv[1]
store = Store(Server(place) if is_address(place) else Path(place))
first, last = int(sys.argv[2]), int(sys.argv[3])
for number in range(first, last):
    store.save_draft("5e551001", "answer", draft(f"draft {{number}}"))
    print("draft", number, flush=True)
    seq = store.append("5e551001", said(number, f"answer {{number}}"))
    print("answer", number, seq, flush=True)
store.close()
"""


def writer(place: Place, first: int, last: int) -> subprocess.Popen[str]:
    """A process that saves drafts and answers, and says so after each."""
    where = place.url if isinstance(place, Server) else str(place)
    arguments = [sys.executable, "-c", WRITER, where, str(first), str(last)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)


def places(store: Store) -> list[int]:
    """The place of each entry in the journal, in order."""
    return [seq for (seq,) in queried(store.place, "SELECT seq FROM entries ORDER BY seq")]


def contents(store: Store) -> tuple[object, ...]:
    return (
        store.entries("5e551001"),
        store.turns("5e551001"),
        store.drafts("5e551001"),
        store.history.session("5e551001"),
    )


@pytest.mark.parametrize(
    "broken",
    [
        replace(judged(1), turn=said(1).turn),
        replace(judged(1), turn=replace(said(2).turn, at=NOON.replace(tzinfo=None))),
        replace(judged(1), entry=JournalEntry("grade", {"no JSON": {1, 2}}, NOON, 0.0)),
    ],
    ids=["turn number taken", "time without offset", "payload not JSON"],
)
def test_a_commit_that_fails_leaves_nothing(store: Store, broken: Commit) -> None:
    store.create_session(new_session(), started())
    store.append("5e551001", said(1))
    store.save_draft("5e551001", "answer", draft("still here"))
    before = contents(store)
    with pytest.raises(StoreError):
        store.append("5e551001", replace(broken, clear_drafts=frozenset({"answer"})))
    assert contents(store) == before
    assert store.append("5e551001", said(2)) == 3


def test_a_session_that_cannot_start_leaves_nothing(store: Store) -> None:
    unstorable = Commit(JournalEntry("session", {"when": NOON}, NOON, 0.0))
    with pytest.raises(StoreError):
        store.create_session(new_session(), unstorable)
    assert store.history.count() == 0
    store.create_session(new_session(), started())
    assert store.rubrics("5e551001")["kl"] == KL


def test_processes_that_write_at_once_fill_the_journal_without_gaps(
    store: Store, place: Place
) -> None:
    store.create_session(new_session(), started())
    for process in [writer(place, 1, 21), writer(place, 21, 41)]:
        with process:
            process.communicate()
        assert process.returncode == 0
    assert places(store) == list(range(1, 42))
    assert [turn.number for turn in store.turns("5e551001")] == list(range(1, 41))


@pytest.mark.parametrize("lines", [1, 30])
def test_kill_9_loses_nothing_that_was_acknowledged(store: Store, place: Place, lines: int) -> None:
    store.create_session(new_session(), started())
    store.close()
    with writer(place, 1, 100_000) as process:
        assert process.stdout is not None
        acknowledged = [process.stdout.readline().split() for _ in range(lines)]
        process.send_signal(signal.SIGKILL)
        acknowledged += [line.split() for line in process.stdout]
    assert process.returncode == -signal.SIGKILL

    answers = [int(line[1]) for line in acknowledged if line[0] == "answer"]
    drafts = [int(line[1]) for line in acknowledged if line[0] == "draft"]
    again = Store(place)
    stored = [turn.text for turn in again.turns("5e551001")]
    assert stored[: len(answers)] == [f"answer {number}" for number in answers]
    assert places(again) == list(range(1, len(stored) + 2))
    kept = again.drafts("5e551001")["answer"]
    assert int(kept.text.removeprefix("draft ")) >= drafts[-1]
    again.close()


def test_no_answer_hangs_on_the_log_alone(store: Store, path: Path) -> None:
    """Whoever keeps or copies only the database file after a crash has every answer."""
    store.create_session(new_session(), started())
    for number in range(1, 4):
        store.append("5e551001", said(number, f"answer {number}"))
        copy = path.with_name(f"copy-{number}.db")
        copy.write_bytes(path.read_bytes())
        with closing(Store(copy)) as again:
            assert len(again.turns("5e551001")) == number


def test_a_second_window_on_the_same_session_is_told_so(store: Store) -> None:
    store.create_session(new_session(), started())
    store.append("5e551001", said(1))
    with pytest.raises(StoreWriteError, match="open in a second window"):
        store.append("5e551001", said(1, "something else"))
    assert [turn.text for turn in store.turns("5e551001")] == [said(1).turn.text]
