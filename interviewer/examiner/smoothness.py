"""Is an answer smooth: long, fluent, and nothing in it that its speaker did or measured?"""

from __future__ import annotations

import re

from interviewer.examiner.lexical import words
from interviewer.grading.quantities import quantities
from interviewer.rubric.text import normalise

SMOOTH_WORDS = 20
"""A shorter answer is terse rather than smooth."""
_OWN_DECISION = re.compile(
    r"\b(?:i|we)(?:'ve|'d| have| had)? (?:\w+ ){0,2}?(?:set|chose|picked|used|ran|tuned|measured"
    r"|settled|went|started|decided|tried|saw|found|trained|built|wrote|cut|kept|dropped|raised"
    r"|lowered|swept|compared|logged|checked|switched|moved)\b"
)


def commits(text: str) -> bool:
    """It states a number, or something that the speaker decided, did or saw."""
    stated = next(quantities(text), None)
    return stated is not None or bool(_OWN_DECISION.search(normalise(text).text))


def is_smooth(text: str) -> bool:
    """It talks at length and commits to nothing."""
    return len(words(text)) >= SMOOTH_WORDS and not commits(text)
