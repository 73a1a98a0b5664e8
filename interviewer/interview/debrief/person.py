"""One sentence on the person: what they know, what they told of their own, what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from interviewer.grading.bands import band_of
from interviewer.interview.debrief.assessment import CORE, SOLID, ClaimsDebrief, Profile
from interviewer.interview.debrief.drills import tells_own_figure
from interviewer.interview.debrief.questions import QuestionDebrief, heard_in
from interviewer.interview.debrief.talk import Incident, What
from interviewer.interview.debrief.wording import wording


class OwnWork(StrEnum):
    """What was told of the candidate's own work."""

    FIGURES = "figures"
    """Runs of their own, with figures, on half of the questions or more."""
    SOME = "some"
    """Something, but seldom with figures."""
    NOTHING = "nothing"
    """Nothing, though it was asked for."""
    NOT_ASKED = "not_asked"


@dataclass(frozen=True)
class Showing:
    """What the session shows of the candidate, as counted.

    ``share`` is the weight earned of the weight judged over the questions answered, 0..1, None if
    nothing was judged. ``weak`` and ``strong`` are kinds of points, the heaviest first.
    """

    answered: int
    share: float | None
    strong: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    own: OwnWork = OwnWork.NOT_ASKED
    impossible: int = 0
    """Sets of their own numbers that cannot all be true and were left so."""
    took_back: int = 0
    hints: int = 0
    gave_up: int = 0
    left: int = 0
    """Questions that were asked and never answered."""
    heard: str = ""
    """How many points were heard, where an examiner judged that cannot weigh them."""


def showing(
    questions: Sequence[QuestionDebrief],
    profile: Profile,
    claims: ClaimsDebrief,
    talk: Sequence[Incident],
) -> Showing:
    """The counts that the sentence is composed from."""
    answered = [question for question in questions if question.answered]
    possible = sum(tally.possible for tally in profile.kinds.values())
    earned = sum(tally.earned for tally in profile.kinds.values())
    count = {what: sum(each.what is what for each in talk) for what in What}
    return Showing(
        answered=len(answered),
        share=earned / possible if possible else None,
        strong=profile.strong,
        weak=profile.weak,
        own=_own(answered, count),
        impossible=len(claims.standing),
        took_back=count[What.TOOK_BACK],
        hints=count[What.HINT_TAKEN],
        gave_up=count[What.GAVE_UP],
        left=len(questions) - len(answered),
        heard=heard_in(line for question in answered for line in question.lines),
    )


def _own(answered: Sequence[QuestionDebrief], count: dict[What, int]) -> OwnWork:
    with_figures = sum(any(map(tells_own_figure, question.turns)) for question in answered)
    if with_figures and 2 * with_figures >= len(answered):
        return OwnWork.FIGURES
    if with_figures or count[What.DRILL_PASSED]:
        return OwnWork.SOME
    return OwnWork.NOTHING if count[What.DRILL_FAILED] else OwnWork.NOT_ASKED


def _often(count: int, shown: Showing) -> bool:
    """More than once, and on more than half of the questions by count."""
    return count >= 2 and 2 * count > shown.answered


_HOLDS: dict[str, Callable[[Showing], bool]] = {
    "contradictory": lambda shown: shown.impossible > 0,
    "unanswered": lambda shown: shown.left > shown.answered,
    "nothing_own": lambda shown: shown.own is OwnWork.NOTHING,
    "changing": lambda shown: shown.took_back >= 2 and shown.own is not OwnWork.FIGURES,
    "gave_up": lambda shown: _often(shown.gave_up, shown),
    "hints": lambda shown: _often(shown.hints, shown),
    "few_figures": lambda shown: shown.own is OwnWork.SOME,
    "figures": lambda shown: shown.own is OwnWork.FIGURES,
}
"""How it was told, the gravest first; the sentence tells the first that holds."""


def sentence(shown: Showing) -> str:
    """The first sentence of the debrief."""
    if not shown.answered:
        return "No answers yet, so there is nothing to say about you: pick one question and try it."
    if shown.share is None:
        return (
            "Your answers could not be judged: settle the points yourself, or have a model grade."
        )
    band = band_of(shown.share)
    gap = next((kind for kind in shown.weak if kind in wording("lacking")), "")
    manner = next((name for name, holds in _HOLDS.items() if holds(shown)), "")
    says, advice = wording("manners").get(manner, ("", ""))
    told = _knowledge(shown, band, gap)
    if manner:
        sounds_good = band >= SOLID or (not gap and (band == CORE or told.startswith(_TERMS)))
        good, bad = ("and", "though") if manner == "figures" else ("but", "and")
        told = f"{told}, {good if sounds_good else bad} {says}"
    return f"{told}: {advice or _next(band, gap)}."


_TERMS = "You know the terms"


def _knowledge(shown: Showing, band: int, gap: str) -> str:
    lacking, sound_terms = wording("lacking")[gap][0] if gap else "", "fact" in shown.strong
    if shown.heard:
        return f"{shown.heard}, few on {lacking}" if lacking and band else shown.heard
    if band >= SOLID:
        return f"Solid knowledge except for {lacking}" if lacking else "Solid knowledge"
    if sound_terms and band:
        return f"{_TERMS} but lack {lacking}" if lacking else _TERMS
    if band == CORE:
        return f"The core is there but {lacking} are missing" if lacking else "The core is there"
    return "Fragments rather than answers" if band else "Hardly a point made"


def _next(band: int, gap: str) -> str:
    if band < CORE:
        return "begin with the points below"
    if gap:
        learn: str = wording("lacking")[gap][1]
        return learn
    return "try harder questions next" if band >= SOLID else "close the gaps below"
