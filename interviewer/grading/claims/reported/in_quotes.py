"""Finds a reported number in its quote: with its unit, or with the unit as reported.

A unit that the quote itself names always counts before the one that was reported.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from interviewer.grading.claims.conversion import Conversion, conversion, dimension
from interviewer.grading.claims.meanings import Unit
from interviewer.grading.claims.rules.amounts import Amount, Token
from interviewer.grading.claims.rules.sentence import shorthand
from interviewer.grading.numerals import Numeral
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.grading.units import DAY, SCALES, SECONDS
from interviewer.rubric.text import Span

_LETTERS = {
    **{Unit.NUMBER: "NBX", Unit.ANY: "NBPTHMWFDX", Unit.SHARE: "P", Unit.TIME: "T"},
    **{Unit.DEVICE_TIME: "H", Unit.BYTES: "M", Unit.BYTE_RATE: "W", Unit.MONEY: "D"},
    **{Unit.OPERATIONS: "FNB", Unit.OPERATION_RATE: "F", Unit.WIDTH: "QM"},
    **{Unit.RATE: "NB", Unit.PRICE: "D", Unit.TOKEN_PRICE: "D"},
}
"""The kinds of amounts that may be in a unit; see :mod:`..rules.sentence`."""
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
_ORDINALS = (
    *("third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth"),
)
_PARTS = {
    **{"half": 2, "second": 2, "halve": 2, "twentieth": 20, "hundredth": 100},
    **{word: count for count, word in enumerate(_ORDINALS, start=3)},
    "fourth": 4,
}
_FEW = {
    word: n
    for n, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"], 1
    )
}
_FRACTION = re.compile(
    rf"\b(?P<every>(?:one|1) (?:in|out of|of)(?: every)? "
    rf"(?:(?P<of>\d+)|(?P<few>{'|'.join(_FEW)}))\b"
    rf"|every (?:(?P<nth>\d+)(?:st|nd|rd|th)|(?P<ordinal>{'|'.join(_PARTS)})))\b"
    rf"|\b(?:(?P<count>an?|\d+|{'|'.join(_FEW)})[ -])?(?P<part>{'|'.join(_PARTS)})s?\b"
    rf"|(?<![\d.,/])(?P<above>\d+) ?/ ?(?P<below>\d+)(?![\d/])"
    rf"|\b(?P<fold>double|twice|triple|thrice|threefold|quadruple|fourfold|tenfold)d?\b"
)
_FOLDS = {
    **dict.fromkeys(("double", "twice"), 2.0),
    **dict.fromkeys(("triple", "thrice", "threefold"), 3.0),
    **{"quadruple": 4.0, "fourfold": 4.0, "tenfold": 10.0},
}


def number_in(
    answer: ParsedAnswer, quote: Span, value: float, said: str, unit: Unit
) -> Amount | None:
    """The number of a quote that somebody reports as this value in the unit ``said``.

    ``unit`` is what it is kept in; the members of a group are kept in the base unit of what they
    are said in. The value may also be in the base unit already, and either end of a range will do.
    """
    amount = _found(answer, quote, value, said, unit)
    if amount is None:
        return None
    if unit is Unit.ANY and amount.low < amount.high < math.inf:  # one end, in a group
        into, _ = dimension(said)
        meant = value * into.scale * into.factor
        if one := next((e for e in (amount.low, amount.high) if math.isclose(e, meant)), None):
            amount = replace(amount, value=one, low=one, high=one)
    if value < 0 < amount.value and _MINUS.search(
        answer.plain.text, max(0, quote[0] - 1), quote[1]
    ):
        return Amount.of(-amount.value, amount.unit)
    return amount


def _found(answer: ParsedAnswer, quote: Span, value: float, said: str, unit: Unit) -> Amount | None:
    into, kind = dimension(said) if unit is Unit.ANY else (conversion(said, unit), unit)
    is_member = unit is Unit.ANY and bool(said)
    found = amounts_in(answer, quote, unit)
    if into is not None and unit is Unit.SHARE:  # "0.3 points" are no 0.3
        found = tuple(each for each in found if each.unit == "%")
    for amount in found:
        if _is_meant(amount, value, into, is_member) or (
            not said and _same(amount, value * amount.factor)
        ):
            return amount
    if into is None and unit is Unit.SHARE:
        into = Conversion(1.0, 1.0 if abs(value) <= 1 else 0.01)
    if into is None or _FOREIGN.search(answer.plain.text, *quote):
        return None
    is_free = not found or unit in (Unit.NUMBER, Unit.ANY, Unit.SHARE, Unit.BYTE_RATE)
    allowed = "" if kind is not unit or unit is not Unit.ANY else "PTHMWFDXQ"
    lone = _lone(answer, quote, into, unit, allowed) if is_free else ()
    joint = _joint(answer, quote, into, unit)
    candidates = (each for each in (*lone, *joint) if _is_meant(each, value, into, is_member))
    return next(candidates, None)


def _is_meant(amount: Amount, value: float, into: Conversion | None, is_member: bool) -> bool:
    """The amount is what was reported. The member of a group is converted whole, or not at all."""
    if into is None:
        return _same(amount, value)
    readings = [value * into.scale * into.factor]
    if not is_member and (into.scale == 1 or abs(value) >= into.scale):
        readings += [value * into.factor, value]  # some is in the value already
    return any(_same(amount, reading) for reading in readings)


def _same(amount: Amount, reading: float) -> bool:
    return any(
        math.isclose(abs(reading), abs(meant), rel_tol=_SAME)
        for meant in (amount.value, amount.low, amount.high)
        if math.isfinite(meant) and meant
    )


_FOREIGN = re.compile(r"\b(?:yen|yuan|rmb|rupees?|inr|won|francs?|kron\w+|reais)\b|[¥₹]")
"""Money that is not near a dollar."""
_OPEN: dict[Unit, str] = {
    **{Unit.DEVICE_TIME: "T", Unit.BYTE_RATE: "MW", Unit.PRICE: "D", Unit.TOKEN_PRICE: "D"},
    **{Unit.WIDTH: "M", Unit.NUMBER: "XTMFPH"},
}
"""Kinds of amounts whose own unit is a part of the one reported, or says what is counted.

