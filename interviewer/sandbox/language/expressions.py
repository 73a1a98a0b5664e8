"""Expressions: tokens in, nodes out. Python's own parser finds the structure.

Tokens are rewritten as Python with a placeholder for every name, number and string, so that none of
the candidate's text reaches ``ast.parse``. Some signs are replaced by ones whose precedence in
Python is what they have here: ``&`` and ``|`` (looser than comparisons), ``√`` (tighter than
``**``), the ``=`` of an option, and the unwritten product of two values side by side (as ``*``).

A node is a list that can be written as JSON: ``["num", 2.0]``, ``["name", "Q"]``, ``["neg", a]``,
``["bin", "+", a, b]``, ``["cmp", "<", a, b]``, ``["index", a, items]``,
``["call", "softmax", [arguments], {"dim": node}]``, ``["tuple", nodes]``, ``["str", "ij->ji"]``,
``["true"]`` and ``["false"]``. The items of an index are ``["at", node]``,
``["slice", first, last, step]`` with None for what is left out, ``["new"]`` and ``["all"]``.
"""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass
from typing import Any, TypeAlias

from interviewer.sandbox.language import functions
from interviewer.sandbox.language.functions import NOT_NEEDED, Argument, bound
from interviewer.sandbox.language.notation import (
    Token,
    TokenKind,
    UnreadableError,
    doubtful_reading,
)
from interviewer.sandbox.language.syntax import (
    BESIDE,
    DEEPEST,
    SIGNS,
    TEXT,
    TOO_DEEP,
    WORDS,
    attribute,
    unknown_name,
)

Node: TypeAlias = list[Any]

