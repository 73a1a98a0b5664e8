"""The parts of the interview screen, and what interrupts it: a failure, the end of the time."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import var
from textual.widgets import Button, Static

from interviewer.plural import pluralize
from tui.actions import bindings, shown_keys
from tui.bench.panel import BenchPanel, prepared
from tui.interview.rail import DONE, NOW, TO_COME
from tui.widgets.dialogs import Card, card
from tui.widgets.pages import MARK
from tui.widgets.plain_text import clock_face, one_line, plain, spoken, typable
from tui.widgets.transcript_view import is_whole_plan
from tui.widgets.writing import Writing

if TYPE_CHECKING:
    from interviewer.interview.bench_session import Bench
    from interviewer.interview.interview import Interview
    from interviewer.interview.state import RoundState, SessionState
    from interviewer.sandbox.challenge import Challenge
    from interviewer.settings import Settings
    from tui.bridge import Bridge

FOLDED = 2
"""Lines of the question that are always shown."""
WIDEST = 160
"""As in the style sheet, with the padding."""
DOTS = 8
"""At most; more would leave no room for the words."""
SOON, LAST = 5 * 60, 60
"""Seconds left at which the clock changes, by a sign as well as by colour."""
HALF = 0.5
"""Of a round: a short one does not begin with the sign that it is about to end."""


def progress(running: RoundState) -> str:
    """As in ``●◉○ question 2 of 3 · follow-up 1 of 4``."""
    asked, of = len(running.questions), running.counted_with()
    dots = f"{DONE * (asked - 1)}{NOW}{TO_COME * (of - asked)} " if of <= DOTS else ""
    follow_ups = running.questions[-1].follow_ups_used
    last = f" · follow-up {follow_ups} of {running.outline.follow_ups}" if follow_ups else ""
    return f"{dots}question {asked} of {of}{last}"


class PinnedQuestion(Static):
    """The open question in two lines; unfolded, all of it. Its end names the key to the figure."""

    def __init__(self, key: Callable[[], str], figure_key: Callable[[], str]) -> None:
        super().__init__(id="pinned")
        self._key, self._figure_key = key, figure_key
        self._has_figure = False
        self._text = Content()
        self._is_open = False
        self.add_class("-empty")

    def show(self, text: str, *, has_figure: bool = False) -> None:
        self._text, self._is_open, self._has_figure = spoken(text), False, has_figure
        self.set_class(not text, "-empty")
        self.refresh(layout=True)

    @property
    def is_whole(self) -> bool:
        """Nothing of it is folded away. Its own width is not known before it was laid out."""
        width = min(self.app.size.width, WIDEST) - 2
        return not self._has_figure and len(self._text.wrap(width)) <= FOLDED

    def toggle(self) -> None:
        self._is_open = not self._is_open
        self.refresh(layout=True)

    def render(self) -> Content:
        width = self.content_size.width
        figure = f" · {self._figure_key()} figure" if self._has_figure else ""
        whole = self._text + Content.styled(figure, "dim")
        lines = whole.wrap(width) if width else [whole]
        if self._is_open or len(lines) <= FOLDED:
            return whole
        more = Content.styled(f" … {self._key()} shows all{figure}", "dim")
        shown = lines[:FOLDED]
        shown[-1] = shown[-1].truncate(width - more.cell_length) + more
        return Content("\n").join(shown)


def time_left(interview: Interview | None, settings: Settings) -> tuple[float, float] | None:
    """Seconds of the round, and which share of it they are.

    None between rounds, and for as long as the person does not want to see them.
    """
    running = interview.state.round if interview else None
    if interview is None or running is None:
        return None
    left = interview.seconds_left
    is_early = settings.clock == "late" and left > SOON
    return None if is_early else (left, left / max(1, running.outline.seconds))


Left = Callable[[], "tuple[float, float] | None"]


class ClockBar(Static):
    """A line that shrinks with the time left in the round."""

    def __init__(self, left: Left) -> None:
        super().__init__(id="clock-bar")
        self._left = left

    def on_mount(self) -> None:
        self.set_interval(1, self.refresh)

    def render(self) -> Content:
        width, left = self.size.width, self._left()
        if left is None:
            return Content("─" * width)
        full = round(width * left[1])
        return Content.assemble(("━" * full, "$primary"), ("─" * (width - full), "dim"))


class Clock(Static):
    """The time left in the round; empty between rounds."""

    def __init__(self, left: Left) -> None:
        super().__init__(id="clock")
        self._left = left

    def on_mount(self) -> None:
        self.set_interval(1, self.tick)

    def tick(self) -> None:
        left = self._left()
        seconds, share = (math.inf, 1.0) if left is None else left
        soon, last = (seconds <= limit and share <= HALF for limit in (SOON, LAST))
        self.set_class(soon, "-soon")
        self.set_class(last, "-last")
        sign = "!! " if last else "! " if soon else ""
        face = "" if left is None else f"{sign}{clock_face(seconds)} left"
        self.update(Content(face), layout=False)


class Heading(Horizontal):
    """Plan and round, cut if too long; then question and clock, never cut."""

    def __init__(self, left: Left) -> None:
        self._place = Static(id="place")
        self._question = Static(id="question")
        self._clock = Clock(left)
        mark = Static(Content(MARK), classes="mark")
        super().__init__(mark, self._place, self._question, self._clock)

    def show(self, state: SessionState) -> None:
        place, running = state.plan_title, state.round
        if running and not is_whole_plan(running.outline.title, len(state.outline), place):
            place = f"{place} · Round {running.number}: {running.outline.title}"
        self._place.update(one_line(place))
        asked = progress(running) if running and state.question else ""
        self._question.update(one_line(asked))
        self._clock.tick()


class AnswerEditor(Writing):
    """Enter makes a new line unless it is set to send; a paste never sends.

    What is sent leaves the editor at once and stays ``in_flight`` until stored or given back.
    """

    BINDINGS = bindings("answer")

    def __init__(self, *, enter_sends: bool) -> None:
        super().__init__(id="answer", placeholder="Your answer")
        self.cursor_blink = False
        self.in_flight = ""
        self.enter_sends = enter_sends
        self.starts_clock = False
        """Enter, or the first that is typed, starts the clock."""

    @property
    def draft(self) -> str:
        """Everything that would be lost with the editor."""
        return "\n".join(filter(None, (self.in_flight, self.text)))

    def fill(self, text: str) -> None:
        self.load_text(typable(text))
        self.move_cursor(self.document.end)

    def take(self) -> str:
        """The text, to be sent; the editor is empty from now on."""
        self.in_flight = self.text
        self.fill("")
        return self.in_flight

    def stored(self, text: str, *, cut_off: bool = False) -> None:
        """This is an answer now: it is in flight no more, and leaves the editor if it is there.

        ``cut_off``: the time was up, so the rest of a word belongs to no answer.
        """
        if self.in_flight == text:
            self.in_flight = ""
        elif cut_off:
            self.fill("")
        elif self.text.startswith(text):
            self.fill(self.text.removeprefix(text).lstrip("\n"))

    def give_back(self) -> None:
        """What was sent was not taken: here it is again, before what was typed since."""
        if self.in_flight:
            text, self.in_flight = self.draft, ""
            self.fill(text)

    def action_newline(self) -> None:
        self.replace("\n", *self.selection)

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        new_line = key == "enter" and not self.enter_sends
        return new_line or super().check_consume_key(key, character)

    async def on_key(self, event: events.Key) -> None:
        starts = self.starts_clock and (event.key == "enter" or event.is_printable)
        if starts:
            await self.run_action("screen.begin")
        if event.key == "enter" and (starts or self.enter_sends):
            event.stop()
            event.prevent_default()
            if not starts:  # not by message: later keys would come before it
                await self.run_action("screen.send")

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()  # the text area would insert the text unchanged
        if self.starts_clock:
            await self.run_action("screen.begin")
        self.replace(typable(event.text), *self.selection)


class EditorBar(Horizontal):
    """Below the editor: the send key, the word count, whether the draft is saved, a button."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._send_keys = Static(id="send-keys")
        self._count = Static(id="count")
        self._words, self._safety = 0, ""
        send = Button("Send", id="send", variant="primary", compact=True)
        super().__init__(self._send_keys, self._count, send)

    def on_mount(self) -> None:
        self.name_keys(self._settings)

    def typed(self, text: str) -> None:
        """Not on disk yet: an earlier "saved" goes away."""
        self._words, self._safety = len(text.split()), "…" if text else ""
        self._show()

    def saved(self) -> None:
        self._safety = "saved" if self._words else ""
        self._show()

    def not_saved(self) -> None:
        self._safety = "NOT SAVED"
        self._show()

    def name_keys(self, settings: Settings) -> None:
        self._settings = settings
        self._send_keys.update(Content(self._keys()))

    def _keys(self) -> str:
        send = shown_keys(self.app, self._settings, "interview.send")
        if self._settings.send_key == "enter":
            newline = shown_keys(self.app, self._settings, "answer.newline")
            return f"enter or {send[0]} sends · {newline[0]}: new line"
        return f"{' or '.join(send)} sends · enter: new line"

    def _show(self) -> None:
        words = pluralize(self._words, "word") if self._words else ""
        line = one_line(" · ".join(filter(None, (words, self._safety))))
        self._count.update(line, layout=False)  # a layout for every key would be too slow


