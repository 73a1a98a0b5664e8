"""What a candidate takes back in the same breath: one rule, used everywhere.

Functions take text in matching form; spans are of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from interviewer.rubric.text import Span

_LEAD = r"(?:^|(?<=[,.;:(-])|(?<=[,.;:(-] ))"
_IN_BREATH = (
    rf"{_LEAD}(?:(?:oh|hm+|well|er|uh|um|ah|but|and|actually)\W+)*"
    r"(?:no,? wait|wait,? no|no,? sorry|sorry,? no|no,? no|sorry(?=\W)|no(?=,)|hold on|i meant"
    r"|i mean(?=(?: [^\s,]+){1,2}(?:[.,;:!]|$))|or rather|make that|correction(?=\W))\b"
)
_TAKES_BACK = re.compile(
    r"\b(?:scratch|strike) (?:that|this|it)\b|\bi(?:'ll| will| have to| must)? take (?:that|it"
    r"|this|those) back\b|\bforget (?:that|what i (?:just )?said)\b|\bi misspoke\b"
    r"|\blet me correct (?:that|myself)\b"
    r"|\b(?:that's|that is|that was) (?:wrong|not right|not true)(?= of me|[,.;:!]|$)"
)
_OPENS_WITH = re.compile(
    r"\W*(?:(?:hm+|oh|ah|er+m?)\W+)?(?:actually,? no|wait(?=,)|no,? wait|sorry,? no)\b"
)
_CUE = re.compile(f"{_IN_BREATH}|{_TAKES_BACK.pattern}")
_WITHIN = re.compile(r"^(?:no|sorry|i meant?|or rather|make that|correction)$")
"""At the beginning of a sentence they answer or go on."""
_CLAUSE_END = re.compile(r"[,;:](?= )")
_NUMBER = (
    r"(?:[~$]?\d[\d.,]*[a-z%]*|(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|sixteen)+)"
)
_FIGURE = re.compile(rf"(?<![\w.]){_NUMBER}(?:[ -][a-z%/]+){{0,2}}$")
_INSTEAD = re.compile(rf"\W*(?:\w+ ){{0,2}}?{_NUMBER}(?!\w)")
"""Another figure in its place: then no more than the figure is gone."""


def withdrawing_words(text: str) -> Span | None:
    """Where the text takes back what was said before it, None if nowhere.

    What is corrected in the same breath was never said.
    """
    found = _TAKES_BACK.search(text) or _OPENS_WITH.match(text)
    return found.span() if found else None


def withdrawn(text: str, sentences: Sequence[Span]) -> Iterator[Span]:
    """What is gone, with the words that take it back: the clause or the sentence before them."""
    before = {sentence: last for last, sentence in pairwise(sentences)}
    for cue, sentence in _cues(text, sentences):
        start = sentence[0]
        said = _before(text, start, cue)
        if said:
            clauses = [match.end() for match in _CLAUSE_END.finditer(said)]
            figure = _FIGURE.search(said) if _INSTEAD.match(text, cue.end()) else None
            begins = figure.start() if figure else clauses[-1] if clauses else 0
            yield start + begins, cue.end()
        elif sentence in before:
            yield before[sentence][0], cue.end()


def _cues(text: str, sentences: Sequence[Span]) -> Iterator[tuple[re.Match[str], Span]]:
    """The words that take something back, each with its sentence."""
    for start, end in sentences:
        for cue in _CUE.finditer(text, start, end):
            if _before(text, start, cue) or not _WITHIN.search(cue[0]):
                yield cue, (start, end)


def _before(text: str, start: int, cue: re.Match[str]) -> str:
    return text[start : cue.start()].rstrip(" ,;:.-")