LONGEST_LINE = 2000
MOST_NODES = 400
_TALLEST = 250
"""Levels of a node that JSON and the evaluator are sure to handle."""
_PYTHON = {"&": "and", "|": "or", "√": "await", "=": ":=", BESIDE: "%"}
_POSTFIX = ("²", "³", "ᵀ")
_FIRST_OR_SECOND = ([["at", ["num", 0.0]]], [["at", ["num", 1.0]]])
_SIGN: dict[type[ast.AST], str] = {
    **{ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.MatMult: "@"},
    **{ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="},
    **{ast.And: "&", ast.Or: "|", ast.Mod: BESIDE},
}


@dataclass(frozen=True)
class Scope:
    """What an expression may refer to."""

    names: frozenset[str]
    banned: frozenset[str]


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
    text: str
    loose: str = ""


def parsed(tokens: tuple[Token, ...], line: str, scope: Scope) -> Part:
    """Tokens of one expression as a part. Raises UnreadableError with a sentence."""
    walk = _Walk(tokens, scope)
    try:
        node = walk.expression(ast.parse(walk.python, mode="eval").body)
    except SyntaxError as error:
        raise walk.unplaced(error) from None
    except (RecursionError, MemoryError):
        # The caller's own stack was nearly full.
        raise UnreadableError("This is nested too deeply to be read") from None
    if _height(node) > _TALLEST:
        raise UnreadableError("This is nested too deeply; name an inner part on its own line")
    text = " ".join(line[tokens[0].start : tokens[-1].end].split())
    unit = walk.alone.unit if walk.alone else None
    dimension = unit.dimension if unit is not None else ""
    return Part(node, frozenset(walk.used), dimension or None, text, doubtful_reading(tokens))


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


class _Walk:
    """Turns Python's tree of one expression into nodes, and looks up every name."""

    def __init__(self, tokens: tuple[Token, ...], scope: Scope) -> None:
        self.scope = scope
        self.used: set[str] = set()
        unsigned = tokens[1:] if tokens[0].is_operator("-", "+") else tokens
        self.alone = unsigned[0] if len(unsigned) == 1 else None
        self._nodes = self._depth = self._row = 0
        self._at: dict[int, Token] = {}
        self.python = ""
        for token in tokens:
            if token.text in _POSTFIX:
                self.python += "."
            self._at[len(self.python)] = token
            self.python += f"{_written(token, len(self.python))} "

    def unplaced(self, error: SyntaxError) -> UnreadableError:
        """What Python's parser refuses although the order of tokens is right: ``√-x``."""
        token = self._at.get((error.offset or 0) - 1)
        what, start = (token.text, token.start) if token else ("This", None)
        return UnreadableError(f"{what} cannot stand here; use round brackets", start)

    def expression(self, node: ast.expr) -> Node:
        """The node of any expression. Raises UnreadableError with a sentence."""
        match node:
            case ast.BinOp(op=ast.Pow()):
                return self._made("bin", "**", self.expression(node.left), self._inner(node.right))
            case ast.BinOp() | ast.BoolOp():
                return self._operations(node)
            case ast.Compare():
                return self._comparison(node)
            case ast.UnaryOp():
                return self._signed(node)
            case ast.Await():
                self._check_banned(self._token(node), "sqrt")
                return self._made("call", "sqrt", [self.expression(node.value)], {})
            case ast.Name():
                return self._value(self._token(node))
            case ast.Call(func=ast.Name()):
                return self._function(node)
            case ast.Attribute() | ast.Subscript() | ast.Call():
                return self._postfixed(node)
            case ast.Tuple(elts=[]):
                message = "A value is missing before the )"
            case ast.Tuple():
                message = "A list in brackets is not allowed here; write one value per line"
            case _:
                message = SIGNS["[" if isinstance(node, ast.List) else "..."]
        raise UnreadableError(message, self._token(node).start)

    def _inner(self, node: ast.expr) -> Node:
        """An expression one level deeper. Raises UnreadableError where that is too deep."""
        self._depth += 1
        if self._depth >= DEEPEST:
            raise UnreadableError(TOO_DEEP, self._token(node).start)
        row, self._row = self._row, 0
        made = self.expression(node)
        self._row = row
        self._depth -= 1
        return made

    def _made(self, *node: Any) -> Node:
        """A new node. Raises UnreadableError where the line has too many."""
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise UnreadableError(
                f"This line has more than {MOST_NODES} operations; name some of them on lines of "
                "their own"
            )
        return list(node)

    def _token(self, node: ast.expr) -> Token:
        """The first token of a node, brackets around it aside."""
        return self._at[node.col_offset]

    def _member(self, node: ast.Attribute) -> Token:
        """What comes after the dot."""
        return self._at[int(node.attr[1:])]

    def _check_banned(self, token: Token, meant: str = "") -> None:
        if meant in self.scope.banned or token.text in self.scope.banned:
            raise UnreadableError(
                f"{token.text} may not be used here: it is what you are asked for", token.start
            )

    # Operators

    def _operations(self, node: ast.expr) -> Node:
        """A row of operators; not by recursion, since it may be as long as a line."""
        row: list[tuple[ast.AST, ast.expr]] = []
        while isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Pow):
            row.append((node.op, node.right))
            node = node.left
        if isinstance(node, ast.BoolOp) and not row:
            row = [(node.op, each) for each in reversed(node.values[1:])]
            node = node.values[0]
        left = self.expression(node)
        for operator, right in reversed(row):
            left = self._made("bin", _SIGN[type(operator)], left, self.expression(right))
        return left

    def _comparison(self, node: ast.Compare) -> Node:
        if len(node.ops) > 1:
            raise UnreadableError(
                "Only one comparison at a time; write (a <= b) & (b <= c) for both",
                self._token(node.comparators[1]).start,
            )
        sides = self.expression(node.left), self.expression(node.comparators[0])
        return self._made("cmp", _SIGN[type(node.ops[0])], *sides)

    def _signed(self, node: ast.UnaryOp) -> Node:
        inner = self._inner(node.operand)
        if isinstance(node.op, ast.USub):
            return self._made("neg", inner)
        if isinstance(node.op, ast.Invert):
            return self._made("call", "logical_not", [inner], {})
        return inner

    # Numbers and names

    def _value(self, token: Token) -> Node:
        if token.kind is TokenKind.NUMBER:
            self._check_unit(token)
            return self._made("num", token.value)
        if token.kind is TokenKind.STRING:
            raise UnreadableError(TEXT, token.start)
        name = token.text
        self._check_banned(token)
        if name in self.scope.names:
            self.used.add(name)
            return self._made("name", name)
        if name in functions.CONSTANTS:
            return self._made("name", name)
        raise UnreadableError(WORDS.get(name) or unknown_name(name, self.scope.names), token.start)

    def _check_unit(self, token: Token) -> None:
        """Refuse a unit that may be a name: ``2 h`` where h is the number of heads."""
        words = token.unit.words if token.unit is not None else ()
        for word in words:
            sure = token is self.alone and len(word) > 1
            if word in self.scope.names and not sure:
                raise UnreadableError(
                    f"Is {word} a unit here, or the {word} that has a value? Write * before the "
                    "name, or the number in base units without a unit",
                    token.start,
                )

    # What follows a value

    def _postfixed(self, node: ast.Attribute | ast.Subscript | ast.Call) -> Node:
        self._row += 1
        if self._row >= DEEPEST:
            raise UnreadableError(
                f"More than {DEEPEST} operations in a row; name some of them on earlier lines"
            )
        match node:
            case ast.Attribute():
                made = self._attribute(node)
            case ast.Subscript():
                made = self._indexed(node)
            case ast.Call():
                made = self._method(node)
        self._row -= 1
        return made

    def _is_library(self, node: ast.expr) -> bool:
        """``torch``, or a part of it such as ``torch.nn.functional``; it adds nothing."""
        if isinstance(node, ast.Attribute):
            return functions.is_scope(self._member(node).text) and self._is_library(node.value)
        name = self._token(node).text if isinstance(node, ast.Name) else ""
        return name in functions.PREFIXES and name not in self.scope.names

    def _attribute(self, node: ast.Attribute) -> Node:
        token = self._member(node)
        if self._is_library(node.value) and token.kind is TokenKind.NAME:
            return self._constant(token)
        receiver = self.expression(node.value)
        if token.is_operator("²", "³"):
            exponent = self._made("num", 2.0 if token.text == "²" else 3.0)
            return self._made("bin", "**", receiver, exponent)
        if token.text in ("T", "mT", "ᵀ"):
            self._check_banned(token, "T")
            return self._made("call", "T", [receiver], {})
        valued = receiver[:2] in (["call", "max"], ["call", "min"], ["call", "sort"])
        if token.text == "values" and valued:
            return receiver
        raise UnreadableError(attribute(token.text, called=False), token.start)

    def _constant(self, token: Token) -> Node:
        """A library's constant: ``math.pi``."""
        self._check_banned(token)
        if token.text == "e":  # the bare name may stand for something of the candidate's own
            return self._made("num", math.e)
        if token.text in functions.CONSTANTS:
            return self._made("name", token.text)
        if token.text == "newaxis":
            raise UnreadableError("Write None in the index for a new axis", token.start)
        raise UnreadableError(functions.unknown(token.text), token.start)

    def _indexed(self, node: ast.Subscript) -> Node:
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        value = node.value
        if isinstance(value, ast.Attribute) and self._member(value).text == "shape":
            return self._shape_at(self.expression(value.value), items)
        receiver = self.expression(value)
        made = [self._item(each) for each in items]
        paired = receiver[0] == "call" and receiver[1] in ("max", "min", "sort")
        if paired and "dim" in receiver[3] and made in _FIRST_OR_SECOND:
            # x.max(-1)[0] takes the values out of torch's pair; here there is no pair
            raise UnreadableError(
                f"{receiver[1]} gives the values alone here: leave the index out, or name them on "
                "a line first to take one entry",
                self._token(node).start,
            )
        return self._made("index", receiver, made)

    def _shape_at(self, receiver: Node, items: list[ast.expr]) -> Node:
        """``x.shape[0]`` is ``size(x, 0)``."""
        if len(items) != 1 or isinstance(items[0], ast.Slice):
            raise UnreadableError(
                "Write x.shape[0] for the size of one axis", self._token(items[0]).start
            )
        return self._made("call", "size", [receiver], {"dim": self._inner(items[0])})

    def _item(self, node: ast.expr) -> Node:
        match node:
            case ast.Constant():
                return self._made("all")
            case ast.Slice():
                bounds = (node.lower, node.upper, node.step)
                return self._made("slice", *(each and self._inner(each) for each in bounds))
            case ast.Name() if self._token(node).text == "None":
                return self._made("new")
            case _:
                return self._made("at", self._inner(node))

    # Calls

    def _function(self, node: ast.Call) -> Node:
        token = self._token(node.func)
        self._check_banned(token)
        if token.text in self.scope.names:
            raise UnreadableError(
                f"{token.text} is not a function; put * before the bracket", token.start
            )
        return self._call(token, node, [])

    def _method(self, node: ast.Call) -> Node:
        method = node.func
        assert isinstance(method, ast.Attribute)  # check_order lets no other value be called
        token = self._member(method)
        if self._is_library(method.value):
            self._check_banned(token)
            return self._call(token, node, [], library=self._token(method).text)
        receiver = self.expression(method.value)
        if token.text == "contiguous" and not node.args:
            return receiver
        if not functions.is_method(token.text):
            raise UnreadableError(attribute(token.text, called=True), token.start)
        return self._call(token, node, [Argument(None, receiver, token.start)], library=".")

    def _call(
        self, token: Token, node: ast.Call, before: list[Argument], library: str = ""
    ) -> Node:
        """The call of a function, with what comes before the brackets as its first arguments."""
        name = functions.meant_by(token.text)
        if name is None:
            message = WORDS.get(token.text) or functions.unknown(token.text)
            raise UnreadableError(message, token.start)
        self._check_banned(token, name)
        given = [self._argument(each) for each in node.args]
        if name == "float" and not before and [each.node[0] for each in given] == ["str"]:
            return self._infinity(given[0])
        made = bound(token.text, name, before + given, token.start, library, self._made)
        if made[0] == "call":
            # max(a, b) turns out to be maximum only now.
            self._check_banned(token, made[1])
        return made

    def _infinity(self, written: Argument) -> Node:
        """``float("inf")``, as Python has it."""
        text = written.node[1].lower()
        if text not in ("inf", "-inf"):
            raise UnreadableError("Only inf may be quoted here", written.start)
        node = self._made("name", "inf")
        return self._made("neg", node) if text.startswith("-") else node

    def _argument(self, node: ast.expr) -> Argument:
        token, name = self._token(node), None
        if isinstance(node, ast.NamedExpr):
            name, node = token.text, node.value
            if name in NOT_NEEDED:
                raise UnreadableError(f"{name}= has no use here: {NOT_NEEDED[name]}", token.start)
        return Argument(name, self._argument_value(node), token.start)

    def _argument_value(self, node: ast.expr) -> Node:
        if isinstance(node, ast.Tuple | ast.List):
            return self._made("tuple", [self._inner(each) for each in node.elts])
        token = self._token(node)
        if isinstance(node, ast.Name) and token.kind is TokenKind.STRING:
            return self._made("str", token.text)
        if isinstance(node, ast.Name) and token.text in ("True", "False", "None"):
            return self._made(token.text.lower())
        return self._inner(node)


def _written(token: Token, place: int) -> str:
    """The token in the Python that is parsed: a value is ``t`` and its place."""
    if token.kind is not TokenKind.OPERATOR or token.text in _POSTFIX:
        return f"t{place}"
    return _PYTHON.get(token.text, token.text)
