"""The numbers of one sentence with what each measures."""

from __future__ import annotations

from interviewer.grading.claims.by_context import by_context, elliptic, implied
from interviewer.grading.claims.by_rule import by_rules
from interviewer.grading.claims.by_unit import by_unit, passes, scoped
from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.measured import Measured
from interviewer.grading.claims.parts import gathered, is_bytes, is_of_a_part
from interviewer.grading.claims.sentence import Sentence


def measured(sentence: Sentence, before: str, knows_size: bool) -> list[Measured]:
    """What the sentence's amounts measure, by place.

    ``before`` is the shorthand of the sentences before it; ``knows_size`` whether a model's size
    was named there.
    """
    taken: set[int] = set()
    found = [scoped(sentence, m, before) for m in by_rules(sentence, taken)]
    for place, letter in enumerate(sentence.text):
        if letter in "NBTMX" and place not in taken:
            knows_size |= any(m.measure is Measure.PARAMETERS for m in found)
            hit = (
                (letter == "X" and passes(sentence, place))
                or (letter in "NB" and by_unit(sentence, place, before))
                or by_context(sentence, place, before, knows_size)
                or elliptic(sentence, place, found)
            )
            found += [hit] if hit else []
    found += implied(sentence.text)
    told = (gathered(sentence.text, m) for m in found if not is_bytes(sentence.text, m))
    return sorted((m for m in told if not is_of_a_part(sentence.text, m)), key=lambda m: m.place)
