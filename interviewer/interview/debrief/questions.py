"""The debrief of one question: criteria, runs at the bench, lessons, strengths."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

from interviewer.examiner.protocol import CloseReason, is_on_own_work
from interviewer.examiner.registry import kind_of
from interviewer.grading.bands import band_of, mean_band
from interviewer.grading.transcript import RESPONSES, Turn, TurnKind
from interviewer.grading.verdicts import (
    NOTHING,
    UNASSISTED,
    VALUE,
    Evidence,
    Flag,
    Grade,
    Own,
    Verdict,
    earnings,
    own_score,
)
from interviewer.interview.state import QuestionState, RoundState, rubric_of
from interviewer.plural import pluralize
from interviewer.rubric.importing import ITEM_MARK
from interviewer.rubric.rubric import Criterion, Further, Rating, Rubric, find
from interviewer.rubric.text import content_stems, normalise, table, whole_sentences, words
from interviewer.sandbox.challenge import Challenge
from interviewer.sandbox.result import CheckResult

_OPENING_WORDS = 3


@cache
def wording() -> dict[str, Any]:
    """The words and sentences in ``wording.yaml``, by what they are for."""
    found: dict[str, Any] = table("wording", __package__)
    return found


@dataclass(frozen=True)
class CriterionLine:
    """A criterion and its result."""

    criterion: Criterion
    verdict: Verdict
    earned: float = 0.0
    """Less the price of hints: negative for a contradiction, 0 if it could not be judged."""
    own: Verdict | None = None
    """The candidate's own verdict beside it; it changes none of this."""
    examiner: str = ""
    was_run: bool = False
    """It rests on a run at the bench."""
    asked: bool = True
    """A follow-up asked for it."""

    @property
    def further(self) -> bool:
        """The harder variant asked for it, not the question."""
        return isinstance(self.criterion, Further)

    @property
    def possible(self) -> float:
        """The weight that the question asks for; 0 for an extra and for what was not judged."""
        return self.criterion.weight if self.verdict.verdict and not self.criterion.extra else 0.0

    @property
    def only_heard(self) -> bool:
        """Who judged it knows textbook words and cannot tell whether the point was made."""
        return bool(kind_of(self.examiner).basis) and not self.was_run

    @property
    def unheard(self) -> bool:
        """Not heard in full, weighed by nobody, and not marked as made by the candidate."""
        settled = None, Rating.MET
        is_marked = self.own is not None and self.own.verdict is Rating.MET
        return self.only_heard and self.verdict.verdict not in settled and not is_marked

    @property
    def lost(self) -> float:
        """Weight lost, more than all of it for a contradiction; nothing on an extra.

        Of what was only heard, the weight not heard; help or another meaning takes nothing away.
        """
        if self.only_heard:
            heard = max(0.0, VALUE[self.verdict.verdict])
            return self.possible * (1 - heard) if self.unheard else 0.0
        return max(0.0, self.possible - self.earned)


def criterion_lines(
    rubric: Rubric, grade: Grade, own: Own = NOTHING, state: QuestionState | None = None
) -> Iterator[CriterionLine]:
    """One line per criterion, in the rubric's order; ``state`` tells of several examiners."""
    judged, place = (state.judged, state.place) if state else ((), 0)
    targets = {turn.target for turn in state.turns} if state else set()
    runs = {turn.number for turn in state.runs} if state else set()
    by = {v.criterion: j.examiner for j in judged for v in j.verdicts if v in grade.verdicts}
    verdicts = {verdict.criterion: verdict for verdict in grade.verdicts}
    earned = earnings(rubric, grade.verdicts)
    for criterion in rubric.criteria:
        name = criterion.id
        found = verdicts.get(name, Verdict(name, None))
        yield CriterionLine(
            criterion,
            found,
            earned.get(name, 0.0),
            own=own.get(place, {}).get(name),
            examiner=by.get(name, grade.examiner),
            was_run=found.turn in runs,
            asked=state is None or name in targets,
        )


