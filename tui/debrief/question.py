"""One question of the debrief: its band in the title, its points and its reference below."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Collapsible, Static

from interviewer.interview.debrief import BenchDebrief, CriterionLine, QuestionDebrief
from interviewer.report import words
from interviewer.report.bench import bench_lines, run_lines, solution_lines
from tui.widgets import verdicts
from tui.widgets.plain_text import one_line, plain


class CriterionRow(Static, can_focus=True):
    """A criterion; it knows the turn that it rests on, or where it was asked about."""

    def __init__(self, line: CriterionLine, question: QuestionDebrief) -> None:
        lesson = question.lesson_on(line.criterion)
        super().__init__(verdicts.criterion(line, lesson))
        judged = line.verdict.turn if line.verdict else None
        answered = lesson.said.turn.number if lesson and lesson.said else None
        self.turn = judged or answered or first_turn(question)


class QuestionCard(Collapsible):
    """Closed it is one line; what is inside is made when it is opened first."""

    def __init__(self, question: QuestionDebrief) -> None:
        self._inside = Container(classes="inside")
        super().__init__(self._inside, title=_title(question).markup)
        self.question = question
        self.turn = first_turn(question)

    async def on_collapsible_expanded(self) -> None:
        if not self._inside.children:
            await self._inside.mount(Points(self.question), Reference(self.question))
            if bench := self.question.bench:
                await self._inside.mount(AtTheBench(bench))
        # Only now is the card as tall as it gets; it is read from its title down.
        self.call_after_refresh(self.scroll_visible, animate=False, top=True)


class Points(Vertical):
    """The criteria with what they got, then the scores."""

    def __init__(self, question: QuestionDebrief) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        question = self._question
        if question.closed:
            yield Static(Content(words.CLOSED[question.closed]), classes="closed")
        for line in question.lines:
            yield CriterionRow(line, question)
        yield Static(verdicts.scores(question), classes="scores")


class Reference(Static, can_focus=True):
    """The question as asked and a strong answer to it."""

    def __init__(self, question: QuestionDebrief) -> None:
        rubric = question.rubric
        parts = [
            Content.styled("Question", "bold"),
            plain(rubric.question),
            Content(""),
            Content.styled("A strong answer", "bold"),
            plain(rubric.reference),
        ]
        super().__init__(Content("\n").join(parts))


class AtTheBench(Static, can_focus=True):
    """What was tried on the question's challenge, the last run in full, and a written solution."""

    def __init__(self, bench: BenchDebrief) -> None:
        last = bench.runs[-1] if bench.runs else None
        ran = run_lines(last.text, last.result) if last and last.result else ()
        parts = [
            Content.styled("At the bench", "bold"),
            *(plain(line) for line in bench_lines(bench)),
            *(plain(line, "dim") for line in ran),
            Content(""),
            Content.styled("A written solution", "bold"),
            *(plain(line) for line in solution_lines(bench)),
        ]
        super().__init__(Content("\n").join(parts))


def first_turn(question: QuestionDebrief) -> int:
    """The turn in which the question was asked."""
    return question.turns[0].number


def _title(question: QuestionDebrief) -> Content:
    band = words.grade_words(question.grade)
    doubt = ", doubtful" if question.failed_exam else ""
    return plain(f"{question.number} · {band}{doubt} · ") + one_line(question.rubric.title)
