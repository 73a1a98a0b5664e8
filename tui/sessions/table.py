"""The table of the session list."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.binding import BindingType
from textual.widgets import DataTable

from tui.actions import bindings


class SessionTable(DataTable[Any]):
    """A table whose cursor is a row and also moves by j, k, g and G."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]

    def action_first(self) -> None:
        self.move_cursor(row=0)

    def action_last(self) -> None:
        self.move_cursor(row=self.row_count - 1)
