"""The debrief of one question: criteria, runs at the bench, lessons, strengths, stalls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from interviewer.examiner.protocol import CloseReason, is_on_own_work
from interviewer.examiner.registry import kind_of
from interviewer.grading.agreement import ExamResult
from interviewer.grading.bands import band_of, mean_band
from interviewer.grading.evidence import first_fault, source_lines
from interviewer.grading.own import NOTHING, Appeal, Own, own_score
from interviewer.grading.score import UNASSISTED, Grade, earnings
from interviewer.grading.transcript import RESPONSES, Author, Turn, TurnKind
from interviewer.grading.verdicts import Flag, Verdict
from interviewer.interview.state import DrillMark, QuestionState, RoundState, rubric_of
from interviewer.plural import pluralize
from interviewer.rubric.importing import ITEM_MARK
from interviewer.rubric.patterns import find
from interviewer.rubric.rubric import Criterion, Further, Rating, Rubric
from interviewer.rubric.text import (
    COMMON_STEMS,
    Span,
    content_stems,
    normalise,
    whole_sentences,
    words,
)
from interviewer.sandbox.challenge import Challenge
from interviewer.sandbox.result import CheckResult

_OPENING_WORDS = 3


@dataclass(frozen=True)
class CriterionLine:
    """A criterion and its result.

    ``earned`` is the weight earned, less the price of hints: negative for a contradiction, 0 if it
    could not be judged.
    """

    criterion: Criterion
    verdict: Verdict
    earned: float = 0.0
    own: Verdict | None = None
    """The candidate's own verdict beside it; it changes none of this, nor does their appeal."""
    examiner: str = ""
    appeal: Appeal | None = None

    @property
    def further(self) -> bool:
        """The harder variant asked for it, not the question."""
        return isinstance(self.criterion, Further)

    @property
    def possible(self) -> float:
        """The weight that the question asks for; 0 for an extra and for what was not judged."""
        return self.criterion.weight if self.verdict.verdict and not self.criterion.extra else 0.0

    @property
    def lost(self) -> float:
        """Weight lost, more than all of it for a contradiction; nothing on an extra."""
        return max(0.0, self.possible - self.earned)


def criterion_lines(
    rubric: Rubric, grade: Grade, own: Own = NOTHING, state: QuestionState | None = None
) -> Iterator[CriterionLine]:
    """One line per criterion, in the rubric's order; ``state`` tells of several examiners."""
    judged, place = (state.judged, state.place) if state else ((), 0)
    by = {v.criterion: j.examiner for j in judged for v in j.verdicts if v in grade.verdicts}
    verdicts = {verdict.criterion: verdict for verdict in grade.verdicts}
    earned = earnings(rubric, grade.verdicts)
    for criterion in rubric.criteria:
        name = criterion.id
        found, weight = verdicts.get(name, Verdict(name, None)), earned.get(name, 0.0)
        theirs, appeal = own.verdicts.get(place, {}).get(name), own.appeals.get((place, name))
        by_whom = by.get(name, grade.examiner)
        yield CriterionLine(criterion, found, weight, theirs, by_whom, appeal)


def heard_in(lines: Iterable[CriterionLine]) -> str:
    """How many of the points asked for were heard; "" where every verdict weighed them."""
    asked = [line for line in lines if line.possible]
    if not any(kind_of(line.examiner).basis for line in asked):
        return ""
    heard = sum(line.verdict.verdict is Rating.MET for line in asked)
    return f"{heard} of {pluralize(len(asked), 'point')} heard"


@dataclass(frozen=True)
class Quote:
    """Words of a turn: its number, and the half-open range in it as typed."""

    turn: int
    author: Author
    text: str
    span: Span


def quote(turn: Turn, span: Span) -> Quote:
    """These characters of a turn. Raises ValueError if they hold no words."""
    start, end = span
    text = turn.text[start:end]
    if not (0 <= start < end <= len(turn.text) and normalise(text).text):
        raise ValueError(f"turn {turn.number} holds no words at {start}:{end}")
    return Quote(turn.number, turn.author, text, span)


def whole(turn: Turn) -> Quote | None:
    """The whole turn, None if it holds no words."""
    return quote(turn, (0, len(turn.text))) if turn.parsed.plain.text else None


