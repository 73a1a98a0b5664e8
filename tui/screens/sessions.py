"""Past interviews: the list, and one of them turn by turn."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import DataTable, Footer, Static

from interviewer.plural import pluralize
from interviewer.report.plain import printable
from tui import messages
from tui.actions import bindings
from tui.bridge import LoadFailed
from tui.widgets.dialogs import agreed
from tui.widgets.pages import BREAKPOINTS, HalfPages, Page, TitleBar
from tui.widgets.plain_text import local_minute, local_time, one_line, plain
from tui.widgets.points import verdicts_after
from tui.widgets.transcript_view import TranscriptLine, TranscriptView, notice, past_lines

if TYPE_CHECKING:
    from interviewer.interview.journal import Replay
    from interviewer.store.records import Position, SessionRow
    from tui.bridge import Bridge


PAGE = 100
"""Sessions loaded at a time; the next page is loaded as the cursor nears the last of them."""
LIST_LIMIT = 10_000
"""Sessions beyond that are only told to be more."""
COLUMNS = ("Last used", "Plan", "Mode", "Round", "Band", "State")
LONGEST_TITLE = 35
"""Characters of a plan's title in the list: a question asked alone would hide the band with its."""
EMPTY = "No interviews yet. Press esc, then n to start one."
MOUNTED = 60
"""Lines of a transcript mounted at first; older ones wait behind a button."""


