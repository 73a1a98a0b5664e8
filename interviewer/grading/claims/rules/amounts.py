"""Tokens and amounts, and how a number takes the words around it in: units, ranges, bounds."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from interviewer.grading.claims.hardware import Device
from interviewer.grading.claims.models import Published
from interviewer.grading.claims.rules.vocabulary import BITS, words
from interviewer.grading.units import (
    BIT_RATES,
    BYTES,
    FLOPS,
    HOUR,
    MINUTE,
    MONEY,
    SCALES,
    SECONDS,
    TIME_NAMES,
    factor_of,
)

INFINITE = float("inf")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in base units: seconds, bytes, a share of one, or a plain number.

    ``low`` and ``high`` bound the value as worded: they differ for a range and for "about", and one
    end is 0 or infinite for "at most" or "at least".
    """

    value: float
    low: float
    high: float
    unit: str = ""
    device: Device | None = None
    scale: str = ""
    factor: float = 1.0
    """Of the unit, to take a number without it along: "two to three weeks"."""

    @classmethod
    def of(cls, value: float, unit: str = "", scale: str = "") -> Amount:
        """An exact amount."""
        return cls(value, value, value, unit, scale=scale)

    def times(self, factor: float, unit: str) -> Amount:
        """The amount in a unit of ``factor`` base units."""
        value, low, high = self.value * factor, self.low * factor, self.high * factor
        return replace(self, value=value, low=low, high=high, unit=unit, factor=factor)

    def between(self, low: float, high: float) -> Amount:
        """The amount with wider bounds, as factors."""
        return replace(self, low=self.low * low, high=self.high * high)


@dataclass(slots=True)
class Token:
    """A word, phrase, sign or amount. ``word`` is its letter if it is an amount."""

    word: str
    start: int
    end: int
    term: str = ""
    amount: Amount | None = None
    model: Published | None = None
    is_plural: bool = False

    @property
    def is_number(self) -> bool:
        """An amount that may measure something; a device's name does not."""
        return self.amount is not None and self.word != "G"


ONES = words("a an another once twice thrice single lone")
_MODIFIERS = frozenset(
    (
        *("full", "whole", "entire", "straight", "solid", "single", "calendar", "long", "short"),
        *("good", "more", "clock", "wall", "extra", "additional", "further", "consecutive"),
        *("model", "bf16", "useful", "sustained", "achieved", "effective", "us", "american"),
        *("-", "model", "peak", "dense", "real"),
    )
)
_NOT_A_SECOND = words(
    "run attempt phase stage time one model epoch node pass try set half cluster experiment job "
    "moment order part team thought batch checkpoint copy opinion look"
)
_AFTER_DAYS = frozenset(("", *words(". , ; ) incl including on of for with wall straight and +")))
_RATED = words("token step sequence example rollout response prompt batch")
_NEVER_TIMES = words(
    "larger bigger more faster as slower longer smaller less better higher lower fewer cheaper "
    "the over worse"
)


_VARIANT = (16, 288)


def _with_variants(tokens: list[Token]) -> list[Token]:
    """ "A100-80", "A100-40GB": the device and its memory."""
    if all(token.word != "G" for token in tokens):
        return tokens
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        out.append(token)
        at += 1
        begin = at + (at < len(tokens) and tokens[at].word == "-")
        number = tokens[begin] if begin < len(tokens) else None
        if token.word != "G" or number is None or number.word != "N" or number.amount is None:
            continue
        is_size = _VARIANT[0] <= number.amount.value <= _VARIANT[1]
        is_tight = (number.start <= token.end + 1 and begin > at) or number.start == token.end + 1
        unit = tokens[begin + 1].word if begin + 1 < len(tokens) else ""
        has_unit = unit in ("gb", "gbs", "gig", "gigs", "g", "gib")
        if not is_size or not is_tight or not (has_unit or begin > at):
            continue
        is_suffix = unit == "s" and tokens[begin + 1].start == number.end
        at = begin + (2 if has_unit or is_suffix else 1)
        amount = number.amount.times(1e9, "GB")
        out.append(Token("M", number.start, tokens[at - 1].end, "variant", amount))
    return out


def _with_units(tokens: list[Token]) -> list[Token]:
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.word not in _BEGIN_AMOUNTS:
            out.append(token)
            at += 1
            continue
        token, size = _measured(tokens, at, out)
        out.append(token)
        at += size
    return out


_BEGIN_AMOUNTS = words("$ € £ a an another minus - once twice thrice single lone solitary sole N B")
""" ``_measured`` leaves all others as they are."""


