"""What a model says it read: kept if the answer holds the quote, and the quote the number."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, permutations, product
from typing import Annotated, Literal, get_args

from pydantic import Field

from interviewer.grading.claims.quantity import (
    Outcome,
    Quantity,
    Reading,
    Whose,
    device_of,
    known_circumstances,
    measures,
)
from interviewer.grading.numerals import (
    BIT_RATES,
    BYTES,
    FLOPS,
    HOUR,
    MONEY,
    ORDINALS,
    PARTS,
    SCALES,
    SECONDS,
    factor_of,
    numerals,
)
from interviewer.rubric.text import normalise

SAME = 0.006
"""How near two numbers are that are the same, rounded."""
_same = partial(math.isclose, rel_tol=SAME)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPT = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
_POWER = re.compile(
    r"(?:(?P<times>\d+(?:[.,]\d+)?) ?[·⋅×x*∙] ?)?(?P<base>\d+) ?(?:\^|\*\*) ?"
    r"\{?(?P<height>[-+]?\d+)\}?"
)
_EXPONENT = re.compile(r"(?<=\d)[eE](?=[-+]?\d)")
_FOLD = re.compile(r"\B-?fold\b", re.IGNORECASE)
_DIGITS = re.compile(r"\d+(?:[.,' \u00a0\u202f_]\d+)*")
_SCALE = re.compile(r"[ \u00a0-]?(?P<word>[a-zA-Zµ]+(?![0-9a-zA-Zµ])|[千万亿萬億兆百])")
_FRACTION = re.compile(r"(?P<above>\d+) ?[/⁄] ?(?P<below>\d+)|(?P<whole>\d+)分之(?P<part>\d+)")
_HAN_TENS = {"十": 10, "百": 100, "千": 1000}
_HAN_DIGITS = "〇零一二两兩三四五六七八九"
_HAN_NUMBER = re.compile(
    rf"(?<!\d)(?<!\d )(?P<whole>[{_HAN_DIGITS}十百千]+)(?:[点點](?P<decimals>[{_HAN_DIGITS}]+))?"
)
_HAN_HALF = re.compile(r"(?P<whole>\d+)[^\W\d_]半")
_PARTS = {
    **PARTS,
    **{"third": 1 / 3, "tenth": 0.1, "hundredth": 0.01, "thousandth": 0.001, "millionth": 1e-6},
    **{"single": 1.0, "once": 1.0, "both": 2.0, "twice": 2.0, "couple": 2.0, "few": 3.0},
    **{"dozen": 12.0, "hundred": 100.0, "thousand": 1000.0},
}
"""Words that are a number, or make one of the number beside them."""
_PART = re.compile(rf"\b({'|'.join(sorted(_PARTS, key=len, reverse=True))})s?\b")
_ARTICLE = re.compile(r"\ban?\b", re.IGNORECASE)
_BARE_POINT = re.compile(r"\bpoint[ -](?=[a-z])")
_ORDINALS = {word: float(height) for height, word in enumerate(ORDINALS, start=3)}
_SPOKEN_POWER = re.compile(
    r"\b(?:ten|10) to the (?:power (?:of )?)?(?P<minus>minus |negative )?(?P<height>[a-z\d-]+)"
)
_SUBUNITS = (1.0, 100.0, 60.0, 24.0, 7.0)
"""How many of a smaller unit make a larger one: cents, minutes, hours, days; 1 for "5 and 2/3"."""


def holds(quote: str, value: float) -> float | None:
    """The number of the quote that the value stands for, scale included; None if it holds none.

    It may also be told in two parts ("two days and four hours"), or with a neighbour's scale.
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
    text = _EXPONENT.sub("·10^", _FOLD.sub(" fold", text))
    text = _SUPERSCRIPT.sub(lambda match: f"^{match[0].translate(_RAISED)}", text)
    text = _HAN_NUMBER.sub(_in_arabic_digits, unicodedata.normalize("NFKC", text))
    for number, scale in chain(_in_digits(text), _in_words(text)):
        if math.isfinite(number * scale):
            yield number, scale


