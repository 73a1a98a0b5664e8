"""A disk that fills up or turns read-only in mid-interview costs nothing that was typed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from e2e.test_terminal import PLAN
from support.crash_runs import PLAN_ID, AnyFront, FullScreen, Plain, after_a_crash, environment_in
from support.crashed import Crashing, Hooks
from support.disk import reachable

FIRST = "The first answer is about variance."
SECOND = "The second is about the softmax."
REOPEN = "\x1b[15~"
SAID = {"full": "a disk that is full; free some space", "read-only": "its folder is read-only"}

pytestmark = pytest.mark.skipif(not reachable(), reason="SQLite is built into this interpreter")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    plans = tmp_path / "config" / "plans"
    plans.mkdir(parents=True)
    (plans / f"{PLAN_ID}.yaml").write_text(PLAN, encoding="utf-8")
    return tmp_path


def window_of(front: AnyFront, folder: Path) -> Crashing:
    hooks = Hooks(trouble=folder / "trouble")
    given = front.arguments(resume=False)
    return Crashing(*given, environment=environment_in(folder), hooks=hooks)


def answer(front: AnyFront, window: Crashing, text: str) -> None:
    front.type(window, text)
    window.wait_until(lambda shown: isinstance(front, Plain) or "saved" in shown, "saved")
    front.send(window)
    window.wait_until(lambda _: front.heard(window, text.split()[-1]), "heard")


def says(window: Crashing, words: str) -> bool:
    """Whether this was written, wherever the lines of the terminal break."""
    return times(window, words) > 0


def times(window: Crashing, words: str) -> int:
    return _packed(window.text).count(_packed(words))


def _packed(text: str) -> str:
    return re.sub(r"[│▊▎▌▐▍\s]", "", text)


@pytest.mark.parametrize("trouble", SAID)
def test_in_plain_text_it_is_said_and_the_answer_given_back(folder: Path, trouble: str) -> None:
    front = Plain()
    with window_of(front, folder) as window:
        front.enter(window, resume=False)
        answer(front, window, FIRST)
        (folder / "trouble").write_text(trouble)
        front.type(window, SECOND)
        front.send(window)
        window.wait()
        assert says(window, f"not saved: {SECOND}")
        assert times(window, SAID[trouble]) == 2  # while it was typed, and when it was sent
        assert "Traceback" not in window.text
    (folder / "trouble").unlink()
    left = after_a_crash(folder / "data" / "sessions.db")
    assert (left.answers, left.damage) == ([FIRST], "")


@pytest.mark.parametrize("trouble", SAID)
def test_on_the_full_screen_the_answer_stays_in_the_editor(folder: Path, trouble: str) -> None:
    front = FullScreen()
    with window_of(front, folder) as window:
        front.enter(window, resume=False)
        answer(front, window, FIRST)
        (folder / "trouble").write_text(trouble)
        front.type(window, SECOND)
        window.wait_until(lambda shown: "NOT SAVED" in shown, "not saved")
        front.send(window)
        window.wait_until(lambda shown: "Reopen" in shown, "what to do")
        window.wait_until(lambda _: says(window, SAID[trouble]), "what is the matter")
        assert SECOND in window.text
        (folder / "trouble").unlink()
        window.press(REOPEN)
        window.wait_until(lambda shown: "Your turn" in shown and SECOND in shown, "reopened")
        window.wait_until(lambda shown: " saved" in shown, "saved")
        front.send(window)
        window.wait_until(lambda _: front.heard(window, "softmax."), "heard")
        front.finish(window)
    left = after_a_crash(folder / "data" / "sessions.db")
    assert (left.answers, left.finished, left.damage) == ([FIRST, SECOND], True, "")
