"""The rubrics at hand: what they ask, where they come from, and files that cannot be used."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from tui import messages
from tui.actions import bindings
from tui.widgets.plain_text import BREAKPOINTS, TitleBar, one_line, plain
from tui.widgets.vi import ViList, ViScroll

if TYPE_CHECKING:
    from interviewer.content.collection import Entry
    from interviewer.rubric.library import Library, Summary
    from interviewer.rubric.rubric import Rubric
    from tui.bridge import Bridge


class RubricsScreen(Screen[None]):
    """A list, the rubric under the cursor, and the problems."""

    CSS_PATH = "rubrics.tcss"
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("rubrics", "back")]

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._library: Library | None = None

    def compose(self) -> ComposeResult:
        yield TitleBar(Content("Rubrics"))
        with Container(id="columns"):
            yield ViList(id="rubrics")
            with ViScroll(id="detail"):
                yield Static(Content("Reading the files…"), id="rubric")
        yield Static(id="problems", classes="problem")
        yield Static(id="folder", classes="empty")
        yield Footer()

    def on_mount(self) -> None:
        folder = plain(f"Your own rubrics go to {self._bridge.engine.own_folder()}")
        self.query_one("#folder", Static).update(folder)
        self.query_one("#rubrics").focus()
        self.action_reload()

    def on_library_loaded(self, message: messages.LibraryLoaded) -> None:
        self._library = message.library
        entries = sorted(message.library.entries.values(), key=_order)
        listed = self.query_one("#rubrics", ViList)
        listed.set_options(Option(_row(entry), id=entry.summary.id) for entry in entries)
        listed.highlighted = 0 if entries else None
        self.query_one(TitleBar).show(Content("Rubrics"), Content(str(len(entries))))
        self._tell("\n".join(str(problem) for problem in message.library.problems))

    def on_load_failed(self, message: messages.LoadFailed) -> None:
        self._tell(message.sentence)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        assert self._library is not None
        entry = self._library.entries[str(event.option.id)]
        self.query_one("#rubric", Static).update(_detail(entry))
        self.query_one("#detail").scroll_home(animate=False)

    def action_back(self) -> None:
        self.app.pop_screen()

    def action_reload(self) -> None:
        self._bridge.load(self, "library", self._bridge.engine.library, messages.LibraryLoaded)

    def _tell(self, problems: str) -> None:
        place = self.query_one("#problems", Static)
        place.update(plain(problems))
        place.display = bool(problems)


def _order(entry: Entry[Summary, Rubric]) -> tuple[str, str]:
    return entry.summary.round, entry.summary.title.casefold()


def _row(entry: Entry[Summary, Rubric]) -> Content:
    summary = entry.summary
    facts = f"\n{summary.round} · {summary.difficulty} · {summary.kind} · {_origin(entry)}"
    return Content.assemble(one_line(summary.title), plain(facts, "dim"))


def _origin(entry: Entry[Summary, Rubric]) -> str:
    return "yours, replaces a shipped one" if entry.replaces else entry.origin


def _detail(entry: Entry[Summary, Rubric]) -> Content:
    rubric = entry.model
    return Content("\n").join(
        [
            one_line(rubric.title, "bold"),
            plain(f"{rubric.id}, version {rubric.version}, {_origin(entry)}", "dim"),
            plain(str(entry.path), "dim"),
            Content(""),
            plain(rubric.question),
            Content(""),
            Content.styled("Criteria", "bold"),
            *_criteria(rubric),
            Content(""),
            Content.styled("A strong answer", "bold"),
            plain(rubric.reference),
        ]
    )


def _criteria(rubric: Rubric) -> list[Content]:
    return [
        plain(f"{criterion.weight:g}  {criterion.claim}" + (" (must)" * criterion.must_have))
        for criterion in rubric.criteria
    ]
