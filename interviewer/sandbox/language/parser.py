"""Expressions: tokens in, nodes out, with a sentence for whatever cannot stand where it stands.

A node is a list that can be written as JSON: ``["num", 2.0]``, ``["name", "Q"]``, ``["neg", a]``,
``["bin", "+", a, b]``, ``["cmp", "<", a, b]``, ``["index", a, items]``,
``["call", "softmax", [arguments], {"dim": node}]``. Arguments of calls may also be
``["tuple", nodes]``, ``["str", "ij->ji"]``, ``["true"]``, ``["false"]`` and ``["none"]``. The items
of an index are ``["at", node]``, ``["slice", first, last, step]`` with None for what is left out,
``["new"]`` and ``["all"]``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from interviewer.sandbox.language.functions import (
    CONSTANTS,
    INSTEAD,
    NO_VALUE,
    PREFIXES,
    SCOPES,
    Argument,
    bound,
    meant_by,
    unknown,
)
from interviewer.sandbox.language.notation import Token, TokenKind, UnreadableError, out_of_place

Node: TypeAlias = list[Any]
T = TypeVar("T")

LONGEST_LINE = 2000
MOST_NODES = 400
DEEPEST = 40
"""Levels of brackets, signs and powers in a line, and also dots and indices in all of it: JSON and
the evaluator handle what they add up to."""
BESIDE = "beside"
"""The operator between two values side by side: of numbers ``*``, of matrices ``@``."""
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_BINDING = {
    **{"|": 1, "&": 2, "+": 4, "-": 4, "*": 5, "/": 5, "@": 5, "**": 7},
    **dict.fromkeys(_COMPARISONS, 3),
}
"""How tightly a binary operator binds."""
_PRODUCT, _SIGN = 5, 6
_SIGNS = ("+", "-", "~")
_LITERALS = ("True", "False", "None")
_FIRST_OR_SECOND = ([["at", ["num", 0.0]]], [["at", ["num", 1.0]]])
_TOO_MUCH = "This line is too long or nested too deeply; name inner parts on lines above it"


@dataclass(frozen=True)
class Scope:
    """What an expression may refer to; ``scalars`` tells that all names are numbers."""

    names: frozenset[str]
    banned: frozenset[str] = frozenset()
    scalars: bool = False


@dataclass(frozen=True)
class Part:
    """One side of an equation, the names in it, and the dimension of a lone number, or None."""

    node: Node
    names: frozenset[str]
    unit: str | None


def parse(tokens: Sequence[Token], scope: Scope) -> Part:
    """Tokens of one expression as a part. Raises UnreadableError with a sentence."""
    parser = _Parser(tokens, scope)
    node = parser.whole()
    unit = parser.alone.unit.dimension if parser.alone and parser.alone.unit else ""
    return Part(node, frozenset(parser.used), unit or None)


def letters_apart(tokens: Sequence[Token], names: Collection[str]) -> tuple[Token, ...]:
    """With ``6ND`` as 6 N D: one-letter names in a row that are no name of their own."""
    found: list[Token] = []
    for place, token in enumerate(tokens):
        named = place + 1 < len(tokens) and tokens[place + 1].is_operator("=", "(")
        word = token.kind is TokenKind.NAME and token.text not in names
        if named or not word or meant_by(token.text) or not set(token.text) <= set(names):
            found.append(token)
            continue
        for number, letter in enumerate(token.text, start=token.start):
            found.append(Token(TokenKind.NAME, letter, number, number + 1))
    return tuple(found)


class _Parser:
    """Reads tokens from left to right by how tightly operators bind, and looks up every name."""

    def __init__(self, tokens: Sequence[Token], scope: Scope) -> None:
        self.scope = scope
        self.used: set[str] = set()
        unsigned = tokens[1:] if tokens and tokens[0].is_operator("-", "+") else tokens
        self.alone = unsigned[0] if len(unsigned) == 1 else None
        self._tokens = tokens
        self._place = self._depth = self._nodes = self._following = 0

    # -- tokens

    def _peek(self, ahead: int = 0) -> Token | None:
        place = self._place + ahead
        return self._tokens[place] if place < len(self._tokens) else None

    def _at(self, *texts: str, ahead: int = 0) -> bool:
        token = self._peek(ahead)
        return token is not None and token.is_operator(*texts)

    def _take(self) -> Token:
        if (token := self._peek()) is None:
            raise UnreadableError("Something is missing at the end; finish the line")
        self._place += 1
        return token

    def _separated(self, opened: Token, read: Callable[[], T]) -> list[T]:
        found = []
        with self._inside():
            while not self._at(")", "]"):
                found.append(read())
                if not self._at(","):
                    break
                self._take()
        if self._peek() is None:
            raise UnreadableError(f"This {opened.text} is never closed")
        if not self._at(")" if opened.text == "(" else "]"):
            raise self._out_of_place()
        self._take()
        return found

    @contextmanager
    def _inside(self) -> Iterator[None]:
        self._depth += 1
        if self._depth >= DEEPEST:
            raise UnreadableError(_TOO_MUCH)
        yield
        self._depth -= 1

    def _made(self, *node: Any) -> Node:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise UnreadableError(_TOO_MUCH)
        return list(node)

    def _check_banned(self, *names: str) -> None:
        if not self.scope.banned.isdisjoint(names):
            raise UnreadableError(f"{names[0]} may not be used here: it is what you are asked for")

    # -- operators

    def whole(self) -> Node:
        """All tokens as one expression."""
        node = self._expression()
        if self._peek() is not None:
            raise self._out_of_place()
        if node[0] in NO_VALUE:
            raise UnreadableError("A line holds one value: no list, text, True, False or None")
        return node

    def _expression(self, least: int = 0) -> Node:
        """As far as operators bind at least so tightly. Raises UnreadableError with a sentence."""
        left = self._operand()
        compared = False
        divisor: int | None = None
        """Where the last factor begins, if it stands below a fraction bar."""
        while (sign := self._operator()) and _BINDING.get(sign, _PRODUCT) >= least:
            if sign == BESIDE:
                left = self._beside(left, divisor)
                divisor = None
                continue
            self._take()
            divisor = self._place if sign == "/" else None
            if sign == "**":
                with self._inside():
                    left = self._made("bin", sign, left, self._expression(_SIGN))
                continue
            if sign in _COMPARISONS and compared:
                raise UnreadableError(
                    "Only one comparison at a time; write (a <= b) & (b <= c) for both"
                )
            compared |= sign in _COMPARISONS
            kind = "cmp" if sign in _COMPARISONS else "bin"
            left = self._made(kind, sign, left, self._expression(_BINDING[sign] + 1))
        return left

    def _operator(self) -> str:
        """The binary operator that comes next, BESIDE where a value follows a value, or ""."""
        token = self._peek()
        if token is None:
            return ""
        if token.is_operator(*_BINDING):
            return token.text
        unit = self._tokens[self._place - 1].unit  # a product without a sign begins with no unit
        if unit is not None and (unit.text == "%" or unit.dimension):
            return ""
        if token.kind is not TokenKind.NAME:
            return BESIDE if token.is_operator("(", "√") else ""
        called = self._at("(", ahead=1) and meant_by(token.text) is not None
        begins_value = token.text in self.scope.names or token.text == "pi" or called
        return BESIDE if begins_value else ""

    def _beside(self, left: Node, divisor: int | None) -> Node:
        """The products that paper leaves unsigned: ``6 N D``, ``4P``, ``2 sqrt(L)``, ``x Wq``.

        After a number, and where all names are numbers, they become ``*``; else BESIDE, since only
        the values say whether a matrix or a number stands there.
        """
        before, token = self._tokens[self._place - 1], self._tokens[self._place]
        if divisor is not None:
            below = "".join(each.text for each in self._tokens[divisor : self._place])[:20]
            raise UnreadableError(
                f"Is only {below} below the fraction bar, or {below} * {token.text[:20]}? "
                "Write the brackets"
            )
        plain = self.scope.scalars or before.kind is TokenKind.NUMBER
        sign = "*" if plain else BESIDE
        return self._made("bin", sign, left, self._expression(_PRODUCT + 1))

    def _operand(self) -> Node:
        if not self._at(*_SIGNS):
            return self._postfixed()
        sign = self._take()
        with self._inside():
            inner = self._expression(_SIGN)
        if sign.text == "-":
            return self._made("neg", inner)
        return inner if sign.text == "+" else self._made("call", "logical_not", [inner], {})

    # -- values

    def _value(self) -> Node:
        token = self._take()
        match token.kind:
            case TokenKind.NUMBER:
                self._check_unit(token)
                return self._made("num", token.value)
            case TokenKind.STRING:
                return self._made("str", token.text)
            case TokenKind.NAME:
                return self._named(token)
        if not token.is_operator("(", "["):
            self._place -= 1
            raise self._out_of_place()
        inner = self._separated(token, self._expression)
        is_list = token.text == "[" or self._tokens[self._place - 2].is_operator(",")
        return self._made("tuple", inner) if is_list or len(inner) != 1 else inner[0]

    def _named(self, token: Token) -> Node:
        name, known = token.text, token.text in self.scope.names
        if name in PREFIXES and not known and self._at("."):
            return self._of_library(token)
        self._check_banned(name)
        if self._at("(") and not (self.scope.scalars and known):
            if known:
                raise UnreadableError(f"{name} is not a function; put * before the bracket")
            return self._call(token, [])
        if known:
            self.used.add(name)
        elif name in _LITERALS:
            return self._made(name.lower())
        elif name not in CONSTANTS:
            raise unknown(name, self.scope.names)
        return self._made("name", name)

    def _check_unit(self, token: Token) -> None:
        """Refuse a unit that may be a name: ``2 h`` where h is the number of heads."""
        for word in re.split("[ /-]", token.unit.text) if token.unit else ():
            sure = token is self.alone and len(word) > 1
            if word in self.scope.names and not sure:
                raise UnreadableError(
                    f"Is {word} a unit here, or the {word} that has a value? Write * before the "
                    "name, or the number in base units without a unit"
                )

    def _of_library(self, library: Token) -> Node:
        """A library's function or constant: ``torch.nn.functional.silu(x)``, ``math.pi``."""
        token = self._member()
        while token.text in SCOPES and self._at("."):
            token = self._member()
        self._check_banned(token.text)
        if self._at("("):
            return self._call(token, [], library=library.text)
        if token.text in CONSTANTS:  # a bare e may stand for something of the candidate's own
            return self._made("num", getattr(math, token.text))
        raise unknown(token.text)

    def _member(self) -> Token:
        self._take()
        token = self._take()
        if token.kind is not TokenKind.NAME:
            raise UnreadableError("A dot is followed by a name, as in x.sum(-1)")
        return token

    # -- what follows a value

    def _postfixed(self) -> Node:
        if self._at("√"):
            self._take()
            self._check_banned("sqrt")
            if self._at(*_SIGNS, "√"):
                raise self._out_of_place()
            return self._made("call", "sqrt", [self._postfixed()], {})
        node = self._value()
        while self._at(".", "[", "²", "³", "ᵀ"):
            self._following += 1
            if self._following >= DEEPEST:
                raise UnreadableError(_TOO_MUCH)
            if self._at("."):
                node = self._attribute(node)
            elif self._at("["):
                node = self._indexed(node)
            elif (sign := self._take()).text == "ᵀ":
                node = self._transposed(node)
            else:
                exponent = self._made("num", 2.0 if sign.text == "²" else 3.0)
                node = self._made("bin", "**", node, exponent)
        return node

    def _transposed(self, node: Node) -> Node:
        self._check_banned("T")
        return self._made("call", "T", [node], {})

    def _attribute(self, node: Node) -> Node:
        token = self._member()
        name, pair = token.text, node[:2] in (["call", "max"], ["call", "min"], ["call", "sort"])
        if self._at("("):
            if name == "where":  # torch's has the condition first
                raise unknown(name)
            return self._call(token, [Argument(None, node)], library=".")
        if name in ("T", "mT"):
            return self._transposed(node)
        if name == "shape" and self._at("["):  # x.shape[0] is size(x, 0)
            items = self._items()
            if len(items) == 1 and items[0][0] == "at":
                return self._made("call", "size", [node], {"dim": items[0][1]})
        if name == "values" and pair:
            return node
        raise unknown(name)

    def _indexed(self, node: Node) -> Node:
        items = self._items()
        paired = node[0] == "call" and node[1] in ("max", "min", "sort")
        if paired and "dim" in node[3] and items in _FIRST_OR_SECOND:
            # x.max(-1)[0] takes the values out of torch's pair; here there is no pair
            raise UnreadableError(
                f"{node[1]} gives the values alone here: leave the index out, or name them on "
                "a line first to take one entry"
            )
        return self._made("index", node, items)

    def _items(self) -> list[Node]:
        items = self._separated(self._take(), self._item)
        if not items:
            raise UnreadableError("The index is empty; write x[0] or x[:, 1]")
        return items

    def _item(self) -> Node:
        if self._at("..."):
            self._take()
            return self._made("all")
        bounds: list[Node | None] = [None if self._at(":") else self._expression()]
        if not self._at(":"):
            return self._made("new") if bounds == [["none"]] else self._made("at", bounds[0])
        while self._at(":") and len(bounds) < 3:
            self._take()
            bounds.append(None if self._at(":", ",", "]") else self._expression())
        return self._made("slice", *bounds, *[None] * (3 - len(bounds)))

    # -- calls

    def _call(self, token: Token, before: list[Argument], library: str = "") -> Node:
        """The call of a function, with what comes before the brackets as its first argument."""
        name = meant_by(token.text)
        if name is None:
            raise unknown(token.text)
        self._check_banned(token.text, name)
        given = [*before, *self._separated(self._take(), self._argument)]
        if name == "float" and [each.node for each in given] in (
            [["str", "inf"]],
            [["str", "-inf"]],
        ):
            node = self._made("name", "inf")
            return self._made("neg", node) if given[0].node[1] == "-inf" else node
        made = bound(token.text, name, given, library, self._made)
        if made[0] == "call":  # max(a, b) turns out to be maximum only now
            self._check_banned(token.text, made[1])
        return made

    def _argument(self) -> Argument:
        token = self._peek()
        if token is None or token.kind is not TokenKind.NAME or not self._at("=", ahead=1):
            return Argument(None, self._expression())
        self._place += 2
        return Argument(token.text, self._expression())

    def _out_of_place(self) -> UnreadableError:
        token = self._take()
        if token.kind is TokenKind.OPERATOR and not token.is_operator("(", "[", "√"):
            return out_of_place(token.text)
        if token.text in INSTEAD:
            return unknown(token.text)
        if self._place < 2:
            return UnreadableError(f"Something is missing before {token.text[:20]}")
        before = self._tokens[self._place - 2].text[:20]
        return UnreadableError(
            f"Put an operator between {before} and {token.text[:20]}: @ multiplies matrices, "
            "* numbers, or elementwise"
        )
