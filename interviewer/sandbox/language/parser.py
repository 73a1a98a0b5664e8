"""Expressions: tokens in, nodes out, with a sentence for whatever cannot stand where it stands.

A node is a list that can be written as JSON: ``["num", 2.0]``, ``["name", "Q"]``, ``["neg", a]``,
``["bin", "+", a, b]``, ``["cmp", "<", a, b]``, ``["index", a, items]``,
``["call", "softmax", [arguments], {"dim": node}]``, ``["tuple", nodes]``, ``["str", "ij->ji"]``,
``["true"]`` and ``["false"]``. The items of an index are ``["at", node]``,
``["slice", first, last, step]`` with None for what is left out, ``["new"]`` and ``["all"]``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from interviewer.sandbox.language import functions
from interviewer.sandbox.language.functions import Argument, bound, meant_by
from interviewer.sandbox.language.notation import (
    LITERALS,
    WORDS,
    Token,
    TokenKind,
    UnreadableError,
    by_word,
    doubtful_reading,
)

Node: TypeAlias = list[Any]
T = TypeVar("T")

LONGEST_LINE = 2000
MOST_NODES = 400
DEEPEST = 40
_TALLEST = 250
"""Levels of a node that JSON and the evaluator are sure to handle."""
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
_POSTFIX = ("²", "³", "ᵀ")
_MISPLACED = by_word("misplaced")
_TEXT = "Quoted text is only allowed as the first argument of einsum"
_LIST = "A list in brackets is not allowed here; write one value per line"
_FIRST_OR_SECOND = ([["at", ["num", 0.0]]], [["at", ["num", 1.0]]])


@dataclass(frozen=True)
class Scope:
    """What an expression may refer to; ``scalars`` tells that all names are numbers."""

    names: frozenset[str]
    banned: frozenset[str] = frozenset()
    scalars: bool = False


@dataclass(frozen=True)
class Part:
    """One side of an equation. ``names`` are the inputs, dims and defined names in it.

    ``unit`` is the dimension of a lone number with a unit ("bytes"), else None. ``loose`` says how
    something is read that may be meant otherwise, as ``84 / 8 GB``, and how to say so; "" if
    nothing is.
    """

    node: Node
    names: frozenset[str]
    unit: str | None
    loose: str = ""


def parse(tokens: Sequence[Token], scope: Scope) -> Part:
    """Tokens of one expression as a part. Raises UnreadableError with a sentence."""
    parser = _Parser(tokens, scope)
    try:
        node = parser.whole()
    except (RecursionError, MemoryError):  # the caller's own stack was nearly full
        raise UnreadableError("This is nested too deeply to be read") from None
    if _height(node) > _TALLEST:
        raise UnreadableError("This is nested too deeply; name an inner part on its own line")
    unit = parser.alone.unit.dimension if parser.alone and parser.alone.unit else ""
    loose = doubtful_reading(tokens, scope.names)
    return Part(node, frozenset(parser.used), unit or None, loose)


def _height(node: Node) -> int:
    """How deeply lists are nested."""
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
        self._place = self._depth = self._nodes = 0

    # -- tokens

    def _peek(self, ahead: int = 0) -> Token | None:
        place = self._place + ahead
        return self._tokens[place] if place < len(self._tokens) else None

    def _at(self, *texts: str, ahead: int = 0) -> bool:
        token = self._peek(ahead)
        return token is not None and token.is_operator(*texts)

    def _take(self) -> Token:
        self._place += 1
        return self._tokens[self._place - 1]

    @property
    def _last(self) -> Token | None:
        return self._tokens[self._place - 1] if self._place else None

    def _close(self, opened: Token) -> None:
        """Take the bracket that closes this one. Raises UnreadableError."""
        token = self._peek()
        if token is None:
            raise UnreadableError(f"This {opened.text} is never closed")
        if not token.is_operator(")" if opened.text == "(" else "]"):
            raise self._out_of_place(token)
        self._take()

    def _separated(self, opened: Token, read: Callable[[], T]) -> list[T]:
        """What stands between commas, up to the bracket that closes this one."""
        found = []
        with self._inside():
            while not self._at(")", "]"):
                found.append(read())
                if not self._at(","):
                    break
                self._take()
            self._close(opened)
        return found

    @contextmanager
    def _inside(self) -> Iterator[None]:
        """One level deeper. Raises UnreadableError where that is too deep."""
        self._depth += 1
        if self._depth >= DEEPEST:
            message = f"This is nested more than {DEEPEST} deep; name an inner part on its own line"
            raise UnreadableError(message)
        yield
        self._depth -= 1

    def _made(self, *node: Any) -> Node:
        """A new node. Raises UnreadableError where the line has too many."""
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise UnreadableError(
                f"This line has more than {MOST_NODES} operations; name some of them on lines of "
                "their own"
            )
        return list(node)

    def _check_banned(self, token: Token, meant: str = "") -> None:
        if meant in self.scope.banned or token.text in self.scope.banned:
            raise UnreadableError(
                f"{token.text} may not be used here: it is what you are asked for"
            )

    # -- operators

    def whole(self) -> Node:
        """All tokens as one expression."""
        node = self._expression()
        if (token := self._peek()) is not None:
            raise self._out_of_place(token)
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
            elif sign in _COMPARISONS:
                if compared:
                    raise UnreadableError(
                        "Only one comparison at a time; write (a <= b) & (b <= c) for both"
                    )
                compared = True
                left = self._made("cmp", sign, left, self._expression(_BINDING[sign] + 1))
            else:
                left = self._made("bin", sign, left, self._expression(_BINDING[sign] + 1))
        return left

    def _operator(self) -> str:
        """The binary operator that comes next, BESIDE where a value follows a value, or ""."""
        token = self._peek()
        if token is None:
            return ""
        if token.is_operator(*_BINDING):
            return token.text
        return BESIDE if self._ends_value() and self._begins_value(token) else ""

    def _ends_value(self) -> bool:
        """What was just read may be a factor of a product without a sign; a unit may not."""
        last = self._last
        unit = last.unit if last is not None else None
        return unit is None or (unit.text != "%" and unit.dimension == "")

    def _begins_value(self, token: Token) -> bool:
        if token.kind is not TokenKind.NAME:
            return token.is_operator("(", "√")
        called = self._at("(", ahead=1) and meant_by(token.text) is not None
        return token.text in self.scope.names or token.text == "pi" or called

    def _beside(self, left: Node, divisor: int | None) -> Node:
        """The products that paper leaves unsigned: ``6 N D``, ``4P``, ``2 sqrt(L)``, ``x Wq``.

        After a number, and where all names are numbers, they become ``*``; else BESIDE, since only
        the values say whether a matrix or a number stands there.
        """
        before, token = self._tokens[self._place - 1], self._tokens[self._place]
        if divisor is not None:
            below = "".join(each.text for each in self._tokens[divisor : self._place])
            below = below if len(below) <= 20 else "that"
            raise UnreadableError(
                f"Is only {below} below the fraction bar, or {below} * {token.text[:20]}? "
                "Write the brackets"
            )
        plain = self.scope.scalars or before.kind is TokenKind.NUMBER
        sign = "*" if plain else BESIDE
        return self._made("bin", sign, left, self._expression(_PRODUCT + 1))

    def _operand(self) -> Node:
        """A value with the signs before it and all that follows it."""
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
        """A number, a name, a call, or something in brackets."""
        token = self._peek()
        if token is None:
            raise self._unfinished()
        if token.kind is TokenKind.NUMBER:
            self._check_unit(self._take())
            return self._made("num", token.value)
        if token.kind is TokenKind.STRING:
            raise UnreadableError(_TEXT)
        if token.kind is TokenKind.NAME:
            return self._named(self._take())
        if not token.is_operator("("):
            raise self._no_value(token)
        self._take()
        with self._inside():
            inner = self._expression()
            if self._at(","):
                raise UnreadableError(_LIST)
            self._close(token)
        return inner

    def _named(self, token: Token) -> Node:
        name = token.text
        if self._library(token):
            return self._of_library(token)
        product = self.scope.scalars and name in self.scope.names
        if self._at("(") and not product:
            self._check_banned(token)
            if name in self.scope.names:
                raise UnreadableError(f"{name} is not a function; put * before the bracket")
            return self._call(token, [])
        self._check_banned(token)
        if name in self.scope.names:
            self.used.add(name)
        elif name not in functions.CONSTANTS:
            after = self._peek()
            apart = not self._depth and self._at(",", ":")
            if after is not None and (apart or after.kind is TokenKind.STRING):
                raise self._out_of_place(after)
            message = WORDS.get(name) or functions.unknown_name(name, self.scope.names)
            raise UnreadableError(message)
        return self._made("name", name)

    def _check_unit(self, token: Token) -> None:
        """Refuse a unit that may be a name: ``2 h`` where h is the number of heads."""
        for word in token.unit.words if token.unit is not None else ():
            sure = token is self.alone and len(word) > 1
            if word in self.scope.names and not sure:
                raise UnreadableError(
                    f"Is {word} a unit here, or the {word} that has a value? Write * before the "
                    "name, or the number in base units without a unit"
                )

    def _library(self, token: Token) -> bool:
        """``torch``, or another library that may stand before a function; it adds nothing."""
        library = token.text in functions.PREFIXES and token.text not in self.scope.names
        return library and self._at(".")

    def _of_library(self, library: Token) -> Node:
        """A library's function or constant: ``torch.nn.functional.silu(x)``, ``math.pi``."""
        token = self._member()
        while token.text in functions.SCOPES and self._at("."):
            token = self._member()
        self._check_banned(token)
        if self._at("("):
            return self._call(token, [], library=library.text)
        if token.text == "e":  # the bare name may stand for something of the candidate's own
            return self._made("num", math.e)
        if token.text in functions.CONSTANTS:
            return self._made("name", token.text)
        raise UnreadableError(functions.unknown(token.text))

    def _member(self) -> Token:
        """What comes after the dot."""
        self._take()
        token = self._peek()
        if token is None:
            raise self._unfinished()
        if token.kind is not TokenKind.NAME:
            raise UnreadableError("A dot is followed by a name, as in x.sum(-1)")
        return self._take()

    # -- what follows a value

    def _postfixed(self) -> Node:
        if self._at("√"):
            root = self._take()
            self._check_banned(root, "sqrt")
            if (token := self._peek()) is not None and token.is_operator(*_SIGNS, "√"):
                raise self._cannot_stand(token)
            return self._made("call", "sqrt", [self._postfixed()], {})
        node = self._value()
        row = 0
        while self._at(".", "[", *_POSTFIX):
            row += 1
            if row >= DEEPEST:
                raise UnreadableError(
                    f"More than {DEEPEST} operations in a row; name some of them on earlier lines"
                )
            if self._at("."):
                node = self._attribute(node)
            elif self._at("["):
                node = self._indexed(node)
            else:
                node = self._raised(node, self._take())
        return node

    def _raised(self, node: Node, sign: Token) -> Node:
        if sign.text == "ᵀ":
            self._check_banned(sign, "T")
            return self._made("call", "T", [node], {})
        exponent = self._made("num", 2.0 if sign.text == "²" else 3.0)
        return self._made("bin", "**", node, exponent)

    def _attribute(self, node: Node) -> Node:
        token = self._member()
        name = token.text
        if self._at("("):
            return self._method(token, node)
        if name in ("T", "mT"):
            self._check_banned(token, "T")
            return self._made("call", "T", [node], {})
        if name == "shape" and self._at("["):
            return self._size(node)
        if name == "values" and node[:2] in (["call", "max"], ["call", "min"], ["call", "sort"]):
            return node
        raise UnreadableError(functions.unknown_attribute(name, called=False))

    def _method(self, token: Token, node: Node) -> Node:
        if token.text == "contiguous" and self._at(")", ahead=1):
            self._place += 2
            return node
        if not functions.is_method(token.text):
            raise UnreadableError(functions.unknown_attribute(token.text, called=True))
        return self._call(token, [Argument(None, node)], library=".")

    def _size(self, node: Node) -> Node:
        """``x.shape[0]`` is ``size(x, 0)``."""
        items = self._items()
        if len(items) != 1 or items[0][0] != "at":
            raise UnreadableError("Write x.shape[0] for the size of one axis")
        return self._made("call", "size", [node], {"dim": items[0][1]})

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
        """What stands in the brackets of an index."""
        opened = self._take()
        if self._at("]"):
            raise UnreadableError("The index is empty; write x[0] or x[:, 1]")
        return self._separated(opened, self._item)

    def _item(self) -> Node:
        token, alone = self._peek(), self._at(",", "]", ahead=1)
        if token is not None and token.is_operator("..."):
            self._take()
            return self._made("all")
        if token is not None and token.text == "None" and alone:
            self._take()
            return self._made("new")
        bounds: list[Node | None] = [None if self._at(":") else self._expression()]
        if not self._at(":"):
            return self._made("at", bounds[0])
        while self._at(":") and len(bounds) < 3:
            self._take()
            bounds.append(None if self._at(":", ",", "]") else self._expression())
        if self._at(":"):
            raise self._cannot_stand(self._take())
        return self._made("slice", *bounds, *[None] * (3 - len(bounds)))

    # -- calls

    def _call(self, token: Token, before: list[Argument], library: str = "") -> Node:
        """The call of a function, with what comes before the brackets as its first argument."""
        name = meant_by(token.text)
        if name is None:
            message = WORDS.get(token.text) or functions.unknown(token.text)
            raise UnreadableError(message)
        self._check_banned(token, name)
        given = [*before, *self._separated(self._take(), self._argument)]
        if name == "float" and not before and [each.node[0] for each in given] == ["str"]:
            return self._infinity(given[0])
        made = bound(token.text, name, given, library, self._made)
        if made[0] == "call":
            # max(a, b) turns out to be maximum only now.
            self._check_banned(token, made[1])
        return made

    def _infinity(self, written: Argument) -> Node:
        """``float("inf")``, as Python has it."""
        text = written.node[1].lower()
        if text not in ("inf", "-inf"):
            raise UnreadableError("Only inf may be quoted here")
        node = self._made("name", "inf")
        return self._made("neg", node) if text.startswith("-") else node

    def _argument(self) -> Argument:
        token, name = self._peek(), None
        if token is None:
            raise self._unfinished()
        if token.is_operator("*", "**"):
            message = "Write the arguments one by one; leave out the star"
            raise UnreadableError(message)
        if token.kind is TokenKind.NAME and self._at("=", ahead=1):
            name = token.text
            if name in functions.NOT_NEEDED:
                why = functions.NOT_NEEDED[name]
                raise UnreadableError(f"{name}= has no use here: {why}")
            self._place += 2
        return Argument(name, self._argument_value())

    def _argument_value(self) -> Node:
        token, alone = self._peek(), self._at(",", ")", "]", ahead=1)
        if token is not None and token.kind is TokenKind.STRING and alone:
            return self._made("str", self._take().text)
        if token is not None and token.text in LITERALS and alone:
            return self._made(self._take().text.lower())
        if token is None or not self._begins_list(token):
            return self._expression()
        return self._made("tuple", self._separated(self._take(), self._expression))

    def _begins_list(self, token: Token) -> bool:
        """A bracket that is a whole argument and holds a list: ``[x, y]`` or ``(0, 1)``."""
        if not token.is_operator("(", "["):
            return False
        depth, commas = 0, token.text == "["
        for place in range(self._place, len(self._tokens)):
            each = self._tokens[place]
            depth += each.is_operator("(", "[") - each.is_operator(")", "]")
            commas |= depth == 1 and each.is_operator(",")
            if not depth:
                after = self._tokens[place + 1 : place + 2]
                return commas and (not after or after[0].is_operator(",", ")"))
        return False

    # -- what is out of place

    def _unfinished(self) -> UnreadableError:
        """The line ends where a value should be."""
        what = (
            f"Something is missing after {self._last.text}" if self._last else "A value is missing"
        )
        return UnreadableError(f"{what}; finish the line")

    def _cannot_stand(self, token: Token) -> UnreadableError:
        return UnreadableError(f"{token.text} cannot stand here; use round brackets")

    def _no_value(self, token: Token) -> UnreadableError:
        """An operator where a value should start."""
        message = _MISPLACED.get(token.text, f"A value is missing before {token.text}")
        if token.is_operator(")", "]"):
            message = f"A value is missing before the {token.text}"
        return UnreadableError(message)

    def _out_of_place(self, token: Token) -> UnreadableError:
        """A token that nothing here can take up."""
        if token.is_operator(")", "]"):
            message = f"This {token.text} closes nothing; delete it, or open a bracket before it"
        elif token.kind is TokenKind.OPERATOR and not token.is_operator("(", "[", "√"):
            return self._no_value(token)
        else:
            message = self._missing_operator(token)
        return UnreadableError(message)

    def _missing_operator(self, token: Token) -> str:
        """Two values side by side."""
        before, name = self._last, token.text[:20]
        if token.kind is TokenKind.STRING:
            return _TEXT
        if before is None:
            return f"Put an operator before {name}"
        if before.unit is not None and before.unit.text == "%":
            return str(_MISPLACED["%"])
        if before.kind is TokenKind.NUMBER and token.kind is TokenKind.NAME:
            text = before.text
            return f"There is no unit {name}; put * between {text} and {name} if it is a name"
        return (
            f"Put an operator between {before.text[:20]} and {name}: @ multiplies matrices, "
            "* numbers, or elementwise"
        )
