"""The offline judge: authored patterns count 0.7, lexical recall 0.3, and guards may object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from interviewer.examiner.offline import NAME, guards
from interviewer.grading.evidence import MIN_WORDS, candidate_turns
from interviewer.grading.lexical import (
    MIN_CONTENT_WORDS,
    content_stems,
    recall,
    shared_trigrams,
    words,
)
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.grading.transcript import Turn
from interviewer.grading.verdicts import Finding, Flag, Judgement
from interviewer.rubric.patterns import AllOfMatch, best_match
from interviewer.rubric.rubric import AllOf, Criterion, Rubric, Verdict
from interviewer.rubric.text import (
    Span,
    denies,
    has_negator,
    is_denied,
    is_negated,
    is_negated_before,
    looks_for_negator,
    normalise,
)

QUOTE_CHARACTERS = 240


def quote(said: ParsedAnswer, spans: Sequence[Span]) -> str:
    """The candidate's words around the spans, as typed: whole sentences where they are short."""
    start, end = min(a for a, _ in spans), max(b for _, b in spans)
    around = [(a, b) for a, b in said.judged_sentences if a < end and start < b]
    if around and around[-1][1] - around[0][0] <= QUOTE_CHARACTERS:
        start, end = around[0][0], around[-1][1]
    elif around and end - start > QUOTE_CHARACTERS:
        start, end = around[0]
    else:
        start, end = _with_neighbours(said.plain.text, start, end)
    if len(words(said.plain.text[start:end])) < MIN_WORDS:
        start, end = _with_neighbours(said.plain.text, start, end)
    first, last = said.plain.original_span(start, end)
    return said.text[first:last]


def _with_neighbours(text: str, start: int, end: int) -> Span:
    """The span grown to whole words and two more on each side, so that it reads."""
    for _ in range(3):
        start = text.rfind(" ", 0, max(0, start - 1)) + 1
        following = text.find(" ", end + 1)
        end = len(text) if following < 0 else following
    return start, end


class Guard:
    """Decides of each hit whether it stands for the criterion, and remembers a hedge."""

    def __init__(self, criterion: Criterion, said: ParsedAnswer) -> None:
        self._claim = normalise(criterion.claim).text
        self._accept = tuple(normalise(text).text for text in criterion.accept)
        self._wants_list = guards.enumerate_terms(self._accept)
        self._said = said
        self.flag: Flag | None = None

    def best_of(self, alternatives: Sequence[AllOf]) -> AllOfMatch:
        """The most complete of the alternatives, counting only what stands as said."""
        hits = (self._best_hit(alternative) for alternative in alternatives)
        return max(hits, key=lambda match: match.fraction, default=AllOfMatch(0.0))

    def _best_hit(self, alternative: AllOf) -> AllOfMatch:
        text = self._said.plain.text
        negative = any(looks_for_negator(regex) for regex in alternative)

        def counts(_text: str, span: Span, negative: bool = negative) -> bool:
            return self.lets_through(span, negative=negative)

        match = best_match([alternative], text, self._said.windows, counts)
        if negative and not any(has_negator(text[slice(*span)]) for span in match.spans):
            # The negator is one way of saying it, and not the one that was found.
            plain = partial(counts, negative=False)
            match = best_match([alternative], text, self._said.windows, plain)
        return match

    def lets_through(self, span: Span, *, negative: bool) -> bool:
        """The hit is neither turned round nor hedged away nor, unless meant so, negated."""
        text = self._said.plain.text
        for start, end in self._said.judged_sentences:
            if start >= span[1] or end <= span[0]:
                continue
            sentence, at = text[start:end], max(0, span[0] - start)
            to = min(end, span[1]) - start
            lists = not self._wants_list and guards.is_in_a_list(sentence, at, to)
            if lists or guards.is_in_a_bag(sentence, at, to):
                self.flag = Flag.KEYWORD_LIST
                return False
            if guards.takes_both_sides(sentence):
                self.flag = Flag.BOTH_SIDES
                return False
            if (
                guards.is_swapped(sentence, self._claim, self._accept)
                or guards.is_announced(sentence, at)
                or is_denied(sentence, at)
            ):
                return False
        return negative or not is_negated(text, span)


