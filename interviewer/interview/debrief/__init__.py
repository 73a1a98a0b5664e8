"""The debrief: results by topic, the words they rest on, and how certain they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from interviewer.examiner.registry import kind_of
from interviewer.grading.agreement import ExamResult
from interviewer.grading.bands import TOP_BAND, mean_band
from interviewer.grading.verdicts import NOTHING, Evidence, Own
from interviewer.interview.debrief.assessment import (
    ClaimsDebrief,
    Incident,
    Profile,
    Recommendation,
    claims_debrief,
    doubts_about,
    profile_of,
    recommend,
    sentence,
    study_points,
    talk_of,
)
from interviewer.interview.debrief.questions import (
    Lesson,
    QuestionDebrief,
    RoundDebrief,
    Strength,
    round_debrief,
    without_grade,
)
from interviewer.interview.events import Mode, SessionEnded
from interviewer.interview.numbers import (
    latest_readings,
    raised_contradictions,
    session_ledger,
)
from interviewer.interview.state import QuestionState, SessionState
from interviewer.plural import pluralize
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox.challenge import Challenge

STRONGEST = 3
"""How many moments the session's overview shows; each question has all of its own."""


@dataclass(frozen=True)
class Debrief:
    """The whole session."""

    plan_title: str
    mode: Mode
    examiner: str
    about: str
    rounds: tuple[RoundDebrief, ...]
    person: str = ""
    """One sentence on the candidate."""
    talk: tuple[Incident, ...] = ()
    """What happened beside the points."""
    profile: Profile = field(default_factory=Profile)
    recommendation: Recommendation = field(default_factory=Recommendation)
    doubts: tuple[str, ...] = ()
    """Sentences on what the results do not show."""
    band: float | None = None
    own_band: float | None = None
    """The mean band with the candidate's own verdicts, None without any."""
    headline: str = ""
    strongest: tuple[Strength, ...] = ()
    """What scored most without help."""
    study_points: tuple[Lesson, ...] = ()
    claims: ClaimsDebrief = field(default_factory=ClaimsDebrief)
    exams: Mapping[str, ExamResult | None] = field(default_factory=dict)
    """The exam result of each examiner that judged, None if it took none."""
    withheld: bool = False
    """There is only what was asked and said."""

    @property
    def questions(self) -> tuple[QuestionDebrief, ...]:
        return tuple(question for part in self.rounds for question in part.questions)


def debrief(
    state: SessionState,
    rubrics: Mapping[str, Rubric],
    exams: Mapping[str, ExamResult] = {},
    challenges: Mapping[str, Challenge] = {},
    own: Own = NOTHING,
) -> Debrief:
    """The results of a session; pure.

    ``rubrics`` and ``challenges`` are the session's snapshots by id, ``exams`` the latest exam
    results by examiner.
    """
    examiners = tuple(
        dict.fromkeys(judged.examiner for question in state.questions for judged in question.judged)
    ) or (state.examiner,)
    rounds = tuple(round_debrief(each, rubrics, challenges, own) for each in state.rounds)
    if not state.answered:
        rounds = tuple(replace(part, band=None) for part in rounds)
    questions = [q for part in rounds for q in part.questions if q.counts]
    counted_in = questions if state.answered else []
    by_topic = profile_of(counted_in)
    claims = claims_debrief(state, session_ledger(state, rubrics))
    recommended = recommend(counted_in, claims)
    band = mean_band(_bands(state.questions)) if state.answered else None
    return Debrief(
        plan_title=state.plan_title,
        mode=state.mode,
        examiner=", then ".join(examiners),
        about=" ".join(kind_of(name).about.format(name=name) for name in examiners),
        person=sentence(questions, by_topic, claims, recommended.level),
        talk=talk_of(q for q in state.questions if not rubrics[q.rubric].is_discussion),
        profile=by_topic,
        recommendation=recommended,
        doubts=(*doubts_about(questions), *_of_the_numbers(state)),
        band=band,
        headline=_headline(state, band, recommended),
        rounds=rounds,
        strongest=_strongest(questions, state),
        study_points=study_points(questions),
        claims=claims,
        exams={name: exams.get(name) for name in examiners},
        own_band=_own_band(rounds),
    )


