"""What is read first: the person in a sentence, what to do, what happened in the talk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from interviewer.examiner.protocol import is_on_own_work
from interviewer.grading.bands import TOP_BAND, band_of
from interviewer.grading.transcript import RESPONSES, DialogueAct, TurnKind
from interviewer.interview.debrief.assessment import CORE, SOLID, ClaimsDebrief, Level, Profile
from interviewer.interview.debrief.questions import (
    Lesson,
    QuestionDebrief,
    Quote,
    heard_in,
    lesson_on,
    opening,
    quote,
    whole,
    wording,
)
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import Rubric

# -- the talk

LONG = 250
"""An answer of more words than this talks too long."""


class What(StrEnum):
    """What happened, in the order in which it is told."""

    GAVE_UP = "gave_up"
    SKIPPED = "skipped"
    HINT_TAKEN = "hint_taken"
    TALKED_LONG = "talked_long"
    FISHED = "fished"
    """The candidate asked for the solution or the marking and said no more, as a model heard it."""
    ORDERED = "ordered"
    """Text that reads like an instruction to the examiner."""


@dataclass(frozen=True)
class Incident:
    """Something that happened, with the words that show it.

    ``quote`` is the candidate's; the examiner's for a hint and a question skipped without a word.
    ``words`` counts those of an answer that was too long.
    """

    what: What
    title: str
    quote: Quote
    words: int = 0

    @property
    def turn(self) -> int:
        return self.quote.turn


def talk_of(
    questions: Iterable[QuestionState], rubrics: Mapping[str, Rubric]
) -> tuple[Incident, ...]:
    """All incidents, in the order in which they happened."""
    found = (
        Incident(what, rubrics[question.rubric].title, said, words)
        for question in questions
        for what, said, words in (*_turns(question), *_skip(question))
        if said is not None
    )
    return tuple(sorted(found, key=lambda incident: incident.turn))


_Found = tuple[What, Quote | None, int]
_FISHING = {DialogueAct.WANTS_ANSWER, DialogueAct.WANTS_RUBRIC}


def _turns(question: QuestionState) -> Iterator[_Found]:
    for turn in question.spoken:
        if turn.author == "examiner":
            if turn.kind is TurnKind.HINT:
                yield What.HINT_TAKEN, whole(turn), 0
            continue
        said, heard = opening(turn), question.heard_in(turn)
        if heard and turn.kind is TurnKind.ASIDE and _FISHING & {*heard.acts}:
            yield What.FISHED, said, 0
        if turn.kind is TurnKind.DONT_KNOW and any(map(str.isalnum, turn.text)):
            yield What.GAVE_UP, said, 0
        if spans := turn.parsed.order_spans:
            yield What.ORDERED, quote(turn, spans[0]), 0
        if (words := len(turn.text.split())) > LONG and turn.run is None:
            yield What.TALKED_LONG, said, words


def _skip(question: QuestionState) -> Iterator[_Found]:
    """A question passed on without any answer; to go on after one is no skip."""
    answered = any(turn.kind in RESPONSES for turn in question.turns)
    if question.closed == "skipped" and not answered:
        last = question.last_words
        yield What.SKIPPED, opening(last) or whole(last), 0


# -- what to study

TO_DO = 3
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


def actions(questions: Sequence[QuestionDebrief]) -> tuple[Lesson, ...]:
    """What to do first, by the weight lost.

    One for each question answered, standing for all that it cost; then what was skipped, then
    further points of the costliest question. What was only heard calls for nothing.
    """
    known = (q for q in questions if q.answered and q.lessons and not q.only_heard)
    answered = sorted(known, key=lambda q: -q.lost)
    first = [replace(question.lessons[0], lost=question.lost) for question in answered]
    skipped = [lesson_on(q.rubric, q.lost) for q in questions if q.skipped]
    deeper = [lesson for question in answered for lesson in question.lessons[1:]]
    return (*first, *skipped, *deeper)[:TO_DO]


# -- the person

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
    questions: Sequence[QuestionDebrief],
    profile: Profile,
    claims: ClaimsDebrief,
    talk: Sequence[Incident],
    level: Level,
) -> str:
    """The first sentence of the debrief."""
    answered = [question for question in questions if question.answered]
    if not answered:
        return "No answers yet, so there is nothing to say about you: pick one question and try it."
    possible = sum(tally.possible for tally in profile.kinds.values())
    if not possible:
        return (
            "Your answers could not be judged: settle the points yourself, or have a model grade."
        )
    share = sum(tally.earned for tally in profile.kinds.values()) / possible
    least, most = _SAID_OF[level]
    band = min(most, max(least, band_of(share)))
    gap = next((kind for kind in profile.weak if kind in wording()["lacking"]), "")
    told, advice = _knowledge(band, gap, profile.strong), _next(band, gap)
    hints = sum(each.what is What.HINT_TAKEN for each in talk)
    manner = _manner(questions, answered, claims, hints)
    says, better = wording()["manners"].get(manner, ("", ""))
    advice = better or advice
    heard = heard_in(line for question in answered for line in question.lines)
    if heard:
        told = heard
        advice = "mark below what else you made" if share < 1 else "try harder questions next"
    if manner:
        is_fair = not gap and (band == CORE or told.startswith(_TERMS))
        sounds_good = heard or band >= SOLID or is_fair
        good, bad = ("and", "though") if manner == "figures" else ("but", "and")
        says = says.format(figures=len(claims.own), hints=hints)
        told = f"{told}, {good if sounds_good else bad} {says}"
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


_TERMS = "You know the terms"


def _knowledge(band: int, gap: str, strong: Sequence[str]) -> str:
    lacking, sound_terms = wording()["lacking"][gap][0] if gap else "", "fact" in strong
    if band >= SOLID:
        return f"Solid knowledge except for {lacking}" if lacking else "Solid knowledge"
    if sound_terms and band:
        return f"{_TERMS} but few of {lacking}" if lacking else _TERMS
    if band == CORE:
        return f"The core is there but few of {lacking}" if lacking else "The core is there"
    return "Fragments rather than answers" if band else "Hardly a point made"


def _next(band: int, gap: str) -> str:
    if band < CORE:
        return "begin with the points below"
    if gap:
        learn: str = wording()["lacking"][gap][1]
        return learn
    return "try harder questions next" if band >= SOLID else "close the gaps below"
