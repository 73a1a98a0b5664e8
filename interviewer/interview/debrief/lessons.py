"""What to say next time: every point that lost weight, beside the reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from interviewer.examiner.lexical import content_stems
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.interview.debrief.lines import CriterionLine
from interviewer.interview.debrief.quotes import Quote, opening
from interviewer.rubric.rubric import Criterion, Rubric
from interviewer.rubric.text import normalise, sentences


@dataclass(frozen=True)
class Lesson:
    """A point that was not made in full.

    ``said`` is what the candidate brought on it, None where that was nothing: the words that were
    judged, else how they began to answer the follow-up aimed at it. ``reference`` is the sentence
    of the reference answer nearest the claim, "" where none shares a word with it.
    """

    line: CriterionLine
    said: Quote | None
    reference: str


def lessons(
    rubric: Rubric, turns: Sequence[Turn], lines: Sequence[CriterionLine]
) -> Iterator[Lesson]:
    """A lesson for each criterion that lost weight, heaviest loss first."""
    lost = [line for line in lines if line.lost > 0]
    for line in sorted(lost, key=lambda line: -line.lost):
        said = judged_words(line, turns) or _reply_on(line.criterion, turns)
        yield Lesson(line, said, nearest_sentence(line.criterion.claim, rubric.reference))


def judged_words(line: CriterionLine, turns: Sequence[Turn]) -> Quote | None:
    """The evidence of the line's verdict, None where it rests on none."""
    verdict = line.verdict
    if verdict is None or verdict.span is None:
        return None
    return Quote(next(turn for turn in turns if turn.number == verdict.turn), verdict.span)


def nearest_sentence(claim: str, reference: str) -> str:
    """The sentence that shares most content words with the claim, by Dice's coefficient (1945)."""
    wanted = content_stems(claim)
    best, nearest = 0.0, ""
    for sentence in _sentences(reference):
        said = content_stems(sentence)
        shared = 2 * len(wanted & said) / (len(wanted) + len(said)) if said else 0.0
        if shared > best:
            best, nearest = shared, sentence
    return nearest


def _sentences(text: str) -> Iterator[str]:
    """The sentences as written; one that announces the next with a colon is joined to it."""
    plain = normalise(text)
    begin: int | None = None
    for span in sentences(plain):
        first, last = plain.original_span(*span)
        begin = first if begin is None else begin
        if not text[begin:last].endswith(":"):
            yield text[begin:last]
            begin = None
    if begin is not None:
        yield text[begin:].strip()


def _reply_on(criterion: Criterion, turns: Sequence[Turn]) -> Quote | None:
    """How the candidate began to answer the latest follow-up on this criterion."""
    for asked, reply in reversed(list(pairwise(turns))):
        if asked.target == criterion.id and reply.kind is TurnKind.ANSWER:
            return opening(reply)
    return None
