"""A robot types at the real program, in a terminal of its own, for minutes.

    python -m tests.evals durability.robot [--minutes 10] [--rate 200] [--seed 1]

Half of the time it answers an interview (``Typist``), and the answers and drafts that the database
holds must follow from its keys alone; the other half it presses anything on all screens of a
program with weeks of use (``Wanderer``), which must not crash. Linux and macOS.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from evals.figures import Figure
from support.lived_in import practise
from support.rubrics import a_rubric
from support.sessions import begin, outline
from support.terminal import Terminal

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.interview.commands import Pause
from interviewer.interview.journal import load
from interviewer.store.store import Store
from tui.keyboard import GRACE

SESSION = "5e55107700"
QUESTIONS = 400
"""More than anyone answers before the robot stops."""
PRESSES, HEARD_WITHIN = 3, 10.0
"""How often a key is pressed again, and after how many seconds."""
READ = 2 * GRACE
"""Seconds that a person takes to see a new screen, before a key is meant for it."""
ESCAPE_ALONE = 0.15
"""Seconds after an escape, which would be Alt with the next character."""
PASTE = "\x1b[200~{}\x1b[201~"
ENTER, BACKSPACE, ESCAPE, TAB, BACKTAB = "\r", "\x7f", "\x1b", "\t", "\x1b[Z"
LEFT, RIGHT, UP, DOWN, DELETE = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B", "\x1b[3~"
PAGE_UP, PAGE_DOWN, HOME, END = "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F"
F1, F2, F3, F4, F5 = "\x1bOP", "\x1bOQ", "\x1bOR", "\x1bOS", "\x1b[15~"
F6, F7, F8, F9, F10 = "\x1b[17~", "\x1b[18~", "\x1b[19~", "\x1b[20~", "\x1b[21~"
SEND, ALT_ENTER, HINT = "\x13", "\x1b\r", "\x14"
WHOLE_QUESTION, PALETTE, CTRL_C = "\x0f", "\x10", "\x03"
SIZES = ((80, 24), (120, 36), (200, 60), (60, 20), (100, 30))
HOME_SCREEN = "n New mock"
"""Words by which home is known."""
DONT_KNOW = "I don't know."
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,;:!?()[]{}<>/$%&*'\"\\_-+=é中文ß"


@dataclass
class Sheet:
    """What an editor must hold after keys that every editor understands alike."""

    text: str = ""
    cursor: int = 0

    def put(self, text: str) -> None:
        self.text = self.text[: self.cursor] + text + self.text[self.cursor :]
        self.cursor += len(text)

    def press(self, key: str) -> None:
        """One of BACKSPACE, DELETE, LEFT and RIGHT."""
        match key:
            case "\x7f" if self.cursor:
                self.text = self.text[: self.cursor - 1] + self.text[self.cursor :]
                self.cursor -= 1
            case "\x1b[3~":
                self.text = self.text[: self.cursor] + self.text[self.cursor + 1 :]
            case "\x1b[D":
                self.cursor = max(0, self.cursor - 1)
            case "\x1b[C":
                self.cursor = min(len(self.text), self.cursor + 1)


@dataclass(frozen=True)
class Stroke:
    """Something typed: its bytes, and what it does to the sheet if it is more than a command."""

    sent: str
    does: Callable[[Sheet], None] | None = None


def character(char: str) -> Stroke:
    return Stroke(char, lambda sheet: sheet.put(char))


def paste(text: str) -> Stroke:
    return Stroke(PASTE.format(text), lambda sheet: sheet.put(text))


NEW_LINE = Stroke(ENTER, lambda sheet: sheet.put("\n"))


def edit(key: str) -> Stroke:
    return Stroke(key, lambda sheet: sheet.press(key))


def replayed(strokes: Sequence[Stroke], answers: Sequence[str]) -> tuple[list[str], Sheet]:
    """The answers that these keys do not explain, and what they leave in the editor.

    A key that sends may come while the examiner reads, and then does nothing. The stored answers
    say which did; each must be exactly what was on the sheet when such a key came. A draft that is
    taken up again after a pause has the cursor at its end.
    """
    left, sheet = list(answers), Sheet()
    for stroke in strokes:
        if stroke.does:
            stroke.does(sheet)
        elif left and stroke.sent in (SEND, ALT_ENTER) and sheet.text == left[0]:
            left.pop(0)
            sheet = Sheet()
        elif left and stroke.sent == F3 and left[0] == DONT_KNOW:
            left.pop(0)
        elif stroke.sent == F2:
            sheet.cursor = len(sheet.text)
    return left, sheet


@dataclass
class Found:
    """What the robot did and found."""

    keys: Counter[str] = field(default_factory=Counter)
    checks: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)


class Robot:
    """A hand at the keyboard of a terminal, with a seed and a rate in keys a second."""

    def __init__(self, folder: Path, seed: int, rate: float) -> None:
        self.folder = folder
        self.dice = random.Random(seed)
        self.rate = rate
        self.found = Found()
        self.terminal = self._start()

    @property
    def database(self) -> Path:
        return self.folder / "sessions.db"

    def _start(self) -> Terminal:
        environment = {
            "INTERVIEWER_DATA_DIR": str(self.folder),
            "INTERVIEWER_CONFIG_DIR": str(self.folder / "config"),
            "INTERVIEWER_EXAMINER": "offline",
            "EDITOR": "true",
            "BROWSER": "true",
        }
        return Terminal(environment=environment, columns=100, rows=30)

    def strike(self, *keys: str) -> None:
        """Type the keys at the rate, whether or not the program keeps up."""
        begun = time.monotonic()
        for number, key in enumerate(keys, start=1):
            self.terminal.write(key)
            self.found.keys["text" if key.isprintable() else repr(key)] += 1
            time.sleep(max(0.0, begun + number / self.rate - time.monotonic()))

    def deliberately(self, key: str) -> None:
        """One key, after a look at the screen and with a moment of quiet before it."""
        time.sleep(READ)
        self.strike(key)
        if key == ESCAPE:
            time.sleep(ESCAPE_ALONE)

    def word(self) -> str:
        return "".join(self.dice.choices(LETTERS, k=self.dice.randint(1, 12)))

    def close(self) -> None:
        self.terminal.kill()


class Typist(Robot):
    """Answers an endless interview. After every pause the database is held against the keys."""

    def __init__(self, folder: Path, seed: int, rate: float) -> None:
        folder.mkdir(parents=True)
        asyncio.run(endless(folder / "sessions.db"))
        super().__init__(folder, seed, rate)
        self._strokes: list[Stroke] = []

    def work(self, seconds: float) -> None:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends and not self.found.lost:
            self.terminal.wait_for(HOME_SCREEN)
            time.sleep(READ)
            self.deliberately("r")  # once: a second one would be the first letter of the answer
            self.terminal.wait_for("Your turn")
            time.sleep(READ)
            stint = min(ends, time.monotonic() + self.dice.uniform(2, 8))
            while time.monotonic() < stint:
                self._do_something()
            self._pause_and_check()

    def _do_something(self) -> None:
        match self.dice.choices(range(9), (60, 8, 4, 10, 3, 2, 6, 1, 1))[0]:
            case 0:
                self._type(*map(character, self.word() + " "))
            case 1:
                keys = self.dice.choices(
                    (LEFT, RIGHT, BACKSPACE, DELETE), k=self.dice.randint(1, 6)
                )
                self._type(*map(edit, keys))
            case 2:
                self._type(NEW_LINE)
            case 3:
                self._type(Stroke(self.dice.choice((SEND, ALT_ENTER))))
            case 4:
                self._type(paste(f"{self.word()}\n{self.word()} {self.word()}"))
            case 5:
                self._type(Stroke(self.dice.choice((HINT, F3))))
            case 6:
                self._type(*map(Stroke, self._noise()))
            case 7:
                self._look_into_a_question()
            case 8:
                self._look_elsewhere()

    def _noise(self) -> Iterator[str]:
        """What changes nothing in the editor."""
        match self.dice.randrange(6):
            case 0:
                yield from (PAGE_UP, PAGE_DOWN, PAGE_UP)
            case 1:
                yield WHOLE_QUESTION
            case 2:
                self.terminal.resize(*self.dice.choice(SIZES))
            case 3:
                x, y = self.dice.randint(2, 50), self.dice.randint(3, 10)
                yield from (f"\x1b[<64;{x};{y}M", f"\x1b[<65;{x};{y}M")  # the wheel
            case 4:
                yield F9  # no bench here
            case 5:
                yield from (TAB, *self.dice.choices("jk", k=3), BACKTAB)

    def _look_into_a_question(self) -> None:
        """A key that asks; what is typed behind it is the question's, which drops it."""
        key = self.dice.choice((F4, F6, F8, CTRL_C))
        self._type(Stroke(key), *map(Stroke, self.word()))
        self.terminal.wait_for("Yes (y)", "No (n)")
        answer = "y" if key == F4 and self.dice.random() < 0.5 else "n"
        self.deliberately(answer)
        self._press_until(answer, lambda shown: "No (n)" not in shown)
        time.sleep(READ)

    def _look_elsewhere(self) -> None:
        key, title = self.dice.choice(((PALETTE, "Search for commands"), (F10, "Settings")))
        self._type(Stroke(key))
        self.terminal.wait_for(title)
        self.deliberately(ESCAPE)
        self._press_until(ESCAPE, lambda shown: title not in shown)
        time.sleep(READ)

    def _press_until(self, key: str, holds: Callable[[str], bool]) -> None:
        """Again, as a person would, where a machine that stood still took it for too early."""
        for _ in range(PRESSES):
            due = time.monotonic() + HEARD_WITHIN
            while time.monotonic() < due:
                if holds(self.terminal.text):
                    return
                time.sleep(0.03)
            self.found.seen["pressed again"] += 1
            self.deliberately(key)
        self.terminal.wait_until(holds, f"what {key!r} leads to")

    def _type(self, *strokes: Stroke) -> None:
        self._strokes += strokes
        self.strike(*(stroke.sent for stroke in strokes))

    def _pause_and_check(self) -> None:
        """Pause; then the stored answers and the draft are what the keys made."""
        self._type(Stroke(F2))
        self._press_until(F2, lambda shown: HOME_SCREEN in shown)
        store = Store(self.database)
        try:
            turns = store.turns(SESSION)
            draft = store.drafts(SESSION).get("answer")
        finally:
            store.close()
        answers = [turn.text for turn in turns if turn.author == "candidate"]
        left, sheet = replayed(self._strokes, answers)
        self.found.checks += 1
        if left:
            number = len(answers) - len(left) + 1
            self.found.lost.append(
                f"answer {number} is {left[0]!r}, and typed since the one before was {sheet.text!r}"
            )
        elif (draft.text if draft else "") != sheet.text:
            kept = draft.text if draft else ""
            self.found.lost.append(f"the draft is {kept!r}, and typed was {sheet.text!r}")


