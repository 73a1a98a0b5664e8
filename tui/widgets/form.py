"""A card of named fields: texts and choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Input, Select, Static

from interviewer.errors import InterviewerError
from tui.actions import bindings
from tui.widgets.dialogs import Dialogue, card
from tui.widgets.plain_text import one_line, plain


class Field(NamedTuple):
    """``choices``: what can be chosen, as it reads and as it is; none for a text.

    A ``secret`` text is not shown while it is typed.
    """

    name: str
    label: str
    value: str
    choices: Sequence[tuple[str, str]] = ()
    secret: bool = False


class FormCard(Dialogue[Mapping[str, str] | None]):
    """The result is the values by name, once ``check`` raises no InterviewerError for them."""

    HELP = "Change what you like. Enter in a text keeps all fields, Esc changes nothing."
    BINDINGS = bindings("back")

    def __init__(
        self,
        title: str,
        fields: Sequence[Field],
        check: Callable[[Mapping[str, str]], object] = lambda _: None,
        *,
        keep: str = "Keep",
        empty: str = "",
    ) -> None:
        """``keep`` and ``empty`` are what buttons say; the latter's result has no values."""
        super().__init__()
        self._title = title
        self._fields = fields
        self._check = check
        self._keeps, self._empties = keep, empty

    def compose(self) -> ComposeResult:
        other = ("empty", self._empties) if self._empties else ("back", "Back")
        yield card(
            self._title,
            *self._rows(),
            Static(id="about", classes="card-note"),
            buttons=(
                Button(self._keeps, id="keep", variant="primary", compact=True),
                Button(other[1], id=other[0], compact=True),
            ),
        )

    def _rows(self) -> Iterator[Widget]:
        for field in self._fields:
            label = Static(Content(field.label), classes="label")
            yield Horizontal(label, _entry(field), classes="field")

    def on_input_submitted(self) -> None:
        self._keep()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "keep":
            self._keep()
        else:
            self.dismiss({} if event.button.id == "empty" else None)

    def _keep(self) -> None:
        values = {each.name: self._value(each) for each in self._fields}
        try:
            self._check(values)
        except InterviewerError as error:
            self.query_one("#about", Static).update(plain(str(error), "$text-error"))
        else:
            self.dismiss(values)

    def _value(self, field: Field) -> str:
        if not field.choices:
            return self.query_one(f"#field-{field.name}", Input).value.strip()
        return str(self.query_one(f"#field-{field.name}", Select).value)


def _entry(field: Field) -> Widget:
    id_ = f"field-{field.name}"
    if not field.choices:
        return Input(
            field.value, id=id_, compact=True, select_on_focus=False, password=field.secret
        )
    options = [(one_line(shown).markup, value) for shown, value in field.choices]
    values = [value for _, value in field.choices]
    value = field.value if field.value in values else values[0]
    return Select(options, value=value, allow_blank=False, compact=True, id=id_)
