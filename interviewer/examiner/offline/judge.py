"""The offline verdict: authored patterns 0.7, lexical recall 0.3, and the guards.

The weights are those measured best on a neural-network exam (patterns alone r 0.45, with recall
0.47). It is a coverage check: it sees whether a point was made, not whether the reasoning holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interviewer.examiner.lexical import (
    MIN_CONTENT_WORDS,
    content_stems,
    recall,
    shared_trigrams,
    words,
)
from interviewer.examiner.offline import guards
from interviewer.examiner.offline.about import NAME
from interviewer.examiner.offline.hits import Guard, denial, misconception
from interviewer.examiner.offline.said import Said, quote
from interviewer.grading.evidence import candidate_turns
from interviewer.grading.transcript import Turn
from interviewer.grading.verdicts import Finding, Flag, Judgement
from interviewer.rubric.negation import has_negator
from interviewer.rubric.patterns import best_match
from interviewer.rubric.rubric import Criterion, Rubric, Verdict
from interviewer.rubric.text import Span, normalise

PATTERN_WEIGHT, RECALL_WEIGHT = 0.7, 0.3
MET_FROM, PARTIAL_FROM = 0.7, 0.45
MET_RECALL_FROM = 0.75
"""Without patterns only words are left to go by, so more of them are asked for."""
RECITED_FROM = 0.6
RECITED_WORDS = 30


_WHY: dict[Flag | None, str] = {
    Flag.KEYWORD_LIST: "Terms without a sentence that explains them.",
    Flag.BOTH_SIDES: "Hedged both ways.",
}


@dataclass(frozen=True)
class _Reading:
    """What one answer turn shows about one criterion."""

    verdict: Verdict
    quote: str = ""
    guarded: str = ""
    """Why a hit was not credited; empty where none was held back."""
    flag: Flag | None = None


def judge(rubric: Rubric, turns: Sequence[Turn]) -> Judgement:
    """The findings on every criterion over all answers of the question. Deterministic."""
    answers = candidate_turns(turns)
    if sum(len(content_stems(turn.text)) for turn in answers) < MIN_CONTENT_WORDS:
        findings = [Finding(c.id, "", Verdict.NOT_MET) for c in rubric.criteria]
        return Judgement(tuple(findings), NAME, frozenset({Flag.TOO_SHORT}))
    said = [Said.of(turn) for turn in answers]
    readings = {c: [_read(rubric, turns, c, each) for each in said] for c in rubric.criteria}
    flags = {reading.flag for each in readings.values() for reading in each if reading.flag}
    if any(_is_recited(rubric, turn) for turn in answers):
        flags.add(Flag.RECITED)
    findings = [_finding(criterion, each) for criterion, each in readings.items()]
    return Judgement(tuple(findings), NAME, frozenset(flags))


def _finding(criterion: Criterion, readings: Sequence[_Reading]) -> Finding:
    """What stands over all answers: the best that was said since the last contradiction."""
    since = max(
        (i for i, r in enumerate(readings) if r.verdict is Verdict.CONTRADICTED), default=-1
    )
    settled = readings[since + 1 :]
    for wanted in (Verdict.MET, Verdict.PARTIAL):
        if made := next((r for r in settled if r.verdict is wanted), None):
            return _as_finding(made, criterion.id)
    if since >= 0:
        return _as_finding(readings[since], criterion.id)
    guarded = next((r.guarded for r in readings if r.guarded), "")
    return Finding(criterion.id, "", Verdict.NOT_MET, missing=guarded, vague=bool(guarded))


def _as_finding(reading: _Reading, criterion: str) -> Finding:
    touched = reading.verdict is Verdict.PARTIAL
    return Finding(
        criterion,
        reading.quote,
        reading.verdict,
        missing="Touched, but not said in full." if touched else "",
        vague=touched,
    )


def _read(rubric: Rubric, turns: Sequence[Turn], criterion: Criterion, said: Said) -> _Reading:
    text = said.plain.text
    if any(guards.repeats(text[a:b], criterion.claim) for a, b in said.sentences):
        return _held_back("Word for word what the answer key says.", Flag.RECITED)
    guard = Guard(criterion, said)
    raw = best_match(criterion.patterns, said.plain.text, said.windows)
    hit = guard.best_of(criterion.patterns)
    wrong = misconception(criterion, said) or denial(criterion, said, hit)
    if wrong:
        flag = Flag.BOTH_SIDES if hit.fraction == 1 else None
        return _Reading(Verdict.CONTRADICTED, quote(said, wrong.spans), flag=flag)
    window, overlap = _overlap(rubric, turns, criterion, said)
    if not guard.lets_through(window, negative=has_negator(normalise(criterion.claim).text)):
        overlap = 0.0
    verdict = _verdict(criterion, hit.fraction, overlap)
    if criterion.partly and hit.fraction < 1:
        touched = guard.best_of(criterion.partly)
        if touched.fraction == 1:
            return _Reading(Verdict.PARTIAL, quote(said, touched.spans))
        verdict = Verdict.NOT_MET
    if verdict is not Verdict.MET and raw.fraction == 1:
        return _held_back(_WHY.get(guard.flag, "Said in a way that turns it round."), guard.flag)
    words_of_it = quote(said, hit.spans or (window,)) if verdict is not Verdict.NOT_MET else ""
    return _Reading(verdict, words_of_it)


def _verdict(criterion: Criterion, fraction: float, overlap: float) -> Verdict:
    if criterion.patterns:
        score = PATTERN_WEIGHT * fraction + RECALL_WEIGHT * overlap
        met_from = MET_FROM
    else:
        score, met_from = overlap, MET_RECALL_FROM
    if score >= met_from - 1e-9:
        return Verdict.MET
    return Verdict.PARTIAL if score >= PARTIAL_FROM else Verdict.NOT_MET


def _held_back(why: str, flag: Flag | None) -> _Reading:
    return _Reading(Verdict.NOT_MET, guarded=why, flag=flag)


def _overlap(
    rubric: Rubric, turns: Sequence[Turn], criterion: Criterion, said: Said
) -> tuple[Span, float]:
    """The window that shares most words with a right phrasing, and the share, 0..1.

    Words that the question or the examiner brought in are nobody's evidence and do not count.
    """
    before = (t for t in turns if t.author == "examiner" and t.number < said.turn.number)
    given = content_stems(rubric.question).union(*(content_stems(t.text) for t in before))
    wanted = [content_stems(p) - given for p in (criterion.claim, *criterion.accept)]
    text = said.plain.text
    best: tuple[Span, float] = ((0, len(text)), 0.0)
    for span in said.windows:
        here = content_stems(text[slice(*span)])
        share = max((recall(stems, here) for stems in wanted if len(stems) >= 3), default=0.0)
        if share > best[1]:
            best = (span, share)
    return best


def _is_recited(rubric: Rubric, turn: Turn) -> bool:
    long_enough = len(words(turn.text)) >= RECITED_WORDS
    return long_enough and shared_trigrams(turn.text, (rubric.reference,)) >= RECITED_FROM
