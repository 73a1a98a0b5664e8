"""What the numbers in a quote can mean in a unit, read by the rules' own tokens."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from interviewer.grading.claims.amounts import Amount, Token
from interviewer.grading.claims.meanings import Unit
from interviewer.grading.claims.sentence import shorthand
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.grading.units import DAY, SCALES, SECONDS
from interviewer.rubric.text import Span, normalise

_LETTERS = {
    **{Unit.NUMBER: "NBX", Unit.ANY: "NBPTMWFD", Unit.SHARE: "P", Unit.TIME: "T"},
    **{Unit.DEVICE_TIME: "H", Unit.BYTES: "M", Unit.BYTE_RATE: "W", Unit.MONEY: "D"},
    **{Unit.OPERATIONS: "FNB", Unit.OPERATION_RATE: "F", Unit.WIDTH: "QM"},
    **{Unit.RATE: "NB", Unit.PRICE: "D", Unit.TOKEN_PRICE: "D"},
}
"""The kinds of amounts that may be in a unit; see :mod:`.sentence`."""
_SAME = 1e-3

_TIMES = "|".join(map(re.escape, sorted(SECONDS, key=len, reverse=True)))
_PER = r"(?:/ ?|\bp(?=s\b)|\b(?:per|an?|each|every|one) (?:[\w-]+[ -]){0,2}?)"
_PER_TIME = re.compile(rf"{_PER}(?P<time>{_TIMES})s?(?!\w)|\bt(?P<tps>ps)\b")
_PER_TOKENS = re.compile(
    rf"{_PER}(?:1 ?)?(?P<scale>{'|'.join(SCALES)})?(?: [\w-]+){{0,2}} ?tok(?:en)?s?\b"
)
_DAYS = re.compile(r"^[ -/]*s?[ -]*days?\b")
_LINK = re.compile(r"^ ?(?:to|and|or|-|,|,? (?:and|or)|,? then) ?$")
_ONE = re.compile(r"^(?:(?:on|with|using|in) )?(?:an?|my|our)\b")
_SHARES = {
    **{"half": 0.5, "a third": 1 / 3, "two thirds": 2 / 3, "a quarter": 0.25},
    **{"three quarters": 0.75, "all": 1.0},
}
_SHARE_WORDS = re.compile(rf"\b(?:{'|'.join(_SHARES)})\b")


def amounts_in(answer: ParsedAnswer, quote: Span, unit: Unit) -> tuple[Amount, ...]:
    """All that the numbers of a quote can mean in this unit; ``quote`` is in the plain text.

    A unit and a scale must stand in the quote. The bounds are those that the words around say.
    """
    text = answer.plain.text
    tokens = [t for t in _tokens(answer) if quote[0] <= t.start and t.end <= quote[1]]
    return (
        *(
            amount
            for token, stated in (*_plain(tokens, answer), *_sharing(tokens, text))
            if (amount := _in_unit(stated, token, text[token.end : quote[1]], unit, text, quote))
        ),
        *_in_words(text[slice(*quote)], unit),
    )


@lru_cache(maxsize=16)
def _tokens(answer: ParsedAnswer) -> tuple[Token, ...]:
    return tuple(t for each in shorthand(answer) for t in each.tokens if t.is_number or t.model)


def _plain(tokens: list[Token], answer: ParsedAnswer) -> Iterator[tuple[Token, Amount]]:
    for token in tokens:
        if token.model is not None:  # the size in "Llama 3 70B"
            for number in answer.numerals:
                if token.start <= number.span[0] and number.span[1] <= token.end:
                    yield replace(token, word="B"), Amount.of(number.value)
        if token.amount is not None:
            yield token, token.amount


def _sharing(tokens: list[Token], text: str) -> Iterator[tuple[Token, Amount]]:
    """A number that shares the unit of the next: "from 40 to 60 %"."""
    for first, second in pairwise(tokens):
        if first.amount is None or second.amount is None or first.word != "N":
            continue
        if second.word not in "NB" and _LINK.match(text[first.end : second.start]):
            amount = first.amount.times(second.amount.factor, second.amount.unit)
            yield replace(first, word=second.word), amount


def _in_unit(
    stated: Amount, token: Token, after: str, unit: Unit, text: str, quote: Span
) -> Amount | None:
    """The amount in this unit, None if it is in another one."""
    said = text[token.start : token.end]
    if unit is Unit.SHARE and token.word == "N":  # "MFU of 0.45", "an MFU of 45"
        return stated if stated.value <= 1 else stated.times(0.01, "%")
    if unit is Unit.MONEY and "grand" in said:
        return stated
    if token.word not in _LETTERS[unit]:
        return None
    if unit is Unit.OPERATIONS and _DAYS.match(after):
        return stated.times(DAY, stated.unit)
    if unit is Unit.TOKEN_PRICE:
        tokens = _PER_TOKENS.search(after)
        return stated.times(1 / SCALES.get(tokens["scale"] or "", 1.0), "$") if tokens else None
    if unit in (Unit.RATE, Unit.PRICE):
        per = _PER_TIME.search(after) or _PER_TIME.search(text[quote[0] : token.start])
        if per is None:
            return None
        name = per["time"] or "s"
        factor = 1 / SECONDS[name]
        return stated.times(factor, "$" if unit is Unit.PRICE else _rate_name(name))
    return stated


def _rate_name(time: str) -> str:
    return "tokens/s" if SECONDS[time] == 1 else f"tokens/{time}"


def _in_words(said: str, unit: Unit) -> Iterator[Amount]:
    """What is said without a number: "half", "an 80-gig card"."""
    if unit is Unit.SHARE:
        yield from (Amount.of(_SHARES[match[0]]) for match in _SHARE_WORDS.finditer(said))
    elif unit is Unit.NUMBER and _ONE.match(said):
        yield Amount.of(1.0)


def units_in(answer: ParsedAnswer) -> frozenset[Unit]:
    """The units that numbers of the answer may be in: what it names no unit for is left out."""
    text = answer.plain.text
    letters = {token.word for token in _tokens(answer)}
    units = {unit for unit, of in _LETTERS.items() if letters.intersection(of)}
    if "F" not in letters and not any(number.value >= 1e15 for number in answer.numerals):
        units.discard(Unit.OPERATIONS)
    if not _PER_TIME.search(text):
        units -= {Unit.RATE, Unit.PRICE}
    if not _PER_TOKENS.search(text):
        units.discard(Unit.TOKEN_PRICE)
    if re.search(r"\b0?\.\d|\b(?:mfu|hfu|share|half|third|quarter)", text):
        units.add(Unit.SHARE)
    if "grand" in text:
        units.add(Unit.MONEY)
    return frozenset((*units, Unit.NUMBER, Unit.ANY))


def as_reported(amount: Amount, value: float, said: str, unit: Unit) -> bool:
    """The amount is what somebody reports as this value in this unit, scale words included.

    The value may also be in the base unit, or in the one of the quote if none is said. Of a range
    either end will do.
    """
    plain = normalise(said).text
    number = f"{'$' if '$' in plain else ''}{value!r} {plain.replace('$', '')}"
    answer = ParsedAnswer(number.removesuffix(" "))
    readings = [each.value for each in amounts_in(answer, (0, len(answer.plain.text)), unit)]
    if not plain:
        readings.append(value * amount.factor)
    return any(
        math.isclose(reading, meant, rel_tol=_SAME)
        for reading in (*readings, value)
        for meant in (amount.value, amount.low, amount.high)
        if 0 < meant < math.inf
    )
