"""What to say next time: every point that lost weight, beside the reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from interviewer.examiner.lexical import content_stems
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.interview.debrief.lines import CriterionLine
from interviewer.interview.debrief.quotes import Quote, opening
from interviewer.rubric.patterns import best_match
from interviewer.rubric.rubric import Criterion, Rubric
from interviewer.rubric.text import normalise, whole_sentences


@dataclass(frozen=True)
class Lesson:
    """A point that was not made in full.

    ``said`` is what the candidate brought on it, None where that was nothing: the words that were
    judged, else how they began to answer the follow-up aimed at it. ``reference`` is what
    the reference answer says on it, "" where nothing in it shares a word with the claim.
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
        yield Lesson(line, said, told_in(rubric.reference, line.criterion))


def judged_words(line: CriterionLine, turns: Sequence[Turn]) -> Quote | None:
    """The evidence of the line's verdict, None where it rests on none."""
    verdict = line.verdict
    if verdict is None or verdict.span is None:
        return None
    return Quote(next(turn for turn in turns if turn.number == verdict.turn), verdict.span)


def told_in(reference: str, criterion: Criterion) -> str:
    """Where the reference makes the point: of the sentences that its patterns hit, the nearest.

    Without a hit it is the sentence nearest the claim, "" where none shares a word with it.
    """
    said = tuple(whole_sentences(reference))
    hit = [sentence for sentence in said if _hits(criterion, sentence)]
    pairs = [f"{one} {other}" for one, other in pairwise(said)]
    hit = hit or [pair for pair in pairs if _hits(criterion, pair)]
    return nearest((criterion.claim, *criterion.accept), hit or said)


def _hits(criterion: Criterion, text: str) -> bool:
    return best_match(criterion.patterns, normalise(text).text).fraction == 1


def nearest(phrasings: Sequence[str], texts: Sequence[str]) -> str:
    """The text that shares most content words with a phrasing, by Dice's coefficient (1945)."""
    wanted = [content_stems(phrasing) for phrasing in phrasings]
    best, found = 0.0, ""
    for text in texts:
        said = content_stems(text)
        shared = max(2 * len(w & said) / max(1, len(w) + len(said)) for w in wanted)
        if shared > best:
            best, found = shared, text
    return found


def _reply_on(criterion: Criterion, turns: Sequence[Turn]) -> Quote | None:
    """How the candidate began to answer the latest follow-up on this criterion."""
    spoken = [turn for turn in turns if turn.kind is not TurnKind.BENCH]
    for asked, reply in reversed(list(pairwise(spoken))):
        if asked.target == criterion.id and reply.kind is TurnKind.ANSWER:
            return opening(reply)
    return None