Step = tuple[str, str]
"""Keys, and words that are to be seen before the next ones; "" for none."""
SESSIONS: Step = ("s", "d Delete")
DEBRIEF: tuple[Step, ...] = (SESSIONS, (END, ""), (ENTER, "c Costliest"))
QUESTIONS_LIST: Step = ("u", "f Filter")
BENCH: Step = ("b", "Next unsolved")
SETTINGS: Step = (",", "F5 Test")
ONE_QUESTION: Step = ("o", "Your turn")
WAYS: dict[str, tuple[Step, ...]] = {
    "New mock": (("n", "^s Start"),),
    "Sessions": (SESSIONS,),
    "Debrief": DEBRIEF,
    "Debrief, questions": (*DEBRIEF, ("2", "c Costliest")),
    "Debrief, study": (*DEBRIEF, ("3", "c Costliest")),
    "Debrief, numbers": (*DEBRIEF, ("4", "c Costliest")),
    "Transcript": (SESSIONS, (END, ""), ("t", "Transcript ·")),
    "Questions": (QUESTIONS_LIST,),
    "Filters": (QUESTIONS_LIST, ("f", "Show only")),
    "Bench": (BENCH,),
    "Bench alone": (BENCH, (DOWN, ""), (ENTER, "^r Run")),
    "Settings": (SETTINGS,),
    "Doctor": (SETTINGS, (F7, "database  ")),
    "All keys": (SETTINGS, (F6, "a Add a key")),
    "Help": ((F1, "What to do now, and how it is going"),),
    "Palette": ((PALETTE, "Search for commands"),),
    "Interview": (ONE_QUESTION,),
    "Interview's bench": (
        QUESTIONS_LIST,
        ("/", ""),
        ("multi-head attention from token", "with shapes"),
        (ENTER, ""),
        ("p", "opens the bench"),
        (F9, "^r Run"),
    ),
    "Yes or no": (ONE_QUESTION, (F8, "No (n)")),
    "Verdict": (ONE_QUESTION, (F4, "No (n)"), ("y", "Your verdict")),
}
"""The screens, and how each is reached from home."""
BACK = 4
"""Screens that lie above each other at most, but for an interview."""
OPENING = "nsubwdtor,"
"""Keys of home that lead somewhere."""
CONTROL = tuple(map(chr, (*range(1, 27), 29, 30, 31)))
SPECIAL = (
    *(ENTER, BACKSPACE, TAB, BACKTAB, LEFT, RIGHT, UP, DOWN, DELETE, PAGE_UP, PAGE_DOWN, HOME, END),
    *(F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, ALT_ENTER, "\x1bn", "\x1b[1;3A", "\x1b[1;5D"),
)


