"""Lines of the debrief, verdicts and grades: a sign and a word, with colour on top."""

from __future__ import annotations

from dataclasses import replace

from textual.content import Content

from interviewer.interview.debrief import Debrief
from interviewer.interview.debrief.questions import QuestionDebrief
from interviewer.interview.state import SessionState
from interviewer.report import document, words
from interviewer.report.document import Line
from interviewer.rubric.rubric import Rating
from tui.widgets.plain_text import one_line, plain, spoken

COLOUR = {
    Rating.MET: "$text-success",
    Rating.PARTIAL: "$text-warning",
    Rating.NOT_MET: "$text-muted",
    Rating.CONTRADICTED: "$text-error",
}
_STYLE = {"quote": "italic", "note": "$text-muted"}
_NEW_LINE = Content("\n")
_INDENT = "    "


def content(line: Line) -> Content:
    """A line of a document, its details below it."""
    verdict = line.facts.verdict
    label = plain(f"{line.label}  ", f"bold {COLOUR[verdict] if verdict else ''}")
    head = label + one_line(line.text) if line.label else one_line(line.text)
    return _NEW_LINE.join([head, *map(_detail, line.details)])


def _detail(line: Line) -> Content:
    if line.style == "prose":
        return spoken(line.text)
    label = plain(f"{line.label}: " if line.label else "", "bold")
    return Content(_INDENT) + label + one_line(line.text, _STYLE.get(line.style, ""))


def grade(question: QuestionDebrief) -> Content:
    """A question's whole grade, followed by the reference answer."""
    told = document.in_full(question)
    title = Content.assemble(
        one_line(question.rubric.title, "bold"), f", {words.grade_words(question)}"
    )
    return _NEW_LINE.join([title, *map(content, told.lines)])


def verdicts_after(debrief: Debrief, state: SessionState) -> dict[int | None, Content]:
    """The verdicts on each answer, by the number of its turn; graded questions only."""
    return {
        judged.answer_turn: _NEW_LINE.join(
            content(document.point(replace(line, verdict=verdict, examiner=judged.examiner)))
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
    return _NEW_LINE.join(plain(line.text, "$text-muted") for line in document.notes(question))
