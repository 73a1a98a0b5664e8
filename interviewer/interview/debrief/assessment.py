"""The session as a whole: claims, profile, recommendation, doubts, and what is read first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from interviewer.examiner.protocol import is_on_own_work
from interviewer.examiner.registry import EXAMINERS, kind_of
from interviewer.examiner.wording import drilled_figures
from interviewer.grading.bands import TOP_BAND, band_of
from interviewer.grading.claims.quantity import Ledger, Quantity
from interviewer.grading.transcript import DialogueAct, TurnKind
from interviewer.grading.verdicts import Evidence, Flag, graded, missing_must_haves
from interviewer.interview.debrief.questions import (
    CriterionLine,
    Lesson,
    QuestionDebrief,
    heard_in,
    judged_words,
    opening,
    whole,
    wording,
)
from interviewer.interview.numbers import (
    NOTES_TURN,
    outcome_of,
    raised_contradictions,
)
from interviewer.interview.state import QuestionState, SessionState
from interviewer.plural import pluralize


@dataclass(frozen=True)
class Impossibility:
    """Figures that could not all be true as they were read, put to the candidate."""

    sentence: str
    challenged: int
    """The turn in which it was put."""
    is_open: bool
    claims: tuple[Quantity, ...]
    reply: Evidence | None


@dataclass(frozen=True)
class ClaimsDebrief:
    """The figures that stand, and the impossibilities put and answered, oldest first."""

    made: tuple[Quantity, ...] = ()
    raised: tuple[Impossibility, ...] = ()
    fit: bool = True
    """All figures can be true together, whether they were asked about or not."""

    @property
    def impossible(self) -> tuple[Impossibility, ...]:
        return tuple(each for each in self.raised if each.is_open)

    @property
    def own(self) -> tuple[Quantity, ...]:
        """What one drills of the figures of the candidate's own runs, each value once."""
        drilled = (q for q in self.made if q.measure in drilled_figures() and q.whose == "own")
        first: dict[tuple[str, str], Quantity] = {}
        for each in drilled:
            if each.turn != NOTES_TURN:
                first.setdefault((each.measure, f"{each.value:.3g}"), each)
        return tuple(first.values())


def claims_debrief(state: SessionState, ledger: Ledger) -> ClaimsDebrief:
    """The figures that stand, and the objections that were replied to."""
    raised = tuple(
        Impossibility(
            each.sentence,
            each.turn,
            is_open=outcome_of(each, ledger, state.marks) == "stands",
            claims=tuple(q for q in ledger.quantities if q.place in each.figures),
            reply=whole(each.reply),
        )
        for each in raised_contradictions(state)
        if each.reply
    )
    return ClaimsDebrief(ledger.standing, raised, not ledger.contradictions)


EXPERIENCE = "experience"
STRONG_BAND = 3
"""A kind of point is strong if the share earned of its weight would be this band…"""
WEAK_BAND = 1
"""…and weak if it would be this band or lower."""
ENOUGH_POINTS = 2
"""Fewer points of a kind show nothing."""


@dataclass(frozen=True)
class Tally:
    """Weight earned, never below 0, of that asked for, over ``points`` criteria without extras."""

    earned: float
    possible: float
    points: int

    @property
    def share(self) -> float | None:
        """Earned over possible, 0..1; None if nothing was judged."""
        return self.earned / self.possible if self.possible else None


@dataclass(frozen=True)
class TopicProfile(Tally):
    """One topic of one round; the tally is about the questions that got an answer."""

    topic: str
    round: int
    bands: tuple[int | None, ...]
    """Its questions', in order."""
    answered: bool
    """Some question got an answer."""


@dataclass(frozen=True)
class Profile:
    """All topics in the order asked, and the kinds of criteria over all of them."""

    topics: tuple[TopicProfile, ...] = ()
    kinds: dict[str, Tally] = field(default_factory=dict)
    """The heaviest first."""
    strong: tuple[str, ...] = ()
    """Kinds of criteria made almost in full; passing on a question shows nothing."""
    weak: tuple[str, ...] = ()
    """Those made in fragments at best."""


