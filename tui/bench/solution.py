"""The worked solution of a challenge, to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Static

from interviewer.report.bench import unwrapped
from tui.actions import bindings
from tui.widgets.plain_text import one_line, plain
from tui.widgets.title_bar import TitleBar
from tui.widgets.vi import ViScroll

if TYPE_CHECKING:
    from interviewer.sandbox.challenges.challenge import Challenge


class SolutionScreen(Screen[None]):
    """The derivation line by line, then the reasons in words."""

    DEFAULT_CSS = "SolutionScreen ViScroll Static { padding: 1 2 0 2; max-width: 104; }"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("back")]

    def __init__(self, challenge: Challenge) -> None:
        super().__init__()
        self._challenge = challenge

    def compose(self) -> ComposeResult:
        challenge = self._challenge
        yield TitleBar(Content("Solution · ") + one_line(challenge.title))
        with ViScroll():
            if challenge.derivation:
                yield Static(plain(challenge.derivation.strip(), "bold"))
            yield Static(plain(unwrapped(challenge.solution)))
            for open_point in challenge.cannot_see:
                yield Static(plain(f"– {open_point.strip()}", "dim"))
        yield Footer()

    def action_back(self) -> None:
        self.app.pop_screen()
