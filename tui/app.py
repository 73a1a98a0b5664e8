"""The Textual app: its screens, keys and theme, what loads early, and how the program ends."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import signal
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding

from interviewer.examiner.registry import chosen
from interviewer.report.plain import printable
from interviewer.settings import unknown_variables
from tui import messages, terminal, theme
from tui.actions import ASKING, BY_ID, bindings, in_table_order, keymap, problems, shown_keys
from tui.bridge import Bridge, LoadFailed, told
from tui.engine import Engine
from tui.keyboard import Handled, Keyboard
from tui.screens.home import HomeScreen
from tui.widgets.dialogs import agreed, on_yes

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.notifications import SeverityLevel
    from textual.screen import Screen
    from textual.theme import Theme

    from interviewer.interview.interview import Interview
    from interviewer.settings import Settings


WARM_UP_AFTER = 0.1
"""Seconds after the first frame, which has the processor to itself."""
WARM_UP = (
    "interviewer.composition",
    "interviewer.interview.interview",
    "interviewer.store.store",
    "tui.screens.setup",
    "tui.interview.screen",
)
SCREENS: dict[messages.Place, tuple[str, str]] = {
    "setup": ("tui.screens.setup", "SetupScreen"),
    "sessions": ("tui.screens.sessions", "SessionsScreen"),
    "questions": ("tui.questions.screen", "QuestionsScreen"),
    "bench": ("tui.bench.screens", "BenchScreen"),
    "settings": ("tui.screens.settings", "SettingsScreen"),
    "debrief": ("tui.screens.debrief", "DebriefScreen"),
    "transcript": ("tui.screens.transcript", "TranscriptScreen"),
    "side_by_side": ("tui.screens.side_by_side", "SideBySideScreen"),
    "plan_editor": ("tui.screens.plan_editor", "PlanEditor"),
}
"""Where the screens are; each is imported when it is first opened."""
PLACES: dict[messages.Place, str] = {
    "setup": "home.new",
    **{place: f"home.{place}" for place in ("sessions", "questions", "bench", "settings")},
}
"""The action that is called as the place is."""
AGAIN = 3.0
"""Seconds in which a key pressed again counts as the second time."""
IN_THE_MIDDLE = (
    "Quit in the middle of the interview? Everything is saved, the clock stops, and you can resume "
    "it from the home screen."
)


def _now() -> datetime:
    return datetime.now(UTC)


class InterviewerApp(App[None]):
    TITLE = "mock interviewer"
    # With the first screen's style sheet, since Textual loads a screen's own only on pushing it.
    CSS_PATH: ClassVar[list[str | PurePath]] = ["app.tcss", "screens/home.tcss"]
    BINDINGS = bindings("app")

    def __init__(
        self,
        settings: Settings,
        *,
        engine: Engine | None = None,
        now: Callable[[], datetime] = _now,
    ) -> None:
        super().__init__()
        self.bridge = Bridge(engine or Engine(settings), now)
        self.now = now
        self._interrupted = -AGAIN
        self.keyboard = Keyboard(
            self,
            super().on_event,
            only_asks=self._only_asks,
        )
        for each in theme.THEMES:
            self.register_theme(each)
        self._begin_in(theme.DEFAULT)

    @property
    def settings(self) -> Settings:
        return self.bridge.engine.settings

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.InputEvent | events.Paste) and not event.is_forwarded:
            self.keyboard.take(event)
        else:
            await super().on_event(event)

    def on_handled(self, message: Handled) -> None:
        message.done.set()

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        """Tell the keyboard of each frame; Textual's own hook comes even where none is drawn."""
        super()._display(screen, renderable)
        if renderable is not None and not self._batch_count:
            self.keyboard.painted()

    def _only_asks(self, key: str) -> bool:
        """The key opens a question now, or something else that can be left again."""
        return any(
            binding.id in ASKING
            and (self.bridge.in_interview or binding.id != "app.quit")
            and node.check_action(binding.action, ())
            for node, bound in self.screen._modal_binding_chain
            for binding in bound.key_to_bindings.get(key, ())
        )

    def get_default_screen(self) -> Screen[None]:
        return HomeScreen(self.bridge, now=self.now)

    def on_mount(self) -> None:
        self.run_worker(self.keyboard.serve(), group="keyboard")
        self.set_keymap(keymap(self.settings))
        for sentence in problems(self.settings.keys):
            self.tell(sentence)
        if sentence := unknown_variables():
            self.tell(sentence)
        self._take_theme()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._end, number)
        if not self.is_headless:
            terminal.watch(partial(self._terminal_gone, loop))

    def watch_app_focus(self, focus: bool) -> None:
        """A browser gives the keyboard later than a screen chooses what gets it: choose again."""
        wanted = self.AUTO_FOCUS if self.screen.AUTO_FOCUS is None else self.screen.AUTO_FOCUS
        if focus and wanted and self.screen.focused is None:
            choice = next((each for each in self.screen.query(wanted) if each.focusable), None)
            self.screen.set_focus(choice)

    def on_ready(self) -> None:
        """The first frame is on its way: load what comes next while the user reads it."""
        examiner = chosen(self.settings.chosen_examiner)
        names = WARM_UP + (("openai",) if examiner.needs_endpoint else ())
        gc.enable()
        warm_up = partial(_warm_up, names, stays=not self.is_headless)
        thread = threading.Thread(target=warm_up, name="warm-up", daemon=True)
        self.set_timer(WARM_UP_AFTER, thread.start)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show text for a moment; it may be a server's or a file's, and is never more than text.

        Screens and widgets end up here, too, so none of them has to say that it is no markup.
        """
        super().notify(
            printable(message),
            title=printable(title),
            severity=severity,
            timeout=timeout,
            markup=False,
        )

    def tell(self, sentence: str) -> None:
        self.notify(sentence, severity="warning")

    def get_key_display(self, binding: Binding) -> str:
        """Function keys and Enter as keyboards print them, the rest as Textual writes them."""
        shown = super().get_key_display(binding).replace("⏎", "enter")
        return shown.upper() if shown[:1] == "f" and shown[1:].isdigit() else shown

    def get_system_commands(self, screen: Screen[Any]) -> Iterator[SystemCommand]:
        """For the command palette: what can be done on this screen, and outside an interview where
        home leads to.
        """
        offered = {"Theme": SystemCommand("Theme", "Change the colours", self.search_themes)}
        for active in in_table_order(screen.active_bindings).values():
            action = BY_ID.get(active.binding.id or "")
            if action and active.enabled and action.help and action.name != "command_palette":
                run = partial(self.run_action, action.name, default_namespace=active.node)
                offered.setdefault(action.label, SystemCommand(action.label, action.help, run))
        if not self.bridge.in_interview:
            for place, id_ in PLACES.items():
                go = partial(self.on_go, messages.Go(place))
                place_named = SystemCommand(BY_ID[id_].label, BY_ID[id_].help, go)
                offered.setdefault(place_named.title, place_named)
        yield from offered.values()

    def action_settings(self) -> None:
        if type(self.screen).__name__ != SCREENS["settings"][1]:
            self.on_go(messages.Go("settings"))

    def action_toggle_help(self) -> None:
        from tui.screens.help import HelpScreen

        self.push_screen(HelpScreen(self.screen))

    async def action_quit(self) -> None:
        """Quit once the draft is saved; if that fails, or in an interview, ask first."""
        if failure := self.bridge.save_now():
            question = f"{failure} What you typed would be lost. Quit anyway?"
            on_yes(self, question, self.exit)
        elif self.bridge.in_interview:
            on_yes(self, IN_THE_MIDDLE, self.exit)
        else:
            self.exit()

    async def action_interrupt(self) -> None:
        """Pressed by habit, to copy or to stop something: where quitting does not ask, twice."""
        pressed, self._interrupted = self._interrupted, time.monotonic()
        if self.bridge.in_interview or self._interrupted - pressed < AGAIN:
            await self.action_quit()
        else:
            key = shown_keys(self, self.settings, "app.interrupt")[0]
            self.notify(f"Press {key} again to quit.", timeout=AGAIN)

    def on_go(self, message: messages.Go) -> None:
        module, name = SCREENS[message.place]
        kind = getattr(importlib.import_module(module), name)
        self._show(kind(self.bridge, *message.about), message.instead)

    def on_load_failed(self, message: LoadFailed) -> None:
        """What no screen shows in a place of its own."""
        self.notify(message.sentence, severity="error")

    def on_begin_mock(self, message: messages.BeginMock) -> None:
        self._open(self._begin(message.choose, message.instead))

    async def _begin(self, choose: Callable[[], messages.Choice], instead: bool) -> None:
        """Begin what this chooses, once it is settled which model examines and that it may."""
        from tui.screens.first_use import examiner_to_use

        try:
            choice = await asyncio.to_thread(choose)
        except Exception as error:  # noqa: BLE001  becomes a message, see defect
            self.tell(told(error))
            return
        wanted = choice.examiner or self.settings.chosen_examiner
        examiner = await examiner_to_use(self, self.bridge, wanted)
        if examiner is None:
            return
        choice = replace(choice, examiner=examiner)
        self._enter(partial(self.bridge.engine.begin, choice), instead)

    def on_resume_session(self, message: messages.ResumeSession) -> None:
        self._open(self._resume(message.session_id))

    async def _resume(self, session_id: str) -> None:
        """Resume the session, once it is settled that its examiner may have the answers."""
        from tui.screens.first_use import examiner_to_resume

        engine = self.bridge.engine
        question = "Go on with it here? The other window then writes nothing more."
        if not await agreed(self, partial(engine.held_by, session_id), question):
            return
        examiner = await examiner_to_resume(self, self.bridge, session_id)
        if examiner is not None:
            self._enter(partial(engine.resume, session_id, examiner or None, take_over=True))

    def _enter(self, opening: Callable[[], Interview], instead: bool = False) -> None:
        from tui.interview.screen import InterviewScreen

        self._show(InterviewScreen(self.bridge, opening), instead)

    def _open(self, work: Coroutine[Any, Any, None]) -> None:
        self.keyboard.expect(self.run_worker(work, group="begin", exclusive=True))

    def _show(self, screen: Screen[None], instead: bool) -> None:
        (self.switch_screen if instead else self.push_screen)(screen)

    def _begin_in(self, name: str) -> None:
        """Take a theme before anything is styled; assigned, all would be styled twice."""
        self.set_reactive(InterviewerApp.theme, name)
        self.update_classes({f"-theme-{name}": True, "-dark-mode": self.current_theme.dark})
        self.stylesheet.set_variables(self.get_css_variables())

    def _take_theme(self) -> None:
        wanted = self.settings.theme
        if wanted in self.available_themes:
            self.theme = wanted
        elif wanted:
            self.tell(f"There is no theme {wanted!r}; press ^p and choose Theme to see them all.")
        elif self._has_few_colours():
            self.theme = theme.FEW_COLOURS
        # Later than the signal of this change.
        self.call_next(self.theme_changed_signal.subscribe, self, self._keep_theme)

    def _keep_theme(self, taken: Theme) -> None:
        """For the next start, whatever changed it."""
        from tui.screens.first_use import keep

        self.run_worker(keep(self, self.bridge.engine, {"theme": taken.name}))

    def _has_few_colours(self) -> bool:
        return self.no_color or (not self.is_headless and self.console.color_system == "standard")

    def _terminal_gone(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(RuntimeError):  # the program has just ended by itself
            loop.call_soon_threadsafe(self._end, signal.SIGHUP)

    def _end(self, number: signal.Signals) -> None:
        self.bridge.save_now()
        self.exit(return_code=128 + number)


def _warm_up(names: tuple[str, ...], *, stays: bool) -> None:
    """Import them; what ``stays`` until the program ends is not searched for garbage any more.

    Such a search over all modules would hold a key or a frame up for a tenth of a second.
    """
    try:
        for name in names:
            importlib.import_module(name)
    except ImportError:
        pass  # raised again, and reported, where the module is needed
    if stays:
        gc.freeze()
