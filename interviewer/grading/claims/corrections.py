"""Numbers that a speaker takes back: "512, no, sorry, 1,024", "64 A100s. Sorry, 640."."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from interviewer.grading.claims.claim import Claim, Measure
from interviewer.grading.claims.measured import Measured
from interviewer.grading.claims.sentence import Amount, Sentence
from interviewer.grading.numerals import SCALES

_CUE = (
    r"(?:no(?! (?:more|less))|sorry|wait|i mean|i meant|i misspoke|make that|scratch that"
    r"|correction|or rather|strike that|excuse me|pardon|my mistake|hang on|let me correct)"
)
_OPENING = re.compile(rf"^(?:{_CUE}|actually|oh|hm+|ah)\b")
_ANYWHERE = re.compile(
    r"\b(?:sorry|i meant|i misspoke|make that|scratch that|correction|strike that|my mistake"
    r"|misremembered|i was wrong|that was wrong|actually)\b"
)
_SLIP = re.compile(
    rf"(?P<old>[NBTMP])(?: (?!and\b)[a-zG]+){{0,3}} ?(?:,|-|\.\.\.|…)? ?{_CUE}\b"
    r"(?:,? (?!and\b)[a-z']+){0,6}?,? (?P<new>[NBTMP])"
)
_WRONG = re.compile(
    r"\b(?:wrong|mistaken|off)\b[^NBTMP;:!?]*(?P<old>[NBTMP])[^NBTMP;:!?]{0,30}, (?:it|that)(?:'s"
    r"| was|"
    r" is| should (?:be|have been)) (?:actually |really )?(?P<new>[NBTMP])"
)
_SHORT = 40
"""Characters of shorthand within which a bare number can only be the one put right."""
_IN_OTHER_UNITS = (Measure.DURATION, Measure.STEP_TIME, Measure.GPU_MEMORY)
_WITHOUT_SCALE = 1000


def is_correcting(text: str) -> bool:
    """The sentence in shorthand holds words that take something back."""
    return bool(_OPENING.search(text) or _ANYWHERE.search(text))


def without_slips(
    sentence: Sentence, found: Sequence[Measured]
) -> tuple[list[Measured], list[Measured]]:
    """The amounts that stand, and those that the same sentence took back.

    Old and new number lend each other what one of them lacks: the measure, the scale.
    """
    by_place = {m.place: m for m in found}
    slips: list[Measured] = []
    for match in (*_SLIP.finditer(sentence.text), *_WRONG.finditer(sentence.text)):
        old, new = match.start("old"), match.start("new")
        first, second = by_place.get(old), by_place.get(new)
        model = first or second
        if model is None or (first and second and not _are_akin(first, second)):
            continue
        by_place.pop(old, None)
        slips.append(
            first or replace(model, amount=sentence.amount(old), place=old, start=old, end=old + 1)
        )
        if second is None:
            amount = _in_scale_of(model.amount, sentence.amount(new))
            by_place[new] = replace(model, amount=amount, place=new, start=new, end=new + 1)
        elif first and second.measure is Measure.TOKENS:
            by_place[new] = replace(second, measure=first.measure, unit=first.unit)
    return [by_place[place] for place in sorted(by_place)], slips


def put_right(sentence: Sentence, last: Claim) -> list[Measured]:
    """A short sentence's bare number as a new value of what was claimed last."""
    match = re.search("[NB]", sentence.text)
    is_about_it = _OPENING.search(sentence.text) and len(sentence.text) <= _SHORT
    if not match or not is_about_it or last.measure in _IN_OTHER_UNITS:
        return []
    place = match.start()
    amount = sentence.amount(place)
    return [Measured(last.measure, amount, place, place, place + 1, last.unit)]


def replaced_by(
    sentence: Sentence, found: Sequence[Measured], said: Sequence[Claim]
) -> list[Claim]:
    """Which earlier claims of the text the correcting sentence's amounts replace."""
    if not said or not _OPENING.search(sentence.text):
        return []
    renewed = {m.measure for m in found}
    if said[-1].unit == "tokens" and any(m.unit.startswith("tokens") for m in found):
        renewed.add(said[-1].measure)
    return [claim for claim in said if claim.measure in renewed]


def _are_akin(first: Measured, second: Measured) -> bool:
    """One may stand for the other: the same measure, or both count tokens."""
    if first.measure is second.measure:
        return True
    return first.unit.startswith("tokens") and second.unit.startswith("tokens")


def _in_scale_of(model: Amount, amount: Amount) -> Amount:
    """ "7 billion, no, 13": the new number in the old one's scale."""
    if not model.scale or amount.scale or amount.value >= _WITHOUT_SCALE:
        return amount
    return amount.times(SCALES[model.scale], amount.unit)
