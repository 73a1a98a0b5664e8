"""Which numbers a quote holds, in any usual spelling: what a model read is checked against them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from interviewer.grading.numerals import numerals
from interviewer.grading.units import SCALES
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
_SCALE = re.compile(r"[ \u00a0-]?(?P<word>[a-zA-Zµ]+|[千万亿萬億兆百])")
_OTHER_SCALES = {"mrd": 1e9, "milliard": 1e9, "milliarden": 1e9, "millionen": 1e6, "mio": 1e6}
_HAN = {"百": 1e2, "千": 1e3, "万": 1e4, "萬": 1e4, "亿": 1e8, "億": 1e8, "兆": 1e12}
_HAN_NUMBER = re.compile(r"[〇零一二两兩三四五六七八九十百千万萬亿億兆点點]+")
_SMALL_PARTS = {"tenth": 0.1, "hundredth": 0.01, "thousandth": 0.001, "millionth": 1e-6}
_PARTS = re.compile(r"(?P<parts>tenth|hundredth|thousandth|millionth)s?\b")
_VAGUE = {
    **{"couple": 2.0, "dozen": 12.0, "few": 3.0, "hundred": 100.0, "thousand": 1000.0},
    **{"single": 1.0, "both": 2.0, "twice": 2.0, "half": 0.5, "quarter": 0.25, "third": 1 / 3},
}


def holds(quote: str, value: float) -> float | None:
    """The number of the quote that the value stands for, scale included; None if it holds none.

    A scale may have been said with a neighbour only ("from 6.1 to 4.7 billion"): then the value
    itself is taken.
    """
    found = sorted(set(numbers(quote)), key=lambda pair: -abs(pair[0] * pair[1]))
    for number, scale in found:
        if _same(number * scale, value) or (scale != 1 and _same(number, value)):
            return number * scale
    for number, _ in found:
        for scale in (1e3, 1e4, 1e6, 1e8, 1e9, 1e12):
            if _same(number * scale, value):
                return value
        if _same(number, value * 100):  # 0.45 for "45 %"
            return value
    return None


def has_number(text: str) -> bool:
    """Some numeral stands in the text, in digits, words or another script."""
    return any(True for _ in numbers(text))


def numbers(text: str) -> Iterator[tuple[float, float]]:
    """Every number of a text as one may read it: the number, and the scale that follows it."""
    text = _SUPERSCRIPT.sub(lambda match: f"^{match[0].translate(_RAISED)}", text)
    text = unicodedata.normalize("NFKC", text)
    for match in _POWER.finditer(text):
        times = _decimal(match["times"]) if match["times"] else 1.0
        height = int(match["height"])
        if abs(height) <= 60:
            yield times * float(match["base"]) ** height, 1.0
    for match in _EXPONENT.finditer(text):
        yield float(f"{_decimal(match['times'])}e{int(match['height']) % 400}"), 1.0
        yield _decimal(match["times"]) * 10.0 ** max(-60, min(60, int(match["height"]))), 1.0
    for match in _DIGITS.finditer(text):
        scale = _scale_after(text, match.end())
        for number in _readings(match[0]):
            yield number, scale
            yield number, 1.0
    plain = normalise(text)
    for numeral in numerals(text, plain):
        yield numeral.factor, SCALES.get(numeral.scale, 1.0)
        if part := _PARTS.match(plain.text, numeral.span[1] + 1):
            yield numeral.factor * _SMALL_PARTS[part["parts"]], 1.0
    lower = text.lower()
    for word, number in _VAGUE.items():
        if word in lower:
            yield number, 1.0
            if word != "hundred" and "hundred" in lower:
                yield number * 100, 1.0
    for match in _HAN_NUMBER.finditer(text):
        yield _han(match[0]), 1.0


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
    whole, _, part = word.replace("點", "点").partition("点")
    total = section = digit = 0.0
    for char in whole:
        if char in _HAN or char == "十":
            unit = _HAN.get(char, 10.0)
            if unit >= 1e4:
                total = (total + section + digit) * unit if section or digit else total * unit
                section = digit = 0.0
            else:
                section, digit = section + (digit or 1.0) * unit, 0.0
        else:
            digit = digit * 10 + _han_digit(char) if digit and section == 0 else _han_digit(char)
    value = total + section + digit
    if part:
        value += float("0." + "".join(str(int(_han_digit(char))) for char in part))
    return value


def _han_digit(char: str) -> float:
    return 2.0 if char in "两兩" else unicodedata.numeric(char, 0.0)


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= SAME * max(abs(one), abs(other))
