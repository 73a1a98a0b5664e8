"""Whether the candidate asserts what a pattern found: one rule for credit and for contradictions.

A sentence that denies anything, reports a view or asks asserts nothing that the pattern did not ask
for. That passes over right answers, which costs a question, and never invents what was not said.
Functions take text in matching form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import yaml

from interviewer.rubric.text import (
    Span,
    has_negator,
    is_negated_before,
    looks_for_negator,
    overlapping,
)

_ANOTHER_WORD = re.compile(r"(?:less(?:ly|ness)?|ful(?:ly)?|free)\b|[a-z]?e?r than\b")
"""Behind a hit: it ended within another word ("harm" in "harmless", "big" in "bigger than")."""


@cache
def _words() -> dict[str, re.Pattern[str]]:
    listed = yaml.safe_load((files(__package__) / "words.yaml").read_text(encoding="utf-8"))
    return {name: re.compile("|".join(patterns)) for name, patterns in listed.items()}


def denies(text: str, sentences: Sequence[Span], hit: Span) -> bool:
    """A sentence of the hit denies something."""
    return any(has_negator(text[slice(*sentences[n])]) for n in overlapping(sentences, hit))


def is_asserted(text: str, sentences: Sequence[Span], hit: Span, regex: str) -> bool:
    """The hit is what they say is so: not denied, asked, another's or called wrong."""
    found = text[slice(*hit)]
    denied = has_negator(found) and not looks_for_negator(regex)
    if denied or is_negated_before(text, hit) or _ANOTHER_WORD.match(text, hit[1]):
        return False
    words = _words()
    for n in overlapping(sentences, hit):
        sentence = text[slice(*sentences[n])]
        lead = text[slice(*sentences[n - 1])] if n else ""
        following = text[slice(*sentences[n + 1])] if n + 1 < len(sentences) else ""
        if (
            sentence.endswith("?")
            or words["not_their_own"].search(sentence)
            or (lead.endswith(":") and words["not_their_own"].search(lead))
            or words["called_wrong"].match(following)
        ):
            return False
    return True
