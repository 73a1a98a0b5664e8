"""Verdicts and grades, and the points of a question, which a key settles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial, partialmethod
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Footer, Static

from interviewer.grading.verdicts import OwnMark, own_mark, own_verdict
from interviewer.interview.debrief.questions import BenchDebrief, CriterionLine, QuestionDebrief
from interviewer.report import document, words
from interviewer.report.document import Facts, Line
from interviewer.report.words import run_lines, solution_lines
from interviewer.rubric.rubric import Rating
from tui.actions import bindings
from tui.bridge import LoadFailed
from tui.widgets.dialogs import Card, CardAnswer, card
from tui.widgets.figure_view import FigureView
from tui.widgets.pages import Column
from tui.widgets.plain_text import one_line, plain, spoken

if TYPE_CHECKING:
    from interviewer.interview.debrief import Debrief
    from interviewer.interview.state import SessionState
    from tui.bridge import Bridge

T = TypeVar("T")
_NEW_LINE = Content("\n")
COLOUR = {
    Rating.MET: "$text-success",
    Rating.PARTIAL: "$text-warning",
    Rating.NOT_MET: "$text-muted",
    Rating.CONTRADICTED: "$text-error",
}
_STYLE = {"quote": "italic", "note": "$text-muted"}
_INDENT = "    "


def content(line: Line) -> Content:
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


class Row(Static, can_focus=True):
    """Something under the cursor that keys act on."""

    BINDINGS = bindings("row")

    @dataclass
    class Chosen(Message):
        about: Facts

    def __init__(self, content: Content, about: Facts, **settings: Any) -> None:
        super().__init__(content, **settings)
        self.about = about

    @property
    def copied(self) -> str:
        return str(self.render())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "choose" or not isinstance(self.screen, Card)

    def action_choose(self) -> None:
        self.post_message(self.Chosen(self.about))


class Rows(Column, can_focus=False, inherit_bindings=False):
    """A column of rows; pages scroll it, the screen moves the cursor from row to row."""

    BINDINGS = bindings("page")


class CriterionRow(Row):
    """A criterion; its turn is the answer the verdict rests on, else where it was asked about."""

    BINDINGS = bindings("point")

    def __init__(self, line: CriterionLine, question: QuestionDebrief) -> None:
        self._line, self._lesson = line, question.lesson_on(line.criterion)
        self._place = question.place
        told = document.point(line, self._lesson)
        about = document.about(question, told.facts.turn, line.criterion.id)
        super().__init__(content(told), about)

    def action_settle(self) -> None:
        mark = _NEXT_MARK[own_mark(self._line.own)]
        self._show(replace(self._line, own=own_verdict(self._line.criterion.id, mark)))
        assert isinstance(self.screen, Settling)
        self.notify(_MARKED[mark])
        self.screen.settle(self._place, self.about.criterion, mark)

    def take(self, question: QuestionDebrief) -> None:
        mine = (line for line in question.lines if line.criterion.id == self.about.criterion)
        if self._place == question.place and (line := next(mine, None)):
            self._show(line)

    def _show(self, line: CriterionLine) -> None:
        self._line = line
        self.update(content(document.point(line, self._lesson)))


_MARKED: dict[OwnMark, str] = {
    "said": "Your verdict: you said it. The key again: you did not; once more: none of your own.",
    "not": "Your verdict: you did not say it. The key again takes your verdict away.",
    "none": "No verdict of your own on this point any more.",
}
_NEXT_MARK: dict[str | None, OwnMark] = {None: "said", "said": "not", "not": "none"}


def parts(question: QuestionDebrief) -> Iterator[Widget]:
    """The title, the criteria with their quotes, the scores, a strong answer, the bench."""
    about, rubric = document.about(question), question.rubric
    yield Static(one_line(rubric.title, "bold"), classes="question")
    if question.closed:
        yield Static(Content(words.CLOSING[question.closed]), classes="note")
    for line in question.lines:
        yield CriterionRow(line, question)
    for told in document.said_only(question) if rubric.is_discussion else ():
        yield Row(content(told), told.facts)
    if question.grade:
        yield Static(scores(question), id="scores", classes="note")
    answer = "What they listen for" if rubric.is_discussion else "A strong answer"
    asked = (_headed("The question", rubric.question), _headed(answer, rubric.reference))
    yield Row(Content("\n\n").join(asked), about, classes="reference")
    if rubric.figure:
        yield FigureView(rubric.figure, folds=True)
    if question.bench:
        yield Row(_at_the_bench(question.bench), about, classes="reference")


def _headed(title: str, text: str) -> Content:
    return Content.styled(title, "bold") + _NEW_LINE + spoken(text)


def _at_the_bench(bench: BenchDebrief) -> Content:
    last = bench.runs[-1] if bench.runs else None
    ran = run_lines(last.text, last.result) if last and last.result else ()
    lines = (plain(line, "$text-muted") for line in ran)
    solution = _headed("Solution", "\n".join(solution_lines(bench)))
    return _NEW_LINE.join([Content.styled("At the bench", "bold"), *lines, Content(""), solution])


def take(shown: Widget, question: QuestionDebrief) -> None:
    for row in shown.query(CriterionRow):
        row.take(question)
    for line in shown.query("#scores").results(Static):
        line.update(scores(question))


class Settling(Screen[T]):
    """A screen with points of one session: keeps what is put on them, and shows what is kept."""

    _bridge: Bridge
    _session_id: str

    def show_own(self, debrief: Debrief | None) -> None:
        """Show what stands beside the verdicts now; None: as it was, something was not kept."""
        raise NotImplementedError

    def settle(self, place: int, criterion: str, mark: OwnMark) -> None:
        settle = partial(self._bridge.engine.settle, self._session_id, place, criterion, mark)
        self._bridge.load(self, "settle", settle, lambda kept: self.show_own(kept.debrief))

    def on_load_failed(self, message: LoadFailed) -> None:
        self.show_own(None)


class VerdictCard(Card, Settling[CardAnswer]):
    """The grade of a question in practice; the clock stands still while it is read."""

    AUTO_FOCUS = ""
    CSS_PATH: ClassVar = ["../widgets/dialogs.tcss", "../widgets/points.tcss"]
    HELP = "What your answer was worth, point by point. The clock stands still while you read."
    BINDINGS = bindings("verdict", "list.cursor_down", "list.cursor_up")

    def __init__(
        self, bridge: Bridge, session_id: str, question: QuestionDebrief, *, may_retry: bool
    ) -> None:
        super().__init__()
        self._bridge, self._session_id, self._question = bridge, session_id, question
        self._may_retry = may_retry

    def compose(self) -> ComposeResult:
        band = words.grade_words(self._question)
        title = f"Your verdict: {band} · the clock is stopped"
        yield card(title, Rows(*parts(self._question)))
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self.query(Row).first().focus(scroll_visible=False)

    def show_own(self, debrief: Debrief | None) -> None:
        if debrief:
            self._question = debrief.questions[self._question.place - 1]
        take(self, self._question)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._may_retry or action != "retry"

    def action_cursor_down(self) -> None:
        self.focus_next(Row)

    def action_cursor_up(self) -> None:
        self.focus_previous(Row)

    action_retry = partialmethod(Card.answer, "retry")
    action_pause = partialmethod(Card.answer, "pause")
