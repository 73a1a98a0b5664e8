"""The numbers of one sentence with what each measures."""

from __future__ import annotations

from interviewer.grading.claims.by_context import by_context, elliptic, implied
from interviewer.grading.claims.by_rule import by_rules
from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.measured import Measured
from interviewer.grading.claims.parts import gathered, is_of_a_part
from interviewer.grading.claims.shorthand import Sentence


def measured(sentence: Sentence, before: str, knows_size: bool) -> list[Measured]:
    """What the sentence's amounts measure, by place.

    ``before`` is the shorthand of the sentences before it; ``knows_size`` whether a model's size
    was named there.
    """
    taken: set[int] = set()
    found = list(by_rules(sentence, taken))
    for place, letter in enumerate(sentence.text):
        if letter in "NBTM" and place not in taken:
            knows_size |= any(m.measure is Measure.PARAMETERS for m in found)
            hit = by_context(sentence, place, before, knows_size) or elliptic(
                sentence, place, found
            )
            found += [hit] if hit else []
    found += implied(sentence.text)
    told = (gathered(sentence.text, m) for m in found)
    return sorted((m for m in told if not is_of_a_part(sentence.text, m)), key=lambda m: m.place)
