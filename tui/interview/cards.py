"""What interrupts the interview: a failure beside the editor, cards over the whole screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Button, Static

from tui.actions import shown_keys
from tui.widgets.dialogs import Card, card
from tui.widgets.plain_text import plain

if TYPE_CHECKING:
    from interviewer.interview.debrief.questions import QuestionDebrief
    from interviewer.interview.interview import Interview
    from interviewer.settings import Settings

Remedy = Literal["retry", "offline", "pause", "reopen", "leave"]
LABELS: dict[Remedy, tuple[str, str]] = {
    "retry": ("Try again", "failure.retry"),
    "offline": ("Continue offline", "failure.offline"),
    "pause": ("Stop, resume later", "interview.pause"),
    "reopen": ("Reopen", "failure.retry"),
    "leave": ("Back to home", "interview.pause"),
}
"""What each remedy is called, and the action whose key chooses it."""


class FailureCard(Vertical):
    """What went wrong, and buttons for what to do. The focus stays where the candidate types."""

    @dataclass
    class Chosen(Message):
        remedy: Remedy

    def __init__(self, sentence: str, remedies: tuple[Remedy, ...], settings: Settings) -> None:
        super().__init__()
        self._sentence = sentence
        self._settings = settings
        self.remedies = remedies

    def compose(self) -> ComposeResult:
        yield Static(plain(self._sentence))
        with Horizontal():
            for remedy in self.remedies:
                label, action = LABELS[remedy]
                key = shown_keys(self.app, self._settings, action)[0]
                yield Button(Content(f"{label} ({key})"), id=remedy, compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.choose(*(r for r in self.remedies if r == event.button.id))

    def choose(self, *among: Remedy) -> None:
        for remedy in among:
            if remedy in self.remedies:
                self.post_message(self.Chosen(remedy))
                return


KEPT = "What you typed so far is saved and counts as your answer."
NOTHING_TYPED = "You had typed nothing that wasn't sent."


class TimeUpCard(Card):
    def __init__(self, typed: bool) -> None:
        super().__init__()
        self._typed = typed

    def compose(self) -> ComposeResult:
        go_on = Button("Continue (enter)", variant="primary")
        yield card("Time is up", Static(plain(KEPT if self._typed else NOTHING_TYPED)), go_on)


def graded(interview: Interview, round: int, question: int) -> QuestionDebrief:
    """A question of the running interview with its grade, both counted from 1."""
    from interviewer.interview.debrief.questions import question_debrief
    from interviewer.interview.state import rubric_of

    asked = interview.state.rounds[round - 1].questions[question - 1]
    return question_debrief(asked, rubric_of(asked, interview.rubrics), interview.challenges)
