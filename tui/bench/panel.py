"""The bench itself, in an interview or alone. Its screen runs the checks and saves the drafts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import var
from textual.widgets import Static, TextArea

from interviewer.plural import pluralize
from interviewer.report.words import LINE_SIGN
from interviewer.sandbox.jobs import is_function
from tui.actions import bindings
from tui.bench.editor import BenchEditor, Margin, current_marks
from tui.bench.task import grammar, names, task
from tui.bridge import defect
from tui.widgets.dialogs import Reader, on_yes
from tui.widgets.pages import ViScroll
from tui.widgets.plain_text import one_line, plain
from tui.widgets.state_line import StateLine

if TYPE_CHECKING:
    from textual.app import App

    from interviewer.interview.bench_session import Bench
    from interviewer.sandbox.challenge import Challenge
    from interviewer.sandbox.result import CheckResult

INSTALL = "interviewer sandbox install"
UNCONFINED = (
    "This system cannot confine code: your function would run with your own access to files and "
    "network, limited only in time and memory. Run the functions you write here?"
)
_NEW_LINE = Content("\n")


def status_text(tier: str, about: str) -> Content:
    """What a check means here; without a worker, how to get one and what to do until then."""
    if tier != "off":
        return one_line(about, "dim")
    how = "" if INSTALL in about else f" Run “{INSTALL}” in a shell to get it."
    return one_line(f"{about}{how} Until then you can still submit your work as a written answer.")


def result_lines(result: CheckResult) -> Iterator[Content]:
    """The line that is wrong, what the run came to, what it leaves open and what was printed."""
    for line in result.lines:
        if line.line == result.first_bad_line:
            sign, _, word = LINE_SIGN[line.status].partition(" ")
            bad = f"{sign} Line {line.line}: {line.message or word}"
            yield one_line(bad, "bold $text-error")
    spent = result.milliseconds
    time = f"{spent:.0f} ms" if spent < 1000 else f"{spent / 1000:.1f} s"
    timed = Content.styled(f"  {result.tier} · {time}", "dim")
    yield one_line(result.summary, "$text-success" if result.passed else "") + timed
    for point in result.open_points:
        yield one_line(f"– {point}", "dim")
    if result.output:
        yield Content.styled("Your function printed:", "dim")
        yield plain(result.output)


async def prepared(bench: Bench, challenge: Challenge) -> tuple[str, str]:
    """Start the bench for a challenge; what it is then, or "off" and why it cannot be had."""
    try:
        await bench.prepare(challenge)
    except Exception as error:  # noqa: BLE001  becomes a message, see defect
        return "off", defect(error)
    return bench.tier, bench.about


def ask_if_unconfined(
    app: App[Any], bench: Bench | None, source: str, run: Callable[[], None]
) -> None:
    """Call ``run``; before the first function that cannot be confined, ask for consent."""
    confined = bench is None or bench.tier != "reduced" or bench.allow_functions
    if confined or not is_function(source):
        run()
        return

    def allow() -> None:
        if bench:
            bench.allow_functions = True
        run()

    on_yes(app, UNCONFINED, allow)


class ResultBox(ViScroll):
    """Below the editor: the bench's status before a check, its result after."""

    def __init__(self) -> None:
        self._text = Static()
        super().__init__(self._text, id="result")
        self.display = False

    def show(self, content: Content) -> None:
        self._text.update(content)
        self.display = bool(content.plain)
        self.scroll_home(animate=False)


