"""One line of a derivation as tokens: numbers with their units, names, operators.

What mathematics writes and a keyboard doesn't (×, −, ², √, π) is read as what it means. Any other
letter outside ASCII is refused by name, so that no look-alike passes for a name it is not.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum

from interviewer.sandbox.language.units import Unit, unit_at

LONGEST_NUMBER = 40

_SPACES = " \t\u00a0\u2002\u2003\u2009\u202f"
_NUMBER = re.compile(r"(?:[0-9]+(?:_[0-9]+)*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")
_OPERATOR = re.compile(
    r"\.\.\.|\*\*|//|==|!=|<=|>=|:=|->|&&|\|\||[-+*/@=<>()\[\]{},:.&|~^%;!?$\\`]"
)
_MEANING = {
    **dict.fromkeys("·×⋅∗⊙∙", "*"),
    **dict.fromkeys("÷∕⁄", "/"),
    **dict.fromkeys("−–", "-"),
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "√": "√",
    "²": "²",
    "³": "³",
    "ᵀ": "ᵀ",
    "⊤": "ᵀ",
    "…": "...",
}
_CONSTANTS = {"π": "pi", "∞": "inf"}
_SPELLED = {
    **dict.fromkeys("∑Σ", "sum(…)"),
    **dict.fromkeys("∏Π", "prod(…)"),
    **dict.fromkeys("→⇒⟹≡≈≃", "one ="),
    **dict.fromkeys("“”„‘’", "straight quotation marks"),
    **dict.fromkeys("εϵ", "eps"),
    "λ": "lam",
    "σ": "sigma or sigmoid(x)",
    "‖": "norm(x)",
    "′": "x.T, if a transpose is meant,",
}


class TokenKind(Enum):
    """What a token is; an operator is known by its text."""

    NUMBER = "number"
    NAME = "name"
    STRING = "string"
    OPERATOR = "operator"


@dataclass(frozen=True)
class Token:
    """A piece of a line, from ``start`` to before ``end`` (characters, from 0).

    ``value`` is that of a number in base units; ``unit`` what was written behind it.
    """

    kind: TokenKind
    text: str
    start: int
    end: int
    value: float = 0.0
    unit: Unit | None = None

    def is_operator(self, *texts: str) -> bool:
        """It is one of these operators."""
        return self.kind is TokenKind.OPERATOR and self.text in texts


class UnreadableError(Exception):
    """A line that cannot be read: a sentence for the candidate, and the character, from 0."""

    def __init__(self, message: str, column: int | None = None) -> None:
        super().__init__(message)
        self.column = column


def tokens_of(line: str) -> tuple[Token, ...]:
    """The tokens of a line. Raises UnreadableError where a character has no meaning here."""
    found: list[Token] = []
    place = 0
    while place < len(line):
        if line[place] in _SPACES or line[place] == "\n":
            place += 1
            continue
        token = _token_at(line, place)
        found.append(token)
        place = token.end
    return tuple(found)


def shown(char: str) -> str:
    """A character for a message: itself where it can be seen, else its code and its name."""
    if char.isprintable() and not char.isspace() and not unicodedata.combining(char):
        return f"“{char}”"
    return f"U+{ord(char):04X}"


def _token_at(line: str, place: int) -> Token:
    char = line[place]
    if match := _NUMBER.match(line, place):
        return _number(line, place, match.end())
    if match := _NAME.match(line, place):
        return Token(TokenKind.NAME, match.group(), place, match.end())
    if char in _CONSTANTS:
        return Token(TokenKind.NAME, _CONSTANTS[char], place, place + 1)
    if char in _MEANING:
        return Token(TokenKind.OPERATOR, _MEANING[char], place, place + 1)
    if char in "'\"":
        if match := _STRING.match(line, place):
            return Token(TokenKind.STRING, match.group()[1:-1], place, match.end())
        raise UnreadableError(
            "A quotation mark is opened here and never closed; for a transpose write x.T", place
        )
    if match := _OPERATOR.match(line, place):
        return Token(TokenKind.OPERATOR, match.group(), place, match.end())
    raise UnreadableError(_stranger(char), place)


def _number(line: str, start: int, end: int) -> Token:
    text = line[start:end]
    if len(text) > LONGEST_NUMBER:
        raise UnreadableError(
            f"This number has {len(text)} characters; write it shorter, as in 1.5e9", start
        )
    value = float(text)
    if value == float("inf"):
        raise UnreadableError(f"{text} is larger than any number the bench can hold", start)
    found = unit_at(line, end)
    if found is None:
        return Token(TokenKind.NUMBER, text, start, end, value)
    if isinstance(found, str):
        raise UnreadableError(found, start)
    unit, end = found
    return Token(TokenKind.NUMBER, line[start:end], start, end, value * unit.factor, unit)


def _stranger(char: str) -> str:
    """What to do about a character that means nothing here."""
    name = unicodedata.name(char, "").lower()
    code = f"U+{ord(char):04X}"
    if unicodedata.category(char) in ("Cf", "Cc", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"):
        what = f"{code}, {name}" if name else code
        return f"An invisible or undefined character stands here ({what}); delete it"
    if char in _SPELLED:
        return f"Write {_SPELLED[char]} for {shown(char)}"
    if name.startswith("greek ") and "letter" in name:
        plain = name.split("letter", 1)[1].split(" with ")[0].strip()
        return f"Write {plain} for {shown(char)}: names are in plain letters"
    if char.isalpha():
        return (
            f"{shown(char)} ({name or code}) is no plain letter of the alphabet, however much it "
            "may look like one; type it again in plain letters"
        )
    return (
        f"{shown(char)} ({name or code}) has no meaning here; write it in plain letters and signs"
    )
