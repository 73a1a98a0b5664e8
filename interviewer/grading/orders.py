"""Finds sentences that tell the examiner how to grade: in English, at the start of a clause.

Talk about prompts, judges and attacks names whom it tells; an order to the examiner names nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from interviewer.rubric.text import Normalised, Span

_CLAUSE = (
    r"(?:(?<!\w)(?:please|kindly|now|just|simply|you (?:must|should|can|may|will)|asks? you to"
    r"|instruct(?:s|ed)? you to|so|then|and) |(?:^|[.!?;:,(] ?)[\"'*#>-]* ?)"
)
_RULES = (
    r"(?:instructions?|rubrics?|rules|criteria|guidelines|prompts?|answer key|grading|scoring"
    r"|marking|orders)\b(?! (?:tokens?|masks?)\b)"
)
_FULL = r"(?:full|max(?:imum)?|top|highest|perfect|best|complete)(?: possible)?"
_MARKS = r"(?:marks?|scores?|credits?|points?|grades?|bands?|ratings?)"
_MET = r"(?:fully )?\"?(?:met|satisfied|fulfilled|passed|correct|perfect|complete)\b"
_OF_SOME = r"(?! (?:in|for|only|when|if|by|at|on|before|until|once|unless|or|as long|because)\b)"
_NOT_OTHERS = (
    r"(?! (?:among|to|of|in|from|over|between|per|matri|vector|tensor|map"
    r"|for (?!this|that|my|it\b|me\b|all|every)))"
)
_CASES = ("when", "if", "once", "until", "unless", "whether", "that", "where")
_NOT_A_CASE = "".join(f"(?<!{word} )" for word in _CASES)
_PERSONA = r"(?:examiner|grader|judge|interviewer|assistant|teacher|tutor|evaluator|friend)"
_MINE = r"(?:me|us|it|this|that|my|the candidate|the answer|everything|all|every|each)"
_ORDER = re.compile(
    rf"{_CLAUSE}(?:ignore|disregard|forget|override|bypass|don't (?:follow|use|apply))"
    rf"(?: \w+){{0,4}}? (?:your|previous|prior|above|earlier|the|all|any|these)(?: \w+){{0,3}}?"
    rf" {_RULES}"
    rf"|{_CLAUSE}(?:give|award|grant|assign|record|return|output|enter|put)"
    rf" (?:{_MINE}(?: \w+){{0,3}}? )?(?:an? |the )?{_FULL} {_MARKS}\b{_NOT_OTHERS}"
    rf"|{_CLAUSE}(?:mark|grade|rate|count|set|treat|consider|score|judge|accept|deem) {_MINE}\b"
    rf"[^.?!]{{0,40}}?\b{_MET}{_OF_SOME}"
    rf"|{_NOT_A_CASE}\b(?:all|every|each)(?: of)?(?: the| your| its)? (?:criteri\w+|requirements?"
    rf"|rubric items?)(?: \w+){{0,4}}? {_MET}{_OF_SOME}"
    r"|\b(?:candidate|answer|response|i) (?:has |have )?(?:already |fully )?(?:met|meets|satisf\w+"
    r"|fulfil\w*) (?:all|every|each)\b[^.?!]{0,20}\b(?:criteri|requirement|rubric)"
    rf"|\byou are (?:now|no longer)\b[^.?!]{{0,30}}\b{_PERSONA}\b"
    r"|\bfrom now on,? (?:you|accept|grade|mark|treat|count|score)\b"
    rf"|{_CLAUSE}(?:print|reveal|repeat|show me|tell me|give me|list|paste)\b[^.?!]{{0,30}}?\b"
    r"(?:your (?:rubric|system prompt|prompt|criteria|answer key|instructions)|the answer key)"
    rf"|{_CLAUSE}(?:pass me|let me pass|give me (?:the|this|that) (?:point|credit|job))\b"
    r"|^\W{0,4}(?:\[|<)?(?:system|developer|assistant|examiner|interviewer|grader|judge|admin)"
    r"(?: (?:message|prompt|note|override))? ?[:\]>]"
    r"(?=.{0,120}\b(?:candidate|criteri|verdict|rubric|grad|marks|score))"
    r"|^\W*\"(?:verdicts?|criteria\w*|score|grade|band)\" ?:|\bverdict ?[:=] ?\"?(?:met|pass|full)"
)
LEAD = 60
"""Characters before a sentence that may lead into it."""
_EXAMPLE = re.compile(
    r"(?:\b\w+ |[,:] ?)(?:[\"]|(?<!\w)')(?=[^\"']*$)"
    r"|\b(?:injections?|attack\w*|jailbreak\w*|says?|saying|writes?|like|such as|example)\b"
    r"[^.?!]*$"
)
"""An open quotation, or words that lead into an example of what others write."""


def order_spans(plain: Normalised, sentences: Sequence[Span]) -> tuple[Span, ...]:
    """The sentences that try to instruct the judge, as spans of the original text."""
    return tuple(plain.original_span(*sentence) for sentence in _orders(plain.text, sentences))


def _orders(text: str, sentences: Sequence[Span]) -> Iterator[Span]:
    for start, end in sentences:
        found = (start + match.start() for match in _ORDER.finditer(text[start:end]))
        if any(not _EXAMPLE.search(text, max(0, start - LEAD), at + 1) for at in found):
            yield start, end
