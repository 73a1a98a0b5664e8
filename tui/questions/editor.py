"""Editing a rubric file inside the program, and writing the answer to one that has none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from rich.style import Style
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option
from textual.widgets.text_area import TextAreaTheme

from interviewer.content.files import text_of, write_over
from interviewer.errors import RubricFileError
from interviewer.plural import pluralize
from interviewer.rubric.criterion_fields import KINDS, criterion_at, with_fields
from interviewer.rubric.importing import answered, unanswered
from interviewer.rubric.lint import lint_text
from interviewer.rubric.own import put_answer
from tui.actions import bindings
from tui.bridge import LoadFailed
from tui.questions.rows import in_file
from tui.widgets.dialogs import Dialogue, card, on_yes
from tui.widgets.form import Field, FormCard
from tui.widgets.pages import BREAKPOINTS, OverflowScroll, Page, TitleBar, ViList
from tui.widgets.plain_text import one_line, plain, typable
from tui.widgets.writing import Writing

if TYPE_CHECKING:
    from textual.timer import Timer

    from interviewer.content.fields import Problem
    from interviewer.store.records import Pane
    from tui.bridge import Bridge, DraftNotSaved

LINT_AFTER = 0.3
"""Seconds without a key until the text is checked."""
DRAFT = "Your unsaved text from last time is back. ^r goes back to the file."
LEAVE = (
    "Leave without saving? What you typed is kept as a draft, and is there when you edit this "
    "question again."
)
SYNTAX = {
    "yaml.field": "primary",
    "string": "foreground",
    "number": "success",
    "boolean": "success",
    "comment": "text-muted",
    "punctuation.delimiter": "text-muted",
    "punctuation.bracket": "text-muted",
    "punctuation.special": "text-muted",
}
"""The theme's colour for each part of YAML."""
EXPLAINED = "Write what a very good candidate would say. Each point becomes a criterion."


class RubricEditor(Page):
    """The text of one file, and below it what is wrong; a problem chosen leads to its line.

    It is checked as one types, and saved sound or not.
    """

    AUTO_FOCUS = "#text"
    CSS_PATH = "questions.tcss"
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    HELP = "One question's file, checked as you type. Tab goes to the problems."
    BINDINGS = bindings("rubric", "back")

    def __init__(self, bridge: Bridge, path: Path) -> None:
        super().__init__(bridge)
        self._path = path
        self._saved: str | None = None
        self._problems: Sequence[Problem] = ()
        self._check_soon: Timer | None = None
        self._saver = bridge.drafts(self, "rubric", self._write_draft)
        # Tab goes on to the problems; where it indents, Escape would not leave.
        self._editor = Writing.code_editor(
            id="text", language="yaml", soft_wrap=True, read_only=True, tab_behavior="focus"
        )

    def compose(self) -> ComposeResult:
        yield TitleBar(Content("Edit · ") + one_line(self._path.name))
        with Container(id="columns"):
            yield self._editor
            yield ViList(id="problems-found")
        yield Static(id="state")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self._take_colours()
        self.app.theme_changed_signal.subscribe(self, lambda _: self._take_colours())
        self._tell("Opening…")
        self.load("text", self._read, self._fill)

    def _take_colours(self) -> None:
        """Colour the YAML as the program's theme is."""
        colours = self.app.theme_variables
        styles = {
            name: Style(color=colours[variable].removeprefix("ansi_"))
            for name, variable in SYNTAX.items()
        }
        base = TextAreaTheme("ours", syntax_styles=styles)
        self._editor.register_theme(base)
        self._editor.theme = "css"  # the same name twice would change nothing
        self._editor.theme = "ours"

    def _read(self) -> tuple[str, str]:
        draft = self.engine.drafts("rubrics").read(self._draft_key)
        return typable(text_of(self._path)), draft

    def _fill(self, read: tuple[str, str]) -> None:
        self._saved, draft = read
        self._editor.load_text(draft or self._saved)
        self._editor.read_only = False
        self._tell(DRAFT if self._unsaved else "")
        self._check()

    def on_text_area_changed(self) -> None:
        if self._saved is None:
            return
        self._saver.typed(self._editor.text)
        if self._check_soon:
            self._check_soon.stop()
        self._check_soon = self.set_timer(LINT_AFTER, self._check)
        self._show_title()

    def on_load_failed(self, message: LoadFailed) -> None:
        self._tell(message.sentence)

    def on_draft_not_saved(self, message: DraftNotSaved) -> None:
        self._tell(message.sentence)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        line = self._problems[event.option_index].line or 1
        last = self._editor.document.line_count
        self._editor.move_cursor((min(line, last) - 1, 0), center=True)
        self._editor.focus()

    def action_save(self) -> None:
        if self._saved is not None:
            text = self._editor.text
            save = partial(write_over, self._path, text)
            self.load("save", save, lambda _: self._is_saved(text))

    def _is_saved(self, text: str) -> None:
        self._saved = text
        self._saver.typed(self._editor.text)  # what is in the file needs no draft
        self._check()
        broken = any(each.severity == "error" for each in self._problems)
        self._tell("Saved. It can't be asked before its errors are mended." if broken else "Saved.")

    def action_fields(self) -> None:
        """The criterion at the cursor as a form; what is kept there goes into the text."""
        try:
            place, values = criterion_at(self._editor.text, self._editor.cursor_location[0])
        except RubricFileError as error:
            self._tell(str(error))
            return

        def put(changed: Mapping[str, str] | None) -> None:
            if changed is not None:
                text = with_fields(self._editor.text, place, changed)
                at = self._editor.cursor_location
                self._editor.replace(text, (0, 0), self._editor.document.end)
                self._editor.move_cursor(at)

        self.app.push_screen(FormCard("Criterion", _fields(values)), put)

    def action_revert(self) -> None:
        """Back to what is in the file; undo brings the text back."""
        if self._saved is not None:
            self._editor.replace(self._saved, (0, 0), self._editor.document.end)
            self._tell("As it is in the file; ^z brings your text back.")

    def action_back(self) -> None:
        """Leave; what is not saved stays as a draft."""
        if self._unsaved:
            on_yes(self.app, LEAVE, self._leave)
        else:
            self._leave()

    @property
    def _unsaved(self) -> bool:
        return self._saved is not None and self._editor.text != self._saved

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
        self.engine.drafts("rubrics").save(self._draft_key, draft)

    def _check(self) -> None:
        lint = partial(lint_text, self._path, self._editor.text)
        self.load("lint", lint, self._show_problems)

    def _show_problems(self, problems: Sequence[Problem]) -> None:
        self._problems = problems
        listed = self.query_one("#problems-found", ViList)
        listed.set_options(Option(_row(each)) for each in problems)
        listed.border_title = Content(pluralize(len(problems), "problem").capitalize()).markup
        self._show_title()

    def _show_title(self) -> None:
        remark = Content("not saved" if self._unsaved else "")
        self.query_one(TitleBar).show(Content("Edit · ") + one_line(self._path.name), remark)

    def _tell(self, sentence: str) -> None:
        state = self.query_one("#state", Static)
        state.update(plain(sentence))
        state.display = bool(sentence)