def opening(turn: Turn) -> Quote | None:
    """The turn's first sentence, None if it holds no words.

    A mere "Hm, wait." shows nothing, so the next one goes with it.
    """
    parsed = turn.parsed
    if not parsed.sentences:
        return None
    start, end = parsed.sentences[0]
    for _, end in parsed.sentences:
        if len(words(parsed.plain.text[start:end])) >= _OPENING_WORDS:
            break
    return quote(turn, parsed.plain.original_span(start, end))


@dataclass(frozen=True)
class BenchDebrief:
    """A question's challenge and its runs, oldest first.

    ``submitted`` are the turn numbers of the runs given as answers. ``challenge`` is None where it
    was not stored with the session; the runs can be read without it.
    """

    id: str
    challenge: Challenge | None
    runs: tuple[Turn, ...]
    submitted: frozenset[int] = frozenset()

    @property
    def last(self) -> CheckResult | None:
        """The result of the last run, None without a run."""
        return self.runs[-1].result if self.runs else None

    @property
    def first_bad(self) -> tuple[int, str, str] | None:
        """The last run's first bad line: its number, its text as typed, and the message."""
        result = self.last
        lines = source_lines(self.runs[-1].text) if self.runs else []
        if result is None or result.first_bad_line is None:
            return None
        number = result.first_bad_line
        typed = lines[number - 1].strip() if number <= len(lines) else ""
        return number, typed, first_fault(result)


def bench_debrief(
    question: QuestionState, rubric: Rubric, challenges: Mapping[str, Challenge]
) -> BenchDebrief | None:
    """The question's work at the bench, None if no challenge was offered."""
    if rubric.challenge is None or not (question.runs or rubric.challenge in challenges):
        return None
    return BenchDebrief(
        id=rubric.challenge,
        challenge=challenges.get(rubric.challenge),
        runs=question.runs,
        submitted=frozenset(turn.run for turn in question.turns if turn.run is not None),
    )


@dataclass(frozen=True)
class Lesson:
    """A point that was not made in full; without a ``criterion`` a whole question.

    ``lost`` is the weight lost on what it stands for, ``point_lost`` that on the point alone.
    ``said`` is what the candidate said about it: the words judged, else the sentence of the reply
    to the follow-up aimed at it that shares words with it, else None. ``reference`` is what the
    reference answer says about it, "" if none of it shares a word with the claim, or it says no
    other words, or ``ask`` asks for a run of one's own. ``source`` is where to read about it.
    """

    rubric: str
    title: str
    source: str
    lost: float
    criterion: str = ""
    claim: str = ""
    kind: str = ""
    must_have: bool = False
    point_lost: float = 0.0
    contradicted: bool = False
    """What was said about it is wrong."""
    said: Quote | None = None
    missing: str = ""
    reference: str = ""
    ask: str = ""
    """Of own work, the question to answer by a run of one's own."""


def lesson_on(rubric: Rubric, lost: float) -> Lesson:
    """The question as one thing to do."""
    return Lesson(rubric.id, rubric.title, next(iter(rubric.sources), ""), lost)


def lessons(
    rubric: Rubric, turns: Sequence[Turn], lines: Sequence[CriterionLine]
) -> Iterator[Lesson]:
    """A lesson for each criterion that lost weight, the greatest loss first."""
    lost = [line for line in lines if line.lost > 0]
    own = is_on_own_work(rubric)
    for line in sorted(lost, key=lambda line: -line.lost):
        point, verdict = line.criterion, line.verdict
        asks = own or point.kind == "experience"
        told = "" if asks else told_in(rubric.reference, point)
        yield replace(
            lesson_on(rubric, line.lost),
            criterion=point.id,
            claim=point.claim,
            kind=point.kind,
            must_have=point.must_have,
            point_lost=line.lost,
            contradicted=verdict.verdict is Rating.CONTRADICTED,
            said=judged_words(line) or _reply_on(point, turns),
            missing=verdict.missing,
            reference="" if words(told) == words(point.claim) else told,
            ask=(point.drill.ask if point.drill else point.probe) if asks else "",
        )


def judged_words(line: CriterionLine) -> Quote | None:
    """The main words for the line's verdict, None without any."""
    quotes = line.verdict.quotes
    return next((Quote(each.turn, "candidate", each.text, each.span) for each in quotes), None)


