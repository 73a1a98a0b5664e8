"""What is stated without a number: no accumulation, no repeats, one card, a published model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.models import Published
from interviewer.grading.claims.rules.amounts import Amount
from interviewer.grading.claims.rules.measuring import Measured, unit_of
from interviewer.grading.claims.rules.sentence import Sentence


def implied(sentence: Sentence) -> Iterator[Measured]:
    """What the words alone state; the shape of a published model follows from its name."""
    text = sentence.text
    is_worded = _ANY.search(text) is not None
    for measure, amount, pattern in _IMPLIED if is_worded else ():
        for match in pattern.finditer(text):
            tokens = (sentence.index_at(match.start()), sentence.index_at(match.end()))
            unit = unit_of(measure, amount)
            yield Measured(measure, amount, match.start(), tokens, unit)
    for measure, spelt, number in _SPELT if is_worded else ():
        for match in spelt.finditer(sentence.plain):
            place = sentence.place_of(match.start())
            at = min(sentence.index_at(place), len(sentence.tokens) - 1)
            yield Measured(measure, Amount.of(number(match)), place, (at, at + 1), "")
    for at, token in enumerate(sentence.tokens):
        if token.model is None and token.word != "G":
            continue
        place = sentence.places[at]
        if token.model is not None:
            for measure, figure in _shape(token.model):
                amount = Amount.of(figure)
                yield Measured(measure, amount, place, (at, at + 1), unit_of(measure, amount))
        is_one = token.word == "G" and _ONE_CARD.search(text[:place]) is not None
        if is_one and token.amount and not _MANY.match(text, place + 1):
            amount, device = Amount.of(1.0), token.amount.device
            unit = unit_of(Measure.GPUS, amount, device)
            yield Measured(Measure.GPUS, amount, place, (at, at + 1), unit, device)


def _shape(model: Published) -> Iterator[tuple[Measure, float]]:
    yield Measure.PARAMETERS, model.parameters
    yield Measure.LAYERS, model.layers
    yield Measure.WIDTH, model.width
    if model.ffn_width:
        yield Measure.FFN_WIDTH, model.ffn_width
    yield Measure.HEADS, model.heads
    yield Measure.VOCABULARY, model.vocabulary
    if model.kv_heads:
        yield Measure.KV_HEADS, model.kv_heads
        yield Measure.HEAD_WIDTH, model.head_width
    if model.active:
        yield Measure.ACTIVE_PARAMETERS, model.active
    if model.experts:
        yield Measure.EXPERTS, model.experts[0]
        yield Measure.ACTIVE_EXPERTS, model.experts[1]
    if model.latent:
        yield Measure.LATENT_WIDTH, model.latent


_ONE_CARD = re.compile(
    r"(?:\b(?:on|with|used|had|owned?|rented|using|is|was|to) (?:my|an?|my own|our|our own)(?: M)?"
    r"|\bmy (?:[a-z]+ ){0,2}(?:M)?) $|\bmy $"
)
_SPELT: tuple[tuple[Measure, re.Pattern[str], Callable[[re.Match[str]], float]], ...] = (
    (
        Measure.PCIE,
        re.compile(
            r"\bpcie? ?(?:express )?(?:gen(?:eration)? ?)?(?P<gen>[3-6])(?:\.0)?\b"
            r"(?! ?x ?(?:1|2|4|8)\b|[\d.])|\bgen(?:eration)? ?(?P<slot>[3-6]) ?x ?16\b"
        ),
        lambda match: float(match["gen"] or match["slot"]),
    ),
    (
        Measure.ID_BYTES,
        re.compile(r"\b(?:u?int(?P<bits>16|32|64)|uint ?(?P<wide>16|32|64))\b"),
        lambda match: float(match["bits"] or match["wide"]) / 8,
    ),
)
"""What a name states by a number in it."""
_ANY = re.compile(
    r"\b[dh]gx\b|accumul|repe[at]|reuse|again|\bX\b|twice|\bM (?:card|gpu|device)|pci|int|gen"
)
"""Cheaper than the patterns, which need one of these."""
_MANY = re.compile(r" (?:node|cluster|box|machine|pod|server|hour|day|M node)")
_IMPLIED = (
    (Measure.GPUS, Amount.of(8), re.compile(r"\b(?:an?|our|my|one) (?:dgx|hgx)\b")),
    (Measure.NODE_GPUS, Amount.of(8), re.compile(r"\b(?:dgx|hgx)\b")),
    (
        Measure.GPUS,
        Amount.of(1),
        re.compile(r"\b(?:an?|my|my own) M (?:card|gpu|device)\b(?! (?:cluster|node|machine))"),
    ),
    (
        Measure.ACCUMULATION,
        Amount.of(1),
        re.compile(
            r"\b(?:(?:without(?: any)?|no) (?:gradient |grad )?accumulat(?:ion|ing)"
            r"|(?:don't|didn't|never|not) accumulated?)\b"
        ),
    ),
    (
        Measure.EPOCHS,
        Amount(1, 0, 1),
        re.compile(
            r"\b(?:no|without)(?: \w+){0,4} (?:was|were|ever|being|got)? ?(?:ever )?repeat(?:ed|s"
            r"|ing)?\b|\b(?:never|not) (?:repeated|reused)(?: any| a| one)? (?:data|documents?"
            r"|samples?|tokens?)\b|\bnever (?:saw|seen|show\w*|us\w+|read)(?: [a-z]+){1,3} (?:X"
            r"|again)|\bno (?:data )?(?:repetition|repeats)\b|\bno (?:document|sample"
            r"|token)s? (?:was|were) seen twice\b"
        ),
    ),
)
