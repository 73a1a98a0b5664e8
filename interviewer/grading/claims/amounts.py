"""What the numbers in a quote can mean in a unit: their values, and the bounds that words set."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, pairwise

from interviewer.grading.claims import sentence
from interviewer.grading.claims.meanings import Unit
from interviewer.grading.numerals import Numeral
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.grading.units import BIT_RATES, BYTES, DAY, FLOPS, MONEY, SCALES, SECONDS
from interviewer.rubric.text import Span

_ABOUT = 0.15
"""How far a number may be off that is said to be rough."""
_SAME = 1e-3
_WIDEST = 10
"""Numbers further apart than this factor are no range."""
_REACH = 40
"""Characters around a number in which words may bound it."""


@dataclass(frozen=True)
class Amount:
    """A value in the base unit, the bounds of it as worded, and the unit word that made it so."""

    value: float
    low: float
    high: float
    unit: str = ""

    @classmethod
    def of(cls, value: float, unit: str = "") -> Amount:
        """An exact amount."""
        return cls(value, value, value, unit)

    def times(self, other: Amount) -> Amount:
        """The product."""
        return Amount(
            self.value * other.value, self.low * other.low, self.high * other.high, self.unit
        )


# -- units: patterns that match right behind a number, and what they multiply by ------------


def _any(words: Iterable[str]) -> str:
    return "(?:" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + ")"


_LETTERS = ("us", "ms", "s", "h", "d")
"""Short for times; they stand right behind their number."""
_SHORT_TIMES = rf"{_any(_LETTERS)}(?!\w)"
_LONG_TIMES = rf"{_any(SECONDS.keys() - _LETTERS)}(?=s?\b)"
_WORDS = r"(?:[a-z][\w'/-]*[ -]+){0,3}?"
"""What may stand between a number and its unit: "2000 A100 hours"."""
_PER = r"(?:/ ?|\bp(?=s\b)|\b(?:per|an?|each|every|one) (?:[\w-]+[ -]){0,2}?)"
_TIME = re.compile(rf"^[ -]?(?:(?P<short>{_SHORT_TIMES})|{_WORDS}\b(?P<long>{_LONG_TIMES}))")
_BYTES = re.compile(
    rf"^[ -]?(?:(?P<word>{_any(BYTES)})s?"
    r"|(?P<bits>[kmgt](?:ega|iga|era|ilo)?bit)s?|(?P<short>[mgt]))(?!\w)"
)
_A_SECOND = re.compile(r"^(?:ps\b| ?/ ?s(?:ec(?:ond)?)?\b| ?(?:per|an?|each|every) sec(?:ond)?\b)")
_BIT_RATE = re.compile(rf"^[ -]?(?P<word>{_any(BIT_RATES)})s?(?!\w)")
_FLOPS = re.compile(
    r"^[ -]?(?P<prefix>kilo|mega|giga|tera|peta|exa|zetta|[kmgtpez])?[ -]?"
    r"(?:flops?(?:/s|ps)?|operations?|ops|f(?=s?\b|/s))"
    r"(?P<days>s?(?:/s)?[ /-]*(?:s|second)?[ -]*days?)?"
)
_PERCENT = re.compile(r"^[ -]?(?:%|percent|per cent|pct)")
_SIGNS = "$€£"
_CURRENCIES = _any(MONEY.keys() - set(_SIGNS))
_DOLLARS = re.compile(rf"^[ -]?{_WORDS}(?P<money>{_CURRENCIES})s?\b|^ ?[{_SIGNS}]")
_DOLLAR_BEFORE = re.compile(rf"(?:[{_SIGNS}]|\b{_CURRENCIES}) ?$")
_PER_TIME = re.compile(rf"{_PER}(?P<time>{_SHORT_TIMES}|{_LONG_TIMES})")
_PER_TOKENS = re.compile(
    rf"{_PER}(?:1 ?)?(?P<scale>{'|'.join(SCALES)})?(?: [\w-]+){{0,2}} ?tok(?:en)?s?\b"
)
_BITS = re.compile(r"^[ -]?bits?\b")
_SCALE = re.compile(rf"\b(?:{'|'.join(sorted(SCALES, key=len, reverse=True))})\b")
_FORMATS = {
    **dict.fromkeys(("fp32", "float32", "tf32"), 4.0),
    **dict.fromkeys(("bf16", "fp16", "bfloat16", "float16", "half precision"), 2.0),
    **dict.fromkeys(("fp8", "float8", "int8", "e4m3", "e5m2", "mxfp8"), 1.0),
    **dict.fromkeys(("fp4", "int4", "nf4", "mxfp4", "nvfp4"), 0.5),
}
_FORMAT = re.compile(rf"\b(?:{'|'.join(_FORMATS)})\b")
_WORD_VALUES = {
    **{"once": 1.0, "single": 1.0, "twice": 2.0, "double": 2.0, "doubled": 2.0, "thrice": 3.0},
    **{"triple": 3.0, "tripled": 3.0, "quadrupled": 4.0, "halved": 0.5, "half": 0.5},
    **{"a third": 1 / 3, "two thirds": 2 / 3, "a quarter": 0.25, "three quarters": 0.75},
    **{"an": 1.0, "a": 1.0, "my": 1.0},
}
_ARTICLES = ("a", "an", "my")
_VALUE_WORD = re.compile(
    rf"\b(?:{'|'.join(sorted(_WORD_VALUES, key=len, reverse=True)).replace(' ', '[ -]')})\b"
)


def _time_factor(word: str) -> float:
    return SECONDS[word.removesuffix("s") or "s"] if word not in SECONDS else SECONDS[word]


def _of_time(text: str) -> tuple[float, str] | None:
    if not (match := _TIME.match(text)):
        return None
    word = match["short"] or match["long"]
    return _time_factor(word), word if match["short"] else f"{word}s"


def _of_bytes(text: str) -> tuple[float, str] | None:
    if not (match := _BYTES.match(text)):
        return None
    if match["bits"]:
        return BIT_RATES[match["bits"]], match["bits"]
    word = match["word"] or f"{match['short']}b"
    return BYTES[word], word.upper() if len(word) <= 3 else word


def _of_byte_rate(text: str) -> tuple[float, str] | None:
    if match := _BIT_RATE.match(text):
        return BIT_RATES[match["word"]], match["word"]
    found = _of_bytes(text)
    if found and (match := _BYTES.match(text)) and _A_SECOND.match(text[match.end() :]):
        return found[0], f"{found[1]}/s"
    return None


def _of_operations(text: str) -> tuple[float, str] | None:
    if not (match := _FLOPS.match(text)):
        return None
    return FLOPS[f"{match['prefix'] or ''}flop"] * (DAY if match["days"] else 1.0), "FLOPs"


def _of_percent(text: str) -> tuple[float, str] | None:
    return (0.01, "%") if _PERCENT.match(text) else None


def _of_money(text: str) -> tuple[float, str] | None:
    if not (match := _DOLLARS.match(text)):
        return None
    return MONEY[match["money"] or "$"], "dollars"


def _of_rate(text: str) -> tuple[float, str] | None:
    if match := _PER_TIME.search(text):
        factor = _time_factor(match["time"])
        unit = "s" if factor == 1 else match["time"]
        return 1 / factor, f"tokens/{unit}"
    return (1.0, "tokens/s") if re.search(r"\btps\b", text) else None


def _of_price(text: str) -> tuple[float, str] | None:
    money, rate = _of_money(text), _of_rate(text)
    return ((money[0] if money else 1.0) * rate[0], "dollars") if rate else None


def _of_token_price(text: str) -> tuple[float, str] | None:
    money, tokens = _of_money(text), _PER_TOKENS.search(text)
    if not tokens:
        return None
    return (money[0] if money else 1.0) / SCALES.get(tokens["scale"] or "", 1.0), "dollars"


def _of_width(text: str) -> tuple[float, str] | None:
    if _BITS.match(text):
        return 1 / 8, "bits"
    return (1.0, "bytes") if re.match(r"[ -]?bytes?\b", text) else None


_FINDERS = {
    Unit.TIME: _of_time,
    Unit.DEVICE_TIME: _of_time,
    Unit.BYTES: _of_bytes,
    Unit.BYTE_RATE: _of_byte_rate,
    Unit.OPERATIONS: _of_operations,
    Unit.OPERATION_RATE: _of_operations,
    Unit.SHARE: _of_percent,
    Unit.MONEY: _of_money,
    Unit.PRICE: _of_price,
    Unit.TOKEN_PRICE: _of_token_price,
    Unit.RATE: _of_rate,
    Unit.WIDTH: _of_width,
}
_NEED_A_UNIT = frozenset(
    (
        *(Unit.TIME, Unit.DEVICE_TIME, Unit.BYTES, Unit.BYTE_RATE, Unit.MONEY, Unit.PRICE),
        *(Unit.WIDTH, Unit.RATE, Unit.TOKEN_PRICE),
    )
)
_IN_DOLLARS = (Unit.MONEY, Unit.PRICE, Unit.TOKEN_PRICE)
_UNITS_OF_ANYTHING = (Unit.SHARE, Unit.TIME, Unit.BYTES, Unit.OPERATIONS, Unit.MONEY)


def factor_of(unit: Unit, text: str) -> tuple[float, str] | None:
    """What a unit at the start of the text multiplies by, and its name; None without one."""
    if unit is Unit.ANY:
        found = (_FINDERS[each](text) for each in _UNITS_OF_ANYTHING)
        return next(filter(None, found), None)
    finder = _FINDERS.get(unit)
    return finder(text) if finder else None


# -- the numbers of a quote ------------------------------------------------------------------

_LINK = re.compile(r"^ ?(?:to|and|or|-|,|,? (?:and|or)|,? then|through|up to) ?$")
_RANGE = re.compile(r"^ ?(?:to|or|-|through) ?$")
_ROUGHLY = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|approx\.?|circa|maybe|perhaps|probably|nearly"
    r"|almost|close to|some|something like|on the order of|in the order of"
    r"|somewhere (?:around|near)|a little (?:over|under)|just (?:over|under|above|below)|call it"
    r"|i think|i guess|say)|[~≈])[ ,]*(?:an? |the )?\$?$"
)
_ROUGHLY_AFTER = re.compile(
    r"^[ -]?(?:[\w%/]+ ){0,2}?(?:ish\b|or so\b|or thereabouts|give or take|more or less|and change)"
)
_LEAST = re.compile(
    r"\b(?:more than|at least|upwards of|north of|(?:no|not) less than|no fewer than"
    r"|a minimum of|exceed(?:s|ed|ing))[ ,]*(?:an? |the )?\$?$"
)
_LEAST_AFTER = re.compile(r"^(?: ?\+(?!\w)|(?: [\w%]+){0,2}? (?:or more|at least)\b|[ -]plus\b)")
_MOST = re.compile(
    r"\b(?:under|less than|fewer than|within|at most|up to|(?:no|not) more than|below"
    r"|a maximum of)[ ,]*(?:an? |the )?\$?$"
)
_MOST_AFTER = re.compile(r"^(?: [\w%]+){0,2}? (?:or less|or fewer|at most|tops|max)\b")


def amounts_in(answer: ParsedAnswer, quote: Span, unit: Unit) -> tuple[Amount, ...]:
    """All that the numbers of a quote can mean in this unit; ``quote`` is in the plain text.

    A unit or a scale must stand in the quote, behind its number or behind the last of several that
    share it ("two or three weeks").
    """
    by_rules = [
        Amount(found.value, found.low, found.high, found.unit)
        for letter, (start, end), found in _tokens(answer)
        if letter in _LETTERS_OF.get(unit, "") and quote[0] <= start and end <= quote[1]
    ]
    text = answer.plain.text
    numbers = [n for n in answer.numerals if quote[0] <= n.span[0] and n.span[1] <= quote[1]]
    found = [
        amount
        for place in range(len(numbers))
        for amount in _meanings(text, quote, numbers, place, unit)
    ]
    if unit is not Unit.ANY:  # where "from 200 to 800" is a change
        found = _ranges(text, numbers, found)
    return (*by_rules, *found, *_in_words(text, quote, unit, numbers))


_LETTERS_OF = {
    **{Unit.NUMBER: "NBX", Unit.ANY: "NBPTMWFD", Unit.SHARE: "P", Unit.TIME: "T"},
    **{Unit.DEVICE_TIME: "H", Unit.BYTES: "M", Unit.BYTE_RATE: "W", Unit.MONEY: "D"},
    **{Unit.OPERATIONS: "F", Unit.OPERATION_RATE: "F", Unit.WIDTH: "Q"},
}


@lru_cache(maxsize=8)
def _tokens(answer: ParsedAnswer) -> tuple[tuple[str, Span, sentence.Amount], ...]:
    """The amounts as the rules see them, with their letters: "an hour and a half" is one."""
    return tuple(
        (token.word, (token.start, token.end), token.amount)
        for each in sentence.shorthand(answer)
        for token in each.tokens
        if token.amount is not None
    )


def _meanings(
    text: str, quote: Span, numbers: list[Numeral], place: int, unit: Unit
) -> Iterator[Amount]:
    number = numbers[place]
    last = place
    while last + 1 < len(numbers) and _LINK.match(_between(text, numbers, last)):
        last += 1
    after = _after(text, quote, numbers, place)
    found = factor_of(unit, after) or factor_of(unit, _after(text, quote, numbers, last))
    if unit is Unit.TOKEN_PRICE:  # "a million" is a number itself
        found = _of_token_price(text[number.span[1] : quote[1]])
    if unit in _IN_DOLLARS and not _has_dollars(text, number, after):
        return
    values = [number.value]
    if not number.scale and numbers[last].scale:
        values.append(number.factor * SCALES.get(numbers[last].scale, 1.0))
    if found is None and unit in (Unit.TIME, Unit.DEVICE_TIME) and number.scale == "m":
        values, found = [number.factor], (60.0, "minutes")
    if found is None and unit is Unit.BYTES and number.scale in ("k", "m", "t"):
        found = (1.0, f"{number.scale.upper()}B")
    if found is None and unit in _NEED_A_UNIT:
        before = text[max(quote[0], numbers[place - 1].span[1] if place else 0) : number.span[0]]
        found = _named_before(unit, before)
        if found is None:
            return
    factor, name = found or (1.0, "")
    if unit is Unit.SHARE and found is None and values[0] > 1:
        factor, name = 0.01, "%"
    for value in dict.fromkeys(values):
        yield _bounded(text, number, Amount.of(value * factor, name))


def _between(text: str, numbers: list[Numeral], place: int) -> str:
    return text[numbers[place].span[1] : numbers[place + 1].span[0]]


def _after(text: str, quote: Span, numbers: list[Numeral], place: int) -> str:
    """The quote behind a number, up to the next one."""
    end = numbers[place + 1].span[0] if place + 1 < len(numbers) else quote[1]
    return text[numbers[place].span[1] : end]


def _has_dollars(text: str, number: Numeral, after: str) -> bool:
    before = text[max(0, number.span[0] - 5) : number.span[0]]
    return number.scale == "grand" or bool(_DOLLAR_BEFORE.search(before) or _of_money(after))


def _named_before(unit: Unit, before: str) -> tuple[float, str] | None:
    """The unit of a table or a label: "GPU hours: 2000", "$250", "tokens/s: 400k"."""
    if unit in _IN_DOLLARS:
        return (1.0, "dollars") if unit is Unit.MONEY else factor_of(unit, before)
    if unit is Unit.RATE:
        return _of_rate(before)
    words = [(m.start(), m.end()) for m in re.finditer(r"[\w/%]+", before)]
    for start, _ in reversed(words[-4:]):
        if found := factor_of(unit, before[start:]):
            return found
    return None


def _bounded(text: str, number: Numeral, amount: Amount) -> Amount:
    """The amount with the bounds that the words around its number set."""
    start, end = number.span
    before, after = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    if _MOST.search(before) or _MOST_AFTER.match(after):
        return replace(amount, low=0.0)
    if _LEAST.search(before) or _LEAST_AFTER.match(after):
        return replace(amount, high=math.inf)
    if _ROUGHLY.search(before) or _ROUGHLY_AFTER.match(after):
        return replace(amount, low=amount.value * (1 - _ABOUT), high=amount.value * (1 + _ABOUT))
    return amount


def _ranges(text: str, numbers: list[Numeral], found: list[Amount]) -> list[Amount]:
    """The amounts, both ends of a range and its middle with the bounds of the whole range."""
    amounts = list(found)
    for first, second in pairwise(numbers):
        if not first.factor or not _RANGE.match(text[first.span[1] : second.span[0]]):
            continue
        for low, high in combinations(found, 2):
            wanted = (second.factor / first.factor, second.value / first.value)
            if not low.value or not 1 < high.value / low.value <= _WIDEST:
                continue
            if any(math.isclose(high.value / low.value, each, rel_tol=_SAME) for each in wanted):
                values = (low.value, (low.value + high.value) / 2, high.value)
                amounts = [each for each in amounts if each not in (low, high)]
                amounts += [Amount(value, low.low, high.high, high.unit) for value in values]
    return amounts


def _in_words(text: str, quote: Span, unit: Unit, numbers: list[Numeral]) -> Iterator[Amount]:
    """What is said without a number: "in bf16", "twice", "a week", "a single H100"."""
    said = text[slice(*quote)]
    if unit is Unit.WIDTH:
        for match in _FORMAT.finditer(said):
            yield Amount.of(_FORMATS[match[0]], match[0])
    for match in _VALUE_WORD.finditer(said):
        if numbers and match[0] in _ARTICLES and match.start():
            continue
        found = factor_of(unit, said[match.end() :])
        if found is None and unit in _NEED_A_UNIT:
            continue
        factor, name = found or (1.0, "")
        yield Amount.of(_WORD_VALUES[match[0].replace("-", " ")] * factor, name)


_BOUNDARY = re.compile(r"\b")
_MONEY_WORDS = re.compile(rf"[{_SIGNS}]|\b(?:{_CURRENCIES}s?|grand)\b")
_SHARE_WORDS = re.compile(r"%|\bper ?cent|\bpct\b|\b0?\.\d|\b(?:half|third|quarter|point)")
_OPERATION_WORDS = re.compile(r"flop|\bop(?:eration)?s\b|\d ?[tpe]f|\be\d\d|\de[12]\d|\b10\^")


def units_in(answer: ParsedAnswer) -> frozenset[Unit]:
    """The units that numbers of the answer may be in: what it names no unit for is left out."""
    text = answer.plain.text
    found = {Unit.NUMBER, Unit.ANY}
    named = {
        Unit.SHARE: _SHARE_WORDS,
        Unit.OPERATIONS: _OPERATION_WORDS,
        Unit.OPERATION_RATE: _OPERATION_WORDS,
        **dict.fromkeys(_IN_DOLLARS, _MONEY_WORDS),
    }
    found.update(unit for unit, words in named.items() if words.search(text))
    if _FORMAT.search(text):
        found.add(Unit.WIDTH)
    others = _NEED_A_UNIT.difference(_IN_DOLLARS)
    for boundary in _BOUNDARY.finditer(text):
        if found >= others:
            break
        ahead = text[boundary.start() : boundary.start() + _REACH]
        found.update(unit for unit in others - found if factor_of(unit, ahead))
    if any(number.scale in ("k", "m", "t") for number in answer.numerals):
        found.add(Unit.BYTES)
    return frozenset(found)


# -- does a reported value stand there? ------------------------------------------------------


def as_reported(amount: Amount, value: float, said: str, unit: Unit) -> bool:
    """The amount is what somebody reports as this value in this unit, scale words included.

    Without a unit of its kind the value may be in the base unit, or in the one of the quote.
    """
    text = " ".join(said.lower().replace("$", "dollars ").split())
    if unit is Unit.TIME and text == "m":
        text = "min"
    words = [] if unit is Unit.TOKEN_PRICE else _SCALE.findall(text)  # "per million tokens"
    found = factor_of(unit, f" {_SCALE.sub('', text).strip() if words else text}")
    scale = SCALES[words[0]] if words else 1.0
    quoted = factor_of(unit, f" {amount.unit}") or (1.0, "")
    factors = (found[0],) if found else (1.0, quoted[0])
    if unit is Unit.SHARE:  # 0.45, "%"
        factors = (*factors, 1.0)
    if amount.unit in _FORMATS and amount.unit in text:  # 16, "bf16"
        factors = (1 / 8,)
    return any(
        math.isclose(value * times * factor, amount.value, rel_tol=_SAME)
        for factor in factors
        for times in {scale, 1.0 if value >= scale else scale}
    )
