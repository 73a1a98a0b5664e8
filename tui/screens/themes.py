"""Choosing a theme: the highlighted one is shown at once, Enter keeps it."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui.actions import bindings
from tui.messages import KeepSettings
from tui.widgets.dialogue import Dialogue
from tui.widgets.pages import ViList
from tui.widgets.plain_text import one_line


class ThemePicker(Dialogue[None]):
    """All themes; Escape goes back to the one before."""

    CSS_PATH = "settings.tcss"
    HELP = "The theme you are on is shown at once. Enter keeps it, Esc goes back to the one before."
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("back")]

    def __init__(self) -> None:
        super().__init__()
        self._before = ""

    def compose(self) -> ComposeResult:
        with Vertical(id="card"):
            yield Static(Content("Theme"), classes="card-title")
            names = sorted(self.app.available_themes)
            yield ViList(*(Option(one_line(name), id=name) for name in names), id="themes")
            yield Static(Content("Enter keeps it, Esc goes back."), classes="card-note")

    def on_mount(self) -> None:
        self._before = self.app.theme
        themes = self.query_one(ViList)
        themes.highlighted = themes.get_option_index(self._before)
        themes.focus()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self.app.theme = str(event.option.id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.app.theme = str(event.option.id)
        self.app.post_message(KeepSettings({"theme": self.app.theme}))
        self.dismiss()

    def action_back(self) -> None:
        self.app.theme = self._before
        self.dismiss()
