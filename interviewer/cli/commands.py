"""The words by which text, JSON and scripts give the commands of an interview."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interviewer.interview import commands
from interviewer.interview.commands import Answer, Command, HandIn, RunBench


@dataclass(frozen=True)
class ShowTask:
    """Read the task of the open question's challenge; the interview does not hear of it."""


@dataclass(frozen=True)
class Block:
    """Lines between two fences, ``typed`` with the fences: a run, or words where there is none."""

    source: str
    typed: str


Said = Command | ShowTask | Block
"""What a candidate at a stream can put in. A run or hand-in without a source is of the lines that
were last typed at the bench."""

BY_WORD: dict[str, Said] = {
    "hint": commands.AskHint(),
    "idk": commands.DontKnow(),
    "bench": ShowTask(),
    "run": RunBench(""),
    "handin": HandIn(""),
    "skip": commands.Skip(),
    "pause": commands.Pause(),
    "endround": commands.EndRound(),
    "end": commands.EndInterview(),
    "retry": commands.Retry(),
    "offline": commands.GoOffline(),
    "cancel": commands.Cancel(),
}
_SLASHED = re.compile(r"\s*/([a-z]+)\s*")
_WITH_FILE = re.compile(r"\s*/(run|handin)\s+(\S.*?)\s*")
MOST_CHARACTERS = 100_000
"""More than any derivation or function; the bench itself takes less."""


class UnusableError(Exception):
    """What was put in is no answer and no command that can be carried out now, in a sentence."""


def word_of(line: str) -> str | None:
    """The command word of a line that holds "/word" and nothing else."""
    match = _SLASHED.fullmatch(line)
    return match.group(1) if match else None


def file_command(line: str) -> Command | None:
    """The command of a line "/run FILE" or "/handin FILE", None for any other line.

    Raises UnusableError where the file cannot be read.
    """
    match = _WITH_FILE.fullmatch(line)
    return bench_command(match.group(1), _read(Path(match.group(2)))) if match else None


def _read(path: Path) -> str:
    try:
        with path.expanduser().open(encoding="utf-8-sig") as file:
            text = file.read(MOST_CHARACTERS + 1)
    except OSError as error:
        raise UnusableError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise UnusableError(f"{path} is not UTF-8 text; save it as such.") from None
    if len(text) > MOST_CHARACTERS:
        raise UnusableError(f"{path} is too long for the bench; keep to the derivation.")
    return text


def bench_command(word: str, source: str) -> Command:
    """Run or hand in this source; raises UnusableError for one without any text."""
    if not source.strip():
        raise UnusableError("There is nothing in it to run; write the lines of a derivation.")
    return HandIn(source) if word == "handin" else RunBench(source)


def command_named(word: str) -> Said:
    """The command; raises UnusableError where there is none of this name."""
    try:
        return BY_WORD[word]
    except KeyError:
        known = ", ".join(BY_WORD)
        raise UnusableError(f"There is no command {word!r}; known are {known}.") from None


def from_entry(entry: Any) -> Said:
    """The command that a JSON line or a script's entry stands for.

    A string is an answer, or a command if it is "/word"; ``{"say": text}`` is an answer whatever
    it holds; ``{"command": word}`` is a command, and ``{"command": "bench" or "handin", "source":
    text}`` runs or hands in a source. Raises UnusableError.
    """
    if isinstance(entry, str):
        word = word_of(entry)
        return answer(entry) if word is None else command_named(word)
    match entry:
        case {"say": str(text)} if len(entry) == 1:
            return answer(text)
        case {"command": str(word)} if len(entry) == 1:
            return command_named(word.removeprefix("/"))
        case {"command": "bench" | "run" | "handin" as word, "source": str(source)} if (
            len(entry) == 2
        ):
            return bench_command(word, source)
    raise UnusableError('This is neither a text nor {"say": text} nor {"command": word}.')


def answer(text: str) -> Answer:
    """The answer; raises UnusableError for one without any text."""
    if not text.strip():
        raise UnusableError("An empty answer is not sent; the command idk says you don't know.")
    return Answer(text)
