"""Whether a reply explains how numbers that seem to clash can all be true."""

from __future__ import annotations

import re

from interviewer.grading.parsed_answer import ParsedAnswer

_CAUSE = re.compile(
    r"\b(?:re-?start\w*|resum(?:ed|ing)|crash\w*|outages?|downtime|preempt\w*|(?:dead|broken|lost)"
    r" nodes?|queue\w*|idle|pad(?:ded|ding)|pack(?:ed|ing)|(?:activation|gradient) checkpoint\w*"
    r"|recomput\w*|(?:counted|count|counts|counting) (?:\w+ ){0,3}?(?:twice|double)"
    r"|double[- ]count\w*|warm-?up|ramp(?:ed|ing)?|evaluations?|(?:an)?other (?:phase|stage|run"
    r"|cluster|model)s?|different (?:phase|stage|run|cluster|model)s?|(?:first|second|third|two"
    r"|three|later|earlier) (?:phase|stage)s?|mixture of experts|moe|active parameters|fp8"
    r"|lora|adapters?|frozen|froze|embeddings|subset|upsampl\w*|dedup\w*|masked|shared (?:cluster"
    r"|nodes?|machines?)|off-?load\w*|accumulat\w*)\b"
)
"""What commonly lies behind such numbers."""
_REASON = re.compile(
    r"\b(?:because|since|due to|that's why|the reason|not counting|without counting|excluding"
    r"|excludes?|including|includes?|on top of|of which|per (?:node|gpu|card|device|step|rank)"
    r"|for each|each (?:node|gpu|card|device|rank))\b"
)
_DOUBT = re.compile(
    r"\b(?:maybe|perhaps|probably|possibly|might|may|could|i guess|i suppose|i think|not sure"
    r"|don't know|no idea|if)\b|\?$"
)
_DENIED = re.compile(r"(?:\b(?:no|not|never|without|neither|nor)|n't)\b[^,.;:]{0,30}$")


def explains(reply: ParsedAnswer, sentence: str) -> bool:
    """The reply names a cause, or gives a reason with a number that the sentence does not hold.

    In doubt it does not: what is guessed, asked or denied explains nothing.
    """
    raised = {numeral.value for numeral in ParsedAnswer(sentence).numerals}
    for start, end in reply.sentences:
        text = reply.plain.text[start:end]
        if _DOUBT.search(text):
            continue
        if any(not _DENIED.search(text[: cause.start()]) for cause in _CAUSE.finditer(text)):
            return True
        numbers = {n.value for n in reply.numerals if start <= n.span[0] < end}
        if _REASON.search(text) and numbers - raised:
            return True
    return False
