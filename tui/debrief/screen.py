"""The debrief: profile, recommendation, then each question with the words that carry it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Collapsible, Footer, Static

from interviewer.interview.debrief import Debrief
from interviewer.interview.debrief.questions import RoundDebrief
from interviewer.report import words
from tui import messages, navigation
from tui.actions import bindings
from tui.debrief.sections import (
    CriterionRow,
    EntryRow,
    ProfileLines,
    QuestionCard,
    RecommendationLines,
    below_the_questions,
    reasons,
)
from tui.widgets.plain_text import BREAKPOINTS, TitleBar, plain

if TYPE_CHECKING:
    from tui.bridge import Bridge


class Results(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Scrolls by pages; line by line the focus moves, and the place follows it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("page")]


class DebriefScreen(Screen[None]):
    """The grades of one finished session."""

    # The first stop is chosen once all is there; the screen's own choice, made earlier,
    # would let a quick key be undone by it.
    AUTO_FOCUS = ""
    CSS_PATH = "debrief.tcss"
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("debrief", "back")]

    def __init__(self, bridge: Bridge, session_id: str) -> None:
        super().__init__()
        self._bridge = bridge
        self._session_id = session_id

    def compose(self) -> ComposeResult:
        yield TitleBar(Content("Debrief"))
        yield Results(Static(Content("Reading the session…"), classes="empty"))
        yield Footer()

    def on_mount(self) -> None:
        engine = self._bridge.engine
        self._bridge.load(
            self, "session", lambda: engine.session(self._session_id), messages.SessionRead
        )

    async def on_session_read(self, message: messages.SessionRead) -> None:
        debrief = message.session.debrief
        results = self.query_one(Results)
        await results.remove_children()
        if debrief is None:
            results.mount(Static(Content("Finish the interview first."), classes="empty"))
            return
        self._show_title(debrief)
        await results.mount_all(_parts(debrief))
        self.call_after_refresh(self.action_first)

    async def on_load_failed(self, message: messages.LoadFailed) -> None:
        results = self.query_one(Results)
        await results.remove_children()
        results.mount(Static(plain(message.sentence), classes="problem"))

    def action_back(self) -> None:
        self.app.pop_screen()

    def action_transcript(self) -> None:
        self.post_message(navigation.ReadTranscript(self._session_id, self._turn_in_focus()))

    def action_expand_all(self) -> None:
        cards = self.query(Collapsible)
        closed = any(card.collapsed for card in cards)
        for card in cards:
            card.collapsed = not closed

    def action_next(self) -> None:
        self.focus_next()

    def action_previous(self) -> None:
        self.focus_previous()

    def action_first(self) -> None:
        self.query_one(Results).scroll_home(animate=False)
        self._focus_stop(0)

    def action_last(self) -> None:
        self._focus_stop(-1)

    def _focus_stop(self, index: int) -> None:
        if self.focus_chain:
            self.focus_chain[index].focus(scroll_visible=index != 0)

    def _turn_in_focus(self) -> int | None:
        for widget in self.focused.ancestors_with_self if self.focused else ():
            if isinstance(widget, CriterionRow | QuestionCard | EntryRow):
                return widget.turn
        return None

    def _show_title(self, debrief: Debrief) -> None:
        title = Content("Debrief · ") + plain(debrief.plan_title)
        self.query_one(TitleBar).show(title, Content(debrief.recommendation.level))


def _parts(debrief: Debrief) -> list[Widget]:
    profile = [ProfileLines(debrief)] if debrief.profile.topics else []
    return [
        *profile,
        RecommendationLines(debrief),
        *reasons(debrief),
        *_rounds(debrief),
        *below_the_questions(debrief),
    ]


def _rounds(debrief: Debrief) -> list[Widget]:
    return [widget for part in debrief.rounds for widget in _round(part)]


def _round(part: RoundDebrief) -> list[Widget]:
    title = plain(f"Round {part.number}  {part.title} · {words.band_words(part.band)}", "bold")
    widgets: list[Widget] = [Static(title, classes="round")]
    widgets += [QuestionCard(question) for question in part.questions]
    if part.not_asked:
        widgets.append(Static(plain(f"Not asked: {', '.join(part.not_asked)}"), classes="empty"))
    return widgets
