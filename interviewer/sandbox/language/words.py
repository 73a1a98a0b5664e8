"""What is said about text that is no expression: each sentence tells how to write it instead."""

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
from interviewer.sandbox.language.tokens import Token, TokenKind

_LOOP = "There are no loops here; write sums with sum(…) and running sums with cumsum(…, dim=0)"
_CHOICE = "There is no if here; write where(condition, a, b)"
WORDS = {
    "lambda": "There are no functions of your own here; for the Greek letter write lam",
    "for": _LOOP,
    "while": _LOOP,
    "in": _LOOP,
    "if": _CHOICE,
    "else": _CHOICE,
    "elif": _CHOICE,
    "def": "A line names a value; a function is sent on its own, from its def line on",
    "class": "A line names a value; there are no classes here",
    "return": "Nothing is returned here; name the quantity that is asked for",
    "import": "Nothing needs to be imported; all functions are there by name",
    "from": "Nothing needs to be imported; all functions are there by name",
    "and": "Write (a) & (b) where both conditions hold",
    "or": "Write (a) | (b) where either condition holds",
    "not": "Write ~(a) for the opposite of a condition",
    "is": "Write == to compare entry by entry, or one = to claim that two sides are equal",
    "True": "True and False belong to options such as keepdim=True only; write 1 or 0",
    "False": "True and False belong to options such as keepdim=True only; write 1 or 0",
    "None": "None stands in an index only, for a new axis: x[:, None]",
    "assert": "Write the two sides with one = between them; that is the claim",
    "yield": "A line names a value; leave this word out",
    "await": "A line names a value; leave this word out",
    "async": "A line names a value; leave this word out",
    "with": "A line names a value; leave this word out",
    "del": "A line names a value; leave this word out",
    "try": "A line names a value; leave this word out",
    "raise": "A line names a value; leave this word out",
    "global": "A line names a value; leave this word out",
}
"""Words of Python that no line can hold."""
TEXT = "Text in quotation marks has no place here, except as the first argument of einsum"
_SIGNS = {
    "^": "Write ** for powers",
    "%": "A percent sign follows a number, as in 41 %; there is no remainder here",
    "//": "Write floor(a / b) for whole division",
    "&&": "Write (a) & (b) where both conditions hold",
    "||": "Write (a) | (b) where either condition holds",
    ":=": "Write one = at the start of a line to name a value",
    "!": "Write prod(arange(1, n + 1)) for a factorial, != for unequal",
    "->": "An arrow has no meaning here; write = between two sides",
    "{": "Braces have no meaning here; group with round brackets",
    "}": "Braces have no meaning here; group with round brackets",
    ";": "Write each statement on its own line",
    "?": "A question mark has no meaning here; write where(condition, a, b) to choose",
    "$": "A dollar sign has no meaning here; write plain expressions, not LaTeX",
    "\\": "A backslash has no meaning here; write plain expressions, not LaTeX",
    "`": "Leave the backquotes out",
    ":": "A colon belongs into an index, as in x[1:n]",
    "=": "An = inside brackets names an option, as in sum(x, dim=-1)",
    "...": "Dots stand in an index only, as in x[..., 0]; write the terms out",
    "ᵀ": "The sign for a transpose stands behind what it turns",
    "²": "A power stands behind what it is taken of",
    "³": "A power stands behind what it is taken of",
    "|": "A value is missing before |; for absolute values write abs(x)",
    ",": "A comma separates arguments and indices only; write one value a line",
    "[": "A list stands only inside cat([…]) or stack([…])",
}
_NOWHERE = ("^", "//", "&&", "||", ":=", "!", "->", "{", "}", ";", "?", "$", "\\", "`")
"""Signs that no line can hold."""


_FOLLOWS = "only .T and functions such as x.sum(-1) follow a dot"
_ATTRIBUTES = {
    "data": "write detach(x)",
    "grad": "write grad(y, x)",
    "shape": "write size(x, 0)",
    "values": "it stands behind max, min and sort only",
    "indices": "write argmax(x, dim=-1) or argsort(x, dim=-1)",
    "H": "write T(x)",
    "ndim": "the number of axes is given by the task",
    "dtype": "every number is a float64",
}


