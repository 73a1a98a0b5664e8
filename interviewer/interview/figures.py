"""Has figures read beside what is done anyway, and takes the candidate's own marks."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator, Mapping

from interviewer.errors import ExaminerError, FigureError
from interviewer.examiner.protocol import AnswerToRead, Examiner, Heard, QuestionContext, to_read
from interviewer.grading.claims import rules
from interviewer.grading.claims.catalog import measures
from interviewer.grading.claims.quantity import Mark, Quantity, Reading
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.interview.commands import MarkFigure
from interviewer.interview.consistency import (
    NOTES_TURN,
    is_of_the_bench,
    latest_readings,
    session_ledger,
)
from interviewer.interview.state import QuestionState, SessionState, rubric_of
from interviewer.rubric.rubric import Rubric

_ASKED_FOR_NOTES = "Tell me about a project of your own."


async def read_beside(
    examiner: Examiner, state: SessionState, context: QuestionContext, *, listens: bool
) -> tuple[Reading, ...]:
    """The figures of the notes, once a session, and of the last words where nobody listens to them.

    A failure is part of what was read.
    """
    due = []
    if state.project and NOTES_TURN not in latest_readings(state):
        due.append(_notes(state))
    last = context.turns[-1]
    is_unheard = not listens and last.kind is TurnKind.ANSWER
    if is_unheard and not is_of_the_bench(state.rounds[-1].questions[-1], last):
        due.append(context.to_read)
    return tuple(await asyncio.gather(*(read(examiner, answer) for answer in due)))


def heard_in(question: QuestionState, heard: Heard) -> tuple[Reading, ...]:
    """The figures that came with what was heard; none of what is said at the bench."""
    is_read = heard.reading and not is_of_the_bench(question, question.last_words)
    return (heard.reading,) if heard.reading and is_read else ()


def _notes(state: SessionState) -> AnswerToRead:
    notes = Turn(NOTES_TURN, "candidate", TurnKind.ANSWER, state.project)
    return AnswerToRead(notes, _ASKED_FOR_NOTES, on_own_work=True)


async def read(examiner: Examiner, answer: AnswerToRead) -> Reading:
    """The figures of an answer, or why they are unread."""
    try:
        return await examiner.read_figures(answer)
    except ExaminerError as error:  # the call log keeps the error
        return Reading(answer.turn.number, by="model", failed=str(error))


def unread(state: SessionState, rubrics: Mapping[str, Rubric]) -> Iterator[AnswerToRead]:
    """What could not be read, the notes included, oldest first."""
    failed = {turn for turn, reading in latest_readings(state).items() if reading.failed}
    if not failed:
        return
    known = session_ledger(state, rubrics).quantities
    if NOTES_TURN in failed:
        yield _notes(state)
    for question in state.questions:
        for place, turn in enumerate(question.spoken, start=1):
            if turn.number in failed:
                before = tuple(each for each in known if each.turn < turn.number)
                said = question.spoken[:place]
                yield to_read(rubric_of(question, rubrics), said, before)


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
    if value is None or not 0 <= value < math.inf:
        raise FigureError(
            f"“{typed}” is no value of that kind: write a number with its unit, as in “4M tokens”."
        )
    return MarkFigure(figure.turn, figure.span[0], value, typed)


def mark_of(command: MarkFigure, state: SessionState) -> Mark:
    """The mark that the command makes now."""
    return Mark(command.turn, command.start, state.turns, command.value, command.typed)