def grades_may_be_shown(state: SessionState) -> bool:
    """An exam shows no verdict and no reference answer until it is finished."""
    return state.mode == "practice" or state.finished is not None


def rubrics_to_show(state: SessionState) -> frozenset[str]:
    """The rubrics that may be read in full: those graded, at the end all due; no reserve."""
    asked = frozenset(question.rubric for question in state.questions)
    if state.finished:
        return asked.union(*(outline.due for outline in state.outline))
    if not grades_may_be_shown(state):
        return frozenset()
    return frozenset(question.rubric for question in state.questions if question.grade)


def as_shown(found: Debrief, state: SessionState) -> Debrief:
    """The debrief as the candidate may see it now: in an open exam what was asked and said."""
    if grades_may_be_shown(state):
        return found
    rounds = (
        replace(part, band=None, not_asked=(), questions=tuple(map(without_grade, part.questions)))
        for part in found.rounds
    )
    begun = found.plan_title, found.mode, found.examiner, found.about
    return Debrief(*begun, tuple(rounds), withheld=True)


def summary(state: SessionState) -> SessionEnded:
    """The closing event of a session whose last question is graded."""
    bands = _bands(state.questions) if state.answered else []
    return SessionEnded(
        band=mean_band(bands),
        graded=sum(band is not None for band in bands),
        ungraded=sum(band is None for band in bands),
        not_asked=sum(_left_out(state)),
    )


def _left_out(state: SessionState) -> Iterator[int]:
    """How many questions of each round were not asked for want of time or patience."""
    for number, outline in enumerate(state.outline, start=1):
        held = next((each for each in state.rounds if each.number == number), None)
        if outline.optional or (held and held.ended == "done"):
            continue
        asked = {question.rubric for question in held.questions if question.grade} if held else ()
        yield outline.count - len(asked)


def _strongest(questions: Iterable[QuestionDebrief], state: SessionState) -> tuple[Strength, ...]:
    """Those that rest on no figure that was doubted."""
    doubted = {place for each in raised_contradictions(state) for place in each.figures}

    def is_doubted(said: Evidence) -> bool:
        return any(t == said.turn and said.span[0] <= at < said.span[1] for t, at in doubted)

    made = (strength for question in questions for strength in question.strengths)
    made = (each for each in made if not is_doubted(each.quote))
    return tuple(sorted(made, key=lambda strength: -strength.weight)[:STRONGEST])


def _bands(questions: Iterable[QuestionState]) -> list[int | None]:
    return [q.grade.band for q in questions if q.grade and not q.grade.is_none and not q.point]


def _own_band(rounds: Iterable[RoundDebrief]) -> float | None:
    asked = [q for part in rounds for q in part.questions if q.grade and not q.is_drill]
    if all(question.own_score is None for question in asked):
        return None
    return mean_band([q.grade.band if q.own_band is None else q.own_band for q in asked if q.grade])


def _of_the_numbers(state: SessionState) -> Iterator[str]:
    """Where the model failed to read them."""
    if failed := sum(bool(reading.failed) for reading in latest_readings(state).values()):
        yield (
            f"The model did not read the numbers in {pluralize(failed, 'answer')}: what they say "
            "was not held against the rest."
        )


def _headline(state: SessionState, band: float | None, told: Recommendation) -> str:
    if band is None:
        return "Nothing was graded."
    by = told.basis and f" {told.basis}"
    graded = sum(each is not None for each in _bands(state.questions))
    return f"Band {band:.1f} of {TOP_BAND}{by} over {pluralize(graded, 'question')}. {told.anchor}"
