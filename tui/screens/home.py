"""Home: what to do now, and how it is going. Its first paint needs one light look at the database.

Figures of past sessions are computed in a thread and filled in after the first paint.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial, partialmethod
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from interviewer.examiner.registry import LLM, chosen
from interviewer.grading.bands import TOP_BAND
from interviewer.names import EXAMPLE
from interviewer.plural import pluralize
from interviewer.store.reader import COUNTED, home_view
from tui import messages
from tui.actions import bindings
from tui.widgets.pages import Page, TitleBar, ViList
from tui.widgets.plain_text import ago, bar, course, one_line, plain

if TYPE_CHECKING:
    from interviewer.practice.attempts import Result
    from interviewer.practice.drills import Drill
    from interviewer.practice.progress import Progress
    from interviewer.rubric.library import Library
    from interviewer.settings import Settings
    from interviewer.store.reader import HomeView, Unfinished
    from tui.bridge import Bridge


LOAD_AFTER = 0.1
"""Seconds until figures and rubric files are read: the screen is painted first."""
BREAKPOINTS = [(0, "-one"), (72, "-two"), (144, "-three")]
"""How many columns the board has from this width on."""
HEIGHTS = [(0, "-low"), (34, "-tall")]
LISTED = 8
"""Weak spots and due questions in a list; the rest is counted."""
TRIES = 8
"""Tries of a topic's questions whose bands are shown."""
_LABEL = 14
_NEW_LINE = Content("\n")


class Menu(ViList):
    """What to do now."""


class Results(ViList):
    """The last results; Enter opens the debrief."""


class Board(VerticalScroll, can_focus=False):
    """Panes side by side where there is room."""

    def compose(self) -> ComposeResult:
        with Vertical(id="now"):
            yield Static(Content("Now"), classes="heading")
            yield Menu(id="menu")
            yield Static(id="to-do")
        with Vertical(id="results-pane"):
            yield Static(Content("Recent results"), classes="heading")
            yield Results(id="results")
            yield Static(id="trend")
            yield Static(id="due")
        with Vertical(id="topics-pane"):
            yield Static(Content("Topics: share, tries, questions"), classes="heading")
            yield Static(id="topics")
            yield Static(id="weak")