Of a link, only the reported unit tells bits from bytes.
"""
_ARTICLE = re.compile(r"(?:(?:an?|one|the|full|whole|all|our|another)[ -]|[-+~])?")


def _lone(
    answer: ParsedAnswer, quote: Span, into: Conversion, unit: Unit, allowed: str
) -> Iterator[Amount]:
    """The numbers of a quote that leave out their unit, or a part of it, in the one reported."""
    text = answer.plain.text
    tokens = [t for t in _tokens(answer) if t.start < quote[1] and quote[0] < t.end]
    letters = f"NB{allowed}{_OPEN.get(unit, '')}"
    for numeral in _inside(answer, quote):
        token = next((t for t in tokens if t.start <= numeral.span[0] < t.end), None)
        letter = token.word if token is not None and token.amount is not None else "N"
        is_part = token is not None and not _is_inside((token.start, token.end), quote, text)
        if letter in letters or (is_part and letter in _LETTERS[unit]):  # of "61 to 63 %"
            yield from _with_bounds(_scaled(numeral, into, unit), None if is_part else token)


def _joint(answer: ParsedAnswer, quote: Span, into: Conversion, unit: Unit) -> Iterator[Amount]:
    """Compound numbers, fractions, and a unit alone: "every hour"."""
    text = answer.plain.text
    inside = _inside(answer, quote)
    for first, second in pairwise(inside):
        yield from _compound(first, second, text, into, unit)
    for match in _FRACTION.finditer(text, *quote):
        yield Amount.of(_fraction(match) * into.scale * into.factor, into.name)
        if unit is Unit.SHARE:
            yield Amount.of(_fraction(match))
    if unit is Unit.NUMBER and (attached := _ATTACHED.search(text, *quote)):
        yield Amount.of(float(attached[1]))
    if unit is Unit.WIDTH and (integer := _INTEGER.search(text, *quote)):
        yield Amount.of(int(integer[1]) / 8, "bit")
    if not inside and into.name and _ONCE.search(text[slice(*quote)]):
        yield Amount.of(into.scale * into.factor, into.name)


def _inside(answer: ParsedAnswer, quote: Span) -> list[Numeral]:
    return [n for n in answer.numerals if _is_inside(n.span, quote, answer.plain.text)]


_MINUS = re.compile(r"\b(?:minus|negative)\b|-")
_ATTACHED = re.compile(r"\b[a-z]{2,4}-?(\d{1,3})\b")
"""In "gen4", "pp12"."""
_INTEGER = re.compile(r"\bu?int(8|16|32|64)\b")
_ONCE = re.compile(r"\b(?:an?|every|each|per)\b")


def _is_inside(span: Span, quote: Span, text: str) -> bool:
    """The quote holds it, but for an article."""
    is_begun = quote[0] <= span[0] or bool(_ARTICLE.fullmatch(text, span[0], quote[0]))
    return is_begun and span[0] < quote[1] and span[1] <= quote[1]


def _scaled(numeral: Numeral, into: Conversion, unit: Unit) -> Iterator[Amount]:
    """The number as reported; "2 B" of memory are two bytes and no two billion."""
    if numeral.scale == "b" and (unit in (Unit.BYTES, Unit.WIDTH) or into.name == "byte"):
        yield Amount.of(numeral.factor * into.factor, into.name)
    elif numeral.scale:
        yield Amount.of(numeral.value * into.factor, into.name, numeral.scale)
    else:
        yield Amount.of(numeral.factor * into.scale * into.factor, into.name)
        if into.scale > 1:
            yield Amount.of(numeral.factor * into.factor, into.name)


def _with_bounds(amounts: Iterator[Amount], token: Token | None) -> Iterator[Amount]:
    """With the bounds that the words around the number say."""
    stated = token.amount if token is not None else None
    for amount in amounts:
        if stated is None or stated.value <= 0:
            yield amount
        else:
            yield amount.between(stated.low / stated.value, stated.high / stated.value)


_SMALLER = {"week": 7.0, "day": 24.0, "hour": 60.0, "hr": 60.0, "h": 60.0, "minute": 60.0}
_SMALLER |= {"min": 60.0, "d": 24.0, "m": 60.0}
_BETWEEN = re.compile(rf"^[ -]?(?P<unit>{'|'.join(_SMALLER)})s?,?(?: and)?[ -]?$")
_CENTS = re.compile(r"^(?:[ -]|[ -](?:dollar|buck|euro)s?(?: and)? )$")


def _compound(
    first: Numeral, second: Numeral, text: str, into: Conversion, unit: Unit
) -> Iterator[Amount]:
    """ "One hour forty", "2h10m", "two dollars fifty"."""
    between = text[first.span[1] : second.span[0]]
    if unit in (Unit.TIME, Unit.DEVICE_TIME) and (match := _BETWEEN.match(between)):
        size = SECONDS[match["unit"]] if match["unit"] != "m" else 60.0
        whole = first.factor * size + second.factor * size / _SMALLER[match["unit"]]
        yield Amount.of(whole, into.name)
    elif unit in (Unit.MONEY, Unit.PRICE, Unit.TOKEN_PRICE) and _CENTS.match(between):
        yield Amount.of((first.value + second.value / 100) * into.factor, into.name)


def _fraction(match: re.Match[str]) -> float:
    if match["every"]:
        return 1 / float(
            match["of"]
            or match["nth"]
            or _FEW.get(match["few"] or "", 0)
            or _PARTS[match["ordinal"]]
        )
    if match["part"]:
        count = match["count"] or "one"
        return (float(count) if count.isdigit() else _FEW.get(count, 1)) / _PARTS[match["part"]]
    if match["fold"]:
        return _FOLDS[match["fold"]]
    return int(match["above"]) / max(1, int(match["below"]))


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
    """What is said without a number: "all", "an 80-gig card"."""
    if (unit is Unit.SHARE and re.search(r"\ball\b", said)) or (
        unit is Unit.NUMBER and _ONE.match(said)
    ):
        yield Amount.of(1.0)
