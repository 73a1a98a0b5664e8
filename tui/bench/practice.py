"""One challenge alone: hints and solution on request, nothing is graded."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer

from tui.actions import bindings, in_table_order
from tui.bench.messages import BenchReady, Checked, CheckEnded, DraftKept, DraftRead
from tui.bench.panel import BenchPanel
from tui.bench.task import SolutionScreen
from tui.widgets.confirm import Confirm
from tui.widgets.plain_text import TitleBar, one_line

if TYPE_CHECKING:
    from textual.app import App
    from textual.binding import ActiveBinding
    from textual.worker import Worker

    from interviewer.interview.bench_session import Bench
    from interviewer.sandbox.challenges.challenge import Challenge
    from tui.bridge import Bridge


QUESTION = (
    "This system offers no wall around files and network: your function would run with your own "
    "rights, limited in time and memory only. Run the functions that you write here?"
)


def with_consent(app: App[Any], bench: Bench | None, source: str, run: Callable[[], None]) -> None:
    """Call ``run``; where a function would have no walls, ask first, once for each bench."""
    from interviewer.sandbox.checking.python_source import is_function

    walled = bench is None or bench.tier != "reduced" or bench.allow_functions
    if walled or not is_function(source):
        run()
        return

    def answered(yes: bool | None) -> None:
        if yes and bench:
            bench.allow_functions = True
            run()

    app.push_screen(Confirm(QUESTION), answered)


class PracticeScreen(Screen[None]):
    """The panel, with the hints and the solution of the challenge."""

    AUTO_FOCUS = "#source"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("practice", "back")]

    def __init__(self, bridge: Bridge, challenge: Challenge) -> None:
        super().__init__()
        self._bridge = bridge
        self._challenge = challenge
        self._panel = BenchPanel(challenge, alone=True)
        self._check: Worker[None] | None = None
        self._hints = 0
        self._tries = 0

    def compose(self) -> ComposeResult:
        yield TitleBar(
            Content("Bench · ") + one_line(self._challenge.title), Content(self._challenge.kind)
        )
        yield self._panel
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self._desk = self._bridge.practise(self, self._challenge)
        self._panel.warm_up()

    def on_unmount(self) -> None:
        self._desk.save_now()

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """In the order of the table, as in the interview."""
        return in_table_order(super().active_bindings)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Dims hints when none are left."""
        return action != "hint" or self._hints < len(self._challenge.hints) or None

    # -- what comes of it -----------------------------------------------------------------

    def on_draft_read(self, message: DraftRead) -> None:
        typed = [text for text in (message.text, self._panel.text) if text]
        if message.text:  # what was typed meanwhile follows it
            self._panel.editor.fill("\n".join(typed))

    def on_bench_ready(self, message: BenchReady) -> None:
        self._panel.announce(message.tier, message.about)

    def on_checked(self, message: Checked) -> None:
        self._tries += 1
        self._panel.show_result(message.source, message.result)

    def on_check_ended(self, message: CheckEnded) -> None:
        self._panel.end_check(message.sentence)

    def on_draft_kept(self, message: DraftKept) -> None:
        if not message.failure:
            self._panel.saved(message.text)
            return
        self._panel.not_saved()
        self.app.notify(message.failure, markup=False, severity="error")

    # -- what the person does -------------------------------------------------------------

    def on_bench_panel_typed(self, message: BenchPanel.Typed) -> None:
        self._desk.draft(message.text)

    def on_bench_panel_run_asked(self, message: BenchPanel.RunAsked) -> None:
        def run() -> None:
            self._panel.begin_check()
            self._check = self._bridge.check(self, self._desk, message.source)

        with_consent(self.app, self._desk.bench, message.source, run)

    def on_bench_panel_stop_asked(self) -> None:
        if self._check:
            self._check.cancel()

    def action_hint(self) -> None:
        self._hints += 1
        self._panel.show_hints(self._hints)
        self._panel.say(
            f"Hint {self._hints} of {len(self._challenge.hints)} stands below the task."
        )
        self.refresh_bindings()

    def action_solution(self) -> None:
        if self._tries:
            self._show_solution(True)
        else:
            question = "You have not run anything yet. Show the solution all the same?"
            self.app.push_screen(Confirm(question), self._show_solution)

    def action_back(self) -> None:
        self.app.pop_screen()

    def _show_solution(self, wanted: bool | None) -> None:
        if wanted:
            self.app.push_screen(SolutionScreen(self._challenge))
