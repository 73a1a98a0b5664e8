"""What is read first: the person in a sentence, what happened in the talk, what to study."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from interviewer.examiner.protocol import is_on_own_work
from interviewer.grading.bands import TOP_BAND, band_of
from interviewer.grading.transcript import DialogueAct, TurnKind
from interviewer.grading.verdicts import Evidence
from interviewer.interview.debrief.assessment import CORE, SOLID, ClaimsDebrief, Level, Profile
from interviewer.interview.debrief.questions import (
    Lesson,
    QuestionDebrief,
    heard_in,
    opening,
    whole,
    wording,
)
from interviewer.interview.state import QuestionState

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
    """Something that happened, with the words that show it: the hint, or the candidate's own.

    ``words`` counts those of an answer that was too long.
    """

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
        if said and heard and turn.kind is TurnKind.ASIDE and _FISHING & {*heard.acts}:
            yield Incident(What.FISHED, said)
        is_prose = turn.author == "candidate" and turn.run is None
        if said and is_prose and (words := len(turn.text.split())) > LONG:
            yield Incident(What.TALKED_LONG, said, words)


STUDIED = 7
"""More at once is not a plan. Each question has all of its own."""


def study_points(questions: Iterable[QuestionDebrief]) -> tuple[Lesson, ...]:
    """The costliest points lost on questions that were answered.

    Among equals must-haves come first, then the questions take turns.
    """
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
        return (
            "Your answers could not be judged: settle the points yourself, or have a model grade."
        )
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