def out_of_place(tokens: Sequence[Token], known: Collection[str]) -> tuple[str, int] | None:
    """The first word or sign that no line can hold: a sentence and its character."""
    depth = 0
    for place, token in enumerate(tokens):
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        before = tokens[place - 1] if place else None
        if token.is_operator("(", "[", "{"):
            depth += 1
        elif token.is_operator(")", "]", "}"):
            depth -= 1
        message = _out_of_place(token, before, after, known, depth)
        if message:
            return message, token.start
    return None


def _out_of_place(
    token: Token, before: Token | None, after: Token | None, known: Collection[str], depth: int
) -> str | None:
    if token.kind is TokenKind.NAME:
        dotted = before is not None and before.is_operator(".")
        plain = token.text in WORDS and token.text not in ("True", "False", "None")
        return WORDS[token.text] if plain and not dotted and token.text not in known else None
    if token.kind is TokenKind.STRING and before is not None and before.kind is TokenKind.NAME:
        return TEXT
    if token.is_operator("^") and after is not None and after.text in ("T", "top"):
        return "Write x.T for a transpose"
    if token.is_operator(*_NOWHERE) or (token.is_operator(":", ",") and depth == 0):
        return _SIGNS[token.text]
    changing = token.is_operator("+", "-", "*", "/", "@", "**") and depth == 0
    if changing and after is not None and after.is_operator("="):
        return f"Write y = x {token.text} … with a new name; nothing is changed in place"
    return None


def unexpected(token: Token, *, opening: bool = False) -> str:
    """An operator where a value should start, or where nothing should follow."""
    if token.is_operator(")", "]") and not opening:
        return f"The {token.text} here closes nothing; delete it, or open a bracket before it"
    if token.is_operator(")", "]"):
        return f"A value is missing before the {token.text}"
    if token.text in _SIGNS:
        return _SIGNS[token.text]
    return f"A value is missing before {token.text}"


def unfinished(last: Token | None) -> str:
    """The line ends where a value should follow."""
    if last is None:
        return "A value is missing here; finish the line"
    return f"Something is missing after {last.text}; finish the line"


def missing_operator(before: Token | None, token: Token) -> str:
    """Two values stand side by side."""
    if token.kind is TokenKind.STRING:
        return TEXT
    if before is not None and before.unit is not None and before.unit.text == "%":
        return _SIGNS["%"]
    if before is not None and before.kind is TokenKind.NUMBER and token.kind is TokenKind.NAME:
        return (
            f"There is no unit {token.text[:20]}; put * between {before.text} and "
            f"{token.text[:20]} if it is a name"
        )
    left = before.text if before is not None else "them"
    return f"Put an operator between {left[:20]} and {token.text[:20]}, such as *"


def unknown_name(name: str, known: Collection[str]) -> str:
    """A name that nothing carries."""
    if name.startswith("__"):
        return f"{name[:40]} is no name here; names start with a letter"
    if name in PREFIXES:
        return f"{name} stands before a function only, as in {name}.exp(x)"
    function = meant_by(name)
    if function is not None:
        return f"{name} is a function; write {SIGNATURES[function].written}"
    close = nearest(name, (*known, *CONSTANTS))
    if close:
        return f"{name[:40]} is not defined above; did you mean {close}?"
    return f"{name[:40]} is not defined above; name it on a line before this one"


def attribute(name: str, *, called: bool) -> str:
    """A dot and a name that lead nowhere."""
    if name.startswith("_") or (not called and meant_by(name) is None):
        return f".{name[:40]} cannot be read here; {_ATTRIBUTES.get(name, _FOLLOWS)}"
    meant = meant_by(name)
    if meant is None:
        return unknown(name)
    if not called:
        return f".{name} is a function; write {SIGNATURES[meant].written}"
    return f"{name} follows no dot; write {SIGNATURES[meant].written}"