def heard_in(lines: Iterable[CriterionLine]) -> str:
    """How many of the points judged were heard; "" where every verdict weighed them."""
    asked = [line for line in lines if line.verdict.verdict]
    if not any(line.only_heard for line in asked):
        return ""
    heard, partly = (
        sum(line.verdict.verdict is rating for line in asked)
        for rating in (Rating.MET, Rating.PARTIAL)
    )
    told = f"{heard} of {pluralize(len(asked), 'point')} heard in textbook words"
    return f"{told}, {partly} in part" if partly else told


def whole(turn: Turn) -> Evidence | None:
    """The whole turn, None if it holds no words."""
    said = turn.parsed.plain.text
    return Evidence(turn.text, turn.number, (0, len(turn.text))) if said else None


def opening(turn: Turn) -> Evidence | None:
    """The turn's first sentence, with the next after a mere "Hm, wait."; None without words."""
    parsed = turn.parsed
    if not parsed.sentences:
        return None
    start, end = parsed.sentences[0]
    for _, end in parsed.sentences:
        if len(words(parsed.plain.text[start:end])) >= _OPENING_WORDS:
            break
    start, end = parsed.plain.original_span(start, end)
    return Evidence(turn.text[start:end], turn.number, (start, end))


@dataclass(frozen=True)
class BenchDebrief:
    """A question's challenge, None where it was not stored, and its runs, oldest first."""

    id: str
    challenge: Challenge | None
    runs: tuple[Turn, ...]
    submitted: frozenset[int] = frozenset()
    """The turn numbers of the runs given as answers."""

    @property
    def last(self) -> CheckResult | None:
        return self.runs[-1].result if self.runs else None


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
    """A point that was not made in full; what was ``only_heard`` may have been, in other words."""

    rubric: str
    title: str
    source: str
    """Where to read about it; no text tells of one's own work."""
    lost: float
    criterion: str
    claim: str
    kind: str
    must_have: bool
    contradicted: bool
    """What was said about it is wrong."""
    said: Evidence | None
    """The candidate's words that were judged."""
    missing: str
    made: Rating | None
    """What was made of it all the same: met with help, or partial."""
    reference: str
    """What the reference answer says about it, "" if nothing or no more than the claim."""
    ask: str
    """Of own work, the question to answer by a run of one's own; "" if it was asked already."""
    only_heard: bool


def source_of(rubric: Rubric) -> str:
    """The first place to read about the question, "" for one on own work."""
    return "" if is_on_own_work(rubric) else next(iter(rubric.sources), "")


MADE = (Rating.MET, Rating.PARTIAL)


def lessons(
    rubric: Rubric, turns: Sequence[Turn], lines: Sequence[CriterionLine]
) -> Iterator[Lesson]:
    """A lesson for each criterion that lost weight, the greatest loss first."""
    lost = [line for line in lines if line.lost > 0]
    asked = " ".join(turn.text for turn in turns if turn.author == "examiner")
    own = is_on_own_work(rubric)
    for line in sorted(lost, key=lambda line: -line.lost):
        point, verdict = line.criterion, line.verdict
        asks = own or point.kind == "experience"
        told = "" if asks else told_in(rubric.reference, point)
        ask = point.drill.ask if point.drill else point.probe
        yield Lesson(
            rubric=rubric.id,
            title=rubric.title,
            source="" if asks else source_of(rubric),
            lost=line.lost,
            criterion=point.id,
            claim=point.claim,
            kind=point.kind,
            must_have=point.must_have,
            contradicted=verdict.verdict is Rating.CONTRADICTED,
            said=judged_words(verdict),
            missing=verdict.missing,
            made=verdict.verdict if verdict.verdict in MADE else None,
            reference="" if words(told) == words(point.claim) else told,
            ask=ask if asks and ask not in asked else "",
            only_heard=line.only_heard,
        )


def judged_words(verdict: Verdict) -> Evidence | None:
    return next(iter(verdict.quotes), None)


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


NOT_ONES_OWN = frozenset(
    {Flag.RECITED, Flag.KEYWORD_LIST, Flag.ECHO, Flag.BOTH_SIDES, Flag.INJECTION_SUSPECTED}
)
"""Flags that keep an answer out of the strongest moments."""


@dataclass(frozen=True)
class Strength:
    """What the same words claimed rightly without help."""

    title: str
    quote: Evidence
    weight: float
    made: tuple[str, ...]