def told_in(reference: str, criterion: Criterion) -> str:
    """The sentence of the reference that makes the point.

    Of the sentences (or pairs) that match the criterion's patterns it is the one nearest the claim;
    without a match the nearest of all, "" if none shares a word with the claim.
    """
    said = tuple(ITEM_MARK.sub("", sentence) for sentence in whole_sentences(reference, (":", ";")))
    hit = [sentence for sentence in said if _hits(criterion, sentence)]
    pairs = [f"{one} {other}" for one, other in pairwise(said)]
    hit = hit or [pair for pair in pairs if _hits(criterion, pair)]
    return nearest((criterion.claim, *criterion.accept), hit or said)


def _hits(criterion: Criterion, text: str) -> bool:
    return find(criterion.patterns, normalise(text).text) is not None


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
    """The sentence of the reply to the latest follow-up on this criterion that is about it."""
    spoken = [turn for turn in turns if turn.kind is not TurnKind.BENCH]
    about = content_stems(" ".join((criterion.claim, *criterion.accept))) - COMMON_STEMS
    for asked, reply in reversed(list(pairwise(spoken))):
        offered = asked.kind is TurnKind.OFFER
        if asked.target == criterion.id and reply.kind is TurnKind.ANSWER and not offered:
            plain, said = reply.parsed.plain, reply.parsed.sentences
            shares = [len(about & content_stems(plain.text[a:b])) for a, b in said]
            best = max(shares, default=0)
            return quote(reply, plain.original_span(*said[shares.index(best)])) if best else None
    return None


NOT_ONES_OWN = frozenset(
    {Flag.RECITED, Flag.KEYWORD_LIST, Flag.ECHO, Flag.BOTH_SIDES, Flag.INJECTION_SUSPECTED}
)
"""Flags that keep an answer out of the strongest moments."""
_CALLS_FOR_NONE = frozenset({TurnKind.TELL, TurnKind.REDIRECT, TurnKind.OFFER})
"""No answer was called for; one to an offer is yes or no."""


class Cause(StrEnum):
    """How an answer stalled, the gravest first; an exchange is filed under the first that fits."""

    CONTRADICTED = "contradicted"
    DONT_KNOW = "dont_know"
    SKIPPED = "skipped"
    NO_ANSWER = "no_answer"
    """Silence until the time was up."""
    HINT = "hint"
    """A hint was requested instead of an answer."""


@dataclass(frozen=True)
class Stall:
    """An exchange in which the candidate stalled.

    ``asked`` are the examiner's words, ``said`` the candidate's, None for silence. ``hint`` is the
    level of the hint that followed, 0 for none; ``closed`` means that the examiner then gave up on
    the question. ``lost`` is the weight lost on what was asked about.
    """

    cause: Cause
    title: str
    criterion: str | None
    asked: Quote
    said: Quote | None
    hint: int = 0
    closed: bool = False
    lost: float = 0.0

    @property
    def turn(self) -> int:
        """The turn quoted: the candidate's, or the question that met silence."""
        return (self.said or self.asked).turn


@dataclass(frozen=True)
class Strength:
    """What one turn claimed rightly without help; ``quote`` is the evidence for the heaviest."""

    title: str
    quote: Quote
    weight: float
    made: tuple[str, ...]


@dataclass(frozen=True)
class _Exchange:
    asked: Turn
    reply: Turn | None
    hint: int
    last: bool


def strengths(
    question: QuestionState, rubric: Rubric, lines: Sequence[CriterionLine]
) -> Iterator[Strength]:
    """What each of the candidate's turns made in full and unaided, by the final verdicts."""
    suspect = {j.answer_turn for j in question.judged if j.flags & NOT_ONES_OWN}
    by_turn: dict[int, list[tuple[Quote, Criterion]]] = defaultdict(list)
    for line in lines:
        said = judged_words(line)
        if said and _made_alone(line.verdict) and said.turn not in suspect:
            by_turn[said.turn].append((said, line.criterion))
    for points in by_turn.values():
        made = sorted(points, key=lambda point: -point[1].weight)
        weight = sum(point.weight for _, point in made)
        yield Strength(rubric.title, made[0][0], weight, tuple(point.claim for _, point in made))