def _in_arabic_digits(match: re.Match[str]) -> str:
    """A Chinese number below ten thousand; larger scales stay as they are."""
    whole = digit = 0
    for char in match["whole"]:
        if tens := _HAN_TENS.get(char):
            whole, digit = whole + (digit or 1) * tens, 0
        else:
            digit = digit * 10 + _han_digit(char)
    decimals = "".join(str(_han_digit(char)) for char in match["decimals"] or "")
    return f"{whole + digit}.{decimals}" if decimals else f"{whole + digit}"


def _han_digit(char: str) -> int:
    return 2 if char in "两兩" else int(unicodedata.numeric(char))


def _in_digits(text: str) -> Iterator[tuple[float, float]]:
    for match in _POWER.finditer(text):
        times = float((match["times"] or "1").replace(",", "."))
        yield times * _power(float(match["base"]), match["height"]), 1.0
    for match in _DIGITS.finditer(text):
        scale = _scale_after(text, match.end())
        for number in _readings(match[0]):
            yield number, scale
            yield number, 1.0
    for match in _FRACTION.finditer(text):
        if below := float(match["below"] or match["whole"]):
            yield float(match["above"] or match["part"]) / below, 1.0
    for match in _HAN_HALF.finditer(text):
        yield float(match["whole"]) + 0.5, 1.0


def _in_words(text: str) -> Iterator[tuple[float, float]]:
    plain = normalise(text)
    said = numerals(text, plain)
    if _BARE_POINT.search(plain.text):
        pointed = _BARE_POINT.sub("zero point ", plain.text)
        said = (*said, *numerals(pointed, normalise(pointed)))
    for numeral in said:
        yield numeral.factor, SCALES.get(numeral.scale, 1.0)
    parts = {_PARTS[match[1]] for match in _PART.finditer(plain.text)}
    beside = (1.0, *(part for part in parts if part > 1), *(numeral.factor for numeral in said))
    for part, number in product(parts, beside):
        yield part * number, 1.0
        if part < 1:
            yield part + number, 1.0
    for match in _SPOKEN_POWER.finditer(plain.text):
        word = match["height"]
        heights = numerals(word, normalise(word))
        height = _ORDINALS.get(word, heights[0].factor if heights else 0.0)
        for number in (1.0, *(numeral.factor for numeral in said)):
            yield number * _power(10.0, f"{'-' if match['minus'] else ''}{height:.0f}"), 1.0


def _power(base: float, height: str) -> float:
    """The power, infinite where it is beyond all that is counted."""
    try:
        return base ** int(height[:4])
    except (OverflowError, ZeroDivisionError):
        return math.inf


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
    while (match := _SCALE.match(text, at)) and (found := SCALES.get(match["word"].lower())):
        scale, at = scale * found, match.end()
    return scale


WHOSE: Mapping[str, Whose] = {each: each for each in get_args(Whose)}
LARGE_RATE = 1e9
"""Operations that are written out need no unit; fewer are of one that was left out."""
_PER_MILLE = re.compile(r"‰|\bper ?mille\b", re.IGNORECASE)
_WORD = re.compile(r"%|\$|€|£|[^\W\d_]++(?!\d)")
_PERCENT = re.compile(r"%|％|\b(?:percent\w*|pct|points?)\b", re.IGNORECASE)
_TOKENS = re.compile(r"(?P<count>[\d,]*) ?(?P<scale>[a-z]*?)[ -]?tok")
_RATE = re.compile(r"/|\bper\b|\ba\b|\ban\b|\beach\b|每")


@dataclass(frozen=True)
class Reported:
    """One figure as a model reports it: ``value`` and ``unit`` as said, nothing converted."""

    quote: str
    quantity: str
    value: Annotated[float, Field(allow_inf_nan=False)]
    unit: str = ""
    run: str = ""
    whose: str = "own"
    status: str = "stands"
    device: str = ""
    replaces: bool = False


def verified(
    reported: Sequence[Reported],
    circumstances: Sequence[tuple[str, str]],
    turn: int,
    text: str,
    resolves: Outcome | Literal[""] = "",
    *,
    unusable: int = 0,
) -> Reading:
    """The figures that the text of a turn holds; ``unusable`` entries count as dropped."""
    kept: dict[Quantity, None] = {}
    dropped = unusable
    for each in reported:
        if each.status == "hypothetical":
            continue
        if quantity := _verified(each, turn, text, {q.span[0] for q in kept}):
            kept[quantity] = None
        else:
            dropped += 1
    known = known_circumstances()
    return Reading(
        turn,
        tuple(sorted(kept, key=lambda each: each.place)),
        tuple((run, name) for run, name in circumstances if name in known),
        resolves,
        by="model",
        dropped=dropped,
    )