def profile_of(questions: Sequence[QuestionDebrief]) -> Profile:
    """The profile over the questions that were closed.

    Where points were only heard, no topic and no kind of point is strong or weak. That points of
    experience were made is no proof of experience.
    """
    by_kind: dict[str, list[CriterionLine]] = defaultdict(list)
    for line in _judged(line for question in questions for line in _counted(question)):
        by_kind[line.criterion.kind].append(line)
    tallies = {kind: _tally(lines) for kind, lines in by_kind.items()}
    kinds = dict(sorted(tallies.items(), key=lambda kind: -kind[1].possible))
    if _basis(questions):
        return Profile(kinds=kinds)
    by_topic: dict[tuple[int, str], list[QuestionDebrief]] = defaultdict(list)
    for question in questions:
        if question.grade:
            by_topic[question.round, question.rubric.topic].append(question)
    enough = {kind: t.share for kind, t in kinds.items() if t.points >= ENOUGH_POINTS}
    bands = {kind: band_of(share) for kind, share in enough.items() if share is not None}
    return Profile(
        topics=tuple(_topic(*place, asked) for place, asked in by_topic.items()),
        kinds=kinds,
        strong=tuple(k for k, band in bands.items() if band >= STRONG_BAND and k != EXPERIENCE),
        weak=tuple(kind for kind, band in bands.items() if band <= WEAK_BAND),
    )


def _topic(round_: int, topic: str, questions: Sequence[QuestionDebrief]) -> TopicProfile:
    return TopicProfile(
        **vars(_tally(line for question in questions for line in _counted(question))),
        topic=topic,
        round=round_,
        bands=tuple(question.grade.band for question in questions if question.grade),
        answered=any(question.answered for question in questions),
    )


def _basis(questions: Iterable[QuestionDebrief]) -> str:
    """What a verdict rests on where some answer was only heard, "" where all were weighed."""
    heard = (question for question in questions if question.answered and question.only_heard)
    bases = (kind_of(name).basis for question in heard for name in question.examiners)
    return next(filter(None, bases), "")


def _counted(question: QuestionDebrief) -> Sequence[CriterionLine]:
    has_number = question.grade is not None and question.grade.band is not None
    return question.lines if question.answered and has_number else ()


def _judged(lines: Iterable[CriterionLine]) -> Iterator[CriterionLine]:
    return (line for line in lines if line.verdict.verdict and not line.criterion.extra)


def _tally(lines: Iterable[CriterionLine]) -> Tally:
    judged = list(_judged(lines))
    possible = sum(line.possible for line in judged)
    earned = sum(line.earned for line in judged)
    return Tally(earned=min(possible, max(0.0, earned)), possible=possible, points=len(judged))


ENOUGH_QUESTIONS, FEW_QUESTIONS = 3, 4
"""With fewer graded questions nothing is recommended, and below the second that is a doubt."""
SOLID, STRONG, CORE = 3, 4, 2
"""Bands that the anchors turn on."""


class Level(StrEnum):
    """The recommendation, in the words shown."""

    STRONG_HIRE = "strong hire"
    HIRE = "hire"
    LEAN_NO = "lean no"
    NO_HIRE = "no hire"
    NOT_ENOUGH = "too few questions"


@dataclass(frozen=True)
class Record:
    """What the anchors look at."""

    bands: tuple[int, ...]
    topic_means: tuple[float, ...]
    """Of the questions that got an answer."""
    must_haves_missed: int
    contradictions: int
    """Points and numbers left unresolved."""
    scores: tuple[float, ...] = ()
    answered: int | None = None
    """How many graded questions got an answer, all of them if None."""
    own_runs: bool = False
    """Own figures were told on half of the questions, and all of them can be true."""
    figures_open: bool = False
    """Asked why they cannot, the candidate left it at that."""

    @property
    def solid_on_average(self) -> bool:
        """Band 3 by the mean of the scores, half of the questions solid, none below its core."""
        if not self.scores or min(self.bands) < CORE:
            return False
        mean = sum(self.scores) / len(self.scores)
        return band_of(mean) >= SOLID and self.share(SOLID) >= 0.5

    def share(self, band: int) -> float:
        """The share of graded questions that reached this band, 0..1."""
        return sum(each >= band for each in self.bands) / len(self.bands)


