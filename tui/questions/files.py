"""What is done to the files of questions: edit, duplicate, import, delete."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import partial, partialmethod
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import ComposeResult, SuspendNotSupported
from textual.suggester import Suggester
from textual.widgets import Footer, Static

from interviewer.paths import expanded
from interviewer.plural import pluralize
from interviewer.rubric.own import about_id, delete_own, unused_id
from tui import external_editor
from tui.actions import bindings
from tui.questions.editor import AnswerCard, Answered, RubricEditor
from tui.questions.rows import in_file
from tui.widgets.browser import BrowserPage
from tui.widgets.dialogs import Dialogue, Prompt, card, on_yes
from tui.widgets.pages import ViScroll
from tui.widgets.plain_text import plain

if TYPE_CHECKING:
    from interviewer.content.collection import Entry
    from interviewer.content.problems import Problem
    from interviewer.rubric.importing import Imported, Outcome
    from interviewer.rubric.library import Library, Summary
    from interviewer.rubric.rubric import Rubric
    from tui.bridge import Bridge
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
        """The question under the cursor."""
        return self._library.entries.get(self.entries.chosen) if self._library else None

    @property
    def _unusable(self) -> Broken | None:
        """The file under the cursor, if it is one that cannot be used."""
        return self._broken.get(self.entries.chosen)

    @abstractmethod
    def action_reload(self) -> None:
        """Read the files again."""

    @property
    def _own_path(self) -> Path | None:
        """The file of the row under the cursor, if it is the person's own."""
        if broken := self._unusable:
            return Path(broken.path)
        entry = self._entry
        return entry.path if entry and entry.origin == "yours" else None

    # -- a new question, and its answer ----------------------------------------------------

    def action_new(self) -> None:
        asks = "Ask it as an interviewer would, in a sentence or two. Its answer comes next:"
        write = self._bridge.engine.new_question

        def begin(text: str | None) -> None:
            if text:
                self._bridge.load(self, "new", lambda: write(text), self._ask_for_answer)

        self.app.push_screen(Prompt("New question", asks), begin)

    def _ask_for_answer(self, made: Imported) -> None:
        self._wanted = made.id
        self.action_reload()
        self.app.push_screen(AnswerCard(self._bridge, made.id, made.question), self._answered)

    def action_answer(self) -> None:
        """Write the answer that the question still lacks, or have the model draft it."""
        if entry := self._entry:
            card = AnswerCard(self._bridge, entry.summary.id, entry.summary.question)
            self.app.push_screen(card, self._answered)

    def _answered(self, made: Answered | None) -> None:
        if made is None:
            return
        self.action_reload()
        if made.drafted:
            self.notify("Drafted by the model: check every fact.")
            self.app.push_screen(RubricEditor(self._bridge, made.path))
        else:
            self.notify("Saved. From now on answers are graded against it.")

    # -- a copy ------------------------------------------------------------------------------

    def action_duplicate(self) -> None:
        self._ask_for_id(then_edit=False)

    def _ask_for_id(self, *, then_edit: bool) -> None:
        entry, library = self._entry, self._library
        if entry is None or library is None:
            return
        id_ = entry.summary.id
        shipped = f", or keep {id_} to replace it" if entry.origin == "shipped" else ""
        prompt = Prompt(
            "Duplicate this question",
            f"The copy goes into {self._bridge.engine.own_folder()}. Choose its id{shipped}:",
            lambda new: about_id(library, new) if new else "",
            text=unused_id(library, id_),
        )
        self.app.push_screen(prompt, partial(self._duplicate, id_, then_edit))

    def _duplicate(self, id_: str, then_edit: bool, new_id: str | None) -> None:
        if new_id:
            self._wanted = new_id
            work = partial(self._bridge.engine.duplicate, id_, new_id)
            self._bridge.load(self, "copy", work, partial(self._duplicated, then_edit))

    def _duplicated(self, then_edit: bool, path: Path) -> None:
        self.action_reload()
        if then_edit:
            self._edit(path)
        else:
            on_yes(self.app, f"Copied to {path}. Edit it now?", partial(self._edit, path))

    # -- editing and deleting ------------------------------------------------------------------

    def action_edit(self) -> None:
        if path := self._own_path:
            self._edit(path)
        elif self._entry:
            on_yes(self.app, COPY_FIRST, partial(self._ask_for_id, then_edit=True))

    def _edit(self, path: Path) -> None:
        """In the editor that is set, if the terminal can be lent to it; else inside."""
        if not (external_editor.is_set() and self._edited_outside(path)):
            self.app.push_screen(RubricEditor(self._bridge, path))

    def _edited_outside(self, path: Path) -> bool:
        try:
            with self.app.suspend():
                external_editor.edit_file(path)
        except SuspendNotSupported:
            return False
        except external_editor.FAILURES as error:
            self.notify(f"$EDITOR could not be used: {error}", severity="error")
            return False
        lint = partial(self._bridge.engine.lint, path)
        self._bridge.load(self, "lint", lint, partial(self._tell_problems, path))
        return True

    def _tell_problems(self, path: Path, problems: tuple[Problem, ...]) -> None:
        self.action_reload()
        if not problems:
            self.notify("Saved, and nothing is wrong with it.")
            return
        title = f"{path.name}: {pluralize(len(problems), 'problem')}"
        report = Report(title, [in_file(each) for each in problems], editable=True)
        self.app.push_screen(report, lambda again: self._edit(path) if again else None)

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
        prompt = Prompt("Import questions", asks, _about_list, suggester=PathSuggester())
        self.app.push_screen(prompt, self._read_list)

    def _read_list(self, typed: str | None) -> None:
        if typed:
            read = partial(self._bridge.engine.import_list, Path(typed), write=False)
            self._bridge.load(self, "import", read, partial(self._preview, Path(typed)))

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
        work = partial(self._bridge.engine.import_list, source)
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


class PathSuggester(Suggester):
    """Completes the names of files and folders, as a shell does; Right takes the suggestion."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        return await asyncio.to_thread(_completed, value)


def _completed(value: str) -> str | None:
    """The value with the first name that begins as it does."""
    folder, slash, begun = value.rpartition("/")
    try:
        names = sorted(each.name for each in Path(f"{folder}{slash}").expanduser().iterdir())
    except (OSError, RuntimeError):  # no such folder, or no such person's home
        return None
    found = (name for name in names if begun and name.startswith(begun))
    return next((f"{folder}{slash}{name}" for name in found), None)


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
    """What became of a file, line by line; the result is whether to edit it again."""

    HELP = "What was found in the file, line by line."
    BINDINGS = bindings("report", "back")

    def __init__(self, title: str, lines: Sequence[str], *, editable: bool = False) -> None:
        super().__init__(title, lines)
        self._editable = editable

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._editable if action == "again" else True

    action_again = partialmethod(Dialogue.answer, True)


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
