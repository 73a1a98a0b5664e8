"""The interview screen. It shows events and sends commands; all rules are the engine's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.reactive import var
from textual.screen import Screen
from textual.widgets import Button, Footer, TextArea

from interviewer.interview import commands
from tui.actions import bindings, in_table_order, shown_keys
from tui.bench.panel import BenchPanel, BenchReady, ask_if_unconfined, prepare
from tui.bridge import Bridge, DraftNotSaved, DraftSaved
from tui.interview.conversation import Conversation, EventHappened, Failed, Opened
from tui.interview.presenter import EventPresenter, TurnOwner
from tui.interview.widgets import (
    SOON,
    AnswerEditor,
    BenchPane,
    EditorBar,
    FailureCard,
    Heading,
    Remedy,
)
from tui.messages import ReadDebrief
from tui.widgets.confirm import Confirm
from tui.widgets.state_line import StateLine
from tui.widgets.transcript_view import TranscriptView, past_lines

if TYPE_CHECKING:
    from textual.binding import ActiveBinding

    from interviewer.interview.interview import Interview
    from interviewer.interview.state import SessionState
    from interviewer.sandbox.result import CheckResult

_ALLOWED: dict[str, frozenset[TurnOwner]] = {
    "send": frozenset({TurnOwner.CANDIDATE}),
    "hint": frozenset({TurnOwner.CANDIDATE}),
    "dont_know": frozenset({TurnOwner.CANDIDATE}),
    "cancel": frozenset({TurnOwner.EXAMINER}),
    "pause": frozenset({TurnOwner.CANDIDATE, TurnOwner.EXAMINER}),
    "skip": frozenset({TurnOwner.CANDIDATE, TurnOwner.EXAMINER, TurnOwner.FAILED}),
    "end_round": frozenset({TurnOwner.CANDIDATE, TurnOwner.EXAMINER, TurnOwner.FAILED}),
    "end_interview": frozenset({TurnOwner.CANDIDATE, TurnOwner.EXAMINER, TurnOwner.FAILED}),
}
_AWAY_FROM_BENCH = frozenset({"send", "dont_know", "skip", "end_round", "end_interview"})
"""Hidden while the bench has the focus, since it uses some of the same keys."""
BREAKPOINTS = [(0, "-narrow"), (120, "-split")]
"""From 120 columns on, the bench is shown beside the conversation."""
REMEDIES: dict[Remedy, commands.Command] = {
    "retry": commands.Retry(),
    "offline": commands.GoOffline(),
    "pause": commands.Pause(),
}


class InterviewScreen(Screen[None]):
    """One session, from its opening to a pause or its end."""

    CSS_PATH: ClassVar = ["interview.tcss", "../widgets/transcript_view.tcss"]
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("interview")]

    turn_owner: var[TurnOwner] = var(TurnOwner.OPENING, bindings=True)
    hint_left: var[bool] = var(True, bindings=True)

    def __init__(self, bridge: Bridge, opening: Callable[[], Interview]) -> None:
        super().__init__()
        self._bridge = bridge
        self._opening = opening
        self._interview: Interview | None = None
        self.persona = "Examiner"
        self._turn_words = ""
        self.heading = Heading(self._seconds_shown)
        self.transcript = TranscriptView()
        self.state_line = StateLine()
        self._presenter = EventPresenter(self)
        settings = bridge.engine.settings
        self._editor = AnswerEditor(enter_sends=settings.send_key == "enter")
        self._bar = EditorBar(settings)
        self._bench = BenchPane()

    def compose(self) -> ComposeResult:
        yield self.heading
        with Container(id="stage"):
            with Vertical(id="talk"):
                yield self.transcript
                yield self.state_line
                yield self._editor
                yield self._bar
            yield self._bench
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self._editor.focus()
        self._conversation = Conversation(self._bridge, self, self._opening)
        self.state_line.say("Opening the interview…")

    async def on_unmount(self) -> None:
        self._bridge.save_now()
        await self._conversation.aclose()  # the program may end before the worker gets there

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Dims what is not allowed now; hides what would make no sense."""
        if action == "bench":
            return self._bench.challenge is not None
        if action in _AWAY_FROM_BENCH and self._bench.has_focus_within:
            return False
        allowed = self.turn_owner in _ALLOWED.get(action, frozenset(TurnOwner))
        if action == "cancel":
            return allowed
        return (allowed and (action != "hint" or self.hint_left)) or None

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """In the order of the table, whatever widget has the focus."""
        return in_table_order(super().active_bindings)

    # -- what the engine reports --------------------------------------------------------

    def on_opened(self, message: Opened) -> None:
        draft = message.drafts["answer"]
        if self._interview is None and draft:  # then what was typed in the meantime
            typed = [text for text in (draft, self._editor.text) if text]
            self._editor.fill("\n".join(typed))
        self._conversation.draft(self._editor.text)
        self._interview = message.interview
        self.transcript.fill(past_lines(message.past))
        self._show_place(message.past)
        if asked := message.past.question:
            challenge = message.interview.rubrics[asked.rubric].challenge
            self.set_challenge(challenge, message.drafts["bench"])

    def on_event_happened(self, message: EventHappened) -> None:
        self._presenter.show(message.event)

    def on_draft_saved(self, message: DraftSaved) -> None:
        if message.pane == "answer" and message.text == self._editor.text:
            self._bar.saved()
        elif message.pane == "bench" and self._bench.panel:
            self._bench.panel.saved(message.text)

    def on_draft_not_saved(self, message: DraftNotSaved) -> None:
        place = self._bench.panel if message.pane == "bench" else self._bar
        if place:
            place.not_saved()
        self.app.notify(message.sentence, markup=False, severity="error")

    def on_failed(self, message: Failed) -> None:
        self.show_failure(message.sentence, ("reopen", "leave"))

    # -- what the candidate does --------------------------------------------------------

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        self._bar.typed(event.text_area.text)
        self._conversation.draft(event.text_area.text)

    def on_bench_ready(self, message: BenchReady) -> None:
        if self._bench.panel:
            self._bench.panel.show_status(message.tier, message.about)

    def on_bench_panel_typed(self, message: BenchPanel.Typed) -> None:
        self._conversation.draft(message.text, "bench")

    def on_bench_panel_run_requested(self, message: BenchPanel.RunRequested) -> None:
        self._send_from_bench(commands.RunBench(message.source), "Sending it to the bench…")

    def on_bench_panel_submit_requested(self, message: BenchPanel.SubmitRequested) -> None:
        self._send_from_bench(commands.SubmitRun(message.source), "Submitting…")

    def on_bench_panel_stop_requested(self) -> None:
        self.action_cancel()

    def on_answer_editor_send_requested(self) -> None:
        self.action_send()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.action_send()

    def on_failure_card_chosen(self, message: FailureCard.Chosen) -> None:
        match message.remedy:
            case "reopen":
                self._reopen()
            case "leave":
                self.leave()
            case remedy:
                self._send(REMEDIES[remedy], "Continuing…")

    def action_send(self) -> None:
        text = self._editor.text
        if self.turn_owner is not TurnOwner.CANDIDATE:
            return
        if text.strip():
            self._send(commands.Answer(text), "Saving your answer…")
        else:
            self.state_line.say("Your turn. There is nothing to send yet.")

    def action_bench(self) -> None:
        self._show_bench(not self.has_class("-bench"))

    def action_hint(self) -> None:
        self._uncover()
        self._send(commands.AskHint(), "Asking for a hint…")

    def action_dont_know(self) -> None:
        self._send(commands.DontKnow(), "Telling the examiner…")

    def action_cancel(self) -> None:
        self._send(commands.Cancel(), "Cancelling…")

    def action_pause(self) -> None:
        self._send(commands.Pause(), "Pausing…")

    def action_skip(self) -> None:
        question = "Skip this question? It is graded on what you said so far."
        self._confirm(question, commands.Skip())

    def action_end_round(self) -> None:
        question = "End this round? It is graded on what you said so far; nothing more is asked."
        self._confirm(question, commands.EndRound())

    def action_end_interview(self) -> None:
        self._confirm("End the whole interview and go to the debrief?", commands.EndInterview())

    # -- what the presenter shows -------------------------------------------------------

    def give_turn(self, owner: TurnOwner, *, hint_left: bool = True) -> None:
        """Say who acts next; whatever was under way before is over."""
        self.turn_owner, self.hint_left = owner, hint_left
        panel = self._bench.panel
        if owner is not TurnOwner.EXAMINER and panel and panel.checking:
            panel.end_check("Stopped. Nothing was checked.")
        if self.query(FailureCard):
            self.query(FailureCard).remove()
            self._editor.focus()

    def answer_stored(self, text: str) -> None:
        """Clear the editor, unless it holds something else by now."""
        if self._editor.text == text:
            self._editor.fill("")
        elif self._editor.text:
            self._conversation.draft(self._editor.text)

    def show_failure(self, sentence: str, remedies: tuple[Remedy, ...]) -> None:
        self._uncover()
        self.give_turn(TurnOwner.FAILED)
        self.state_line.say("Choose how to continue.")
        self.mount(FailureCard(sentence, remedies), before=self._editor)

    def set_challenge(self, challenge: str | None, draft: str = "") -> None:
        """Close the bench, and set it up for the open question if it has a challenge."""
        assert self._interview is not None
        self._bench.set_challenge(self._interview.challenges.get(challenge or ""), draft)
        self._show_bench(False)

    def bench_started(self) -> None:
        if self._bench.panel:
            self._bench.panel.begin_check()
        self.state_line.count("The bench is checking…")

    def bench_ran(self, source: str, result: CheckResult) -> None:
        if self._bench.panel:
            self._bench.panel.show_result(source, result)

    def say_your_turn(self, sentence: str) -> None:
        """The sentence and, if the question has a challenge, the key to the bench or back."""
        self._turn_words = sentence
        if self._bench.challenge:
            key = shown_keys(self.app, self._bridge.engine.settings, "interview.bench")[0]
            way = "goes back" if self.has_class("-bench") else "opens the bench"
            sentence = f"{sentence} {key} {way}."
        self.state_line.say(sentence)

    def grade_of(self, round: int, question: int) -> Content:
        """A question's grade, as practice mode shows it."""
        from interviewer.interview.debrief.questions import question_debrief
        from tui.widgets.verdicts import grade

        assert self._interview is not None
        graded = self._interview.state.rounds[round - 1].questions[question - 1]
        rubric = self._interview.rubrics[graded.rubric]
        challenges = self._interview.challenges
        return grade(question_debrief(graded, rubric, challenges=challenges))

    def to_front(self) -> None:
        """Close whatever is on top: a question about skipping something that is over by now."""
        while self in self.app.screen_stack and self.app.screen is not self:
            self.app.pop_screen()

    def leave(self) -> None:
        self.to_front()
        self.app.pop_screen()

    def show_debrief(self) -> None:
        assert self._interview is not None
        self.to_front()
        self.post_message(ReadDebrief(self._interview.session_id, instead=True))

    # -- helpers ------------------------------------------------------------------------

    def _send(self, command: commands.Command, meanwhile: str) -> None:
        self.give_turn(TurnOwner.EXAMINER)
        self.state_line.say(meanwhile)
        self._conversation.send(command)

    def _send_from_bench(
        self, command: commands.RunBench | commands.SubmitRun, meanwhile: str
    ) -> None:
        assert self._interview is not None
        assert self._bench.panel is not None
        if self.turn_owner is not TurnOwner.CANDIDATE:
            self._bench.panel.say("The examiner is busy; you can send this when it is your turn.")
            return

        def send() -> None:
            if isinstance(command, commands.SubmitRun):
                self._uncover()
            self._send(command, meanwhile)

        ask_if_unconfined(self.app, self._interview.bench, command.source, send)

    def _show_bench(self, shown: bool) -> None:
        """Open the bench, or go back to the conversation; both keep what is typed."""
        self.set_class(shown, "-bench")
        if shown:
            self._bench.open()
            self._prepare_bench()
        elif self._bench.has_focus_within:
            self._editor.focus()
        if self.turn_owner is TurnOwner.CANDIDATE:
            self.say_your_turn(self._turn_words)
        self.refresh_bindings()

    def _prepare_bench(self) -> None:
        """Show what the bench is, once it has started."""
        bench = self._interview.bench if self._interview else None
        panel, challenge = self._bench.panel, self._bench.challenge
        if bench is None or panel is None or challenge is None:
            return
        if bench.tier == "off":
            panel.show_starting()
            self._bridge.run(self, "warming", partial(prepare, self, bench, challenge))
        else:
            panel.show_status(bench.tier, bench.about)

    def _uncover(self) -> None:
        """Show the conversation where the bench has taken its place."""
        if not self.has_class("-split"):
            self._show_bench(False)

    def _confirm(self, question: str, command: commands.Command) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                self._send(command, "Closing…")

        self.app.push_screen(Confirm(question), answered)

    def _reopen(self) -> None:
        self.give_turn(TurnOwner.OPENING)
        self.state_line.say("Reopening the interview…")
        self._conversation = Conversation(self._bridge, self, self._reopening())

    def _reopening(self) -> Callable[[], Interview]:
        if self._interview is None or not self._interview.state.outline:
            return self._opening  # it failed before anything was stored
        return partial(self._bridge.engine.resume, self._interview.session_id)

    def _seconds_left(self) -> float | None:
        interview = self._interview
        return interview.seconds_left if interview and interview.state.round else None

    def _seconds_shown(self) -> float | None:
        """As the person wants it: always, or only in the end."""
        left = self._seconds_left()
        late = self._bridge.engine.settings.clock == "late"
        return None if late and left is not None and left > SOON else left

    def _show_place(self, state: SessionState) -> None:
        """For a resumed session; in a new one events do this."""
        self.heading.show(plan=state.plan_title)
        if running := state.round:
            self.persona = running.outline.persona.name
            asked, planned = len(running.questions), running.outline.count
            self.heading.show(
                round=f"Round {running.number} {running.outline.title}",
                question=f"question {asked} of {planned}" if state.question else "",
            )