def _verified(reported: Reported, turn: int, text: str, taken: Collection[int]) -> Quantity | None:
    measure = measures().get(reported.quantity)
    if measure is None:
        return None
    for start, end in _places(reported.quote, text, taken):
        base = _value(reported, text[start:end], measure.unit)
        if base is None:
            continue
        device = device_of(reported.device) if reported.device else None
        return Quantity(
            measure.id,
            base,
            _unit_shown(reported.unit) if measure.unit in ("time", "any") else "",
            text[start:end],
            turn,
            (start, end),
            run=reported.run,
            whose=WHOSE.get(reported.whose, "other"),
            status="withdrawn" if reported.status == "withdrawn" else "stands",
            replaces=reported.replaces,
            device=device.name if device else "",
        )
    return None


def _places(quote: str, text: str, taken: Collection[int]) -> Iterator[tuple[int, int]]:
    """Where the quote stands, spaces, case and marks aside; no two figures have one place."""
    words = quote.strip().strip("\"'“”").split()
    if not words:
        return
    pattern = r"\s*".join(map(re.escape, words))
    found = [m.span() for m in re.finditer(pattern, text)] or [
        m.span() for m in re.finditer(pattern, text, re.IGNORECASE)
    ]
    for start, end in found:
        starts = (start, *(start + m.end() for m in re.finditer(r"\s+|[x×]", text[start:end])))
        yield from ((at, end) for at in starts if at < end and at not in taken)
    yield from found


def _value(reported: Reported, words: str, unit: str) -> float | None:
    number = holds(words, reported.value)
    if unit == "share":
        if number is None:  # 0.45 for "45 %"
            number = holds(words, reported.value * 100)
        if number is not None and _PER_MILLE.search(reported.unit or words):
            return number / 1000
        is_percent = _PERCENT.search(reported.unit or words) or (number is not None and number > 1)
        return number / 100 if number is not None and is_percent else number
    return None if number is None else _in_base(number, reported.unit.lower(), unit)


def _unit_shown(said: str) -> str:
    return " ".join(word for word in said.split() if word.lower() not in SCALES)


_CONVERTED = {"time": SECONDS, "device_time": SECONDS, "bytes": BYTES}


def _in_base(number: float, said: str, unit: str) -> float | None:
    """The number in the base unit of its dimension; None if the unit said is of another one."""
    words = _WORD.findall(said)
    dollars = _factor(words, MONEY) or 1.0
    match unit:
        case "number":
            return None if any(factor_of(word, BYTES) for word in words) else number
        case "any":
            only = _unit_shown(said)
            return number * (factor_of(only, SECONDS) or factor_of(only, BYTES) or 1.0)
        case "time" | "device_time" | "bytes":
            return number * _factor(words, _CONVERTED[unit]) or None
        case "width":
            return number / 8 if {"bit", "bits"} & set(words) else number
        case "byte_rate":
            size = _factor(words, BIT_RATES) or _factor(words, BYTES)
            return number * size / _per(said) or None
        case "rate":
            return number / _per(said)
        case "flop":  # "petaflop/s-days" too
            times = (factor_of(word, SECONDS) or 1.0 for word in words)
            return number * (_factor(words, FLOPS) or 1.0) * max((1.0, *times))
        case "flop_rate":
            return number * (_factor(words, FLOPS) or float(number > LARGE_RATE)) or None
        case "money":
            return number * dollars
        case "price":
            return number * dollars / (_factor(words, SECONDS) or HOUR)
        case _:
            return _of_one_token(number * dollars, said)


def _of_one_token(price: float, said: str) -> float | None:
    match = _TOKENS.search(said)
    if match is None:
        return None
    count = float(match["count"].replace(",", "") or 1) or 1.0
    return price / count / SCALES.get(match["scale"], 1.0)


def _per(said: str) -> float:
    _, *after = _RATE.split(said, maxsplit=1)
    return _factor(_WORD.findall(after[0]), SECONDS) or 1.0 if after else 1.0


def _factor(words: Sequence[str], table: Mapping[str, float]) -> float:
    return next((f for word in words if (f := factor_of(word, table)) is not None), 0.0)
