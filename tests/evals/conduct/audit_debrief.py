"""Item 45 of the audit: the debrief names what happened in the talk, each with its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evals.conduct.audit_words import plain, quotations, unquoted
from evals.conduct.auditing import each_question
from evals.conduct.played import Played, Talk

from interviewer.rubric.rubric import Rating
from interviewer.rubric.text import words

_DETAIL = re.compile(r"\s{3,}\S")
_HINT = re.compile(r"\bhints?\b")
_CONTRADICTED = re.compile(r"\bcontradict\w*|\bthe opposite\b|\botherwise\b")
LEAST_QUOTED = 3
"""A shorter quotation shows nothing, unless that was all that was said."""


@dataclass(frozen=True)
class _Event:
    """Something that the debrief has to tell: what, how it may be named, which words show it."""

    what: str
    naming: re.Pattern[str]
    shown_by: tuple[str, ...]


@each_question(45, "the debrief names hints and contradictions, each quoted")
def debrief_tells(played: Played, talk: Talk) -> Iterator[str]:
    if not played.finished:
        return
    entries = [plain(entry) for entry in _entries(played.debrief)]
    for event in _events(talk):
        named = [entry for entry in entries if event.naming.search(unquoted(entry))]
        if not any(_quotes(entry, text) for entry in named for text in event.shown_by):
            yield f"{event.what} is not told in its words: {event.shown_by[0]}"


def _entries(debrief: Sequence[str]) -> Iterator[str]:
    """Each line that stands out, with the details below it."""
    starts = [n for n, line in enumerate(debrief) if not _DETAIL.match(line)]
    for start, end in pairwise([*starts, len(debrief)]):
        yield "\n".join(debrief[start:end])


def _quotes(entry: str, text: str) -> bool:
    """The entry quotes these words, the first of them, or several of their figures."""
    said = " ".join(words(text))
    least = min(LEAST_QUOTED, len(words(text)))
    quoted = [words(each) for each in quotations(entry) if " ".join(words(each)) in said]
    return len(quoted) > 1 or any(len(each) >= least for each in quoted)


def _events(talk: Talk) -> Iterator[_Event]:
    for exchange in talk.exchanges:
        for said in exchange.utterances:
            if said.move == "hint":
                yield _Event("a hint", _HINT, (said.text,))
    own = {criterion.id for criterion in talk.rubric.criteria if criterion.is_own}
    for verdict in talk.grade.verdicts if talk.grade else ():
        if verdict.verdict is Rating.CONTRADICTED and verdict.criterion not in own:
            yield _Event("a contradiction", _CONTRADICTED, (verdict.evidence,))
