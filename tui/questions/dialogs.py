"""What the browser tells over the screen: what becomes of a file; and it completes paths."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.suggester import Suggester
from textual.widgets import Static

from interviewer.plural import pluralize
from tui.actions import bindings
from tui.widgets.dialogue import Dialogue
from tui.widgets.footer import KeyFooter
from tui.widgets.pages import ViScroll
from tui.widgets.plain_text import plain

if TYPE_CHECKING:
    from interviewer.rubric.importing import Outcome

_NEW_LINE = Content("\n")


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


class _Lines(Dialogue[bool]):
    """A title and lines to scroll through."""

    CSS_PATH = "questions.tcss"

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        with Vertical(id="card"):
            yield Static(plain(self._title), classes="card-title")
            with ViScroll(id="lines"):
                yield Static(_NEW_LINE.join(map(plain, self._lines)))
            yield KeyFooter(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self.query_one(ViScroll).focus()


class Preview(_Lines):
    """What would be done, line by line; the result is whether to do it."""

    HELP = "What an import would write. Yes writes it, No changes nothing."
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("confirm")]

    def action_yes(self) -> None:
        self.dismiss(True)

    def action_no(self) -> None:
        self.dismiss(False)


class Report(_Lines):
    """What became of a file, line by line; the result is whether to edit it again."""

    HELP = "What was found in the file, line by line."
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("report", "back")]

    def __init__(self, title: str, lines: Sequence[str], *, editable: bool = False) -> None:
        super().__init__(title, lines)
        self._editable = editable

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._editable if action == "again" else True

    def action_again(self) -> None:
        self.dismiss(True)

    def action_back(self) -> None:
        self.dismiss(False)


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
    if outcome.duplicates:
        yield ""
        yield f"Already there: {pluralize(len(outcome.duplicates), 'question')}"
        yield from (f"  line {each.line}: {each.question}" for each in outcome.duplicates)
    if outcome.skipped:
        yield ""
        yield f"Skipped: {pluralize(len(outcome.skipped), 'line')}"
        yield from (f"  line {each.line} {each.why}." for each in outcome.skipped)
