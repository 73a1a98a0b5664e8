"""Has the examiner read the numbers of the latest answer, without a wait of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping
from typing import TypeVar

from interviewer.errors import ExaminerError
from interviewer.examiner.protocol import Examiner
from interviewer.interview.consistency import known_before, to_read
from interviewer.interview.events import ClaimsRead
from interviewer.interview.state import SessionState
from interviewer.rubric.rubric import Rubric

PATIENCE = 5.0
"""Seconds that a reading may take longer than what it runs beside; then the rules read."""
T = TypeVar("T")


async def beside(
    others: Awaitable[T], examiner: Examiner, state: SessionState, rubrics: Mapping[str, Rubric]
) -> tuple[T, ClaimsRead | None]:
    """The result of the others, and what was read meanwhile; None if there is nothing to read."""
    answer = to_read(state, rubrics)
    if answer is None:
        return await others, None
    question = state.rounds[-1].questions[-1]
    asked = next(turn.text for turn in reversed(question.turns) if turn.author == "examiner")
    known = known_before(state, rubrics, answer)
    reading = asyncio.ensure_future(examiner.read_claims(asked, answer, known))
    try:
        result = await others
        await asyncio.wait({reading}, timeout=PATIENCE)
    finally:
        if not reading.done():
            reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
    if reading.cancelled():
        return result, ClaimsRead(answer.number, None)
    try:
        read = reading.result()
    except ExaminerError:  # the call log keeps the error
        return result, ClaimsRead(answer.number, None)
    return result, ClaimsRead(answer.number, read) if read is not None else None
