"""Settings: who examines and where, what it costs, looks and keys. Each is saved as it changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Footer, Input, Select, Static

from interviewer.diagnosis import endpoint_checks
from interviewer.errors import SettingsError
from interviewer.examiner.registry import EXAMINERS, chosen
from interviewer.settings import CONFIG_FILE, set_by_environment
from interviewer.settings.web_address import is_usable
from tui.actions import bindings, problems
from tui.bridge import LoadFailed
from tui.screens.first_use import ModelPicker, keep
from tui.widgets.form import Field, FormCard
from tui.widgets.pages import Page, TitleBar, ViScroll
from tui.widgets.plain_text import plain

if TYPE_CHECKING:
    from interviewer.diagnosis import Check
    from interviewer.interview.plans import Plan
    from interviewer.settings import Settings
    from tui.bridge import Bridge

CHOICES: dict[str, list[tuple[str, str]]] = {
    "examiner": [(kind.title, kind.choice) for kind in EXAMINERS],
    "send_key": [
        ("Ctrl+S sends, Enter is a new line", "ctrl+s"),
        ("Enter sends, Alt+Enter is a new line", "enter"),
    ],
    "clock": [("Always shown", "always"), ("Only in the last five minutes", "late")],
}
PLACEHOLDERS = {
    "base_url": "OpenAI; or http://localhost:11434/v1",
    "model": "gpt-5-mini at OpenAI; elsewhere, choose one",
    "price": "per million tokens, in your currency",
}


KEYRING = "Save a key in the system's keyring. It is never written to a file."
SIGN = {"ok": ("✓", "$text-success"), "warning": ("!", "$text-warning")}
FAILED = ("✗", "$text-error")


class SettingsScreen(Page):
    """The config file as a form. What the environment decides cannot be changed here."""

    CSS_PATH = "settings.tcss"
    HELP = "Examiner, cost, looks and keys. Every change is saved at once."
    BINDINGS = bindings("settings", "back")

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._plans: tuple[Plan, ...] = ()
        self._decided = set_by_environment()

    def compose(self) -> ComposeResult:
        file = self._settings.config_folder / CONFIG_FILE
        yield TitleBar(Content("Settings"), plain(f"saved in {file}"))
        with Container(id="middle"), ViScroll(id="form", can_focus=False):
            yield from self._examiner_part()
            yield Static(Content("Looks and keys"), classes="part")
            themes = [(name, name) for name in sorted(self.app.available_themes)]
            yield _row("Theme", _select("theme", themes, self.app.theme))
            yield self._choice("Clock", "clock")
            yield self._choice("Send key", "send_key")
            yield _row("Key bindings", Static(plain(self._keys())))
        yield Footer()

    def on_mount(self) -> None:
        self._show_facts()
        self.load("plans", self.engine.plans, self._take_plans)

    def on_screen_resume(self) -> None:
        self._show_facts()

    @property
    def _settings(self) -> Settings:
        return self.engine.settings

    def _examiner_part(self) -> Iterator[Widget]:
        yield Static(Content("Examiner and model"), classes="part")
        yield self._choice("Examiner", "examiner")
        yield _row("", Static(id="about"))
        yield self._field("Address", "base_url")
        yield self._field("Model", "model", _button("Choose…", "choose"))
        yield _row("API key", Static(id="key"), _button("Keyring…", "keyring"))
        yield _row("", Static(id="privacy"))
        yield _row("", _button("Test the connection", "test"))
        yield Vertical(id="checks")
        yield self._field("Price", "price")
        yield _row("", Static(id="cost"))

    # -- what is changed -------------------------------------------------------------------

    async def on_select_changed(self, event: Select.Changed) -> None:
        name = str(event.select.id)
        if name == "theme":
            self.app.theme = str(event.value)  # which is kept, as from the palette
            return
        shown = self._settings.chosen_examiner if name == "examiner" else None
        if event.value == "llm" and not self._settings.endpoint_configured:
            self.app.notify("Set an address or a key first.", severity="warning")
            self._show_facts()
            return
        if event.value != (shown or getattr(self._settings, name)):
            await keep(self.app, self.engine, {name: str(event.value)})
            self._show_facts()

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        await self._take(event.input)

    async def on_input_blurred(self, event: Input.Blurred) -> None:
        await self._take(event.input)

    def action_choose(self) -> None:
        self.app.push_screen(ModelPicker(self._bridge), self._take_model)

    def action_keyring(self) -> None:
        """Ask for a key to keep in the system's keyring, or delete the one that is there."""
        field = Field("key", f"For {self._settings.address}", "", secret=True)
        form = FormCard(KEYRING, [field], _check_key, keep="Save", empty="Delete the saved key")
        self.app.push_screen(form, self._take_key)

    async def action_test(self) -> None:
        if not await self._take_typed():
            return
        self.query_one("#checks").remove_children()
        self.query_one("#test", Button).label = "Testing…"
        tell = partial(self.call_later, self._show_check)

        def test() -> None:
            for check in endpoint_checks(self._settings):
                tell(check)

        self.load("checks", test, self._end_test)

    def _show_check(self, check: Check) -> None:
        sign, colour = SIGN.get(check.status, FAILED)
        name = Content.assemble((f"{sign} ", f"bold {colour}"), (check.name, "bold"))
        found = Static(plain(check.message), classes="found")
        row = Horizontal(Static(name, classes="name"), found, classes="check")
        self.query_one("#checks").mount(row)

    def action_back(self) -> None:
        self.run_worker(self._leave(), exit_on_error=False)

    async def _leave(self) -> None:
        await self._take_typed()
        super().action_back()

    async def _take_typed(self) -> bool:
        """Save what stands in all fields, also one that was not left; False if one is refused."""
        return all([await self._take(field) for field in self.query(Input)])

    async def _take(self, field: Input) -> bool:
        """Save what stands in the field, if it is new; False if it cannot be used."""
        name, typed = str(field.id), field.value.strip()
        if typed == _shown(self._settings, name):
            return True
        if name == "base_url" and typed and not is_usable(typed):
            self._refuse(f"“{typed}” is no web address: write it like http://localhost:11434/v1.")
            return False
        try:
            value = float(typed) if name == "price" and typed else typed or None
        except ValueError:
            self._refuse(f"“{typed}” is not a number.")
            return False
        await keep(self.app, self.engine, {name: value})
        self._show_facts()
        return True

    def _refuse(self, sentence: str) -> None:
        self.app.notify(sentence, severity="error")

    def _take_model(self, model: str | None) -> None:
        if model:
            field = self.query_one("#model", Input)
            field.value = model
            self.run_worker(self._take(field), exit_on_error=False)

    def _take_key(self, typed: Mapping[str, str] | None) -> None:
        if typed is not None:
            work = partial(self.engine.keep_key, typed.get("key", ""))
            self.load("key", work, lambda _: self._show_facts())

    # -- what is told ----------------------------------------------------------------------

    def _end_test(self, _: None = None) -> None:
        self.query_one("#test", Button).label = "Test the connection"
        self.query_one("#checks").scroll_visible(animate=False)

    def _take_plans(self, found: tuple[tuple[Plan, ...], tuple[str, ...]]) -> None:
        self._plans, _ = found
        self._show_facts()

    def on_load_failed(self, message: LoadFailed) -> None:
        self._end_test()

    def _show_facts(self) -> None:
        settings = self._settings
        self.query_one("#examiner", Select).value = settings.chosen_examiner
        self.query_one("#theme", Select).value = self.app.theme
        self.query_one("#key", Static).update(plain(self._key_source()))
        place = f"{settings.model or 'the model'} at {settings.address}"
        about = chosen(settings.chosen_examiner).about.format(name=place)
        self.query_one("#about", Static).update(plain(about, "$text-muted"))
        self.query_one("#privacy", Static).update(plain(_privacy(settings)))
        self.query_one("#cost", Static).update(plain(self._costs()))

    def _key_source(self) -> str:
        settings = self._settings
        if variable := self._decided.get("api_key"):
            return f"from {variable}"
        if settings.api_key:
            return f"from {CONFIG_FILE}: safer in the keyring or in OPENAI_API_KEY"
        return "in the system's keyring" if settings.key_in_keyring else "none"

    def _costs(self) -> str:
        cost = partial(self.engine.cost, length="standard", examiner="llm")
        shortest_and_longest = self._plans[:1] + self._plans[1:][-1:]
        return "\n".join(f"{plan.title}: {cost(plan)}" for plan in shortest_and_longest)

    def _keys(self) -> str:
        keys = self._settings.keys
        changed = f"{len(keys)} changed" if keys else "none changed"
        return "\n".join([f"{changed}; [keys] in {CONFIG_FILE}", *problems(keys)])

    # -- the rows --------------------------------------------------------------------------

    def _field(self, label: str, name: str, *more: Widget) -> Horizontal:
        decided = self._decided.get(name)
        field = Input(
            _shown(self._settings, name),
            placeholder=PLACEHOLDERS[name],
            id=name,
            compact=True,
            disabled=decided is not None,
        )
        note = [Static(plain(f"from {decided}"), classes="note")] if decided else []
        return _row(label, field, *note, *more)

    def _choice(self, label: str, name: str) -> Horizontal:
        settings = self._settings
        value = settings.chosen_examiner if name == "examiner" else getattr(settings, name)
        return _row(label, _select(name, CHOICES[name], value))


def _check_key(typed: Mapping[str, str]) -> None:
    if not typed["key"]:
        raise SettingsError("Paste a key first.")


def _button(label: str, action: str) -> Button:
    return Button(label, id=action, compact=True, action=f"screen.{action}")


def _select(name: str, choices: list[tuple[str, str]], value: str) -> Select[str]:
    return Select(choices, value=value, allow_blank=False, id=name, compact=True)


def _row(label: str, *widgets: Widget) -> Horizontal:
    return Horizontal(Static(Content(label), classes="label"), *widgets, classes="row")


def _shown(settings: Settings, name: str) -> str:
    value = getattr(settings, name)
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _privacy(settings: Settings) -> str:
    if not settings.endpoint_configured:
        return "No model is set up: the offline examiner keeps your answers on this machine."
    if settings.chosen_examiner == "offline":
        return "The offline examiner keeps your answers on this machine."
    if settings.is_local:
        return f"Your answers stay on this machine, at {settings.address}."
    return f"Your answers leave this machine: they are sent to {settings.route}."
