"""What stays in view above the conversation: the question, and how much time is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from tui.interview.widgets import SOON
from tui.widgets.plain_text import spoken

if TYPE_CHECKING:
    from interviewer.interview.interview import Interview
    from tui.bridge import Bridge

FOLDED = 2
"""Lines of the question that are always shown."""
DONE, NOW, TO_COME = "●", "◉", "○"
DOTS = 8
"""At most; more would leave no room for the words."""


def progress(asked: int, of: int) -> str:
    """As in ``●◉○ question 2 of 3``."""
    dots = f"{DONE * (asked - 1)}{NOW}{TO_COME * (of - asked)} " if of <= DOTS else ""
    return f"{dots}question {asked} of {of}"


class PinnedQuestion(Static):
    """The open question in two lines; unfolded, all of it. Its end names the key to the figure."""

    def __init__(self, key: Callable[[], str], figure_key: Callable[[], str]) -> None:
        super().__init__(id="pinned")
        self._key, self._figure_key = key, figure_key
        self._has_figure = False
        self._text = Content()
        self._is_open = False
        self.add_class("-empty")

    def show(self, text: str, *, has_figure: bool = False) -> None:
        """Pin this question instead; "" for none."""
        self._text, self._is_open, self._has_figure = spoken(text), False, has_figure
        self.set_class(not text, "-empty")
        self.refresh(layout=True)

    def toggle(self) -> None:
        """Show all of it, or two lines again."""
        self._is_open = not self._is_open
        self.refresh(layout=True)

    def render(self) -> Content:
        width = self.content_size.width
        figure = f" · {self._figure_key()} figure" if self._has_figure else ""
        whole = self._text + Content.styled(figure, "dim")
        lines = whole.wrap(width) if width else [whole]
        if self._is_open or len(lines) <= FOLDED:
            return whole
        more = Content.styled(f" … {self._key()} shows all{figure}", "dim")
        shown = lines[:FOLDED]
        shown[-1] = shown[-1].truncate(width - more.cell_length) + more
        return Content("\n").join(shown)


class TimeLeft:
    """What is left of the round, as the person wants to see it: always, or only in the end."""

    def __init__(self, interview: Callable[[], Interview | None], bridge: Bridge) -> None:
        self._interview, self._bridge = interview, bridge

    def shown(self) -> float | None:
        """Seconds; None between rounds, and for as long as they are not wanted."""
        interview = self._interview()
        left = interview.seconds_left if interview and interview.state.round else None
        is_late_wanted = self._bridge.engine.settings.clock == "late"
        return None if is_late_wanted and left is not None and left > SOON else left

    def share(self) -> float | None:
        """The same as a share of the round."""
        interview, left = self._interview(), self.shown()
        running = interview.state.round if interview else None
        return None if left is None or running is None else left / max(1, running.outline.seconds)


class ClockBar(Static):
    """A line that shrinks with the time left in the round."""

    def __init__(self, share_left: Callable[[], float | None]) -> None:
        super().__init__(id="clock-bar")
        self._share_left = share_left

    def on_mount(self) -> None:
        self.set_interval(1, self.refresh)

    def render(self) -> Content:
        width, share = self.size.width, self._share_left()
        if share is None:
            return Content("─" * width)
        left = round(width * share)
        return Content.assemble(("━" * left, "$primary"), ("─" * (width - left), "dim"))
