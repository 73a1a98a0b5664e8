"""What works here and at the endpoint, told line by line as it is found."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.widgets import Static

from interviewer.errors import InterviewerError
from interviewer.plural import pluralize
from tui.actions import bindings
from tui.bridge import defect
from tui.messages import Checked, ChecksDone, LoadFailed
from tui.widgets.footer import KeyFooter
from tui.widgets.pages import Page, TitleBar, ViScroll
from tui.widgets.plain_text import plain

if TYPE_CHECKING:
    from textual.widget import Widget

    from interviewer.diagnosis import Check
    from tui.bridge import Bridge

SIGN = {"ok": ("✓", "$text-success"), "warning": ("!", "$text-warning")}
FAILED = ("✗", "$text-error")


class CheckRow(Horizontal):
    """A check: a sign and what was looked at, beside what was found."""

    def __init__(self, check: Check) -> None:
        super().__init__()
        self._check = check

    def compose(self) -> ComposeResult:
        sign, colour = SIGN.get(self._check.status, FAILED)
        name = Content.assemble((f"{sign} ", f"bold {colour}"), (self._check.name, "bold"))
        yield Static(name, classes="name")
        yield Static(plain(self._check.message), classes="found")


def run_checks(
    bridge: Bridge, owner: Widget, work: Callable[[Callable[[Check], None]], None]
) -> None:
    """Do ``work`` in a thread and post each check, then the end, to ``owner``."""

    async def run() -> None:
        def tell(check: Check) -> None:
            owner.post_message(Checked(check))

        try:
            await asyncio.to_thread(work, tell)
        except InterviewerError as error:
            owner.post_message(LoadFailed(str(error)))
        except Exception as error:  # noqa: BLE001  becomes a message, see defect
            owner.post_message(LoadFailed(defect(error)))
        owner.post_message(ChecksDone())

    bridge.run(owner, "checks", run)


class DoctorScreen(Page):
    """Endpoint, database, files and bench."""

    CSS_PATH = "settings.tcss"
    HELP = "What works on this machine and at the endpoint, and how to fix what does not."
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("back")]

    def compose(self) -> ComposeResult:
        yield TitleBar(Content("Doctor"), Content("checking…"))
        with Container(id="middle"):
            yield ViScroll(id="checks")
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one("#checks").focus()
        self._unwell = 0
        run_checks(self._bridge, self, self._bridge.engine.check_everything)

    def on_checked(self, message: Checked) -> None:
        self._unwell += message.check.status != "ok"
        self.query_one("#checks").mount(CheckRow(message.check))

    def on_load_failed(self, message: LoadFailed) -> None:
        self._unwell += 1
        self.query_one("#checks").mount(Static(plain(message.sentence, "$text-error")))

    def on_checks_done(self) -> None:
        found = f"{pluralize(self._unwell, 'thing')} to look at" if self._unwell else "all is well"
        self.query_one(TitleBar).show(Content("Doctor"), Content(found))
