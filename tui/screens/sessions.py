"""Past interviews, newest first, one page at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Static

from interviewer.report.plain import printable
from tui import messages, navigation
from tui.actions import bindings
from tui.widgets.confirm import Confirm
from tui.widgets.plain_text import TitleBar, local_minute, plain

if TYPE_CHECKING:
    from interviewer.store.records import SessionRow
    from tui.bridge import Bridge


class SessionTable(DataTable[Any]):
    """A table whose cursor is a row and also moves by j, k, g and G."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]

    def action_first(self) -> None:
        self.move_cursor(row=0)

    def action_last(self) -> None:
        self.move_cursor(row=self.row_count - 1)


PAGE = 100
"""Sessions fetched at a time; the next page comes when the cursor nears the end."""
COLUMNS = ("Date", "Plan", "Mode", "Rounds", "Band", "State")
EMPTY = "No interviews yet. Go back (esc) and begin one with n."


class SessionsScreen(Screen[None]):
    """Enter resumes what is open and opens the debrief of what is finished."""

    CSS_PATH = "sessions.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("sessions", "back")]

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._rows: list[SessionRow] = []
        self._total = 0

    def compose(self) -> ComposeResult:
        yield TitleBar(Content("Sessions"))
        yield Static(Content("Reading the database…"), id="note", classes="empty")
        yield SessionTable(cursor_type="row", zebra_stripes=True)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(SessionTable).add_columns(*COLUMNS)

    def on_screen_resume(self) -> None:
        self._load(0, max(PAGE, len(self._rows)))

    def on_sessions_loaded(self, message: messages.SessionsLoaded) -> None:
        table = self.query_one(SessionTable)
        at = table.cursor_row
        if message.offset == 0:
            table.clear()
            self._rows.clear()
        self._rows += message.rows
        for row in message.rows:
            table.add_row(*_cells(row))
        table.move_cursor(row=at)
        self._count(message.total)

    def on_session_deleted(self) -> None:
        self._load(0, max(PAGE, len(self._rows)))

    def on_load_failed(self, message: messages.LoadFailed) -> None:
        self._note(message.sentence)

    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        if event.cursor_row >= len(self._rows) - 2 and 0 < len(self._rows) < self._total:
            self._load(len(self._rows), PAGE)

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        row = self._rows[event.cursor_row]
        if row.status == "finished":
            self.post_message(navigation.ReadDebrief(row.id))
        else:
            self.post_message(navigation.ResumeSession(row.id))

    def action_back(self) -> None:
        self.app.pop_screen()

    def action_transcript(self) -> None:
        if row := self._row():
            self.post_message(navigation.ReadTranscript(row.id))

    def action_delete(self) -> None:
        if row := self._row():
            question = f"Delete {row.plan_title} of {local_minute(row.created_at)} for good?"
            self.app.push_screen(
                Confirm(question), lambda yes: self._delete(row.id) if yes else None
            )

    def _delete(self, session_id: str) -> None:
        def work() -> str:
            self._bridge.engine.delete(session_id)
            return session_id

        self._bridge.load(self, "delete", work, messages.SessionDeleted)

    def _load(self, offset: int, limit: int) -> None:
        def work() -> messages.SessionsLoaded:
            rows, total = self._bridge.engine.sessions(limit, offset)
            return messages.SessionsLoaded(tuple(rows), offset, total)

        self._bridge.load(self, "sessions", work, lambda loaded: loaded)

    def _row(self) -> SessionRow | None:
        at = self.query_one(SessionTable).cursor_row
        return self._rows[at] if at < len(self._rows) else None

    def _count(self, total: int) -> None:
        self._total = total
        self.query_one(TitleBar).show(Content("Sessions"), Content(f"{total}"))
        self._note("" if total else EMPTY)

    def _note(self, sentence: str) -> None:
        note = self.query_one("#note", Static)
        note.update(plain(sentence))
        note.display = bool(sentence)


def _cells(row: SessionRow) -> tuple[Text, ...]:
    """The cells as rich text: a table would take a str for markup."""
    band = "–" if row.band is None else f"{row.band:.1f}"
    state = row.status + (", draft" if row.has_draft else "")
    rounds = f"{row.finished_rounds} of {row.rounds}"
    cells = (local_minute(row.created_at), row.plan_title, row.mode, rounds, band, state)
    return tuple(Text(printable(cell)) for cell in cells)