def stalls(
    question: QuestionState, rubric: Rubric, lines: Sequence[CriterionLine]
) -> Iterator[Stall]:
    """The exchanges in which the candidate stalled, in order."""
    for exchange in _exchanges(question.spoken):
        asked = whole(exchange.asked)
        cause = _cause(exchange, question)
        if cause is None or asked is None:
            continue
        yield Stall(
            cause=cause,
            title=rubric.title,
            criterion=exchange.asked.target,
            asked=asked,
            said=_said(exchange, cause, question),
            hint=exchange.hint,
            closed=exchange.last and question.closed is CloseReason.NO_PROGRESS,
            lost=_lost_on(exchange.asked, lines),
        )


def _exchanges(turns: Sequence[Turn]) -> Iterator[_Exchange]:
    """The examiner's turns that called for an answer, each with what followed."""
    for place, asked in enumerate(turns):
        if asked.author != "examiner" or asked.kind in _CALLS_FOR_NONE:
            continue
        after = turns[place + 1 : place + 3]
        reply = after[0] if after and after[0].author == "candidate" else None
        following = after[1:] if reply else after[:1]
        hint = following[0].hint_level if following else 0
        yield _Exchange(asked, reply, hint, last=not following)


def _cause(exchange: _Exchange, question: QuestionState) -> Cause | None:
    """How the candidate stalled, None if they did not."""
    reply = exchange.reply
    passed_on = exchange.last and question.closed is CloseReason.SKIPPED
    if passed_on and (reply is None or reply.kind is TurnKind.ASIDE):
        return Cause.SKIPPED
    if reply is None:
        return _cause_of_silence(exchange, question)
    if says_no_answer(reply):
        return Cause.DONT_KNOW
    return Cause.CONTRADICTED if _contradiction_in(reply, question) else None


def says_no_answer(turn: Turn) -> bool:
    """It says, in words or by the key, that there is no answer; a mere sign does not."""
    return turn.kind is TurnKind.DONT_KNOW and any(map(str.isalnum, turn.text))


def _cause_of_silence(exchange: _Exchange, question: QuestionState) -> Cause | None:
    if exchange.hint:
        return Cause.HINT
    ran_out = exchange.last and question.closed is CloseReason.TIME_UP
    return Cause.NO_ANSWER if ran_out else None


def _contradiction_in(reply: Turn, question: QuestionState) -> Verdict | None:
    """The verdict that found a contradiction in this reply."""
    found = (
        verdict
        for judged in question.judged
        if judged.answer_turn == reply.number
        for verdict in judged.verdicts
        if verdict.verdict is Rating.CONTRADICTED and verdict.turn == reply.number
    )
    return next(found, None)


def _said(exchange: _Exchange, cause: Cause, question: QuestionState) -> Quote | None:
    reply = exchange.reply
    if reply is None or cause is Cause.DONT_KNOW:
        return None
    if cause is Cause.CONTRADICTED:
        verdict = _contradiction_in(reply, question)
        if verdict and verdict.span:
            return quote(reply, verdict.span)
    return opening(reply)


def _lost_on(asked: Turn, lines: Iterable[CriterionLine]) -> float:
    """Weight lost on the point asked about; the question itself asks about all points."""
    if asked.kind is TurnKind.QUESTION or (asked.kind is TurnKind.CLARIFY and not asked.target):
        return sum(line.lost for line in lines)
    return sum(line.lost for line in lines if line.criterion.id == asked.target)


def _made_alone(verdict: Verdict) -> bool:
    return verdict.verdict is Rating.MET and verdict.source in UNASSISTED


