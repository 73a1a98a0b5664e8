"""The claims of one text."""

from __future__ import annotations

from interviewer.grading.claims.claim import Claim
from interviewer.grading.claims.reading import read


def extract(text: str, turn: int = 0) -> tuple[Claim, ...]:
    """The numbers that a text states about real training runs, in the text's order.

    Hypotheses, plans, questions, other people's models and numbers that the text itself takes back
    are no claims. Every claim's ``span`` indexes ``text`` as given. Never raises.
    """
    stated = [s.claim for passage in read(text, turn).passages for s in passage.statements]
    return tuple(dict.fromkeys(sorted(stated, key=lambda claim: claim.span)))
