"""A debrief and a transcript as plain lines, for terminals, pipes and screen readers.

The lines hold what was typed as it was typed; whoever prints them makes them harmless with
:func:`interviewer.report.plain.printable`.
"""

from __future__ import annotations

from collections.abc import Iterator

from interviewer.grading.score import Grade
from interviewer.grading.transcript import Turn
from interviewer.interview.debrief import CriterionLine, Debrief, QuestionDebrief
from interviewer.report import words


def debrief_lines(debrief: Debrief) -> Iterator[str]:
    """The debrief: result, doubts, then each question's points and its reference answer."""
    yield f"Debrief: {debrief.plan_title}, {words.band_words(debrief.band)}"
    if debrief.headline:
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
            yield f"Not asked: {', '.join(part.not_asked)}."


def question_lines(question: QuestionDebrief) -> Iterator[str]:
    """One question's grade: its points with the words that carry them, scores, the reference."""
    grade = question.grade
    band = words.band_words(grade.band if grade else None)
    yield f"Question {question.number}: {question.rubric.title}, {band}"
    if grade is None:
        return
    for line in question.lines:
        yield from _criterion(line)
    yield from grade_notes(grade)
    yield f"  Reference answer: {question.rubric.reference}"


def grade_notes(grade: Grade) -> Iterator[str]:
    """The scores and what shaped them."""
    yield f"  {words.scores_sentence(grade)}"
    for note in (*grade.reasons, words.flags_sentence(grade.flags)):
        if note:
            yield f"  {note}"


def turn_line(turn: Turn) -> str:
    """One utterance with its author."""
    author = "Examiner" if turn.author == "examiner" else "You"
    said = turn.text or "(I don't know.)"
    return f"{author} ({words.TURN[turn.kind]}): {said}"


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