@dataclass(frozen=True)
class Reason:
    """One reason: a count of bands, must-haves or contradictions, with a quote for the last."""

    text: str
    quote: Evidence | None = None


@dataclass(frozen=True)
class Recommendation:
    """A level with its written anchor and the reasons for it."""

    level: Level = Level.NOT_ENOUGH
    anchor: str = ""
    reasons: tuple[Reason, ...] = ()
    basis: str = ""
    """What it rests on where answers were heard, not weighed; then it has no reasons."""


def recommend(questions: Sequence[QuestionDebrief], claims: ClaimsDebrief) -> Recommendation:
    """The first anchor that holds, with the reasons."""
    level, anchor = anchor_of(_record(questions, claims))
    basis = _basis(questions)
    return Recommendation(
        level=level,
        anchor=wording()["anchors"][anchor].format(enough=ENOUGH_QUESTIONS),
        reasons=() if basis else tuple(_reasons(questions)),
        basis=basis,
    )


def anchor_of(record: Record) -> tuple[Level, str]:
    """The level by the first anchor that holds, and the name of that in ``wording.yaml``."""
    answered = len(record.bands) if record.answered is None else record.answered
    if answered < ENOUGH_QUESTIONS:
        return Level.NOT_ENOUGH, "too_few"
    is_many = len(record.bands) >= FEW_QUESTIONS
    at_core, solid = record.share(CORE) >= 0.5, record.share(SOLID)
    is_flawless = not (record.must_haves_missed or record.contradictions)
    if record.figures_open and at_core:
        return Level.LEAN_NO, "figures_open"
    if is_many and solid >= 0.9 and record.share(STRONG) >= 0.5 and is_flawless:
        return Level.STRONG_HIRE, "outstanding"
    if solid >= (2 / 3 if is_many else 1) and min(record.topic_means, default=0) >= CORE:
        return Level.HIRE, "solid"
    if is_many and record.own_runs and record.solid_on_average:
        return Level.HIRE, "solid_on_average"
    return (Level.LEAN_NO, "half") if at_core else (Level.NO_HIRE, "below")


def _record(questions: Sequence[QuestionDebrief], claims: ClaimsDebrief) -> Record:
    graded = [q for q in questions if q.grade and q.grade.band is not None]
    answered = [q for q in graded if q.answered]
    said_in = {figure.turn for figure in claims.made}
    with_figures = sum(any(t.number in said_in for t in q.turns) for q in answered)
    by_topic: dict[tuple[int, str], list[int]] = defaultdict(list)
    for question in answered:
        by_topic[question.round, question.rubric.topic].extend(_bands([question]))
    return Record(
        bands=tuple(_bands(graded)),
        topic_means=tuple(sum(bands) / len(bands) for bands in by_topic.values()),
        must_haves_missed=sum(1 for _ in _missed_must_haves(questions)),
        contradictions=sum(1 for _ in _contradicted(questions)) + len(claims.impossible),
        scores=tuple(q.grade.final for q in graded if q.grade and q.grade.final is not None),
        answered=len(answered),
        own_runs=bool(answered) and 2 * with_figures >= len(answered) and claims.fit,
        figures_open=any(q.grade and Flag.FIGURES_OPEN in q.grade.flags for q in graded),
    )


def _reasons(questions: Sequence[QuestionDebrief]) -> Iterator[Reason]:
    bands = list(_bands(questions))
    if not bands:
        return
    yield Reason(
        f"{sum(band >= SOLID for band in bands)} of {pluralize(len(bands), 'question')} reached "
        f"band {SOLID} or better, "
        f"{sum(band >= STRONG for band in bands)} of them band {STRONG}; "
        f"{sum(band < CORE for band in bands)} stayed below band {CORE}."
    )
    if asked := sum(e.criterion.must_have for q in questions for e in q.lines if e.verdict):
        missed = list(_missed_must_haves(questions))
        lacking = f"; the first one missing: {missed[0]}" if missed else "."
        yield Reason(f"{asked - len(missed)} of {asked} must-haves heard at least in part{lacking}")
    if wrong := list(_contradicted(questions)):
        yield Reason(
            f"You said otherwise on {pluralize(len(wrong), 'point')}; the first:", wrong[0]
        )


