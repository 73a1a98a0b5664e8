"""Units as people write and say them, in one place for all that reads numbers.

Every table gives the factor to the base unit, by the singular in lower case: seconds, bytes, bytes
a second, operations, dollars.
"""

from __future__ import annotations

from collections.abc import Mapping

SCALES = {
    **dict.fromkeys(("k", "thousand", "grand"), 1e3),
    **dict.fromkeys(("m", "mn", "mil", "mill", "mio", "million"), 1e6),
    **dict.fromkeys(("b", "bn", "bil", "bill", "billion"), 1e9),
    **dict.fromkeys(("t", "tn", "tril", "trillion"), 1e12),
    "quadrillion": 1e15,
}
"""What a scale word or letter multiplies by."""

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
SECONDS = {
    **dict.fromkeys(("microsecond", "us", "µs"), 1e-6),
    **dict.fromkeys(("millisecond", "ms", "msec", "milli"), 1e-3),
    **dict.fromkeys(("second", "sec", "s"), 1.0),
    **dict.fromkeys(("minute", "min"), MINUTE),
    **dict.fromkeys(("hour", "hr", "h"), HOUR),
    "night": 12 * HOUR,
    **dict.fromkeys(("day", "d"), DAY),
    **{"week": 7 * DAY, "wk": 7 * DAY, "fortnight": 14 * DAY, "weekend": 2.5 * DAY},
    **{"month": 30.4 * DAY, "quarter": 91 * DAY, "year": 365 * DAY},
}
TIME_NAMES = {
    **dict.fromkeys(("ms", "msec", "milli"), "millisecond"),
    **dict.fromkeys(("s", "sec"), "second"),
    **{"min": "minute", "h": "hour", "hr": "hour", "d": "day", "wk": "week"},
}
"""The full names of units of time written short."""

_PREFIXES = {
    **{"": "", "k": "kilo", "m": "mega", "g": "giga", "t": "tera", "p": "peta", "e": "exa"},
    "z": "zetta",
}
_POWERS = {short: 10.0 ** (3 * i) for i, short in enumerate(_PREFIXES)}
BYTES = {
    "byte": 1.0,
    "gig": 1e9,
    **{f"{p}b": _POWERS[p] for p in "kmgtp"},
    **{f"{p}ib": 2.0 ** (10 * i) for i, p in enumerate("kmgtp", start=1)},
    **{f"{_PREFIXES[p]}byte": _POWERS[p] for p in "kmgtp"},
    **{f"{p}ibibyte": 2.0 ** (10 * i) for i, p in enumerate("kmgt", start=1)},
    **{"meg": 1e6, "kibibyte": 2.0**10, "mebibyte": 2.0**20, "gibibyte": 2.0**30},
}
BIT_RATES = {
    **{f"{p}{unit}": _POWERS[p] / 8 for p in "kmgt" for unit in ("bps", "bit", "be")},
    **{f"{_PREFIXES[p]}bit": _POWERS[p] / 8 for p in "kmgt"},
}
"""Bits a second, in bytes a second; links are named without their "a second"."""
FLOPS = {
    **{f"{p}{unit}": _POWERS[p] for p in _PREFIXES for unit in ("flop", "flops", "flopp")},
    **{f"{word}flop": _POWERS[p] for p, word in _PREFIXES.items()},
}
MONEY = {
    **dict.fromkeys(("$", "dollar", "buck", "usd"), 1.0),
    **dict.fromkeys(("€", "£", "euro", "eur", "pound"), 1.0),
    "cent": 0.01,
}
"""Dollars; other currencies are near enough for a factor of two."""


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
