"""The parts of an utterance that state something instead of asking it.

"If the variance grows, what do you do?" asks one thing and states another; so does "You clip the
ratio, so what is left of it?".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interviewer.grading.lexical import FUNCTION_WORDS, words
from interviewer.grading.parsed_answer import ParsedAnswer

_SUBORDINATE = (
    r"(?:if|since|because|once|given|now that|after|when|while|although|though|even though|as soon"
    r" as|apart from|besides|before|until|unless|whereas)"
)
_AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|can|could|would|will|should|has|have|had|may|might|must)"
)
_CLAUSE = re.compile(rf"(?:[,;:]| [–—-]) | (?={_SUBORDINATE} )")
_LEAD = re.compile(
    r"^(?:(?:so|and|but|now(?! that)|then|well|ok|okay|good|right|fine|noted|all right)\b[, ]*)+"
)
_STATES = re.compile(rf"^{_SUBORDINATE}\b(?! {_AUXILIARY}\b)")
_ASKS = re.compile(
    r"^(?:(?:in|on|at|by|from|to|for|with|of|under|into|over|through|against|up to|until) )?"
    rf"(?:(?:what|which|how|why|who|whom|whose|where|when)\b|{_AUXILIARY}(?:n't)?\b)"
)
_ORDERS = re.compile(
    r"^(?:please |let(?:'s| us| me) |(?:suppose|imagine|picture|say|think|pretend|assume)\b)"
)
_VERBS = frozenset(("take", "give", "let", "go", "make", "put", "get", "use", "keep"))
_OBJECT = frozenset(
    words(
        "a an the my me your yours its it that this these those one two three each every both all "
        "any them us her his our their through at of to into on in with about down up out back "
        "from over everything what which how where"
    )
)


def assertions(spoken: str) -> Iterator[str]:
    """The clauses that state something, in lower case; no order ("take a batch of ...") is one."""
    plain = ParsedAnswer(spoken)
    for start, end in plain.sentences:
        asks = orders = False
        for part in _CLAUSE.split(plain.plain.text[start:end]):
            clause = _LEAD.sub("", part.strip(" ?.!,;:"))
            if _STATES.match(clause):
                asks = orders = False
            elif _ASKS.match(clause):
                asks = True
            elif _is_order(clause):
                orders = True
            if clause and not asks and not orders:
                yield clause


def _is_order(clause: str) -> bool:
    """A verb in its base form opens it: its object or a preposition comes next."""
    if _ORDERS.match(clause):
        return True
    first, second, *_ = (*clause.split(), "", "")
    is_verb = first in _VERBS or first not in FUNCTION_WORDS
    return is_verb and (second in _OBJECT or second[:1].isdigit())
