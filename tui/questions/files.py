"""What is done to the files of questions: edit, duplicate, import, delete."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from subprocess import CalledProcessError
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported
from textual.message import Message

from interviewer.paths import expanded
from interviewer.plural import pluralize
from interviewer.rubric.own import about_id, unused_id
from tui import external_editor
from tui.questions.answer import AnswerCard, Answered
from tui.questions.dialogs import (
    PathSuggester,
    Preview,
    Report,
    import_lines,
    preview_lines,
)
from tui.questions.editor import RubricEditor, told
from tui.widgets.confirm import Confirm
from tui.widgets.pages import Page
from tui.widgets.prompt import Prompt

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


@dataclass
class Duplicated(Message):
    """A copy was written."""

    path: Path
    id: str


@dataclass
class Begun(Message):
    """A question was written that still lacks its answer."""

    made: Imported


@dataclass
class FileChecked(Message):
    """What is wrong with a file after it was edited outside."""

    path: Path
    problems: tuple[Problem, ...]


@dataclass
class ListRead(Message):
    """What would become of a list."""

    source: Path
    outcome: Outcome


@dataclass
class ListImported(Message):
    """What became of a list."""

    source: Path
    outcome: Outcome


class Changed(Message):
    """Files were changed: read them again."""


class FilesPage(Page):
    """A page of questions whose files can be changed; the row under the cursor says which."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._library: Library | None = None
        self._wanted: str | None = None
        """Where the cursor goes once the files are read again."""

    @property
    @abstractmethod
    def _entry(self) -> Entry[Summary, Rubric] | None:
        """The question under the cursor."""

    @property
    @abstractmethod
    def _unusable(self) -> Broken | None:
        """The file under the cursor, if it is one that cannot be used."""

    @abstractmethod
    def action_reload(self) -> None:
        """Read the files again."""

    def on_changed(self) -> None:
        self.action_reload()

    @property
    def _own_path(self) -> Path | None:
        """The file of the row under the cursor, if it is the person's own."""
        if broken := self._unusable:
            return Path(broken.path)
        entry = self._entry
        return entry.path if entry and entry.origin == "yours" else None

    def action_edit(self) -> None:
        if path := self._own_path:
            self._edit(path)
        elif self._entry:
            self.app.push_screen(
                Confirm(COPY_FIRST), lambda yes: self._ask_for_id(then_edit=True) if yes else None
            )

    def action_duplicate(self) -> None:
        self._ask_for_id(then_edit=False)

    def action_new(self) -> None:
        prompt = Prompt(
            "New question",
            "Ask it as an interviewer would, in a sentence or two. Its answer comes next:",
            lambda text: "",
        )
        self.app.push_screen(prompt, lambda text: self._write_new(text) if text else None)

    def _write_new(self, text: str) -> None:
        engine = self._bridge.engine
        self._bridge.load(self, "new", lambda: engine.new_question(text), Begun)

    def on_begun(self, message: Begun) -> None:
        made = message.made
        self._wanted = made.id
        self.action_reload()
        self.app.push_screen(AnswerCard(self._bridge, made.id, made.question), self._answered)

    def action_import(self) -> None:
        prompt = Prompt(
            "Import questions",
            "A table (.csv, .tsv) or JSON with question and answer, Markdown (.md) with the "
            "questions as headings, or Anki's text export (.txt):",
            _about_list,
            suggester=PathSuggester(),
        )
        self.app.push_screen(prompt, lambda path: self._preview(Path(path)) if path else None)

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

    def action_delete(self) -> None:
        if path := self._own_path:
            entry = self._entry
            back = (
                " The shipped question takes its place again." if entry and entry.replaces else ""
            )
            question = f"Delete {path}? Past sessions keep their copy.{back}"
            self.app.push_screen(Confirm(question), lambda yes: self._delete(path) if yes else None)

    def _delete(self, path: Path) -> None:
        engine = self._bridge.engine

        def work() -> Changed:
            engine.delete_rubric(path)
            return Changed()

        self._bridge.load(self, "delete", work, lambda found: found)

    def _ask_for_id(self, *, then_edit: bool) -> None:
        entry, library = self._entry, self._library
        if entry is None or library is None:
            return
        shipped = f", or keep {entry.summary.id} to replace it" if entry.origin == "shipped" else ""
        prompt = Prompt(
            "Duplicate this question",
            f"The copy goes into {self._bridge.engine.own_folder()}. Choose its id{shipped}:",
            partial(_about_copy, library),
            text=unused_id(library, entry.summary.id),
        )
        copy = partial(self._duplicate, entry.summary.id, then_edit)
        self.app.push_screen(prompt, lambda new: copy(new) if new else None)

    def _duplicate(self, id_: str, then_edit: bool, new_id: str) -> None:
        engine = self._bridge.engine

        def work() -> Duplicated:
            return Duplicated(engine.duplicate(id_, new_id), "" if then_edit else new_id)

        self._wanted = new_id
        self._bridge.load(self, "copy", work, lambda found: found)

    def on_duplicated(self, message: Duplicated) -> None:
        self.action_reload()
        if not message.id:
            self._edit(message.path)
            return
        question = f"Copied to {message.path}. Edit it now?"
        self.app.push_screen(
            Confirm(question), lambda yes: self._edit(message.path) if yes else None
        )

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
        except (OSError, ValueError, CalledProcessError) as error:
            self.notify(f"$EDITOR could not be used: {error}", severity="error")
            return False
        engine = self._bridge.engine
        self._bridge.load(
            self,
            "lint",
            lambda: engine.lint(path, engine.file_text(path)),
            lambda found: FileChecked(path, found),
        )
        return True

    def on_file_checked(self, message: FileChecked) -> None:
        self.action_reload()
        if not message.problems:
            self.notify("Saved, and nothing is wrong with it.")
            return
        title = f"{message.path.name}: {pluralize(len(message.problems), 'problem')}"
        report = Report(title, [told(each) for each in message.problems], editable=True)
        self.app.push_screen(report, lambda again: self._edit(message.path) if again else None)

    def _preview(self, path: Path) -> None:
        engine = self._bridge.engine
        self._bridge.load(
            self,
            "import",
            lambda: engine.import_list(path, write=False),
            lambda found: ListRead(path, found),
        )

    def on_list_read(self, message: ListRead) -> None:
        found, source = message.outcome, message.source
        if not found.written:
            self._tell_import(found)
            return
        title = f"Import {pluralize(len(found.written), 'question')}?"
        self.app.push_screen(
            Preview(title, list(preview_lines(found))),
            lambda yes: self._import(source) if yes else None,
        )

    def _import(self, path: Path) -> None:
        engine = self._bridge.engine
        self._bridge.load(
            self, "import", lambda: engine.import_list(path), lambda made: ListImported(path, made)
        )

    def on_list_imported(self, message: ListImported) -> None:
        outcome = message.outcome
        if outcome.written:
            self._wanted = outcome.written[0].id
        self.action_reload()
        self._tell_import(outcome)

    def _tell_import(self, outcome: Outcome) -> None:
        title = f"{pluralize(len(outcome.written), 'question').capitalize()} imported"
        folder = self._bridge.engine.own_folder()
        self.app.push_screen(Report(title, list(import_lines(outcome, folder))))


def _about_copy(library: Library, id_: str) -> str:
    return about_id(library, id_) if id_ else ""


def _about_list(path: str) -> str:
    return "" if not path or expanded(path).is_file() else "There is no such file yet."
