"""One sentence on the person: what they know, what they told of their own, what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from interviewer.examiner.protocol import is_on_own_work
from interviewer.grading.bands import TOP_BAND, band_of
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.interview.debrief.assessment import CORE, SOLID, ClaimsDebrief, Level, Profile
from interviewer.interview.debrief.questions import QuestionDebrief, heard_in
from interviewer.interview.debrief.talk import Incident, What
from interviewer.interview.debrief.wording import wording


@dataclass(frozen=True)
class Showing:
    """What the session shows of the candidate, as counted.

    ``share`` is the weight earned of the weight judged over the questions answered, 0..1, None if
    nothing was judged. ``weak`` and ``strong`` are kinds of points, the heaviest first.
    """

    answered: int
    share: float | None
    level: Level = Level.NOT_ENOUGH
    strong: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    own_asked: bool = False
    """They were asked what they did themselves, and replied."""
    numbers: int = 0
    """All numbers in what they said to the questions that asked so."""
    figures: int = 0
    """Different figures of runs of their own that stand."""
    impossible: int = 0
    """Sums of these that were put to them and are open."""
    hints: int = 0
    left: int = 0
    """Questions that were asked and never answered."""
    heard: str = ""
    """How many points were heard, where an examiner judged that cannot weigh them."""

    @property
    def band(self) -> int:
        """The band of the share, within what the recommendation allows to be said."""
        least, most = _SAID_OF[self.level]
        return min(most, max(least, band_of(self.share or 0.0)))


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


def showing(
    questions: Sequence[QuestionDebrief],
    profile: Profile,
    claims: ClaimsDebrief,
    talk: Sequence[Incident],
    level: Level,
) -> Showing:
    """The counts that the sentence is composed from."""
    answered = [question for question in questions if question.answered]
    possible = sum(tally.possible for tally in profile.kinds.values())
    earned = sum(tally.earned for tally in profile.kinds.values())
    on_own = [q for q in answered if is_on_own_work(q.rubric) or _was_drilled(q)]
    return Showing(
        answered=len(answered),
        share=earned / possible if possible else None,
        level=level,
        strong=profile.strong,
        weak=profile.weak,
        own_asked=bool(on_own),
        numbers=sum(len(turn.parsed.quantities) for q in on_own for turn in _said(q)),
        figures=len(claims.own),
        impossible=len(claims.impossible),
        hints=sum(each.what is What.HINT_TAKEN for each in talk),
        left=len(questions) - len(answered),
        heard=heard_in(line for question in answered for line in question.lines),
    )


def _was_drilled(question: QuestionDebrief) -> bool:
    return any(turn.kind is TurnKind.DRILL for turn in question.turns)


def _said(question: QuestionDebrief) -> Iterator[Turn]:
    return (turn for turn in question.turns if turn.author == "candidate")


_HOLDS: dict[str, Callable[[Showing], bool]] = {
    "contradictory": lambda shown: shown.impossible > 0,
    "unanswered": lambda shown: shown.left > shown.answered,
    "few_figures": lambda shown: (
        shown.own_asked and max(shown.figures, shown.numbers) < ENOUGH_FIGURES
    ),
    "hints": lambda shown: shown.hints >= 2 and 2 * shown.hints > shown.answered,
    "figures": lambda shown: shown.figures >= ENOUGH_FIGURES,
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
    band = shown.band
    gap = next((kind for kind in shown.weak if kind in wording("lacking")), "")
    manner = next((name for name, holds in _HOLDS.items() if holds(shown)), "")
    says, advice = wording("manners").get(manner, ("", ""))
    told, advice = _knowledge(shown, band, gap), advice or _next(band, gap)
    if shown.heard:
        told = shown.heard
        advice = "mark below what else you made" if shown.share < 1 else "try harder questions next"
    if manner:
        is_fair = not gap and (band == CORE or told.startswith(_TERMS))
        sounds_good = shown.heard or band >= SOLID or is_fair
        good, bad = ("and", "though") if manner == "figures" else ("but", "and")
        says = says.format(figures=shown.figures, hints=shown.hints)
        told = f"{told}, {good if sounds_good else bad} {says}"
    return f"{told}: {advice}."


_TERMS = "You know the terms"


def _knowledge(shown: Showing, band: int, gap: str) -> str:
    lacking, sound_terms = wording("lacking")[gap][0] if gap else "", "fact" in shown.strong
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
