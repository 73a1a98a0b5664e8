"""Checks the words and the order of tokens, and says how to write what is not allowed.

This runs before Python's own parser, so that each sentence and its column are ours and the same
under every version of Python.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from interviewer.sandbox.language.functions import (
    CONSTANTS,
    PREFIXES,
    SIGNATURES,
    meant_by,
    nearest,
    unknown,
)
from interviewer.sandbox.language.notation import Token, TokenKind, UnreadableError

_LOOP = "There are no loops here; write sums with sum(…) and running sums with cumsum(…, dim=0)"
_CHOICE = "There is no if here; write where(condition, a, b)"
WORDS = {
    "lambda": "A line cannot define a function; for the Greek letter write lam",
    "for": _LOOP,
    "while": _LOOP,
    "in": _LOOP,
    "if": _CHOICE,
    "else": _CHOICE,
    "elif": _CHOICE,
    "def": "A line names a value; submit a function on its own, starting at its def line",
    "class": "A line names a value; there are no classes here",
    "return": "There is nothing to return from; name the quantity asked for",
    "import": "Nothing needs importing; every function is available by name",
    "from": "Nothing needs importing; every function is available by name",
    "and": "Write (a) & (b) for both conditions",
    "or": "Write (a) | (b) for either condition",
    "not": "Write ~(a) to negate a condition",
    "is": "Write == to compare elementwise, or a single = to claim that two sides are equal",
    "True": "True and False are only for options such as keepdim=True; write 1 or 0",
    "False": "True and False are only for options such as keepdim=True; write 1 or 0",
    "None": "None is only for a new axis in an index: x[:, None]",
    "assert": "Write the two sides with a single = between them; that is the claim",
    "yield": "A line names a value; leave this word out",
    "await": "A line names a value; leave this word out",
    "async": "A line names a value; leave this word out",
    "with": "A line names a value; leave this word out",
    "del": "A line names a value; leave this word out",
    "try": "A line names a value; leave this word out",
    "raise": "A line names a value; leave this word out",
    "global": "A line names a value; leave this word out",
}
"""Words of Python that have no place in a line."""
TEXT = "Quoted text is only allowed as the first argument of einsum"
SIGNS = {
    "^": "Write ** for powers",
    "%": "A percent sign goes after a number, as in 41 %; there is no modulo here",
    "//": "Write floor(a / b) for integer division",
    "&&": "Write (a) & (b) for both conditions",
    "||": "Write (a) | (b) for either condition",
    ":=": "To name a value, write a single = at the start of a line",
    "!": "Write prod(arange(1, n + 1)) for a factorial, or != for not equal",
    "->": "Arrows have no meaning here; write = between the two sides",
    "{": "Braces have no meaning here; group with round brackets",
    "}": "Braces have no meaning here; group with round brackets",
    ";": "Write each statement on its own line",
    "?": "A question mark has no meaning here; write where(condition, a, b) to choose",
    "$": "A dollar sign has no meaning here; write plain expressions, not LaTeX",
    "\\": "A backslash has no meaning here; write plain expressions, not LaTeX",
    "`": "Leave out the backquotes",
    ":": "A colon belongs in an index, as in x[1:n]",
    "=": "An = inside brackets names an option, as in sum(x, dim=-1)",
    "...": "Dots are only for an index, as in x[..., 0]; write out the terms",
    "ᵀ": "The transpose sign goes after the matrix",
    "²": "An exponent goes after its base",
    "³": "An exponent goes after its base",
    "|": "A value is missing before |; for absolute values write abs(x)",
    ",": "Commas only separate arguments and indices; write one value per line",
    "[": "Lists are only allowed inside cat([…]) or stack([…])",
}
_NOWHERE = ("^", "//", "&&", "||", ":=", "!", "->", "{", "}", ";", "?", "$", "\\", "`")
"""Signs that have no place in a line."""
BESIDE = "beside"
"""The operator between two values side by side: of numbers ``*``, of matrices ``@``."""
_BINARY = (BESIDE, "+", "-", "*", "/", "@", "**", "&", "|", "<", "<=", ">", ">=", "==", "!=")
_PREFIX = ("+", "-", "~", "√")
_POSTFIX = ("²", "³", "ᵀ")
_CLOSING = {"(": ")", "[": "]"}
DEEPEST = 40
TOO_DEEP = f"This is nested more than {DEEPEST} deep; name an inner part on its own line"

_FOLLOWS = "only .T and functions such as x.sum(-1) can follow a dot"
_ATTRIBUTES = {
    "data": "write detach(x)",
    "grad": "write grad(y, x)",
    "shape": "write size(x, 0)",
    "values": "it only follows max, min and sort",
    "indices": "write argmax(x, dim=-1) or argsort(x, dim=-1)",
    "H": "write T(x)",
    "ndim": "the task gives the number of axes",
    "dtype": "every number is a float64",
}


def with_products(
    tokens: Sequence[Token], names: Collection[str], *, scalars: bool
) -> tuple[Token, ...]:
    """With the products that paper leaves unsigned: ``6 N D``, ``4P``, ``2 sqrt(L)``, ``x Wq``.

    After a number, and where all names are ``scalars``, they become ``*``; else BESIDE, since only
    the values say whether a matrix or a number stands there. Raises UnreadableError after a
    division, which may take in one factor or all.
    """
    found: list[Token] = []
    tokens = _run_together(tokens, names) if scalars else tokens
    for place, token in enumerate(tokens):
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if found and _ends_value(found, names) and _begins_value(token, after, names):
            before = found[-1]
            opens = token.is_operator("(")
            if not (opens and not scalars and before.kind is TokenKind.NAME):
                _check_fraction(found, token)
                plain = scalars or before.kind is TokenKind.NUMBER
                sign = "*" if plain else BESIDE
                found.append(Token(TokenKind.OPERATOR, sign, token.start, token.start))
        found.append(token)
    return tuple(found)


def _run_together(tokens: Sequence[Token], names: Collection[str]) -> tuple[Token, ...]:
    """With ``6ND`` as 6 N D: one-letter names in a row that are no name of their own."""
    found: list[Token] = []
    for place, token in enumerate(tokens):
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        named = after is not None and after.is_operator("=", "(")
        word = token.kind is TokenKind.NAME and token.text not in names
        if named or not word or meant_by(token.text) or not set(token.text) <= set(names):
            found.append(token)
            continue
        for number, letter in enumerate(token.text, start=token.start):
            found.append(Token(TokenKind.NAME, letter, number, number + 1))
    return tuple(found)


def _ends_value(found: Sequence[Token], names: Collection[str]) -> bool:
    last = found[-1]
    if last.kind is TokenKind.NUMBER:
        return last.unit is None or (last.unit.text != "%" and last.unit.dimension == "")
    if last.kind is TokenKind.NAME:
        member = len(found) > 1 and found[-2].is_operator(".")
        return last.text in (("T", "mT") if member else names)
    return last.is_operator(")", "]", *_POSTFIX)


def _begins_value(token: Token, after: Token | None, names: Collection[str]) -> bool:
    if token.kind is not TokenKind.NAME:
        return token.is_operator("(", "√")
    if token.text in names or token.text == "pi":
        return True
    called = after is not None and after.is_operator("(")
    return called and meant_by(token.text) is not None


def _check_fraction(found: Sequence[Token], token: Token) -> None:
    start = _start_of_factor(found)
    if start and found[start - 1].is_operator("/"):
        below = _spelled(found[start:])
        raise UnreadableError(
            f"Is only {below} below the fraction bar, or {below} * {token.text[:20]}? "
            "Write the brackets",
            token.start,
        )


def _start_of_factor(found: Sequence[Token]) -> int:
    """Where the factor begins that ends at the last token, its powers included."""
    place = len(found) - 1
    while place > 0:
        if found[place].is_operator(")", "]"):
            place = _opening(found, place)
            called = found[place - 1].kind is TokenKind.NAME or found[place - 1].is_operator("]")
            if place == 0 or not (called and found[place - 1].end == found[place].start):
                break
            place -= 1
        elif found[place].is_operator(*_POSTFIX):
            place -= 1
        elif found[place - 1].is_operator("."):
            place -= 2
        else:
            break
    while place > 0 and found[place - 1].is_operator("√"):
        place -= 1
    if place > 1 and found[place - 1].is_operator("**"):
        return _start_of_factor(found[: place - 1])
    return max(place, 0)


def _opening(found: Sequence[Token], place: int) -> int:
    """The place of the bracket that the one at ``place`` closes; 0 if there is none."""
    depth = 0
    for at in range(place, -1, -1):
        depth += found[at].is_operator(")", "]") - found[at].is_operator("(", "[")
        if depth == 0:
            return at
    return 0


def _spelled(tokens: Sequence[Token]) -> str:
    """A factor for a message, shortened."""
    text = "".join(token.text for token in tokens)
    return text if len(text) <= 20 else "that"


def check_vocabulary(tokens: Sequence[Token], known: Collection[str]) -> None:
    """Raises UnreadableError at a word or sign that has no place in a line; ``known`` ones do."""
    for before, token, after in zip((None, *tokens), tokens, (*tokens[1:], None), strict=False):
        member = before is not None and before.is_operator(".")
        value = token.text in ("True", "False", "None") or token.text in known or member
        if token.kind is TokenKind.NAME and token.text in WORDS and not value:
            raise UnreadableError(WORDS[token.text], token.start)
        if token.is_operator("^") and after is not None and after.text in ("T", "top"):
            raise UnreadableError("Write x.T for a transpose", token.start)
        if token.is_operator(*_NOWHERE):
            raise UnreadableError(SIGNS[token.text], token.start)


def check_order(tokens: Sequence[Token], end: int, known: Collection[str]) -> None:
    """Raises UnreadableError at the first token that is out of order.

    ``end`` is the end of the line, ``known`` are the names that have values.
    """
    order = _Order(tokens, known)
    for place in range(len(tokens)):
        order.take(place)
    if order.value_due and not (tokens and tokens[-1].is_operator("=")):
        raise UnreadableError(unfinished(tokens[-1] if tokens else None), end)
    if order.open:
        opened = tokens[order.open[-1][0]]
        raise UnreadableError(f"This {opened.text} is never closed", opened.start)


class _Order:
    """Walks over tokens and tracks whether a value or an operator comes next."""

    def __init__(self, tokens: Sequence[Token], known: Collection[str]) -> None:
        self.tokens, self.known = tokens, known
        self.value_due = True
        self.open: list[tuple[int, str]] = []
        """Places of open brackets, and whether each belongs to a call, an index or to neither."""

    def take(self, place: int) -> None:
        """Take the next token. Raises UnreadableError if it is out of order."""
        token = self.tokens[place]
        before = self.tokens[place - 1] if place else None
        if before is not None and before.is_operator("."):
            if token.kind is not TokenKind.NAME:
                raise UnreadableError("A dot is followed by a name, as in x.sum(-1)", before.start)
            self.value_due = False
        elif token.is_operator("="):
            self._equals(token, before, place)
        elif token.is_operator("(", "["):
            self._open(token, before, place)
        elif token.is_operator(")", "]"):
            self._close(token, before)
        elif self.value_due:
            self._value(token, before)
        else:
            self._operator(token, before, place)

    @property
    def _inside(self) -> str:
        return self.open[-1][1] if self.open else ""

    def _equals(self, token: Token, before: Token | None, place: int) -> None:
        if not self.open:
            if self.value_due and before is not None and not before.is_operator("="):
                raise UnreadableError(unfinished(before), token.start)
        elif not (
            self._inside == "call"
            and before is not None
            and before.kind is TokenKind.NAME
            and self.tokens[place - 2].is_operator("(", ",")
        ):
            raise UnreadableError(unexpected(token), token.start)
        self.value_due = True

    def _open(self, token: Token, before: Token | None, place: int) -> None:
        kind = ""
        if not self.value_due:
            kind = "call" if token.text == "(" else "index"
            if kind == "call" and (before is None or before.kind is not TokenKind.NAME):
                raise UnreadableError(missing_operator(before, token), token.start)
        self.open.append((place, kind))
        if len(self.open) >= DEEPEST:
            raise UnreadableError(TOO_DEEP, token.start)
        self.value_due = True

    def _close(self, token: Token, before: Token | None) -> None:
        if self.value_due and not (before and before.is_operator("(", "[", ",", ":")):
            raise UnreadableError(unexpected(token, opening=True), token.start)
        opened = self.tokens[self.open[-1][0]] if self.open else None
        if opened is None or token.text != _CLOSING[opened.text]:
            raise UnreadableError(unexpected(token), token.start)
        if opened is before and self._inside == "index":
            raise UnreadableError("The index is empty; write x[0] or x[:, 1]", opened.start)
        self.open.pop()
        self.value_due = False

    def _value(self, token: Token, before: Token | None) -> None:
        first = before is not None and before.is_operator("(", "[", ",")
        ranged = before is not None and before.is_operator(":")
        if self._inside == "call" and first and token.is_operator("*", "**"):
            raise UnreadableError("Write the arguments one by one; leave out the star", token.start)
        if self._inside == "index" and (first or ranged) and token.is_operator(":"):
            return
        if token.is_operator(*_PREFIX) or (ranged and token.is_operator(",")):
            return
        if token.kind is TokenKind.OPERATOR and not (first and token.is_operator("...")):
            raise UnreadableError(unexpected(token, opening=True), token.start)
        self.value_due = False

    def _operator(self, token: Token, before: Token | None, place: int) -> None:
        after = self.tokens[place + 1].text if place + 1 < len(self.tokens) else ""
        if token.kind is not TokenKind.OPERATOR or token.is_operator("√"):
            raise self._two_values(token, before)
        if token.is_operator(*_POSTFIX):
            return
        if after == "=" and not self.open and token.is_operator("+", "-", "*", "/", "@", "**"):
            message = f"Write y = x {token.text} … with a new name; nothing is changed in place"
            raise UnreadableError(message, token.start)
        between = (",",) * bool(self.open) + (":",) * (self._inside == "index")
        if not token.is_operator(".", *_BINARY, *between):
            raise UnreadableError(unexpected(token), token.start)
        self.value_due = True

    def _two_values(self, token: Token, before: Token | None) -> UnreadableError:
        """A value right after another one, or after a function's name: ``exp x``."""
        name = before.text if before is not None and before.kind is TokenKind.NAME else ""
        if before is not None and name not in self.known and meant_by(name):
            return UnreadableError(unknown_name(name, self.known), before.start)
        return UnreadableError(missing_operator(before, token), token.start)


