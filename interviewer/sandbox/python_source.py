"""Inspects a Python function before it runs: which function it is, and which names it uses."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

LONGEST = 20_000
"""Characters."""
_DEEPEST = 60
_PYTHON = re.compile(r"\s*(?:(?:def|async|import|from|class)\b|@\w)")


class SourceError(ValueError):
    """The source is not a function that can be checked; ``line`` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class FunctionSource:
    """A function in its source; ``line`` is where it begins."""

    source: str
    name: str
    line: int


def is_function(source: str) -> bool:
    """Its first line of code begins a Python function, not a line of the expression language."""
    for line in source[: 4 * LONGEST].splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            return _PYTHON.match(line) is not None
    return False


def function_in(
    source: str, parameters: Sequence[str] | None = None, banned: Collection[str] = ()
) -> FunctionSource:
    """The last function at the top level; the others may be its helpers.

    ``parameters`` are the arguments it is called with. Raises SourceError with a sentence.
    """
    tree = _tree(source)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    if not functions:
        raise SourceError(1, "There is no function here; start one with def and a name.")
    asked = functions[-1]
    if parameters is not None and not _takes(asked, len(parameters)):
        listed = ", ".join(parameters)
        raise SourceError(
            asked.lineno,
            f"{asked.name} must take {len(parameters)} arguments in this order: {listed}."
            if len(parameters) != 1
            else f"{asked.name} must take one argument: {listed}.",
        )
    refused = set(banned) - _own_names(tree)
    for node in ast.walk(tree):
        if name := _banned(node, refused, banned):
            raise SourceError(
                getattr(node, "lineno", 1),
                f"{name} may not be used here: it is what you are asked to write.",
            )
    return FunctionSource(source, asked.name, asked.lineno)


def _tree(source: str) -> ast.Module:
    if len(source) > LONGEST:
        raise SourceError(1, f"The source is longer than {LONGEST} characters; shorten it.")
    if "\0" in source:
        line = source.count("\n", 0, source.index("\0")) + 1
        raise SourceError(line, "There is a NUL character in this line; remove it.")
    if (deep := _too_deep(source)) is not None:
        raise SourceError(deep, f"Brackets are nested more than {_DEEPEST} deep; use names.")
    try:
        return ast.parse(source)
    except SyntaxError as error:
        words = (error.msg or "unreadable").rstrip(".")
        raise SourceError(error.lineno or 1, f"Python cannot read this: {words}.") from None
    except (ValueError, RecursionError, MemoryError):
        raise SourceError(1, "Python cannot read this: it is too deeply nested.") from None


def _too_deep(source: str) -> int | None:
    """The line where brackets nest too deep for the parser; strings may fool it."""
    depth, line = 0, 1
    for char in source:
        if char == "\n":
            line += 1
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth = max(0, depth - 1)
        if depth > _DEEPEST:
            return line
    return None


def _takes(function: ast.FunctionDef, count: int) -> bool:
    given = function.args
    positional = len(given.posonlyargs) + len(given.args)
    least = positional - len(given.defaults)
    wanted_by_name = any(default is None for default in given.kw_defaults)
    return least <= count and (count <= positional or bool(given.vararg)) and not wanted_by_name


def _own_names(tree: ast.Module) -> set[str]:
    """Names that the source itself defines; these may coincide with banned ones."""
    own: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                own.add(name)
            case ast.FunctionDef(name=name):
                own.add(name)
    return own


def _banned(node: ast.AST, names: Collection[str], members: Collection[str]) -> str | None:
    """The banned name that a node uses: bare, as an attribute, or by import."""
    match node:
        case ast.Name(id=name) if name in names:
            return name
        case ast.Attribute(attr=name) if name in members:
            return name
        case ast.ImportFrom(names=aliases) | ast.Import(names=aliases):
            paths = [alias.name for alias in aliases]
            paths.append(getattr(node, "module", None) or "")
            parts = {part for path in paths for part in path.split(".")}
            return next((name for name in sorted(parts) if name in members), None)
        case _:
            return None
