"""The notation of a line: numbers with their units, names, signs.

What mathematics writes and a keyboard lacks (×, −, ², √, π) is read as what it means. Any other
letter outside ASCII is refused by name, so that no look-alike passes for a name it is not. A number
with a unit becomes its value in base units (bytes, FLOP, seconds, fractions of one) and keeps its
dimension, so that an answer in days is not taken for one in bytes. As on paper, the unit of
``84/8 GB`` belongs to the whole fraction, and ``327,680`` is one number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise, product
from typing import Any

from interviewer.yaml_tables import table

VOCABULARY: dict[str, Any] = table("vocabulary", "interviewer.sandbox.language")


def by_word(section: str) -> dict[str, Any]:
    """A section of the vocabulary with each of its words, or signs, as a key of its own."""
    return {word: value for words, value in VOCABULARY[section].items() for word in words.split()}


_DOUBTFUL: dict[str, str] = by_word("doubtful")
_NOWHERE = by_word("nowhere")
WORDS: dict[str, str] = by_word("words")
"""Words of Python that have no place in a line."""
LITERALS = ("True", "False", "None")
_WORD = re.compile(
    r"[ \t\u00a0\u2009\u202f]*(?:(?P<percent>%)"
    r"|(?P<word>[A-Za-zµμ]+(?:-[A-Za-z]+)?)(?![A-Za-z0-9_(\[.])(?P<per>/[A-Za-zµμ]+(?![A-Za-z0-9_(\[.]))?)"
)
_SCALE = re.compile(r"[ \t]*(?P<word>thousand|million|billion|trillion)\b")


@dataclass(frozen=True)
class Unit:
    """``factor`` converts to the base unit of ``dimension`` ("bytes", "FLOP/s")."""

    text: str
    dimension: str
    factor: float

    @property
    def words(self) -> tuple[str, ...]:
        """Its words, each of which might also be a name."""
        return tuple(re.split(r"[ /-]", self.text))


def _simple_units() -> dict[str, Unit]:
    prefixes, times = {"": 1.0, **VOCABULARY["prefixes"]}, by_word("times")
    units = {"%": ("share", 0.01), "percent": ("share", 0.01), "FLOPs": ("FLOP", 1.0)}
    for prefix, factor in {**prefixes, **VOCABULARY["binary_prefixes"]}.items():
        if prefix:
            units[f"{prefix}B"] = ("bytes", factor)
            units[f"{prefix}bit"] = units[f"{prefix}bits"] = ("bytes", factor / 8)
        units[f"{prefix}bps"] = ("bytes/s", factor / 8)
    for prefix, factor in prefixes.items():
        units[f"{prefix}FLOP"] = ("FLOP", factor)
        units[f"{prefix}FLOPS"] = ("FLOP/s", factor)
    units |= {f"{p}b": ("bytes", prefixes[p.upper()]) for p in "kmgtp"}
    units |= dict.fromkeys(("byte", "bytes"), ("bytes", 1.0))
    units |= dict.fromkeys(("bit", "bits"), ("bytes", 0.125))
    units |= {word: ("s", factor) for word, factor in times.items()}
    for dimension, words in VOCABULARY["counted"].items():
        units |= dict.fromkeys(words.split(), (dimension, 1.0))
    for gpu, (time, seconds) in product(VOCABULARY["counted"]["GPUs"].split(), times.items()):
        units[f"{gpu}-{time}"] = ("GPU-hours", seconds / 3600)
    units |= {word: ("", factor) for word, factor in VOCABULARY["scales"].items()}
    return {text: Unit(text, dimension, factor) for text, (dimension, factor) in units.items()}


_UNITS = _simple_units()


def unit(text: str) -> Unit | None:
    """The unit with this spelling, ``TB/s`` and the like included; None if there is none.

    It also reads the units that challenge files declare, so that both use the same dimensions.
    """
    text = text.strip()
    above, slash, below = text.partition("/")
    first = _UNITS.get(above)
    if first is None or not slash:
        return first
    second = _UNITS.get(below)
    if second is None or second.dimension in ("", "share"):
        return None
    per = second.dimension if second.dimension == "s" else second.dimension.removesuffix("s")
    return Unit(text, f"{first.dimension}/{per}", first.factor / second.factor)


def unit_at(line: str, place: int, given: Collection[str] = ()) -> tuple[Unit, int] | str | None:
    """The unit that starts after a number's last character, and where it ends.

    A sentence if it is ambiguous; None if it is not a unit, as where the word is a ``given`` name:
    ``2 tokens`` is then a product. A slash belongs to a unit only without spaces around it.
    """
    scaled = _SCALE.match(line, place)
    if scaled is None:
        return _word_at(line, place, given)
    scale = _UNITS[scaled["word"]]
    inner = _word_at(line, scaled.end())
    if not isinstance(inner, tuple):
        return inner or (scale, scaled.end())
    found, end = inner
    text = f"{scale.text} {found.text}"
    return Unit(text, found.dimension, scale.factor * found.factor), end


def _word_at(line: str, place: int, given: Collection[str] = ()) -> tuple[Unit, int] | str | None:
    match = _WORD.match(line, place)
    if match is None:
        return None
    if match["percent"]:
        return _UNITS["%"], match.end()
    word, per = match["word"], match["per"] or ""
    names = word in given and per[1:] in given
    if per and not names and (rate := unit(word + per)):
        return rate, match.end()
    if word in given:
        return None
    if doubt := _DOUBTFUL.get(word):
        return doubt
    if found := _UNITS.get(word):
        return found, match.end("word")
    if "-" in word and (found := _UNITS.get(word.split("-")[0])):
        return found, match.start("word") + len(found.text)
    return None


LONGEST_NUMBER = 40

_SPACES = " \t\u00a0\u2002\u2003\u2009\u202f"
_NUMBER = re.compile(r"(?:[0-9]+(?:_[0-9]+)*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9,.])")
"""With commas between thousands; inside brackets a comma parts arguments."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TO_THE_T = re.compile(r"\^ ?T(?![A-Za-z0-9_])")
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")
_OPERATOR = re.compile(
    r"\.\.\.|\*\*|//|==|!=|<=|>=|:=|->|&&|\|\||[-+*/@=<>()\[\]{},:.&|~^%;!?$\\`]"
)
_MEANING = {char: sign for sign, chars in VOCABULARY["signs"].items() for char in chars}
_SPELLED = {char: text for text, chars in VOCABULARY["spelled"].items() for char in chars}
_CONSTANTS = {"π": "pi", "∞": "inf"}


