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
from interviewer.grading.evidence import candidate_turns
from interviewer.grading.transcript import Turn
from interviewer.grading.verdicts import Finding, Flag, Judgement
from interviewer.rubric.negation import has_negator, is_negated, looks_for_negator
from interviewer.rubric.patterns import AllOfMatch, best_match
from interviewer.rubric.rubric import AllOf, Criterion, Rubric, Verdict
from interviewer.rubric.text import Normalised, Span, normalise, sentences, windows

PATTERN_WEIGHT, RECALL_WEIGHT = 0.7, 0.3
MET_FROM, PARTIAL_FROM = 0.7, 0.45
MET_RECALL_FROM = 0.75
"""Without patterns only words are left to go by, so more of them are asked for."""
RECITED_FROM = 0.6
RECITED_WORDS = 30
QUOTE_CHARACTERS = 240


@dataclass(frozen=True)
class _Said:
    """An answer turn made ready for matching, once for all criteria."""

    turn: Turn
    plain: Normalised
    sentences: tuple[Span, ...]
    windows: tuple[Span, ...]

    @classmethod
    def of(cls, turn: Turn) -> _Said:
        plain = normalise(turn.text)
        return cls(turn, plain, sentences(plain), windows(plain))


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
    said = [_Said.of(turn) for turn in answers]
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
    partial = reading.verdict is Verdict.PARTIAL
    return Finding(
        criterion,
        reading.quote,
        reading.verdict,
        missing="Touched, but not said in full." if partial else "",
        vague=partial,
    )


def _read(rubric: Rubric, turns: Sequence[Turn], criterion: Criterion, said: _Said) -> _Reading:
    guard = _Guard(criterion, said)
    wrong = _misconception(criterion, said)
    raw = best_match(criterion.patterns, said.plain.text, said.windows)
    if raw.fraction == 1 and guards.is_keyword_list(said.plain.text):
        return _held_back("Terms without a sentence that explains them.", Flag.KEYWORD_LIST)
    hit = max(
        (guard.best_hit(alternative) for alternative in criterion.patterns),
        key=lambda match: match.fraction,
        default=AllOfMatch(0.0),
    )
    if wrong and hit.fraction == 1:
        return _held_back("Said both this and its opposite.", Flag.BOTH_SIDES)
    if wrong:
        return _Reading(Verdict.CONTRADICTED, _quote(said, wrong.spans))
    window, overlap = _overlap(rubric, turns, criterion, said)
    if not guard.lets_through(window, negative=has_negator(normalise(criterion.claim).text)):
        overlap = 0.0
    verdict = _verdict(criterion, hit.fraction, overlap)
    if verdict is not Verdict.MET and raw.fraction == 1:
        return _held_back("Said in a way that turns it round.", guard.flag)
    quote = _quote(said, hit.spans or (window,)) if verdict is not Verdict.NOT_MET else ""
    return _Reading(verdict, quote)


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


class _Guard:
    """Decides of each hit whether it stands for the criterion, and remembers a hedge."""

    def __init__(self, criterion: Criterion, said: _Said) -> None:
        self._phrasings = tuple(
            normalise(text).text for text in (criterion.claim, *criterion.accept)
        )
        self._said = said
        self.flag: Flag | None = None

    def best_hit(self, alternative: AllOf) -> AllOfMatch:
        """The most of the alternative that stands as said."""
        negative = any(looks_for_negator(regex) for regex in alternative)

        def counts(_text: str, span: Span) -> bool:
            return self.lets_through(span, negative=negative)

        return best_match([alternative], self._said.plain.text, self._said.windows, counts)

    def lets_through(self, span: Span, *, negative: bool) -> bool:
        """The hit is neither turned round nor hedged away nor, unless meant so, negated."""
        text = self._said.plain.text
        for start, end in self._said.sentences:
            if start >= span[1] or end <= span[0]:
                continue
            sentence = text[start:end]
            if guards.takes_both_sides(sentence):
                self.flag = Flag.BOTH_SIDES
                return False
            if guards.is_swapped(sentence, self._phrasings):
                return False
        return negative or not is_negated(text, span)


def _misconception(criterion: Criterion, said: _Said) -> AllOfMatch | None:
    alternatives = (a for wrong in criterion.misconceptions for a in wrong.patterns)
    for alternative in alternatives:
        negative = any(looks_for_negator(regex) for regex in alternative)

        def stated(text: str, span: Span, negative: bool = negative) -> bool:
            return negative or not is_negated(text, span)

        match = best_match([alternative], said.plain.text, said.windows, stated)
        if match.fraction == 1:
            return match
    return None


def _overlap(
    rubric: Rubric, turns: Sequence[Turn], criterion: Criterion, said: _Said
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


def _quote(said: _Said, spans: Sequence[Span]) -> str:
    """The candidate's words around the spans, as typed: whole sentences where they are short."""
    start, end = min(a for a, _ in spans), max(b for _, b in spans)
    around = [(a, b) for a, b in said.sentences if a < end and start < b]
    if around and around[-1][1] - around[0][0] <= QUOTE_CHARACTERS:
        start, end = around[0][0], around[-1][1]
    elif around and end - start > QUOTE_CHARACTERS:
        start, end = around[0]
    else:
        start, end = _with_neighbours(said.plain.text, start, end)
    first, last = said.plain.original_span(start, end)
    return said.turn.text[first:last]


def _with_neighbours(text: str, start: int, end: int) -> Span:
    """The span grown to whole words and two more on each side, so that it reads."""
    for _ in range(3):
        start = text.rfind(" ", 0, max(0, start - 1)) + 1
        following = text.find(" ", end + 1)
        end = len(text) if following < 0 else following
    return start, end


def _is_recited(rubric: Rubric, turn: Turn) -> bool:
    long_enough = len(words(turn.text)) >= RECITED_WORDS
    return long_enough and shared_trigrams(turn.text, (rubric.reference,)) >= RECITED_FROM
