"""A session turn by turn, with the verdicts beside the words that earned them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial, partialmethod
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Footer

from interviewer.names import EXAMPLE
from interviewer.report import document
from interviewer.rubric.rubric import Rating
from interviewer.store.history import phrases
from tui import messages
from tui.actions import bindings
from tui.bridge import LoadFailed
from tui.widgets.dialogs import InputDialog
from tui.widgets.pages import BREAKPOINTS, Page, TitleBar
from tui.widgets.plain_text import local_minute, local_time, one_line, plain
from tui.widgets.points import COLOUR, verdicts_after
from tui.widgets.transcript_view import TranscriptLine, TranscriptView, notice, past_lines

if TYPE_CHECKING:
    from interviewer.interview.debrief import Debrief
    from interviewer.interview.journal import Replay
    from tui.bridge import Bridge

MOUNTED = 60
"""Lines of a transcript mounted at first; older ones wait behind a button."""
FASTER, LONGEST_WAIT = 10, 3.0
"""A replay is so many times as fast as the session was, and waits no longer than these seconds."""
NO_NOTE = "-"
WORDS = {
    "question": "question",
    "hit": "found",
    "mark": "note",
    "weak": "answer that missed a point",
    "number": "turn with numbers",
}
"""What a key goes to, by the last part of its action's name."""


class TranscriptScreen(Page):
    """All turns with their times, and beside the answers the verdicts, once they may be seen."""

    CSS_PATH: ClassVar = ["transcript.tcss", "../widgets/transcript_view.tcss"]
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    HELP = "Everything that was said, and the verdicts once the interview is finished."
    BINDINGS = bindings("transcript", "back")

    def __init__(
        self, bridge: Bridge, session_id: str, turn: int | None = None, words: str = ""
    ) -> None:
        super().__init__(bridge)
        self._session_id = session_id
        self._turn = turn
        self._words = words
        self._session: messages.Session | None = None
        self._notes: dict[int, str] = {}
        self._lines: list[TranscriptLine] = []
        self._replaying: Timer | None = None
        self._title = Content("Transcript")

    def compose(self) -> ComposeResult:
        yield TitleBar(Content("Transcript"))
        yield TranscriptView(mounted=MOUNTED, follow=False)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(TranscriptView).focus()
        engine, id_ = self.engine, self._session_id

        def read() -> tuple[messages.Session, dict[int, str]]:
            return engine.session(id_), engine.store.bookmarks(id_)

        self.load("session", read, self._show)

    def _show(self, found: tuple[messages.Session, dict[int, str]]) -> None:
        self._session, self._notes = found
        replay = self._session.replay
        if replay.gap:
            self.notify(replay.gap, severity="warning")
        self._title = Content("Transcript · ") + one_line(replay.session.title)
        self.query_one(TitleBar).show(self._title, Content(local_minute(replay.session.created_at)))
        self._fill(self._turn)

    def _fill(self, turn: int | None) -> None:
        if self._session:
            self._lines = _lines(self._session, self._notes, self._words)
            self.query_one(TranscriptView).fill(self._lines, turn)
            self.refresh_bindings()

    def on_load_failed(self, message: LoadFailed) -> None:
        message.stop()
        self.query_one(TranscriptView).fill([notice(message.sentence)])

    # -- going through it ------------------------------------------------------------------

    def _stops(self, kind: str) -> Sequence[int]:
        """The turns that a key goes to, in order."""
        if self._session is None:
            return ()
        state, debrief = self._session.replay.state, self._session.debrief
        match kind:
            case "question":
                return [q.turns[0].number for q in state.questions if q.turns]
            case "hit":
                return [line.turn for line in self._lines if line.turn and self._has(line)]
            case "mark":
                return sorted(self._notes)
            case "weak":
                return sorted(_weak(debrief)) if debrief else ()
            case _:
                sections = document.numbers(debrief) if debrief else ()
                turns = {line.facts.turn for part in sections for line in part.lines}
                return sorted(turn for turn in turns if turn)

    def _has(self, line: TranscriptLine) -> bool:
        said = line.text.casefold()
        wanted = _phrases(self._words)
        return bool(wanted) and all(each in said for each in wanted)

    def _step(self, kind: str, way: int) -> None:
        """To the next of these turns, from the last on to the first."""
        stops = list(self._stops(kind))
        if not stops:
            return
        at = self.query_one(TranscriptView).turn or 0
        ahead = [stop for stop in stops if (stop - at) * way > 0]
        target = (ahead or stops)[0] if way > 0 else (ahead or stops)[-1]
        self._stop_replay()
        self.query_one(TranscriptView).find_turn(target)
        where = f"{WORDS[kind]} {stops.index(target) + 1} of {len(stops)} · turn {target}"
        self.query_one(TitleBar).show(self._title, Content(where))

    action_next_question = partialmethod(_step, "question", 1)
    action_previous_question = partialmethod(_step, "question", -1)
    action_next_weak = partialmethod(_step, "weak", 1)
    action_next_number = partialmethod(_step, "number", 1)
    action_next_hit = partialmethod(_step, "hit", 1)
    action_previous_hit = partialmethod(_step, "hit", -1)
    action_next_mark = partialmethod(_step, "mark", 1)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        way, _, kind = action.partition("_")
        if way in ("next", "previous"):
            return bool(self._stops(kind))
        if action in ("mark", "export") and self._session_id == EXAMPLE:
            return False
        return action == "back" or self._session is not None

    def action_search(self) -> None:
        explained = "Words of this session; n goes to the next turn with them:"

        def search(words: str | None) -> None:
            if words:
                self._words = words
                self._fill(self.query_one(TranscriptView).turn)
                if self._stops("hit"):
                    self.action_next_hit()
                else:
                    self.notify("Nobody said that in this session.")

        self.app.push_screen(InputDialog("Search", explained, text=self._words), search)

    # -- notes, replay, export -------------------------------------------------------------

    def action_mark(self) -> None:
        turn = self.query_one(TranscriptView).turn
        if turn is None:
            return
        explained = f"A note on turn {turn}, for yourself; {NO_NOTE} takes it away:"

        def keep(note: str | None) -> None:
            if note is not None:
                store, kept = self.engine.store, None if note == NO_NOTE else note
                save = partial(store.bookmark, self._session_id, turn, kept)
                self.load("note", save, lambda _: self._take_note(turn, kept))

        self.app.push_screen(InputDialog("Note", explained, text=self._notes.get(turn, "")), keep)

    def _take_note(self, turn: int, note: str | None) -> None:
        self._notes = {k: v for k, v in self._notes.items() if k != turn}
        if note is not None:
            self._notes[turn] = note
        self._fill(turn)

    def action_replay(self) -> None:
        if self._replaying:
            self._stop_replay()
        elif self._lines:
            self.query_one(TranscriptView).fill([])
            self._play(iter(self._lines), None)

    def _play(self, lines: Iterator[TranscriptLine], before: TranscriptLine | None) -> None:
        """Show the next line, and the others after it."""
        line = next(lines, None)
        if line is None or self._session is None:
            self._replaying = None
            return
        view = self.query_one(TranscriptView)
        view.add(line)
        view.to_end()
        times = self._session.replay.times
        said, earlier = times.get(line.turn or 0), times.get((before and before.turn) or 0)
        passed = (said - earlier).total_seconds() if said and earlier else 0.0
        wait = min(max(passed / FASTER, 0.2), LONGEST_WAIT)
        self._replaying = self.set_timer(wait, partial(self._play, lines, line))

    def _stop_replay(self) -> None:
        if self._replaying:
            self._replaying.stop()
            self._replaying = None
            self._fill(self.query_one(TranscriptView).turn)

    def action_export(self) -> None:
        work = partial(self.engine.export, self._session_id)
        self.load("export", work, lambda path: self.notify(f"Saved as {path}"))


