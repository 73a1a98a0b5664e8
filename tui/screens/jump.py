"""Letters over the parts of a screen: typing one goes there, without a mouse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Offset
from textual.widget import Widget
from textual.widgets import Static, Tab, Tabs

from tui.actions import HELP_KEY, bindings
from tui.screens.help import HelpScreen
from tui.widgets.dialogs import TakesEveryKey

if TYPE_CHECKING:
    from textual.screen import Screen

LETTERS = "asdfghjklqwertyuiopzxcvbnm"
"""Those under the fingers first."""


def labels(count: int) -> list[str]:
    """So many labels, none of which begins another: letters or, if there are too few, pairs."""
    if count <= len(LETTERS):
        return list(LETTERS[:count])
    return ["".join(pair) for pair in product(LETTERS, repeat=2)][:count]


def targets(screen: Screen[Any]) -> Iterator[tuple[Widget, Offset]]:
    """What can be jumped to and where it begins on the screen, from the top."""
    parts = [
        *screen.query(Tab),
        *(each for each in screen.focus_chain if not isinstance(each, Tabs)),
    ]
    seen: set[Offset] = set()
    placed = ((part, screen.find_widget(part).visible_region) for part in parts)
    for part, region in sorted(placed, key=lambda each: (each[1].y, each[1].x)):
        at = region.offset
        while at in seen:  # a part may begin where the one around it begins
            at += Offset(2, 0)
        if region:
            seen.add(at)
            yield part, at


def go_to(target: Widget | None) -> None:
    """Give it the focus; a tab is opened."""
    if target is None or not target.is_attached:
        return
    if isinstance(target, Tab):
        target.screen.set_focus(None)  # a cursor left in a hidden pane would bring the pane back
        target.query_ancestor(Tabs).active = str(target.id)
    else:
        target.focus()


class JumpScreen(TakesEveryKey[Widget | None]):
    """The result is where to go, None to stay."""

    HELP = "Type the letters on a part of the screen to go there; any other key stays here."
    BINDINGS = bindings("jump")

    def __init__(self, below: Screen[Any]) -> None:
        super().__init__()
        found = list(targets(below))
        self._targets = dict(zip(labels(len(found)), found, strict=True))
        self._typed = ""

    def compose(self) -> ComposeResult:
        for label, (_, at) in self._targets.items():
            sign = Static(Content(label), classes="label")
            sign.absolute_offset = at
            yield sign

    def take(self, event: events.Key) -> None:
        """A letter of a label; any other key stays, and that of the help shows what this is."""
        bound = self.active_bindings.get(event.key)
        if bound and bound.binding.id == HELP_KEY.id:
            self.app.push_screen(HelpScreen(self))
            return
        self._typed += event.key
        left = [label for label in self._targets if label.startswith(self._typed)]
        if self._typed in self._targets:
            self.dismiss(self._targets[self._typed][0])
        elif not left:
            self.dismiss(None)
        else:
            self._narrow(left)

    on_click = action_cancel = TakesEveryKey.action_back

    def _narrow(self, left: Sequence[str]) -> None:
        for sign, label in zip(self.query(".label"), self._targets, strict=True):
            sign.display = label in left