def _measured(tokens: list[Token], at: int, before: list[Token]) -> tuple[Token, int]:
    """The token at a place with the unit that follows it, and how many tokens that takes."""
    token = tokens[at]
    if token.word in ("$", "€", "£") and at + 1 < len(tokens) and tokens[at + 1].word in "NB":
        amount = tokens[at + 1].amount or Amount.of(0)
        money = amount.times(factor_of(token.word, MONEY) or 1.0, "$")
        return Token("D", token.start, tokens[at + 1].end, "", money), 2
    if token.word in ("a", "an", "another"):
        return _one(tokens, at, before)
    if token.word in ("minus", "-") and (below := _below_zero(tokens, at, before)) is not None:
        return below, 2
    is_rate = at + 1 < len(tokens) and tokens[at + 1].word in ("every", "per", "each", "a", "an")
    is_often = token.word in ("once", "twice", "thrice") and not is_rate
    if is_often and (not before or before[-1].word != "at"):
        often = {"once": 1.0, "twice": 2.0, "thrice": 3.0}[token.word]
        return Token("X", token.start, token.end, "", Amount.of(often, "times")), 1
    if token.word in ("single", "lone", "solitary", "sole") and _counts_one(tokens, at + 1):
        return Token("N", token.start, token.end, "", Amount.of(1.0)), 1
    if token.amount is None or token.word not in ("N", "B"):
        return token, 1
    next_ = at + 1
    while next_ < len(tokens) and tokens[next_].word in _MODIFIERS and next_ < at + 4:
        next_ += 1
    for place in dict.fromkeys((at + 1, next_)):
        if place < len(tokens) and (found := _unit(tokens, at, place)) is not None:
            letter, factor, unit, end = found
            amount = token.amount.times(factor, unit)
            named = tokens[place].amount
            if letter == "H" and named is not None:
                amount = replace(amount, device=named.device)
            return Token(letter, token.start, tokens[end - 1].end, "", amount), end - at
    return token, 1


def _below_zero(tokens: list[Token], at: int, before: list[Token]) -> Token | None:
    """ "minus 0.8", but not "16 minus 2"."""
    number = tokens[at + 1] if at + 1 < len(tokens) else None
    is_sum = bool(before) and (before[-1].amount is not None or before[-1].word in (")", "%"))
    if is_sum or number is None or number.word != "N" or number.amount is None:
        return None
    if tokens[at].word == "-" and tokens[at].end != number.start:
        return None
    value = -abs(number.amount.value)
    return Token("N", tokens[at].start, number.end, "", Amount.of(value))


def _counts_one(tokens: list[Token], at: int) -> bool:
    following = tokens[at : at + 4]
    is_counted = any(
        (t.term in ("card", "node", "epoch", "seq") and not t.is_plural) or t.word == "G"
        for t in following[:2]
    )
    return is_counted or bool(
        following
        and following[0].word in "NB"
        and len(following) > 2
        and any(t.term in ("card", "node") for t in following[1:])
    )


def _one(tokens: list[Token], at: int, before: list[Token]) -> tuple[Token, int]:
    """ "a week" is an amount unless it is what a rate is per."""
    token = tokens[at]
    place = at + 1
    if place < len(tokens) and tokens[place].word in ("dollar", "buck", "euro"):
        money = Token("D", token.start, tokens[place].end, "", Amount.of(1.0, "$"))
        is_rate = bool(before) and before[-1].amount is not None
        return (token, 1) if is_rate else (money, 2)
    while place < len(tokens) and tokens[place].word in _MODIFIERS:
        place += 1
    if place >= len(tokens):
        return token, 1
    unit = TIME_NAMES.get(tokens[place].word, tokens[place].word)
    is_time = unit in SECONDS and tokens[place].word not in TIME_NAMES and len(unit) > 2
    if is_time and unit == "second" and place + 1 < len(tokens):
        is_time = tokens[place + 1].word not in _NOT_A_SECOND
    last = before[-1] if before else None
    is_rate = last is not None and (
        last.amount is not None or last.term in _RATED or last.word in ("times", "hours", "often")
    )
    if not is_time or is_rate or unit == "quarter" or _is_rate_of(unit, place + 1, tokens, before):
        return token, 1
    end = tokens[place].end
    amount = Amount.of(1.0).times(SECONDS[unit], unit)
    if unit == "weekend":
        amount = amount.between(*_WEEKEND)
    return Token("T", token.start, end, "", amount), place + 1 - at


_WEEKEND = (0.8, 1.7)
"""A long one has four days."""


