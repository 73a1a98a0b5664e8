"""What the pages have in common: a title bar, lists with vi keys, a way back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partialmethod
from typing import TYPE_CHECKING, Any, TypeVar

from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui.actions import bindings, shown_keys
from tui.messages import BeginMock, Go
from tui.widgets.plain_text import plain

if TYPE_CHECKING:
    from interviewer.content.collection import Entry
    from tui.bridge import Bridge
    from tui.engine import Engine
    from tui.messages import Choice, Place

T = TypeVar("T")
BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
"""The class a screen has from this many columns on."""
TWO_PANES = [(0, "-narrow"), (100, "-wide")]
"""The same for a list beside what is in it, both of them slim."""


MARK = " ▚▞ "
"""What the program is known by, at the left end of every title."""


class TitleBar(Horizontal):
    """The program's mark and a title on the left, a short remark on the right."""

    def __init__(self, title: Content, remark: Content | None = None) -> None:
        self._title = Static(title, classes="title")
        self._remark = Static(remark or Content(), classes="remark")
        super().__init__(Static(Content(MARK), classes="mark"), self._title, self._remark)

    def show(self, title: Content, remark: Content | None = None) -> None:
        self._title.update(title)
        self._remark.update(remark or Content())


class ProblemLine(Static):
    """What is wrong with the files behind a page; out of the way while there is nothing."""

    def __init__(self) -> None:
        super().__init__(id="problems", classes="problem")
        self.display = False

    def show(self, problems: str) -> None:
        self.update(plain(problems))
        self.display = bool(problems)


class ViList(OptionList):
    """An option list with vi keys. Give it Content only: a str would be read as markup."""

    BINDINGS = bindings("list")

    @property
    def chosen(self) -> str:
        """The id under the cursor, "" for none."""
        option = self.highlighted_option
        return (option.id or "") if option else ""

    def show(self, options: Iterable[Option], at: str | None = None) -> None:
        """Show these, the cursor on ``at`` or, without it, on its own; if that is gone, the first.

        Without an option that can be chosen there is no cursor.
        """
        wanted = self.chosen if at is None else at
        self.set_options(options)
        if wanted in {option.id for option in self.options if not option.disabled}:
            self.highlighted = self.get_option_index(wanted)
        else:
            self.action_first()

    def _half_page(self, way: int) -> None:
        """By options, which may take several lines each, and on to one that can be chosen."""
        if not self.option_count:
            return
        lines = self.virtual_size.height / self.option_count
        step = max(1, int(self.scrollable_content_region.height / 2 / max(1, lines)))
        wanted = (self.highlighted or 0) + way * step
        self.highlighted = min(max(wanted, 0), self.option_count - 1)
        if self.highlighted_option and self.highlighted_option.disabled:
            (self.action_cursor_down if way > 0 else self.action_cursor_up)()

    action_half_page_down = partialmethod(_half_page, 1)
    action_half_page_up = partialmethod(_half_page, -1)


class Column(VerticalScroll):
    def _half_page(self, way: int) -> None:
        self.release_anchor()  # the conversation would follow its end
        self.scroll_relative(y=way * self.scrollable_content_region.height // 2, animate=False)

    action_half_page_down = partialmethod(_half_page, 1)
    action_half_page_up = partialmethod(_half_page, -1)


class ViScroll(Column, can_focus=True):
    BINDINGS = bindings("scroll")


class OverflowScroll(ViScroll):
    """The same, without a stop for the tab key while all of it is in view."""

    def allow_focus(self) -> bool:
        return super().allow_focus() and self.max_scroll_y > 0


class Page(Screen[None]):
    """A screen with a way to the engine. Where it binds "back", Escape leaves it."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge

    def action_back(self) -> None:
        self.app.pop_screen()

    def key_of(self, action_id: str) -> str:
        return shown_keys(self.app, self.engine.settings, action_id)[0]

    @property
    def engine(self) -> Engine:
        return self._bridge.engine

    def load(
        self, group: str, work: Callable[[], T], then: Callable[[T], object] = lambda _: None
    ) -> None:
        """Do ``work`` in a thread, then take the result; a newer one of the group replaces it."""
        self._bridge.load(self, group, work, then)

    def go(self, place: Place, *about: object, instead: bool = False) -> None:
        self.post_message(Go(place, about, instead))

    def begin(self, choose: Callable[[], Choice]) -> None:
        self.post_message(BeginMock(choose))


def origin(entry: Entry[Any, Any]) -> str:
    return "yours, replaces a shipped one" if entry.replaces else entry.origin
