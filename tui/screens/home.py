"""Home. Its first paint needs only the settings and one light look at the database."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from interviewer.examiner.registry import chosen
from interviewer.report.plain import counted
from tui import messages
from tui.actions import bindings
from tui.widgets.pages import ViList
from tui.widgets.plain_text import ago, one_line, plain

if TYPE_CHECKING:
    from interviewer.rubric.library import Summary
    from interviewer.rubric.rubric import Rubric
    from interviewer.settings import Settings
    from interviewer.store.peek import Glance, Unfinished
    from tui.bridge import Bridge


_INDENT = 11
COUNT_AFTER = 0.1
"""Seconds until the rubric files are read: the screen is painted first."""


class HomeScreen(Screen[None]):
    """The open session, the other screens, and who examines."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("home")]

    def __init__(self, bridge: Bridge, *, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._bridge = bridge
        self._now = now
        self._rubrics = ""
        self._painted = False
        self._glance: Glance | None = None

    def compose(self) -> ComposeResult:
        settings = self._bridge.engine.settings
        self._glance = self._bridge.engine.glance()
        title = f"mock interviewer · {settings.chosen_examiner} examiner"
        yield Static(Content(title), id="title")
        yield ViList(*self._options(), id="menu")
        yield Static(plain(_about(settings)), id="about")
        yield Footer(compact=True)

    def on_screen_resume(self) -> None:
        if self._painted:  # the first paint has only just looked
            self._look()
        self._painted = True
        self.set_timer(COUNT_AFTER, self._count_rubrics)

    def on_collection_loaded(self, message: messages.CollectionLoaded[Summary, Rubric]) -> None:
        entries = message.collection.entries.values()
        shipped = sum(entry.origin == "shipped" for entry in entries)
        problems = len({problem.path for problem in message.collection.problems})
        self._rubrics = f"{shipped} shipped, {len(entries) - shipped} yours" + (
            f", {counted(problems, 'file')} with problems" if problems else ""
        )
        self._fill()

    def on_load_failed(self, message: messages.LoadFailed) -> None:
        self._rubrics = message.sentence
        self._fill()

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        await self.run_action(str(event.option.id))

    def action_resume(self) -> None:
        if self._glance and self._glance.unfinished:
            self.post_message(messages.ResumeSession(self._glance.unfinished.id))

    def action_new(self) -> None:
        self.post_message(messages.Go("setup"))

    def action_sessions(self) -> None:
        self.post_message(messages.Go("sessions"))

    def action_rubrics(self) -> None:
        self.post_message(messages.Go("rubrics"))

    def action_bench(self) -> None:
        self.post_message(messages.Go("bench"))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hides Resume while no session is open."""
        return action != "resume" or bool(self._glance and self._glance.unfinished)

    def _look(self) -> None:
        self._glance = self._bridge.engine.glance()
        self._fill()
        self.refresh_bindings()

    def _count_rubrics(self) -> None:
        engine = self._bridge.engine
        self._bridge.load(self, "library", engine.library, messages.CollectionLoaded)

    def _fill(self) -> None:
        menu = self.query_one("#menu", ViList)
        at = menu.highlighted or 0
        menu.set_options(self._options())
        menu.highlighted = min(at, menu.option_count - 1)

    def _options(self) -> list[Option]:
        glance = self._glance
        rows = [
            ("new", "New mock", Content("choose a plan and start")),
            ("sessions", "Sessions", _sessions(glance)),
            ("rubrics", "Rubrics", one_line(self._rubrics or "…")),
            ("bench", "Bench", Content("derivations")),
            ("app.quit", "Quit", Content("")),
        ]
        if glance and glance.unfinished:
            rows.insert(0, ("resume", "Resume", _unfinished(glance.unfinished, self._now())))
        return [Option(_row(name, detail), id=key) for key, name, detail in rows]


def _row(name: str, detail: Content) -> Content:
    return Content.assemble((f"{name:<{_INDENT}}", "bold"), detail)


def _unfinished(session: Unfinished, now: datetime) -> Content:
    return Content.assemble(
        one_line(session.plan_title),
        f" · round {session.round} of {session.rounds} · {ago(session.updated_at, now)}",
        *(("\n" + " " * _INDENT, one_line(session.headline, "dim")) if session.headline else ()),
    )


def _sessions(glance: Glance | None) -> Content:
    if glance is None or not (glance.sessions or glance.problem):
        return Content("none yet")
    if glance.problem:
        return one_line(glance.problem)
    if glance.finished is None:
        return Content(f"{glance.sessions}")
    band = glance.finished.band
    grade = "not graded" if band is None else f"band {band:.1f}"
    return Content.assemble(
        f"{glance.sessions} · last: ", one_line(glance.finished.plan_title), f", {grade}"
    )


def _about(settings: Settings) -> str:
    kind = chosen(settings.chosen_examiner)
    return kind.about.format(name=settings.model or "the endpoint's default model")
