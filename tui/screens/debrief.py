"""The debrief in four tabs: summary, questions, what to study, the numbers stated."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from functools import partial, partialmethod
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Collapsible, Footer, Static, TabbedContent, TabPane, Tabs

from interviewer.interview.debrief import Debrief
from interviewer.names import EXAMPLE
from interviewer.report.document import Facts, lesson_facts
from interviewer.report.text import debrief_lines
from tui import messages
from tui.actions import bindings
from tui.bridge import Bridge, LoadFailed
from tui.screens import debrief_panes as panes
from tui.screens.debrief_panes import Questions
from tui.widgets.pages import TWO_PANES, Page, TitleBar
from tui.widgets.plain_text import plain
from tui.widgets.points import Row, Rows, Settling

BESIDE_FROM, OPEN_FROM = 150, 40
"""From so many columns on what is behind the verdict stands beside it; on so many lines, open."""
BREAKPOINTS = [*TWO_PANES, (BESIDE_FROM, "-two")]
TABS = ("summary", "questions", "study", "numbers")
_TOOLS = (
    ("wl-copy",),
    ("xclip", "-selection", "clipboard"),
    ("xsel", "--clipboard", "--input"),
    ("pbcopy",),
)
_PATIENCE = 1.0
"""Seconds for the tool; without a display it may never answer."""


class DebriefScreen(Page, Settling[None]):
    """The grades of one finished session."""

    # The focus is set once everything is mounted; the screen's own choice comes earlier and would
    # undo what a quick key did in between.
    AUTO_FOCUS = ""
    CSS_PATH: ClassVar = ["debrief.tcss", "../widgets/points.tcss"]
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    HELP = (
        "Your verdict, each point with your own words, what to study, and the numbers you stated. "
        "A band is a grade from 0 to 4: 3 is solid. A must-have is a point without which a "
        "question earns half at most. Keys act on the row under the cursor."
    )
    BINDINGS = bindings("debrief", "back")

    def __init__(self, bridge: Bridge, session_id: str) -> None:
        super().__init__(bridge)
        self._session_id = session_id
        self._session: messages.Session | None = None
        self._debrief: Debrief | None = None
        self._wanted: Facts | None = None
        """What to show once the tab of the questions is open."""

    def compose(self) -> ComposeResult:
        yield TitleBar(Content("Debrief"))
        yield Static(Content("Loading the session…"), id="state", classes="empty")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        read = partial(self.engine.session, self._session_id)
        self.load("session", read, self._fill)

    async def _fill(self, session: messages.Session) -> None:
        self._session = session
        self._debrief = debrief = session.debrief
        state = self.query_one("#state", Static)
        if debrief is None:
            state.update(Content("Finish the interview first."))
            return
        await state.remove()
        title = Content("Debrief · ") + plain(debrief.plan_title)
        self.query_one(TitleBar).show(title, Content(debrief.recommendation.level))
        tabs = self._tabs(session, debrief)
        await self.mount(tabs, before=self.query_one(Footer))
        self.refresh_bindings()
        self.call_after_refresh(self._enter)

    def on_load_failed(self, message: LoadFailed) -> None:
        for state in self.query("#state").results(Static):
            state.update(plain(message.sentence))

    def on_tabbed_content_tab_activated(self, event: TabbedContent.TabActivated) -> None:
        self.refresh_bindings()
        if not isinstance(self.focused, Tabs):  # else the arrow keys go on through the tabs
            self.call_after_refresh(self._enter)

    def on_row_chosen(self, message: Row.Chosen) -> None:
        if message.about.rubric and self._active() != "questions":
            self._show(message.about)
        elif message.about.turn:
            self.action_transcript()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is nothing to act on before the debrief is there."""
        if action == "costliest":
            return self._debrief is not None and self._active() in ("summary", "numbers")
        if action == "source":
            return self._debrief is not None and bool(panes.link(self._about().source))
        if action in ("exam", "export", "regrades") and self._session_id == EXAMPLE:
            return False
        if action == "exam":
            return self._debrief is not None and None in self._debrief.exams.values()
        return action == "back" or self._debrief is not None

    def action_costliest(self) -> None:
        assert self._debrief
        if points := self._debrief.study_points:
            self._show(lesson_facts(points[0]))
        else:
            self.notify("Nothing to study.")

    def action_transcript(self) -> None:
        self.go("transcript", self._session_id, self._about().turn)

    def action_practise(self) -> None:
        assert self._debrief
        one = self._about().rubric
        rubrics = [one] if one else [point.rubric for point in self._debrief.study_points]
        self.begin(partial(self.engine.drill, "weak", rubrics))

    def action_attempts(self) -> None:
        if rubric := self._about().rubric:
            read = partial(self.engine.attempts, rubric)
            self.go("side_by_side", "Attempts at this question", read)

    def action_regrades(self) -> None:
        read = partial(self.engine.regrades, self._session_id)
        self.go("side_by_side", "Graded again", read)

    def action_source(self) -> None:
        address = panes.link(self._about().source)
        self.app.open_url(address)
        self.notify(f"Opening {address}")

    def action_copy(self) -> None:
        """What is under the cursor, else the whole debrief."""
        assert self._debrief
        row = self.focused
        text = row.copied if isinstance(row, Row) else "\n".join(debrief_lines(self._debrief))
        copy(self.app, text)
        self.notify("Copied this row." if isinstance(row, Row) else "Copied the debrief.")

    def action_export(self) -> None:
        work = partial(self.engine.export, self._session_id)
        self.load("export", work, lambda path: self.notify(f"Saved as {path}"))

    def action_exam(self) -> None:
        self.notify("Ten graded answers go to the examiner in use; what came of it is told here.")
        work = self.engine.short_exam
        self.load("exam", work, partial(self.notify, timeout=20))

    def action_expand_all(self) -> None:
        cards = self._pane().query(Collapsible)
        closed = any(card.collapsed for card in cards)
        for card in cards:
            card.collapsed = not closed

    def action_first(self) -> None:
        for rows in self._pane().query(Rows):
            rows.scroll_home(animate=False)
        self._focus_stop(0)

    def action_last(self) -> None:
        self._focus_stop(-1)

    def _active(self) -> str:
        tabs = self.query(TabbedContent)
        return tabs.first().active if tabs else ""

    def _pane(self) -> TabPane:
        return self.query_one(f"#{self._active()}", TabPane)

    def _open(self, name: str) -> None:
        if name != self._active():
            self.set_focus(None)  # a cursor left in a hidden pane would bring the pane back
            self.query_one(TabbedContent).active = name

    def _step(self, way: int) -> None:
        """To the tab beside this one, from the last on to the first."""
        self._open(TABS[(TABS.index(self._active()) + way) % len(TABS)])

    action_summary = partialmethod(_open, "summary")
    action_questions = partialmethod(_open, "questions")
    action_study = partialmethod(_open, "study")
    action_numbers = partialmethod(_open, "numbers")
    action_next_tab = partialmethod(_step, 1)
    action_previous_tab = partialmethod(_step, -1)

    def _show(self, about: Facts) -> None:
        self._wanted = about
        if self._active() == "questions":
            self._enter()
        else:
            self._open("questions")

    def show_own(self, debrief: Debrief | None) -> None:
        self._debrief = debrief = debrief or self._debrief
        if debrief and self._session and self._active():
            self.query_one(Questions).take(debrief)
            self.query_one("#verdict", Static).update(panes.verdict(debrief))
            tell = self._tell_anew(debrief, self._session)
            self.run_worker(tell, group="told", exclusive=True)

    async def _tell_anew(self, debrief: Debrief, session: messages.Session) -> None:
        """What to do depends on what the candidate settled."""
        told = self.query_one("#told", Rows)
        await told.remove_children()
        await told.mount_all(self._summary(session, debrief))

    def _summary(self, session: messages.Session, debrief: Debrief) -> list[Widget]:
        width, height = self.app.size
        opened = width >= BESIDE_FROM and height >= OPEN_FROM
        return panes.summary(debrief, session.replay, session.spent, opened=opened)

    def _tabs(self, session: messages.Session, debrief: Debrief) -> TabbedContent:
        contents: tuple[Widget, ...] = (
            Rows(*self._summary(session, debrief), id="told"),
            Questions(debrief),
            Rows(*panes.study(debrief)),
            Rows(*panes.numbers(debrief)),
        )
        tabs = TabbedContent()
        for number, (name, content) in enumerate(zip(TABS, contents, strict=True), 1):
            tabs.compose_add_child(TabPane(f"{number} {name.capitalize()}", content, id=name))
        return tabs

    def action_back(self) -> None:
        """From a point back to the questions, then leave."""
        if isinstance(self.focused, Row) and self._active() == "questions":
            self.query_one("#asked").focus()
        else:
            super().action_back()

    def _enter(self) -> None:
        """Put the cursor where it is wanted, else into the pane unless it is there already."""
        if not self._active():  # the screen is being left
            return
        pane = self._pane()
        if self._wanted and self._active() == "questions":
            self.query_one(Questions).show(self._wanted)
            self._wanted = None
        elif self.focused is None or pane not in self.focused.ancestors:
            self._focus_stop(0)

    def _stops(self) -> list[Widget]:
        pane = self._pane()
        return [widget for widget in self.focus_chain if pane in widget.ancestors]

    def _move(self, by: int) -> None:
        stops = self._stops()
        at = stops.index(self.focused) if self.focused in stops else -by
        if stops:
            stops[min(max(at + by, 0), len(stops) - 1)].focus()

    action_next = partialmethod(_move, 1)
    action_previous = partialmethod(_move, -1)

    def _focus_stop(self, index: int) -> None:
        if stops := self._stops():
            stops[index].focus(scroll_visible=index != 0)

    def _about(self) -> Facts:
        if isinstance(self.focused, Row):
            return self.focused.about
        return self.query_one(Questions).about if self._active() == "questions" else Facts()


def copy(app: App[Any], text: str) -> None:
    """Put the text on the clipboard; never raises. The terminal's own way also works over ssh."""
    app.copy_to_clipboard(text)
    tool = next((tool for tool in _TOOLS if shutil.which(tool[0])), None)
    if tool:
        app.run_worker(lambda: _pipe(tool, text), thread=True, exit_on_error=False)


def _pipe(tool: tuple[str, ...], text: str) -> None:
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        subprocess.run(
            tool,
            input=text.encode(errors="replace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE,
            check=False,
        )