class BenchPanel(Vertical):
    """The task, the editor with its marks, the result, and a state line."""

    BINDINGS = bindings("bench")
    DEFAULT_CSS = """
    BenchPanel {
        height: 1fr;

        #task { height: auto; max-height: 30%; padding: 0 1; }
        #task.-folded { max-height: 1; overflow-y: hidden; }
        #names { height: auto; max-height: 2; padding: 0 1; color: $text-primary; }
        #work { height: 1fr; min-height: 3; border-top: solid $border-blurred; }
        #work:focus-within { border-top: solid $border; }
        #margin { width: 14; height: 1fr; padding: 0 1; background: $surface; }
        #source { width: 1fr; height: 1fr; border: none; padding: 0; }
        #result { height: auto; max-height: 30%; padding: 0 1; background: $panel; }
        #bench-state {
            height: 1; padding: 0 1; background: $boost;
            text-wrap: nowrap; text-overflow: ellipsis;
        }
    }
    """

    checking: var[bool] = var(False, bindings=True)

    @dataclass
    class Sent(Message):
        """To be run, and then to be the answer if it is ``submitted``."""

        source: str
        submitted: bool

    class Stopped(Message):
        """The running check is to stop."""

    @dataclass
    class Typed(Message):
        text: str

    def __init__(self, challenge: Challenge, *, can_submit: bool) -> None:
        super().__init__(id="bench")
        self.challenge = challenge
        self.editor = BenchEditor()
        self._can_submit = can_submit
        self._margin = Margin(self.editor)
        self._task_text = Static(task(challenge))
        self._names = Static(names(challenge), id="names")
        self._result_box = ResultBox()
        self._state = StateLine(id="bench-state")
        self._ran = ""
        self._result: CheckResult | None = None
        self._safety = ""
        self._note = ""
        self._starting = False

    def compose(self) -> ComposeResult:
        with ViScroll(id="task"):
            yield self._task_text
        yield self._names
        with Horizontal(id="work"):
            yield self._margin
            yield self.editor
        yield self._result_box
        yield self._state

    def on_mount(self) -> None:
        self.query_one("#work").border_title = Content("Your lines, or one function")

    @property
    def text(self) -> str:
        """The source as typed."""
        return self.editor.text

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Shows Stop while a check runs, and Submit where there is an examiner."""
        if action == "stop":
            return self.checking
        return self._can_submit or action != "submit"

    # -- what the screen tells ------------------------------------------------------------

    def set_challenge(self, challenge: Challenge, text: str = "") -> None:
        """Take another challenge; results of the last one go."""
        self.challenge = challenge
        self._ran, self._result = "", None
        self._task_text.update(task(challenge))
        self._names.update(names(challenge))
        self._result_box.show(Content())
        self.editor.fill(text)
        self._show_summary()

    def show_hints(self, count: int) -> None:
        """Show the first ``count`` hints below the task, scrolled into view."""
        self._task_text.update(task(self.challenge, count))
        place = self.query_one("#task")
        place.remove_class("-folded")
        self.call_after_refresh(place.scroll_end, animate=False)

    def show_status(self, tier: str, about: str) -> None:
        """What the bench is, unless there is already a result."""
        self._starting = False
        if self._result is None:
            self._result_box.show(status_text(tier, about))
        self._show_idle()

    def show_starting(self) -> None:
        """The bench is starting; the candidate can write meanwhile."""
        if not self.checking:
            self._starting = True
            self._state.count("The bench is starting, about 5 s; keep writing…", end="")

    def begin_check(self) -> None:
        self.checking = True
        self._state.count("Checking…")

    def end_check(self, sentence: str = "") -> None:
        """The check is over; ``sentence`` says why there is no result."""
        self.checking = False
        self.say(sentence)

    def show_result(self, source: str, result: CheckResult) -> None:
        """The result for ``source``, which may have been edited since."""
        self._ran, self._result = source, result
        self._result_box.show(_NEW_LINE.join(result_lines(result)))
        self._compare()
        self.end_check()

    def saved(self, text: str) -> None:
        """This text is on disk."""
        if text == self.text:
            self._safety = "saved" if text else ""
            self._show_idle()

    def not_saved(self) -> None:
        self._safety = "NOT SAVED"
        self._show_idle()

    def say(self, sentence: str) -> None:
        """Show this in the state line until the next key."""
        self._note = sentence
        self._show_summary()

    # -- what the candidate does ----------------------------------------------------------

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._safety = "…" if self.text else ""
        self._note = ""
        self._compare()
        self._show_idle()
        self.post_message(self.Typed(self.text))

    def action_run(self) -> None:
        if self.checking:
            self._state.reword("A check is already running…")
        else:
            self._send(submitted=False)

    def action_submit(self) -> None:
        self._send(submitted=True)

    def _send(self, *, submitted: bool) -> None:
        if self.text.strip():
            self.post_message(self.Sent(self.text, submitted))
        else:
            self.say(f"There is nothing to {'submit' if submitted else 'run'} yet.")

    def action_stop(self) -> None:
        self.post_message(self.Stopped())

    def action_grammar(self) -> None:
        rules = Static(grammar(self.challenge.kind))
        self.app.push_screen(Reader("How to write lines", rules))

    def action_task(self) -> None:
        self.query_one("#task").toggle_class("-folded")

    # -- helpers --------------------------------------------------------------------------

    def _compare(self) -> None:
        if self._result is None:
            self._margin.show({})
            return
        ran, now = self._ran.split("\n"), self.text.split("\n")
        self._margin.show(current_marks(ran, self._result.lines, now))

    def _show_idle(self) -> None:
        if not (self.checking or self._starting):
            self._show_summary()

    def _show_summary(self) -> None:
        lines = pluralize(len(self.text.splitlines()), "line")
        parts = (self._safety, self._note or lines)
        self._state.say(" · ".join(filter(None, parts)))