class HomeScreen(Page):
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    VERTICAL_BREAKPOINTS = HEIGHTS
    AUTO_FOCUS = "#menu"
    HELP = "What to do now, and how it is going. Enter does what is under the cursor."
    BINDINGS = bindings("home")

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._rubrics = "…"
        self._painted = False
        self._view: HomeView | None = None
        self._progress: Progress | None = None
        self._server = ""
        """The address of a model server on this machine, if one was found and none is set."""

    def compose(self) -> ComposeResult:
        self._view = self._read_view()
        # Textual sets the classes of the size, too, but once all is painted without them.
        width, height = self.app.size
        self.add_class(_reached(BREAKPOINTS, width), _reached(HEIGHTS, height))
        self.set_class(self._is_new(), "-new")
        yield TitleBar(Content("Mock interviewer"))
        with Container(id="middle"):
            yield Board(id="board")
            yield Static(one_line(_about(self.engine.settings)), id="about")
        yield Footer(compact=True)

    def _read_view(self) -> HomeView | None:
        settings = self.engine.settings
        return home_view(settings.database, settings.owner)

    def on_mount(self) -> None:
        self._fill()

    def on_screen_resume(self) -> None:
        if self._painted:  # the first paint has only just looked
            self._view = self._read_view()
            about = _about(self.engine.settings)  # the settings may have changed
            self.query_one("#about", Static).update(one_line(about))
            self.query_one(Menu).highlighted = None
            self._fill()
        self._painted = True
        self.set_timer(LOAD_AFTER, self._load)

    def _show_library(self, library: Library) -> None:
        entries = library.entries.values()
        shipped = sum(entry.origin == "shipped" for entry in entries)
        problems = len({problem.path for problem in library.problems})
        self._rubrics = f"{shipped} shipped, {len(entries) - shipped} yours" + (
            f", {pluralize(problems, 'file')} with problems" if problems else ""
        )
        self._fill()

    def _show_progress(self, progress: Progress) -> None:
        self._progress = progress
        self._fill()
        if progress.results and self.has_class("-three", "-tall"):  # elsewhere it is not shown
            last = progress.results[0].session
            self.load("to-do", partial(self.engine.to_do, last), self._show_to_do)

    def _show_to_do(self, lines: Sequence[str]) -> None:
        heading = Content.styled("Do next, after the last interview", "bold")
        told = [heading, *map(plain, lines)] if lines else []
        self.query_one("#to-do", Static).update(_NEW_LINE.join(told))

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        chosen_id = str(event.option.id)
        if event.option_list.id == "results":
            self.go("debrief", chosen_id)
        else:
            await self.run_action(chosen_id)

    def action_resume(self) -> None:
        if self._view and self._view.unfinished:
            self.post_message(messages.ResumeSession(self._view.unfinished.id))

    def action_weak(self) -> None:
        if self._progress:
            self._drill("weak", [spot.rubric for spot in self._progress.weak])

    def action_due(self) -> None:
        if self._progress:
            self._drill("due", [due.rubric for due in self._progress.due])

    def action_example(self) -> None:
        self.go("debrief", EXAMPLE)

    def action_server(self) -> None:
        """Let the model server on this machine examine from now on."""
        changes = {"base_url": self._server, "examiner": LLM.choice}

        def used(_: None) -> None:
            self._server = ""
            self.query_one("#about", Static).update(one_line(_about(self.engine.settings)))
            self._fill()

        self.load("server", partial(self.engine.change, changes), used)

    def action_one(self) -> None:
        self._drill("one")

    def action_mock(self) -> None:
        self.begin(self.engine.mock)

    action_new = partialmethod(Page.go, "setup")
    action_sessions = partialmethod(Page.go, "sessions")
    action_questions = partialmethod(Page.go, "questions")
    action_settings = partialmethod(Page.go, "settings")
    action_bench = partialmethod(Page.go, "bench")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "resume":
                return bool(self._view and self._view.unfinished)
            case "weak":
                return bool(self._progress and self._progress.weak)
            case "due":
                return bool(self._progress and self._progress.due)
            case "server":
                return bool(self._server)
            case _:
                return True

    def _load(self) -> None:
        engine, now = self.engine, self._bridge.now()
        self.load("library", engine.library, self._show_library)
        self.load("progress", lambda: engine.progress(now), self._show_progress)
        if self._is_new() and not engine.settings.endpoint_configured:
            self.load("server", engine.local_server, self._show_server)

    def _show_server(self, address: str) -> None:
        self._server = address
        self._fill()

    def _drill(self, kind: Drill, rubrics: Iterable[str] = ()) -> None:
        self.begin(partial(self.engine.drill, kind, tuple(rubrics)))

    def on_resize(self) -> None:
        if self._progress:  # the room for bars may have changed
            self.call_after_refresh(self._fill_figures, self._progress)

    def _fill(self) -> None:
        self.set_class(self._is_new(), "-new")
        # What is not known yet has its place already, so that no row moves under the cursor.
        self.query_one(Menu).show(self._offers())
        if self._progress:
            self._fill_figures(self._progress)

    def _is_new(self) -> bool:
        return self._view is None or not (self._view.sessions or self._view.problem)

    def _offers(self) -> Iterator[Option]:
        if self._is_new():
            for action, title, lines in _CARDS:
                yield Option(self._card(action, title, lines), id=action)
            if self._server:
                yield Option(self._card("server", "A model of your own", _SERVER), id="server")
            return
        view, past = self._view, self._progress
        if view and view.unfinished:
            yield self._offer("resume", "Resume", *_unfinished(view.unfinished, self._bridge.now()))
        weak = past.weak[0].title if past and past.weak else "none known"
        due = pluralize(len(past.due), "question") if past and past.due else "nothing"
        yield self._offer("weak", "Weak spots", one_line(weak if past else "…"))
        yield self._offer("due", "Due today", one_line(due if past else "…"))
        yield self._offer("mock", "Three rounds", Content("a mock in 30 minutes"))
        yield self._offer("new", "New mock", Content("choose a plan"))
        yield self._offer("one", "One question", Content("graded at once"))
        yield self._offer("bench", "Bench", Content("derivations and code"))
        yield self._offer("questions", "Questions", one_line(self._rubrics))
        yield self._offer("sessions", "Sessions", _sessions(view))

    def _card(self, action: str, title: str, lines: Iterable[str]) -> Content:
        key = "enter" if action == "mock" else self.key_of(f"home.{action}")
        head = plain(f"{key:<7}", "$text-primary") + plain(title, "bold")
        body = (plain(f"       {line.format(server=self._server)}") for line in lines)
        return _NEW_LINE.join([Content(""), head, *body, Content("")])

    def _offer(self, action: str, label: str, *details: Content) -> Option:
        key = self.key_of(f"home.{action}")
        head = plain(f"{key:<3}", "$text-primary") + plain(f"{label:<{_LABEL}}", "bold")
        indent = Content(" " * (3 + _LABEL))
        first, *more = details
        prompt = _NEW_LINE.join([head + first, *(indent + each for each in more)])
        return Option(prompt, id=action, disabled=not self.check_action(action, ()))

    def _fill_figures(self, past: Progress) -> None:
        now = self._bridge.now()
        results = self.query_one(Results)
        width = max((len(each.plan_title) for each in past.results), default=0)
        rows = (
            Option(_result(each, min(width, 20), now), id=each.session) for each in past.results
        )
        results.show(rows, at="")
        results.display = bool(past.results)
        roomy = self.has_class("-tall", "-three")
        self.query_one("#trend", Static).update(_trend(past, rows=6 if roomy else 1))
        self.query_one("#due", Static).update(_listed("Due today", [d.title for d in past.due]))
        self.query_one("#topics", Static).update(_topics(past, cells=20 if roomy else 10))
        weak = list(dict.fromkeys(spot.title for spot in past.weak))
        self.query_one("#weak", Static).update(_listed("Weak spots", weak))


