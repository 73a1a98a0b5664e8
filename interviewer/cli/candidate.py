"""Where the candidate's words come from: typed lines, JSON lines, or a script."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from typing import Protocol

from interviewer.cli.commands import UnusableError, answer, command_named, from_entry, word_of
from interviewer.cli.scripts import json_value
from interviewer.interview.commands import AskHint, Cancel, Command, Pause

_LEAVES_ANSWER_ALONE = (AskHint, Cancel, Pause)


class Candidate(Protocol):
    """Someone who is interviewed."""

    @property
    def sees_events(self) -> bool:
        """Can react to what happens; a script cannot choose what to do about a failure."""

    async def next_command(self) -> Command | None:
        """The next answer or command, None when no more will come; raises UnusableError."""

    def clock_took(self, text: str) -> None:
        """The time was up, and this unfinished answer was taken."""


class Script:
    """Commands prepared beforehand."""

    sees_events = False

    def __init__(self, commands: Iterable[Command]) -> None:
        self._commands = iter(commands)

    async def next_command(self) -> Command | None:
        return next(self._commands, None)

    def clock_took(self, text: str) -> None:
        """A script's answers are whole: there is nothing to let go of."""


class JsonLines:
    """A JSON string, or an object with "say" or "command", on each line."""

    sees_events = True

    def __init__(self, lines: AsyncIterator[str]) -> None:
        self._lines = lines

    async def next_command(self) -> Command | None:
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
    """

    sees_events = True

    def __init__(
        self,
        lines: AsyncIterator[str],
        *,
        draft: str,
        save: Callable[[str], None],
        sends_rest: bool,
    ) -> None:
        self._lines = lines
        self._typed = draft.split("\n") if draft else []
        self._save = save
        self._sends_rest = sends_rest
        self._typing = False

    async def next_command(self) -> Command | None:
        async for line in self._lines:
            word = word_of(line)
            if word is not None:
                return self._command(word)
            if line.strip():
                self._typing = True
                self._typed.append(line)
                self._save("\n".join(self._typed))
            elif self._typed:
                return self._finished()
        return self._finished() if self._typing and self._sends_rest else None

    def clock_took(self, text: str) -> None:
        if text == "\n".join(self._typed):
            self._clear()

    def _finished(self) -> Command:
        text = "\n".join(self._typed)
        self._clear()
        return answer(text)

    def _clear(self) -> None:
        self._typed = []
        self._typing = False

    def _command(self, word: str) -> Command:
        command = command_named(word)
        if self._typed and not isinstance(command, _LEAVES_ANSWER_ALONE):
            raise UnusableError(
                f"Your answer is unfinished; end it with an empty line before /{word}."
            )
        return command