class Wanderer(Robot):
    """Presses anything on every screen of a program that has been used for weeks."""

    def __init__(self, folder: Path, seed: int, rate: float) -> None:
        folder.mkdir(parents=True)
        store = Store(folder / "sessions.db")
        asyncio.run(practise(store, datetime.now(UTC)))
        store.close()
        super().__init__(folder, seed, rate)

    def work(self, seconds: float) -> None:
        """Go from screen to screen for so long; whenever the program has left, start it again."""
        ends = time.monotonic() + seconds
        places: list[str] = []
        while time.monotonic() < ends and not self.found.lost:
            if not self._alive():
                continue
            places = places or self.dice.sample(sorted(WAYS), k=len(WAYS))
            if self._arrives(places.pop()):
                self.strike(*self._anything(self.dice.randint(20, 200)))
                self._wander()
        self._alive()
        self._read_everything()

    def _alive(self) -> bool:
        """Whether it still runs; if not, it must have left in order, and is started again."""
        if self.terminal.process.poll() is None:
            return True
        code = self.terminal.process.returncode
        if code or "Traceback" in self.terminal.text:
            self.found.lost.append(f"left with code {code}:\n{self.terminal.text}")
        self._begin_anew()
        return False

    def _begin_anew(self) -> None:
        """With the settings and keys of the first time, as the ways are told by these."""
        shutil.rmtree(self.folder / "config", ignore_errors=True)
        self.terminal = self._start()

    def _arrives(self, place: str) -> bool:
        """Whether it has come there from home; anything may have been pressed before."""
        if not self._is_home():
            return False
        for keys, words in WAYS[place]:
            time.sleep(READ)
            self.strike(*(keys if keys.isprintable() else (keys,)))
            if not self._sees(words, 2 * HEARD_WITHIN):
                self.found.seen[f"not {place}"] += 1
                return False
        self.found.seen[place] += 1
        return True

    def _is_home(self) -> bool:
        self.terminal.resize(*SIZES[-1])
        for _ in range(BACK):
            if self._sees(HOME_SCREEN, 1.0):
                return True
            if self.terminal.process.poll() is not None:
                return False
            self.deliberately(ESCAPE)
        self.terminal.kill()
        self._begin_anew()
        return self._sees(HOME_SCREEN, 2 * HEARD_WITHIN)

    def _sees(self, words: str, seconds: float) -> bool:
        due = time.monotonic() + seconds
        while words not in self.terminal.text:
            if time.monotonic() > due or self.terminal.process.poll() is not None:
                return False
            time.sleep(0.03)
        return True

    def _wander(self) -> None:
        key = self.dice.choice((*OPENING, ENTER, ENTER, ESCAPE, ESCAPE, "y", "p", "t", SEND))
        if self.terminal.process.poll() is None:
            self.deliberately(key)
            self.strike(*self._anything(self.dice.randint(20, 200)))

    def _anything(self, count: int) -> Iterator[str]:
        for _ in range(count):
            match self.dice.choices(range(5), (70, 12, 12, 4, 2))[0]:
                case 0:
                    yield self.dice.choice(LETTERS)
                case 1:
                    yield self.dice.choice([key for key in CONTROL if key not in "\x03\x11"])
                case 2:
                    yield self.dice.choice(SPECIAL)
                case 3:
                    x, y = self.dice.randint(1, 100), self.dice.randint(1, 30)
                    yield f"\x1b[<0;{x};{y}M\x1b[<0;{x};{y}m"  # a click
                case 4:
                    self.terminal.resize(*self.dice.choice(SIZES))
                    yield PASTE.format(f"{self.word()}\n{self.word()}")

    def _read_everything(self) -> None:
        """Every session that is stored can be read."""
        store = Store(self.database)
        try:
            for row in store.history.sessions(1000):
                load(store, row.id)
        finally:
            store.close()