_CARDS = (
    (
        "mock",
        "Three-round mock",
        (
            "Transformers, RLHF, distributed training: two questions each.",
            "About 30 minutes, then a verdict and what to work on.",
        ),
    ),
    (
        "example",
        "Look at a finished one",
        ("What you get: verdicts, the words they rest on,", "and what to do next."),
    ),
    (
        "questions",
        "Questions, and your own",
        ("Practise one, import a list (Markdown, CSV, Anki),", "or write your own."),
    ),
)
"""What a new user is offered: an action, its title, and what it does."""
_SERVER = ("{server} runs on this machine.", "Let it examine: it weighs arguments, too.")


def _reached(breakpoints: list[tuple[int, str]], cells: int) -> str:
    return [name for start, name in breakpoints if cells >= start][-1]


def _unfinished(session: Unfinished, now: datetime) -> Iterator[Content]:
    between = 0 < session.finished_rounds == session.round < session.rounds
    where = f", round {session.round} of {session.rounds}" if session.rounds > 1 else ""
    where += " done" if between else ""
    yield one_line(f"{session.plan_title}{where}, {ago(session.updated_at, now)}")
    if session.headline and not between:
        yield one_line(session.headline, "$text-muted")


def _sessions(view: HomeView | None) -> Content:
    if view is None or not (view.sessions or view.problem):
        return Content("none yet")
    if view.problem:
        return one_line(view.problem)
    more = view.sessions > COUNTED
    return Content(f"more than {COUNTED:,}" if more else f"{view.sessions:,}")


def _result(result: Result, width: int, now: datetime) -> Content:
    band = "  –" if result.band is None else f"{result.band:3.1f}"
    title = one_line(result.plan_title).truncate(width, ellipsis=True, pad=True)
    return Content.assemble(
        (band, "bold"), "  ", title, f"  {ago(result.at, now).removeprefix('on ')}"
    )


def _trend(past: Progress, rows: int) -> Content:
    if not past.bands:
        return Content.styled("Your results will appear here.", "$text-muted")
    lines = course(past.bands, TOP_BAND, cells=10, rows=rows)
    drawn = [Content.styled(" ".join(c * 2 for c in line), "$text-primary") for line in lines]
    change = past.change
    if change is None:
        told = f"Bands from 0 to {TOP_BAND}, oldest first"
    elif abs(change) < 0.05:
        told = "No change from those before"
    else:
        told = f"{'Up' if change > 0 else 'Down'} {abs(change):.1f} from those before"
    return _NEW_LINE.join([*drawn, Content(told)])


def _topics(past: Progress, cells: int) -> Content:
    if not past.topics:
        return Content.styled("Finish a mock to see your topics.", "$text-muted")
    width = max(len(topic.name) for topic in past.topics)
    tries = min(TRIES, max(len(topic.bands) for topic in past.topics))
    rows = [
        Content.assemble(
            plain(f"{topic.name:<{width}}  "),
            *bar(topic.share, cells),
            (f" {topic.share:4.0%}", "bold"),
            (f"  {course(topic.bands, TOP_BAND, TRIES)[0]:<{tries}}", "$text-primary"),
            (f"  {topic.questions}", "$text-muted"),
        )
        for topic in past.topics
    ]
    return _NEW_LINE.join(rows)


def _listed(title: str, entries: list[str]) -> Content:
    if not entries:
        return Content()
    rows = [one_line(f"· {entry}") for entry in entries[:LISTED]]
    if more := len(entries) - LISTED:
        rows += [Content.styled(f"and {more} more", "$text-muted")] if more > 0 else []
    return _NEW_LINE.join([Content.styled(f"{title} · {len(entries)}", "bold"), *rows])


def _about(settings: Settings) -> str:
    kind = chosen(settings.chosen_examiner)
    return kind.in_brief.format(
        name=settings.model or "its default model",
        place=settings.address if settings.base_url else "OpenAI",
    )