def _fields(values: Mapping[str, str]) -> list[Field]:
    yes_or_no = [("yes", "true"), ("no", "false")]
    kinds = [(kind, kind) for kind in KINDS]
    drill = [Field("drill", "Drill", values["drill"])] if "drill" in values else []
    return [
        Field("claim", "Claim", values.get("claim", "")),
        Field("weight", "Weight", values.get("weight", "1")),
        Field("must_have", "Must-have", values.get("must_have", "false"), yes_or_no),
        Field("kind", "Kind", values.get("kind", "mechanism"), kinds),
        Field("probe", "Follow-up", values.get("probe", "")),
        *drill,
        Field("hint_1", "First hint", values.get("hint_1", "")),
        Field("hint_2", "Second hint", values.get("hint_2", "")),
    ]


def _row(problem: Problem) -> Content:
    sign, style = ("✗", "bold $text-error") if problem.severity == "error" else ("!", "bold")
    return Content.assemble((f"{sign} ", style), one_line(in_file(problem)))


class AnswerCard(Dialogue[bool | None]):
    """Asks for the answer to a question that has none; the result is True once it is written.

    What is typed is kept as a draft until it is saved.
    """

    AUTO_FOCUS = "TextArea"
    HELP = (
        "Answers are graded against what you write here. It is kept as a draft until you save it."
    )
    BINDINGS = bindings("unanswered", "back")

    def __init__(self, bridge: Bridge, rubric_id: str, question: str) -> None:
        super().__init__()
        self._bridge = bridge
        self._rubric_id = rubric_id
        self._question = question
        self._draft_key = f"answer-{rubric_id}"
        self._saver = bridge.drafts(self, "rubric", self._write_draft)
        self._editor = Writing(id="answer-text", tab_behavior="focus")
        self._state = Static(id="answer-state")

    def compose(self) -> ComposeResult:
        yield card(
            "",
            OverflowScroll(Static(plain(self._question, "bold")), id="asked"),
            Static(Content(EXPLAINED), classes="card-note"),
            self._editor,
            self._state,
            Footer(compact=True, show_command_palette=False),
        )

    def on_mount(self) -> None:
        drafts = self._bridge.engine.drafts("rubrics")
        self._bridge.load(self, "kept", partial(drafts.read, self._draft_key), self._restore)

    def _restore(self, kept: str) -> None:
        if kept and not self._editor.text:
            self._editor.load_text(typable(kept))
            self._editor.move_cursor(self._editor.document.end)
            self._say("Your unsaved text from last time is back.")

    def on_text_area_changed(self) -> None:
        self._saver.typed(self._editor.text)

    def on_load_failed(self, message: LoadFailed) -> None:
        message.stop()
        self._say(message.sentence)

    def on_draft_not_saved(self, message: DraftNotSaved) -> None:
        self._say(message.sentence)

    def action_save(self) -> None:
        answer = self._editor.text
        if not answer.strip():
            self._say("There is nothing to save yet.")
            return

        def write() -> None:
            entry = unanswered(self._bridge.engine.library(), self._rubric_id)
            put_answer(entry.path, answered(entry.model, answer))

        self._bridge.load(self, "answer", write, self._is_written)

    def action_back(self) -> None:
        """Leave; what is typed stays as a draft."""
        if failure := self._saver.save_now():
            self._say(failure)
        else:
            self.dismiss(None)

    def _is_written(self, _: None) -> None:
        self._saver.typed("")  # what is in the file needs no draft
        self._saver.save_now()
        self.dismiss(True)

    def _say(self, sentence: str) -> None:
        self._state.update(one_line(sentence))

    def _write_draft(self, text: str, _pane: Pane) -> None:
        self._bridge.engine.drafts("rubrics").save(self._draft_key, text)