def _bands(questions: Sequence[QuestionDebrief]) -> Iterator[int]:
    return (q.grade.band for q in questions if q.grade and q.grade.band is not None)


def _missed_must_haves(questions: Sequence[QuestionDebrief]) -> Iterator[str]:
    for question in questions:
        verdicts = graded(line.verdict for line in question.lines)
        for criterion in missing_must_haves(question.rubric.criteria, verdicts):
            yield criterion.claim


def _contradicted(questions: Sequence[QuestionDebrief]) -> Iterator[Evidence]:
    """The words of contradictions never resolved, once where they contradict several points."""
    for question in questions:
        for line in question.lines:
            quote = judged_words(line.verdict)
            if quote and line.earned < 0:
                yield quote


def doubts_about(questions: Sequence[QuestionDebrief]) -> Iterator[str]:
    """Sentences on what the results do not show, the most important first."""
    graded = [question for question in questions if question.grade]
    grades = [question.grade for question in questions if question.grade]
    scored = sum(grade.band is not None for grade in grades)
    weighed = not _basis(questions) and any(question.answered for question in graded)
    if weighed and 0 < scored < FEW_QUESTIONS:
        yield f"The overall band rests on only {pluralize(scored, 'graded question')}."
    yield from _of_the_examiner(graded)
    if open_ := sum(each.alternative is not None for g in grades for each in g.verdicts):
        yield f"The examiner is not sure of its verdict on {pluralize(open_, 'point')}."
    if between := sum(grade.between_bands is not None for grade in grades):
        yield f"{between} of {len(grades)} questions lie between two bands by what is in doubt."
    if missing := sum(any(each.ungraded for each in grade.verdicts) for grade in grades):
        yield f"{missing} of {len(grades)} questions could not be fully judged."
    flagged = frozenset[Flag]().union(*(grade.flags for grade in grades))
    yield from (told for flag, told in wording()["flagged"].items() if flag in flagged)


def _of_the_examiner(graded: Sequence[QuestionDebrief]) -> Iterator[str]:
    judged = [question for question in graded if question.examiners]
    by_kind = Counter(kind for q in judged for kind in {kind_of(name) for name in q.examiners})
    for kind in EXAMINERS:
        if kind.caveat and by_kind[kind]:
            were = "was" if len(graded) == 1 else "were"
            yield f"{by_kind[kind]} of {pluralize(len(graded), 'question')} {were} {kind.caveat}."
    if len({name for question in judged for name in question.examiners}) > 1:
        yield "More than one examiner judged: bands before and after the change are not comparable."


# -- what is read first -----------------------------------------------------------------------

LONG = 250
"""An answer of more words than this talks too long."""


class What(StrEnum):
    """What happened, in the order in which it is told."""

    HINT_TAKEN = "hint_taken"
    TALKED_LONG = "talked_long"
    FISHED = "fished"
    """The candidate asked for the solution or the marking and said no more, as a model heard it."""


@dataclass(frozen=True)
class Incident:
    """Something that happened, with the words that show it; of a long answer their number."""

    what: What
    quote: Evidence
    words: int = 0


def talk_of(questions: Iterable[QuestionState]) -> tuple[Incident, ...]:
    """All incidents, in the order in which they happened."""
    return tuple(incident for question in questions for incident in _incidents(question))


_FISHING = {DialogueAct.WANTS_ANSWER, DialogueAct.WANTS_RUBRIC}


def _incidents(question: QuestionState) -> Iterator[Incident]:
    for turn in question.spoken:
        said, heard = opening(turn), question.heard_in(turn)
        if turn.kind is TurnKind.HINT and (hint := whole(turn)):
            yield Incident(What.HINT_TAKEN, hint)
        if said and turn.kind is TurnKind.ASIDE and _FISHING & {*heard.acts}:
            yield Incident(What.FISHED, said)
        is_prose = turn.author == "candidate" and turn.run is None
        if said and is_prose and (words := len(turn.text.split())) > LONG:
            yield Incident(What.TALKED_LONG, said, words)


