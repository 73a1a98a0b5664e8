"""An interview over streams: words and commands in, events out, while the clock runs."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, get_args

from interviewer.errors import InterviewerError, OvertakenError, StoreError, StoreWriteError
from interviewer.grading.claims.quantity import Quantity
from interviewer.interview import commands
from interviewer.interview.commands import (
    Answer,
    AskHint,
    Cancel,
    Command,
    DontKnow,
    EndInterview,
    EndRound,
    GoOffline,
    Pause,
    Retry,
    RunBench,
    Skip,
    SubmitRun,
    marking,
)
from interviewer.interview.events import (
    AnswerGiven,
    Checking,
    ClockWarning,
    Event,
    JournalEvent,
    Leaving,
    Resumed,
    Retrying,
    Thinking,
    TimeUp,
    TurnFailed,
    YourTurn,
)
from interviewer.interview.examining import unread_answers
from interviewer.interview.interview import Interview
from interviewer.interview.overview import overview
from interviewer.paths import UnusablePathError, expanded
from interviewer.rubric.figure import Figure
from interviewer.sandbox.challenge import Challenge
from interviewer.store.records import Pane


@dataclass(frozen=True)
class ShowTask:
    """Show the task of the open question's challenge; the interview is not told."""


@dataclass(frozen=True)
class ShowFigure:
    """Show what the open question gives to look at; the interview is not told."""


@dataclass(frozen=True)
class ShowNumbers:
    """List the figures stated so far; the interview is not told."""


@dataclass(frozen=True)
class MarkNumber:
    """Strike the figure of this number in the list, or give its right value."""

    number: int
    typed: str


@dataclass(frozen=True)
class MarkPoint:
    """Settle a point of the question graded last: said, not or none."""

    criterion: str
    mark: str


@dataclass(frozen=True)
class Block:
    """Lines between two fences (``typed`` includes these): a run, or words without a bench."""

    source: str
    typed: str


Said = Command | ShowTask | ShowFigure | ShowNumbers | MarkNumber | MarkPoint | Block
"""All possible input. A run or submission without a source takes the lines last typed at the
bench."""

BY_WORD: dict[str, Said] = {
    "hint": commands.AskHint(),
    "idk": commands.DontKnow(),
    "rephrase": commands.Rephrase(),
    "saidthat": commands.SaidThat(),
    "bench": ShowTask(),
    "figure": ShowFigure(),
    "numbers": ShowNumbers(),
    "reread": commands.ReadFigures(),
    "run": RunBench(""),
    "submit": SubmitRun(""),
    "skip": commands.Skip(),
    "pause": commands.Pause(),
    "endround": commands.EndRound(),
    "end": commands.EndInterview(),
    "retry": commands.Retry(),
    "offline": commands.GoOffline(),
    "cancel": commands.Cancel(),
}
_SLASHED = re.compile(r"\s*/([a-z]+)\s*")
_NUMBER = re.compile(r"\s*/number\b\s*(\d{0,4})(?!\S)\s*(.*?)\s*")
_POINT = re.compile(r"\s*/mark\b\s*(\S*)\s*(.*?)\s*")
_WITH_FILE = re.compile(r"\s*/(run|submit)\s+(\S.*?)\s*")
MOST_CHARACTERS = 100_000
"""More than any derivation or function needs; the bench itself takes less."""


class UnusableError(Exception):
    """The input is neither an answer nor a command that applies now; the message says why."""


def word_of(line: str) -> str | None:
    """The command word of a line that is just "/word", else None."""
    match = _SLASHED.fullmatch(line)
    return match.group(1) if match else None


def longer_command(line: str) -> Said | None:
    """The command of a line "/number N …", "/mark …", "/run FILE" or "/submit FILE", else None.

    Raises UnusableError if the file cannot be read.
    """
    if mark := marked(line):
        return mark
    match = _WITH_FILE.fullmatch(line)
    return bench_command(match.group(1), _read(Path(match.group(2)))) if match else None


