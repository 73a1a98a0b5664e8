"""Whether the candidate asserts what a pattern found: one rule for credit and for contradictions.

A sentence that denies anything, reports a view or asks asserts nothing that the pattern did not ask
for. That passes over right answers, which costs a question, and never invents what was not said.
Functions take text in matching form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from interviewer.grading.claims.catalog import table
from interviewer.rubric.patterns import compile_pattern
from interviewer.rubric.text import (
    CLAUSE_BREAK,
    NEGATOR,
    Span,
    has_negator,
    is_negated_before,
    overlapping,
)

_ANOTHER_WORD = re.compile(r"(?:less(?:ly|ness)?|ful(?:ly)?|free)\b|[a-z]?e?r than\b")
"""Behind a hit: it ended within another word ("harm" in "harmless", "big" in "bigger than")."""


@cache
def _words() -> dict[str, re.Pattern[str]]:
    listed = table("words", __package__)
    return {name: re.compile("|".join(patterns)) for name, patterns in listed.items()}


def denies(text: str, sentences: Sequence[Span], hit: Span) -> bool:
    """A clause of the hit denies something; what it sets apart afterwards it may deny."""
    for n in overlapping(sentences, hit):
        begin, end = clause_of(text, sentences[n], hit)
        until = min(hit[1], end)
        if has_negator(text[begin:until]) or has_negator(_CONTRASTS.sub(" ", text[until:end])):
            return True
    return False


_CONTRASTS = re.compile(
    r"\b(?:without|instead of|rather than|(?:nothing|no) (?:else|other|more))\b"
)


def clause_of(text: str, sentence: Span, hit: Span) -> Span:
    """The clause, or clauses, of the sentence that the hit touches."""
    start, end = max(hit[0], sentence[0]), min(hit[1], sentence[1])
    before = [each.end() for each in CLAUSE_BREAK.finditer(text, sentence[0], start)]
    after = CLAUSE_BREAK.search(text, end, sentence[1])
    return (before[-1] if before else sentence[0]), (after.start() if after else sentence[1])


def is_asserted(text: str, sentences: Sequence[Span], hit: Span, regex: str) -> bool:
    """The hit is what they say is so: not denied, asked, supposed, another's or called wrong."""
    if (
        _takes_in_a_negator(text[slice(*hit)], regex)
        or is_negated_before(text, hit)
        or _ANOTHER_WORD.match(text, hit[1])
    ):
        return False
    words = _words()
    joined = words["another_clause"].search(text[slice(*hit)])
    if joined and joined[0] not in regex:
        return False
    for n in overlapping(sentences, hit):
        sentence = text[slice(*sentences[n])]
        lead = text[slice(*sentences[n - 1])] if n else ""
        begin, end = clause_of(text, sentences[n], hit)
        following = text[end : sentences[n + 1][1] if n + 1 < len(sentences) else len(text)]
        if (
            sentence.endswith("?")
            or words["not_their_own"].search(sentence)
            or (lead.endswith(":") and words["not_their_own"].search(lead))
            or (text[end:].startswith(",") and words["supposed"].match(text, begin, hit[0]))
            or words["called_wrong"].match(following)
        ):
            return False
    return True


def _takes_in_a_negator(found: str, regex: str) -> bool:
    """With one of its negators blotted out the pattern still matches, so it asked for none."""
    pattern = compile_pattern(regex)
    return any(
        pattern.search(f"{found[: each.start()]}{'q' * len(each[0])}{found[each.end() :]}")
        for each in NEGATOR.finditer(found)
    )
