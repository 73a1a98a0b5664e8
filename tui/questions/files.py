"""What is done to the files of questions: edit, duplicate, import, delete."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import partial, partialmethod
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.widgets import Footer, Static

from interviewer.paths import expanded
from interviewer.plural import pluralize
from interviewer.rubric.importing import import_questions, read_list, write_question
from interviewer.rubric.own import copy_rubric, delete_own, unused_id
from tui.actions import bindings
from tui.questions.editor import AnswerCard, RubricEditor
from tui.widgets.browser import BrowserPage
from tui.widgets.dialogs import Dialogue, Prompt, card, on_yes
from tui.widgets.pages import ViScroll
from tui.widgets.plain_text import plain

if TYPE_CHECKING:
    from interviewer.content.collection import Entry
    from interviewer.rubric.importing import Imported, Outcome
    from interviewer.rubric.library import Library, Summary
    from interviewer.rubric.rubric import Rubric
    from tui.bridge import Bridge
    from tui.engine import Engine
    from tui.questions.rows import Broken

COPY_FIRST = (
    "This question comes with the program. Copy it into your own folder, and edit the copy?"
)
"""Asked before a shipped question is edited."""


class FilesPage(BrowserPage):
    """A page of questions whose files can be changed; the row under the cursor says which."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._library: Library | None = None
        self._broken: dict[str, Broken] = {}
        self._wanted: str | None = None
        """Where the cursor goes once the files are read again."""

    @property
    def _entry(self) -> Entry[Summary, Rubric] | None:
        return self._library.entries.get(self.entries.chosen) if self._library else None

    @property
    def _unusable(self) -> Broken | None:
        return self._broken.get(self.entries.chosen)

    @abstractmethod
    def action_reload(self) -> None:
        """Read the files again."""

    @property
    def _own_path(self) -> Path | None:
        if broken := self._unusable:
            return Path(broken.path)
        entry = self._entry
        return entry.path if entry and entry.origin == "yours" else None

    # -- a new question, and its answer ----------------------------------------------------

    def action_new(self) -> None:
        asks = "Ask it as an interviewer would, in a sentence or two. Its answer comes next:"
        engine = self._bridge.engine

        def begin(text: str | None) -> None:
            if text:
                self._bridge.load(self, "new", partial(write, text), self._ask_for_answer)

        def write(text: str) -> Imported:
            return write_question(text, engine.library().summaries(), engine.own_folder())

        self.app.push_screen(Prompt("New question", asks), begin)

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
        folder = self._bridge.engine.own_folder()
        copy = partial(copy_rubric, library, entry.summary.id, new_id, folder)
        self._bridge.load(self, "copy", copy, self._edit)

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
        self._bridge.load(self, "delete", lambda: delete_own(path), lambda _: self.action_reload())

    # -- a list of questions -------------------------------------------------------------------

    def action_import(self) -> None:
        asks = (
            "A table (.csv, .tsv) or JSON with question and answer, Markdown (.md) with the "
            "questions as headings, or Anki's text export (.txt):"
        )
        self.app.push_screen(Prompt("Import questions", asks, _about_list), self._read_list)

    def _read_list(self, typed: str | None) -> None:
        if typed:
            read = partial(import_list, self._bridge.engine, expanded(Path(typed)), write=False)
            self._bridge.load(self, "import", read, partial(self._preview, expanded(Path(typed))))

    def _preview(self, source: Path, found: Outcome) -> None:
        if not found.written:
            self._tell_import(found)
            return
        title = f"Import {pluralize(len(found.written), 'question')}?"
        self.app.push_screen(
            Preview(title, list(preview_lines(found))),
            lambda yes: self._import(source) if yes else None,
        )

    def _import(self, source: Path) -> None:
        work = partial(import_list, self._bridge.engine, source, write=True)
        self._bridge.load(self, "import", work, self._imported)

    def _imported(self, outcome: Outcome) -> None:
        if outcome.written:
            self._wanted = outcome.written[0].id
        self.action_reload()
        self._tell_import(outcome)

    def _tell_import(self, outcome: Outcome) -> None:
        title = f"{pluralize(len(outcome.written), 'question').capitalize()} imported"
        folder = self._bridge.engine.own_folder()
        self.app.push_screen(Report(title, list(import_lines(outcome, folder))))


def import_list(engine: Engine, path: Path, *, write: bool) -> Outcome:
    """Make questions of a list, in the own folder; without ``write`` only say which.

    Raises InterviewerError.
    """
    items = read_list(path)
    there, folder = engine.library().models(), engine.own_folder()
    return import_questions(items, there, folder, path.name, write=write)


def _about_list(path: str) -> str:
    return "" if not path or expanded(path).is_file() else "There is no such file yet."


class _Lines(Dialogue[bool]):
    """A title and lines to scroll through."""

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        lines = ViScroll(Static(plain("\n".join(self._lines))), id="lines")
        yield card(self._title, lines, Footer(compact=True, show_command_palette=False))


class Preview(_Lines):
    """What would be done, line by line; the result is whether to do it."""

    HELP = "What an import would write. Yes writes it, No changes nothing."
    BINDINGS = bindings("confirm")

    action_yes = partialmethod(Dialogue.answer, True)
    action_no = partialmethod(Dialogue.answer, False)


class Report(_Lines):
    HELP = "What was found in the file, line by line."
    BINDINGS = bindings("report", "back")


def preview_lines(outcome: Outcome) -> Iterator[str]:
    """What an import would write, and what it would leave out."""
    for each in outcome.written:
        points = pluralize(each.points, "point") if each.points else "no answer"
        yield f"line {each.line}: {each.question} ({points})"
    yield from _left_out(outcome)


def import_lines(outcome: Outcome, folder: Path) -> Iterator[str]:
    """What an import wrote, and what it left out."""
    if outcome.written:
        yield f"They are in {folder}, and can be asked at once. Editing one shows what it lacks."
    else:
        yield "Nothing was written."
    yield from _left_out(outcome)


def _left_out(outcome: Outcome) -> Iterator[str]:
    if outcome.encoding:
        yield f"Read as {outcome.encoding}, since it is not UTF-8: check a few of its letters."
    if outcome.duplicates:
        yield ""
        yield f"Already there: {pluralize(len(outcome.duplicates), 'question')}"
        yield from (f"  line {each.line}: {each.question}" for each in outcome.duplicates)
    if outcome.skipped:
        yield ""
        yield f"Skipped: {pluralize(len(outcome.skipped), 'line')}"
        yield from (f"  line {each.line} {each.why}." for each in outcome.skipped)
