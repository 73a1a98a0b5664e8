"""The interview. It shows events and hands commands over; every rule is the engine's."""

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
from tui import navigation
from tui.actions import bindings, in_table_order, shown_keys
from tui.bench.practice import with_consent
from tui.interview.bench_side import BenchSide
from tui.interview.editor import AnswerEditor, EditorBar
from tui.interview.failure_card import FailureCard, Remedy
from tui.interview.messages import (
    Broken,
    DraftNotSaved,
    DraftSaved,
    Opened,
    ReplyGrew,
    Told,
)
from tui.interview.state_line import Heading, StateLine
from tui.interview.telling import Floor, Telling
from tui.widgets.confirm import Confirm
from tui.widgets.transcript_view import TranscriptView, past_lines

if TYPE_CHECKING:
    from textual.binding import ActiveBinding

    from interviewer.interview.interview import Interview
    from interviewer.interview.state import SessionState
    from interviewer.sandbox.result import CheckResult
    from tui.bench.messages import BenchReady
    from tui.bench.panel import BenchPanel
    from tui.bridge import Bridge

_ALLOWED: dict[str, frozenset[Floor]] = {
    "send": frozenset({Floor.CANDIDATE}),
    "hint": frozenset({Floor.CANDIDATE}),
    "dont_know": frozenset({Floor.CANDIDATE}),
    "cancel": frozenset({Floor.EXAMINER}),
    "pause": frozenset({Floor.CANDIDATE, Floor.EXAMINER}),
    "skip": frozenset({Floor.CANDIDATE, Floor.EXAMINER, Floor.FAILED}),
    "end_round": frozenset({Floor.CANDIDATE, Floor.EXAMINER, Floor.FAILED}),
    "end_interview": frozenset({Floor.CANDIDATE, Floor.EXAMINER, Floor.FAILED}),
}
_AWAY_FROM_BENCH = frozenset({"send", "dont_know", "skip", "end_round", "end_interview"})
"""Not there while the bench has the keys, which uses some of them itself."""
BESIDE = [(0, "-narrow"), (120, "-split")]
"""From so many columns on the bench stands beside the conversation."""
REMEDIES: dict[Remedy, commands.Command] = {
    "retry": commands.Retry(),
    "offline": commands.GoOffline(),
    "pause": commands.Pause(),
}


