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
_DENIAL = re.compile(
    r"\b(?:it(?:'s| is| was)? (?:simply |just )?(?:not|never|hardly) (?:the case|true|so|right"
    r"|correct|as if)(?: at all)?(?: to say)?(?: that)?"
    r"|it (?:isn't|wasn't) (?:the case|true|so|right|correct)(?: at all)?(?: to say)?(?: that)?"
    r"|it(?:'s| is| was) (?:simply |just )?(?:wrong|false|untrue|incorrect|nonsense|a myth)"
    r"(?: to (?:say|claim|think|assume|believe)(?: that)?| that)"
    r"|(?:i|we) (?:don't|do not|wouldn't|would not|can't|never) (?:really )?(?:think|believe|say"
    r"|agree|claim|see)(?: that)?"
    r"|(?:nobody|no one) (?:says|said|claims|thinks|believes)(?: that)?"
    r"|there(?:'s| is) no (?:way|sense in which)(?: that)?)\b"
)
_TURN = re.compile(r"\b(?:but|however|rather|instead|because|since)\b|[;:]")
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
    return has_negator(text[slice(*span)]) or is_negated_before(text, span)


def is_negated_before(text: str, span: Span) -> bool:
    """A negator stands shortly before the hit in the same clause, whatever the hit holds."""
    start = span[0]
    before = text[max(0, start - NEGATION_REACH) : start]
    breaks = list(_CLAUSE_BREAK.finditer(before))
    return has_negator(before[breaks[-1].end() :] if breaks else before)


def denies(sentence: str) -> bool:
    """Something in the sentence is denied as a whole."""
    return bool(_DENIAL.search(sentence))


def is_denied(sentence: str, start: int) -> bool:
    """What stands at ``start`` of the sentence is denied as a whole ("it isn't the case that …").

    A denial reaches to the end of its sentence, or to a word that turns it ("but", "because").
    """
    before = sentence[:start]
    denials = list(_DENIAL.finditer(before))
    return bool(denials) and not _TURN.search(before[denials[-1].end() :])
