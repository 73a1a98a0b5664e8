"""Verdicts and grades: a sign and a word, with colour on top."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from textual.content import Content

from interviewer.interview.debrief import Debrief
from interviewer.interview.debrief.questions import CriterionLine, Lesson, QuestionDebrief
from interviewer.interview.state import SessionState
from interviewer.report import surface, words
from interviewer.report.overview import said_words
from interviewer.rubric.rubric import Verdict
from tui.widgets.plain_text import one_line, plain, spoken

COLOUR = {
    Verdict.MET: "$text-success",
    Verdict.PARTIAL: "$text-warning",
    Verdict.NOT_MET: "$text-muted",
    Verdict.CONTRADICTED: "$text-error",
}
_NEW_LINE = Content("\n")
_INDENT = "    "


def criterion(line: CriterionLine, lesson: Lesson | None = None) -> Content:
    """A criterion: verdict and claim, the words it rests on, what they lack, what to say."""
    return _NEW_LINE.join([*_criterion(line), *(_lesson(lesson) if lesson else ())])


def grade(question: QuestionDebrief) -> Content:
    """A question's whole grade, followed by the reference answer."""
    if question.rubric.is_discussion:
        return own_words(question)
    band = words.grade_words(question)
    title = Content.assemble(one_line(question.rubric.title, "bold"), f", {band}")
    reference = Content.assemble(("Reference: ", "bold"), spoken(question.rubric.reference))
    criteria = (criterion(line, question.lesson_on(line.criterion)) for line in question.lines)
    return _NEW_LINE.join([title, *criteria, scores(question), reference])


def own_words(question: QuestionDebrief) -> Content:
    """What was said in a discussion, which has no verdicts."""
    title = Content.assemble(one_line(question.rubric.title, "bold"), f", {words.TALKED_OVER}")
    said = (plain(entry.text) for entry in surface.question_entries(question))
    return _NEW_LINE.join([title, *said])


def verdicts_after(debrief: Debrief, state: SessionState) -> dict[int | None, Content]:
    """The verdicts on each answer, by the number of its turn; graded questions only."""
    return {
        judged.answer_turn: _NEW_LINE.join(
            criterion(replace(line, verdict=verdict, examiner=judged.examiner))
            for verdict in judged.verdicts
            for line in told.lines
            if line.criterion.id == verdict.criterion
        )
        for question, told in zip(state.questions, debrief.questions, strict=True)
        if question.grade
        for judged in question.judged
    }


def scores(question: QuestionDebrief) -> Content:
    """A question's scores and the reasons for them; empty while there is no grade."""
    grade = question.grade
    if grade is None or grade.is_none:
        return Content()
    notes = (
        words.scores_sentence(grade),
        words.own_sentence(question),
        *grade.reasons,
        words.drills_sentence(question.drills),
        words.flags_sentence(grade.flags),
        words.failed_exam_sentence(question.failed_exam),
    )
    return _NEW_LINE.join(plain(note, "$text-muted") for note in notes if note)


def _criterion(line: CriterionLine) -> Iterator[Content]:
    verdict = line.verdict
    claim = one_line(line.criterion.claim)
    if verdict is None:
        yield plain(f"{words.line_words(line)}  ", "bold") + claim
        yield one_line(_INDENT + line.ungraded_reason, "$text-muted")
        return
    yield plain(f"{words.line_words(line)}  ", f"bold {COLOUR[verdict.verdict]}") + claim
    if verdict.evidence:
        yield Content(_INDENT) + one_line(words.evidence_words(verdict), "italic")
    for note in words.notes(verdict, line.examiner):
        yield Content(_INDENT) + one_line(note, "$text-muted")


def _lesson(lesson: Lesson) -> Iterator[Content]:
    if said := said_words(lesson):
        yield Content(_INDENT) + one_line(said, "italic")
    if lesson.reference:
        yield Content.assemble(_INDENT, ("Next time: ", "bold"), one_line(lesson.reference))
