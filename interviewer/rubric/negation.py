"""Whether words that were found are turned round by a negator near them."""

from __future__ import annotations

import re

from interviewer.rubric.text import Span

NEGATION_REACH = 25
"""Characters before a hit in which a negator cancels it."""

_NEGATOR = re.compile(
    r"\b(?:not(?! only| just)|never|no(?! matter| doubt)|nor|neither|without|cannot|hardly|barely"
    r"|instead of|rather than|\w+n't|doesnt|dont|isnt|wont|cant|didnt|fails? to|nothing|none)\b"
)
_CLAUSE_BREAK = re.compile(r"[,;:.!?()]|\b(?:but|because|since|so|it's|which|and then)\b")
_ESCAPE = re.compile(r"\\[a-zA-Z]")


def has_negator(text: str) -> bool:
    """Something in the normalised text turns it round."""
    return bool(_NEGATOR.search(text))


def looks_for_negator(regex: str) -> bool:
    r"""The pattern itself holds a negator, so that ``\bno\b`` in it is part of what it wants."""
    return has_negator(_ESCAPE.sub(" ", regex))


def is_negated(text: str, span: Span) -> bool:
    """A negator stands within the hit, or shortly before it in the same clause."""
    start, end = span
    if has_negator(text[start:end]):
        return True
    before = text[max(0, start - NEGATION_REACH) : start]
    breaks = list(_CLAUSE_BREAK.finditer(before))
    return has_negator(before[breaks[-1].end() :] if breaks else before)