def unexpected(token: Token, *, opening: bool = False) -> str:
    """An operator where a value should start, or where nothing should follow."""
    if token.is_operator(")", "]") and not opening:
        return f"This {token.text} closes nothing; delete it, or open a bracket before it"
    if token.is_operator(")", "]"):
        return f"A value is missing before the {token.text}"
    if token.text in SIGNS:
        return SIGNS[token.text]
    return f"A value is missing before {token.text}"


def unfinished(last: Token | None) -> str:
    """The line ends where a value should be."""
    if last is None:
        return "A value is missing here; finish the line"
    return f"Something is missing after {last.text}; finish the line"


def missing_operator(before: Token | None, token: Token) -> str:
    """Two values side by side."""
    if token.kind is TokenKind.STRING:
        return TEXT
    if before is not None and before.unit is not None and before.unit.text == "%":
        return SIGNS["%"]
    if before is not None and before.kind is TokenKind.NUMBER and token.kind is TokenKind.NAME:
        return (
            f"There is no unit {token.text[:20]}; put * between {before.text} and "
            f"{token.text[:20]} if it is a name"
        )
    left = before.text if before is not None else "them"
    return (
        f"Put an operator between {left[:20]} and {token.text[:20]}: @ multiplies matrices, "
        "* numbers, or elementwise"
    )


