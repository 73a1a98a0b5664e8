"""The Textual app: which screens exist, keys, theme and how the program ends. No interview here."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType

from tui.actions import BY_ID, bindings, keymap, unknown_ids
from tui.bridge import Bridge
from tui.engine import Engine
from tui.screens.home import HomeScreen
from tui.warmup import warm_up

if TYPE_CHECKING:
    from textual.screen import Screen

    from interviewer.interview.interview import Interview
    from interviewer.settings import Settings
    from tui import navigation


def _now() -> datetime:
    return datetime.now(UTC)


QUIET = 0.1
"""Seconds after the first frame before anything is loaded ahead."""


class InterviewerApp(App[None]):
    """Mock interviews in the terminal."""

    TITLE = "mock interviewer"
    # The first screen's sheet is here because Textual loads a screen's own only when it is pushed.
    CSS_PATH: ClassVar[list[str | PurePath]] = ["app.tcss", "screens/home.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("app")]

    def __init__(
        self,
        settings: Settings,
        *,
        engine: Engine | None = None,
        now: Callable[[], datetime] = _now,
    ) -> None:
        super().__init__()
        self.settings = settings
        self.bridge = Bridge(engine or Engine(settings))
        self.now = now

    def get_default_screen(self) -> Screen[None]:
        return HomeScreen(self.bridge, now=self.now)

    def on_mount(self) -> None:
        self.set_keymap(keymap(self.settings))
        for sentence in unknown_ids(self.settings.keys):
            self.tell(sentence)
        self._take_theme()
        for number in (signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, self._end, number)

    def on_ready(self) -> None:
        """The first frame is on its way to the screen; it has the processor for itself."""
        self.set_timer(QUIET, partial(warm_up, self.settings))

    def tell(self, sentence: str) -> None:
        """A passing note; whatever text it holds is shown as it is."""
        self.notify(sentence, markup=False, severity="warning")

    def get_key_display(self, binding: Binding) -> str:
        """Function keys and Enter as keyboards have them printed, the rest as Textual writes it."""
        shown = super().get_key_display(binding).replace("⏎", "enter")
        return shown.upper() if shown[:1] == "f" and shown[1:].isdigit() else shown

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The themes, and every action of the table that is possible on this screen."""
        yield SystemCommand("Theme", "Change the colours", self.action_change_theme)
        listed = {"Theme"}
        for active in screen.active_bindings.values():
            action = BY_ID.get(active.binding.id or "")
            if action and active.enabled and action.help and action.label not in listed:
                listed.add(action.label)
                run = partial(self.run_action, action.name, default_namespace=active.node)
                yield SystemCommand(action.label, action.help, run)

    def action_toggle_help(self) -> None:
        if self.screen.query("HelpPanel"):
            self.action_hide_help_panel()
        else:
            self.action_show_help_panel()

    async def action_quit(self) -> None:
        """Leave with the draft on disk; where that fails, ask first."""
        failure = self.bridge.save_now()
        if not failure:
            self.exit()
            return
        from tui.widgets.confirm import Confirm

        question = f"{failure} What you typed would be lost. Leave all the same?"
        self.push_screen(Confirm(question), lambda leave: self.exit() if leave else None)

    def on_go(self, message: navigation.Go) -> None:
        self.push_screen(_PLACES[message.place](self.bridge))

    def on_begin_mock(self, message: navigation.BeginMock) -> None:
        self.switch_screen(self._interview(partial(self.bridge.engine.begin, message.choice)))

    def on_resume_session(self, message: navigation.ResumeSession) -> None:
        self.push_screen(self._interview(partial(self.bridge.engine.resume, message.session_id)))

    def on_read_debrief(self, message: navigation.ReadDebrief) -> None:
        from tui.debrief.screen import DebriefScreen

        screen = DebriefScreen(self.bridge, message.session_id)
        if message.instead:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)

    def on_read_transcript(self, message: navigation.ReadTranscript) -> None:
        from tui.screens.transcript import TranscriptScreen

        self.push_screen(TranscriptScreen(self.bridge, message.session_id, message.turn))

    def _interview(self, opening: Callable[[], Interview]) -> Screen[None]:
        from tui.interview.screen import InterviewScreen

        return InterviewScreen(self.bridge, opening)

    def _take_theme(self) -> None:
        theme = self.settings.theme
        if theme in self.available_themes:
            self.theme = theme
        elif theme:
            self.tell(f"There is no theme {theme!r}; ^p, then Theme, lists them.")

    def _end(self, number: signal.Signals) -> None:
        """The terminal was closed or the process asked to end."""
        self.bridge.save_now()
        self.exit(return_code=128 + number)


def _setup(bridge: Bridge) -> Screen[None]:
    from tui.screens.setup import SetupScreen

    return SetupScreen(bridge)


def _sessions(bridge: Bridge) -> Screen[None]:
    from tui.screens.sessions import SessionsScreen

    return SessionsScreen(bridge)


def _rubrics(bridge: Bridge) -> Screen[None]:
    from tui.screens.rubrics import RubricsScreen

    return RubricsScreen(bridge)


def _bench(bridge: Bridge) -> Screen[None]:
    from tui.bench.screen import BenchScreen

    return BenchScreen(bridge)


_PLACES: dict[str, Callable[[Bridge], Screen[None]]] = {
    "setup": _setup,
    "sessions": _sessions,
    "rubrics": _rubrics,
    "bench": _bench,
}