class InterviewScreen(Screen[None]):
    """One session, from its opening to a pause or its end."""

    CSS_PATH: ClassVar = ["interview.tcss", "../widgets/transcript_view.tcss"]
    HORIZONTAL_BREAKPOINTS = BESIDE
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("interview")]

    floor: var[Floor] = var(Floor.OPENING, bindings=True)
    hint_left: var[bool] = var(True, bindings=True)

    def __init__(self, bridge: Bridge, opening: Callable[[], Interview]) -> None:
        super().__init__()
        self._bridge = bridge
        self._opening = opening
        self._interview: Interview | None = None
        self.persona = "Examiner"
        self._turn_words = ""
        self.heading = Heading(self._seconds_left)
        self.transcript = TranscriptView()
        self.state_line = StateLine()
        self._telling = Telling(self)
        settings = bridge.engine.settings
        self._editor = AnswerEditor(enter_sends=settings.send_key == "enter")
        self._bar = EditorBar(settings)
        self._bench = BenchSide()

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
        self._conversation = self._bridge.converse(self, self._opening)
        self.state_line.say("Opening the interview…")

    async def on_unmount(self) -> None:
        self._conversation.save_now()
        await self._conversation.aclose()  # the program may end before the worker comes to it

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Dims what the moment does not allow; hides what makes sense only then."""
        if action == "bench":
            return self._bench.challenge is not None
        if action in _AWAY_FROM_BENCH and self._bench.has_keys:
            return False
        allowed = self.floor in _ALLOWED.get(action, frozenset(Floor))
        if action == "cancel":
            return allowed
        return (allowed and (action != "hint" or self.hint_left)) or None

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """In the order of the table, so that the footer does not follow the editor's whims."""
        return in_table_order(super().active_bindings)

    # -- what the engine tells ----------------------------------------------------------

    def on_opened(self, message: Opened) -> None:
        if self._interview is None and message.draft:  # what was typed meanwhile follows the draft
            typed = [text for text in (message.draft, self._editor.text) if text]
            self._editor.fill("\n".join(typed))
        self._conversation.draft(self._editor.text)
        self._interview = message.interview
        self.transcript.fill(past_lines(message.past))
        self._show_place(message.past)
        if asked := message.past.question:
            self.pose(message.interview.rubrics[asked.rubric].challenge, message.bench_draft)

    def on_told(self, message: Told) -> None:
        self._telling.show(message.event)

    def on_reply_grew(self, message: ReplyGrew) -> None:
        self.state_line.say("The examiner is speaking… (esc cancels)")
        self.transcript.grow_reply(self.persona, message.text)

    def on_draft_saved(self, message: DraftSaved) -> None:
        if message.slot == "bench":
            self._bench.saved(message.text)
        elif message.text == self._editor.text:
            self._bar.saved()

    def on_draft_not_saved(self, message: DraftNotSaved) -> None:
        (self._bench if message.slot == "bench" else self._bar).not_saved()
        self.app.notify(message.sentence, markup=False, severity="error")

    def on_broken(self, message: Broken) -> None:
        self.transcript.drop_reply()
        self.show_failure(message.sentence, ("reopen", "leave"))

    # -- what the candidate does --------------------------------------------------------

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        self._bar.typed(event.text_area.text)
        self._conversation.draft(event.text_area.text)

    def on_bench_ready(self, message: BenchReady) -> None:
        self._bench.announce(message.tier, message.about)

    def on_bench_panel_typed(self, message: BenchPanel.Typed) -> None:
        self._conversation.draft(message.text, "bench")

    def on_bench_panel_run_asked(self, message: BenchPanel.RunAsked) -> None:
        self._at_bench(commands.RunBench(message.source), "Handing the lines to the bench…")

    def on_bench_panel_hand_in_asked(self, message: BenchPanel.HandInAsked) -> None:
        self._at_bench(commands.HandIn(message.source), "Handing in…")

    def on_bench_panel_stop_asked(self) -> None:
        self.action_cancel()

    def on_answer_editor_send_asked(self) -> None:
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
                self._send(REMEDIES[remedy], "Going on…")

    def action_send(self) -> None:
        text = self._editor.text
        if self.floor is not Floor.CANDIDATE:
            return
        if text.strip():
            self._send(commands.Answer(text), "Storing your answer…")
        else:
            self.state_line.say("Your turn: there is nothing to send yet.")

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
        self._confirm("Leave this question? What you said so far is graded.", commands.Skip())

    def action_end_round(self) -> None:
        self._confirm(
            "End this round? The question is graded on what you said; the rest is not asked.",
            commands.EndRound(),
        )

    def action_end_interview(self) -> None:
        self._confirm("End the whole interview and read the debrief?", commands.EndInterview())

    # -- the stage of the events --------------------------------------------------------

    def give_floor(self, floor: Floor, *, hint_left: bool = True) -> None:
        """Say whose move it is; a card about a failure is out of date from here on."""
        self.floor, self.hint_left = floor, hint_left
        if floor is not Floor.EXAMINER:
            self._bench.end_check()
        if self.query(FailureCard):
            self.query(FailureCard).remove()
            self._editor.focus()

    def answer_stored(self, text: str) -> None:
        """Clear the editor, unless something else stands there by now."""
        if self._editor.text == text:
            self._editor.fill("")
        elif self._editor.text:
            self._conversation.draft(self._editor.text)

    def show_failure(self, sentence: str, remedies: tuple[Remedy, ...]) -> None:
        self._uncover()
        self.give_floor(Floor.FAILED)
        self.state_line.say("Failed; choose how to go on.")
        self.mount(FailureCard(sentence, remedies), before=self._editor)

    def pose(self, challenge: str | None, draft: str = "") -> None:
        """The challenge of the open question, if it has one; the bench of the one before closes."""
        assert self._interview is not None
        self._bench.pose(self._interview.challenges.get(challenge or ""), draft)
        self._show_bench(False)

    def bench_is_at_work(self) -> None:
        self._bench.begin_check()
        self.state_line.count("The bench is checking…")

    def bench_ran(self, source: str, result: CheckResult) -> None:
        self._bench.show_result(source, result)

    def say_your_turn(self, sentence: str) -> None:
        """The sentence, and the key to the bench or back where the question has a challenge."""
        self._turn_words = sentence
        if self._bench.challenge:
            key = shown_keys(self.app, self._bridge.engine.settings, "interview.bench")[0]
            way = "goes back" if self.has_class("-bench") else "opens the bench"
            sentence = f"{sentence} {key} {way}."
        self.state_line.say(sentence)

    def grade_of(self, round: int, question: int) -> Content:
        """A grade that was given, as practice mode shows it."""
        from interviewer.interview.debrief.questions import question_debrief
        from tui.widgets.verdicts import grade

        assert self._interview is not None
        graded = self._interview.state.rounds[round - 1].questions[question - 1]
        rubric = self._interview.rubrics[graded.rubric]
        challenges = self._interview.challenges
        return grade(question_debrief(graded, rubric, challenges=challenges))

    def to_front(self) -> None:
        """Close what lies on top: a question about leaving something that is over by now."""
        while self in self.app.screen_stack and self.app.screen is not self:
            self.app.pop_screen()

    def leave(self) -> None:
        self.to_front()
        self.app.pop_screen()

    def show_debrief(self) -> None:
        assert self._interview is not None
        self.to_front()
        self.post_message(navigation.ReadDebrief(self._interview.session_id, instead=True))

    # -- shorthands ---------------------------------------------------------------------

    def _send(self, command: commands.Command, meanwhile: str) -> None:
        self.give_floor(Floor.EXAMINER)
        self.state_line.say(meanwhile)
        self._conversation.send(command)

    def _at_bench(self, command: commands.RunBench | commands.HandIn, meanwhile: str) -> None:
        """A run or a hand-in, where it is the candidate's turn."""
        if self.floor is not Floor.CANDIDATE:
            self._bench.say("The examiner has the floor; once it is your turn this can be sent.")
            return
        assert self._interview is not None

        def send() -> None:
            if isinstance(command, commands.HandIn):
                self._uncover()
            self._send(command, meanwhile)

        with_consent(self.app, self._interview.bench, command.source, send)

    def _show_bench(self, shown: bool) -> None:
        """Open it, or go back to the conversation; what is typed stays in both."""
        self.set_class(shown, "-bench")
        if shown:
            self._bench.open()
            self._ready_bench()
        elif self._bench.has_keys:
            self._editor.focus()
        if self.floor is Floor.CANDIDATE:
            self.say_your_turn(self._turn_words)
        self.refresh_bindings()

    def _ready_bench(self) -> None:
        """Say what the bench is; one that is not up yet is waited for, off the loop's path."""
        bench = self._interview.bench if self._interview else None
        if bench is None or self._bench.challenge is None:
            return
        if bench.tier == "off":
            self._bench.warm_up()
            self._bridge.warm(self, bench, self._bench.challenge)
        else:
            self._bench.announce(bench.tier, bench.about)

    def _uncover(self) -> None:
        """Make room for the conversation where the bench stands in its place."""
        if not self.has_class("-split"):
            self._show_bench(False)

    def _confirm(self, question: str, command: commands.Command) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                self._send(command, "Closing…")

        self.app.push_screen(Confirm(question), answered)

    def _reopen(self) -> None:
        self.give_floor(Floor.OPENING)
        self.state_line.say("Opening the interview again…")
        self._conversation = self._bridge.converse(self, self._reopening())

    def _reopening(self) -> Callable[[], Interview]:
        if self._interview is None or not self._interview.state.outline:
            return self._opening  # it failed before anything was stored
        return partial(self._bridge.engine.resume, self._interview.session_id)

    def _seconds_left(self) -> float | None:
        interview = self._interview
        return interview.seconds_left if interview and interview.state.round else None

    def _show_place(self, state: SessionState) -> None:
        """Of a resumed session; a new one tells its place by events."""
        self.heading.show(plan=state.plan_title)
        if running := state.round:
            self.persona = running.outline.persona.name
            asked, planned = len(running.questions), running.outline.count
            self.heading.show(
                round=f"Round {running.number} {running.outline.title}",
                question=f"question {asked} of {planned}" if state.question else "",
            )
