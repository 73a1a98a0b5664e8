"""Beside the conversation on a wide screen: where the candidate stands, and room for notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Footer, Static
from textual.widgets.option_list import Option

from interviewer.grading.claims.quantity import amount
from interviewer.interview.commands import marking
from interviewer.interview.examining import Overview
from interviewer.report.words import counts, measure_words, next_hint
from tui.actions import bindings, shown_keys
from tui.widgets.dialogs import Dialogue, InputDialog, card
from tui.widgets.pages import ViList
from tui.widgets.plain_text import one_line, plain, typable
from tui.widgets.writing import Writing

if TYPE_CHECKING:
    from interviewer.grading.claims.quantity import Quantity
    from interviewer.interview.commands import MarkFigure
    from interviewer.interview.state import SessionState
    from interviewer.practice.progress import Progress
    from interviewer.settings import Settings

TITLE = "Numbers you stated"
_NEW_LINE = Content("\n")
_NONE_YET = Content("None yet.")
DONE, NOW, TO_COME = "●", "◉", "○"
WEAK_SHOWN = 6


class Notes(Writing):
    """The candidate's own notes, kept with the session and read by nobody else."""

    def __init__(self) -> None:
        super().__init__(id="notes", placeholder="Only you can see these.")
        self.cursor_blink = False

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        return key == "enter" or super().check_consume_key(key, character)

    def fill(self, text: str) -> None:
        self.load_text(typable(text))


class NumberList(ViList):
    """The numbers stated so far. ``send`` has one marked, ``leave`` goes back to the answer."""

    BINDINGS = bindings("number")

    def __init__(
        self, send: Callable[[MarkFigure], None], leave: Callable[[], object], id: str | None = None
    ) -> None:
        super().__init__(Option(_NONE_YET, disabled=True), id=id)
        self._send, self._leave = send, leave
        self._numbers: tuple[Quantity, ...] = ()

    def show_numbers(self, numbers: tuple[Quantity, ...]) -> None:
        """Show these; the cursor stays on its number while it is here, else it is on the last."""
        if numbers == self._numbers:
            return
        at = self.highlighted if self.has_focus else None
        self._numbers = numbers
        width = max((len(measure_words(each.measure)) for each in numbers), default=0)
        self.set_options(Option(_number(each, width)) for each in numbers)
        self.highlighted = len(numbers) - 1 if at is None or at >= len(numbers) else at

    def on_option_list_option_selected(self) -> None:
        self.action_correct()

    def action_strike(self) -> None:
        if self._chosen:
            self._send(marking(self._numbers, self._chosen))

    def action_correct(self) -> None:
        if self._chosen:
            self._ask(self._numbers, self._chosen)

    def _ask(self, numbers: tuple[Quantity, ...], number: int) -> None:
        """For the right value; what is stated meanwhile does not change which number it is of."""
        measure, text = numbers[number - 1].measure, numbers[number - 1].text
        said = typable(" ".join(text.split()))

        def about(typed: str) -> str:
            return _value(measure, marking(numbers, number, typed)) if typed != said else ""

        def correct(typed: str | None) -> None:
            if typed and typed != said:
                self._send(marking(numbers, number, typed))

        asks = f"You said “{said}”. The right value:"
        self.app.push_screen(InputDialog("Correct a number", asks, about, text=said), correct)

    def action_leave(self) -> None:
        self._leave()

    @property
    def _chosen(self) -> int:
        """The number under the cursor, from 1; 0 for none that stands."""
        at = self.highlighted
        stands = at is not None and self._numbers and self._numbers[at].status == "stands"
        return at + 1 if at is not None and stands else 0


class NumbersScreen(Dialogue[None]):
    """The numbers over the screen, where there is no room for them beside it."""

    HELP = "The numbers you stated, as they were understood. What you said stays as it is."

    def __init__(self, send: Callable[[MarkFigure], None]) -> None:
        super().__init__()
        self._numbers = NumberList(send, self.dismiss)

    def compose(self) -> ComposeResult:
        yield card(TITLE, self._numbers)
        yield Footer(compact=True, show_command_palette=False)


