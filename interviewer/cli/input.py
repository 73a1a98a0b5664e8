"""What a candidate says in a text interview: typed lines, JSON lines, or a script."""

from __future__ import annotations

import asyncio
import codecs
import json
import os
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import yaml

from interviewer.content.files import text_of
from interviewer.errors import InterviewerError
from interviewer.interview import commands
from interviewer.interview.commands import Answer, Command, RunBench, SubmitRun
from interviewer.paths import expanded
from interviewer.store.records import Pane


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
_SLASHED = re.compile(r"\s*/([a-z]+)\s*")
_NUMBER = re.compile(r"\s*/number\b\s*(\d{0,4})(?!\S)\s*(.*?)\s*")
_WITH_FILE = re.compile(r"\s*/(run|submit)\s+(\S.*?)\s*")
_LEAVES_ANSWER_ALONE = (
    *(commands.AskHint, commands.Cancel, commands.Pause, commands.Retry),
    *(RunBench, SubmitRun, Show),
)


class UnusableError(InterviewerError):
    """The input is neither an answer nor a command that applies now; the message says why."""


class Candidate(ABC):
    """Someone who is interviewed."""

    sees_events = True
    """Can react to events; a script cannot choose what to do about a failure."""

    @abstractmethod
    async def next_command(self) -> Said | None:
        """The next input, None at the end. Raises InterviewerError for what cannot be used."""

    def clock_took(self, text: str) -> None:  # noqa: B027 - only typed lines know unfinished ones
        """The time was up and this unfinished answer was taken."""


class TypedLines(Candidate):
    """Lines as a person types them: an empty line sends the answer, "/word" is a command.

    ``save`` is given the draft of a pane after every line. When the input ends, an unfinished
    answer is sent if ``sends_rest``, else it stays where ``save`` put it. Lines between two fences
    are for the bench; within an answer, or where ``at_bench`` says that there is none, a fence is
    a line like any other.
    """

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
            if _OPENING.fullmatch(line) and not self._typed and self._at_bench():
                return await self._block(line)
            if command := _with_file(line) or _number(line):
                return command
            if match := _SLASHED.fullmatch(line):
                return self._command(match[1])
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
        if text == "\n".join(self._typed):
            self._typed = []
            self._typing = False

    def _finished(self) -> Said:
        text = "\n".join(self._typed)
        self.clock_took(text)
        return answer(text)

    def _command(self, word: str) -> Said:
        command = _named(word)
        if self._typed and not isinstance(command, _LEAVES_ANSWER_ALONE):
            raise UnusableError(
                f"Your answer is unfinished; send it with an empty line before /{word}."
            )
        return command


class JsonLines(Candidate):
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
                    raise UnusableError(why) from error
                return from_entry(entry)
        return None


class Script(Candidate):
    """Input prepared in advance."""

    sees_events = False

    def __init__(self, entries: Iterable[Said]) -> None:
        self._entries = iter(entries)

    async def next_command(self) -> Said | None:
        return next(self._entries, None)


def from_entry(entry: Any) -> Said:
    """The input that a JSON line or a script entry stands for.

    A string is an answer, or a command if it is "/word"; ``{"say": text}`` is always an answer;
    ``{"command": word}`` is a command, and ``{"command": "bench" or "submit", "source": text}``
    runs or submits a source. Raises UnusableError.
    """
    match entry:
        case str():
            word = _SLASHED.fullmatch(entry)
            return _number(entry) or (_named(word[1]) if word else answer(entry))
        case {"say": str(text)} if len(entry) == 1:
            return answer(text)
        case {"command": str(word)} if len(entry) == 1:
            return _named(word.removeprefix("/"))
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


def bench_command(word: str, source: str) -> Command:
    """Run or submit this source; raises UnusableError if it is blank."""
    if not source.strip():
        raise UnusableError("There is nothing to run; write the lines of a derivation.")
    return SubmitRun(source) if word == "submit" else RunBench(source)


def _named(word: str) -> Said:
    """The command of this name; raises UnusableError if there is none."""
    if word not in BY_WORD:
        known = ", ".join(BY_WORD)
        raise UnusableError(f"There is no command {word!r}; the commands are {known}.")
    return BY_WORD[word]


def _number(line: str) -> MarkNumber | None:
    """The mark of a line "/number N …", else None; raises UnusableError if it names no number."""
    match = _NUMBER.fullmatch(line)
    if match and not match[1]:
        raise UnusableError("Which one? /numbers lists them; then, say, /number 3 strike.")
    return MarkNumber(int(match[1]), match[2]) if match else None


def _with_file(line: str) -> Command | None:
    """The command of a line "/run FILE" or "/submit FILE", else None; raises InterviewerError."""
    if match := _WITH_FILE.fullmatch(line):
        return bench_command(match[1], text_of(expanded(match[2]), largest=LARGEST_SOURCE))
    return None


def read_script(path: Path) -> tuple[Said, ...]:
    """The entries of a YAML list, in order.

    Raises InterviewerError with the number of the first entry that cannot be used.
    """
    text = text_of(path)
    try:
        # All scalars are text, so that an answer of 42 or "yes" stays one.
        entries = yaml.load(text, Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InterviewerError(f"{path}:{line}: not valid YAML ({error.problem}).") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise InterviewerError(f"{path} is not valid YAML.") from error
    if not isinstance(entries, list):
        raise InterviewerError(f"{path}: a script is a YAML list of answers and commands.")
    said = []
    for number, entry in enumerate(entries, start=1):
        try:
            said.append(from_entry(entry))
        except UnusableError as unusable:
            raise InterviewerError(f"{path}, entry {number}: {unusable}") from unusable
    return tuple(said)


async def stdin_lines(descriptor: int = 0) -> AsyncIterator[str]:
    """The lines of standard input without line ends; bytes that are not UTF-8 become U+FFFD.

    A thread reads: an event loop cannot watch a regular file, and a read that never returns must
    not keep the process alive.
    """
    loop = asyncio.get_running_loop()
    chunks: asyncio.Queue[bytes] = asyncio.Queue()

    def read() -> None:
        data = b"?"
        while data:
            # The bare descriptor: a thread that dies inside sys.stdin would take its lock along.
            try:
                data = os.read(descriptor, 65536)
            except OSError:  # the terminal is gone: the end of the input
                data = b""
            try:
                loop.call_soon_threadsafe(chunks.put_nowait, data)
            except RuntimeError:  # the loop is closed: nobody listens any more
                return

    threading.Thread(target=read, daemon=True, name="stdin").start()
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    rest = ""
    while data := await chunks.get():
        *lines, rest = (rest + decoder.decode(data)).split("\n")
        for line in lines:
            yield line.removesuffix("\r")
    rest += decoder.decode(b"", final=True)
    if rest:
        yield rest
