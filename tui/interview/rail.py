"""Beside the conversation on a wide screen: where the candidate stands, and room for notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static, TextArea

from interviewer.interview.overview import Overview
from tui.widgets.pages import OverflowScroll
from tui.widgets.plain_text import one_line, plain, typable

if TYPE_CHECKING:
    from interviewer.grading.claims.quantity import Quantity

NUMBERS = 20
"""At most so many, the latest, so that a long session stays fast."""
_NEW_LINE = Content("\n")


class Notes(TextArea):
    """The candidate's own notes, kept with the session and read by nobody else."""

    def __init__(self) -> None:
        super().__init__(id="notes", placeholder="Only you can see these.")
        self.cursor_blink = False

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        return key == "enter" or super().check_consume_key(key, character)

    def fill(self, text: str) -> None:
        self.load_text(typable(text))


class Rail(Vertical):
    """Follow-ups and hints left, the numbers stated so far, notes."""

    def __init__(self) -> None:
        super().__init__(id="rail")
        self.notes = Notes()
        self._left = Static(id="left")
        self._numbers = Static(id="numbers")

    def compose(self) -> ComposeResult:
        yield self._left
        yield Static("Numbers you stated", classes="title")
        with OverflowScroll():
            yield self._numbers
        yield Static("Your notes", classes="title")
        yield self.notes

    def show(self, known: Overview | None) -> None:
        """What is known of the open question, None between two."""
        from interviewer.report.words import measure_words

        if known is None:
            _update(self._left, Content())
            return
        _update(self._left, _NEW_LINE.join([_follow_ups(known), _hint(known)]))
        once = {(claim.measure, claim.text): claim for claim in known.numbers}
        stated = [*once.values()][-NUMBERS:]
        width = max((len(measure_words(claim.measure)) for claim in stated), default=0)
        numbers = [_number(claim, width) for claim in stated]
        none_yet = Content.styled("None yet.", "dim")
        _update(self._numbers, _NEW_LINE.join(numbers or [none_yet]))


def _update(part: Static, text: Content) -> None:
    """Only if it says something else: the whole screen is laid out for it."""
    if text != part.content:
        part.update(text)


def _follow_ups(known: Overview) -> Content:
    left = known.follow_ups_left
    if not left:
        return Content("No follow-ups left")
    plural = "" if left == 1 else "s"
    return Content.assemble((str(left), "bold"), f" follow-up{plural} left")


def _hint(known: Overview) -> Content:
    from interviewer.report.words import counts, next_hint

    if known.hint_price is not None:
        return Content(f"Hint: the point counts for {counts(known.hint_price)}")  # on one line
    said = next_hint(None, has_hints=known.has_hints)
    return Content(f"{said[0].upper()}{said[1:]}")


def _number(claim: Quantity, width: int) -> Content:
    from interviewer.report.words import measure_words

    quantity = plain(f"{measure_words(claim.measure):<{width}}  ", "$text-muted")
    return quantity + one_line(claim.text, "bold")
