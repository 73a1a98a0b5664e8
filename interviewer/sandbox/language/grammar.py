"""The grammar of expressions, from the loosest operator down to names, calls and indices."""

from __future__ import annotations

import math
from dataclasses import dataclass

from interviewer.sandbox.language import functions
from interviewer.sandbox.language.calls import NOT_NEEDED, Argument, bound
from interviewer.sandbox.language.cursor import DEEPEST, Cursor, Node
from interviewer.sandbox.language.tokens import Token, TokenKind, UnreadableError
from interviewer.sandbox.language.words import (
    TEXT,
    WORDS,
    attribute,
    unexpected,
    unknown_name,
)

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_COMPARING = 2
_TIGHTNESS = {
    "|": 0,
    "&": 1,
    **dict.fromkeys(_COMPARISONS, _COMPARING),
    **dict.fromkeys(("+", "-"), 3),
    **dict.fromkeys(("*", "/", "@"), 4),
}


@dataclass(frozen=True)
class Scope:
    """What an expression may refer to."""

    names: frozenset[str]
    banned: frozenset[str]


class Parser(Cursor):
    """Reads one expression; the methods follow the grammar from the outside in."""

    def __init__(self, tokens: tuple[Token, ...], end: int, scope: Scope) -> None:
        super().__init__(tokens, end)
        self.scope = scope
        self.used: set[str] = set()
        unsigned = tokens[1:] if tokens and tokens[0].is_operator("-", "+") else tokens
        self.alone = unsigned[0] if len(unsigned) == 1 else None

    def whole(self) -> Node:
        """The only expression there is."""
        node = self._expression()
        if self.place < len(self.tokens):
            self.stray(self.tokens[self.place])
        return node

    # Operators

    def _expression(self) -> Node:
        self.enter()
        node = self._operation(0)
        self.leave()
        return node

    def _operation(self, loosest: int) -> Node:
        """Operators that bind at least as tightly as ``loosest``."""
        node = self._signed()
        while sign := self._operator(loosest):
            tightness = _TIGHTNESS[sign.text]
            right = self._operation(tightness + 1)
            if tightness == _COMPARING:
                node = self.made("cmp", sign.text, node, right)
                self._check_single()
            else:
                node = self.made("bin", sign.text, node, right)
        return node

    def _operator(self, loosest: int) -> Token | None:
        token = self.peek()
        if token is None or token.kind is not TokenKind.OPERATOR:
            return None
        if _TIGHTNESS.get(token.text, -1) < loosest:
            return None
        return self.next()

    def _check_single(self) -> None:
        token = self.peek()
        if token is not None and token.is_operator(*_COMPARISONS):
            raise UnreadableError(
                "Only one comparison at a time; write (a <= b) & (b <= c) for both", token.start
            )

    def _signed(self) -> Node:
        sign = self.take("-", "+", "~")
        if sign is None:
            return self._power()
        self.enter()
        node = self._signed()
        self.leave()
        if sign.text == "+":
            return node
        if sign.text == "-":
            return self.made("neg", node)
        return self.made("call", "logical_not", [node], {})

    def _power(self) -> Node:
        if root := self.take("√"):
            self._check_banned(root, "sqrt")
            node = self.made("call", "sqrt", [self._postfixed()], {})
        else:
            node = self._postfixed()
        if self.take("**"):
            self.enter()
            node = self.made("bin", "**", node, self._signed())
            self.leave()
        return node

    def _postfixed(self) -> Node:
        node = self._primary()
        for _ in range(DEEPEST):
            if dot := self.take("."):
                node = self._attribute(node, dot)
            elif opened := self.take("["):
                items = self._items(opened)
                self._check_pair(node, items, opened)
                node = self.made("index", node, items)
            elif sign := self.take("²", "³"):
                exponent = self.made("num", 2.0 if sign.text == "²" else 3.0)
                node = self.made("bin", "**", node, exponent)
            elif sign := self.take("ᵀ"):
                self._check_banned(sign, "T")
                node = self.made("call", "T", [node], {})
            else:
                return node
        raise UnreadableError(f"More than {DEEPEST} operations stand in one row here; name some")

    def _primary(self) -> Node:
        token = self.next()
        if token.kind is TokenKind.NUMBER:
            self._check_unit(token)
            return self.made("num", token.value)
        if token.kind is TokenKind.NAME:
            return self._named(token)
        if token.kind is TokenKind.STRING:
            raise UnreadableError(TEXT, token.start)
        if not token.is_operator("("):
            raise UnreadableError(unexpected(token, opening=True), token.start)
        node = self._expression()
        if self.take(","):
            raise UnreadableError(
                "A list in brackets has no place here; write one value a line", token.start
            )
        self.expect(")", token)
        return node

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

    # Names, calls, attributes

    def _named(self, token: Token) -> Node:
        name = token.text
        opened = self.peek()
        called = opened is not None and opened.is_operator("(")
        if name in self.scope.banned:
            raise UnreadableError(
                f"{name} may not be used here: it is what is asked for", token.start
            )
        if name in self.scope.names:
            if called:
                raise UnreadableError(
                    f"{name} is no function; put * before the bracket", token.start
                )
            self.used.add(name)
            return self.made("name", name)
        if name in functions.PREFIXES and opened is not None and opened.is_operator("."):
            return self._from_library(token)
        if called:
            return self._call(token, None)
        if name in functions.CONSTANTS:
            return self.made("name", name)
        if name in WORDS:
            raise UnreadableError(WORDS[name], token.start)
        raise UnreadableError(unknown_name(name, self.scope.names), token.start)

    def _from_library(self, token: Token) -> Node:
        """``torch.softmax(...)``, ``math.pi``: the library's name adds nothing."""
        path = [token]
        while self.take("."):
            following = self.next()
            if following.kind is not TokenKind.NAME:
                raise UnreadableError("A name is missing after the dot", following.start)
            path.append(following)
            if not functions.is_scope(following.text):
                break
        last = path[-1]
        if last.text in self.scope.banned:
            raise UnreadableError(
                f"{last.text} may not be used here: it is what is asked for", last.start
            )
        opened = self.peek()
        if opened is not None and opened.is_operator("("):
            return self._call(last, None, library=token.text)
        if last.text == "e":  # the bare name may stand for something of the candidate's own
            return self.made("num", math.e)
        if last.text in functions.CONSTANTS:
            return self.made("name", last.text)
        if last.text == "newaxis":
            raise UnreadableError("Write None in the index for a new axis", last.start)
        raise UnreadableError(functions.unknown(last.text), last.start)

    def _attribute(self, receiver: Node, dot: Token) -> Node:
        token = self.next()
        if token.kind is not TokenKind.NAME:
            raise UnreadableError("A dot is followed by a name, as in x.sum(-1)", dot.start)
        name = token.text
        opened = self.peek()
        called = opened is not None and opened.is_operator("(")
        if name in ("T", "mT") and not called:
            self._check_banned(token, "T")
            return self.made("call", "T", [receiver], {})
        if name == "shape" and opened is not None and opened.is_operator("["):
            return self._shape_at(receiver)
        if name == "values" and not called and receiver[:2] in (["call", "max"], ["call", "min"]):
            return receiver
        if name == "values" and not called and receiver[:2] == ["call", "sort"]:
            return receiver
        if called and functions.is_method(name):
            return self._call(token, receiver)
        if called and name == "contiguous":
            self.place += 1
            self.expect(")", token)
            return receiver
        raise UnreadableError(attribute(name, called=called), token.start)

    def _shape_at(self, receiver: Node) -> Node:
        """``x.shape[0]`` is ``size(x, 0)``."""
        opened = self.next()
        dim = self._expression()
        self.expect("]", opened)
        return self.made("call", "size", [receiver], {"dim": dim})

    def _check_banned(self, token: Token, meant: str) -> None:
        if meant in self.scope.banned or token.text in self.scope.banned:
            raise UnreadableError(
                f"{token.text} may not be used here: it is what is asked for", token.start
            )

    def _call(self, token: Token, receiver: Node | None, library: str = "") -> Node:
        name = functions.meant_by(token.text)
        if name is None:
            if token.text in WORDS:
                raise UnreadableError(WORDS[token.text], token.start)
            raise UnreadableError(functions.unknown(token.text), token.start)
        self._check_banned(token, name)
        opened = self.next()
        if name == "float" and (infinity := self._infinity(opened)):
            return infinity
        given = self._arguments(opened)
        if receiver is not None:
            given = [Argument(None, receiver, token.start), *given]
        node = bound(
            token.text, name, given, token.start, library or ("." if receiver else ""), self.made
        )
        if node[0] == "call":
            # max(a, b) turns out to be maximum only now.
            self._check_banned(token, node[1])
        return node

    def _infinity(self, opened: Token) -> Node | None:
        """``float("inf")``, as Python has it."""
        token = self.peek()
        if token is None or token.kind is not TokenKind.STRING:
            return None
        self.place += 1
        if token.text.lower() not in ("inf", "-inf"):
            raise UnreadableError("Only inf is written in quotation marks here", token.start)
        self.expect(")", opened)
        node = self.made("name", "inf")
        return self.made("neg", node) if token.text.startswith("-") else node

    def _arguments(self, opened: Token) -> list[Argument]:
        found: list[Argument] = []
        while not self.take(")"):
            found.append(self._argument())
            if not self.take(","):
                self.expect(")", opened)
                break
        return found

    def _argument(self) -> Argument:
        token = self.peek()
        start = token.start if token else self.end
        after = self.tokens[self.place + 1] if self.place + 1 < len(self.tokens) else None
        name = None
        if token is not None and token.kind is TokenKind.NAME and after and after.is_operator("="):
            self.place += 2
            name = token.text
            if name in NOT_NEEDED:
                raise UnreadableError(f"{name}= has no use here: {NOT_NEEDED[name]}", start)
        elif token is not None and token.is_operator("*", "**"):
            raise UnreadableError("Arguments are written one by one; leave the star out", start)
        return Argument(name, self._argument_value(), start)

    def _argument_value(self) -> Node:
        token = self.peek()
        if token is not None and token.kind is TokenKind.STRING:
            self.place += 1
            return self.made("str", token.text)
        if token is not None and token.text in ("True", "False"):
            self.place += 1
            return self.made(token.text.lower())
        if token is not None and token.text == "None":
            self.place += 1
            return self.made("none")
        if opened := self.take("["):
            return self._listed(opened, "]")
        if self.starts_list() and (opened := self.take("(")):
            return self._listed(opened, ")")
        return self._expression()

    def _listed(self, opened: Token, closing: str) -> Node:
        """``[a, b]`` or ``(a, b)`` as an argument."""
        items: list[Node] = []
        while not self.take(closing):
            items.append(self._expression())
            if not self.take(","):
                self.expect(closing, opened)
                break
        return self.made("tuple", items)

    # Indices

    def _check_pair(self, node: Node, items: list[Node], opened: Token) -> None:
        """``x.max(-1)[0]`` takes the values out of torch's pair; here there is no pair."""
        paired = node[0] == "call" and node[1] in ("max", "min", "sort") and "dim" in node[3]
        if paired and items in ([["at", ["num", 0.0]]], [["at", ["num", 1.0]]]):
            raise UnreadableError(
                f"{node[1]} gives the values alone here: leave the index out, or name them on a "
                "line first to take one entry",
                opened.start,
            )

    def _items(self, opened: Token) -> list[Node]:
        items: list[Node] = []
        while not self.take("]"):
            items.append(self._item())
            if not self.take(","):
                self.expect("]", opened)
                break
        if not items:
            raise UnreadableError("The index is empty; write x[0] or x[:, 1]", opened.start)
        return items

    def _item(self) -> Node:
        if self.take("..."):
            return self.made("all")
        token = self.peek()
        if token is not None and token.text == "None":
            self.place += 1
            return self.made("new")
        first = None if token is not None and token.is_operator(":") else self._expression()
        if not self.take(":"):
            return self.made("at", first)
        last = self._bound()
        step = self._bound() if self.take(":") else None
        return self.made("slice", first, last, step)

    def _bound(self) -> Node | None:
        token = self.peek()
        if token is None or token.is_operator(":", ",", "]"):
            return None
        return self._expression()