def _lines(session: messages.Session, notes: dict[int, str], words: str) -> list[TranscriptLine]:
    replay, debrief = session.replay, session.debrief
    earned = _earned(debrief) if debrief else {}
    lines = [
        replace(
            _timed(line, replay),
            lit=(
                *earned.get(line.turn or 0, ()),
                *((each, "bold $text-warning") for each in _phrases(words)),
            ),
        )
        for line in past_lines(replay.state)
    ]
    if not lines:
        return [notice("Nothing was said in this session.")]
    found = verdicts_after(debrief, replay.state) if debrief else {}
    lines = [replace(line, aside=_aside(line, found, notes)) for line in lines]
    hidden = "Verdicts appear once the interview is finished."
    return lines if debrief else [notice(hidden), *lines]


def _aside(
    line: TranscriptLine, verdicts: dict[int | None, Content], notes: dict[int, str]
) -> Content | None:
    note = notes.get(line.turn or 0)
    parts = [plain(f"✎ {note}", "$text-warning")] if note is not None else []
    if line.turn in verdicts:
        parts.append(verdicts[line.turn])
    return Content("\n\n").join(parts) if parts else None


def _earned(debrief: Debrief) -> dict[int, list[tuple[str, str]]]:
    """The words that each verdict rests on, with its colour, by the number of their turn."""
    found: dict[int, list[tuple[str, str]]] = {}
    for question in debrief.questions:
        for line in question.lines:
            if line.verdict.verdict and line.verdict.verdict is not Rating.NOT_MET:
                style = f"underline {COLOUR[line.verdict.verdict]}"
                for quote in line.verdict.quotes:
                    lit = quote.text.casefold(), style
                    found.setdefault(quote.turn, []).append(lit)
    return found


def _weak(debrief: Debrief) -> Iterable[int]:
    """The last answer to each question that lost something."""
    for question in debrief.questions:
        answers = [turn.number for turn in question.turns if turn.author == "candidate"]
        if answers and any(line.lost for line in question.lines):
            yield answers[-1]


def _phrases(words: str) -> list[str]:
    return [each.casefold() for each in phrases(words)]


def _timed(line: TranscriptLine, replay: Replay) -> TranscriptLine:
    at = replay.times.get(line.turn) if line.turn else None
    number = f"turn {line.turn}" if line.turn else ""
    parts = [number, local_time(at) if at else "", line.note]
    return replace(line, note=" ".join(filter(None, parts)))