def strengths(
    question: QuestionState, rubric: Rubric, lines: Sequence[CriterionLine]
) -> Iterator[Strength]:
    """What the candidate's words made in full and unaided, as far as it was weighed."""
    suspect = {j.answer_turn for j in question.judged if j.flags & NOT_ONES_OWN}
    by_words: dict[Evidence, list[Criterion]] = defaultdict(list)
    for line in lines:
        verdict, said = line.verdict, judged_words(line.verdict)
        alone = verdict.verdict is Rating.MET and verdict.source in UNASSISTED
        if said and alone and not line.only_heard and said.turn not in suspect:
            by_words[said].append(line.criterion)
    for said, points in by_words.items():
        made = sorted(points, key=lambda point: -point.weight)
        weight = sum(point.weight for point in made)
        yield Strength(rubric.title, said, weight, tuple(point.claim for point in made))


@dataclass(frozen=True)
class QuestionDebrief:
    """One question. While it is open ``grade`` is None, and lessons and moments are empty."""

    round: int
    number: int
    rubric: Rubric
    grade: Grade | None
    closed: CloseReason | None
    lines: tuple[CriterionLine, ...]
    turns: tuple[Turn, ...]
    lessons: tuple[Lesson, ...] = ()
    strengths: tuple[Strength, ...] = ()
    examiners: tuple[str, ...] = ()
    bench: BenchDebrief | None = None
    """None without a challenge."""
    is_drill: bool = False
    """It asked about one point missed before, and counts in no average."""
    place: int = 0
    """Its number in the session."""
    own_score: float | None = None
    """The final score with the candidate's own verdicts, None without any."""

    @property
    def own_band(self) -> int | None:
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
    def only_heard(self) -> bool:
        """Some verdict on it tells of words heard, which nobody weighed."""
        return any(line.only_heard for line in self.lines)

    @property
    def own_words(self) -> tuple[Evidence, ...]:
        """How each answer to a discussion begins; nothing for another question."""
        said = [turn for turn in self.turns if turn.kind in (TurnKind.ANSWER, TurnKind.ASIDE)]
        found = [opening(turn) for turn in said] if self.rubric.is_discussion else []
        return tuple(quote for quote in found if quote)

    @property
    def skipped(self) -> bool:
        """The candidate passed on it without an answer."""
        return self.closed is CloseReason.SKIPPED and not self.answered

    @property
    def lost(self) -> float:
        return sum(line.lost for line in self.lines)

    def lesson_on(self, criterion: Criterion) -> Lesson | None:
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
    challenges: Mapping[str, Challenge],
    own: Own,
) -> RoundDebrief:
    # A round that is done has asked all that was due, whatever its answers ruled out.
    asked = {question.rubric for question in state.questions}
    in_order = state.outline.due if state.ended not in (None, "done") else ()
    return RoundDebrief(
        number=state.number,
        title=state.outline.title,
        band=mean_band([q.grade.band for q in state.questions if q.grade and not q.point]),
        questions=tuple(
            question_debrief(q, rubric_of(q, rubrics), challenges, own) for q in state.questions
        ),
        not_asked=tuple(rubrics[rubric].title for rubric in in_order if rubric not in asked),
    )


def question_debrief(
    state: QuestionState,
    rubric: Rubric,
    challenges: Mapping[str, Challenge] = {},
    own: Own = NOTHING,
) -> QuestionDebrief:
    """The question, with lines, lessons and moments once it is graded."""
    grade = state.grade if state.grade and not state.grade.is_none else None
    lines = tuple(criterion_lines(rubric, grade, own, state)) if grade else ()
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
        examiners=tuple(dict.fromkeys(judged.examiner for judged in state.judged)),
        bench=bench_debrief(state, rubric, challenges),
        is_drill=bool(state.point),
        place=state.place,
        own_score=own_score(rubric, grade, own.get(state.place, {})) if grade else None,
    )


def without_grade(question: QuestionDebrief) -> QuestionDebrief:
    """What was asked and said, and nothing of what it was worth."""
    return replace(
        question,
        grade=None,
        lines=(),
        lessons=(),
        strengths=(),
        examiners=(),
        bench=None,
        own_score=None,
    )
