"""One sentence on the person: what they know, what they told of their own, what to do about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interviewer.examiner.protocol import is_on_own_work
from interviewer.grading.bands import TOP_BAND, band_of
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.interview.debrief.assessment import CORE, SOLID, ClaimsDebrief, Level, Profile
from interviewer.interview.debrief.questions import QuestionDebrief, heard_in
from interviewer.interview.debrief.talk import Incident, What
from interviewer.interview.debrief.wording import wording

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


def _was_drilled(question: QuestionDebrief) -> bool:
    return any(turn.kind is TurnKind.DRILL for turn in question.turns)


def _said(question: QuestionDebrief) -> Iterator[Turn]:
    return (turn for turn in question.turns if turn.author == "candidate")


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
    gap = next((kind for kind in profile.weak if kind in wording("lacking")), "")
    told, advice = _knowledge(band, gap, profile.strong), _next(band, gap)
    hints = sum(each.what is What.HINT_TAKEN for each in talk)
    manner = _manner(questions, answered, claims, hints)
    says, better = wording("manners").get(manner, ("", ""))
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
    on_own = [q for q in answered if is_on_own_work(q.rubric) or _was_drilled(q)]
    numbers = sum(len(turn.parsed.quantities) for q in on_own for turn in _said(q))
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
    lacking, sound_terms = wording("lacking")[gap][0] if gap else "", "fact" in strong
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
        learn: str = wording("lacking")[gap][1]
        return learn
    return "try harder questions next" if band >= SOLID else "close the gaps below"
