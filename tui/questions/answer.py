"""The answer to a question that has none: written by the person, or drafted by the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static, TextArea

from tui.actions import bindings
from tui.messages import LoadFailed
from tui.widgets.dialogue import Dialogue
from tui.widgets.footer import KeyFooter
from tui.widgets.pages import OverflowScroll
from tui.widgets.plain_text import plain, typable
from tui.widgets.state_line import StateLine

if TYPE_CHECKING:
    from interviewer.store.records import Pane
    from tui.bridge import Bridge, DraftNotSaved

EXPLAINED = "Write what a very good candidate would say. Each point becomes a criterion."
OR_DRAFTED = " The model can draft it, and you check every fact."
NOTHING = "There is nothing to save yet."


@dataclass
class Kept(Message):
    """What was typed the last time and not saved."""

    text: str


@dataclass
class Proposed(Message):
    """The model's answer and criteria, as fields of the file."""

    fields: Mapping[str, Any]


@dataclass
class Answered(Message):
    """The answer is in the file; ``drafted`` by the model, or as it was typed."""

    path: Path
    drafted: bool


class AnswerCard(Dialogue[Answered | None]):
    """Asks for the answer; the result is None if nothing was written.

    What is typed is kept as a draft until it is saved.
    """

    AUTO_FOCUS = "TextArea"
    CSS_PATH = "questions.tcss"
    HELP = (
        "Answers are graded against what you write here. It is kept as a draft until you save it. "
        "What the model drafts is written to the file at once: check every fact there."
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("unanswered", "back")]

    def __init__(self, bridge: Bridge, rubric_id: str, question: str) -> None:
        super().__init__()
        self._bridge = bridge
        self._rubric_id = rubric_id
        self._question = question
        self._saver = bridge.drafts(self, "rubric", self._write_draft)
        self._state = StateLine("answer-state")
        settings = bridge.engine.settings
        self._may_draft = settings.endpoint_configured and not settings.asks_before_sending
        self._busy = False

    def compose(self) -> ComposeResult:
        with Vertical(id="card"):
            with OverflowScroll(id="asked"):
                yield Static(plain(self._question, "bold"))
            yield Static(Content(EXPLAINED + OR_DRAFTED * self._may_draft), classes="card-note")
            yield TextArea(id="answer-text", tab_behavior="focus")
            yield self._state
            yield KeyFooter(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        drafts, key = self._bridge.engine.rubric_drafts(), self._draft_key
        self._bridge.load(self, "kept", lambda: Kept(typable(drafts.read(key))), lambda kept: kept)

    def on_kept(self, message: Kept) -> None:
        editor = self.query_one(TextArea)
        if message.text and not editor.text:
            editor.load_text(message.text)
            editor.move_cursor(editor.document.end)
            self._state.say("Your unsaved text from last time is back.")

    def on_text_area_changed(self) -> None:
        self._saver.typed(self.query_one(TextArea).text)

    def on_proposed(self, message: Proposed) -> None:
        self._write(message.fields, drafted=True)

    def on_answered(self, message: Answered) -> None:
        self._saver.typed("")  # what is in the file needs no draft
        self._saver.save_now()
        self.dismiss(message)

    def on_load_failed(self, message: LoadFailed) -> None:
        self._rest(message.sentence)

    def on_draft_not_saved(self, message: DraftNotSaved) -> None:
        self._state.say(message.sentence)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "draft":
            return self._may_draft and (not self._busy or None)
        return (not self._busy or None) if action == "save" else True

    def action_save(self) -> None:
        text = self.query_one(TextArea).text
        if not text.strip():
            self._state.say(NOTHING)
            return
        self._write(text, drafted=False)

    def action_draft(self) -> None:
        self._work("The model is drafting the answer…")
        draft = partial(self._bridge.engine.draft_answer, self._rubric_id)
        self._bridge.load(self, "answer", draft, Proposed)

    def action_back(self) -> None:
        """Stop waiting for the model, or leave; what is typed stays as a draft."""
        if self._busy:
            self.workers.cancel_group(self, "answer")
            self._rest("Cancelled; nothing was written.")
        elif failure := self._saver.save_now():
            self._state.say(failure)
        else:
            self.dismiss(None)

    def _write(self, answer: str | Mapping[str, Any], *, drafted: bool) -> None:
        self._work("Saving…")
        write = partial(self._bridge.engine.answer_question, self._rubric_id, answer)
        self._bridge.load(self, "answer", write, partial(Answered, drafted=drafted))

    def _work(self, meanwhile: str) -> None:
        self._busy = True
        self._state.count(meanwhile)
        self.refresh_bindings()

    def _rest(self, sentence: str) -> None:
        self._busy = False
        self._state.say(sentence)
        self.refresh_bindings()

    @property
    def _draft_key(self) -> str:
        return f"answer-{self._rubric_id}"

    def _write_draft(self, text: str, _pane: Pane) -> None:
        self._bridge.engine.rubric_drafts().save(self._draft_key, text)