def _is_rate_of(unit: str, place: int, tokens: list[Token], before: list[Token]) -> bool:
    """ "In a minute we do five updates"."""
    if unit not in ("second", "minute", "hour") or not before or before[-1].word != "in":
        return False
    opens = len(before) == 1 or before[-2].word in (",", ";", ".", "and", "so")
    return opens and place < len(tokens) and tokens[place].word in ("we", "it", "the", "i")


def _unit(tokens: list[Token], at: int, place: int) -> tuple[str, float, str, int] | None:
    """The letter, factor and name of the unit at ``place``, and where it ends."""
    token, word = tokens[at], tokens[place].word
    after = tokens[place + 1].word if place + 1 < len(tokens) else ""
    is_tight = tokens[place].start <= token.end + 1
    if (is_tight or len(word) > 2) and (seconds := factor_of(word, SECONDS)) is not None:
        is_ordinal = word == "second" and after in _NOT_A_SECOND and token.amount is not None
        if word == "d" and tokens[place].start != token.end and after not in _AFTER_DAYS:
            return None
        if not is_ordinal and word != "quarter":
            name = word.removesuffix("s") or word
            return "T", seconds, TIME_NAMES.get(name, name), place + 1
    if tokens[place].term == "gpu hour":
        name = word.split()[-1]
        return "H", factor_of(name, SECONDS) or HOUR, "GPU hours", place + 1
    seconds = factor_of(after, SECONDS) if tokens[place].term == "card" else None
    if seconds is not None and after not in ("s", "d", "second"):
        return "H", seconds, "GPU hours", place + 2
    if (factor := factor_of(word, BIT_RATES)) is not None:
        return "W", factor, "Gb/s", _after_rate(tokens, place + 1)
    if (factor := factor_of(word, BYTES)) is not None and word not in ("b", "bs"):
        return _bytes(tokens, place, factor, word)
    if word in ("g", "t") and is_tight and not (token.amount and token.amount.scale):
        return "M", 1e9 if word == "g" else 1e12, f"{word.upper()}B", place + 1
    if (factor := factor_of(word, FLOPS)) is not None:
        end = _after_rate(tokens, place + 1)
        is_rate = end > place + 1 or word.endswith("flopps")
        return "F", factor, "FLOP/s" if is_rate else "FLOPs", end
    if word in ("%", "percent") or (word == "per" and after == "cent"):
        end = place + (2 if word == "per" else 1)
        is_points = end < len(tokens) and tokens[end].word in ("point", "points")
        return None if is_points else ("P", 0.01, "%", end)
    if (factor := factor_of(word, MONEY)) is not None:
        return "D", factor, "$", place + 1
    if word == "times" and after not in _NEVER_TIMES and not _is_factor(tokens, place + 1):
        return "X", 1.0, "times", place + 1
    if tokens[place].term == "bit" and token.amount and token.amount.value in BITS:
        value = token.amount.value
        return "Q", BITS[int(value)] / value, "bytes", place + 1
    return None


def _is_factor(tokens: list[Token], place: int) -> bool:
    """ "N times N", "eight times accumulation": a product, not how often."""
    if place >= len(tokens):
        return False
    token = tokens[place]
    return token.amount is not None or token.term in (
        *("accumulation", "microbatch", "card", "dp", "rank", "batch", "length"),
    )


def _bytes(
    tokens: list[Token], place: int, factor: float, word: str
) -> tuple[str, float, str, int]:
    end = _after_rate(tokens, place + 1)
    unit = f"{word[0].upper()}B" if word[0] in "kmgtp" else "bytes"
    if end > place + 1:
        return "W", factor, f"{unit}/s", end
    following = tokens[place + 1].term if place + 1 < len(tokens) else ""
    if following == "link" and word in ("gig", "gigs"):
        return "W", factor / 8, "Gb/s", end
    return "M", factor, unit, end


def _after_rate(tokens: list[Token], place: int) -> int:
    """The place after "/s", "per second" or "a second"; ``place`` if none is there."""
    words = [token.word for token in tokens[place : place + 2]]
    if (
        len(words) == 2
        and words[0] in ("/", "per", "a", "each", "every")
        and words[1] in (*("s", "sec", "second"),)
    ):
        return place + 2
    return place


def _sums(tokens: list[Token]) -> list[Token]:
    """ "two days and six hours", "a week and a half", "three hours twenty", "two dollars fifty"."""
    if all(token.word not in "TD" for token in tokens):
        return tokens
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        size = _added(tokens, at, out)
        if not size:
            out.append(tokens[at])
        at += size or 1
    return out


