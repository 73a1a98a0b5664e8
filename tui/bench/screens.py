"""The bench for practice: pick a challenge, work on it with hints, read the solution."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from interviewer.errors import InterviewerError, StoreError
from interviewer.report.words import unwrapped
from tui.actions import bindings, in_table_order
from tui.bench.panel import BenchPanel, ask_if_unconfined, prepared
from tui.bench.task import task
from tui.bridge import Bridge, DraftNotSaved, DraftSaved, LoadFailed, defect
from tui.widgets.browser import BrowserPage
from tui.widgets.dialogs import on_yes
from tui.widgets.pages import Page, ProblemLine, TitleBar, ViList, ViScroll, origin
from tui.widgets.plain_text import ago, one_line, plain, spoken

if TYPE_CHECKING:
    from textual.binding import ActiveBinding
    from textual.worker import Worker

    from interviewer.content.collection import Entry
    from interviewer.interview.bench_session import Bench
    from interviewer.sandbox.challenge import Catalogue, Challenge
    from interviewer.sandbox.result import CheckResult, Practice
    from interviewer.store.records import Pane


class BenchScreen(BrowserPage):
    """The challenges to search, the highlighted one beside them; Enter opens it."""

    CSS_PATH: ClassVar = ["../widgets/browser.tcss", "bench.tcss"]
    HEADING = "Bench · derivations"
    HELP = "Derivations and functions to practise. Enter opens the one under the cursor."
    BINDINGS = bindings("challenges", "back")

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._entries: Mapping[str, Entry[Challenge, Challenge]] = {}
        self._tries: Mapping[str, Practice] = {}
        self._problems = self._told = self._torch = ""
        """Of ``_torch``: what installing it takes, where there is none."""

    def compose(self) -> ComposeResult:
        yield TitleBar(Content(self.HEADING))
        key, listed = self.key_of("challenges.search"), ViList(id="entries")
        yield from self.compose_browser(key, "Search in title and topic", listed)

    def on_mount(self) -> None:
        self.show_entry(Content("Loading…"))
        self.load("collection", self.engine.challenges, self._show)
        self.load("torch", self.engine.lacks_torch, self._tell_of_torch)

    def _tell_of_torch(self, size: str) -> None:
        self._torch = size
        self.refresh_bindings()
        key = self.key_of("challenges.install")
        needs = f"Nothing can be checked yet: that needs torch. {key} installs it ({size})."
        self._tell(needs if size else "")

    def _tell(self, sentence: str) -> None:
        """Say this below what is wrong with the files."""
        self._told = sentence
        self.query_one(ProblemLine).show("\n".join(filter(None, [self._problems, sentence])))

    def action_install(self) -> None:
        on_yes(self.app, f"Install torch for the bench? That is {self._torch}.", self._install)

    def _install(self) -> None:
        self._torch = ""
        self.refresh_bindings()

        def report(line: str) -> None:
            self.app.call_from_thread(self._tell, f"Installing torch… {line}")

        def done(version: str) -> None:
            self._tell("")
            self.notify(f"The bench now has torch {version}.")

        install = partial(self.engine.install_torch, report)
        self.load("torch", install, done)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "install" or bool(self._torch)

    def on_screen_resume(self) -> None:
        if self._entries:
            self._mark()

    async def on_unmount(self) -> None:
        await self.engine.close_bench()

    # -- what is found ---------------------------------------------------------------------

    def _show(self, catalogue: Catalogue) -> None:
        entries = catalogue.entries
        models = sorted(
            (entry.model for entry in entries.values()),
            key=lambda each: (each.topic or OTHERS, each.title.casefold()),
        )
        self._entries = {each.id: entries[each.id] for each in models}
        self._problems = "\n".join(map(str, catalogue.problems))
        self._tell(self._told)
        self._read_tries()
        self._show_found()

    def on_load_failed(self, message: LoadFailed) -> None:
        message.stop()
        self._tell(message.sentence)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._show_found()

    def _show_found(self) -> None:
        self.entries.show(self._options())
        if not self.entries.chosen:
            nothing = "Nothing found. Escape shows all challenges again."
            self.show_entry(plain(nothing if self._entries else "No challenges found."))
        self._show_count()

    def _options(self) -> Iterator[Option]:
        last, words = "", self.words
        for id_, entry in self._entries.items():
            if not found_by(words, entry.model):
                continue
            topic = entry.model.topic or OTHERS
            if topic != last:
                yield Option(one_line(topic, "bold $text-accent"), disabled=True)
            last = topic
            yield Option(self._row(entry), id=id_)

    def _row(self, entry: Entry[Challenge, Challenge]) -> Content:
        challenge = entry.model
        done = standing(self._tries.get(challenge.id), datetime.now(UTC))
        own = "" if entry.origin == "shipped" else f" · {origin(entry)}"
        facts = f"\n{done} · {challenge.kind}{own}"
        return Content.assemble(one_line(challenge.title), plain(facts, "dim"))

    def _show_count(self) -> None:
        listed = [option.id for option in self.entries.options if option.id]
        solved = [id_ for id_ in self._entries if self._is_solved(id_)]
        told = f"{len(solved)} of {len(self._entries)} solved"
        if len(listed) < len(self._entries):
            told = f"{len(listed)} found · {told}"
        self.query_one(TitleBar).show(Content(self.HEADING), Content(told))

    # -- what has been solved --------------------------------------------------------------

    def action_unsolved(self) -> None:
        """Go to the next challenge that has not been solved, from the top again after the last."""
        listed = self.entries
        count, here = listed.option_count, listed.highlighted or 0
        for place in ((here + step) % count for step in range(1, count)):
            id_ = listed.get_option_at_index(place).id
            if id_ and not self._is_solved(id_):
                listed.highlighted = place
                return
        self.notify("Every other challenge in this list is solved.")

    def _is_solved(self, id_: str) -> bool:
        practice = self._tries.get(id_)
        return bool(practice and practice.solved)

    def _mark(self) -> None:
        self._read_tries()
        listed = self.entries
        for option in listed.options:
            if option.id:
                listed.replace_option_prompt(option.id, self._row(self._entries[option.id]))
        self._show_count()

    def _read_tries(self) -> None:
        try:
            self._tries = self.engine.bench_tries().read()
        except StoreError as error:
            self.notify(str(error), severity="error")

    # -- the one under the cursor ----------------------------------------------------------

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        challenge = self._entries[str(event.option.id)].model
        self.show_entry(task(challenge))
        self.query_one("#detail").scroll_home(animate=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        challenge = self._entries[str(event.option.id)].model
        self.app.push_screen(PracticeScreen(self._bridge, challenge))


OTHERS = "Other topics"


def found_by(words: str, challenge: Challenge) -> bool:
    """Whether each of the words is somewhere in title, id or topic."""
    text = f"{challenge.title} {challenge.id} {challenge.topic or OTHERS}".casefold()
    return all(word in text for word in words.casefold().split())


def standing(practice: Practice | None, now: datetime) -> str:
    """Whether a challenge has been solved or tried, and when, by sign and word."""
    if practice is None:
        return "○ not yet"
    if practice.solved:
        return f"✓ solved {ago(practice.solved, now)}"
    return f"~ tried {ago(practice.tried, now)}"


class PracticeScreen(Page):
    """The bench with hints and the solution on request; nothing is graded."""

    AUTO_FOCUS = "#source"
    HELP = "Write lines or one function, then run them. Nothing here is graded."
    CSS_PATH = "bench.tcss"
    BINDINGS = bindings("practice", "back")

    def __init__(self, bridge: Bridge, challenge: Challenge) -> None:
        super().__init__(bridge)
        self._challenge = challenge
        self._panel = BenchPanel(challenge, can_submit=False)
        self._drafts = bridge.engine.drafts("bench")
        self._saver = bridge.drafts(self, "practice", self._write_draft)
        self._bench: Bench | None = None
        self._check: Worker[None] | None = None
        self._hints = 0
        self._tries = 0

    def compose(self) -> ComposeResult:
        yield TitleBar(
            Content("Bench · ") + one_line(self._challenge.title), Content(self._challenge.kind)
        )
        with Container(id="middle"):
            yield self._panel
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self._panel.show_starting()
        self._bridge.run(self, "practice", self._open)

    def on_unmount(self) -> None:
        self._bridge.save_now()

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """In the order of the table, whatever widget has the focus."""
        return in_table_order(super().active_bindings)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Dims Hint when none are left."""
        return action != "hint" or self._hints < len(self._challenge.hints) or None

    # -- the draft and the bench -----------------------------------------------------------

    async def _open(self) -> None:
        try:
            self._restore(await asyncio.to_thread(self._drafts.read, self._challenge.id))
        except StoreError as error:
            self._panel.end_check(str(error))
        try:
            self._bench = await asyncio.to_thread(self.engine.bench)
        except InterviewerError as error:
            self._panel.show_status("off", str(error))
        else:
            self._panel.show_status(*await prepared(self._bench, self._challenge))

    def _restore(self, draft: str) -> None:
        if draft:  # then what was typed in the meantime
            self._panel.editor.fill("\n".join(filter(None, (draft, self._panel.text))))

    def _write_draft(self, text: str, _pane: Pane) -> None:
        self._drafts.save(self._challenge.id, text)

    def on_draft_saved(self, message: DraftSaved) -> None:
        self._panel.saved(message.text)

    def on_draft_not_saved(self, message: DraftNotSaved) -> None:
        self._panel.not_saved()
        self.app.notify(message.sentence, severity="error")

    # -- what the candidate does -----------------------------------------------------------

    def on_bench_panel_typed(self, message: BenchPanel.Typed) -> None:
        self._saver.typed(message.text, "bench")

    def on_bench_panel_sent(self, message: BenchPanel.Sent) -> None:
        def run() -> None:
            self._panel.begin_check()
            check = partial(self._run_check, message.source)
            self._check = self._bridge.run(self, "check", check)

        ask_if_unconfined(self.app, self._bench, message.source, run)

    def on_bench_panel_stopped(self) -> None:
        if self._check:
            self._check.cancel()

    async def _run_check(self, source: str) -> None:
        try:
            bench = await asyncio.to_thread(self.engine.bench)
            result = await bench.check(self._challenge, source)
        except asyncio.CancelledError:
            self.call_later(self._panel.end_check, "Stopped. Nothing was checked.")
            raise
        except InterviewerError as error:
            self._panel.end_check(str(error))
        except Exception as error:  # noqa: BLE001  becomes a message, see defect
            self._panel.end_check(defect(error))
        else:
            trouble = await self._note(result)
            self._tries += 1
            self._panel.show_result(source, result)
            self._panel.show_status(bench.tier, bench.about)
            if trouble:
                self._panel.end_check(trouble)

    async def _note(self, result: CheckResult) -> str:
        tries = self.engine.bench_tries()
        try:
            await asyncio.to_thread(tries.note, result, datetime.now(UTC))
        except StoreError as error:
            return str(error)
        return ""

    def action_hint(self) -> None:
        self._hints += 1
        self._panel.show_hints(self._hints)
        shown = f"Hint {self._hints} of {len(self._challenge.hints)}"
        self._panel.say(f"{shown} is shown below the task.")
        self.refresh_bindings()

    def action_solution(self) -> None:
        if self._tries:
            self._show_solution()
        else:
            question = "You have not run anything yet. Show the solution anyway?"
            on_yes(self.app, question, self._show_solution)

    def _show_solution(self) -> None:
        self.app.push_screen(SolutionScreen(self._bridge, self._challenge))


class SolutionScreen(Page):
    """The derivation line by line, then the explanation."""

    HELP = "The derivation line by line, and why it holds."
    CSS_PATH = "bench.tcss"
    BINDINGS = bindings("back")

    def __init__(self, bridge: Bridge, challenge: Challenge) -> None:
        super().__init__(bridge)
        self._challenge = challenge

    def compose(self) -> ComposeResult:
        challenge = self._challenge
        yield TitleBar(Content("Solution · ") + one_line(challenge.title))
        with ViScroll():
            if challenge.derivation:
                yield Static(plain(challenge.derivation.strip(), "bold"))
            yield Static(spoken(unwrapped(challenge.solution)))
            for open_point in challenge.cannot_see:
                yield Static(plain(f"– {open_point.strip()}", "dim"))
        yield Footer()