class BenchPane(Container):
    """The bench beside the conversation or, on a narrow screen, in its place.

    ``panel`` is mounted when the bench is first opened.
    """

    challenge: var[Challenge | None] = var(None)
    """The open question's."""

    def __init__(self) -> None:
        super().__init__(id="bench-pane")
        self.panel: BenchPanel | None = None
        self._draft = ""

    def set_challenge(self, challenge: Challenge | None, draft: str = "") -> None:
        known = self.challenge
        self.challenge = challenge
        if challenge is None or (known and known.id == challenge.id):
            return
        self._draft = draft
        if self.panel:
            self.panel.set_challenge(challenge, draft)

    def open(self) -> None:
        if self.panel is None:
            assert self.challenge
            self.panel = BenchPanel(self.challenge, can_submit=True)
            self.panel.editor.fill(self._draft)
            self.mount(self.panel)
        self.call_after_refresh(self.panel.editor.focus)  # not before it is mounted and visible

    def prepare(self, bridge: Bridge, bench: Bench | None) -> None:
        """Say how the bench is confined, once it is ready."""
        panel, challenge = self.panel, self.challenge
        if bench is None or panel is None or challenge is None:
            return
        if bench.tier == "off":
            panel.show_starting()
            bridge.run(self, "warming", partial(_warm, panel, bench, challenge))
        else:
            panel.show_status(bench.tier, bench.about)


async def _warm(panel: BenchPanel, bench: Bench, challenge: Challenge) -> None:
    panel.show_status(*await prepared(bench, challenge))


# -- what interrupts the interview ----------------------------------------------------------------

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
