"""The question browser: search, filters, how each question stands; practise it, mark it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial, partialmethod
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, get_args

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from interviewer.paths import expanded
from interviewer.plural import pluralize
from interviewer.practice.browsing import Browser, State
from interviewer.report.imports import import_lines, preview_lines
from interviewer.rubric.importing import lacks_answer, write_question
from interviewer.rubric.library import Library
from interviewer.rubric.own import copy_rubric, delete_own, unused_id
from interviewer.rubric.rubric import Rubric
from tui import messages
from tui.actions import bindings
from tui.questions.editor import AnswerCard, RubricEditor
from tui.questions.files import (
    Preview,
    about_list,
    import_list,
    look_at_list,
)
from tui.questions.rows import (
    Broken,
    LazyRow,
    broken_row,
    described,
    filter_line,
    problems_of,
    question_row,
)
from tui.widgets.browser import BrowserPage, SearchBox
from tui.widgets.dialogs import InputDialog, Reader, on_yes
from tui.widgets.pages import ProblemLine, TitleBar, ViList
from tui.widgets.plain_text import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from interviewer.content.collection import Entry
    from interviewer.content.fields import Problem
    from interviewer.practice.progress import Standing
    from interviewer.rubric.importing import Imported, Outcome
    from interviewer.rubric.library import Summary
    from tui.bridge import Bridge
    from tui.questions.files import Look, PreviewAnswer

COPY_FIRST = (
    "This question comes with the program. Copy it into your own folder, and edit the copy?"
)
"""Asked before a shipped question is edited."""
READ_AFTER = 0.08
"""Seconds that the cursor rests on a question before its file is read."""


class QuestionsScreen(BrowserPage):
    """Questions to search and filter; the highlighted one beside them, or a key away."""

    CSS_PATH: ClassVar = ["../widgets/browser.tcss", "questions.tcss"]
    HELP = "Find a question, see how it went, practise it, or make it your own."
    BINDINGS = bindings("questions", "back")

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._library: Library | None = None
        self._broken: dict[str, Broken] = {}
        self._wanted: str | None = None
        """Where the cursor goes once the files are read again."""
        self._browser: Browser | None = None
        self._standings: Mapping[str, Standing] | None = None
        self._filters: frozenset[State] = frozenset()
        self._rubric: Rubric | None = None
        self._answers = False

    # -- what is on the screen -------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield TitleBar(Content("Questions"))
        yield from self.compose_browser(
            self._key("search"),
            "Search in title, question and tags",
            Static(id="filters"),
            ViList(id="entries"),
            Static(Content("Loading…"), id="nothing", classes="empty"),
        )

    def on_mount(self) -> None:
        filters = self.query_one("#filters", Static)
        filters.auto_links = False
        self._show_filters()

    def on_screen_resume(self) -> None:
        self.action_reload()

    def action_reload(self) -> None:
        engine = self.engine

        def read() -> tuple[Library, Browser]:
            library = engine.library()
            return library, Browser(library)

        self.load("collection", read, self._show_library)

    def _show_library(self, found: tuple[Library, Browser]) -> None:
        self._library, self._browser = found
        self._sort_problems(self._library.problems)
        self._show_found()
        self._read(self.entries.chosen)  # its file may have changed
        read = partial(self.engine.standings, self._bridge.now())
        self.load("standings", read, self._show_standings)

    def _show_standings(self, standings: Mapping[str, Standing]) -> None:
        self._standings = standings
        self._show_found()

    def _sort_problems(self, problems: tuple[Problem, ...]) -> None:
        """A file that cannot be used is a row of the list; a folder is told below it."""
        by_path: dict[str, list[Problem]] = {}
        for each in problems:
            by_path.setdefault(each.path, []).append(each)
        files = {path: found for path, found in by_path.items() if Path(path).is_file()}
        broken = [Broken(path, tuple(found)) for path, found in files.items()]
        self._broken = {each.id: each for each in broken}
        self.query_one(ProblemLine).show("\n".join(str(p) for p in problems if p.path not in files))

    def _key(self, action: str) -> str:
        return self.key_of(f"questions.{action}")

    # -- what is found ---------------------------------------------------------------------

    def on_input_changed(self, event: Input.Changed) -> None:
        self._show_found(first=True)

    def action_clear(self) -> None:
        self.query_one(SearchBox).value = ""
        self._set_filters(frozenset())

    def _flip(self, state: State) -> None:
        self._set_filters(self._filters ^ {state})

    action_mine = partialmethod(_flip, "mine")
    action_weak = partialmethod(_flip, "weak")
    action_never_asked = partialmethod(_flip, "never asked")
    action_due = partialmethod(_flip, "due")
    action_marked = partialmethod(_flip, "marked")

    def _set_filters(self, filters: frozenset[State]) -> None:
        self._filters = filters
        self._show_filters()
        self._show_found(first=True)

    def _show_filters(self) -> None:
        keys = {state: self._key(state.replace(" ", "_")) for state in get_args(State)}
        self.query_one("#filters", Static).update(filter_line(keys, self._filters))

    def _show_found(self, *, first: bool = False) -> None:
        """The questions found; the cursor stays on its own, or goes to the ``first``."""
        if self._browser is None:
            return
        rows = [Option(LazyRow(make), id=id_) for id_, make in self._rows(self._browser)]
        at = "" if first and self.words else None
        if self._wanted and any(row.id == self._wanted for row in rows):
            at, self._wanted = self._wanted, None
        self.entries.show(rows, at)
        self._show_count(len(rows))
        self.show_nothing("" if rows else self._nothing_found())

    def _rows(self, browser: Browser) -> Iterator[tuple[str, partial[Content]]]:
        assert self._library
        if not self.words and self._filters <= {"mine"}:
            for broken in self._broken.values():
                yield broken.id, partial(broken_row, broken)
        marked = frozenset(self.engine.marked)
        for hit in browser.find(self.words, self._filters, self._standings or {}, marked):
            entry = self._library.entries[hit.id]
            stands = (self._standings or {}).get(hit.id)
            known = self._standings is not None
            row = partial(question_row, entry, hit.letters, stands, hit.id in marked, known)
            yield hit.id, row

    def _show_count(self, found: int) -> None:
        total = (len(self._browser) if self._browser else 0) + len(self._broken)
        marked = len(self.engine.marked)
        parts = [pluralize(total, "question") if found == total else f"{found} of {total}"]
        if marked:
            parts.append(f"{marked} marked, {self._key('start')} starts")
        self.query_one(TitleBar).show(Content("Questions"), Content(" · ".join(parts)))
        self.refresh_bindings()

    def _nothing_found(self) -> str:
        if not self.words and self._filters == {"mine"}:
            new, lists = self._key("new"), self._key("import")
            return (
                f"You have no questions of your own yet. {new} writes one, {lists} imports a list."
            )
        if self.words or self._filters:
            return f"Nothing found. {self._key('clear')} shows all questions again."
        return "No questions found."

    # -- the question under the cursor -----------------------------------------------------

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        known = self._rubric and self._rubric.id == event.option.id
        if not known:
            self._rubric, self._answers = None, False
            self.query_one("#detail").scroll_home(animate=False)
            self.set_timer(READ_AFTER, partial(self._read, event.option.id))
        self._show_detail()
        self.refresh_bindings()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.add_class("-reading")
        self.query_one("#detail").focus()

    @property
    def _entry(self) -> Entry[Summary, Rubric] | None:
        return self._library.entries.get(self.entries.chosen) if self._library else None

    @property
    def _unusable(self) -> Broken | None:
        return self._broken.get(self.entries.chosen)

    @property
    def _own_path(self) -> Path | None:
        if broken := self._unusable:
            return Path(broken.path)
        entry = self._entry
        return entry.path if entry and entry.origin == "yours" else None

    def _show_question(self, rubric: Rubric) -> None:
        if rubric.id == self.entries.chosen:
            self._rubric = rubric
            self._show_detail()
            self.refresh_bindings()

    def action_answers(self) -> None:
        self._answers = not self._answers
        self.add_class("-reading")
        self._show_detail()

    def _read(self, id_: str | None) -> None:
        """Read the file of the question, if the cursor is still on it."""
        entry = self._entry
        if entry is not None and entry.summary.id == id_:
            self.load("question", lambda: entry.model, self._show_question)

    def _why_hidden(self) -> str:
        if self._lacks_answer:
            key = self._key("answer")
            return f"It has no answer yet to grade yours against: {key} writes one."
        return f"The answers are hidden: {self._key('answers')} shows them."

    @property
    def _lacks_answer(self) -> bool:
        rubric = self._rubric
        return rubric is not None and self._own_path is not None and lacks_answer(rubric)

    def _show_detail(self) -> None:
        if broken := self._unusable:
            self.show_entry(problems_of(broken, f"{self._key('edit')} edits it."))
        elif entry := self._entry:
            hidden = "" if self._answers else self._why_hidden()
            stands = (self._standings or {}).get(entry.summary.id)
            self.show_entry(described(entry, self._rubric, stands, hidden))

    # -- asking it -------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "practise" | "mark" | "duplicate":
                return self._entry is not None
            case "attempts":
                standing = (self._standings or {}).get(self.entries.chosen)
                return standing is not None and len(standing.tries) > 1
            case "answers":
                return self._entry is not None and not self._lacks_answer
            case "answer":
                return self._lacks_answer
            case "edit":
                return bool(self._entry or self._unusable)
            case "delete":
                return self._own_path is not None
            case "start" | "unmark" | "plan":
                return bool(self.engine.marked)
            case _:
                return True

    def action_practise(self) -> None:
        if entry := self._entry:
            engine, id_ = self.engine, entry.summary.id
            self.begin(lambda: engine.practise(id_))

    def action_attempts(self) -> None:
        if entry := self._entry:
            read = partial(self.engine.attempts, entry.summary.id)
            self.go("side_by_side", f"Attempts · {entry.summary.title}", read)

    def action_plan(self) -> None:
        """Make a plan of the marked questions."""
        self.load("plan", self.engine.plan_of_marked, partial(self.go, "plan_editor"))

    def action_start(self) -> None:
        plan = self.engine.plan_of_marked
        self.begin(lambda: messages.Choice(plan()))

    def action_mark(self) -> None:
        if entry := self._entry:
            marked = self.engine.marked
            if entry.summary.id in marked:
                marked.remove(entry.summary.id)
            else:
                marked.append(entry.summary.id)
            self._show_found()

    def action_unmark(self) -> None:
        self.engine.marked.clear()
        self._show_found()

    # -- a new question, and its answer ----------------------------------------------------

    def action_new(self) -> None:
        asks = "Ask it as an interviewer would, in a sentence or two. Its answer comes next:"
        engine = self.engine

        def begin(text: str | None) -> None:
            if text:
                self.load("new", partial(write, text), self._ask_for_answer)

        def write(text: str) -> Imported:
            return write_question(text, engine.library().summaries(), engine.own_folder())

        self.app.push_screen(InputDialog("New question", asks), begin)

    def _ask_for_answer(self, made: Imported) -> None:
        self._wanted = made.id
        self.action_reload()
        self.app.push_screen(AnswerCard(self._bridge, made.id, made.question), self._answered)

    def action_answer(self) -> None:
        if entry := self._entry:
            card = AnswerCard(self._bridge, entry.summary.id, entry.summary.question)
            self.app.push_screen(card, self._answered)

    def _answered(self, is_written: bool | None) -> None:
        if is_written:
            self.action_reload()
            self.notify("Saved. From now on answers are graded against it.")

    # -- copying, editing, deleting ----------------------------------------------------------

    def action_duplicate(self) -> None:
        """Copy it under a new id, and edit the copy."""
        entry, library = self._entry, self._library
        if entry is None or library is None:
            return
        self._wanted = new_id = unused_id(library, entry.summary.id)
        folder = self.engine.own_folder()
        copy = partial(copy_rubric, library, entry.summary.id, new_id, folder)
        self.load("copy", copy, self._edit)

    def action_edit(self) -> None:
        if path := self._own_path:
            self._edit(path)
        elif self._entry:
            on_yes(self.app, COPY_FIRST, self.action_duplicate)

    def _edit(self, path: Path) -> None:
        self.app.push_screen(RubricEditor(self._bridge, path))

    def action_delete(self) -> None:
        if path := self._own_path:
            shipped = self._entry and self._entry.replaces
            back = " The shipped question takes its place again." if shipped else ""
            question = f"Delete {path}? Past sessions keep their copy.{back}"
            on_yes(self.app, question, partial(self._delete, path))

    def _delete(self, path: Path) -> None:
        self.load("delete", lambda: delete_own(path), lambda _: self.action_reload())

    # -- a list of questions -------------------------------------------------------------------

    def action_import(self) -> None:
        asks = (
            "A table (.csv, .tsv) or JSON with question and answer, Markdown (.md) with the "
            "questions as headings, or Anki's text export (.txt):"
        )
        self.app.push_screen(InputDialog("Import questions", asks, about_list), self._read_list)

    def _read_list(self, typed: str | None) -> None:
        if typed:
            source = expanded(Path(typed))
            read = partial(look_at_list, self.engine, source)
            self.load("import", read, partial(self._preview, source))

    def _preview(self, source: Path, found: Look) -> None:
        written = found.outcome.written
        if not written and not found.has_model:
            self._tell_import(found.outcome)
            return
        title = f"Import {pluralize(len(written), 'question')}?" if written else "No question found"
        lines = [*filter(None, [found.problem]), *preview_lines(found.outcome)]
        self.app.push_screen(
            Preview(title, lines, writes=bool(written), has_model=found.has_model),
            partial(self._import, source, found),
        )

    def _import(self, source: Path, found: Look, answer: PreviewAnswer | None) -> None:
        if answer == "by_model":
            self.notify("The model reads the list; that may take a minute.")
            read = partial(look_at_list, self.engine, source, by_model=True)
            self.load("import", read, partial(self._preview, source))
        elif answer == "write":
            work = partial(import_list, self.engine, source, found.listed, write=True)
            self.load("import", work, self._imported)

    def _imported(self, outcome: Outcome) -> None:
        if outcome.written:
            self._wanted = outcome.written[0].id
        self.action_reload()
        self._tell_import(outcome)

    def _tell_import(self, outcome: Outcome) -> None:
        title = f"{pluralize(len(outcome.written), 'question').capitalize()} imported"
        folder = self.engine.own_folder()
        lines = Static(plain("\n".join(import_lines(outcome, folder))))
        self.app.push_screen(Reader(title, lines))
