"""Lists, tables and scrolling columns that also move by j, k, g and G."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widgets import DataTable, OptionList

from tui.actions import bindings


class ViList(OptionList):
    """An option list; options are only ever given as Content, never as markup."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]


class ViTable(DataTable[Any]):
    """A table whose cursor is a row."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]

    def action_first(self) -> None:
        self.move_cursor(row=0)

    def action_last(self) -> None:
        self.move_cursor(row=self.row_count - 1)


class ViScroll(VerticalScroll, can_focus=True):
    """A column to read."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("scroll")]