class TokenKind(Enum):
    """What a token is; an operator is known by its text."""

    NUMBER = "number"
    NAME = "name"
    STRING = "string"
    OPERATOR = "operator"


@dataclass(frozen=True)
class Token:
    """A piece of a line, from ``start`` to before ``end`` (characters, from 0).

    ``value`` is the number in base units; ``unit`` is what was written after it.
    """

    kind: TokenKind
    text: str
    start: int
    end: int
    value: float = 0.0
    unit: Unit | None = None

    def is_operator(self, *texts: str) -> bool:
        return self.kind is TokenKind.OPERATOR and self.text in texts


class UnreadableError(Exception):
    """A line that cannot be read: a sentence for the candidate."""


def tokens_of(line: str, given: Collection[str] = ()) -> tuple[Token, ...]:
    """The tokens of a line; a ``given`` name after a number is no unit.

    Raises UnreadableError where a character has no meaning here.
    """
    found: list[Token] = []
    place = depth = 0
    while place < len(line):
        if line[place] in _SPACES or line[place] == "\n":
            place += 1
            continue
        grouped = _GROUPED.match(line, place) if depth <= 0 else None
        if number := grouped or _NUMBER.match(line, place):
            token = _number(line, place, number.end(), given)
        else:
            token = _transposed(line, place, given) or _token_at(line, place)
        depth += token.is_operator("(", "[") - token.is_operator(")", "]")
        found.append(token)
        place = token.end
    return _fractions(found)


def _fractions(tokens: list[Token]) -> tuple[Token, ...]:
    """With the unit of a fraction written without spaces moved to its numerator: ``84/8 GB``."""
    for place in range(len(tokens) - 2):
        above, slash, below = tokens[place : place + 3]
        is_fraction = above.kind is below.kind is TokenKind.NUMBER and slash.is_operator("/")
        is_tight = above.end == slash.start and slash.end == below.start
        is_deeper = place > 0 and tokens[place - 1].is_operator("/", "**", "^")
        if is_fraction and is_tight and not is_deeper and below.unit and not above.unit:
            factor = below.unit.factor
            tokens[place] = replace(above, value=above.value * factor, unit=below.unit)
            tokens[place + 2] = replace(below, value=below.value / factor, unit=None)
    return tuple(tokens)