class Place(Vertical):
    """On a very wide screen, left of the conversation: where one is, and what was weak before."""

    def __init__(self) -> None:
        self._rounds, self._weak = Static(id="rounds"), Static(id="weak-before")
        super().__init__(self._rounds, self._weak, id="place-pane")

    def show(self, state: SessionState) -> None:
        """The rounds, each with its questions as far as they were asked."""
        lines = [Content.styled("This interview", "bold $text-primary")]
        for number, outline in enumerate(state.outline, start=1):
            held = next((each for each in state.rounds if each.number == number), None)
            is_now = held is not None and held is state.round
            sign = NOW if is_now else DONE if held else TO_COME
            style = "bold" if is_now else "$text-muted"
            lines.append(plain(f"{sign} {number}  {outline.title}", style))
            asked = held.questions if held and is_now else ()
            for question in asked:
                at = NOW if question is state.question else DONE
                lines.append(plain(f"    {at} question {question.number}", "$text-muted"))
        self._rounds.update(_NEW_LINE.join(lines))

    def show_weak(self, past: Progress) -> None:
        titles = list(dict.fromkeys(spot.title for spot in past.weak))[:WEAK_SHOWN]
        head = [Content.styled("Weak before", "bold $text-primary")] if titles else []
        self._weak.update(_NEW_LINE.join([*head, *(one_line(f"· {each}") for each in titles)]))


class Rail(Vertical):
    """Follow-ups and hints left, the numbers stated so far, notes."""

    def __init__(self, numbers: NumberList) -> None:
        self.numbers = numbers
        self.notes = Notes()
        self._left = Static(id="left")
        self._keys = Static(id="number-keys")
        titles = (Static(title, classes="title") for title in (TITLE, "Your notes"))
        parts = (self._left, next(titles), numbers, self._keys, next(titles), self.notes)
        super().__init__(*parts, id="rail")

    def name_keys(self, settings: Settings) -> None:
        ids = ("interview.numbers", "number.strike", "number.correct")
        go, strike, correct = (shown_keys(self.app, settings, each)[0] for each in ids)
        self._keys.update(Content(f"{go}: {strike} strike, {correct} correct"))

    def show(self, known: Overview | None) -> None:
        """What is known of the open question, None between two; the numbers in every list."""
        left = _NEW_LINE.join([_follow_ups(known), _hint(known)]) if known else Content()
        # Else the whole screen is laid out for nothing: what is left takes two lines, or none.
        self._left.update(left, layout=bool(left) != bool(self._left.content))
        if known:
            for screen in self.app.screen_stack:
                for numbers in screen.query(NumberList):
                    numbers.show_numbers(known.numbers)


def _follow_ups(known: Overview) -> Content:
    left = known.follow_ups_left
    if not left:
        return Content("No follow-ups left")
    plural = "" if left == 1 else "s"
    return Content.assemble((str(left), "bold"), f" follow-up{plural} left")


def _hint(known: Overview) -> Content:
    if known.hint_price is not None:
        return Content(f"Hint: the point counts for {counts(known.hint_price)}")  # on one line
    said = next_hint(None, has_hints=known.has_hints)
    return Content(f"{said[0].upper()}{said[1:]}")


def _number(number: Quantity, width: int) -> Content:
    stands = number.status == "stands"
    measure = plain(f"{measure_words(number.measure):<{width}}  ", "$text-muted")
    line = measure + one_line(number.text, "bold" if stands else "$text-muted")
    return line if stands else _NEW_LINE.join([line, Content(f"  ✗ {number.status}")])


def _value(measure: str, command: MarkFigure) -> str:
    if command.value is None:
        return "This strikes it."
    return f"That is {amount(measure, command.value)}."
