"""Numbers in answers: digits, scientific notation, scale words, spoken numbers, and quantities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from interviewer.rubric.rubric import NumberFact
from interviewer.rubric.text import HAN, Normalised, Span, normalise, table

HOUR, DAY = 3600.0, 86400.0
_ROWS = table("units", __package__)


def _units(dimension: str) -> dict[str, float]:
    return {word: float(size) for size, said in _ROWS[dimension].items() for word in said.split()}


SCALES, SECONDS, BYTES = _units("scales"), _units("time"), _units("bytes")
BIT_RATES, FLOPS, MONEY = _units("bit_rates"), _units("flops"), _units("money")
TIME_NAMES = {word: said.split()[0] for said in _ROWS["time"].values() for word in said.split()}
"""The full name of each unit of time."""


def factor_of(word: str, table: Mapping[str, float]) -> float | None:
    """What a unit in singular or plural stands for; None if it is not in the table."""
    if word in table:
        return table[word]
    return table.get(word.removesuffix("s"))


def is_unit(word: str) -> bool:
    """The word is a unit or a scale of any kind."""
    tables = (SCALES, SECONDS, BYTES, BIT_RATES, FLOPS, MONEY)
    return word in _SHARES or any(factor_of(word, table) is not None for table in tables)


_SHARES = frozenset({"%", "percent", "point", "points", "pp"})


_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    *("ten", "eleven", "twelve", "thirteen", "fourteen"),
    *("fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {
    **{word: value for value, word in enumerate((*_UNITS, *_TEENS), start=1)},
    **{word: 10 * value for value, word in enumerate(_TENS, start=2)},
    **{"fourty": 40, "zero": 0, "oh": 0, "nought": 0, "dozen": 12, "couple": 2, "pair": 2},
}
ORDINALS = ("third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
PARTS = {
    **{f"{lead}half": 1 / 2 for lead in ("", "a ", "one ")},
    **{f"{lead}quarter": 1 / 4 for lead in ("", "a ", "one ")},
    **{
        f"{lead} {ordinal}": 1 / below
        for below, ordinal in enumerate(ORDINALS, start=3)
        for lead in ("a", "an", "one")
    },
    **{
        f"{count} {ordinal}s": number / below
        for below, ordinal in (*enumerate(ORDINALS, start=3), (4, "quarter"))
        for number, count in enumerate(_UNITS[1 : below - 1], start=2)
    },
}
"""Fractions in words."""
_IN_PARTS = rf"(?:{'|'.join((*ORDINALS, 'quarter'))})s?|halves"


def _below_100(value: int) -> str:
    if value < 20:
        return (*_UNITS, *_TEENS)[value - 1]
    tens, ones = divmod(value, 10)
    return _TENS[tens - 2] + (f" {_UNITS[ones - 1]}" if ones else "")


_SIZES = {
    f"{_below_100(size // 100)} {_below_100(size % 100)}": float(size)
    for size in (128, 192, 256, 320, 384, 512, 640, 768, 1024, 1536, 2048, 3072, 4096, 8192)
}
"""Sizes that are spoken like years ("five twelve")."""


def _any(words: Iterable[str]) -> str:
    longest_first = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(word.replace(" ", "[ -]") for word in longest_first) + ")"


_SPOKEN_SCALE = "(?:thousand|million|billion|trillion|quadrillion|mil|bil)"
_LEAD = "(?:an?|the|our|its|their|all|full|whole|entire|another|one)"
_BELOW_100 = rf"(?:{_any((*_TENS, 'fourty'))}(?:[ -]{_any(_UNITS)})?|{_any((*_TEENS, *_UNITS))})\b"
_HUNDREDS = (
    rf"(?:{_LEAD}|(?:a )?couple(?: of)?|{_BELOW_100})[ -]hundred\b(?:[ -](?:and[ -])?{_BELOW_100})?"
)
_BELOW_1000 = rf"(?:{_HUNDREDS}|{_BELOW_100})"
_DIGIT = rf"(?:{_any((*_UNITS, 'zero', 'oh', 'nought'))}\b)"
_NUMBER = re.compile(
    rf"(?:(?:(?<![^\W{HAN}])(?<!\.)|(?<=[\d ]x))"
    r"(?P<sign>[-+])?(?:(?P<base>10|2)(?:\^|\*\*)(?P<height>-?\d{1,2})"
    r"|(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?: \d{3})* 000(?!\d)|\d+(?:\.\d+)?|\.\d+)"
    r"(?:e(?P<exp>[-+]?\d{1,3})|(?: ?[x*×] ?| times )"
    r"(?:10 ?(?:\^|\*\*|to the(?: power(?: of)?)?) ?|1e)(?P<power>[-+]?\d{1,2}))?)"
    rf"|\b(?:(?P<part>{_any(PARTS)})(?: of)?[ -](?:an?\b(?P<dozen>[ -]dozen)?|(?={_SPOKEN_SCALE}))"
    rf"|(?P<size>{_any(_SIZES)})\b(?![ -]?(?:gig|gb|b\b|billion))"
    rf"|(?P<year>{_any(_UNITS)}[ -](?:(?:oh|o)[ -]{_any(_UNITS)}"
    rf"|{_any(_TENS)}(?:[ -]{_any(_UNITS)})?|{_any(_TEENS)}))"
    rf"(?=[ -](?:[bmk]|{_SPOKEN_SCALE})\b)"
    rf"|(?P<lone>{_LEAD})(?=[ -]{_SPOKEN_SCALE}\b(?![ -](?:and[ -])?{_BELOW_1000}))"
    rf"|(?P<round>(?:an?|{_any(_UNITS)})[ -]dozen\b"
    r"|(?:(?:a )?couple(?: of)?|a pair of)\b(?!(?: of)?[ -]hundred))"
    rf"|(?:(?P<spoken>(?:{_BELOW_1000}|an?\b(?=[ -]thousand))"
    rf"(?:[ -](?:million|thousand)[ -](?:and[ -])?{_BELOW_1000}){{0,3}}"
    rf"(?![ -](?:hundred|{_IN_PARTS})\b)|zero\b(?=[ -]point))"
    rf"(?:[ -]point[ -](?P<decimals>{_DIGIT}(?:[ -]{_DIGIT})*|{_BELOW_100}))?)))"
    rf"(?:[ -]and[ -](?P<and>{_any(PARTS)})\b(?![ -](?:an?|of|the)\b))?"
    rf"(?P<scale>(?! [kbt] ?=)[ -]?(?:{_SPOKEN_SCALE}|bn|mn|mio|tn|grand|[kbt])(?![^\W{HAN}])"
    rf"|(?<=\d)m(?![^\W{HAN}])|(?<=\d) ?(?:[百千万]?[万亿]|[百千]亿|千))?"
    rf"(?:(?<=ion)[ -]and[ -](?P<more>{_any(PARTS)})\b(?![ -](?:an?|of|the)\b))?"
)
_RAISED = re.compile(r"10(?=[⁻⁺⁰¹²³⁴-⁹])")
"""A ten with a superscript exponent, which normalising would lose."""


@dataclass(frozen=True)
class Numeral:
    """A number in a text. ``span`` is in the normalised text and includes the scale."""

    factor: float
    """The number without its last scale: 7 in "seven billion"."""
    scale: str
    """The last scale word or letter as written, or ""."""
    span: Span
    is_spoken: bool
    """Written at least partly in words."""

    @property
    def value(self) -> float:
        """The number times its scale."""
        return self.factor * SCALES.get(self.scale, 1.0)


def numerals(text: str, plain: Normalised) -> tuple[Numeral, ...]:
    """All numbers of a text and its normalised form, left to right; no vague ones ("millions")."""
    if _RAISED.search(text):
        plain = normalise(_RAISED.sub("1e", text))
    return tuple(_numeral(match) for match in _NUMBER.finditer(plain.text))


def _numeral(match: re.Match[str]) -> Numeral:
    factor = _factor(match)
    for part in ("and", "more"):
        if match[part]:
            factor += PARTS[match[part].replace("-", " ")]
    scale = (match["scale"] or "").lstrip(" -")
    return Numeral(factor, scale, match.span(), is_spoken=not (match["digits"] or match["base"]))


def _factor(match: re.Match[str]) -> float:
    if match["base"]:
        value = float(match["base"]) ** int(match["height"])
        return -value if match["sign"] == "-" else value
    if match["digits"]:
        power = match["exp"] or match["power"] or "0"
        return float(f"{match['sign'] or ''}{re.sub('[, ]', '', match['digits'])}e{power}")
    if match["part"]:
        return PARTS[match["part"].replace("-", " ")] * (12 if match["dozen"] else 1)
    if match["size"]:
        return _SIZES[match["size"].replace("-", " ")]
    if match["lone"]:
        return 1.0
    if match["year"]:
        hundreds, rest = re.split("[ -]", match["year"], maxsplit=1)
        return 100.0 * _VALUES[hundreds] + _spoken(re.split("[ -]", rest))
    value = _spoken(re.split("[ -]", match["spoken"] or match["round"]))
    return value + _fraction(re.split("[ -]", match["decimals"] or "zero"))


def _spoken(words: list[str]) -> float:
    total = current = 0.0
    for word in words:
        if word == "hundred":
            current = (current or 1.0) * 100
        elif word in SCALES:
            total, current = total + (current or 1.0) * SCALES[word], 0.0
        elif word == "dozen":
            current = (current or 1.0) * 12
        else:
            current += _VALUES.get(word, 0)
    return total + current


def _fraction(words: list[str]) -> float:
    """What "two five" or "twenty-five" adds after the decimal point."""
    if words[0] in _TENS or words[0] in _TEENS:
        digits = f"{_spoken(words):.0f}"
    else:
        digits = "".join(str(_VALUES[word]) for word in words)
    return float(f"0.{digits}")


_TAIL = re.compile(r" ?-?(?P<tail>%|[a-z]+)")
_SMALL = 12
"""Up to here a bare number word is often not a quantity ("one of them", "two things")."""


@dataclass(frozen=True)
class Quantity:
    """A number in a text. ``tail`` is the word or sign right after it, in lower case."""

    value: float
    tail: str
    span: Span
    """Its characters in the original text, including the tail."""


def quantities(text: str) -> Iterator[Quantity]:
    """All numbers of a text with what follows; a small number word needs a unit ("two gigs")."""
    plain = normalise(text)
    return quantities_of(numerals(text, plain), plain)


def quantities_of(numbers: Iterable[Numeral], plain: Normalised) -> Iterator[Quantity]:
    """The quantities among the numbers of a normalised text."""
    for numeral in numbers:
        start, end = numeral.span
        tail = numeral.scale
        if not tail and (behind := _TAIL.match(plain.text, end)):
            tail, end = behind["tail"], behind.end()
        if not numeral.is_spoken or _is_meant(numeral, tail):
            yield Quantity(numeral.factor, tail, plain.original_span(start, end))


def _is_meant(numeral: Numeral, tail: str) -> bool:
    """The words surely mean a quantity: not small and whole, or with a unit."""
    if numeral.scale or tail in ("%", "percent") or factor_of(tail, BYTES) is not None:
        return True
    return numeral.factor > _SMALL or numeral.factor % 1 != 0


def states(fact: NumberFact, text: str) -> bool:
    """Some number in the text matches the fact."""
    return any(matches(fact, quantity) for quantity in quantities(text))


def matches(fact: NumberFact, quantity: Quantity) -> bool:
    """The quantity is within ``rel`` of one of the fact's values, converted to the fact's unit."""
    return any(_is_near(fact, stated) for stated in _values_in(quantity, fact.unit))


def matches_apart_from_unit(fact: NumberFact, quantity: Quantity) -> bool:
    """The number is the fact's, and no other unit follows it: its own may stand elsewhere."""
    return not is_unit(quantity.tail) and _is_near(fact, quantity.value)


def _is_near(fact: NumberFact, stated: float) -> bool:
    wanted = (fact.value, *fact.alternatives)
    return any(abs(stated - each) <= fact.rel * abs(each) + 1e-12 for each in wanted)


def bytes_of(quantity: Quantity) -> float | None:
    """The size in bytes of a quantity with a unit of memory, None with any other."""
    unit = factor_of(quantity.tail, BYTES)
    return None if unit is None else quantity.value * unit


def _values_in(quantity: Quantity, unit: str) -> Iterator[float]:
    """The quantity's value in ``unit`` under every plausible interpretation."""
    unit, tail = unit.strip().lower(), quantity.tail
    if (base := factor_of(unit, BYTES)) is not None:
        if (size := bytes_of(quantity)) is not None:
            yield size / base
        return
    if unit in ("%", "percent"):
        if tail in ("%", "percent"):
            yield quantity.value
        elif 0 < quantity.value <= 1:
            yield quantity.value * 100
        return
    yield quantity.value
    if tail in SCALES:
        yield quantity.value * SCALES[tail]