STUDIED = 7
"""More at once is not a plan. Each question has all of its own."""


def study_points(questions: Iterable[QuestionDebrief]) -> tuple[Lesson, ...]:
    """The costliest points lost on questions answered: must-haves first, then in turns."""
    ranked = [
        ((-lesson.lost, not lesson.must_have, place), lesson)
        for question in questions
        if question.answered
        for place, lesson in enumerate(question.lessons)
    ]
    ranked.sort(key=lambda each: each[0])
    return tuple(lesson for _, lesson in ranked[:STUDIED])


_SAID_OF = {
    Level.STRONG_HIRE: (SOLID, TOP_BAND),
    Level.HIRE: (SOLID, TOP_BAND),
    Level.LEAN_NO: (CORE, CORE),
    Level.NO_HIRE: (0, CORE - 1),
    Level.NOT_ENOUGH: (0, TOP_BAND),
}
"""The bands whose words go with a level: what is known is never told against what is advised."""
ENOUGH_FIGURES = 3
"""With fewer, own work that was asked about came with few figures, whatever was read of it."""


def sentence(
    questions: Sequence[QuestionDebrief], profile: Profile, claims: ClaimsDebrief, level: Level
) -> str:
    """The first sentence of the debrief: what they know, how it was told, and what to do."""
    answered = [question for question in questions if question.answered]
    if not answered:
        return "No answers yet, so there is nothing to say about you: pick one question and try it."
    possible = sum(tally.possible for tally in profile.kinds.values())
    if not possible:
        return "Your answers could not be judged: settle the points, or have a model grade."
    share = sum(tally.earned for tally in profile.kinds.values()) / possible
    heard = heard_in(line for question in answered for line in question.lines)
    if heard:
        told = heard
        advice = "mark below what else you made" if share < 1 else "try harder questions next"
    else:
        least, most = _SAID_OF[level]
        band = min(most, max(least, band_of(share)))
        gap = next((kind for kind in profile.weak if kind in wording()["lacking"]), "")
        told, advice = _knowledge(band, gap, profile.strong), _next(band, gap)
    hints = sum(turn.kind is TurnKind.HINT for q in questions for turn in q.turns)
    if manner := _manner(questions, answered, claims, hints):
        says, better = wording()["manners"][manner]
        told = f"{told}; {says.format(figures=len(claims.own), hints=hints)}"
        advice = advice if heard else better or advice
    return f"{told}: {advice}."


def _manner(
    questions: Sequence[QuestionDebrief],
    answered: Sequence[QuestionDebrief],
    claims: ClaimsDebrief,
    hints: int,
) -> str:
    """How it was told, by its name in ``wording.yaml``: the gravest that holds."""
    on_own = [
        q
        for q in answered
        if is_on_own_work(q.rubric) or any(turn.kind is TurnKind.DRILL for turn in q.turns)
    ]
    said = (turn for q in on_own for turn in q.turns if turn.author == "candidate")
    numbers = sum(len(turn.parsed.quantities) for turn in said)
    if claims.impossible:
        return "contradictory"
    if len(questions) > 2 * len(answered):
        return "unanswered"
    if on_own and max(len(claims.own), numbers) < ENOUGH_FIGURES:
        return "few_figures"
    if hints >= 2 and 2 * hints > len(answered):
        return "hints"
    return "figures" if len(claims.own) >= ENOUGH_FIGURES else ""


def _knowledge(band: int, gap: str, strong: Sequence[str]) -> str:
    lacking = wording()["lacking"][gap][0] if gap else ""
    if band >= SOLID:
        return f"Solid knowledge except for {lacking}" if lacking else "Solid knowledge"
    if band == CORE or (band and "fact" in strong):
        known = "You know the terms" if "fact" in strong else "The core is there"
        return f"{known} but few of {lacking}" if lacking else known
    return "Fragments rather than answers" if band else "Hardly a point made"


def _next(band: int, gap: str) -> str:
    if band < CORE:
        return "begin with the points below"
    if gap:
        learn: str = wording()["lacking"][gap][1]
        return learn
    return "try harder questions next" if band >= SOLID else "close the gaps below"