class SessionsTable(HalfPages, DataTable[Any]):
    """Give it Rich text only: a str would be read as markup."""

    BINDINGS = bindings("list")

    def action_select(self) -> None:
        self.action_select_cursor()

    def action_first(self) -> None:
        self.move_cursor(row=0)

    def action_last(self) -> None:
        self.move_cursor(row=self.row_count - 1)

    def _half_page(self, way: int) -> None:
        step = max(1, self.scrollable_content_region.height // 2)
        self.move_cursor(row=min(max(self.cursor_row + way * step, 0), self.row_count - 1))


class SessionsScreen(Page):
    """Newest first. Enter resumes an open session and shows the debrief of a finished one."""

    CSS_PATH = "sessions.tcss"
    HELP = (
        "Your interviews, the latest first. Enter resumes an open one and shows the debrief of a "
        "finished one."
    )
    BINDINGS = bindings("sessions", "back")

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._rows: list[SessionRow] = []
        self._more = False
        self._deleted: list[str] = []  # ids, the latest last

    def compose(self) -> ComposeResult:
        yield TitleBar(Content("Sessions"))
        yield Static(Content("Loading your sessions…"), id="note", classes="empty")
        with Container(id="list"):
            yield SessionsTable(cursor_type="row", zebra_stripes=True)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(SessionsTable).add_columns(*COLUMNS)

    def on_screen_resume(self) -> None:
        self._load_again()

    def _show_again(self, rows: list[SessionRow]) -> None:
        table = self.query_one(SessionsTable)
        at = table.cursor_row
        table.clear()
        self._rows.clear()
        self._append(rows)
        table.move_cursor(row=at)
        self._note("" if self._rows else EMPTY)

    def _append(self, rows: list[SessionRow]) -> None:
        self._more = bool(rows)
        self._rows += rows
        table = self.query_one(SessionsTable)
        for row in rows:
            table.add_row(*_cells(row))

    def _show_count(self, total: int) -> None:
        many = f"more than {LIST_LIMIT:,} sessions"
        told = pluralize(total, "session") if total <= LIST_LIMIT else many
        self.query_one(TitleBar).show(Content("Sessions"), Content(told))

    def on_load_failed(self, message: LoadFailed) -> None:
        self._note(message.sentence)

    def on_data_table_row_highlighted(self) -> None:
        at = self.query_one(SessionsTable).cursor_row  # the event may tell of rows that are gone
        if self._more and at >= len(self._rows) - 2:
            history, last = self._bridge.engine.store.history, self._rows[-1].place
            work = partial(history.sessions, PAGE, than=last)
            self._bridge.load(self, "sessions", work, partial(self._show_more, last))

    def _show_more(self, than: Position, rows: list[SessionRow]) -> None:
        """Those that come after this place, if the list still ends there."""
        if self._rows and self._rows[-1].place == than:
            self._append(rows)

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        row = self._rows[event.cursor_row]
        if row.status == "finished":
            self.post_message(messages.ReadDebrief(row.id))
        else:
            self.post_message(messages.ResumeSession(row.id))

    def action_transcript(self) -> None:
        if row := self._row():
            self.post_message(messages.ReadTranscript(row.id))

    def action_delete(self) -> None:
        if row := self._row():
            self.run_worker(self._delete(row), exit_on_error=False)

    async def _delete(self, row: SessionRow) -> None:
        engine = self._bridge.engine
        named = f"{row.plan_title}, last used {local_minute(row.updated_at)}"

        def gone(_: None) -> None:
            self._deleted.append(row.id)
            self.notify(f"Deleted {named}.\n{self.key_of('sessions.undo')} brings it back.")
            self._load_again()

        if await agreed(self.app, partial(engine.held_by, row.id), f"Delete {named}?"):
            self._bridge.load(self, "delete", partial(engine.store.delete_session, row.id), gone)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "undo" or bool(self._deleted)

    def action_undo(self) -> None:
        restore = partial(self._bridge.engine.store.restore_session, self._deleted.pop())
        self._bridge.load(self, "delete", restore, lambda _: self._load_again())

    def _load_again(self) -> None:
        self.refresh_bindings()  # the last deletion may have been undone
        engine, wanted = self._bridge.engine, max(PAGE, len(self._rows))
        self._bridge.load(
            self, "sessions", lambda: engine.store.history.sessions(wanted), self._show_again
        )
        self._bridge.load(
            self, "count", lambda: engine.store.history.count(LIST_LIMIT + 1), self._show_count
        )

    def _row(self) -> SessionRow | None:
        at = self.query_one(SessionsTable).cursor_row
        return self._rows[at] if at < len(self._rows) else None

    def _note(self, sentence: str) -> None:
        note = self.query_one("#note", Static)
        note.update(plain(sentence))
        note.display = bool(sentence)


class TranscriptScreen(Page):
    """All turns with their times, and beside the answers the verdicts, once they may be seen."""

    CSS_PATH: ClassVar = ["sessions.tcss", "../widgets/transcript_view.tcss"]
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    HELP = "Everything that was said, and the verdicts once the interview is finished."
    BINDINGS = bindings("back")

    def __init__(self, bridge: Bridge, session_id: str, turn: int | None) -> None:
        super().__init__(bridge)
        self._session_id = session_id
        self._turn = turn

    def compose(self) -> ComposeResult:
        yield TitleBar(Content("Transcript"))
        yield TranscriptView(mounted=MOUNTED, follow=False)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(TranscriptView).focus()
        read = partial(self._bridge.engine.session, self._session_id)
        self._bridge.load(self, "session", read, self._show)

    def _show(self, session: messages.Session) -> None:
        replay = session.replay
        if replay.gap:
            self.notify(replay.gap, severity="warning")
        title = Content("Transcript · ") + one_line(replay.session.plan_title)
        self.query_one(TitleBar).show(title, Content(local_minute(replay.session.created_at)))
        self.query_one(TranscriptView).fill(_lines(session), self._turn)

    def on_load_failed(self, message: LoadFailed) -> None:
        self.query_one(TranscriptView).fill([notice(message.sentence)])


def _cells(row: SessionRow) -> tuple[Text, ...]:
    """Rich text: the table would read a str as markup."""
    band = "–" if row.band is None else f"{row.band:.1f}"
    unsent = row.has_draft and row.status != "finished"  # what was cut off by the end is no draft
    state = row.status + (", unsent answer" if unsent else "")
    rounds = f"{row.round} of {row.rounds}"
    title = row.plan_title
    if len(title) > LONGEST_TITLE:
        title = f"{title[: LONGEST_TITLE - 1].rstrip()}…"
    cells = (local_minute(row.updated_at), title, row.mode, rounds, band, state)
    return tuple(Text(printable(cell)) for cell in cells)


def _lines(session: messages.Session) -> list[TranscriptLine]:
    replay = session.replay
    lines = [_timed(line, replay) for line in past_lines(replay.state)]
    if not lines:
        return [notice("Nothing was said in this session.")]
    if not session.debrief:
        return [notice("Verdicts appear once the interview is finished."), *lines]
    found = verdicts_after(session.debrief, replay.state)
    return [replace(line, aside=found.get(line.turn)) for line in lines]


def _timed(line: TranscriptLine, replay: Replay) -> TranscriptLine:
    at = replay.times.get(line.turn) if line.turn else None
    parts = [local_time(at) if at else "", line.note]
    return replace(line, note=" ".join(filter(None, parts)))
