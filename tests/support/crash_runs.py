"""Interviews that end in a kill, in both front ends, and what must be on disk afterwards."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from interviewer.interview.journal import load
from interviewer.store.backup import find_damage
from interviewer.store.store import Store
from support.crashed import Crashing, Hooks
from support.typing_robot import SEND

PLAN_ID = "three-rounds"
"""In place of the default plan, and so the first in the list."""
_LOOK = 0.01


class Plain:
    """``interviewer run`` on a terminal."""

    def __init__(self) -> None:
        self._turns = 0

    def arguments(self, *, resume: bool) -> tuple[str, ...]:
        if resume:
            return ("run", "--resume")
        return ("run", "--plan", PLAN_ID, "--examiner", "offline")

    def enter(self, window: Crashing, *, resume: bool) -> None:
        window.wait_until(lambda _: self._counted(window) > 0, "your turn", every=_LOOK)
        self._turns = self._counted(window)

    def type(self, window: Crashing, piece: str) -> None:
        window.write(piece + "\n")

    def send(self, window: Crashing) -> None:
        self._turns = self._counted(window)
        window.write("\n")

    def heard(self, window: Crashing, last_word: str) -> bool:
        return self._counted(window) > self._turns

    def finish(self, window: Crashing) -> None:
        window.write("/end\n")
        window.wait()

    def _counted(self, window: Crashing) -> int:
        return bytes(window.written).count(b"[your turn")


class FullScreen:
    """The full-screen program."""

    def arguments(self, *, resume: bool) -> tuple[str, ...]:
        return ()

    def enter(self, window: Crashing, *, resume: bool) -> None:
        window.wait_for("New mock", *(["Resume"] if resume else []))
        window.press("r" if resume else "n")
        if not resume:
            window.wait_for("Always the same", "Start")
            window.press(SEND)
        window.wait_until(
            lambda shown: "Do next" in shown or ("Your turn" in shown and "left" in shown),
            "Your turn",
        )

    def type(self, window: Crashing, piece: str) -> None:
        window.write(piece)

    def send(self, window: Crashing) -> None:
        window.write(SEND)

    def heard(self, window: Crashing, last_word: str) -> bool:
        shown = window.text
        return all(each in shown for each in (last_word, "Your answer", "Your turn"))

    def finish(self, window: Crashing) -> None:
        window.press("\x1b[19~")
        window.wait_for("Yes")
        window.press("y")
        window.wait_for("Do next")
        window.press("\x1b")
        window.wait_for("New mock")
        window.press("q")
        window.wait()


AnyFront = Plain | FullScreen


@dataclass
class Findings:
    """What kills did; nothing may be lost."""

    kills: int = 0
    acknowledged: int = 0
    stored: int = 0
    defects: list[str] = field(default_factory=list)
    """Turns that were lost, and databases that were damaged."""


@dataclass(frozen=True)
class Left:
    """What a crash left of the latest session."""

    damage: str = ""
    answers: list[str] = field(default_factory=list)
    draft: str = ""
    finished: bool = False
    exists: bool = False


def after_a_crash(database: Path) -> Left:
    with closing(Store(database)) as store:
        found = store.history.sessions(1)
        damage = find_damage(database)
        if not found:
            return Left(damage)
        replay = load(store, found[0].id)
        turns = store.turns(found[0].id)
        draft = store.drafts(found[0].id).get("answer")
        return Left(
            damage or replay.gap,
            [turn.text.strip() for turn in turns if turn.author == "candidate"],
            draft.text if draft else "",
            replay.state.finished is not None,
            exists=True,
        )


SCRIPT = ("The first answer is about variance.", "The second is about the softmax.")


def scripted(front: AnyFront, folder: Path, hooks: Hooks) -> tuple[list[str], bool]:
    """A whole interview from the first start on; the answers acknowledged, and whether it ended."""
    heard: list[str] = []
    with Crashing(
        *front.arguments(resume=False), environment=environment_in(folder), hooks=hooks
    ) as window:
        try:
            front.enter(window, resume=False)
            for answer in SCRIPT:
                front.type(window, answer)
                window.wait_until(
                    lambda _: isinstance(front, Plain) or "saved" in window.text, "saved"
                )
                front.send(window)
                word = answer.split()[-1]
                window.wait_until(lambda _, w=word: front.heard(window, w), "heard", every=_LOOK)
                heard.append(answer)
            front.finish(window)
        except (AssertionError, OSError):
            if window.process.poll() != -signal.SIGKILL:
                raise
        return heard, window.process.wait() == 0


def at_boundary(
    front: type[AnyFront], folder: Path, commit: int, *, after: bool
) -> Findings | None:
    """Kill a scripted interview at a commit, then resume it; None if it had fewer commits."""
    heard, ended = scripted(front(), folder, Hooks(kill_at=commit, after=after))
    if ended:
        return None
    left = after_a_crash(folder / "data" / "sessions.db")
    found = Findings(kills=1, acknowledged=len(heard), stored=len(left.answers))
    place = f"{front.__name__}, {'after' if after else 'before'} commit {commit}"
    if left.damage:
        found.defects.append(f"{place}: {left.damage}")
    if left.answers[: len(heard)] != heard or left.answers != list(SCRIPT[: len(left.answers)]):
        found.defects.append(f"{place}: {left.answers}, acknowledged {heard}")
    if left.exists and not left.finished:
        _resume(front(), folder, place, found)
    return found


def _resume(front: AnyFront, folder: Path, place: str, found: Findings) -> None:
    """Go on where the kill was; an interview that had been ended is ended, with its debrief."""
    with Crashing(*front.arguments(resume=True), environment=environment_in(folder)) as window:
        try:
            front.enter(window, resume=True)
        except AssertionError as error:
            if not after_a_crash(folder / "data" / "sessions.db").finished:
                found.defects.append(f"{place}: not resumed: {error}")


def environment_in(folder: Path) -> Mapping[str, str]:
    """The program's folders."""
    return {
        "INTERVIEWER_DATA_DIR": str(folder / "data"),
        "INTERVIEWER_CONFIG_DIR": str(folder / "config"),
        "INTERVIEWER_EXAMINER": "offline",
    }
