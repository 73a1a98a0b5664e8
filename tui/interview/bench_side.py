"""The bench in the interview: beside the conversation where there is room, else in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Container
from textual.reactive import var

if TYPE_CHECKING:
    from interviewer.sandbox.challenges.challenge import Challenge
    from interviewer.sandbox.result import CheckResult
    from tui.bench.panel import BenchPanel


class BenchSide(Container):
    """Empty until the bench is asked for: only then is the panel loaded and mounted."""

    challenge: var[Challenge | None] = var(None)
    """Of the question that is open."""

    def __init__(self) -> None:
        super().__init__(id="bench-side")
        self.panel: BenchPanel | None = None
        self._text = ""

    @property
    def has_keys(self) -> bool:
        """What is typed goes to the bench."""
        if self.panel is None or not self.panel.is_attached:
            return False
        focused = self.screen.focused
        return focused is not None and self in focused.ancestors

    def pose(self, challenge: Challenge | None, text: str = "") -> None:
        """The challenge of the open question, with what was written of it before."""
        known = self.challenge
        self.challenge = challenge
        if challenge is None or (known and known.id == challenge.id):
            return
        self._text = text
        if self.panel:
            self.panel.pose(challenge, text)

    def open(self) -> None:
        """Bring the panel up and give it the keys."""
        if self.panel is None:
            assert self.challenge
            from tui.bench.panel import BenchPanel

            self.panel = BenchPanel(self.challenge, alone=False)
            self.panel.editor.fill(self._text)
            self.mount(self.panel)
        self.call_after_refresh(self.panel.editor.focus)  # only then it is mounted and in sight

    # -- the panel, if it was ever opened -------------------------------------------------

    def warm_up(self) -> None:
        if self.panel:
            self.panel.warm_up()

    def announce(self, tier: str, about: str) -> None:
        """What the bench is, once that is known."""
        if self.panel:
            self.panel.announce(tier, about)

    def begin_check(self) -> None:
        if self.panel:
            self.panel.begin_check()

    def end_check(self) -> None:
        """Whatever was under way is over."""
        if self.panel and self.panel.checking:
            self.panel.end_check("Stopped; nothing was judged.")

    def show_result(self, source: str, result: CheckResult) -> None:
        if self.panel:
            self.panel.show_result(source, result)

    def say(self, sentence: str) -> None:
        if self.panel:
            self.panel.say(sentence)

    def saved(self, text: str) -> None:
        if self.panel:
            self.panel.saved(text)

    def not_saved(self) -> None:
        if self.panel:
            self.panel.not_saved()
