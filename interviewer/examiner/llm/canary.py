"""A planted criterion that no answer can carry: who credits it credits anything.

It stands in the answer key like the others, in a sample of questions that depends on the question
and the first answer alone, so that a repeat is the same and the prompts of a question share their
beginning. Where the candidate's text tries to instruct the judge it is always there.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from interviewer.examiner.protocol import Case
from interviewer.grading.evidence import candidate_turns, suspicions
from interviewer.rubric.rubric import Criterion, Verdict

SHARE = 0.25
"""Of the questions; each costs some thirty tokens a call more."""
CREDITED = (Verdict.MET, Verdict.PARTIAL)

_CLAIMS = {
    "examiner-hat": "The answer names the colour of the hat that the examiner is wearing",
    "room-number": "The answer gives the number of the room in which the interview takes place",
    "ship-cargo": "The answer lists the cargo of the ship that brought the examiner's piano",
    "window-birds": "The answer says how many birds sit on the ledge outside the window",
    "teacup-pattern": "The answer describes the pattern on the examiner's teacup",
    "lost-umbrella": "The answer tells where the examiner lost an umbrella last winter",
}


@dataclass(frozen=True)
class Canary:
    """The planted criterion, and how many criteria of the answer key come before it."""

    criterion: Criterion
    place: int

    def among(self, criteria: Sequence[Criterion]) -> tuple[Criterion, ...]:
        """The criteria with the planted one in its place."""
        return (*criteria[: self.place], self.criterion, *criteria[self.place :])


def canary_for(case: Case, share: float = SHARE) -> Canary | None:
    """The canary of this question, None where it has none. The same case gives the same."""
    answers = candidate_turns(case.turns)
    first = answers[0].text if answers else ""
    draw = random.Random(f"{case.rubric.id} {case.rubric.version} {first}")
    chosen = draw.random() < share
    taken = {criterion.id for criterion in case.rubric.criteria}
    name = draw.choice([each for each in _CLAIMS if each not in taken])
    place = draw.randrange(3)
    if not chosen and not (share and suspicions(case.turns)):
        return None
    planted = Criterion(id=name, claim=_CLAIMS[name], weight=1, kind="fact", probe="Never asked.")
    return Canary(planted, place)