def marked(line: str) -> MarkNumber | MarkPoint | None:
    """The mark of a line "/number N …" or "/mark POINT said", else None.

    Raises UnusableError if it names no number.
    """
    if point := _POINT.fullmatch(line):
        return MarkPoint(*point.groups())
    match = _NUMBER.fullmatch(line)
    if match and not match.group(1):
        raise UnusableError("Which one? /numbers lists them; then, say, /number 3 strike.")
    return MarkNumber(int(match.group(1)), match.group(2)) if match else None


def _read(path: Path) -> str:
    try:
        with expanded(path).open(encoding="utf-8-sig") as file:
            text = file.read(MOST_CHARACTERS + 1)
    except UnusablePathError as error:
        raise UnusableError(str(error)) from None
    except OSError as error:
        raise UnusableError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise UnusableError(f"{path} is not UTF-8 text; save it as such.") from None
    if len(text) > MOST_CHARACTERS:
        raise UnusableError(f"{path} is too long for the bench; keep only the derivation.")
    return text


def bench_command(word: str, source: str) -> Command:
    """Run or submit this source; raises UnusableError if it is blank."""
    if not source.strip():
        raise UnusableError("There is nothing to run; write the lines of a derivation.")
    return SubmitRun(source) if word == "submit" else RunBench(source)


def command_named(word: str) -> Said:
    """The command of this name; raises UnusableError if there is none."""
    try:
        return BY_WORD[word]
    except KeyError:
        known = ", ".join(BY_WORD)
        raise UnusableError(f"There is no command {word!r}; the commands are {known}.") from None


def from_entry(entry: Any) -> Said:
    """The input that a JSON line or a script entry stands for.

    A string is an answer, or a command if it is "/word"; ``{"say": text}`` is always an answer;
    ``{"command": word}`` is a command, and ``{"command": "bench" or "submit", "source": text}``
    runs or submits a source. Raises UnusableError.
    """
    if isinstance(entry, str):
        if mark := marked(entry):
            return mark
        word = word_of(entry)
        return command_named(word) if word else answer(entry)
    match entry:
        case {"say": str(text)} if len(entry) == 1:
            return answer(text)
        case {"command": str(word)} if len(entry) == 1:
            return command_named(word.removeprefix("/"))
        case {"command": "bench" | "run" | "submit" as word, "source": str(source)} if (
            len(entry) == 2
        ):
            return bench_command(word, source)
    raise UnusableError('This is neither a string nor {"say": text} nor {"command": word}.')


def answer(text: str) -> Answer:
    """The answer; raises UnusableError if it is blank."""
    if not text.strip():
        raise UnusableError(
            "An empty answer is not sent; use the command idk to say you don't know."
        )
    return Answer(text)


