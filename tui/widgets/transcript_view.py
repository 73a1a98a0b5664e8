"""What was said, oldest first, for the interview and the transcript."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from textual.app import ComposeResult
from textual.content import Content
from textual.strip import Strip
from textual.visual import RenderOptions, Visual
from textual.widget import Widget
from textual.widgets import Button

from interviewer.grading.transcript import Turn, TurnKind
from interviewer.report.words import run_lines
from tui.widgets.figure_view import content_of
from tui.widgets.pages import ViScroll
from tui.widgets.plain_text import one_line, spoken

if TYPE_CHECKING:
    from textual.css.styles import RulesMap
    from textual.selection import Selection
    from textual.style import Style

    from interviewer.interview.state import SessionState
    from interviewer.rubric.figure import Figure


MOUNTED = 20
"""Lines mounted at a time; older ones wait behind a button."""
COLOURS = {"examiner": "$text-primary", "candidate": "$text-success", "notice": ""}
MARKS = {"examiner": " ▌ ", "candidate": " " * 5, "notice": " " * 3}
ASIDE_MARK = Content.styled("  │ ", "$border-blurred")
NAME_WIDTH, SAID_WIDTH, ASIDE_FROM = 11, 100, 100
"""Columns: of the name, at most of what is said, and of all where an aside stands beside it."""
SAID = 2
"""The column of what is said."""


@dataclass(frozen=True)
class TranscriptLine:
    """A turn, or a notice from the program.

    ``note`` is shown under the speaker's name; ``aside`` beside the text if there is room, else
    below it, and so is ``figure``. ``turn`` is the turn's number in the session.
    """

    role: Literal["examiner", "candidate", "notice"]
    speaker: str
    text: str
    note: str = ""
    turn: int | None = None
    aside: Content | None = None
    figure: Figure | None = None
    lit: tuple[tuple[str, str], ...] = ()
    """Words of the text to set off, in lower case, each with its style."""


class Columns(Visual):
    """The speaker's name, what is said and, where there is room beside it, the aside."""

    def __init__(self, line: TranscriptLine, lines_shown: Callable[[], int]) -> None:
        note = one_line(f"\n{line.note}", "$text-muted") if line.note else Content()
        name = one_line(line.speaker, f"bold {COLOURS[line.role]}")
        self._name = Content("\n").join([name, note]) if note else name
        self._mark = Content.styled(MARKS[line.role], "$primary")
        self.words, self._aside, self._figure = _lit(line), line.aside, line.figure
        self._lines_shown = lines_shown

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:
        return max(content.get_height({}, wide) for content, wide in self._columns(width))

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        rows, blank = self.get_height({}, width), style.rich_style
        columns = []
        for at, (content, wide) in enumerate(self._columns(width)):
            align: RulesMap = {"text_align": "right"} if at == 0 else {}
            selection = options.selection if at == SAID else None
            how = replace(options, rules=align, selection=selection)
            strips = content.render_strips(wide, rows, style, how)
            if at != SAID:  # only what is said can be selected
                strips = [strip.discard_meta() for strip in strips]
            if at % 2:  # a mark
                strips *= rows
            strips += [Strip.blank(wide, blank)] * (rows - len(strips))
            columns.append([strip.adjust_cell_length(wide, blank) for strip in strips])
        return [Strip.join(row) for row in zip(*columns, strict=True)]

    def _columns(self, width: int) -> Iterator[tuple[Content, int]]:
        """Each with its width; every other one is a mark, the same on every line."""
        yield self._name, NAME_WIDTH
        yield self._mark, self._mark.cell_length
        room = max(1, width - NAME_WIDTH - self._mark.cell_length)
        said, aside = [self.words], self._aside
        is_beside = aside and width >= ASIDE_FROM
        if aside and not is_beside:
            said.append(aside)
        if self._figure:
            said.append(content_of(self._figure, room, self._lines_shown()))
        wide = min(room, SAID_WIDTH) if not is_beside else room * 3 // 5
        yield Content("\n\n").join(filter(None, said)), wide
        if aside and is_beside:
            yield ASIDE_MARK, ASIDE_MARK.cell_length
            yield aside, room - wide - ASIDE_MARK.cell_length


def _lit(line: TranscriptLine) -> Content:
    said = spoken(line.text)
    for words, style in line.lit:
        at = said.plain.lower().find(words)
        while at >= 0:
            said = said.stylize(style, at, at + len(words))
            at = said.plain.lower().find(words, at + len(words)) if words else -1
    return said


class LineView(Widget):
    """A line, drawn as a whole: every widget more would be laid out anew at every turn."""

    def __init__(self, line: TranscriptLine) -> None:
        super().__init__(classes=line.role)
        self.line = line
        self._columns = Columns(line, lambda: self.app.size.height)

    def render(self) -> Visual:
        return self._columns

    def get_selection(self, selection: Selection) -> tuple[str, str]:
        """What is said, with who says it if it is selected from its beginning."""
        words = selection.extract(self._columns.words.plain)
        return f"{self.line.speaker}\n{words}" if selection.start is None else words, "\n"


