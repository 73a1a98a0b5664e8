"""The last look at a follow-up before it counts as asked."""

from __future__ import annotations

from dataclasses import dataclass

from interviewer.examiner.checks import objections
from interviewer.examiner.offline.speech import utterance
from interviewer.examiner.protocol import Case, Move


@dataclass(frozen=True)
class Asked:
    """The words that stand. ``replaced`` says why the examiner's own were not used, else ""."""

    text: str
    replaced: str = ""


def as_asked(text: str, case: Case, move: Move) -> Asked:
    """The examiner's words where they pass the checks, the rubric's probe where they do not."""
    authored = utterance(case, move)
    if text == authored:
        return Asked(text)
    faults = objections(text, case, move)
    return Asked(authored, "; ".join(faults)) if faults else Asked(text)
