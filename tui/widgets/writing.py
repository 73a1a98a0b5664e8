"""Where people write."""

from __future__ import annotations

from typing import Any

from textual.document._edit import Edit
from textual.document._history import EditHistory
from textual.widgets import TextArea
from textual.widgets.text_area import EditResult


class Writing(TextArea):
    """Undo goes back word by word; Textual's by a hundred characters, and fifty times at most."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.history = EditHistory(10_000, checkpoint_timer=2.0, checkpoint_max_characters=100)

    def edit(self, edit: Edit) -> EditResult:
        row, column = edit.top
        begins = len(edit.text) == 1 and not edit.text.isspace()
        if begins and self.document[row][max(0, column - 1) : column].isspace():
            self.history.checkpoint()
        return super().edit(edit)