@dataclass(frozen=True)
class QuestionDebrief:
    """One question. While it is open ``grade`` is None, and lessons and moments are empty.

    ``failed_exam`` names those of its examiners that failed their own exam. ``bench`` is None
    without a challenge.
    """

    round: int
    number: int
    rubric: Rubric
    grade: Grade | None
    closed: CloseReason | None
    lines: tuple[CriterionLine, ...]
    turns: tuple[Turn, ...]
    lessons: tuple[Lesson, ...] = ()
    strengths: tuple[Strength, ...] = ()
    stalls: tuple[Stall, ...] = ()
    examiners: tuple[str, ...] = ()
    failed_exam: tuple[str, ...] = ()
    bench: BenchDebrief | None = None
    drills: tuple[DrillMark, ...] = ()
    """The times that it asked what the candidate did themselves, once it is graded."""
    is_drill: bool = False
    """It asked about one point missed before, and counts in no average."""
    place: int = 0
    """Its number in the session."""
    own_score: float | None = None
    """The final score with the candidate's own verdicts, None without any."""

    @property
    def own_band(self) -> int | None:
        """The band of ``own_score``."""
        return None if self.own_score is None else band_of(self.own_score)

    @property
    def answered(self) -> bool:
        """The candidate said something to it, if only that they did not know."""
        return any(turn.kind in RESPONSES for turn in self.turns)

    @property
    def counts(self) -> bool:
        """It shows what the candidate knows: it is neither a drill nor a discussion."""
        return not self.is_drill and not self.rubric.is_discussion

    @property
    def own_words(self) -> tuple[Quote, ...]:
        """How each answer to a discussion begins; nothing for another question."""
        said = [turn for turn in self.turns if turn.kind in (TurnKind.ANSWER, TurnKind.ASIDE)]
        found = [opening(turn) for turn in said] if self.rubric.is_discussion else []
        return tuple(quote for quote in found if quote)

    def drill_at(self, turn: Turn) -> DrillMark | None:
        """The mark of the drill that this turn asks, None for another turn."""
        return next((mark for mark in self.drills if mark.asked is turn), None)

    @property
    def skipped(self) -> bool:
        """The candidate passed on it without an answer."""
        return self.closed is CloseReason.SKIPPED and not self.answered

    @property
    def lost(self) -> float:
        """Total weight lost."""
        return sum(line.lost for line in self.lines)

    def lesson_on(self, criterion: Criterion) -> Lesson | None:
        """The lesson on this criterion, None if it lost nothing."""
        return next((each for each in self.lessons if each.criterion == criterion.id), None)


@dataclass(frozen=True)
class RoundDebrief:
    """A round that began; ``band`` is the mean over its graded questions."""

    number: int
    title: str
    band: float | None
    questions: tuple[QuestionDebrief, ...]
    not_asked: tuple[str, ...]
    """Titles of the questions not reached."""


def round_debrief(
    state: RoundState,
    rubrics: Mapping[str, Rubric],
    judged: Callable[[QuestionState, Rubric], QuestionDebrief],
) -> RoundDebrief:
    """The round as far as it went."""
    # A round that is done has asked all that was due, whatever its answers ruled out.
    asked = {question.rubric for question in state.questions}
    in_order = state.outline.due if state.ended not in (None, "done") else ()
    return RoundDebrief(
        number=state.number,
        title=state.outline.title,
        band=mean_band([q.grade.band for q in state.questions if q.grade and not q.point]),
        questions=tuple(judged(q, rubric_of(q, rubrics)) for q in state.questions),
        not_asked=tuple(rubrics[rubric].title for rubric in in_order if rubric not in asked),
    )


def question_debrief(
    state: QuestionState,
    rubric: Rubric,
    exams: Mapping[str, ExamResult] = {},
    challenges: Mapping[str, Challenge] = {},
    own: Own = NOTHING,
) -> QuestionDebrief:
    """The question, with lines, lessons and moments once it is graded."""
    grade = state.grade if state.grade and not state.grade.is_none else None
    lines = tuple(criterion_lines(rubric, grade, own, state)) if grade else ()
    examiners = tuple(dict.fromkeys(judged.examiner for judged in state.judged))
    return QuestionDebrief(
        round=state.round,
        number=state.number,
        rubric=rubric,
        grade=state.grade,
        closed=state.closed,
        lines=lines,
        turns=state.turns,
        lessons=tuple(lessons(rubric, state.turns, lines)),
        strengths=tuple(strengths(state, rubric, lines)),
        stalls=tuple(stalls(state, rubric, lines)) if state.grade else (),
        examiners=examiners,
        failed_exam=tuple(name for name in examiners if name in exams and not exams[name].passed),
        bench=bench_debrief(state, rubric, challenges),
        drills=state.drills if state.grade else (),
        is_drill=bool(state.point),
        place=state.place,
        own_score=own_score(rubric, grade, own.verdicts.get(state.place, {})) if grade else None,
    )


def without_grade(question: QuestionDebrief) -> QuestionDebrief:
    """What was asked and said, and nothing of what it was worth."""
    q = question
    asked = QuestionDebrief(q.round, q.number, q.rubric, None, q.closed, (), q.turns)
    return replace(asked, is_drill=q.is_drill, place=q.place)
