"""What the pages have in common: a title bar, lists with vi keys, a way back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from tui.actions import bindings
from tui.messages import CollectionLoaded, LoadFailed
from tui.widgets.plain_text import plain

if TYPE_CHECKING:
    from interviewer.content.collection import Collection, Entry, Named
    from tui.bridge import Bridge

S = TypeVar("S", bound="Named")
M = TypeVar("M")
T = TypeVar("T")

BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
"""The class a screen has from this many columns on."""


class TitleBar(Horizontal):
    """A title on the left, a short remark on the right."""

    def __init__(self, title: Content, remark: Content | None = None) -> None:
        super().__init__()
        self._title = Static(title, classes="title")
        self._remark = Static(remark or Content(), classes="remark")

    def compose(self) -> ComposeResult:
        yield self._title
        yield self._remark

    def show(self, title: Content, remark: Content | None = None) -> None:
        self._title.update(title)
        self._remark.update(remark or Content())


class ViList(OptionList):
    """An option list with vi keys. Give it Content only: a str would be read as markup."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]

    def action_half_page_down(self) -> None:
        self._half_page(1)

    def action_half_page_up(self) -> None:
        self._half_page(-1)

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


class Column(VerticalScroll):
    """A column that also scrolls by half pages."""

    def action_half_page_down(self) -> None:
        self._half_page(1)

    def action_half_page_up(self) -> None:
        self._half_page(-1)

    def _half_page(self, way: int) -> None:
        self.release_anchor()  # the conversation would follow its end
        self.scroll_relative(y=way * self.scrollable_content_region.height // 2, animate=False)


class ViScroll(Column, can_focus=True):
    """A column to read, with vi keys."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("scroll")]


class OverflowScroll(ViScroll):
    """The same, without a stop for the tab key while all of it is in view."""

    def allow_focus(self) -> bool:
        return super().allow_focus() and self.max_scroll_y > 0


class TakesEveryKey(ModalScreen[T]):
    """A dialogue that gets keys before any binding does; the app's wait until it is closed."""

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        self.take(event)

    def take(self, event: events.Key) -> None:
        raise NotImplementedError


class Page(Screen[None]):
    """A screen that Escape leaves; its bindings put "back" where the footer shows it."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge

    def action_back(self) -> None:
        self.app.pop_screen()


class CollectionPage(Page, Generic[S, M]):
    """Rubrics or challenges: a list, the highlighted entry in full, and unusable files."""

    CSS_PATH = "../widgets/pages.tcss"  # as seen from the folder of a subclass
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    HEADING: ClassVar[str]
    NONE_FOUND: ClassVar[str]

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._entries: Mapping[str, Entry[S, M]] = {}

    # -- what each collection has of its own ----------------------------------------------

    def read(self) -> Collection[S, M]:
        """Load the collection; called in a thread."""
        raise NotImplementedError

    def sort_key(self, summary: S) -> tuple[str, str]:
        raise NotImplementedError

    def row(self, entry: Entry[S, M]) -> Content:
        raise NotImplementedError

    def detail(self, entry: Entry[S, M]) -> Content:
        raise NotImplementedError

    def options(self, entries: Mapping[str, Entry[S, M]]) -> Iterable[Option]:
        """The rows of the list, in order."""
        return [Option(self.row(entry), id=id_) for id_, entry in entries.items()]

    def remark(self) -> str:
        """What the title bar says on the right of the loaded entries."""
        return str(len(self._entries))

    def footnote(self) -> str:
        """A line below the list, "" for none."""
        return ""

    # -- what they share ------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield TitleBar(Content(self.HEADING))
        with Container(id="columns"):
            yield ViList(id="entries")
            with ViScroll(id="detail"):
                yield Static(Content("Loading…"), id="entry")
        yield Static(id="problems", classes="problem")
        if footnote := self.footnote():
            yield Static(plain(footnote), id="footnote", classes="empty")
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#entries").focus()
        self._show_problems("")
        self.action_reload()

    def action_reload(self) -> None:
        self._bridge.load(self, "collection", self.read, CollectionLoaded)

    def on_collection_loaded(self, message: CollectionLoaded[S, M]) -> None:
        self._entries = message.collection.entries
        by_rank = sorted(self._entries.items(), key=lambda item: self.sort_key(item[1].summary))
        listed = self.query_one("#entries", ViList)
        listed.set_options(self.options(dict(by_rank)))
        listed.highlighted = None
        listed.action_first()
        self.query_one(TitleBar).show(Content(self.HEADING), Content(self.remark()))
        self._show_problems("\n".join(str(problem) for problem in message.collection.problems))
        if not by_rank:
            self.query_one("#entry", Static).update(Content(self.NONE_FOUND))

    def on_load_failed(self, message: LoadFailed) -> None:
        self._show_problems(message.sentence)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        entry = self._entries[str(event.option.id)]
        self.query_one("#entry", Static).update(self.detail(entry))
        self.query_one("#detail").scroll_home(animate=False)

    def _show_problems(self, problems: str) -> None:
        place = self.query_one("#problems", Static)
        place.update(plain(problems))
        place.display = bool(problems)


def origin(entry: Entry[Any, Any]) -> str:
    return "yours, replaces a shipped one" if entry.replaces else entry.origin
