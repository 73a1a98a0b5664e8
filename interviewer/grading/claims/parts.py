"""Amounts that are no run's total: moments, values since changed, data only gathered."""

from __future__ import annotations

import re
from dataclasses import replace

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.measured import Measured

_FORMERLY = re.compile(
    r"\b(?:initially|at first|originally|previously|formerly|used to|start(?:ed|ing)? (?:at|with"
    r"|out)|beg[ia]n(?:ning)? (?:at|with)|instead of)\b(?:(?! and | but )[^,;:])*$"
)
_FORMER = re.compile(
    r"^(?: \w+){0,3} (?:before (?!it|we)|initially|at first|originally|in the beginning|until)\b"
)
_SO_FAR = re.compile(r"\b(?:after|at|by|within|until|past|around|by then) $")
_COMPLETE = re.compile(
    r"\b(?:done|finish\w*|complet\w*|over|stopp?ed|ended|through|total|in all|out|end|overall|seen"
    r"|saw|had an?|consumed|processed|covered|read(?:y|ily))\b|B tok"
)
"""The sentence speaks of a whole and not of a moment in it."""
_PART_OF_RUN = re.compile(
    r"\b(?:skip\w*|roll\w* back|rewound|lost|lasted|spik\w*|warm\w*|ramp\w*|decay\w*|cool\w*"
    r"|anneal\w*|diverg\w*|averag\w*|sav(?:e|ed|ing)|checkpoint\w*|eval\w*|log(?:ged|ging)|resum\w*"
    r"|restart\w*|first|next|another|remaining|last)\b(?:(?! and | but )[^,;:])*$"
)
_INCIDENT = re.compile(r"\b(?:spik\w*|recover\w*|diverg\w*|nans?|instab\w*|blew up|grad\w* norm)\b")
_MOMENT = re.compile(r"^ (?:later|earlier|before|back|ago|apart|into|behind|ahead|more)\b")
_GATHERED = re.compile(
    r"\b(?:generat|collect|crawl|scrap|gather|download|prepar|curat|synthesi|annotat|clean|filter"
    r"|dedup|extract)\w*\b(?:(?! and | but |train)[^,;])*$"
)
_CHANGED_FROM = re.compile(r"\bfrom $")
_ENDURING = (Measure.TOKENS, Measure.STEPS, Measure.DURATION, Measure.DATASET_TOKENS)
"""Measures of a whole, in which a former value is a part and not a value given up."""


def gathered(text: str, found: Measured) -> Measured:
    """Tokens that were collected are those of a dataset, not those trained on."""
    if found.measure is Measure.TOKENS and _GATHERED.search(text[: found.place]):
        return replace(found, measure=Measure.DATASET_TOKENS)
    return found


def is_of_a_part(text: str, found: Measured) -> bool:
    """The amount is no whole: "again 400 steps later", "after 300B tokens the loss was 1.9"."""
    before, after = text[: found.place], text[found.place + 1 :]
    if found.measure not in _ENDURING:
        return _was_so(before, after)
    if found.measure is Measure.DATASET_TOKENS:
        return False
    noun = re.sub(r"^ [a-z]+", "", after) if found.measure is not Measure.DURATION else after
    if _MOMENT.search(noun) and not (found.measure is Measure.DURATION and _COMPLETE.search(text)):
        return True
    is_moment = _SO_FAR.search(before) or _INCIDENT.search(text)
    if is_moment and not _COMPLETE.search(text):
        return True
    return found.measure is Measure.STEPS and bool(_PART_OF_RUN.search(before))


def _was_so(before: str, after: str) -> bool:
    """The amount had changed by the time of the run: "three seconds before flash attention"."""
    if _CHANGED_FROM.search(before) and " to " in after:
        return True
    return bool(_FORMERLY.search(before) or _FORMER.search(after))
