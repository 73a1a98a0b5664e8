"""What a unit as somebody writes it down multiplies by: "k tok/s", "GPU-h", "M$", "GB"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from interviewer.grading.claims.meanings import Unit
from interviewer.grading.units import (
    BIT_RATES,
    BYTES,
    DAY,
    FLOPS,
    MONEY,
    SCALES,
    SECONDS,
    factor_of,
)


@dataclass(frozen=True)
class Conversion:
    """From a number as said to the base unit: times the scale word, times the unit.

    ``name`` is the base unit's, or the unit as said where it belongs to none.
    """

    scale: float
    factor: float
    name: str = ""


_WORD = re.compile(r"[^\W\d_]+|[$€£%µ]")
_SHARES = frozenset(("%", "percent", "pct", "percentage", "point", "points", "pp", "p"))
_BITS = frozenset(("bit", "bits"))
_PER = re.compile(
    r"/|\b(?:per|an?|the|each|every)\b|(?<=[a-z])ps\b|(?<=tok)s\b|(?<=token)-?sec", re.IGNORECASE
)
_BIT_RATE = re.compile(r"^(?P<prefix>[KkMGTg])?(?:b(?:it|its|ps)?|bit/s)\b")


def conversion(said: str, unit: Unit) -> Conversion | None:
    """How a value said in these words is taken to the base unit; None if they name another one."""
    words = _WORD.findall(said)
    scale, rest = _scale(words, unit)
    if unit in (Unit.NUMBER, Unit.ANY):
        return Conversion(scale, 1.0, " ".join(rest))
    if (found := _CONVERTED[unit](said, rest)) is None:
        return None
    return Conversion(scale, *found)


def dimension(said: str) -> tuple[Conversion, Unit]:
    """What a member of a group is measured in; things that are counted are in no unit.

    Other rates than bytes and operations a second are of no kind but their own.
    """
    words = _WORD.findall(said)
    if words[:1] == ["B"]:
        return Conversion(1e9, 1.0, " ".join(words[1:])), Unit.ANY
    per = _PER.search(said)
    time = _per_time(said)
    is_rate = time is not None and time[0] == 1
    tried = _RATES if is_rate else () if per else _PLAIN
    for unit in tried:
        found = conversion(said, unit) if words else None
        if found and (unit is not Unit.TIME or len(words) <= _FEW_WORDS):
            return found, unit
    found = conversion(said, Unit.ANY)
    assert found is not None
    return found, Unit.ANY


_FEW_WORDS = 3
_PLAIN = (Unit.SHARE, Unit.MONEY, Unit.BYTES, Unit.OPERATIONS, Unit.TIME)
_RATES = (Unit.BYTE_RATE, Unit.OPERATION_RATE)


def _scale(words: list[str], unit: Unit) -> tuple[float, list[str]]:
    """The scale word at the beginning, and the words after it."""
    if unit is Unit.MONEY and len(words) > 1 and words[0] in MONEY:  # "$M"
        words = [*words[1:], words[0]]
    first = words[0] if words else ""
    is_short = len(first) == 1
    if is_short and unit in (Unit.BYTES, Unit.WIDTH, Unit.BYTE_RATE) and first in "BbGMTK":
        return 1.0, words
    if is_short and unit in (Unit.TIME, Unit.DEVICE_TIME) and len(words) == 1:
        return 1.0, words
    if is_short and first == "m":
        return 1.0, words
    scale = SCALES.get(first.lower()) or (
        SCALES.get(first.lower().removesuffix("s")) if len(first) > len("bns") else None
    )
    return (scale, words[1:]) if scale else (1.0, words)


def _time(_: str, words: list[str]) -> tuple[float, str] | None:
    return next(((f, w) for w, f in _in(SECONDS, words)), None)


def _device_time(_: str, words: list[str]) -> tuple[float, str] | None:
    return next(((f, "GPU hours") for _, f in reversed([*_in(SECONDS, words)])), None)


def _bytes(_: str, words: list[str]) -> tuple[float, str] | None:
    short = {"g": ("GB", 1e9), "b": ("byte", 1.0), "t": ("TB", 1e12), "k": ("KB", 1e3)}
    for word in words:
        if (factor := factor_of(word.lower(), BYTES)) is not None:
            return factor, word
        if word.lower() in short:
            name, value = short[word.lower()]
            return value, name
    return None


def _width(said: str, words: list[str]) -> tuple[float, str] | None:
    if any(word.lower() in _BITS for word in words):
        return 1 / 8, "bit"
    return _bytes(said, words)


def _byte_rate(said: str, words: list[str]) -> tuple[float, str] | None:
    if match := _BIT_RATE.match(said.strip()):
        return 1e3 ** " kMGT".index((match["prefix"] or " ").replace("K", "k")) / 8, said.strip()
    for word, factor in _in(BIT_RATES, words):
        return factor, word
    return _bytes(said, words)


def _operations(_: str, words: list[str]) -> tuple[float, str] | None:
    for place, word in enumerate(words):
        low = word.lower()
        factor = factor_of(low, FLOPS) or factor_of(f"{low}lops", FLOPS)
        if factor is None and low in ("operation", "operations", "ops"):
            factor = 1.0
        if factor is not None:
            is_days = any(each.lower() in ("day", "days", "d") for each in words[place + 1 :])
            return factor * (DAY if is_days else 1.0), word
    return None


def _speed(said: str, words: list[str]) -> tuple[float, str] | None:
    found = _operations(said, words)
    return found and (found[0] / DAY if re.search(r"-days?\b", said) else found[0], found[1])


def _money(said: str, words: list[str]) -> tuple[float, str] | None:
    if not words and said:  # "grand", "k"
        return 1.0, "$"
    factors = [factor for _, factor in _in(MONEY, words)]
    return (min(factors), "$") if factors else None


def _per_time(said: str) -> tuple[float, str] | None:
    """The time that a rate is per, and its name."""
    if re.search(r"\btp[sm]\b|(?<=[a-z])ps\b", said, re.IGNORECASE):
        return 1.0, "s"
    if (per := _PER.search(said)) is None:
        return None
    return next(((f, w) for w, f in _in(SECONDS, _WORD.findall(said[per.end() :]))), None)


def _rate(said: str, _: list[str]) -> tuple[float, str] | None:
    if (per := _per_time(said)) is None:
        return None
    return 1 / per[0], "tokens/s" if per[0] == 1 else f"tokens/{per[1]}"


def _price(said: str, words: list[str]) -> tuple[float, str] | None:
    """Without a time, of an hour, as all devices are priced."""
    money = _money(said, words)
    per = _per_time(said) or (SECONDS["hour"], "hour")
    return money and (money[0] / per[0], "$")


def _token_price(said: str, words: list[str]) -> tuple[float, str] | None:
    money = _money(said, words)
    tail = _PER.split(said, maxsplit=1)[1:]
    scales = [f for _, f in _in(SCALES, _WORD.findall(tail[0]))] if tail else []
    return money and ((money[0] / scales[0], "$") if scales else None)


def _share(_: str, words: list[str]) -> tuple[float, str] | None:
    return (0.01, "%") if any(word.lower() in _SHARES for word in words) else None


def _in(table: Mapping[str, float], words: list[str]) -> Iterator[tuple[str, float]]:
    for word in words:
        if (factor := factor_of(word.lower(), table)) is not None:
            yield word.lower(), factor


_CONVERTED = {
    Unit.SHARE: _share,
    Unit.TIME: _time,
    Unit.DEVICE_TIME: _device_time,
    Unit.BYTES: _bytes,
    Unit.WIDTH: _width,
    Unit.BYTE_RATE: _byte_rate,
    Unit.RATE: _rate,
    Unit.OPERATIONS: _operations,
    Unit.OPERATION_RATE: _speed,
    Unit.MONEY: _money,
    Unit.PRICE: _price,
    Unit.TOKEN_PRICE: _token_price,
}
