"""The interview screen. It shows events and sends commands; all rules are the engine's."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from functools import partial, partialmethod
from typing import TYPE_CHECKING, ClassVar

import click
from textual.app import ComposeResult, SuspendNotSupported
from textual.containers import Container, Vertical
from textual.events import Resize
from textual.reactive import var
from textual.widgets import Button, Footer, TextArea

from interviewer.errors import DeletedError, OvertakenError
from interviewer.interview import commands
from interviewer.interview.debrief.questions import question_debrief
from interviewer.interview.examining import overview
from interviewer.interview.state import rubric_of
from tui.actions import AWAY_FROM_BENCH, bindings, in_table_order
from tui.bench.panel import BenchPanel, ask_if_unconfined
from tui.bridge import Bridge, DraftNotSaved, DraftSaved, told
from tui.interview.conversation import Conversation
from tui.interview.presenter import ALLOWED, EventPresenter, TurnOwner
from tui.interview.rail import NumberList, NumbersScreen, Place, Rail
from tui.interview.widgets import (
    AnswerEditor,
    BenchPane,
    ClockBar,
    EditorBar,
    FailureCard,
    Heading,
    PinnedQuestion,
    Remedy,
    TimeUpCard,
    time_left,
)
from tui.widgets.dialogs import Card, CardAnswer, Confirm, Reader, on_yes
from tui.widgets.figure_view import FigureView
from tui.widgets.pages import Page
from tui.widgets.points import VerdictCard, grade
from tui.widgets.state_line import StateLine
from tui.widgets.transcript_view import TranscriptView, notice, past_lines

if TYPE_CHECKING:
    from textual.binding import ActiveBinding

    from interviewer.interview import events
    from interviewer.interview.debrief.questions import QuestionDebrief
    from interviewer.interview.interview import Interview
    from interviewer.interview.state import SessionState
    from interviewer.rubric.figure import Figure
    from interviewer.sandbox.result import CheckResult
    from interviewer.store.records import Pane

SLOW = 8.0
"""Seconds of waiting after which the terminal rings."""
BREAKPOINTS = [(0, "-narrow"), (120, "-split")]
"""From 120 columns on, the bench is shown beside the conversation."""
THIRD_COLUMN = 180
"""From so many columns on, where one is stands to the left of the conversation."""
REMEDIES: dict[Remedy, commands.Command] = {"retry": commands.Retry(), "pause": commands.Pause()}
OFFLINE = "Continue with the offline examiner? To go back to the model, pause and resume."
GRADED = "What you have said so far will be graded."
AT_A_BREAK: dict[CardAnswer, commands.Command] = {
    "go_on": commands.GoOn(),
    "retry": commands.TryAgain(),
    "pause": commands.Pause(),
}


class InterviewScreen(Page):
    """One session, from its opening to a pause or its end."""

    CSS_PATH: ClassVar = ["interview.tcss", "../widgets/transcript_view.tcss"]
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    HELP = (
        "Answer as you would aloud. What you type is saved as you go. A pause stops the clock; "
        "you can resume at any time."
    )
    BINDINGS = bindings("interview", "failure")

    turn_owner: var[TurnOwner] = var(TurnOwner.OPENING, bindings=True)
    hint_left: var[bool] = var(True, bindings=True)

    def __init__(self, bridge: Bridge, opening: Callable[[], Interview]) -> None:
        super().__init__(bridge)
        self._opening = opening
        self._interview: Interview | None = None
        self._overtaken = False
        """Another window went on with it, so what it left as drafts is not known here."""
        self._leaving = False
        """Once the last answer is graded."""
        self.persona = "Examiner"
        self.questions_over = self.rounds_over = 0
        self._turn_words = ""
        self.heading = Heading(self._time_left)
        self._pinned = PinnedQuestion(
            partial(self.key_of, "interview.question"), partial(self.key_of, "interview.figure")
        )
        self._figure: Figure | None = None
        self.transcript = TranscriptView()
        self.state_line = StateLine()
        self.presenter = EventPresenter(self)
        settings = bridge.engine.settings
        self._editor = AnswerEditor(enter_sends=settings.send_key == "enter")
        self._bar = EditorBar(settings)
        self._bench = BenchPane()
        self._cards = asyncio.Lock()
        self._place = Place()
        self._rail = Rail(NumberList(self._mark, self._editor.focus, id="numbers"))
        self._examiner_since = 0.0

    def compose(self) -> ComposeResult:
        yield self.heading
        with Container(id="band"):
            yield self._pinned
        yield ClockBar(self._time_left)
        with Container(id="stage"):
            yield self._place
            with Vertical(id="talk"):
                yield self.transcript
                yield self.state_line
                yield self._editor
                yield self._bar
            yield self._bench
            yield self._rail
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self._editor.focus()
        self._conversation = Conversation(self._bridge, self, self._opening)
        self.state_line.say("Opening the interview…")

    def on_screen_resume(self) -> None:
        settings = self.engine.settings
        self._editor.enter_sends = settings.send_key == "enter"
        self._bar.name_keys(settings)
        self._rail.name_keys(settings)

    def on_resize(self, event: Resize) -> None:
        has_room = event.size.width >= THIRD_COLUMN
        if has_room and not self._place.display:
            past = partial(self.engine.progress, self._bridge.now())
            self.load("weak", past, self._place.show_weak)
        self._place.display = has_room
        self.show_state()

    async def on_unmount(self) -> None:
        self._bridge.save_now()
        await self._conversation.aclose()  # the program may end before the worker gets there

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Dims what is not allowed now; hides what would make no sense."""
        if action == "bench":
            return self._bench.challenge is not None
        if action in AWAY_FROM_BENCH and self._bench.has_focus_within:
            return False
        if action == "notes":
            return self._rail.display
        if action == "figure":
            return self._figure is not None
        allowed = self.turn_owner in ALLOWED.get(action, frozenset(TurnOwner))
        if action in ("cancel", "retry", "offline"):
            return allowed
        return (allowed and (action != "hint" or self.hint_left)) or None

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """In the order of the table, whatever widget has the focus."""
        return in_table_order(super().active_bindings)

    # -- what the engine reports --------------------------------------------------------

    def opened(self, interview: Interview, past: SessionState, drafts: Mapping[Pane, str]) -> None:
        """The interview is open and its events follow; ``past`` is the state before them."""
        if self._interview is None or self._overtaken:
            self._restore(drafts)
        self._overtaken = False
        self._conversation.draft(self._editor.draft)
        self._interview = interview
        self.transcript.fill(past_lines(past))
        self.show_state()
        if past.round:
            self.persona = past.round.outline.persona.name
        if past.question:
            self.pin(past.question.turns[0].text, past.question.turns[0].figure)
            challenge = interview.challenge
            self.set_challenge(challenge.id if challenge else None, drafts["bench"])

    def on_draft_saved(self, message: DraftSaved) -> None:
        if message.pane == "answer" and message.text == self._editor.draft:
            self._bar.saved()
        elif message.pane == "bench" and self._bench.panel:
            self._bench.panel.saved(message.text)

    def on_draft_not_saved(self, message: DraftNotSaved) -> None:
        place = self._bench.panel if message.pane == "bench" else self._bar
        if place:
            place.not_saved()
        self.app.notify(message.sentence, severity="error")

    def failed(self, error: Exception) -> None:
        """The interview cannot go on unless the session is opened again."""
        self._overtaken = isinstance(error, OvertakenError)
        gone = isinstance(error, DeletedError)
        self.show_failure(told(error), ("leave",) if gone else ("reopen", "leave"))
        if self._editor.draft:  # what was saved of it may be gone
            self._conversation.draft(self._editor.draft)
        if (panel := self._bench.panel) and panel.text:
            self._conversation.draft(panel.text, "bench")

    # -- what the candidate does --------------------------------------------------------

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        if event.text_area is self._rail.notes:
            self._conversation.draft(event.text_area.text, "notes")
            return
        self._bar.typed(self._editor.text)
        if self._editor.text or not self._editor.in_flight:  # else just sent, and on disk
            self._conversation.draft(self._editor.draft)

    def on_bench_panel_typed(self, message: BenchPanel.Typed) -> None:
        self._conversation.draft(message.text, "bench")

    def on_bench_panel_sent(self, message: BenchPanel.Sent) -> None:
        assert self._interview is not None
        assert self._bench.panel is not None
        if self.turn_owner is not TurnOwner.CANDIDATE:
            self._bench.panel.say("The examiner is busy; you can send this when it is your turn.")
            return

        def send() -> None:
            if message.submitted:
                self._uncover()
                self._send(commands.SubmitRun(message.source), "Submitting…")
            else:
                self._send(commands.RunBench(message.source), "Sending it to the bench…")

        ask_if_unconfined(self.app, self._interview.bench, message.source, send)

    def on_bench_panel_stopped(self) -> None:
        self.action_cancel()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.action_send()

    def on_failure_card_chosen(self, message: FailureCard.Chosen) -> None:
        match message.remedy:
            case "reopen":
                self._reopen()
            case "leave" if failure := self._bridge.save_now():
                question = f"{failure} What you typed would be lost. Leave anyway?"
                on_yes(self.app, question, self.leave)
            case "leave":
                self.leave()
            case "offline":
                go = partial(self._send, commands.GoOffline(), "Continuing…")
                on_yes(self.app, OFFLINE, go)
            case remedy:
                self._send(REMEDIES[remedy], "Continuing…")

    def action_send(self) -> None:
        if self.turn_owner is TurnOwner.OPENING:
            self.state_line.say("Opening the interview… You can send once it is open.")
        elif self.turn_owner is TurnOwner.CANDIDATE and self._editor.text.strip():
            self.transcript.to_end()
            self._send(commands.Answer(self._editor.take()), "Saving your answer…")
        elif self.turn_owner is TurnOwner.CANDIDATE:
            self.state_line.say("Your turn. There is nothing to send yet.")

    def action_begin(self) -> None:
        """The clock waits for the candidate before the first turn."""
        if self._interview and self._editor.starts_clock:
            self._interview.begin()
            self.say_your_turn(self._turn_words)

    def action_edit(self) -> None:
        """Write in $EDITOR; the clock goes on meanwhile."""
        self.action_begin()
        try:
            with self.app.suspend():
                text = click.edit(self._editor.text, extension=".md", require_save=False)
        except (click.ClickException, OSError, ValueError, SuspendNotSupported) as error:
            why = str(error) or "not in this terminal"
            self.app.notify(f"$EDITOR could not be used: {why}", severity="error")
        else:
            if text is not None:
                whole = (0, 0), self._editor.document.end
                self._editor.replace(text.removesuffix("\n"), *whole)
                self._conversation.draft(self._editor.draft)

    def action_question(self) -> None:
        self._pinned.toggle()

    def action_figure(self) -> None:
        if self._figure:
            self.app.push_screen(Reader("", FigureView(self._figure, folds=False)))

    def action_notes(self) -> None:
        (self._editor if self._rail.notes.has_focus else self._rail.notes).focus()

    def action_numbers(self) -> None:
        if self._rail.display:
            (self._editor if self._rail.numbers.has_focus else self._rail.numbers).focus()
        else:
            self.app.push_screen(NumbersScreen(self._mark))
            self._read_overview()

    def action_page_up(self) -> None:
        self.transcript.page_up()

    def action_page_down(self) -> None:
        self.transcript.page_down()

    def action_bench(self) -> None:
        self.action_begin()
        self._show_bench(not self.has_class("-bench"))

    def action_hint(self) -> None:
        self._uncover()
        self._send(commands.AskHint(), "Asking for a hint…")

    def action_pause(self) -> None:
        if self.turn_owner is TurnOwner.FAILED:
            self.query_one(FailureCard).choose("pause", "leave")
        else:
            self._send(commands.Pause(), "Pausing…")

    def action_retry(self) -> None:
        self.query_one(FailureCard).choose("retry", "reopen")

    def action_offline(self) -> None:
        self.query_one(FailureCard).choose("offline")

    def action_skip(self) -> None:
        self._confirm_leaving("Skip this question?", commands.Skip(), lambda: self.questions_over)

    def action_end_round(self) -> None:
        self._confirm_leaving("End this round?", commands.EndRound(), lambda: self.rounds_over)

    def action_end_interview(self) -> None:
        question = "End the whole interview and go to the debrief?"
        self._confirm_leaving(question, commands.EndInterview())

    # -- what the presenter shows -------------------------------------------------------

    def give_turn(self, owner: TurnOwner, *, hint_left: bool = True) -> None:
        """Say who acts next; whatever was under way before is over."""
        self._call_back(owner)
        self.turn_owner, self.hint_left = owner, hint_left
        self._leaving = self._leaving and owner is TurnOwner.EXAMINER
        panel = self._bench.panel
        if owner is not TurnOwner.EXAMINER and panel and panel.checking:
            panel.end_check("Stopped. Nothing was checked.")
        if owner is not TurnOwner.EXAMINER:
            self._editor.give_back()
        self.query(FailureCard).remove()

    def answer_stored(self, text: str, *, cut_off: bool) -> None:
        self._editor.stored(text, cut_off=cut_off)
        self._conversation.draft(self._editor.draft)

    def show_failure(self, sentence: str, remedies: tuple[Remedy, ...]) -> None:
        self._uncover()
        self.give_turn(TurnOwner.FAILED)
        self.state_line.say("Choose how to continue; you can keep typing.")
        card = FailureCard(sentence, remedies, self.engine.settings)
        self.mount(card, before=self._editor)

    def set_challenge(self, challenge: str | None, draft: str = "") -> None:
        """Close the bench, and set it up for the open question if it has a challenge."""
        assert self._interview is not None
        self._bench.set_challenge(self._interview.challenges.get(challenge or ""), draft)
        self._show_bench(False)

    def bench_started(self) -> None:
        self.give_turn(TurnOwner.EXAMINER)
        if self._bench.panel:
            self._bench.panel.begin_check()
        self.state_line.count("The bench is checking…")

    def bench_ran(self, source: str, result: CheckResult) -> None:
        if self._bench.panel:
            self._bench.panel.show_result(source, result)

    def say_your_turn(self, sentence: str) -> None:
        """The sentence and, if the question has a challenge, the key to the bench or back."""
        self._turn_words = sentence
        self.show_state()
        if self._rail.display or self.app.screen is not self:
            self._read_overview()
        waits = self._interview is not None and self._interview.waits
        self._editor.starts_clock = waits
        if waits:
            sentence = "Your turn · Enter starts the clock."
        elif self._bench.challenge:
            key = self.key_of("interview.bench")
            way = "goes back" if self.has_class("-bench") else "opens the bench"
            sentence = f"{sentence} {key} {way}."
        self.state_line.say(sentence)

    def show_grade(self, round: int, question: int) -> None:
        self.transcript.add(notice("", aside=grade(self._graded(round, question))))

    def _graded(self, round: int, question: int) -> QuestionDebrief:
        """A question with its grade, both counted from 1."""
        assert self._interview is not None
        interview = self._interview
        asked = interview.state.rounds[round - 1].questions[question - 1]
        return question_debrief(asked, rubric_of(asked, interview.rubrics), interview.challenges)

    def show_state(self) -> None:
        """Where one is, in the heading and in the third column."""
        if self._interview:
            self.heading.show(self._interview.state)
            if self._place.display:
                self._place.show(self._interview.state)

    def pin(self, question: str, figure: Figure | None = None) -> None:
        self._figure = figure
        self._pinned.show(question, has_figure=figure is not None)
        self.refresh_bindings()

    def show_question_once(self, turn: int) -> None:
        """Where all of it is pinned, it does not stand in the conversation, too."""
        self.transcript.leave_out(turn if self._pinned.is_whole else None)

    def time_is_up(self) -> bool:
        """Say so on a card; tells whether there was anything unsent, which counts as the answer."""
        self._to_front()
        panel = self._bench.panel
        typed = bool(f"{self._editor.draft}{panel.text if panel else ''}".strip())
        self._after_cards(TimeUpCard(typed))
        return typed

    def wait_for_grade(self) -> None:
        """The candidate wants to leave: the last answer is graded before, unless they insist."""
        self._leaving = True
        self.state_line.count("Grading your last answer first…", "(skip or end again to go now)")

    def take_break(self, event: events.Break) -> None:
        """Go on when the candidate says so: after the verdict, or after the card before it."""
        self.give_turn(TurnOwner.EXAMINER)
        self.state_line.say("The clock is stopped.")
        interview = self._interview
        running = interview.state.round if interview else None
        if interview is None or running is None:
            self._after_cards(None, self._at_break)
        else:
            question = self._graded(running.number, len(running.questions))
            session = interview.session_id
            card = VerdictCard(self._bridge, session, question, may_retry=event.may_retry)
            self._after_cards(card, self._at_break)

    def _to_front(self) -> None:
        """Close what is open over an interview whose time is over; cards stay until Enter."""
        while self in self.app.screen_stack and self.app.screen is not self:
            if isinstance(self.app.screen, Card):
                return
            self.app.pop_screen()

    def _after_cards(
        self, card: Card | None, then: Callable[[CardAnswer], None] = lambda _: None
    ) -> None:
        """Once the cards before are closed, show this one, and do what waits for its answer."""

        async def in_turn() -> None:
            async with self._cards:
                then(await self.app.push_screen_wait(card) if card else "go_on")

        self.run_worker(in_turn())

    def leave(self) -> None:
        self._to_front()
        self._after_cards(None, self._leave)

    def show_debrief(self) -> None:
        self._to_front()
        self._after_cards(None, self._show_debrief)

    def _time_left(self) -> tuple[float, float] | None:
        return time_left(self._interview, self.engine.settings)

    def _call_back(self, owner: TurnOwner) -> None:
        """Ring when it is the candidate's turn after a wait long enough to have looked away."""
        if owner is TurnOwner.EXAMINER:
            if self.turn_owner is not TurnOwner.EXAMINER:
                self._examiner_since = time.monotonic()
            return
        waited = time.monotonic() - self._examiner_since
        if self.turn_owner is TurnOwner.EXAMINER and waited >= SLOW:
            self.app.bell()

    def _read_overview(self) -> None:
        """Read where the candidate stands, in a thread: it goes through all answers."""
        if interview := self._interview:
            state, rubrics = interview.state, interview.rubrics
            self.load("overview", partial(overview, state, rubrics), self._rail.show)

    def _leave(self, _: CardAnswer) -> None:
        self._conversation.drafts.write_with(None)  # who leaves was asked about what is not saved
        self.app.pop_screen()

    def _show_debrief(self, _: CardAnswer) -> None:
        assert self._interview is not None
        self.go("debrief", self._interview.session_id, instead=True)

    def _at_break(self, answer: CardAnswer) -> None:
        self._conversation.send(AT_A_BREAK[answer])

    def _send(self, command: commands.Command, meanwhile: str) -> None:
        self.give_turn(TurnOwner.EXAMINER)
        self._editor.starts_clock = False
        self.state_line.say(meanwhile)
        self._conversation.send(command)

    action_dont_know = partialmethod(_send, commands.DontKnow(), "Telling the examiner…")
    action_rephrase = partialmethod(_send, commands.Rephrase(), "Asking…")
    action_said_that = partialmethod(_send, commands.SaidThat(), "Looking through your answers…")
    action_cancel = partialmethod(_send, commands.Cancel(), "Cancelling…")

    def _mark(self, command: commands.MarkFigure) -> None:
        if self.turn_owner is TurnOwner.CANDIDATE:
            self._conversation.send(command)
        else:
            self.app.notify("Numbers can be put right when it is your turn.")

    def _show_bench(self, shown: bool) -> None:
        """Open the bench, or go back to the conversation; both keep what is typed."""
        self.set_class(shown, "-bench")
        if shown:
            self._bench.open()
            self._bench.prepare(self._bridge, self._interview.bench if self._interview else None)
        elif self._bench.has_focus_within:
            self._editor.focus()
        if self.turn_owner is TurnOwner.CANDIDATE:
            self.say_your_turn(self._turn_words)
        self.refresh_bindings()

    def _uncover(self) -> None:
        if not self.has_class("-split"):
            self._show_bench(False)

    def _confirm_leaving(
        self, question: str, command: commands.Command, over: Callable[[], int] = lambda: 0
    ) -> None:
        """Ask first; once more is ``over`` than now, a yes would leave something else."""
        what = "Your last answer will stay ungraded." if self._leaving else GRADED
        before = over()
        confirm = Confirm(f"{question} {what}", lambda: over() == before)
        on_yes(self.app, confirm, partial(self._send, command, "Closing…"))

    def _reopen(self) -> None:
        self.give_turn(TurnOwner.OPENING)
        self.state_line.say("Reopening the interview…")
        self._conversation = Conversation(self._bridge, self, self._reopening())

    def _reopening(self) -> Callable[[], Interview]:
        if self._interview is None or not self._interview.state.outline:
            return self._opening  # it failed before anything was stored
        return partial(self.engine.resume, self._interview.session_id, take_over=True)

    def _restore(self, drafts: Mapping[Pane, str]) -> None:
        """Show what was typed earlier, then what was typed while the session was opened."""
        for editor, earlier in (
            (self._editor, drafts["answer"]),
            (self._rail.notes, drafts["notes"]),
        ):
            if earlier and earlier != editor.text:
                editor.fill("\n".join(text for text in (earlier, editor.text) if text))
