"""The bench itself, in the interview or alone. Its host runs the checks and keeps drafts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import var
from textual.widgets import Static, TextArea

from interviewer.report.bench_runs import SIGN
from tui.actions import bindings
from tui.bench.editor import BenchEditor, Margin, standing
from tui.bench.task import names, task
from tui.interview.state_line import StateLine
from tui.widgets.plain_text import one_line, plain
from tui.widgets.vi import ViScroll

if TYPE_CHECKING:
    from textual.timer import Timer

    from interviewer.sandbox.challenges.challenge import Challenge
    from interviewer.sandbox.result import CheckResult


AFTER = 0.3
"""Seconds without a key before the text is read."""
LONGEST = 4_000
"""Characters; to read more would take longer than a key may, and a check reads them anyway."""


def unreadable(challenge: Challenge, source: str, row: int) -> str:
    """The first problem of the lines, the one at ``row`` (from 1) last; empty for a function."""
    from interviewer.sandbox.checking.python_source import is_function
    from interviewer.sandbox.language import read

    if not source.strip() or len(source) > LONGEST or is_function(source):
        return ""
    problems = read(source, given=challenge.given, banned=challenge.banned).problems
    ordered = sorted(problems, key=lambda problem: (problem.line == row, problem.line))
    return f"line {ordered[0].line}: {ordered[0].message}" if ordered else ""


INSTALL = "interviewer sandbox install"
_NEW_LINE = Content("\n")


class Findings(ViScroll):
    """Under the editor: before a check what the bench is, after it what was found."""

    def __init__(self) -> None:
        super().__init__(id="findings")
        self.display = False
        self._words = Static()

    def compose(self) -> Iterator[Static]:
        yield self._words

    def show(self, content: Content) -> None:
        self._words.update(content)
        self.display = bool(content.plain)
        self.scroll_home(animate=False)


def about_bench(tier: str, about: str) -> Content:
    """What checks mean here; without a worker how to get one, and that writing goes on."""
    if tier != "off":
        return one_line(about, "dim")
    how = "" if INSTALL in about else f" “{INSTALL}” in a shell brings it."
    return one_line(f"{about}{how} Until then what you write can be handed in as words.")


def found(result: CheckResult, *, changed: bool = False) -> Content:
    """The result; ``changed`` says that the text is another one by now."""
    return _NEW_LINE.join(_parts(result, changed))


def first_bad(result: CheckResult) -> str:
    """The message of the first line that fails, with its number; empty where none does."""
    for line in result.lines:
        if line.line == result.first_bad_line:
            sign, _, word = SIGN[line.status].partition(" ")
            return f"{sign} Line {line.line}: {line.message or word}"
    return ""


def _timed(result: CheckResult) -> str:
    """Tier and time, as in "strict · 12 ms"."""
    spent = result.milliseconds
    time = f"{spent:.0f} ms" if spent < 1000 else f"{spent / 1000:.1f} s"
    return f"{result.tier} · {time}"


def _parts(result: CheckResult, changed: bool) -> Iterator[Content]:
    if bad := first_bad(result):
        yield one_line(bad, "dim" if changed else "bold $text-error")
    before = "Before your change: " if changed else ""
    style = "dim" if changed else "$text-success" if result.passed else ""
    yield one_line(f"{before}{result.summary}", style) + Content.styled(
        f"  {_timed(result)}", "dim"
    )
    for point in result.open_points:
        yield one_line(f"– {point}", "dim")
    if result.output:
        yield Content.styled("Your function printed:", "dim")
        yield plain(result.output)


class BenchPanel(Vertical):
    """The task, the editor with its marks, what was found, and a line that says what is so."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("bench")]
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
        #findings { height: auto; max-height: 30%; padding: 0 1; background: $panel; }
        #bench-state {
            height: 1; padding: 0 1; background: $boost;
            text-wrap: nowrap; text-overflow: ellipsis;
        }
    }
    """

    checking: var[bool] = var(False, bindings=True)

    @dataclass
    class RunAsked(Message):
        source: str

    @dataclass
    class HandInAsked(Message):
        source: str

    class StopAsked(Message):
        """The check that is running is no longer wanted."""

    @dataclass
    class Typed(Message):
        text: str

    def __init__(self, challenge: Challenge, *, alone: bool) -> None:
        super().__init__(id="bench")
        self.challenge = challenge
        self.editor = BenchEditor()
        self._alone = alone
        self._margin = Margin(self.editor)
        self._posed = Static(task(challenge))
        self._names = Static(names(challenge), id="names")
        self._findings = Findings()
        self._state = StateLine(id="bench-state")
        self._ran = ""
        self._result: CheckResult | None = None
        self._safety = ""
        self._problem = ""
        self._remark = ""
        self._changed = False
        self._warming = False
        self._reading: Timer | None = None

    def compose(self) -> ComposeResult:
        with ViScroll(id="task"):
            yield self._posed
        yield self._names
        with Horizontal(id="work"):
            yield self._margin
            yield self.editor
        yield self._findings
        yield self._state

    def on_mount(self) -> None:
        self.query_one("#work").border_title = Content("Your lines, or one function")

    @property
    def text(self) -> str:
        """As typed."""
        return self.editor.text

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Stop is there while something can be stopped, handing in where somebody takes it."""
        if action == "stop":
            return self.checking
        return not (action == "hand_in" and self._alone)

    # -- what the host tells --------------------------------------------------------------

    def pose(self, challenge: Challenge, text: str = "") -> None:
        """Another challenge; what was found of the one before goes."""
        self.challenge = challenge
        self._ran, self._result = "", None
        self._posed.update(task(challenge))
        self._names.update(names(challenge))
        self._findings.show(Content())
        self.editor.fill(text)
        self.rest()

    def show_hints(self, count: int) -> None:
        """So many hints below the task, in sight."""
        self._posed.update(task(self.challenge, count))
        place = self.query_one("#task")
        place.remove_class("-folded")
        self.call_after_refresh(place.scroll_end, animate=False)

    def announce(self, tier: str, about: str) -> None:
        """What the bench is, unless a result says it already."""
        self._warming = False
        if self._result is None:
            self._findings.show(about_bench(tier, about))
        self._show_rest()

    def warm_up(self) -> None:
        """The bench is not there yet; writing goes on meanwhile."""
        if not self.checking:
            self._warming = True
            self._state.count("The bench is warming up, about 5 s; write on…", end="")

    def begin_check(self) -> None:
        self.checking = True
        self._state.count("Checking…")

    def end_check(self, sentence: str = "") -> None:
        """It is over, with a sentence where it brought nothing."""
        self.checking = False
        self.say(sentence)

    def show_result(self, source: str, result: CheckResult) -> None:
        """What came of checking ``source``, which need not be what stands there by now."""
        self._ran, self._result, self._changed = source, result, False
        self._findings.show(found(result))
        self._compare()
        self.end_check()

    def saved(self, text: str) -> None:
        """It is on disk."""
        if text == self.text:
            self._safety = "saved" if text else ""
            self._show_rest()

    def not_saved(self) -> None:
        self._safety = "NOT SAVED"
        self._show_rest()

    def say(self, sentence: str) -> None:
        """In the state line, until the next key."""
        self._remark = sentence
        self.rest()

    def rest(self) -> None:
        """Nothing is under way: how much there is, whether it is safe, what cannot be read."""
        count = len(self.text.splitlines())
        lines = "1 line" if count == 1 else f"{count} lines"
        parts = (self._safety, self._remark or self._problem or lines)
        self._state.say(" · ".join(filter(None, parts)))

    # -- what the person does -------------------------------------------------------------

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._safety = "…" if self.text else ""
        self._problem = self._remark = ""
        self._compare()
        self._show_rest()
        self._read_soon()
        self.post_message(self.Typed(self.text))

    def action_run(self) -> None:
        if self.checking:
            self._state.reword("A check is running already…")
        elif self.text.strip():
            self.post_message(self.RunAsked(self.text))
        else:
            self.say("There is nothing to run yet.")

    def action_hand_in(self) -> None:
        if self.text.strip():
            self.post_message(self.HandInAsked(self.text))
        else:
            self.say("There is nothing to hand in yet.")

    def action_stop(self) -> None:
        self.post_message(self.StopAsked())

    def action_task(self) -> None:
        self.query_one("#task").toggle_class("-folded")

    # -- shorthands -----------------------------------------------------------------------

    def _compare(self) -> None:
        """Hold the text against the one that was checked."""
        if self._result is None:
            self._margin.show({})
            return
        ran, now = self._ran.split("\n"), self.text.split("\n")
        self._margin.show(standing(ran, self._result.lines, now))
        if self._changed != (ran != now):
            self._changed = ran != now
            self._findings.show(found(self._result, changed=self._changed))

    def _show_rest(self) -> None:
        if not (self.checking or self._warming):
            self.rest()

    def _read_soon(self) -> None:
        if self._reading:
            self._reading.stop()
        self._reading = self.set_timer(AFTER, self._read)

    def _read(self) -> None:
        row = self.editor.cursor_location[0] + 1
        self._problem = unreadable(self.challenge, self.text, row)
        self._show_rest()
