"""Has figures read beside what is done anyway, and takes the candidate's own marks."""

from __future__ import annotations

import math

from interviewer.errors import ExaminerError, FigureError
from interviewer.examiner.protocol import AnswerToRead, Examiner, QuestionContext
from interviewer.grading.claims import rules
from interviewer.grading.claims.catalog import measures
from interviewer.grading.claims.quantity import Quantity, Reading
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.interview.commands import MarkFigure
from interviewer.interview.consistency import NOTES_TURN, answers_in_words
from interviewer.interview.state import SessionState

_ASKED_FOR_NOTES = "Tell me about a project of your own."


async def read_unheard(
    examiner: Examiner, context: QuestionContext, *, listens: bool
) -> Reading | None:
    """The figures of the latest answer where nobody listens to it; a failure is part of it."""
    last = context.turns[-1]
    if listens or last.kind is not TurnKind.ANSWER or last.run is not None:
        return None
    return await read(examiner, context.to_read)


async def read_notes(examiner: Examiner, state: SessionState) -> Reading | None:
    """The figures of the project notes, once a session."""
    is_read = any(event.turn == NOTES_TURN for q in state.questions for event in q.readings)
    if not state.project or is_read:
        return None
    notes = Turn(NOTES_TURN, "candidate", TurnKind.ANSWER, state.project)
    return await read(examiner, AnswerToRead(notes, _ASKED_FOR_NOTES, on_own_work=True))


async def read(examiner: Examiner, answer: AnswerToRead) -> Reading:
    """The figures of an answer, or why they are unread."""
    try:
        return await examiner.read_figures(answer)
    except ExaminerError as error:  # the call log keeps the error
        return Reading(answer.turn.number, by="model", failed=str(error))


def unread(state: SessionState) -> tuple[Turn, ...]:
    """The answers whose figures could not be read, oldest first."""
    latest = {event.turn: event.reading for q in state.questions for event in q.readings}
    turns = (turn for question in state.questions for turn in answers_in_words(question))
    return tuple(turn for turn in turns if (read := latest.get(turn.number)) and read.failed)


def marking(figures: tuple[Quantity, ...], number: int, typed: str = "") -> MarkFigure:
    """The command for the figure of this number in the list, from 1; "" or "strike" strikes it.

    Raises FigureError.
    """
    if not 1 <= number <= len(figures):
        raise FigureError(
            f"There is no number {number}: the list has {len(figures)}. /numbers shows it."
        )
    figure = figures[number - 1]
    typed = typed.strip()
    if typed.lower() in ("", "strike"):
        return MarkFigure(figure.turn, figure.span[0])
    value = rules.value_of(typed, measures()[figure.measure].unit)
    if value is None or not math.isfinite(value):
        raise FigureError(
            f"“{typed}” is no value of that kind: write a number with its unit, as in “4M tokens”."
        )
    return MarkFigure(figure.turn, figure.span[0], value, typed)
