"""Answers with nothing in them to judge: settled in code, without a call.

Judges have been seen to pass empty phrases, so none is asked about them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from interviewer.examiner.lexical import MIN_CONTENT_WORDS, content_stems
from interviewer.grading.evidence import candidate_turns
from interviewer.grading.quantities import quantities
from interviewer.grading.transcript import Turn

MIN_OTHER_LETTERS = 6
"""Letters beyond ASCII after which a text counts as said in another script."""
_OTHER_LETTER = re.compile(r"[^\W\d_\x00-\x7f]")


def says_too_little(turns: Iterable[Turn]) -> bool:
    """All answers together hold neither three content words nor a number with its unit."""
    answers = [turn.text for turn in candidate_turns(turns)]
    if sum(len(content_stems(text)) for text in answers) >= MIN_CONTENT_WORDS:
        return False
    if any(quantity.tail for text in answers for quantity in quantities(text)):
        return False
    return sum(len(_OTHER_LETTER.findall(text)) for text in answers) < MIN_OTHER_LETTERS
