"""Which numbers a quote holds, in any usual spelling: what a model read is checked against them."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from itertools import chain, permutations

from interviewer.grading.numerals import ORDINALS, PARTS, SCALES, numerals
from interviewer.rubric.text import normalise

SAME = 0.006
"""How near two numbers are that are the same, rounded."""
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPT = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
_POWER = re.compile(
    r"(?:(?P<times>\d+(?:[.,]\d+)?) ?[·⋅×x*∙] ?)?(?P<base>\d+) ?(?:\^|\*\*) ?"
    r"\{?(?P<height>[-+]?\d+)\}?"
)
_EXPONENT = re.compile(r"(?P<times>\d+(?:[.,]\d+)?)[eE](?P<height>[-+]?\d+)")
_DIGITS = re.compile(r"\d+(?:[.,' \u00a0\u202f_]\d+)*")
_SCALE = re.compile(r"[ \u00a0-]?(?P<word>[a-zA-Zµ]+(?![0-9a-zA-Zµ])|[千万亿萬億兆百])")
_OTHER_SCALES = {
    "hundred": 1e2,
    "mrd": 1e9,
    "milliard": 1e9,
    "milliarden": 1e9,
    "millionen": 1e6,
    "mio": 1e6,
}
_HAN = {"百": 1e2, "千": 1e3, "万": 1e4, "萬": 1e4, "亿": 1e8, "億": 1e8, "兆": 1e12}
_HAN_NUMBER = re.compile(r"[〇零一二两兩三四五六七八九十百千万萬亿億兆点點]+")
_HAN_HALF = re.compile(rf"(?P<whole>{_HAN_NUMBER.pattern})[^\W\d_]半")
_HAN_FRACTION = re.compile(rf"(?P<below>{_HAN_NUMBER.pattern})分之(?P<above>{_HAN_NUMBER.pattern})")
_FRACTION = re.compile(r"(?P<above>\d+) ?[/⁄] ?(?P<below>\d+)")
_SMALL_PARTS = {"tenth": 0.1, "hundredth": 0.01, "thousandth": 0.001, "millionth": 1e-6}
_FRACTIONS = re.compile(
    rf"\b(?:{'|'.join(sorted(PARTS, key=len, reverse=True))}|(?:{'|'.join(_SMALL_PARTS)})s?)\b"
)
_ARTICLE = re.compile(r"\ban?\b", re.IGNORECASE)
_BARE_POINT = re.compile(r"\bpoint[ -](?=[a-z])")
_ORDINALS = {word: float(height) for height, word in enumerate(ORDINALS, start=3)}
_SPOKEN_POWER = re.compile(
    r"\b(?:ten|10) to the (?:power (?:of )?)?(?P<minus>minus |negative )?(?P<height>[a-z\d-]+)"
)
_SUBUNITS = (1.0, 100.0, 60.0, 24.0, 7.0)
"""How many of a smaller unit make a larger one: cents, minutes, hours, days; 1 for "5 and 2/3"."""
_FOLD = re.compile(r"\B-?fold\b", re.IGNORECASE)
_VAGUE = {
    **{"couple": 2.0, "dozen": 12.0, "few": 3.0, "hundred": 100.0, "thousand": 1000.0},
    **{"single": 1.0, "once": 1.0, "both": 2.0, "twice": 2.0},
    **{"half": 0.5, "quarter": 0.25, "third": 1 / 3},
}


def holds(quote: str, value: float) -> float | None:
    """The number of the quote that the value stands for, scale included; None if it holds none.

    A scale may have been said with a neighbour only ("from 6.1 to 4.7 billion"): then the value
    itself is taken, as of "4k" for 4,096 and of two numbers that are one ("two days and four
    hours", "two dollars fifty"). An article is a one: "a week".
    """
    found = sorted(set(numbers(quote)), key=lambda pair: -abs(pair[0] * pair[1]))
    for number, scale in found:
        if _same(number * scale, value) or (scale != 1 and _same(number, value)):
            return number * scale
        if scale == 1e3 and _same(number * 1024, value):
            return value
    scales = (1e3, 1e4, 1e6, 1e8, 1e9, 1e12)
    is_told = (
        any(_same(number * scale, value) for number, _ in found for scale in scales)
        or _makes({number for number, _ in found}, value)
        or (value == 1 and _ARTICLE.search(quote) is not None)
    )
    return value if is_told else None


def _makes(plain: set[float], value: float) -> bool:
    """Two of the numbers are the value in a unit and in its parts."""
    return any(
        _same(one + other / size, value) or _same(one * size + other, value)
        for one, other in permutations(plain, 2)
        for size in _SUBUNITS
        if one > 0 < other < size
    )


def has_number(text: str) -> bool:
    """Some numeral stands in the text, in digits, words or another script."""
    return any(True for _ in numbers(text))


def numbers(text: str) -> Iterator[tuple[float, float]]:
    """Every number of a text as one may read it: the number, and the scale that follows it."""
    text = _FOLD.sub(" fold", text)
    text = _SUPERSCRIPT.sub(lambda match: f"^{match[0].translate(_RAISED)}", text)
    text = unicodedata.normalize("NFKC", text)
    for number, scale in chain(_in_digits(text), _in_words(text), _in_chinese(text)):
        if math.isfinite(number * scale):
            yield number, scale


def _in_digits(text: str) -> Iterator[tuple[float, float]]:
    for match in _POWER.finditer(text):
        times = _decimal(match["times"]) if match["times"] else 1.0
        yield times * _power(float(match["base"]), match["height"]), 1.0
    for match in _EXPONENT.finditer(text):
        yield _decimal(match["times"]) * _power(10.0, match["height"]), 1.0
    for match in _DIGITS.finditer(text):
        scale = _scale_after(text, match.end())
        for number in _readings(match[0]):
            yield number, scale
            yield number, 1.0
    for match in _FRACTION.finditer(text):
        if below := float(match["below"]):
            yield float(match["above"]) / below, 1.0


def _in_words(text: str) -> Iterator[tuple[float, float]]:
    plain = normalise(text)
    said = numerals(text, plain)
    for numeral in said:
        yield numeral.factor, SCALES.get(numeral.scale, 1.0)
    for match in _BARE_POINT.finditer(plain.text):
        after = plain.text[match.end() :]
        for numeral in numerals(f"zero point {after}", normalise(f"zero point {after}"))[:1]:
            yield numeral.factor, SCALES.get(numeral.scale, 1.0)
    for match in _FRACTIONS.finditer(plain.text):
        part = PARTS.get(match[0]) or _SMALL_PARTS[match[0].removesuffix("s")]
        for number in (1.0, *(numeral.factor for numeral in said)):
            yield number * part, 1.0
            yield number + part, 1.0
    for match in _SPOKEN_POWER.finditer(plain.text):
        word = match["height"]
        heights = numerals(word, normalise(word))
        height = _ORDINALS.get(word, heights[0].factor if heights else 0.0)
        for number in (1.0, *(numeral.factor for numeral in said)):
            yield number * _power(10.0, f"{'-' if match['minus'] else ''}{height:.0f}"), 1.0
    for word, number in _VAGUE.items():
        if word in plain.text:
            yield number, 1.0
            if word != "hundred" and "hundred" in plain.text:
                yield number * 100, 1.0


def _in_chinese(text: str) -> Iterator[tuple[float, float]]:
    for match in _HAN_NUMBER.finditer(text):
        yield _han(match[0]), 1.0
    for match in _HAN_HALF.finditer(text):
        yield _han(match["whole"]) + 0.5, 1.0
    for match in _HAN_FRACTION.finditer(text):
        if below := _han(match["below"]):
            yield _han(match["above"]) / below, 1.0


def _power(base: float, height: str) -> float:
    """The power, infinite where it is beyond all that is counted."""
    high = int(height[:4])
    if abs(high) > 60 or (base == 0 and high < 0) or base > 1e5:
        return math.inf
    return base**high


def _decimal(digits: str) -> float:
    return float(digits.replace(",", "."))


def _readings(digits: str) -> Iterator[float]:
    """A group of digits with its separators as thousands, and as a decimal point or comma."""
    plain = re.sub(r"[^\d.,]", "", digits)
    yield float(re.sub("[.,]", "", plain))
    for point in ".,":
        whole, found, part = plain.rpartition(point)
        if found:
            yield float(f"{re.sub('[.,]', '', whole)}.{re.sub('[.,]', '', part)}")


def _scale_after(text: str, at: int) -> float:
    scale = 1.0
    while match := _SCALE.match(text, at):
        word = match["word"]
        found = _HAN.get(word) or SCALES.get(word.lower()) or _OTHER_SCALES.get(word.lower())
        if not found:
            break
        scale, at = scale * found, match.end()
    return scale


def _han(word: str) -> float:
    """The value of a Chinese numeral."""
    whole, point, part = word.replace("點", "点").partition("点")
    if point:
        digits = part.rstrip("".join(_HAN))
        after = float("0." + "".join(f"{_han_digit(char):.0f}" for char in digits))
        return (_han(whole) + after) * math.prod(_HAN[char] for char in part[len(digits) :])
    total = section = digit = 0.0
    for char in word:
        if char in _HAN or char == "十":
            unit = _HAN.get(char, 10.0)
            if unit >= 1e4:
                total = (total + section + digit) * unit if section or digit else total * unit
                section = digit = 0.0
            else:
                section, digit = section + (digit or 1.0) * unit, 0.0
        else:
            digit = digit * 10 + _han_digit(char) if digit and section == 0 else _han_digit(char)
    return total + section + digit


def _han_digit(char: str) -> float:
    return 2.0 if char in "两兩" else unicodedata.numeric(char, 0.0)


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= SAME * max(abs(one), abs(other))
