"""An interview over streams: typed lines, JSON lines or a script in, events out, on the clock."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import yaml

from interviewer.content.files import text_of
from interviewer.errors import InterviewerError, StoreError
from interviewer.grading.claims.quantity import Quantity
from interviewer.interview import commands, events
from interviewer.interview.commands import Answer, Command, Pause, RunBench, SubmitRun, marking
from interviewer.interview.examining import overview
from interviewer.interview.interview import Interview
from interviewer.paths import expanded
from interviewer.sandbox.challenge import Challenge
from interviewer.store.records import Pane

if TYPE_CHECKING:
    from interviewer.cli.display import Display


# -- what is said -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Show:
    """Show the open question's task, or the numbers stated so far."""

    what: Literal["task", "numbers"]


@dataclass(frozen=True)
class MarkNumber:
    """Strike the figure of this number in the list, or give its right value."""

    number: int
    typed: str


@dataclass(frozen=True)
class Block:
    """Lines between two fences (``typed`` includes these): a run, or words without a bench."""

    source: str
    typed: str


Said = Command | Show | MarkNumber | Block
"""All possible input. A run or submission without a source takes the lines last typed at the
bench."""

BY_WORD: dict[str, Said] = {
    "hint": commands.AskHint(),
    "idk": commands.DontKnow(),
    "rephrase": commands.Rephrase(),
    "saidthat": commands.SaidThat(),
    "bench": Show("task"),
    "numbers": Show("numbers"),
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
FENCE = "```"
"""On a line of its own it starts and ends lines for the bench."""
LARGEST_SOURCE = 100 * 1024
"""Bytes: more than any derivation or function needs; the bench itself takes less."""
_OPENING = re.compile(r"\s*```[^\s`]*\s*")
"""A fence, which a language may follow, as in Markdown."""
_COMMAND = re.compile(r"\s*/([a-z]+)(?:[ \t]+(\S.*?))?\s*")
_DIGITS = re.compile(r"\d{1,4}")
_LEAVES_ANSWER_ALONE = (
    *(commands.AskHint, commands.Cancel, commands.Pause, commands.Retry),
    *(RunBench, SubmitRun, Show, MarkNumber),
)


class TypedLines:
    """Lines as a person types them: an empty line sends the answer, "/word" is a command.

    ``save`` is given the draft of a pane after every line. When the input ends, an unfinished
    answer is sent if ``sends_rest``, else it stays where ``save`` put it. Lines between two fences
    are for the bench; within an answer a fence is a line like any other.
    """

    def __init__(
        self,
        lines: AsyncIterator[str],
        *,
        draft: str,
        save: Callable[[str, Pane], None],
        sends_rest: bool,
    ) -> None:
        self._lines = lines
        self._typed = draft.split("\n") if draft else []
        self._save = save
        self._sends_rest = sends_rest
        self._typing = False

    async def next_command(self) -> Said | None:
        async for line in self._lines:
            if _OPENING.fullmatch(line) and not self._typed:
                return await self._block(line)
            if command := command_of(line):
                return self._usable(command, line)
            if line.strip():
                self._typing = True
                self._typed.append(line)
                self._save("\n".join(self._typed), "answer")
            elif self._typed:
                return self._finished()
        return self._finished() if self._typing and self._sends_rest else None

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
        """The time was up and this unfinished answer was taken."""
        if text == "\n".join(self._typed):
            self._typed = []
            self._typing = False

    def _finished(self) -> Said:
        text = "\n".join(self._typed)
        self.clock_took(text)
        return answer(text)

    def _usable(self, command: Said, line: str) -> Said:
        if self._typed and not isinstance(command, _LEAVES_ANSWER_ALONE):
            raise InterviewerError(
                f"Your answer is unfinished; send it with an empty line before {line.strip()}."
            )
        return command


class JsonLines:
    """A JSON string, or an object with "say" or "command", on each line."""

    def __init__(self, lines: AsyncIterator[str]) -> None:
        self._lines = lines

    async def next_command(self) -> Said | None:
        async for line in self._lines:
            if line.strip():
                try:
                    entry = json.loads(line)
                except (ValueError, RecursionError) as error:
                    why = "This line is not JSON; put the answer in double quotes."
                    raise InterviewerError(why) from error
                return from_entry(entry)
        return None


class Script:
    """Input prepared in advance, which cannot choose what to do about a failure."""

    def __init__(self, entries: Iterable[Said]) -> None:
        self._entries = iter(entries)

    async def next_command(self) -> Said | None:
        return next(self._entries, None)


Candidate = TypedLines | JsonLines | Script
"""``next_command()`` gives the next input, None at the end.

It raises InterviewerError for what cannot be used.
"""


def from_entry(entry: Any) -> Said:
    """The input that a JSON line or a script entry stands for.

    A string is an answer, or a command if it is "/word"; ``{"say": text}`` is always an answer;
    ``{"command": word}`` is a command, and ``{"command": "bench" or "submit", "source": text}``
    runs or submits a source. Raises InterviewerError.
    """
    match entry:
        case str():
            return command_of(entry) or answer(entry)
        case {"say": str(text)} if len(entry) == 1:
            return answer(text)
        case {"command": str(word)} if len(entry) == 1:
            return _named(word.removeprefix("/"))
        case {"command": "bench" | "run" | "submit" as word, "source": str(source)} if (
            len(entry) == 2
        ):
            return bench_command(word, source)
    raise InterviewerError('This is neither a string nor {"say": text} nor {"command": word}.')


def answer(text: str) -> Answer:
    """The answer; raises InterviewerError if it is blank."""
    if not text.strip():
        raise InterviewerError(
            "An empty answer is not sent; use the command idk to say you don't know."
        )
    return Answer(text)


def bench_command(word: str, source: str) -> Command:
    """Run or submit this source; raises InterviewerError if it is blank."""
    if not source.strip():
        raise InterviewerError("There is nothing to run; write the lines of a derivation.")
    return SubmitRun(source) if word == "submit" else RunBench(source)


def _named(word: str) -> Said:
    """The command of this name; raises InterviewerError if there is none."""
    if word not in BY_WORD:
        known = ", ".join(BY_WORD)
        raise InterviewerError(f"There is no command {word!r}; the commands are {known}.")
    return BY_WORD[word]


def command_of(line: str) -> Said | None:
    """The command that a line is, None for words; raises InterviewerError for one without sense."""
    match = _COMMAND.fullmatch(line)
    word, rest = match.groups("") if match else ("", "")
    if word == "number":
        number, _, typed = rest.partition(" ")
        if not _DIGITS.fullmatch(number):
            raise InterviewerError("Which one? /numbers lists them; then, say, /number 3 strike.")
        return MarkNumber(int(number), typed.strip())
    if word in ("run", "submit") and rest:
        return bench_command(word, text_of(expanded(rest), largest=LARGEST_SOURCE))
    return _named(word) if word and not rest else None


def read_script(path: Path) -> tuple[Said, ...]:
    """The entries of a YAML list, in order.

    Raises InterviewerError with the number of the first entry that cannot be used.
    """
    text = text_of(path)
    try:
        # All scalars are text, so that an answer of 42 or "yes" stays one.
        entries = yaml.load(text, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}:{mark.line + 1}" if mark else path
        raise InterviewerError(f"{place}: not valid YAML.") from error
    if not isinstance(entries, list):
        raise InterviewerError(f"{path}: a script is a YAML list of answers and commands.")
    said = []
    for number, entry in enumerate(entries, start=1):
        try:
            said.append(from_entry(entry))
        except InterviewerError as unusable:
            raise InterviewerError(f"{path}, entry {number}: {unusable}") from unusable
    return tuple(said)


async def stdin_lines(descriptor: int = 0) -> AsyncIterator[str]:
    """The lines of standard input without line ends; bytes that are not UTF-8 become U+FFFD.

    A thread reads: an event loop cannot watch a regular file, and a read that never returns must
    not keep the process alive. It has a stream of its own: if it died inside sys.stdin, it would
    take that one's lock along.
    """
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue()

    def tell(line: str | None) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody listens any more
            loop.call_soon_threadsafe(lines.put_nowait, line)

    def read() -> None:
        with (
            suppress(OSError),  # the terminal is gone: the end of the input
            open(
                descriptor, encoding="utf-8", errors="replace", newline="\n", closefd=False
            ) as typed,
        ):
            for line in typed:
                tell(line)
        tell(None)

    threading.Thread(target=read, daemon=True, name="stdin").start()
    while (line := await lines.get()) is not None:
        yield line.removesuffix("\n").removesuffix("\r")


# -- the interview -----------------------------------------------------------------------------

_NEEDS_THE_EXAMINER = (
    *(Answer, RunBench, SubmitRun, commands.DontKnow, commands.AskHint, commands.Rephrase),
    *(commands.SaidThat, commands.MarkFigure),
)
"""These do nothing until the failed step is dealt with."""
_CANNOT_WAIT = (commands.Cancel, commands.Skip, commands.EndRound, commands.EndInterview, Pause)


class TextConversation:
    """Runs one interview to its end or to a pause.

    Input is read all the time, so that it never holds up the clock. Lines sent ahead wait for the
    candidate's turn; what is said while the examiner thinks, to cancel, pause or leave, does not.
    """

    def __init__(self, interview: Interview, candidate: Candidate, display: Display) -> None:
        self._interview = interview
        self._candidate = candidate
        self._is_script = isinstance(candidate, Script)
        self._display = display
        self._unsaved = ""
        """The answer that was sent and is not on disk yet."""
        self._begun = asyncio.Event()
        self._may_speak = asyncio.Event()
        self._thinking = False
        self._hint_left = False
        self._said: asyncio.Queue[Said | Exception] = asyncio.Queue()
        self.stopped = ""
        """Why it was paused, if nobody said so."""

    async def hold(self) -> None:
        """Hold the interview; raises StoreError if a write fails."""
        showing = asyncio.create_task(self._show_events())
        listening = asyncio.create_task(self._listen())
        try:
            await asyncio.wait({showing, listening}, return_when=asyncio.FIRST_COMPLETED)
            if listening.done():
                listening.result()
            await showing
        finally:
            for task in (showing, listening):
                task.cancel()
            await asyncio.gather(showing, listening, return_exceptions=True)
            await self._interview.aclose()

    def interrupt(self) -> None:
        """Pause as soon as possible, whatever is going on."""
        self.stopped = "Interrupted; the interview is paused"
        self._interview.send(Pause())

    async def _show_events(self) -> None:
        self._interview.on_notice = self._show_event
        try:
            async for event in self._interview:
                self._show_event(event)
                self._begun.set()
        except StoreError:
            if self._unsaved:
                self._display.refuse(f"This answer is not saved:\n{self._unsaved}")
            raise

    def _show_event(self, event: events.Event) -> None:
        self._note(event)
        self._display.show(event)

    def _note(self, event: events.Event) -> None:
        if not isinstance(event, events.Retrying | events.Leaving):  # else what went before goes on
            self._thinking = isinstance(event, events.Thinking | events.Checking)
        match event:
            case events.YourTurn():
                self._hint_left = event.hint_price is not None
                self._may_speak.set()
            case events.TurnFailed():
                self._may_speak.set()
            case events.TimeUp():
                self._may_speak.clear()
            case events.AnswerGiven():
                self._unsaved = ""
                if event.cut_off and isinstance(self._candidate, TypedLines):
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
        live = not self._is_script  # all of a script was said before anything was asked
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
            if not said or (isinstance(said, Exception) and not isinstance(said, InterviewerError)):
                return

    async def _obey(self) -> None:
        command: Said | Exception | None = None
        while not isinstance(command, Pause):
            try:
                command = await self._said.get()
                if isinstance(command, Exception):
                    raise command
                await self._pass_on(command)
            except InterviewerError as unusable:
                self._display.refuse(str(unusable))
                if self._interview.state.failure and self._is_script:
                    self.stopped = "The examiner failed and the script has no remedy; paused"
                    command = Pause()
                    self._interview.send(command)

    async def _pass_on(self, said: Said) -> None:
        if isinstance(said, commands.Cancel):
            raise InterviewerError(
                "The examiner is not thinking right now, so there is nothing to cancel."
            )
        await self._may_speak.wait()
        if (command := self._command(said)) is None:
            return
        self._refuse_unavailable(command)
        self._may_speak.clear()
        self._unsaved = command.text if isinstance(command, Answer) else ""
        self._interview.send(command)

    def _command(self, said: Said) -> Command | None:
        """The command that was said or is made of it; None for what only had to be shown."""
        match said:
            case Show(what="task"):
                self._display.show_task(self._challenge())
                return None
            case Show():
                self._display.show_numbers(self._numbers())
                return None
            case MarkNumber():
                return marking(self._numbers(), said.number, said.typed)
            case Block() if self._interview.challenge is None:
                return answer(said.typed)
            case Block():
                return bench_command("run", said.source)
            case RunBench() | SubmitRun():
                self._challenge()
                source = said.source or self._interview.drafts()["bench"]
                if not source.strip():
                    raise InterviewerError(
                        "Nothing has been typed at the bench; put the lines between two lines of "
                        f"{FENCE}."
                    )
                return replace(said, source=source)
        return said

    def _numbers(self) -> tuple[Quantity, ...]:
        known = overview(self._interview.state, self._interview.rubrics)
        return known.numbers if known else ()

    def _challenge(self) -> Challenge:
        challenge = self._interview.challenge
        if challenge is None:
            raise InterviewerError("This question has no task for the bench; answer in words.")
        return challenge

    def _refuse_unavailable(self, command: Command) -> None:
        """Raise InterviewerError for a command that does not apply now."""
        state = self._interview.state
        if state.failure and isinstance(command, _NEEDS_THE_EXAMINER):
            raise InterviewerError("The last step failed; retry it, go offline, or pause.")
        match command:
            case commands.Retry() | commands.GoOffline() if not state.failure:
                raise InterviewerError(
                    "Nothing has failed, so there is nothing to retry or replace."
                )
            case commands.AskHint() if not self._hint_left:
                raise InterviewerError("There are no hints left for this question.")