async def endless(database: Path) -> None:
    """An interview with more questions than anyone answers, paused at once."""
    rubrics = {
        f"letters-{n}": a_rubric(id=f"letters-{n}", question=f"Which letters matter in row {n}?")
        for n in range(QUESTIONS)
    }
    store = Store(database)
    rounds = [outline(*rubrics.values(), seconds=36_000)]
    interview = begin(store, rounds, rubrics, OfflineExaminer(), session=SESSION, title="Endless")
    try:
        async for event in interview:
            if event.event == "your_turn":
                interview.send(Pause())
    finally:
        await interview.aclose()
        store.close()


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--rate", type=float, default=200.0, help="keys a second")
    parser.add_argument("--seed", type=int, default=1)


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    for kind in (Typist, Wanderer):
        with tempfile.TemporaryDirectory() as folder:
            robot = kind(Path(folder) / "data", asked.seed, asked.rate)
            try:
                robot.work(asked.minutes * 30)
            finally:
                robot.close()
        found = robot.found
        beside = f"{found.keys.total()} keys, checked {found.checks} times"
        notes = [*found.lost, f"seen: {', '.join(f'{k} {n}' for k, n in found.seen.most_common())}"]
        yield Figure(f"{kind.__name__}: lost", len(found.lost), beside, notes)
