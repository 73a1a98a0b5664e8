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


class Own(StrEnum):
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
    own: Own = Own.NOT_ASKED
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


def _own(answered: Sequence[QuestionDebrief], count: dict[What, int]) -> Own:
    with_figures = sum(any(map(tells_own_figure, question.turns)) for question in answered)
    if with_figures and 2 * with_figures >= len(answered):
        return Own.FIGURES
    if with_figures or count[What.DRILL_PASSED]:
        return Own.SOME
    return Own.NOTHING if count[What.DRILL_FAILED] else Own.NOT_ASKED


@dataclass(frozen=True)
class _Manner:
    """How it was told: where it holds, in words, and what to do about it."""

    holds: Callable[[Showing], bool]
    says: str
    """A clause that follows what they know, after "and", "but" or "though"."""
    advice: str
    praises: bool = False


def _often(count: int, shown: Showing) -> bool:
    """More than once, and on more than half of the questions by count."""
    return count >= 2 and 2 * count > shown.answered


_MANNERS = (
    _Manner(
        lambda shown: shown.impossible > 0,
        "your own figures contradict each other",
        "do the sums before you quote them",
    ),
    _Manner(
        lambda shown: shown.left > shown.answered,
        "most of the questions went unanswered",
        "answer the ones you left",
    ),
    _Manner(
        lambda shown: shown.own is Own.NOTHING,
        "you described no run of your own",
        "bring three figures from one",
    ),
    _Manner(
        lambda shown: shown.took_back >= 2 and shown.own is not Own.FIGURES,
        "your story changed when questioned",
        "be sure of what happened before you tell it",
    ),
    _Manner(
        lambda shown: _often(shown.gave_up, shown),
        "you gave up early",
        "say what you do know before you pass",
    ),
    _Manner(
        lambda shown: _often(shown.hints, shown),
        "you needed hints for much of it",
        "answer the same questions again without any",
    ),
    _Manner(
        lambda shown: shown.own is Own.SOME,
        "your own work came with few figures",
        "put three figures to one run",
    ),
    _Manner(
        lambda shown: shown.own is Own.FIGURES,
        "your own runs came with figures",
        "",
        praises=True,
    ),
)
"""The gravest first; the sentence tells the first that holds."""

_LACKING = {
    "fact": ("the terms and defaults", "learn those next"),
    "mechanism": ("the mechanisms", "be able to say why each step works"),
    "number": ("the numbers", "learn the figures and where they come from"),
    "tradeoff": ("the trade-offs", "say what each choice costs"),
    "pitfall": ("the pitfalls", "learn what goes wrong and how it shows"),
}
"""Kinds of points by name, and what to do where they lack. Lacking experience is said otherwise."""


def sentence(shown: Showing) -> str:
    """The first sentence of the debrief."""
    if not shown.answered:
        return "No answers yet, so there is nothing to say about you: pick one question and try it."
    if shown.share is None:
        return (
            "Your answers could not be judged: settle the points yourself, or have a model grade."
        )
    band = band_of(shown.share)
    gap = next((kind for kind in shown.weak if kind in _LACKING), "")
    manner = next((manner for manner in _MANNERS if manner.holds(shown)), None)
    told = _knowledge(shown, band, gap)
    if manner:
        sounds_good = band >= SOLID or (not gap and (band == CORE or told.startswith(_TERMS)))
        told = f"{told}, {_joint(manner, sounds_good=sounds_good)} {manner.says}"
    return f"{told}: {(manner and manner.advice) or _next(band, gap)}."


def _joint(manner: _Manner, *, sounds_good: bool) -> str:
    if manner.praises:
        return "and" if sounds_good else "though"
    return "but" if sounds_good else "and"


_TERMS = "You know the terms"


def _knowledge(shown: Showing, band: int, gap: str) -> str:
    lacking, sound_terms = _LACKING[gap][0] if gap else "", "fact" in shown.strong
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
        return _LACKING[gap][1]
    return "try harder questions next" if band >= SOLID else "close the gaps below"
