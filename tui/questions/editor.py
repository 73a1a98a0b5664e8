"""Editing a rubric file inside the program: linted as one types, saved sound or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static, TextArea
from textual.widgets.option_list import Option

from interviewer.plural import pluralize
from tui.actions import bindings
from tui.messages import LoadFailed
from tui.widgets.confirm import Confirm
from tui.widgets.footer import KeyFooter
from tui.widgets.pages import BREAKPOINTS, Page, TitleBar, ViList
from tui.widgets.plain_text import one_line, plain, typable

if TYPE_CHECKING:
    from textual.timer import Timer

    from interviewer.content.problems import Problem
    from interviewer.store.records import Pane
    from tui.bridge import Bridge, DraftNotSaved

LINT_AFTER = 0.3
"""Seconds without a key until the text is checked."""
DRAFT = "Your unsaved text from last time is back. ^r goes back to the file."
LEAVE = (
    "Leave without saving? What you typed is kept as a draft, and is there when you edit this "
    "question again."
)


@dataclass
class TextRead(Message):
    """What is in the file, and what was typed but not saved, "" if nothing."""

    text: str
    draft: str


@dataclass
class Linted(Message):
    """What would be wrong with the text."""

    problems: tuple[Problem, ...]


@dataclass
class Saved(Message):
    """This text is in the file."""

    text: str
    problems: tuple[Problem, ...]


class RubricEditor(Page):
    """The text of one file, and below it what is wrong; a problem chosen leads to its line."""

    AUTO_FOCUS = "#text"
    CSS_PATH = "questions.tcss"
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    HELP = "One question's file, checked as you type. Tab goes to the problems."
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("rubric", "back")]

    def __init__(self, bridge: Bridge, path: Path) -> None:
        super().__init__(bridge)
        self._path = path
        self._saved: str | None = None
        self._problems: tuple[Problem, ...] = ()
        self._check_soon: Timer | None = None
        self._saver = bridge.drafts(self, "rubric", self._write_draft)

    def compose(self) -> ComposeResult:
        yield TitleBar(Content("Edit · ") + one_line(self._path.name))
        with Container(id="columns"):
            # Tab goes on to the problems; where it indents, Escape would not leave.
            yield TextArea.code_editor(
                id="text", soft_wrap=True, read_only=True, tab_behavior="focus"
            )
            yield ViList(id="problems-found")
        yield Static(id="state")
        yield KeyFooter(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        engine, path, key = self._bridge.engine, self._path, self._draft_key

        def read() -> TextRead:
            return TextRead(typable(engine.file_text(path)), engine.rubric_drafts().read(key))

        self._tell("Opening…")
        self._bridge.load(self, "text", read, lambda found: found)

    def on_text_read(self, message: TextRead) -> None:
        self._saved = message.text
        editor = self.query_one(TextArea)
        editor.load_text(message.draft or message.text)
        editor.read_only = False
        self._tell(DRAFT if self._unsaved else "")
        self._check()

    def on_text_area_changed(self) -> None:
        if self._saved is None:
            return
        self._saver.typed(self.query_one(TextArea).text)
        if self._check_soon:
            self._check_soon.stop()
        self._check_soon = self.set_timer(LINT_AFTER, self._check)
        self._show_title()

    def on_linted(self, message: Linted) -> None:
        self._show_problems(message.problems)

    def on_saved(self, message: Saved) -> None:
        self._saved = message.text
        self._saver.typed(self.query_one(TextArea).text)  # what is in the file needs no draft
        self._show_problems(message.problems)
        errors = any(each.severity == "error" for each in message.problems)
        self._tell("Saved. It cannot be asked before its errors are fixed." if errors else "Saved.")

    def on_load_failed(self, message: LoadFailed) -> None:
        self._tell(message.sentence)
        self.notify(message.sentence, severity="error")

    def on_draft_not_saved(self, message: DraftNotSaved) -> None:
        self._tell(message.sentence)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        editor = self.query_one(TextArea)
        line = self._problems[event.option_index].line or 1
        editor.move_cursor((min(line, editor.document.line_count) - 1, 0), center=True)
        editor.focus()

    def action_save(self) -> None:
        if self._saved is None:
            return
        engine, path, text = self._bridge.engine, self._path, self.query_one(TextArea).text
        self._bridge.load(
            self, "save", lambda: engine.save_rubric(path, text), lambda found: Saved(text, found)
        )

    def action_revert(self) -> None:
        """Back to what is in the file; undo brings the text back."""
        editor = self.query_one(TextArea)
        if self._saved is not None:
            editor.replace(self._saved, (0, 0), editor.document.end)
            self._tell("As it is in the file; ^z brings your text back.")

    def action_back(self) -> None:
        """Leave; what is not saved stays as a draft."""
        if self._unsaved:
            self.app.push_screen(Confirm(LEAVE), lambda yes: self._leave() if yes else None)
        else:
            self._leave()

    @property
    def _unsaved(self) -> bool:
        return self._saved is not None and self.query_one(TextArea).text != self._saved

    def _leave(self) -> None:
        if failure := self._saver.save_now():
            self._tell(failure)
        else:
            self.app.pop_screen()

    @property
    def _draft_key(self) -> str:
        where = sha256(str(self._path).encode(errors="surrogateescape")).hexdigest()[:12]
        return f"{self._path.stem}-{where}"

    def _write_draft(self, text: str, _pane: Pane) -> None:
        draft = "" if text == self._saved else text
        self._bridge.engine.rubric_drafts().save(self._draft_key, draft)

    def _check(self) -> None:
        engine, path, text = self._bridge.engine, self._path, self.query_one(TextArea).text
        self._bridge.load(self, "lint", lambda: engine.lint(path, text), Linted)

    def _show_problems(self, problems: tuple[Problem, ...]) -> None:
        self._problems = problems
        listed = self.query_one("#problems-found", ViList)
        listed.set_options(Option(each) for each in _rows(problems))
        listed.border_title = Content(pluralize(len(problems), "problem").capitalize()).markup
        self._show_title()

    def _show_title(self) -> None:
        remark = "not saved" if self._unsaved else ""
        self.query_one(TitleBar).show(
            Content("Edit · ") + one_line(self._path.name), Content(remark)
        )

    def _tell(self, sentence: str) -> None:
        state = self.query_one("#state", Static)
        state.update(plain(sentence))
        state.display = bool(sentence)


def _rows(problems: tuple[Problem, ...]) -> Iterator[Content]:
    for each in problems:
        sign, style = ("✗", "bold $text-error") if each.severity == "error" else ("!", "bold")
        yield Content.assemble((f"{sign} ", style), one_line(told(each)))


def told(problem: Problem) -> str:
    """The problem without its file, which is known."""
    place = f"line {problem.line}: " if problem.line else ""
    return f"{place}{problem.field} {problem.message}"
