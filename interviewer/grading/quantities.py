"""Numbers as people write them in answers, and whether one of them is the number asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from interviewer.grading.numerals import SCALES, Numeral, numerals
from interviewer.rubric.rubric import NumberFact
from interviewer.rubric.text import Span, normalise

_TAIL = re.compile(r" ?-?(?P<tail>%|[a-z]+)")
_BYTES = {
    **{f"{p}b": 10.0 ** (3 * i) for i, p in enumerate(("", "k", "m", "g", "t", "p"))},
    **{f"{p}ib": 2.0 ** (10 * i) for i, p in enumerate(("", "k", "m", "g", "t", "p")) if p},
    **{"byte": 1.0, "gig": 1e9, "gigabyte": 1e9, "megabyte": 1e6, "terabyte": 1e12},
}
_BYTES.pop("b")
_SMALL = 12
"""Up to here a bare word is as often no number ("one of them", "two things")."""


@dataclass(frozen=True)
class Quantity:
    """A number in a text. ``tail`` is the word or sign right behind it, in lower case."""

    value: float
    tail: str
    span: Span
    """The characters of the original text, the tail included."""


def quantities(text: str) -> Iterator[Quantity]:
    """All numbers of a text, left to right, in digits ("2.5e-4", "6 x 10^23") and in words.

    A scale word is the tail, not part of the value. A small number in a single word counts only
    with a scale or a unit behind it ("two gigs", not "two things").
    """
    plain = normalise(text)
    for numeral in numerals(text):
        start, end = numeral.span
        tail = numeral.scale
        if not tail and (behind := _TAIL.match(plain.text, end)):
            tail, end = behind["tail"], behind.end()
        if not numeral.is_spoken or _is_meant(numeral, tail):
            yield Quantity(numeral.factor, tail, plain.original_span(start, end))


def _is_meant(numeral: Numeral, tail: str) -> bool:
    """The words are surely a number: not small and whole, or with a unit."""
    if numeral.scale or tail in ("%", "percent") or tail.removesuffix("s") in _BYTES:
        return True
    return numeral.factor > _SMALL or numeral.factor % 1 != 0


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
    if tail in SCALES:
        yield quantity.value * SCALES[tail]
