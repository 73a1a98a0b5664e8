"""The expression language of the bench: a derivation's lines become statements, and are not run.

Each bad line gets a sentence. Nothing here imports torch; the nodes are evaluated by the confined
worker (:mod:`interviewer.sandbox.worker.evaluator`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from interviewer.sandbox.language.functions import is_reserved
from interviewer.sandbox.language.notation import Token, UnreadableError, tokens_of
from interviewer.sandbox.language.parser import (
    LONGEST_LINE,
    Node,
    Part,
    Scope,
    letters_apart,
    parse,
)

__all__ = ["Derivation", "LineProblem", "Part", "Statement", "expression", "read"]

LONGEST_SOURCE = 20_000
MOST_LINES = 200

_LINE_END = re.compile(r"\r\n|\r|\n")
_COMMENT = re.compile(r"('[^'\n]*'|\"[^\"\n]*\")|#.*")
_DEFINED = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*=(?!=)")


@dataclass(frozen=True)
class Statement:
    """A line, or several joined by an open bracket; numbers count from 1.

    Each part must equal the one before. ``defines`` is the name of the first part, None if the
    line is a claim. If it ``continues``, its first part must equal the last part of the statement
    before.
    """

    line: int
    defines: str | None
    parts: tuple[Part, ...]
    continues: bool


@dataclass(frozen=True)
class LineProblem:
    """Why a line could not be read, as a sentence."""

    line: int
    message: str


@dataclass(frozen=True)
class Derivation:
    """All that was read; a line with a problem has no statement."""

    statements: tuple[Statement, ...]
    problems: tuple[LineProblem, ...]

    @property
    def problem(self) -> LineProblem | None:
        """The first line that could not be read."""
        return min(self.problems, key=lambda problem: problem.line, default=None)

    @property
    def readable(self) -> tuple[Statement, ...]:
        """The statements before the first line that could not be read."""
        end = self.problem.line if self.problem else MOST_LINES + 1
        return tuple(each for each in self.statements if each.line < end)


@dataclass
class _Reader:
    given: frozenset[str]
    banned: frozenset[str]
    scalars: bool = False
    defined: set[str] = field(default_factory=set)
    meant: set[str] = field(default_factory=set)
    """Names that an unreadable line would have defined: one mistake, one message."""
    statements: list[Statement] = field(default_factory=list)
    problems: list[LineProblem] = field(default_factory=list)
    above: int | None = None
    """The line that could be continued; None before the first."""

    def line(self, first: int, text: str) -> None:
        """Read one line, which begins at the ``first``, into a statement or a problem."""
        defined = _DEFINED.match(text)
        name = defined[1] if defined else None
        try:
            statement = self._statement(first, text, name)
        except UnreadableError as bad:
            message = str(bad)
            end = "" if message.endswith((".", "?", "!")) else "."
            self.problems.append(LineProblem(first, message + end))
            if name and not is_reserved(name):
                self.meant.add(name)
        else:
            self.statements.append(statement)
            if statement.defines:
                self.defined.add(statement.defines)
        self.above = first

    def _statement(self, first: int, text: str, name: str | None) -> Statement:
        if len(text) > LONGEST_LINE:
            raise UnreadableError(f"Write at most {LONGEST_LINE} characters a line, in steps")
        tokens = tokens_of(text, self.given)
        scope = Scope(self.given | self.defined | self.meant, self.banned, self.scalars)
        if self.scalars:
            tokens = letters_apart(tokens, scope.names)
        continues = tokens[0].is_operator("=")
        if continues:
            self._check_above()
            tokens = tokens[1:]
        if name is not None:
            self._check_name(name)
        defines = name if name not in self.defined else None
        pieces = _split(tokens)
        if len(pieces) == 1 and not continues:
            raise UnreadableError(
                "This line claims nothing; write NAME = … to name a value, or … = … with a single "
                "= to equate two"
            )
        parts = tuple(parse(piece, scope) for piece in pieces[defines is not None :])
        return Statement(first, defines, parts, continues)

    def _check_above(self) -> None:
        if not self.statements or self.statements[-1].line != self.above:
            which = f"line {self.above}, which cannot be read" if self.above else "no line"
            raise UnreadableError(f"A line that starts with = continues the one above: {which}")

    def _check_name(self, name: str) -> None:
        if name in self.given:
            raise UnreadableError(
                f"{name} is given and cannot be redefined; choose another name, or to "
                f"make a claim about it, write … = {name}"
            )
        if is_reserved(name) or name in self.banned:
            raise UnreadableError(f"{name} has a meaning of its own here; choose another name")


def read(
    source: str,
    *,
    given: Collection[str],
    banned: Collection[str] = (),
    scalars: bool = False,
) -> Derivation:
    """The statements and the problems of a source; ``given`` are the names it may start from.

    ``scalars``: all of them are numbers, so names side by side are a product.

    Never raises, whatever the source, and reads a bounded part of it only.
    """
    if len(source) > LONGEST_SOURCE:
        message = f"The bench reads at most {LONGEST_SOURCE} characters."
        return Derivation((), (LineProblem(1, message),))
    reader = _Reader(frozenset(given), frozenset(banned), scalars)
    lines = _LINE_END.split(source)
    for first, text in _logical(lines[:MOST_LINES]):
        reader.line(first, text)
    if any(line.strip() for line in lines[MOST_LINES:]):
        message = f"The bench reads at most {MOST_LINES} lines."
        reader.problems.append(LineProblem(MOST_LINES + 1, message))
    return Derivation(tuple(reader.statements), tuple(reader.problems))


def expression(text: str, given: Collection[str]) -> Node:
    """One expression over the given names. Raises ValueError with a sentence."""
    try:
        return parse(tokens_of(text, given), Scope(frozenset(given))).node
    except UnreadableError as bad:
        raise ValueError(f"{text[:80]}: {bad}") from None


def _logical(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, no blank ones, joined from a bracket to where it is closed."""
    place = 0
    while place < len(lines):
        first, text = place, _bare(lines[place])
        place += 1
        depth = opened = _depth(text)
        while depth > 0 and place < len(lines) and len(text) <= LONGEST_LINE:
            more = _bare(lines[place])
            text, place, depth = f"{text}\n{more}", place + 1, depth + _depth(more)
        if opened > 0 and depth > 0:
            text, place = _bare(lines[first]), first + 1
        if text.strip():
            yield first + 1, text


def _bare(line: str) -> str:
    return _COMMENT.sub(lambda found: found[1] or "", line)


def _depth(text: str) -> int:
    plain = _COMMENT.sub("", text)
    return sum(map(plain.count, "([{")) - sum(map(plain.count, ")]}"))


def _split(tokens: tuple[Token, ...]) -> list[tuple[Token, ...]]:
    pieces: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += token.is_operator("(", "[") - token.is_operator(")", "]")
        if token.is_operator("=") and depth == 0:
            pieces.append([])
        else:
            pieces[-1].append(token)
    if not all(pieces):
        raise UnreadableError("Nothing stands beside one of the = signs; finish the line")
    return [tuple(piece) for piece in pieces]
