"""Lists and scrolling columns that also move by j, k, g and G."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widgets import OptionList

from tui.actions import bindings


class ViList(OptionList):
    """An option list; options are only ever given as Content, never as markup."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]


class ViScroll(VerticalScroll, can_focus=True):
    """A column to read."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("scroll")]
