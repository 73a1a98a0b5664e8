"""Where the candidate's words come from: typed lines, JSON lines, or a script."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from typing import Protocol

from interviewer.cli.commands import (
    Block,
    Said,
    ShowTask,
    UnusableError,
    answer,
    command_named,
    file_command,
    from_entry,
    word_of,
)
from interviewer.cli.scripts import json_value
from interviewer.interview.commands import AskHint, Cancel, HandIn, Pause, RunBench

_LEAVES_ANSWER_ALONE = (AskHint, Cancel, Pause, ShowTask, RunBench, HandIn)
FENCE = "```"
"""On a line of its own it begins lines for the bench, and ends them."""


class Candidate(Protocol):
    """Someone who is interviewed."""

    @property
    def sees_events(self) -> bool:
        """Can react to what happens; a script cannot choose what to do about a failure."""

    async def next_command(self) -> Said | None:
        """The next answer or command, None when no more will come; raises UnusableError."""

    def clock_took(self, text: str) -> None:
        """The time was up, and this unfinished answer was taken."""


class Script:
    """Commands prepared beforehand."""

    sees_events = False

    def __init__(self, commands: Iterable[Said]) -> None:
        self._commands = iter(commands)

    async def next_command(self) -> Said | None:
        return next(self._commands, None)

    def clock_took(self, text: str) -> None:
        """A script's answers are whole: there is nothing to let go of."""


class JsonLines:
    """A JSON string, or an object with "say" or "command", on each line."""

    sees_events = True

    def __init__(self, lines: AsyncIterator[str]) -> None:
        self._lines = lines

    async def next_command(self) -> Said | None:
        async for line in self._lines:
            if line.strip():
                return from_entry(json_value(line))
        return None

    def clock_took(self, text: str) -> None:
        """A line is a whole answer: there is nothing to let go of."""


class TypedLines:
    """Lines as a person types them: an empty line ends the answer, "/word" is a command.

    ``save`` is handed the unfinished answer after every line. When the input ends, an answer that
    was typed and not ended is sent if ``sends_rest``, else it stays where ``save`` put it.
    Between two fences stand lines for the bench, which go to ``save_lines`` as they come; within an
    answer, or where ``at_bench`` says that there is none, a fence is a line like others.
    """

    sees_events = True

    def __init__(
        self,
        lines: AsyncIterator[str],
        *,
        draft: str,
        save: Callable[[str], None],
        sends_rest: bool,
        at_bench: Callable[[], bool] = lambda: True,
        save_lines: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._lines = lines
        self._typed = draft.split("\n") if draft else []
        self._save = save
        self._sends_rest = sends_rest
        self._at_bench = at_bench
        self._save_lines = save_lines
        self._typing = False

    async def next_command(self) -> Said | None:
        async for line in self._lines:
            if self._begins_block(line):
                return await self._block(line)
            word = word_of(line)
            if word is not None:
                return self._command(word)
            if command := file_command(line):
                return command
            if line.strip():
                self._typing = True
                self._typed.append(line)
                self._save("\n".join(self._typed))
            elif self._typed:
                return self._finished()
        return self._finished() if self._typing and self._sends_rest else None

    def _begins_block(self, line: str) -> bool:
        """A language may be named behind the fence, as in Markdown."""
        fence, _, language = line.strip().partition(FENCE)
        marks = not fence and FENCE in line and " " not in language and FENCE not in language
        return marks and not self._typed and self._at_bench()

    async def _block(self, opening: str) -> Said | None:
        """The lines up to the closing fence, None where the input ends before it."""
        lines: list[str] = []
        async for line in self._lines:
            if line.strip() == FENCE:
                return Block("\n".join(lines), "\n".join([opening, *lines, line]))
            lines.append(line)
            self._save_lines("\n".join(lines))
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
                f"Your answer is unfinished; end it with an empty line before /{word}."
            )
        return command
