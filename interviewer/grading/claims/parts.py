"""Amounts that are no run's total: moments, values since changed, data only gathered."""

from __future__ import annotations

import re
from dataclasses import replace

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.measured import Measured

_FORMERLY = re.compile(
    r"\b(?:initially|at first|originally|previously|formerly|used to|start(?:ed|ing)? (?:at|with"
    r"|out)|beg[ia]n(?:ning)? (?:at|with)|instead of|first (?:step|iteration|update|few)"
    r"|before (?:the|that|this|we|it|adding"
    r"|switching))\b(?:(?! and | but )[^,;:])*$"
)
_FORMER = re.compile(
    r"^(?: \w+){0,3} (?:before (?!it|we)|initially|at first|originally|in the beginning|until)\b"
)
_SO_FAR = re.compile(
    r"\b(?:after|at|(?<!multiply )(?<!multiplied )by|within|until|past|around|by then) $"
)
_COMPLETE = re.compile(
    r"\b(?:done|finish\w*|complet\w*|over|stopp?ed|ended|through|total|in all|out|end|overall|seen"
    r"|saw|had an?|shut down|(?:was|were) in|counter|had (?:the|our) (?:\w+ )?(?:model|weights"
    r"|result|checkpoint)s?|that was after|of (?:continuous|pure"
    r"|non ?stop|uninterrupted)|all N|consumed|processed|covered|read(?:y|ily))\b|B tok"
)
"""The sentence speaks of a whole and not of a moment in it."""
_PART_OF_RUN = re.compile(
    r"\b(?:skip\w*|roll\w* back|rewound|lost|lasted|spik\w*|warm\w*|ramp\w*|decay\w*|cool\w*"
    r"|anneal\w*|diverg\w*|averag\w*|sav(?:e|ed|ing)|checkpoint\w*|eval\w*|log(?:ged|ging)|resum\w*"
    r"|restart\w*|first|next|another|remaining|last)\b(?:(?! and | but )[^,;:])*$"
)
_INCIDENT = re.compile(r"\b(?:spik\w*|recover\w*|diverg\w*|nans?|instab\w*|blew up|grad\w* norm)\b")
_MOMENT = re.compile(
    r"^ (?:later|earlier|before|back|ago|apart|into(?! (?:an?|the|our) B)|behind(?! it)|ahead"
    r"|more)\b"
)
_GATHERED = re.compile(
    r"\b(?:generat|collect|crawl|scrap|gather|download|prepar|curat|synthesi|annotat|clean|filter"
    r"|dedup|extract)\w*\b(?:(?! and | but |train)[^,;])*$"
)
_CONSUMED_WHOLE = re.compile(
    r"\b(?:digest|consum|s[ae]{1,2}[wn]?\b|read|ate\b|eaten|process|swallow|chew|through|finish"
    r"|cover"
    r"|ingest)\w*\b(?: \w+){0,2} (?:complete|whole|full|entire|all(?: of)?(?: the)?) $"
)
_FINAL_STEP = re.compile(r"\b(?:done|finish\w*|stopp?ed|ended|shut|final|complete[d]?)\b")
_CHANGED_FROM = re.compile(r"\bfrom $")
_ENDURING = (Measure.TOKENS, Measure.STEPS, Measure.DURATION, Measure.DATASET_TOKENS)
"""Measures of a whole, in which a former value is a part and not a value given up."""


_OF_STATES = r"(?:of |for )?(?:the )?(?:grad\w*|master|moments?|optimi[sz]er|states)\b"
_BYTES = re.compile(
    r"^ (?:(?:per|an?|each|for (?:each|every|the|a)) (?:param\w*|weights?)\b"
    rf"|{_OF_STATES})"
)
_BYTES_OF_STATES = re.compile(rf"\bbytes?\b|\bB {_OF_STATES}")
_BESIDE_STATES = re.compile(r"^ (?:each|(?:of |for )?(?:the )?weights?)\b")


def is_bytes(text: str, found: Measured) -> bool:
    """ "5.5B a parameter", "2 B weights, 2 B grads": the B is for bytes."""
    if found.measure is not Measure.PARAMETERS:
        return False
    after = text[found.place + 1 :]
    is_beside = _BESIDE_STATES.search(after) and _BYTES_OF_STATES.search(text)
    return bool(_BYTES.search(after) or is_beside)


def gathered(text: str, found: Measured) -> Measured:
    """Tokens that were collected are those of a dataset, not those trained on."""
    if found.measure is Measure.TOKENS and _GATHERED.search(text[: found.place]):
        return replace(found, measure=Measure.DATASET_TOKENS)
    if found.measure is Measure.DATASET_TOKENS and _CONSUMED_WHOLE.search(text[: found.place]):
        return replace(found, measure=Measure.TOKENS)
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
    if re.search(r"\b(?:step|iteration|update) $", before) and not _FINAL_STEP.search(text):
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
