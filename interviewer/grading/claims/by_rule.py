"""Amounts measured by the grammar's rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.grammar import RULES, Rule
from interviewer.grading.claims.measured import Measured, unit_of
from interviewer.grading.claims.sentence import LETTERS, SECONDS, Amount, Sentence

_RATES = (Measure.THROUGHPUT, Measure.DEVICE_THROUGHPUT)
_RATE_WORDS = re.compile(r"tok|throughput|\btps\b")
_SEQUENCE_WORDS = re.compile(r"\b(?:seq\w*|batch\w*|context|tok\w*|lengths?|samples?|long)\b")
_BATCH_WORDS = re.compile(
    r"\b(?:batch\w*|accumulation|step|(?:each|every|per|an?|one) (?:update"
    r"|iteration))\b"
)
_STATES = re.compile(r"\b(?:states?|weights?|grad\w*|optimi[sz]er) ")
_PER_DEVICE = re.compile(r"M (?:of [a-z]+ )?(?:per|an?|each|every|on each) (?:gpu|card|device|G)\b")
_LARGE_BATCH = 3e7
"""Tokens up to here may be those of a step where steps are spoken of."""
_PER_DGX = 8
_SHORT_UNITS = (1.0, 60.0, 3600.0)
_LONG = {"minute": "minute", "hour": "hour", "day": "day", "week": "week"}


def by_rules(sentence: Sentence, taken: set[int]) -> Iterator[Measured]:
    """What the rules find, each amount once; the places of all amounts that they name are added
    to ``taken``, those of no interest too.
    """
    letters = frozenset(sentence.text) & LETTERS
    for rule in RULES:
        if letters.isdisjoint(rule.letters):
            continue
        for match in rule.pattern.finditer(sentence.text):
            if (found := _by_rule(sentence, rule, match, taken)) is not None:
                yield found


def _by_rule(
    sentence: Sentence, rule: Rule, match: re.Match[str], taken: set[int]
) -> Measured | None:
    groups = match.groupdict()
    place = next(match.start(g) for g in groups if g[0] == "v" and groups[g])
    factor_place = match.start("w") if groups.get("w") else None
    if place in taken or factor_place in taken:
        return None
    if rule.measure is None:
        taken.add(place)
        return None
    amount = _scaled(sentence, rule, match, place)
    if amount is None or not rule.limits[0] <= amount.value <= rule.limits[1]:
        return None
    if not _is_plausible(rule.measure, amount, sentence.text):
        return None
    taken |= {place} if factor_place is None else {place, factor_place}
    letter = sentence.text.find("G", *match.span())
    device = sentence.amount(letter).device if letter >= 0 else None
    unit = unit_of(rule.measure, amount, device)
    if rule.measure in _RATES:
        unit = f"tokens/{_LONG.get(amount.unit, 's')}"
    return Measured(rule.measure, amount, place, *match.span(), unit, device)


def _is_plausible(measure: Measure, amount: Amount, text: str) -> bool:
    if measure is Measure.TOKENS and amount.value < _LARGE_BATCH:
        return not _BATCH_WORDS.search(text)
    if measure is Measure.SEQUENCE_LENGTH:
        return bool(_SEQUENCE_WORDS.search(text))
    if measure is Measure.GPU_MEMORY:
        return not (_STATES.search(text) and _PER_DEVICE.search(text))
    return measure not in _RATES or bool(_RATE_WORDS.search(text))


def _scaled(sentence: Sentence, rule: Rule, match: re.Match[str], place: int) -> Amount | None:
    """The amount in the measure's base unit; None where the match makes no sense."""
    amount, groups = sentence.amount(place), match.groupdict()
    if groups.get("w") and sentence.text[match.start("w")] == "T":
        return _rate_in(sentence.amount(match.start("w")), amount, rule.measure)
    if groups.get("w"):
        return _product(amount, sentence.amount(match.start("w")))
    if groups.get("dgx") is not None:
        return amount.times(_PER_DGX, amount.unit)
    per = SECONDS.get((groups.get("unit") or "second").removesuffix("s"), 1.0)
    if rule.measure in _RATES:
        return amount.times(1 / per, groups.get("unit") or "")
    if rule.measure is Measure.DEVICE_TIME:
        return amount.times(per, amount.unit)
    if rule.measure is Measure.STEP_TIME and groups.get("unit"):
        return _inverse(amount, per)
    if rule.measure is Measure.MFU and sentence.text[place] == "N" and amount.value > 1:
        return amount.times(0.01, "%")
    return amount


def _product(first: Amount, second: Amount) -> Amount:
    value = first.value * second.value
    return replace(first, value=value, low=first.low * second.low, high=first.high * second.high)


def _rate_in(time: Amount, amount: Amount, measure: Measure | None) -> Amount | None:
    """ "in a minute we do five updates": so much in one unit of time."""
    if time.value not in _SHORT_UNITS:
        return None
    if measure is Measure.STEP_TIME:
        return _inverse(amount, time.value)
    return amount.times(1 / time.value, time.unit)


def _inverse(amount: Amount, per: float) -> Amount | None:
    if amount.value <= 0 or amount.low <= 0:
        return None
    low, high = per / amount.high, per / amount.low
    return replace(amount, value=per / amount.value, low=low, high=high, unit="second")