def doubtful_reading(tokens: Sequence[Token], given: Collection[str]) -> str:
    """How something is read that may be meant otherwise, and how to say so; "" if nothing is.

    That is ``84 / 8 GB`` with spaces, and ``4096 tokens`` where tokens is given.
    """
    for above, word in pairwise(tokens):
        if above.kind is TokenKind.NUMBER and word.text in _UNITS and word.text in given:
            return (
                f"{above.text} {word.text} is read as {above.text} times the given {word.text}; "
                f"for {above.text} alone, leave the word out."
            )
    for above, slash, below in zip(tokens, tokens[1:], tokens[2:], strict=False):
        numbers = above.kind is below.kind is TokenKind.NUMBER and slash.is_operator("/")
        if numbers and below.unit and not above.unit and below.unit.dimension not in ("", "share"):
            number = below.text.removesuffix(below.unit.text).rstrip()
            whole = f"{above.text}/{number} {below.unit.text}"
            return (
                f"{above.text} / {below.text} divides by {below.text}; "
                f"for {whole}, leave out the spaces."
            )
    return ""


def shown(char: str) -> str:
    """A character for a message: itself if visible, else its code point."""
    if char.isprintable() and not char.isspace() and not unicodedata.combining(char):
        return f"“{char}”"
    return f"U+{ord(char):04X}"


def _transposed(line: str, place: int, given: Collection[str]) -> Token | None:
    """The ``^T`` after a matrix, as on paper; where T is a value, it would be an exponent."""
    match = None if "T" in given else _TO_THE_T.match(line, place)
    return Token(TokenKind.OPERATOR, "ᵀ", place, match.end()) if match else None


def _token_at(line: str, place: int) -> Token:
    char = line[place]
    if match := _NAME.match(line, place):
        return Token(TokenKind.NAME, match.group(), place, match.end())
    if char in _CONSTANTS:
        return Token(TokenKind.NAME, _CONSTANTS[char], place, place + 1)
    if char in _MEANING:
        return Token(TokenKind.OPERATOR, _MEANING[char], place, place + 1)
    if char in "'\"":
        if match := _STRING.match(line, place):
            return Token(TokenKind.STRING, match.group()[1:-1], place, match.end())
        raise UnreadableError("This quotation mark is never closed; for a transpose write x.T")
    if match := _OPERATOR.match(line, place):
        return Token(TokenKind.OPERATOR, match.group(), place, match.end())
    raise UnreadableError(_stranger(char))


def _number(line: str, start: int, end: int, given: Collection[str]) -> Token:
    text = line[start:end]
    if len(text) > LONGEST_NUMBER:
        raise UnreadableError(
            f"This number has {len(text)} characters; write it shorter, as in 1.5e9"
        )
    value = float(text.replace(",", ""))
    if value == float("inf"):
        raise UnreadableError(f"{text} is larger than any number the bench can hold")
    found = unit_at(line, end, given)
    if found is None:
        return Token(TokenKind.NUMBER, text, start, end, value)
    if isinstance(found, str):
        raise UnreadableError(found)
    unit, end = found
    return Token(TokenKind.NUMBER, line[start:end], start, end, value * unit.factor, unit)


def _stranger(char: str) -> str:
    """The sentence for a character that means nothing here."""
    name = unicodedata.name(char, "").lower()
    code = f"U+{ord(char):04X}"
    if unicodedata.category(char) in ("Cf", "Cc", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"):
        what = f"{code}, {name}" if name else code
        return f"There is an invisible or undefined character here ({what}); delete it"
    if char in _SPELLED:
        return f"Write {_SPELLED[char]} for {shown(char)}"
    if name.startswith("greek ") and "letter" in name:
        plain = name.split("letter", 1)[1].split(" with ")[0].strip()
        return f"Write {plain} for {shown(char)}: names are in plain letters"
    if char.isalpha():
        return (
            f"{shown(char)} ({name or code}) is not a plain letter, though it may look like "
            "one; retype it in plain letters"
        )
    return (
        f"{shown(char)} ({name or code}) has no meaning here; write it in plain letters and signs"
    )


def check_vocabulary(tokens: Sequence[Token], known: Collection[str]) -> None:
    """Raises UnreadableError at a word or sign that has no place in a line; ``known`` ones do."""
    for before, token, after in zip((None, *tokens), tokens, (*tokens[1:], None), strict=False):
        member = before is not None and before.is_operator(".")
        value = token.text in LITERALS or token.text in known or member
        if token.kind is TokenKind.NAME and token.text in WORDS and not value:
            raise UnreadableError(WORDS[token.text])
        if token.is_operator("^") and after is not None and after.text in ("T", "top"):
            raise UnreadableError("Write x.T for a transpose")
        if token.kind is TokenKind.OPERATOR and token.text in _NOWHERE:
            raise UnreadableError(_NOWHERE[token.text])
