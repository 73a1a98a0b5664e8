"""A contradiction in one sentence: what the numbers come to, and what that clashes with."""

from __future__ import annotations

import math
import re

from interviewer.grading.claims import wording
from interviewer.grading.claims.claim import Contradiction
from interviewer.grading.claims.engine import Conflict, Fact
from interviewer.grading.claims.relations import MADE

MOST_CLAUSES = 3
_SINGULAR = {"have": "has", "make": "makes", "come": "comes", "need": "needs", "take": "takes"}
_VERB = re.compile(rf"^(one [^;]*?|that) ({'|'.join(_SINGULAR)})\b")


def is_told_in(found: Contradiction, words: str) -> bool:
    """The words state the contradiction: so, or as earlier versions did, with all its figures."""
    return found.sentence in words or all(wording.stated(each) in words for each in found.claims)


def contradiction(conflict: Conflict) -> str:
    """At most three steps of arithmetic in the candidate's figures, then what does not fit."""
    made, other = conflict.sides
    if made.relation is None:
        return _without_arithmetic(made, other)
    clauses = _clauses(made)
    if other.is_stated:
        against = f"you said {_phrase(other)}"
    elif other.relation is None:
        against = (
            f"that cannot be {'more' if made.low > other.high else 'less'} than {_value(other)}"
        )
    else:
        against = "; ".join(_clauses(other)[-1:])
    return f"By your numbers {'; '.join(clauses[-MOST_CLAUSES:])}; {against}."


def _without_arithmetic(one: Fact, other: Fact) -> str:
    """Two figures for the same, or one that is beyond its limit."""
    if one.is_stated and other.is_stated:
        longer, shorter = sorted((one, other), key=lambda fact: fact.claims[0].unit == "tokens/s")
        value = wording.amount(longer.measure, longer.value)
        return f"By your numbers {_phrase(longer)} make {value}; you said {_phrase(shorter)}."
    stated, limit = (one, other) if one.is_stated else (other, one)
    return f"You said {_phrase(stated)}; there is {limit.note}."


def _clauses(fact: Fact) -> list[str]:
    """The steps that lead to a derived fact, the last one its own."""
    assert fact.relation is not None
    before = [clause for each in fact.inputs if not _is_inlined(each) for clause in _clauses(each)]
    if before and not fact.relation.says:  # the same figure, as what it takes room of
        return before
    terms = factors_of(fact)
    words = fact.relation.says or MADE
    if fact.relation.result is not fact.measure:
        words = MADE
    clause = words.format(terms=terms, result=bounded(fact))
    return [*before, _VERB.sub(lambda m: f"{m[1]} {_SINGULAR[m[2]]}", clause)]


def _is_inlined(fact: Fact) -> bool:
    """It is said as its factors, within the product that it belongs to."""
    relation = fact.relation
    if relation is None or not relation.says:
        return True
    return relation.says == MADE and bool(relation.factors) and relation.result is fact.measure


def factors_of(fact: Fact, *, in_full: bool = False) -> str:
    """What a derived fact multiplies or divides, in words; ``in_full`` in stated figures alone."""
    relation = fact.relation
    assert relation is not None
    if not relation.factors:
        return ", ".join(map(wording.stated, fact.given))
    phrases = {each.measure: _phrase(each, in_full) for each in fact.inputs}
    if relation.result is fact.measure:
        over = {measure for measure, power in relation.factors if power < 0}
        words = relation.joint.join(p for m, p in phrases.items() if p and m not in over)
    else:
        over = {measure for measure, power in relation.factors if power > 0}
        words = " × ".join(p for m, p in phrases.items() if p and m not in over)
    if below := " × ".join(p for m, p in phrases.items() if p and m in over):
        words = f"{words} over {below}" if words else f"one over {below}"
    said = {claim for each in fact.inputs for claim in each.claims}
    if given := tuple(claim for claim in fact.given if claim not in said):
        words += f" over {wording.stated_all(given, ' × ')}"
    notes = [each.note for each in fact.inputs if each.note and not (words and each.claims)]
    return " ".join(filter(None, (words, *notes)))


def _phrase(fact: Fact, in_full: bool = False) -> str:
    """How a fact is referred to in a product."""
    if fact.is_stated:
        return wording.stated_all(fact.claims, " and ")
    if fact.relation is None:
        return ""
    if in_full or _is_inlined(fact):
        return factors_of(fact, in_full=in_full)
    return _value(fact)


def _value(fact: Fact) -> str:
    value = fact.value if 0 < fact.value < math.inf else _finite(fact)
    return wording.amount(fact.measure, value)


def _finite(fact: Fact) -> float:
    return fact.low if math.isinf(fact.high) else fact.high


def bounded(fact: Fact) -> str:
    """The value, as the end that matters where there is only one."""
    if math.isinf(fact.high):
        return f"at least {_value(fact)}"
    return f"at most {_value(fact)}" if fact.low <= 0 else _value(fact)
