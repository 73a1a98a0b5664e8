"""Interviews that end in a kill, in both front ends, and what must be on disk afterwards."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Iterator, Mapping
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
RECENT = 1.0
"""Seconds: what was typed before has to be on disk, whatever happens."""
_LOOK = 0.01


class Plain:
    """``interviewer run`` on a terminal."""

    joins = "\n"
    every = 0.15

    def __init__(self) -> None:
        self._turns = 0

    def arguments(self, *, resume: bool) -> tuple[str, ...]:
        if resume:
            return ("run", "--resume")
        return ("run", "--plan", PLAN_ID, "--examiner", "offline")

    def enter(self, window: Crashing, *, resume: bool) -> None:
        window.wait_until(lambda _: self._counted(window) > 0, "your turn", every=_LOOK)
        self._turns = self._counted(window)

    def pieces(self, text: str) -> Iterator[str]:
        words = text.split()
        for first in range(0, len(words), 3):
            yield " ".join(words[first : first + 3])

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

    joins = ""
    every = 0.03

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

    def pieces(self, text: str) -> Iterator[str]:
        yield from text

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
    """What many kills did; nothing may be lost."""

    kills: int = 0
    acknowledged: int = 0
    stored: int = 0
    defects: list[str] = field(default_factory=list)
    """Turns, words typed longer than a second before a kill, and databases that were damaged."""


@dataclass
class _Sheet:
    """An answer in the making: what was there before, and when each further piece was typed."""

    kept: str = ""
    typed: list[tuple[float, str]] = field(default_factory=list)

    def text(self, joins: str) -> str:
        pieces = [self.kept] if self.kept else []
        return joins.join([*pieces, *(piece for _, piece in self.typed)])

    def first_lost(self, stored: str, joins: str) -> float | None:
        """When the first piece that is not in the draft was typed; None if all is there."""
        text = self.kept
        if self.typed and not stored.startswith(text):
            return self.typed[0][0]
        for moment, piece in self.typed:
            text = f"{text}{joins}{piece}" if text else piece
            if not stored.startswith(text):
                return moment
        return None


class Killed:
    """One interview that goes on and on, killed again and again at random moments."""

    def __init__(self, front: type[AnyFront], folder: Path, seed: int) -> None:
        self._front = front
        self._database = folder / "sessions.db"
        self._environment = environment_in(folder)
        self._dice = random.Random(seed)
        self._draft = ""
        self._turns: list[str] = []
        self.findings = Findings()

    def once(self, longest: float = 3.0) -> None:
        """Resume, answer and type until killed at a random moment, and look at what is left."""
        front = self._front()
        sheets, heard = [_Sheet(self._draft)], 0
        with Crashing(*front.arguments(resume=True), environment=self._environment) as window:
            front.enter(window, resume=True)
            dies = time.monotonic() + self._dice.uniform(0.0, longest)
            for number in range(100):
                if not self._write(front, window, sheets[-1], number, dies):
                    break
                front.send(window)
                last = sheets[-1].text(front.joins).split()[-1]
                sheets.append(_Sheet())
                while time.monotonic() < dies and not front.heard(window, last):
                    time.sleep(_LOOK)
                if time.monotonic() >= dies:
                    break
                heard += 1
            window.kill()
            died = time.monotonic()
        self._judge(sheets, heard, died, front.joins)

    def _write(
        self, front: AnyFront, window: Crashing, sheet: _Sheet, number: int, dies: float
    ) -> bool:
        """Type an answer; False if it is time to die."""
        name = f"k{self.findings.kills}a{number}"
        words = (f"{name}w{word}" for word in range(self._dice.randint(2, 6)))
        for piece in front.pieces(" ".join(words) + " ."):
            if time.monotonic() >= dies:
                return False
            sheet.typed.append((time.monotonic(), piece))
            front.type(window, piece)
            time.sleep(front.every)
        return time.monotonic() < dies

    def _judge(self, sheets: list[_Sheet], heard: int, died: float, joins: str) -> None:
        found = self.findings
        found.kills += 1
        found.acknowledged += heard
        left = after_a_crash(self._database)
        found.defects += [f"kill {found.kills}: {left.damage}"] if left.damage else []
        texts = [sheet.text(joins).strip() for sheet in sheets]
        new = left.answers[len(self._turns) :]
        sent = texts[: len(new)]
        if left.answers[: len(self._turns)] != self._turns or new != sent or len(new) < heard:
            found.defects.append(f"kill {found.kills}: stored {new}, of which {heard} of {texts}")
        found.stored += len(new)
        self._turns, self._draft = left.answers, left.draft
        sheet = sheets[min(len(new), len(sheets) - 1)]
        if not sheet.text(joins).startswith(left.draft):
            found.defects.append(f"kill {found.kills}: {left.draft!r} of {sheet.text(joins)!r}")
        lost = sheet.first_lost(left.draft, joins)
        if lost is not None and died - lost > RECENT:
            found.defects.append(f"kill {found.kills}: typed {died - lost:.2f} s before")


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
                window.wait_until(lambda _: front.joins != "" or "saved" in window.text, "saved")
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
    """The program's folders; the data of a session that goes on is in the folder itself."""
    data = folder if (folder / "sessions.db").exists() else folder / "data"
    return {
        "INTERVIEWER_DATA_DIR": str(data),
        "INTERVIEWER_CONFIG_DIR": str(folder / "config"),
        "INTERVIEWER_EXAMINER": "offline",
    }
