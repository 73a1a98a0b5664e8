"""What a hiring committee would make of the session, by written anchors and with its reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from interviewer.grading.score import missing_must_haves
from interviewer.grading.transcript import TurnKind
from interviewer.interview.debrief.claims import ClaimsDebrief
from interviewer.interview.debrief.lessons import judged_words
from interviewer.interview.debrief.moments import Strength
from interviewer.interview.debrief.profile import Profile, TopicProfile
from interviewer.interview.debrief.questions import QuestionDebrief
from interviewer.interview.debrief.quotes import Quote
from interviewer.rubric.rubric import Verdict

ENOUGH_QUESTIONS = 4
"""With fewer graded questions nothing is recommended: one question more could turn it over."""
SOLID, STRONG, CORE = 3, 4, 2
"""Bands as the anchors name them."""


class Level(StrEnum):
    """The recommendation, in the words that it is told in."""

    STRONG_HIRE = "strong hire"
    HIRE = "hire"
    LEAN_NO = "lean no"
    NO_HIRE = "no hire"
    NOT_ENOUGH = "not enough to say"


@dataclass(frozen=True)
class Record:
    """What the anchors look at. ``contradictions`` count points and sums left standing."""

    bands: tuple[int, ...]
    topic_means: tuple[float, ...]
    must_haves_missed: int
    contradictions: int

    def share(self, band: int) -> float:
        """The share of graded questions that reached this band, 0..1."""
        return sum(each >= band for each in self.bands) / len(self.bands)


@dataclass(frozen=True)
class Anchor:
    """A level with what it takes, in words and as code; the first that holds is recommended."""

    level: Level
    says: str
    holds: Callable[[Record], bool]


ANCHORS = (
    Anchor(
        Level.NOT_ENOUGH,
        f"Fewer than {ENOUGH_QUESTIONS} questions were graded, too few to recommend anything.",
        lambda record: len(record.bands) < ENOUGH_QUESTIONS,
    ),
    Anchor(
        Level.STRONG_HIRE,
        "Nine questions in ten are solid or better and half are strong; no must-have is missing, "
        "and nothing said was left in contradiction.",
        lambda record: (
            record.share(SOLID) >= 0.9
            and record.share(STRONG) >= 0.5
            and not record.must_haves_missed
            and not record.contradictions
        ),
    ),
    Anchor(
        Level.HIRE,
        "Two questions in three are solid or better, and no topic falls below partial.",
        lambda record: record.share(SOLID) >= 2 / 3 and min(record.topic_means) >= CORE,
    ),
    Anchor(
        Level.LEAN_NO,
        "At least half of the questions have their core, but too few are solid, or a whole topic "
        "is missing.",
        lambda record: record.share(CORE) >= 0.5,
    ),
    Anchor(
        Level.NO_HIRE,
        "Fewer than half of the questions have even their core.",
        lambda record: True,
    ),
)


@dataclass(frozen=True)
class Reason:
    """One ground: bands, must-haves, contradictions or hints with their count, or a quote."""

    text: str
    quote: Quote | None = None


@dataclass(frozen=True)
class Recommendation:
    """A level with its written anchor and the reasons for it.

    ``reach`` are the levels that the harshest and the kindest reading of every vote would give,
    None where both give this one.
    """

    level: Level
    anchor: str
    reasons: tuple[Reason, ...]
    reach: tuple[Level, Level] | None = None


def recommend(
    questions: Sequence[QuestionDebrief],
    profile: Profile,
    claims: ClaimsDebrief,
    strongest: Sequence[Strength],
) -> Recommendation:
    """The first anchor that holds of the session, with the reasons."""
    record = _record(questions, profile, claims)
    anchor = _anchor_of(record)
    return Recommendation(
        level=anchor.level,
        anchor=anchor.says,
        reasons=tuple(_reasons(questions, profile, claims, strongest)),
        reach=_reach(record, questions, anchor.level),
    )


def _anchor_of(record: Record) -> Anchor:
    return next(anchor for anchor in ANCHORS if anchor.holds(record))


def _record(
    questions: Sequence[QuestionDebrief], profile: Profile, claims: ClaimsDebrief
) -> Record:
    means = (topic.mean_band for topic in profile.topics)
    return Record(
        bands=tuple(_bands(questions)),
        topic_means=tuple(mean for mean in means if mean is not None),
        must_haves_missed=sum(1 for _ in _missed_must_haves(questions)),
        contradictions=sum(1 for _ in _contradicted(questions)) + len(claims.standing),
    )


def _reach(
    record: Record, questions: Sequence[QuestionDebrief], level: Level
) -> tuple[Level, Level] | None:
    graded = [q.grade for q in questions if q.grade and q.grade.band is not None]
    ends = [grade.between_bands or (grade.band, grade.band) for grade in graded]
    readings = [
        _anchor_of(replace(record, bands=tuple(end[side] or 0 for end in ends))).level
        for side in (0, 1)
    ]
    harshest, kindest = readings
    return None if {harshest, kindest} == {level} else (harshest, kindest)


def _reasons(
    questions: Sequence[QuestionDebrief],
    profile: Profile,
    claims: ClaimsDebrief,
    strongest: Sequence[Strength],
) -> Iterator[Reason]:
    bands = list(_bands(questions))
    if not bands:
        return
    yield Reason(
        f"{_of(bands, SOLID)} reached band {SOLID} (solid) or better, "
        f"{sum(band >= STRONG for band in bands)} of them band {STRONG}; "
        f"{sum(band < CORE for band in bands)} stayed below band {CORE}."
    )
    yield from _topic_reasons(profile)
    if strongest:
        best = strongest[0]
        yield Reason(f"Most was made in one turn on “{best.title}”:", best.quote)
    yield from _must_have_reasons(questions)
    yield from _contradiction_reasons(questions)
    if claims.standing:
        yield Reason(_counted(len(claims.standing), "sum") + " of stated numbers cannot be true.")
    yield _hint_reason(questions)


def _topic_reasons(profile: Profile) -> Iterator[Reason]:
    graded = [topic for topic in profile.topics if topic.mean_band is not None]
    if len({topic.mean_band for topic in graded}) < 2:
        return
    weakest = min(graded, key=lambda topic: topic.mean_band or 0.0)
    best = max(graded, key=lambda topic: topic.mean_band or 0.0)
    yield Reason(f"Best topic {_topic_words(best)}; weakest {_topic_words(weakest)}.")


def _topic_words(topic: TopicProfile) -> str:
    known = [str(band) for band in topic.bands if band is not None]
    return f"{topic.topic} with band{'s' if len(known) > 1 else ''} {', '.join(known)}"


def _must_have_reasons(questions: Sequence[QuestionDebrief]) -> Iterator[Reason]:
    asked = sum(line.criterion.must_have for q in questions for line in q.lines if line.verdict)
    missed = list(_missed_must_haves(questions))
    if asked:
        lacking = f"; missing first: {missed[0]}" if missed else "."
        yield Reason(f"{asked - len(missed)} of {asked} must-haves made at least in part{lacking}")


def _contradiction_reasons(questions: Sequence[QuestionDebrief]) -> Iterator[Reason]:
    wrong = list(_contradicted(questions))
    if wrong:
        yield Reason(f"{_counted(len(wrong), 'point')} ended in contradiction, first:", wrong[0])


def _hint_reason(questions: Sequence[QuestionDebrief]) -> Reason:
    hints = [sum(turn.kind is TurnKind.HINT for turn in q.turns) for q in questions]
    helped = sum(count > 0 for count in hints)
    if not helped:
        return Reason(f"No hint was needed in {_counted(len(questions), 'question')}.")
    on = f"{helped} of {_counted(len(questions), 'question')}"
    return Reason(f"{_counted(sum(hints), 'hint')} on {on}.")


def _bands(questions: Sequence[QuestionDebrief]) -> Iterator[int]:
    return (q.grade.band for q in questions if q.grade and q.grade.band is not None)


def _missed_must_haves(questions: Sequence[QuestionDebrief]) -> Iterator[str]:
    """The claims of must-haves that earned nothing, in the order asked."""
    for question in questions:
        verdicts = {line.criterion.id: line.verdict for line in question.lines if line.verdict}
        for criterion in missing_must_haves(question.rubric.criteria, verdicts):
            yield criterion.claim


def _contradicted(questions: Sequence[QuestionDebrief]) -> Iterator[Quote]:
    """The words that contradict a point by the end."""
    for question in questions:
        for line in question.lines:
            quote = judged_words(line, question.turns)
            if quote and line.verdict and line.verdict.verdict is Verdict.CONTRADICTED:
                yield quote


def _of(bands: Sequence[int], band: int) -> str:
    return f"{sum(each >= band for each in bands)} of {_counted(len(bands), 'question')}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
