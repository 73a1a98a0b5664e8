"""Why a pattern's hit may not be what it seems: swapped direction, both sides, bare lists.

A guarded hit is never silently lost and never credited: it is vague, and gets asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from interviewer.examiner.lexical import function_word_share, words

LIST_WORDS = 12
LIST_SHARE = 0.10
"""An answer of 12 words or more with under 10 % function words is a list, not an explanation."""

_DIRECTIONS: tuple[tuple[str, str], ...] = (
    (
        r"\b(?:increas\w*|rais(?:e|es|ed|ing)|gr(?:ow|ew)\w*|rise[sn]?|rising|higher|larger|bigger"
        r"|goes up|blow\w* up|explod\w*)\b",
        r"\b(?:decreas\w*|lower\w*|(?<!all-)(?<!all )reduc(?!e-)\w*|shr[iau]nk\w*|fall\w*|drop\w*"
        r"|smaller|goes down|vanish\w*)\b",
    ),
    (r"\bbefore\b", r"\bafter\b"),
    (r"\bmaximi[sz]\w*|\bmaximum\b", r"\bminimi[sz]\w*|\bminimum\b"),
    (r"\bdivid\w*", r"\bmultipl\w*"),
    (r"\bmore\b", r"\bless\b|\bfewer\b"),
    (r"\bfaster\b|\bquicker\b", r"\bslower\b"),
    (r"\bwithin (?:a|the|one|each) node\b|\bintra-?node\b", r"\bacross nodes\b|\binter-?node\b"),
    (r"\bchosen\b|\bpreferred\b|\bwinn\w*", r"\brejected\b|\blos(?:er|ing)\b"),
    (r"\bcheap\w*", r"\bexpensive\b|\bcostly\b"),
)
_UP = r"(?:up|increas\w*|rais\w*|higher|larger|grow\w*|better|more|faster)"
_DOWN = r"(?:down|decreas\w*|lower\w*|smaller|shrink\w*|worse|less|fewer|slower|reduc\w*)"
_BOTH_SIDES = re.compile(
    r"(?<!\w)(?!more or less)(?:"
    rf"\b{_UP}\b.{{0,15}}\bor\b.{{0,15}}\b{_DOWN}\b|\b{_DOWN}\b.{{0,15}}\bor\b.{{0,15}}\b{_UP}\b"
    r"|\beither way\b|\bcould go either\b)"
)


def is_swapped(sentence: str, phrasings: Iterable[str]) -> bool:
    """The sentence goes one way where all the right phrasings go the other.

    Only directions that the phrasings agree on count: a claim that speaks of both cannot be
    swapped by naming one.
    """
    right = _directions(" . ".join(phrasings))
    said = _directions(sentence)
    return any(
        (a and not b and d and not c) or (b and not a and c and not d)
        for (a, b), (c, d) in zip(right, said, strict=True)
    )


@lru_cache(maxsize=1024)
def _directions(text: str) -> tuple[tuple[bool, bool], ...]:
    return tuple((bool(a.search(text)), bool(b.search(text))) for a, b in _COMPILED)


_COMPILED = tuple((re.compile(a), re.compile(b)) for a, b in _DIRECTIONS)


def takes_both_sides(sentence: str) -> bool:
    """The sentence hedges between opposites ("it can go up or down")."""
    return bool(_BOTH_SIDES.search(sentence))


def is_keyword_list(text: str) -> bool:
    """The text strings terms together without saying anything about them."""
    return len(words(text)) >= LIST_WORDS and function_word_share(text) < LIST_SHARE
