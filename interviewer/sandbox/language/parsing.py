"""Expressions: tokens in, nodes out, by the precedence that Python and mathematics share.

A node is a list that can be written as JSON: ``["num", 2.0]``, ``["name", "Q"]``, ``["neg", a]``,
``["bin", "+", a, b]``, ``["cmp", "<", a, b]``, ``["index", a, items]``,
``["call", "softmax", [arguments], {"dim": node}]``, ``["tuple", nodes]``, ``["str", "ij->ji"]``,
``["true"]`` and ``["false"]``. The items of an index are ``["at", node]``,
``["slice", first, last, step]`` with None for what is left out, ``["new"]`` and ``["all"]``.
"""

from __future__ import annotations

from dataclasses import dataclass

from interviewer.sandbox.language.cursor import Node
from interviewer.sandbox.language.grammar import Parser, Scope
from interviewer.sandbox.language.tokens import Token, UnreadableError

__all__ = ["LONGEST_LINE", "Node", "Part", "Scope", "parsed"]

LONGEST_LINE = 2000
_TALLEST = 250
"""Levels of a node: more, and neither JSON nor the evaluator could be sure to walk down it."""


@dataclass(frozen=True)
class Part:
    """One side of an equation. ``names`` are the inputs, dims and defined names in it.

    ``unit`` is the dimension of a lone number with a unit ("bytes"), else None.
    """

    node: Node
    names: frozenset[str]
    unit: str | None
    text: str


def parsed(tokens: tuple[Token, ...], line: str, scope: Scope) -> Part:
    """Tokens of one expression as a part. Raises UnreadableError with a sentence."""
    parser = Parser(tokens, len(line.rstrip()), scope)
    try:
        node = parser.whole()
    except RecursionError:
        # The caller's own stack was nearly full.
        raise UnreadableError("This is nested too deep to be read here") from None
    if _height(node) > _TALLEST:
        raise UnreadableError("This is nested too deep; name an inner part on its own line")
    text = " ".join(line[tokens[0].start : tokens[-1].end].split())
    unit = parser.alone.unit if parser.alone else None
    dimension = unit.dimension if unit is not None else ""
    return Part(node, frozenset(parser.used), dimension or None, text)


def _height(node: Node) -> int:
    """How many lists stand inside one another."""
    tallest, rest = 0, [(node, 1)]
    while rest:
        each, level = rest.pop()
        tallest = max(tallest, level)
        for item in each:
            if isinstance(item, list):
                rest.append((item, level + 1))
            elif isinstance(item, dict):
                rest.extend((value, level + 2) for value in item.values())
    return tallest