def unknown_name(name: str, known: Collection[str]) -> str:
    """An undefined name."""
    if name.startswith("__"):
        return f"{name[:40]} is not a valid name; names start with a letter"
    if name in PREFIXES:
        return f"{name} can only come before a function, as in {name}.exp(x)"
    function = meant_by(name)
    if function is not None:
        return f"{name} is a function; write {SIGNATURES[function].written}"
    for cut in range(1, len(name)):
        if name[:cut] in known and name[cut:] in known:
            return f"{name} is not defined above; for a product, write {name[:cut]} {name[cut:]}"
    close = nearest(name, (*known, *CONSTANTS))
    if close:
        return f"{name[:40]} is not defined above; did you mean {close}?"
    return f"{name[:40]} is not defined above; define it on an earlier line"


def attribute(name: str, *, called: bool) -> str:
    """An attribute that does not exist."""
    if name.startswith("_") or (not called and meant_by(name) is None):
        return f".{name[:40]} cannot be read here; {_ATTRIBUTES.get(name, _FOLLOWS)}"
    meant = meant_by(name)
    if meant is None:
        return unknown(name)
    if not called:
        return f".{name} is a function; write {SIGNATURES[meant].written}"
    return f"{name} cannot follow a dot; write {SIGNATURES[meant].written}"