def json_value(line: str) -> Any:
    """The value of one JSON line; raises UnusableError."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UnusableError("This line is not JSON; put the answer in double quotes.") from error


_LEAVES_ANSWER_ALONE = (
    *(AskHint, Cancel, Pause, Retry, RunBench, SubmitRun, commands.ReadFigures),
    *(ShowTask, ShowFigure, ShowNumbers),
)
_HAS_TO_WAIT = (
    *(Answer, DontKnow, AskHint, RunBench, SubmitRun),
    *(commands.Rephrase, commands.SaidThat, commands.MarkFigure, commands.ReadFigures),
)
"""Nothing comes of it until a failed step was dealt with."""
_CANNOT_WAIT = (Cancel, Pause, Skip, EndRound, EndInterview)
_SAYS_NOTHING_OF_IT = (ClockWarning, Resumed)
"""Events that may come before what was sent is on disk."""
FENCE = "```"
"""On a line of its own it starts and ends lines for the bench."""


class Candidate(Protocol):
    """Someone who is interviewed."""

    @property
    def sees_events(self) -> bool:
        """Can react to events; a script cannot choose what to do about a failure."""

    async def next_command(self) -> Said | None:
        """The next input, None at the end; raises UnusableError."""

    def clock_took(self, text: str) -> None:
        """The time was up and this unfinished answer was taken."""


class TypedLines:
    """Lines as a person types them: an empty line sends the answer, "/word" is a command.

    ``save`` is given the draft of a pane after every line. When the input ends, an unfinished
    answer is sent if ``sends_rest``, else it stays where ``save`` put it. Lines between two fences
    are for the bench; within an answer, or where ``at_bench`` says that there is none, a fence is
    a line like any other.
    """

    sees_events = True

    def __init__(
        self,
        lines: AsyncIterator[str],
        *,
        draft: str,
        save: Callable[[str, Pane], None],
        sends_rest: bool,
        at_bench: Callable[[], bool] = lambda: True,
    ) -> None:
        self._lines = lines
        self._typed = draft.split("\n") if draft else []
        self._save = save
        self._sends_rest = sends_rest
        self._at_bench = at_bench
        self._typing = False

    async def next_command(self) -> Said | None:
        async for line in self._lines:
            if self._begins_block(line):
                return await self._block(line)
            if command := longer_command(line):
                return command
            word = word_of(line)
            if word is not None:
                return self._command(word)
            if line.strip():
                self._typing = True
                self._typed.append(line)
                self._save("\n".join(self._typed), "answer")
            elif self._typed:
                return self._finished()
        return self._finished() if self._typing and self._sends_rest else None

    def _begins_block(self, line: str) -> bool:
        """A language may follow the fence, as in Markdown."""
        fence, _, language = line.strip().partition(FENCE)
        marks = not fence and FENCE in line and " " not in language and FENCE not in language
        return marks and not self._typed and self._at_bench()

    async def _block(self, opening: str) -> Said | None:
        """The lines up to the closing fence, None if the input ends first."""
        lines: list[str] = []
        async for line in self._lines:
            if line.strip() == FENCE:
                return Block("\n".join(lines), "\n".join([opening, *lines, line]))
            lines.append(line)
            self._save("\n".join(lines), "bench")
        return None

    def clock_took(self, text: str) -> None:
        if text == "\n".join(self._typed):
            self._clear()

    def _finished(self) -> Said:
        text = "\n".join(self._typed)
        self._clear()
        return answer(text)

    def _clear(self) -> None:
        self._typed = []
        self._typing = False

    def _command(self, word: str) -> Said:
        command = command_named(word)
        if self._typed and not isinstance(command, _LEAVES_ANSWER_ALONE):
            raise UnusableError(
                f"Your answer is unfinished; send it with an empty line before /{word}."
            )
        return command


class Display(Protocol):
    """What the candidate reads."""

    def show(self, event: Event) -> None:
        """Present an event."""

    def show_task(self, challenge: Challenge) -> None:
        """Present the task of a challenge."""

    def show_figure(self, figure: Figure) -> None:
        """Present the figure of the open question."""

    def show_numbers(self, figures: Sequence[Quantity]) -> None:
        """Present the figures stated so far."""

    def refuse(self, why: str, event: str = "refused") -> None:
        """Say in one sentence why an input has no effect, or what other ``event`` came of it."""


class Conversation:
    """Runs one interview to its end or to a pause.

    Input is read all the time, so that it never holds up the clock. Lines sent ahead wait for the
    candidate's turn; what is said while the examiner thinks, to cancel, pause or leave, does not.
    """

    def __init__(
        self,
        interview: Interview,
        candidate: Candidate,
        display: Display,
        reopen: Callable[[], tuple[Interview, Display]] | None = None,
        settle: Callable[[str, str], str] = lambda criterion, mark: "",
    ) -> None:
        """``reopen`` the interview where it is on disk, for one who can fix what stops a write.

        ``settle`` a point of the question graded last, and tell of it in a sentence.
        """
        self._interview = interview
        self._settle = settle
        self._reopen = reopen
        self._unsaved: Command | None = None
        """Sent, and not on disk yet."""
        self._fixed: asyncio.Future[bool] | None = None
        """While nothing can be saved: whether to try again, once the candidate says so."""
        self._candidate = candidate
        self._display = display
        self._begun = asyncio.Event()
        self._may_speak = asyncio.Event()
        self._thinking = False
        self._hint_left = self._has_hints = False
        self._said: asyncio.Queue[Said | Exception] = asyncio.Queue()
        self.gave_up = False
        """A step failed and the candidate, a script, had no remedy."""

    async def hold(self) -> None:
        """Hold the interview; raises StoreError if a write fails."""
        telling = asyncio.create_task(self._tell())
        listening = asyncio.create_task(self._listen())
        try:
            await asyncio.wait({telling, listening}, return_when=asyncio.FIRST_COMPLETED)
            if listening.done():
                listening.result()
            await telling
        finally:
            for task in (telling, listening):
                task.cancel()
            await asyncio.gather(telling, listening, return_exceptions=True)
            await self._interview.aclose()

    def interrupt(self) -> None:
        """Pause as soon as possible, whatever is going on."""
        if self._fixed:
            self._decide(again=False)
        self._interview.send(Pause())

    async def _tell(self) -> None:
        while True:
            try:
                async for event in self._interview:
                    self._note(event)
                    self._display.show(event)
                    self._begun.set()
                    if isinstance(event, YourTurn) and self._unsaved:
                        self._give(self._unsaved)
                return
            except (OvertakenError, StoreWriteError) as error:
                if not self._interview.state.outline or not await self._wants_again(error):
                    raise
                await self._interview.aclose()
                assert self._reopen
                self._interview, self._display = self._reopen()

    async def _wants_again(self, why: StoreError) -> bool:
        """Tell that nothing can be saved, and wait for the candidate to fix that or to leave."""
        again = False
        if self._reopen and isinstance(why, StoreWriteError):  # else there is nothing to fix
            kept = "What you sent is kept here; " if self._unsaved else ""
            self._display.refuse(f"{why} {kept}/retry goes on, /pause leaves.")
            self._fixed = asyncio.get_running_loop().create_future()
            self._thinking = False
            self._may_speak.set()
            again = await self._fixed
            self._fixed = None
        if not again and isinstance(self._unsaved, Answer):
            self._display.refuse(f"This answer is not saved:\n{self._unsaved.text}")
        return again

    def _decide(self, *, again: bool) -> None:
        if self._fixed and not self._fixed.done():
            self._may_speak.clear()
            self._fixed.set_result(again)

    def _give(self, command: Command) -> None:
        self._may_speak.clear()
        self._unsaved = None if isinstance(command, commands.ReadFigures) else command
        self._interview.send(command)

    def _note(self, event: Event) -> None:
        if isinstance(event, get_args(JournalEvent)) and not isinstance(event, _SAYS_NOTHING_OF_IT):
            self._unsaved = None
        if not isinstance(event, Retrying | Leaving):  # else what went before goes on
            self._thinking = isinstance(event, Thinking | Checking)
        match event:
            case YourTurn():
                self._hint_left = event.hint_price is not None
                self._has_hints = event.has_hints
                self._may_speak.set()
            case TurnFailed():
                self._may_speak.set()
            case TimeUp():
                self._may_speak.clear()
            case AnswerGiven(cut_off=True):
                self._candidate.clock_took(event.text)

    async def _listen(self) -> None:
        await self._begun.wait()
        reading = asyncio.create_task(self._read())
        try:
            await self._obey()
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    async def _read(self) -> None:
        """Queue what is said; what cannot wait while the examiner thinks is passed on at once."""
        live = self._candidate.sees_events  # else all of it was said before anything was asked
        while True:
            said: Said | Exception | None
            try:
                said = await self._candidate.next_command()
            except Exception as error:  # noqa: BLE001, told or raised where it is taken out
                said = error
            if live and self._thinking and isinstance(said, _CANNOT_WAIT):
                self._interview.send(said)
            else:
                self._said.put_nowait(said or Pause())
            if not said or (isinstance(said, Exception) and not isinstance(said, UnusableError)):
                return

    async def _obey(self) -> None:
        command: Said | Exception | None = None
        while not isinstance(command, Pause):
            try:
                command = await self._said.get()
                if isinstance(command, Exception):
                    raise command
                await self._pass_on(command)
            except UnusableError as unusable:
                self._display.refuse(str(unusable))
                if self._interview.state.failure and not self._candidate.sees_events:
                    self.gave_up = True
                    command = Pause()
                    self._interview.send(command)

    async def _pass_on(self, said: Said) -> None:
        if isinstance(said, Cancel):
            raise UnusableError(
                "The examiner is not thinking right now, so there is nothing to cancel."
            )
        await self._may_speak.wait()
        if self._fixed:
            self._while_nothing_is_saved(said)
            return
        if isinstance(said, ShowTask):
            self._display.show_task(self._challenge())
            return
        if isinstance(said, ShowFigure):
            self._display.show_figure(self._figure())
            return
        if isinstance(said, ShowNumbers):
            self._display.show_numbers(self._numbers())
            return
        command = self._of_block(said) if isinstance(said, Block) else self._marked(said)
        if isinstance(command, str):
            self._display.refuse(command, "marked")
            return
        self._refuse_unavailable(command)
        if isinstance(command, RunBench | SubmitRun):
            command = self._with_source(command)
        self._give(command)

    def _numbers(self) -> tuple[Quantity, ...]:
        known = overview(self._interview.state, self._interview.rubrics)
        return known.numbers if known else ()

    def _marked(self, said: Command | MarkNumber | MarkPoint) -> Command | str:
        """The command that was said or is made of it, or what came of a point that is settled."""
        try:
            if isinstance(said, MarkPoint):
                return self._settle(said.criterion, said.mark)
            if isinstance(said, MarkNumber):
                return marking(self._numbers(), said.number, said.typed)
            return said
        except InterviewerError as error:
            raise UnusableError(str(error)) from None

    def _while_nothing_is_saved(self, said: Said) -> None:
        if not isinstance(said, Retry | Pause):
            raise UnusableError("Nothing can be saved now; /retry goes on, /pause leaves.")
        self._decide(again=isinstance(said, Retry))

    def _challenge(self) -> Challenge:
        challenge = self._interview.challenge
        if challenge is None:
            raise UnusableError("This question has no task for the bench; answer in words.")
        return challenge

    def _figure(self) -> Figure:
        question = self._interview.state.question
        figure = question.turns[0].figure if question else None
        if figure is None:
            raise UnusableError("This question has no figure.")
        return figure

    def _of_block(self, block: Block) -> Command:
        if self._interview.challenge is None:
            return answer(block.typed)
        return bench_command("run", block.source)

    def _with_source(self, command: RunBench | SubmitRun) -> Command:
        """The command with a source: by default the lines last typed at the bench."""
        self._challenge()
        source = command.source or self._interview.drafts()["bench"]
        if not source.strip():
            raise UnusableError(
                f"Nothing has been typed at the bench; put the lines between two lines of {FENCE}."
            )
        return replace(command, source=source)

    def _refuse_unavailable(self, command: Command) -> None:
        """Raise UnusableError for a command that does not apply now."""
        match command:
            case _ if self._interview.state.failure and isinstance(command, _HAS_TO_WAIT):
                raise UnusableError("The last step failed; retry it, go offline, or pause.")
            case commands.ReadFigures() if not any(
                unread_answers(self._interview.state, self._interview.rubrics)
            ):
                raise UnusableError("The numbers of every answer are read.")
            case Retry() | GoOffline() if not self._interview.state.failure:
                raise UnusableError("Nothing has failed, so there is nothing to retry or replace.")
            case AskHint() if not self._hint_left:
                left = (
                    "There are no hints left for" if self._has_hints else "There are no hints for"
                )
                raise UnusableError(f"{left} this question.")
