"""The last look at the examiner's words before they count as asked."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass

from interviewer.errors import ExaminerError
from interviewer.examiner.checks import objections
from interviewer.examiner.offline.speech import utterance
from interviewer.examiner.protocol import Case, Examiner, Move, MoveKind


@dataclass(frozen=True)
class Asked:
    """The words that stand. ``replaced`` says why the examiner's own were not used, else ""."""

    text: str
    replaced: str = ""


async def opening(examiner: Examiner, case: Case) -> str:
    """The question on the candidate's own project as the examiner words it.

    As authored where the examiner fails or its words cannot be used: that is as good a question,
    and the log of calls keeps what went wrong.
    """
    try:
        return await worded(examiner, case, Move(MoveKind.OPEN))
    except ExaminerError:
        return case.rubric.question


async def worded(examiner: Examiner, case: Case, move: Move) -> str:
    """The words of the move that stand, all at once. Raises ExaminerError."""
    async with aclosing(examiner.ask(case, move)) as pieces:
        said = "".join([piece async for piece in pieces]).strip()
    return as_asked(said, case, move).text


def as_asked(text: str, case: Case, move: Move) -> Asked:
    """The examiner's words where they pass the checks, the rubric's probe where they do not."""
    authored = utterance(case, move)
    if text == authored:
        return Asked(text)
    faults = objections(text, case, move)
    return Asked(authored, "; ".join(faults)) if faults else Asked(text)