def _added(tokens: list[Token], at: int, out: list[Token]) -> int:
    """How many tokens from ``at`` on were added to the time that ends ``out``."""
    last = out[-1] if out else None
    if last is not None and (share := _smaller(last, tokens, at)):
        _add(last, share, tokens[at].end)
        return 1
    first = out[-2] if last and last.word == "and" and len(out) > 1 else last
    if first is None or first.word != "T" or not first.amount or first.amount.unit not in SECONDS:
        return 0
    amount = tokens[at].amount
    if tokens[at].word == "T" and amount is not None:
        if amount.value < first.amount.value and amount.unit != first.amount.unit:
            del out[out.index(first) + 1 :]
            _add(first, amount.value, tokens[at].end)
            return 1
        return 0
    said = [token.word for token in tokens[at : at + 4]]
    part = _PARTS.get(" ".join(said[1:3])) if said[:1] == ["and"] and first is last else None
    if part is None or said[3:] == ["of"]:
        return 0
    _add(first, part * SECONDS[first.amount.unit], tokens[at + 2].end)
    return 3


_SMALLER = {"hour": MINUTE, "minute": 1.0, "$": 0.01}
"""What a number right behind one in these units counts."""
_BEHIND = frozenset(
    ("", *words(". , ; : ! ? ) and but so for per / a an each on of with in all from it that to"))
)


def _smaller(last: Token, tokens: list[Token], at: int) -> float:
    """ "three hours twenty", "two dollars fifty": what the second number adds to the first."""
    number, amount = tokens[at], tokens[at].amount
    unit = last.amount.unit if last.amount else ""
    if number.word != "N" or amount is None or unit not in _SMALLER or number.start > last.end + 1:
        return 0.0
    after = tokens[at + 1].word if at + 1 < len(tokens) else ""
    least, most = (1, 59) if last.word == "T" else (5, 95)
    is_whole = amount.value.is_integer() and least <= amount.value <= most
    return amount.value * _SMALLER[unit] if is_whole and after in _BEHIND else 0.0


_PARTS = {"a half": 1 / 2, "a third": 1 / 3, "two thirds": 2 / 3, "a quarter": 1 / 4, "a bit": 0.1}


def _add(token: Token, more: float, end: int) -> None:
    assert token.amount is not None
    value, low, high = (x + more for x in (token.amount.value, token.amount.low, token.amount.high))
    token.amount = replace(token.amount, value=value, low=low, high=high)
    token.end = end


_BETWEEN = frozenset(("to", "or", "-"))
_CHANGES = words(
    "from went dropped fell rose improved increased down up doubled raised moved grew cut"
)


def _ranges(tokens: list[Token]) -> list[Token]:
    """ "two to three weeks", "17 or 18", "3-5 million" become one amount."""
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if (
            token.is_number
            and len(out) >= 2
            and out[-2].is_number
            and (
                out[-1].word in _BETWEEN
                or (out[-1].word == "and" and len(out) > 2 and out[-3].word == "between")
            )
            and not (len(out) > 2 and out[-1].word == "to" and out[-3].word in _CHANGES)
            and (amount := _range(out[-2], token)) is not None
        ):
            out[-2:] = [Token(token.word, out[-2].start, token.end, "", amount)]
        else:
            out.append(token)
        at += 1
    return out


def _lists(tokens: list[Token]) -> list[Token]:
    """ "1, 2, 4 and 8" become one amount, since they are of as many runs."""
    out: list[Token] = []
    for token in tokens:
        out.append(token)
        if not token.is_number or len(out) < 5 or out[-2].word not in ("and", "or", "&"):
            continue
        begin = len(out) - 3 - (out[-3].word == ",")
        listed = [token]
        while begin >= 0 and out[begin].word == token.word:
            listed.insert(0, out[begin])
            if begin < 2 or out[begin - 1].word != ",":
                break
            begin -= 2
        if len(listed) < 3:
            continue
        amounts = [each.amount for each in listed if each.amount]
        low, high = min(a.value for a in amounts), max(a.value for a in amounts)
        at = out.index(listed[0])
        out[at:] = [
            Token(
                token.word, listed[0].start, token.end, "", replace(amounts[-1], low=low, high=high)
            )
        ]
    return out


