"""The words by which text, JSON and scripts give the commands of an interview."""

from __future__ import annotations

import re
from typing import Any

from interviewer.interview import commands
from interviewer.interview.commands import Answer, Command

BY_WORD: dict[str, Command] = {
    "hint": commands.AskHint(),
    "idk": commands.DontKnow(),
    "skip": commands.Skip(),
    "pause": commands.Pause(),
    "endround": commands.EndRound(),
    "end": commands.EndInterview(),
    "retry": commands.Retry(),
    "offline": commands.GoOffline(),
    "cancel": commands.Cancel(),
}
_SLASHED = re.compile(r"\s*/([a-z]+)\s*")


class UnusableError(Exception):
    """What was put in is no answer and no command that can be carried out now, in a sentence."""


def word_of(line: str) -> str | None:
    """The command word of a line that holds "/word" and nothing else."""
    match = _SLASHED.fullmatch(line)
    return match.group(1) if match else None


def command_named(word: str) -> Command:
    """The command; raises UnusableError where there is none of this name."""
    try:
        return BY_WORD[word]
    except KeyError:
        known = ", ".join(BY_WORD)
        raise UnusableError(f"There is no command {word!r}; known are {known}.") from None


def from_entry(entry: Any) -> Command:
    """The command that a JSON line or a script's entry stands for.

    A string is an answer, or a command if it is "/word"; ``{"say": text}`` is an answer whatever
    it holds; ``{"command": word}`` is a command. Raises UnusableError.
    """
    if isinstance(entry, str):
        word = word_of(entry)
        return answer(entry) if word is None else command_named(word)
    if isinstance(entry, dict) and len(entry) == 1:
        match entry:
            case {"say": str(text)}:
                return answer(text)
            case {"command": str(word)}:
                return command_named(word.removeprefix("/"))
    raise UnusableError('This is neither a text nor {"say": text} nor {"command": word}.')


def answer(text: str) -> Answer:
    """The answer; raises UnusableError for one without any text."""
    if not text.strip():
        raise UnusableError("An empty answer is not sent; the command idk says you don't know.")
    return Answer(text)
