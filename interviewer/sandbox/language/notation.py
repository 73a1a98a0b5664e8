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
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product
from typing import Any

from interviewer.rubric.text import table

VOCABULARY: dict[str, Any] = table("vocabulary", "interviewer.sandbox.language")


def by_word(section: str) -> dict[str, Any]:
    """A section of the vocabulary with each of its words, or signs, as a key of its own."""
    return {word: value for words, value in VOCABULARY[section].items() for word in words.split()}


LONGEST_NUMBER = 40
_DOUBTFUL: dict[str, str] = by_word("doubtful")
_ADVICE: dict[str, str] = by_word("advice")
_PLAIN = str.maketrans(
    {char: text for text, chars in VOCABULARY["signs"].items() for char in chars}
)
_SPACES = " \t\n\u00a0\u2002\u2003\u2009\u202f"
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9,.])")
"""With commas between thousands; inside brackets a comma parts arguments."""
_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+(?:_[0-9]+)*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<string>'[^']*'|\"[^\"]*\")"
    r"|(?P<operator>\.\.\.|\*\*|[=!<>]=|[-+*/@]=|[-+*/@=<>()\[\],:.&|~%√²³ᵀ])"
)
_TO_THE_T = re.compile(r"\^ ?T\b")
_WORD = re.compile(
    r"[ \t\u00a0\u2009\u202f]*(?:(?P<percent>%)"
    r"|(?P<word>[A-Za-zµμ]+(?:-[A-Za-z]+)?)(?![A-Za-z0-9_(\[.])(?P<per>/[A-Za-zµμ]+(?![A-Za-z0-9_(\[.]))?)"
)
_SCALE = re.compile(r"[ \t]*(?P<word>thousand|million|billion|trillion)\b")


class UnreadableError(Exception):
    """A line that cannot be read: a sentence for the candidate."""


def out_of_place(sign: str) -> UnreadableError:
    """Why a sign cannot stand where it stands; one that a keyboard lacks is named."""
    shown = f"“{sign}”" if sign.isprintable() else "This invisible character"
    advice = "delete it, or add what is missing beside it"
    if not (sign.isascii() and sign.isprintable()):
        shown += f" (U+{ord(sign):04X} {unicodedata.name(sign, 'undefined').lower()})"
        advice = "write plain letters and signs"
    return UnreadableError(f"{shown} cannot stand here; {_ADVICE.get(sign, advice)}")


# -- units


@dataclass(frozen=True)
class Unit:
    """``factor`` converts to the base unit of ``dimension`` ("bytes", "FLOP/s")."""

    text: str
    dimension: str
    factor: float


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
    units |= {word: ("bytes", factor) for word, factor in by_word("bytes").items()}
    units |= {word: ("s", factor) for word, factor in times.items()}
    for dimension, words in VOCABULARY["counted"].items():
        units |= dict.fromkeys(words.split(), (dimension, 1.0))
    for gpu, (time, seconds) in product(VOCABULARY["counted"]["GPUs"].split(), times.items()):
        units[f"{gpu}-{time}"] = ("GPU-hours", seconds / 3600)
    units |= {word: ("", factor) for word, factor in VOCABULARY["scales"].items()}
    return {text: Unit(text, dimension, factor) for text, (dimension, factor) in units.items()}


_UNITS = _simple_units()


def unit(text: str) -> Unit | None:
    """The unit with this spelling, ``TB/s`` and the like included; None if there is none."""
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


def _unit_at(line: str, place: int, given: Collection[str]) -> tuple[Unit, int] | None:
    """The unit that starts after a number's last character, and where it ends.

    None if it is not a unit, as where the word is a ``given`` name: ``2 tokens`` is then a product.
    A slash belongs to a unit only without spaces around it. Raises UnreadableError where the unit
    may mean two things.
    """
    scaled = _SCALE.match(line, place)
    if scaled is None:
        return _word_at(line, place, given)
    scale = _UNITS[scaled["word"]]
    found, end = _word_at(line, scaled.end(), ()) or (Unit("", "", 1.0), scaled.end())
    text = f"{scale.text} {found.text}".rstrip()
    return Unit(text, found.dimension, scale.factor * found.factor), end


def _word_at(line: str, place: int, given: Collection[str]) -> tuple[Unit, int] | None:
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
        raise UnreadableError(doubt)
    if found := _UNITS.get(word):
        return found, match.end("word")
    if "-" in word and (found := _UNITS.get(word.split("-")[0])):
        return found, match.start("word") + len(found.text)
    return None


# -- tokens


class TokenKind(Enum):
    """What a token is; an operator is known by its text."""

    NUMBER = "number"
    NAME = "name"
    STRING = "string"
    OPERATOR = "operator"


@dataclass(frozen=True)
class Token:
    """A piece of a line; ``value`` is the number in base units, ``unit`` what stood behind it."""

    kind: TokenKind
    text: str
    start: int
    end: int
    value: float = 0.0
    unit: Unit | None = None

    def is_operator(self, *texts: str) -> bool:
        return self.kind is TokenKind.OPERATOR and self.text in texts


def tokens_of(line: str, given: Collection[str] = ()) -> tuple[Token, ...]:
    """The tokens of a line; a ``given`` name after a number is no unit. Raises UnreadableError."""
    line = line.translate(_PLAIN)
    if "T" not in given:  # where T is a value, it is an exponent
        line = _TO_THE_T.sub("ᵀ", line)
    found: list[Token] = []
    place = depth = 0
    while place < len(line):
        if line[place] in _SPACES:
            place += 1
            continue
        match = _TOKEN.match(line, place)
        if match is None:
            raise out_of_place(line[place])
        kind = TokenKind(match.lastgroup)
        if kind is TokenKind.NUMBER:
            grouped = _GROUPED.match(line, place) if depth <= 0 else None
            token = _number(line, place, (grouped or match).end(), given)
        else:
            text = match.group()[1:-1] if kind is TokenKind.STRING else match.group()
            token = Token(kind, text, place, match.end())
        depth += token.is_operator("(", "[") - token.is_operator(")", "]")
        found.append(token)
        place = token.end
    return _fractions(found)


def _number(line: str, start: int, end: int, given: Collection[str]) -> Token:
    text = line[start:end]
    value = float(text.replace(",", ""))
    if len(text) > LONGEST_NUMBER or value == float("inf"):
        raise UnreadableError(f"The number {text[:10]}… is too long or too large; as in 1.5e9")
    unit, end = _unit_at(line, end, given) or (None, end)
    factor = unit.factor if unit else 1.0
    return Token(TokenKind.NUMBER, line[start:end], start, end, value * factor, unit)


def _fractions(tokens: list[Token]) -> tuple[Token, ...]:
    """With the unit of a fraction written without spaces moved to its numerator: ``84/8 GB``."""
    for place in range(len(tokens) - 2):
        above, slash, below = tokens[place : place + 3]
        is_fraction = above.kind is below.kind is TokenKind.NUMBER and slash.is_operator("/")
        is_tight = above.end == slash.start and slash.end == below.start
        is_deeper = place > 0 and tokens[place - 1].is_operator("/", "**")
        if is_fraction and is_tight and not is_deeper and below.unit and not above.unit:
            factor = below.unit.factor
            tokens[place] = replace(above, value=above.value * factor, unit=below.unit)
            tokens[place + 2] = replace(below, value=below.value / factor, unit=None)
    return tuple(tokens)
