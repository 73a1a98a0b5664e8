"""A page with a list to search and, beside it, the entry under its cursor."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Footer, Input, Static

from tui.actions import bindings
from tui.widgets.pages import BREAKPOINTS, Page, ProblemLine, ViList, ViScroll
from tui.widgets.plain_text import plain


class SearchBox(Input):
    BINDINGS = bindings("search")

    def __init__(self, placeholder: str) -> None:
        super().__init__(placeholder=placeholder, id="search", compact=True)

    def action_to_list(self) -> None:
        self.screen.query_one("#entries").focus()

    def action_empty(self) -> None:
        """Empty it; once it is empty, leave it."""
        if self.value:
            self.value = ""
        else:
            self.action_to_list()


class BrowserPage(Page):
    """With the class "-reading", a narrow screen shows the entry in place of the list."""

    AUTO_FOCUS = "#entries"
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS

    def compose_browser(self, search_key: str, searched: str, *found: Widget) -> ComposeResult:
        """``found``: what is below the search, with the list."""
        with Container(id="columns"):
            with Vertical(id="found"):
                with Horizontal(id="search-row"):
                    yield Static(plain(f" {search_key} ", "$text-primary"))
                    yield SearchBox(searched)
                yield from found
            with ViScroll(id="detail"):
                yield Static(id="entry")
        yield ProblemLine()
        yield Footer(compact=True, show_command_palette=False)

    @property
    def entries(self) -> ViList:
        return self.query_one("#entries", ViList)

    @property
    def words(self) -> str:
        return self.query_one(SearchBox).value

    def show_nothing(self, why: str) -> None:
        """Say why the list is empty; "" where it is not."""
        place = self.query_one("#nothing", Static)
        place.update(plain(why))
        place.display = bool(why)
        if why:
            self.show_entry(Content(""))

    def show_entry(self, entry: Content) -> None:
        self.query_one("#entry", Static).update(entry)

    def action_search(self) -> None:
        self.remove_class("-reading")
        self.query_one(SearchBox).focus()

    def action_back(self) -> None:
        """Back to the list, then to all that there is, then leave."""
        if self.has_class("-narrow") and self.has_class("-reading"):
            self.remove_class("-reading")
            self.entries.focus()
        elif self.words:
            self.query_one(SearchBox).value = ""
        else:
            super().action_back()
