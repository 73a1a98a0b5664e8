"""Numbers as people write them in answers, and whether one of them is the number asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from interviewer.rubric.rubric import NumberFact
from interviewer.rubric.text import Span, normalise

_NUMBER = re.compile(
    r"(?<![\w.])(?P<sign>[-+])?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?:e(?P<exp>[-+]?\d{1,3})| ?(?:x|\*|×|times) ?10 ?(?:\^|to the(?: power(?: of)?)?|\*\*)? ?"
    r"(?P<power>[-+]?\d{1,3}))?"
    r" ?-?(?P<tail>%|[a-z]+)?"
)
_SCALE = {
    "k": 1e3,
    "thousand": 1e3,
    "m": 1e6,
    "mn": 1e6,
    "million": 1e6,
    "b": 1e9,
    "bn": 1e9,
    "billion": 1e9,
    "t": 1e12,
    "tn": 1e12,
    "trillion": 1e12,
    "percent": 1.0,
    "%": 1.0,
}
_BYTES = {
    **{f"{p}b": 10.0 ** (3 * i) for i, p in enumerate(("", "k", "m", "g", "t", "p"))},
    **{f"{p}ib": 2.0 ** (10 * i) for i, p in enumerate(("", "k", "m", "g", "t", "p")) if p},
    **{"byte": 1.0, "gig": 1e9, "gigabyte": 1e9, "megabyte": 1e6, "terabyte": 1e12},
}
_BYTES.pop("b")


@dataclass(frozen=True)
class Quantity:
    """A number in a text. ``tail`` is the word or sign right behind it, in lower case."""

    value: float
    tail: str
    span: Span
    """The characters of the original text, the tail included."""


def quantities(text: str) -> Iterator[Quantity]:
    """All numbers of a text, left to right, written in digits ("2.5e-4", "1,024", "6 x 10^23")."""
    plain = normalise(text)
    for match in _NUMBER.finditer(plain.text):
        value = float(match["digits"].replace(",", ""))
        if match["exp"] or match["power"]:
            value *= 10.0 ** int(match["exp"] or match["power"])
        if match["sign"] == "-":
            value = -value
        yield Quantity(value, match["tail"] or "", plain.original_span(*match.span()))


def states(fact: NumberFact, text: str) -> bool:
    """Some number of the text lies within the fact's tolerance, in its unit where it has one."""
    return any(matches(fact, quantity) for quantity in quantities(text))


def matches(fact: NumberFact, quantity: Quantity) -> bool:
    """The quantity is one of the fact's values within ``rel``, units brought together first."""
    return any(
        abs(stated - wanted) <= fact.rel * abs(wanted) + 1e-12
        for wanted in (fact.value, *fact.alternatives)
        for stated in _readings(quantity, fact.unit)
    )


def _readings(quantity: Quantity, unit: str) -> Iterator[float]:
    """The quantity's value in ``unit``, in every way it may have been meant."""
    unit, tail = unit.strip().lower(), quantity.tail
    singular = tail.removesuffix("s")
    if unit in _BYTES:
        if singular in _BYTES:
            yield quantity.value * _BYTES[singular] / _BYTES[unit]
        return
    if unit in ("%", "percent"):
        if tail in ("%", "percent"):
            yield quantity.value
        elif 0 < quantity.value <= 1:
            yield quantity.value * 100
        return
    yield quantity.value
    if tail in _SCALE:
        yield quantity.value * _SCALE[tail]
