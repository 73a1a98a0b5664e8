"""What the policy and its reference give for the same prompts: shares, log-probabilities.

A number is of the one of the two that is named with it; of two numbers the other is of the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.rules.measuring import Measured
from interviewer.grading.claims.rules.sentence import Sentence

_MODEL = r"(?:the |our |its )?(?:frozen )?(?P<model>policy|reference|ref|base)\b(?:'s)?"
_MODEL += r"(?: model| policy)?"
_NAMED_BEHIND = re.compile(rf"^(?: [a-z'-]+){{0,5}}? (?:under|with|by|for|from|in|of) {_MODEL}")
_NAMED_AHEAD = re.compile(
    rf"{_MODEL}(?: (?!to\b|from\b)[a-z'-]+){{0,5}}(?: \(|:|,| =)*(?: [a-z'-]+){{0,3}} $"
)
_ANSWERS = re.compile(
    r"\b(?:answers?|responses?|repl(?:y|ies)|outputs?|completions?|refus\w+|generations?|disclaimers?"
    r"|samples|prompts)\b"
)
_SCORED = re.compile(r"\b(?:log ?prob\w*|log ?likelihoods?|logp|nats)\b")
_OF_ANSWERS = re.compile(
    r"\b(?:(?:an?|per|each|whole|same|full|entire) (?:answer|response|sequence|reply|completion))\b"
)
_LIKELIHOODS = {True: Measure.REFERENCE_LOSS, False: Measure.POLICY_LOSS}
_SHARES = {True: Measure.REFERENCE_SHARE, False: Measure.POLICY_SHARE}


def compared(sentence: Sentence) -> Iterator[Measured]:
    """The two numbers of a sentence that compares the policy with its reference."""
    text = sentence.text
    if not (sentence.is_numeric and re.search(r"\b(?:reference|ref|base)\b", text)):
        return
    places = [match.start() for match in re.finditer(r"\b[NP]\b", text)]
    below = [place for place in places if _value(sentence, place) < 0]
    if len(below) == len(_LIKELIHOODS) and _SCORED.search(text) and not _OF_ANSWERS.search(text):
        for place, measure in zip(below, _told(text, below, _LIKELIHOODS), strict=False):
            said = _said(sentence, place, measure)
            yield replace(said, amount=said.amount.times(-1.0, ""))
    shares = [place for place in places if text[place] == "P" or _is_elided(text, place)]
    if len(shares) == len(_SHARES) and "P" in text and _ANSWERS.search(text):
        for place, measure in zip(shares, _told(text, shares, _SHARES), strict=False):
            said = _said(sentence, place, measure)
            factor = 0.01 if text[place] == "N" else 1.0
            yield replace(said, amount=said.amount.times(factor, "%"))


def _told(text: str, places: list[int], measures: dict[bool, Measure]) -> list[Measure]:
    """The measures of two numbers, nothing unless one is named and the other no other."""
    named: list[bool | None] = []
    for order, place in enumerate(places):
        begins = places[order - 1] + 1 if order else 0
        ends = places[order + 1] if order + 1 < len(places) else len(text)
        match = _NAMED_BEHIND.search(text[place + 1 : ends]) or _NAMED_AHEAD.search(
            text[begins:place]
        )
        named.append(match["model"] != "policy" if match else None)
    first, second = named
    if first is None and second is not None:
        first = not second
    elif second is None and first is not None:
        second = not first
    if first is None or second is None or first is second:
        return []
    return [measures[first], measures[second]]


def _is_elided(text: str, place: int) -> bool:
    """ "From ten percent to sixty-five"."""
    return text[place] == "N" and bool(re.search(r"\bto $", text[:place]))


def _value(sentence: Sentence, place: int) -> float:
    amount = sentence.tokens[sentence.index_at(place)].amount
    return amount.value if amount else 0.0


def _said(sentence: Sentence, place: int, measure: Measure) -> Measured:
    at = sentence.index_at(place)
    amount = sentence.tokens[at].amount
    assert amount is not None
    return Measured(measure, amount, place, (at, at + 1), amount.unit)