def misconception(criterion: Criterion, said: ParsedAnswer) -> AllOfMatch | None:
    """The first misconception that is stated, and neither negated nor denied itself."""
    alternatives = (a for wrong in criterion.misconceptions for a in wrong.patterns)
    for alternative in alternatives:
        negative = any(looks_for_negator(regex) for regex in alternative)

        def stated(text: str, span: Span, negative: bool = negative) -> bool:
            turned = is_negated_before if negative else is_negated
            return not turned(text, span) and not _is_denied(said, span)

        match = best_match([alternative], said.plain.text, said.windows, stated)
        if match.fraction == 1:
            return match
    return None


def _is_denied(said: ParsedAnswer, span: Span) -> bool:
    return any(
        is_denied(said.plain.text[start:end], span[0] - start)
        for start, end in said.judged_sentences
        if start <= span[0] < end
    )


def denial(criterion: Criterion, said: ParsedAnswer, hit: AllOfMatch) -> AllOfMatch | None:
    """The whole point inside a sentence that denies it, where that is the last word on it."""
    text = said.plain.text
    affirmed_at = min((a for a, _ in hit.spans), default=-1) if hit.fraction == 1 else -1
    for start, end in reversed(said.judged_sentences):
        if start <= affirmed_at or not denies(text[start:end]):
            continue
        match = best_match((*criterion.patterns, *criterion.partly), text, [(start, end)])
        first = min((a for a, _ in match.spans), default=start)
        if match.fraction == 1 and is_denied(text[start:end], first - start):
            return match
    return None


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
    if sum(len(turn.parsed.stems) for turn in answers) < MIN_CONTENT_WORDS:
        findings = [Finding(c.id, "", Verdict.NOT_MET) for c in rubric.criteria]
        return Judgement(tuple(findings), NAME, frozenset({Flag.TOO_SHORT}))
    readings = {c: [_read(rubric, turns, c, turn) for turn in answers] for c in rubric.criteria}
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


def _read(rubric: Rubric, turns: Sequence[Turn], criterion: Criterion, answer: Turn) -> _Reading:
    said = answer.parsed
    text = said.plain.text
    if any(guards.repeats(text[a:b], criterion.claim) for a, b in said.judged_sentences):
        return _held_back("Word for word what the answer key says.", Flag.RECITED)
    guard = Guard(criterion, said)
    raw = best_match(criterion.patterns, said.plain.text, said.windows)
    hit = guard.best_of(criterion.patterns)
    wrong = misconception(criterion, said) or denial(criterion, said, hit)
    if wrong:
        flag = Flag.BOTH_SIDES if hit.fraction == 1 else None
        return _Reading(Verdict.CONTRADICTED, quote(said, wrong.spans), flag=flag)
    window, overlap = _overlap(rubric, turns, criterion, answer)
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
    rubric: Rubric, turns: Sequence[Turn], criterion: Criterion, answer: Turn
) -> tuple[Span, float]:
    """The window that shares most words with a right phrasing, and the share, 0..1.

    Words that the question or the examiner brought in are nobody's evidence and do not count.
    """
    before = (t for t in turns if t.author == "examiner" and t.number < answer.number)
    given = content_stems(rubric.question).union(*(t.parsed.stems for t in before))
    wanted = [content_stems(p) - given for p in (criterion.claim, *criterion.accept)]
    said = answer.parsed
    text = said.plain.text
    best: tuple[Span, float] = ((0, len(text)), 0.0)
    for span in said.windows:
        here = content_stems(text[slice(*span)])
        share = max((recall(stems, here) for stems in wanted if len(stems) >= 3), default=0.0)
        if share > best[1]:
            best = (span, share)
    return best


def _is_recited(rubric: Rubric, turn: Turn) -> bool:
    long_enough = len(turn.parsed.words) >= RECITED_WORDS
    return long_enough and shared_trigrams(turn.text, (rubric.reference,)) >= RECITED_FROM