def _range(first: Token, second: Token) -> Amount | None:
    """The first takes the second's unit or scale if it has none of its own."""
    assert first.amount
    assert second.amount
    low, high = first.amount.value, second.amount.value
    if first.word != second.word:
        if first.word != "N" or second.word not in "BTMPDF":
            return None
        if not first.amount.scale:
            low *= SCALES.get(second.amount.scale, 1.0) * second.amount.factor
    elif not first.amount.scale and second.amount.scale and low < high:
        low *= SCALES[second.amount.scale]
    if not low < high <= 10 * low:
        return None
    return replace(second.amount, value=(low + high) / 2, low=low, high=high)


_MOST = (
    *(("more", "than"), ("longer", "than"), ("under",), ("less", "than"), ("fewer", "than")),
    *(("within",), ("at", "most"), ("up", "to"), ("no", "more", "than"), ("not", "more", "than")),
    *(("below",), ("inside", "of"), ("inside",), ("a", "maximum", "of"), ("<",), ("≤",)),
)
_LEAST = (
    *(
        ("more", "than"),
        ("at", "least"),
        ("upwards", "of"),
        ("north", "of"),
        ("no", "less", "than"),
    ),
    *(("not", "less", "than"), ("no", "fewer", "than"), ("a", "minimum", "of"), (">",), ("≥",)),
    ("longer", "than"),
)
_DENIED = re.compile(r"n't$|^(?:not|no|never|cannot|without)$")
_ENDS_AT = re.compile(r"\w(?:ed|ing)$|^(?:from|went|rose|grew|go|it|adds?|sums|comes|gets|you)$")
_APPROXIMATE = (0.85, 1.15)
_REACH = 8


def _bounds(tokens: list[Token]) -> list[Token]:
    """Applies "about", "more than" and "at most" to the number after them, "ish" before it."""
    out: list[Token] = []
    vague = False
    for token in tokens:
        if token.term == "~":
            if out and out[-1].is_number and token.word in _AFTERWARDS:
                _widen(out[-1])
            else:
                vague = True
            continue
        if token.is_number:
            if vague:
                _widen(token)
            token.amount = _bounded(token, [t.word for t in out[-_REACH:]])
            vague = False
        elif token.term or token.word in (",", ".", ";", ":"):
            vague = vague and token.word not in (",", ".", ";", ":")
        out.append(token)
    return out


_AFTERWARDS = frozenset(
    ("or so", "ish", "give or take", "or thereabouts", "more or less", "or something", "roughly")
)


def _widen(token: Token) -> None:
    if token.amount and token.amount.low == token.amount.high:
        token.amount = token.amount.between(*_APPROXIMATE)


_BOUNDING = frozenset(said[-1] for said in (*_MOST, *_LEAST))


def _bounded(token: Token, before: list[str]) -> Amount | None:
    amount = token.amount
    while before and before[-1] in ("a", "the", "one"):
        before = before[:-1]
    if not before or before[-1] not in _BOUNDING:
        return amount
    is_denied = any(_DENIED.search(word) for word in before[-5:-2])
    for said in _LEAST:
        if amount and (*before[-len(said) :],) == said:
            return replace(amount, low=0.0) if is_denied else replace(amount, high=INFINITE)
    for said in _MOST:
        if amount and (*before[-len(said) :],) == said:
            ahead = before[-len(said) - 1] if len(before) > len(said) else ""
            if said == ("up", "to") and (
                token.word == "B" or "from" in before or _ENDS_AT.search(ahead)
            ):
                return amount
            return replace(amount, high=INFINITE) if is_denied else replace(amount, low=0.0)
    return amount


def _is_price(tokens: list[Token]) -> bool:
    return any(token.term in ("gpu hour", "node hour") for token in tokens)


def _prices(tokens: list[Token]) -> list[Token]:
    """ "two fifty per GPU-hour"."""
    if not _is_price(tokens):
        return tokens
    out: list[Token] = []
    for at, token in enumerate(tokens):
        ahead = out[-1] if out else None
        behind = tokens[at + 1 : at + 3]
        is_rate = len(behind) == 2 and behind[0].word in ("per", "a", "an", "/")
        if (
            ahead is not None
            and ahead.word == token.word == "N"
            and ahead.amount is not None
            and token.amount is not None
            and token.start == ahead.end + 1
            and ahead.amount.value < 20 < 10 * token.amount.value < 1000
            and is_rate
            and behind[1].term in ("gpu hour", "node hour")
        ):
            value = ahead.amount.value + token.amount.value / 100
            out[-1] = Token("D", ahead.start, token.end, "", Amount.of(value, "$"))
        else:
            out.append(token)
    return out


MERGES: tuple[Callable[[list[Token]], list[Token]], ...] = (
    *(_with_variants, _with_units, _prices, _sums, _lists, _ranges, _bounds),
)
