"""A session turn by turn, with the verdicts beside the answers they were given for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer

from interviewer.report.text import grades_may_be_shown
from tui import messages
from tui.actions import bindings
from tui.widgets.plain_text import BREAKPOINTS, TitleBar, local_minute, local_time, one_line
from tui.widgets.transcript_view import Line, TranscriptView, notice, past_lines
from tui.widgets.verdicts import verdicts_after

if TYPE_CHECKING:
    from interviewer.interview.journal import Replay
    from tui.bridge import Bridge


MOUNTED = 60


class TranscriptScreen(Screen[None]):
    """Everything that was said, with times; verdicts only where they may be seen by now."""

    CSS_PATH: ClassVar = ["transcript.tcss", "../widgets/transcript_view.tcss"]
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("back")]

    def __init__(self, bridge: Bridge, session_id: str, turn: int | None) -> None:
        super().__init__()
        self._bridge = bridge
        self._session_id = session_id
        self._turn = turn

    def compose(self) -> ComposeResult:
        yield TitleBar(Content("Transcript"))
        yield TranscriptView(mounted=MOUNTED, follow=False)
        yield Footer()

    def on_mount(self) -> None:
        engine = self._bridge.engine
        self.query_one(TranscriptView).focus()
        self._bridge.load(
            self, "session", lambda: engine.session(self._session_id), messages.SessionRead
        )

    def on_session_read(self, message: messages.SessionRead) -> None:
        replay = message.session.replay
        title = Content("Transcript · ") + one_line(replay.session.plan_title)
        self.query_one(TitleBar).show(title, Content(local_minute(replay.session.created_at)))
        self.query_one(TranscriptView).fill(_lines(replay), self._turn)

    def on_load_failed(self, message: messages.LoadFailed) -> None:
        self.query_one(TranscriptView).fill([notice(message.sentence)])

    def action_back(self) -> None:
        self.app.pop_screen()


def _lines(replay: Replay) -> list[Line]:
    lines = [_timed(line, replay) for line in past_lines(replay.state)]
    if not lines:
        return [notice("Nothing was said in this session.")]
    if not grades_may_be_shown(replay.state):
        return [notice("Verdicts are shown when the interview is finished."), *lines]
    found = verdicts_after(replay.state, replay.rubrics)
    return [replace(line, aside=found.get(line.turn)) for line in lines]


def _timed(line: Line, replay: Replay) -> Line:
    at = replay.times.get(line.turn) if line.turn else None
    parts = [local_time(at) if at else "", line.note]
    return replace(line, note=" ".join(filter(None, parts)))
