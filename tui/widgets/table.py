"""Tables with vi keys. Give them Rich text only: a str would be read as markup."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.binding import BindingType
from textual.widgets import DataTable

from tui.actions import bindings
from tui.widgets.pages import HalfPages


class ViTable(HalfPages, DataTable[Any]):
    """A table with a row cursor and vi keys."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]

    def action_select(self) -> None:
        self.action_select_cursor()

    def action_first(self) -> None:
        self.move_cursor(row=0)

    def action_last(self) -> None:
        self.move_cursor(row=self.row_count - 1)

    def _half_page(self, way: int) -> None:
        step = max(1, self.scrollable_content_region.height // 2)
        self.move_cursor(row=min(max(self.cursor_row + way * step, 0), self.row_count - 1))
