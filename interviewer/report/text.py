"""A debrief and a transcript as plain lines, for terminals, pipes and screen readers.

The lines hold what was typed as it was typed; whoever prints them makes them harmless with
:func:`interviewer.report.plain.printable`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from interviewer.grading.score import Grade
from interviewer.grading.transcript import Turn
from interviewer.interview.debrief import CriterionLine, Debrief, QuestionDebrief
from interviewer.interview.replay import Replay
from interviewer.report import words
from interviewer.report.reveal import grades_may_be_shown


def debrief_lines(debrief: Debrief) -> Iterator[str]:
    """The debrief: result, doubts, then each question's points and its reference answer."""
    yield f"Debrief: {debrief.plan_title}"
    yield debrief.headline
    yield from debrief.doubts
    for part in debrief.rounds:
        yield ""
        yield f"Round {part.number}: {part.title}, {words.band_words(part.band)}"
        for question in part.questions:
            yield ""
            yield from question_lines(question)
        if part.not_asked:
            yield ""
            yield f"Not asked: {'; '.join(part.not_asked)}."


def transcript_lines(replay: Replay, debrief: Debrief) -> Iterator[str]:
    """Everything that was said, with the verdicts after each question once they may be seen."""
    shown = grades_may_be_shown(replay.state)
    yield f"{debrief.plan_title} ({debrief.mode}), session {replay.session.id}"
    yield f"{local_time(replay.session.created_at)}, examiner {debrief.examiner}"
    yield debrief.headline if replay.state.finished else f"Status: {replay.session.status}"
    if not shown:
        yield "Verdicts follow once the exam is finished."
    for part in debrief.rounds:
        yield ""
        yield f"Round {part.number}: {part.title}"
        for question in part.questions:
            yield ""
            for turn in question.turns:
                yield turn_line(turn, replay.times.get(turn.number))
            if question.closed is not None and shown:
                yield words.CLOSED[question.closed]
            if question.grade and shown:
                yield from question_lines(question)


def question_lines(question: QuestionDebrief) -> Iterator[str]:
    """One question's grade: its points with the words that carry them, scores, the reference."""
    grade = question.grade
    band = words.band_words(grade.band if grade else None)
    yield f"Question {question.number}: {question.rubric.title}, {band}"
    if grade:
        yield from grade_lines(grade, question.lines)
        yield f"  Reference answer: {question.rubric.reference}"


def grade_lines(grade: Grade, lines: Sequence[CriterionLine]) -> Iterator[str]:
    """The points with their verdicts, the scores, and what shaped them."""
    for line in lines:
        yield from _criterion(line)
    yield f"  {words.scores_sentence(grade)}"
    for note in (*grade.reasons, words.flags_sentence(grade.flags)):
        if note:
            yield f"  {note}"


def turn_line(turn: Turn, at: datetime | None = None) -> str:
    """One utterance with its author, and its time where that is known."""
    author = "Examiner" if turn.author == "examiner" else "You"
    when = f", {local_time(at)}" if at else ""
    return f"{author} ({words.TURN[turn.kind]}{when}): {turn.text}"


def local_time(at: datetime) -> str:
    """A moment to the minute, in the time zone of this machine."""
    return f"{at.astimezone():%Y-%m-%d %H:%M}"


def _criterion(line: CriterionLine) -> Iterator[str]:
    if line.verdict is None:
        yield f"  {words.NOT_JUDGED}: {line.criterion.claim}"
        yield f"      {line.ungraded_reason}"
        return
    yield f"  {words.verdict_words(line.verdict)}: {line.criterion.claim}"
    if line.verdict.evidence:
        yield f"      “{line.verdict.evidence}”"
    for note in (line.verdict.unsupported, line.verdict.missing):
        if note:
            yield f"      {note}"
