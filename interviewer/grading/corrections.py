"""What a candidate takes back in the same breath: one rule, used everywhere.

Functions take text in matching form; spans are of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from interviewer.rubric.text import Span

_LEAD = r"(?:^|(?<=[,.;:(-])|(?<=[,.;:(-] ))"
_CUE = re.compile(
    rf"{_LEAD}(?:(?:oh|hm+|well|er|uh|um|ah|but|and|actually)\W+)*"
    r"(?:no,? wait|wait,? no|no,? sorry|sorry,? no|no,? no|sorry(?=\W)|no(?=,)|hold on"
    r"|i mean(?:t)?|or rather|make that|correction(?=\W)|let me correct (?:that|myself)"
    r"|i misspoke)\b"
    r"|\b(?:scratch|strike) (?:that|this|it)\b|\bi(?:'ll| will| have to| must)? take (?:that|it"
    r"|this|those) back\b|\bforget (?:that|what i (?:just )?said)\b"
    r"|\b(?:that's|that is|that was) (?:wrong|not right|not true)(?= of me|[,.;:!]|$)"
)
_WITHIN = re.compile(r"^(?:no|sorry|i meant?|or rather|make that|correction)$")
"""At the beginning of a sentence they answer or go on."""
_CLAUSE_END = re.compile(r"[,;:](?= )")


def correcting_words(text: str) -> Span | None:
    """Where the text takes something back, None if nowhere."""
    found = _CUE.search(text)
    return found.span() if found else None


def withdrawn(text: str, sentences: Sequence[Span]) -> Iterator[Span]:
    """What is gone: the clause before the words that take it back, or the sentence before."""
    for before, (start, end) in pairwise(((0, 0), *sentences)):
        for cue in _CUE.finditer(text, start, end):
            said = text[start : cue.start()].rstrip(" ,;:.-")
            if said:
                clauses = [match.end() for match in _CLAUSE_END.finditer(said)]
                yield start + (clauses[-1] if clauses else 0), cue.start()
            elif before[1] and not _WITHIN.search(cue[0]):
                yield before
