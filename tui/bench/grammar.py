"""How lines are written, on a card over the bench."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from tui.actions import bindings
from tui.widgets.dialogue import Dialogue
from tui.widgets.pages import ViScroll
from tui.widgets.plain_text import plain

if TYPE_CHECKING:
    from interviewer.sandbox.challenge import Kind

_NEW_LINE = Content("\n")


def grammar(kind: Kind) -> Content:
    """Six rules and two examples that fit a challenge of this kind."""
    return _NEW_LINE.join(_lines(kind))


def _lines(kind: Kind) -> Iterator[Content]:
    from interviewer.sandbox.language.functions import RULES, examples

    widest = max(map(len, RULES))
    for about, text in RULES.items():
        yield Content.assemble(plain(f"{about:<{widest}}  ", "dim"), plain(text))
    for example in examples(kind):
        yield Content()
        about, *lines = example.source.splitlines()
        yield plain(about, "dim")
        yield from (plain(line, "bold") for line in lines)


class GrammarCard(Dialogue[None]):
    """The card; Escape or Enter goes back to the editor."""

    DEFAULT_CSS = """
    GrammarCard {
        align: center middle;
        #grammar {
            width: 80; max-width: 100%; height: auto; max-height: 100%;
            padding: 0 1; border: round $primary; background: $surface;
        }
    }
    """
    HELP = "How lines are written at the bench. What you typed there stays."
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("grammar")]

    def __init__(self, kind: Kind) -> None:
        super().__init__()
        self._kind = kind

    def compose(self) -> ComposeResult:
        with ViScroll(id="grammar"):
            yield Static(grammar(self._kind))

    def on_mount(self) -> None:
        card = self.query_one("#grammar")
        card.border_title = Content("How to write lines")
        card.border_subtitle = Content("Tab completes names · Esc goes back")

    def action_close(self) -> None:
        self.dismiss()