class TranscriptView(ViScroll):
    """Lines; with ``follow`` the view stays at the bottom until the reader scrolls away."""

    def __init__(self, *, mounted: int = MOUNTED, follow: bool = True) -> None:
        super().__init__()
        self._limit = mounted
        self._follow = follow
        self._earlier: list[TranscriptLine] = []
        self._views: list[LineView] = []

    def compose(self) -> ComposeResult:
        yield Button("", id="earlier", compact=True)

    def on_mount(self) -> None:
        if self._follow:
            self.anchor()
        self.mount_all(self._views)  # what was added before there was a place for it
        self._count_earlier()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self._show_earlier()

    def fill(self, lines: list[TranscriptLine], at_turn: int | None = None) -> None:
        """Show these lines instead, with turn ``at_turn`` at the top if given."""
        self.query(LineView).remove()
        wanted = [i for i, line in enumerate(lines) if line.turn and line.turn == at_turn]
        first = min([max(0, len(lines) - self._limit), *wanted])
        self._earlier = lines[:first]
        self._views = [LineView(line) for line in lines[first:]]
        if self._has_place:
            self.mount_all(self._views)
        self._count_earlier()
        if wanted:
            self.call_after_refresh(self.show_turn, at_turn)

    def add(self, line: TranscriptLine) -> None:
        self._views.append(LineView(line))
        if self._has_place:
            self.mount(self._views[-1])
            self._prune()

    def leave_out(self, turn: int | None) -> None:
        """Show all lines but that of this turn, which stands elsewhere on the screen."""
        for view in self._views:
            view.display = view.line.turn != turn or turn is None

    def page_up(self) -> None:
        """Scroll back; at the top, bring in earlier lines."""
        if self.scroll_offset.y == 0 and self._earlier:
            self._show_earlier()
        self.release_anchor()
        self.scroll_page_up(animate=False)

    def page_down(self) -> None:
        self.scroll_page_down(animate=False)

    def to_end(self) -> None:
        self.anchor()
        self.scroll_end(animate=False)

    @property
    def turn(self) -> int | None:
        """The turn that was gone to, if it is in sight, else the first in sight."""
        top, bottom = self.scroll_offset.y, self.scroll_offset.y + self.size.height
        seen = [
            view
            for view in self._views
            if view.line.turn
            and view.virtual_region.bottom > top
            and view.virtual_region.y < bottom
        ]
        found = [view for view in seen if view.has_class("-found")]
        return next((view.line.turn for view in (*found, *seen)), None)

    def find_turn(self, turn: int) -> None:
        """Scroll to this turn, bringing in earlier lines until it is there."""
        while self._earlier and not any(view.line.turn == turn for view in self._views):
            self._show_earlier()
        self.call_after_refresh(self.show_turn, turn)

    def show_turn(self, turn: int) -> None:
        """Scroll this turn to the top, if it is there."""
        for view in self._views:
            view.set_class(view.line.turn == turn, "-found")
            if view.line.turn == turn:
                self.release_anchor()
                self.scroll_to_widget(view, top=True, animate=False)

    @property
    def _has_place(self) -> bool:
        """Events may come before it is mounted, and while the program ends."""
        return self.is_mounted and self.is_attached

    def _prune(self) -> None:
        while len(self._views) > self._limit:
            oldest = self._views.pop(0)
            self._earlier.append(oldest.line)
            oldest.remove()
        self._count_earlier()

    def _show_earlier(self) -> None:
        more, self._earlier = self._earlier[-self._limit :], self._earlier[: -self._limit]
        views = [LineView(line) for line in more]
        self._views = views + self._views
        self.release_anchor()
        self.mount_all(views, after="#earlier")
        self._count_earlier()

    def _count_earlier(self) -> None:
        if not self._has_place:
            return
        button = self.query_one("#earlier", Button)
        button.display = bool(self._earlier)
        button.label = Content(f"▲ show earlier ({len(self._earlier)})")


YOU = "You"
SUBMITTED = "(submitted from the bench, as run)"


def line_of(turn: Turn, persona: str) -> TranscriptLine:
    """The line of a turn. Only help is labelled: an exam hides the kinds of other moves."""
    if turn.kind is TurnKind.BENCH:
        return TranscriptLine("candidate", YOU, _ran(turn), note="bench", turn=turn.number)
    if turn.author == "candidate":
        said = SUBMITTED if turn.run else turn.text
        return TranscriptLine("candidate", YOU, said, turn=turn.number)
    note = _help(turn)
    return TranscriptLine(
        "examiner", persona, turn.text, note, turn=turn.number, figure=turn.figure
    )


def past_lines(state: SessionState) -> list[TranscriptLine]:
    """Everything said so far, with a notice at the start of each round."""
    lines = []
    for running in state.rounds:
        title, of = running.outline.title, len(state.outline)
        if not is_whole_plan(title, of, state.plan_title):
            lines.append(round_notice(running.number, of, title))
        for question in running.questions:
            lines += [line_of(turn, running.outline.persona.name) for turn in question.turns]
    return lines


def notice(text: str, aside: Content | None = None) -> TranscriptLine:
    return TranscriptLine("notice", "", text, aside=aside)


def is_whole_plan(round: str, of: int, plan: str) -> bool:
    """The only round of a plan that has no other title than the plan, as one question has."""
    return of == 1 and round == plan


def round_notice(number: int, of: int, title: str) -> TranscriptLine:
    return notice(f"Round {number} of {of}: {title}")


def _ran(turn: Turn) -> str:
    return "\n".join(run_lines(turn.text, turn.result)) if turn.result else turn.text


def _help(turn: Turn) -> str:
    if turn.kind is TurnKind.HINT:
        from interviewer.grading.verdicts import price_of_hint
        from interviewer.report.words import counts

        return f"hint: {counts(price_of_hint(turn.hint_level))}"
    return "explained" if turn.kind is TurnKind.TELL else ""
