"""Settings: who examines and where, what it costs, looks and keys. Each is saved as it changes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Input, Select, Static

from interviewer.examiner.registry import EXAMINERS
from interviewer.settings import CONFIG_FILE, set_by_environment
from interviewer.settings.web_address import is_usable
from tui.actions import bindings
from tui.messages import Checked, ChecksDone, Go, KeySaved, LoadFailed, PlansLoaded
from tui.remapping import problems
from tui.screens.doctor import CheckRow, run_checks
from tui.screens.first_use import ModelPicker, keep
from tui.screens.themes import ThemePicker
from tui.widgets.dialogue import Dialogue
from tui.widgets.footer import KeyFooter
from tui.widgets.pages import Page, TitleBar, ViScroll
from tui.widgets.plain_text import plain

if TYPE_CHECKING:
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


class SettingsScreen(Page):
    """The config file as a form. What the environment decides cannot be changed here."""

    CSS_PATH = "settings.tcss"
    HELP = "Examiner, cost, looks and keys. Every change is saved at once."
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("settings", "back")]

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        unusable = bridge.engine.unusable
        self._plans: tuple[Plan, ...] = ()
        self._decided = {
            name: variable
            for name, variable in set_by_environment().items()
            if variable not in unusable
        }
        self._left_out = [
            f"{sentence} It is left out until then." for sentence in unusable.values()
        ]

    def compose(self) -> ComposeResult:
        file = self._settings.config_folder / CONFIG_FILE
        yield TitleBar(Content("Settings"), plain(f"saved in {file}"))
        with Container(id="middle"), ViScroll(id="form", can_focus=False):
            for sentence in self._left_out:
                yield Static(plain(f"! {sentence}"), classes="problem")
            yield from self._examiner_part()
            yield Static(Content("Looks and keys"), classes="part")
            yield _row("Theme", Button(self.app.theme, id="theme", compact=True))
            yield self._choice("Clock", "clock")
            yield self._choice("Send key", "send_key")
            change = Button("Change…", id="change-keys", compact=True)
            yield _row("Key bindings", change, Static(plain(self._keys()), id="keys"))
        yield KeyFooter()

    def on_mount(self) -> None:
        self._show_facts()
        self._bridge.load(self, "plans", self._bridge.engine.plans, lambda all_: PlansLoaded(*all_))
        self.app.theme_changed_signal.subscribe(self, self._show_theme)

    def on_screen_resume(self) -> None:
        self._show_facts()

    @property
    def _settings(self) -> Settings:
        return self._bridge.engine.settings

    def _examiner_part(self) -> Iterator[Widget]:
        yield Static(Content("Examiner and model"), classes="part")
        yield self._choice("Examiner", "examiner")
        yield self._field("Address", "base_url")
        yield self._field("Model", "model", Button("Choose…", id="choose", compact=True))
        yield _row("API key", Static(id="key"), Button("Keyring…", id="keyring", compact=True))
        yield _row("", Static(id="privacy"))
        yield _row("", Button("Test the connection", id="test", compact=True))
        yield Vertical(id="results")
        yield self._field("Price", "price")
        yield _row("", Static(id="cost"))

    # -- what is changed -------------------------------------------------------------------

    async def on_select_changed(self, event: Select.Changed) -> None:
        name = str(event.select.id)
        shown = self._settings.chosen_examiner if name == "examiner" else None
        if event.value == "llm" and not self._settings.endpoint_configured:
            self.app.notify("Set an address or a key first.", severity="warning")
            self._show_facts()
            return
        if event.value != (shown or getattr(self._settings, name)):
            await keep(self.app, self._bridge.engine, {name: str(event.value)})
            self._show_facts()

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        await self._take(event.input)

    async def on_input_blurred(self, event: Input.Blurred) -> None:
        await self._take(event.input)

    async def on_button_pressed(self, event: Button.Pressed) -> None:
        match event.button.id:
            case "theme":
                self.app.push_screen(ThemePicker())
            case "choose":
                self.app.push_screen(ModelPicker(self._bridge), self._take_model)
            case "keyring":
                self.app.push_screen(KeyCard(self._settings.address), self._take_key)
            case "test":
                await self.action_test()
            case "change-keys":
                self.action_keys()

    async def action_test(self) -> None:
        if not await self._take_typed():
            return
        self.query_one("#results").remove_children()
        self.query_one("#test", Button).label = "Testing…"
        run_checks(self._bridge, self, self._bridge.engine.check_endpoint)

    def action_back(self) -> None:
        self.run_worker(self._leave(), exit_on_error=False)

    async def _leave(self) -> None:
        await self._take_typed()
        super().action_back()

    def action_keys(self) -> None:
        self.post_message(Go("keys"))

    async def action_doctor(self) -> None:
        await self._take_typed()
        self.post_message(Go("doctor"))

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
        await keep(self.app, self._bridge.engine, {name: value})
        self._show_facts()
        return True

    def _refuse(self, sentence: str) -> None:
        self.app.notify(sentence, severity="error")

    def _take_model(self, model: str | None) -> None:
        if model:
            field = self.query_one("#model", Input)
            field.value = model
            self.run_worker(self._take(field), exit_on_error=False)

    def _take_key(self, key: str | None) -> None:
        if key is not None:
            work = partial(self._bridge.engine.keep_key, key)
            self._bridge.load(self, "key", work, lambda _: KeySaved())

    # -- what is told ----------------------------------------------------------------------

    def on_checked(self, message: Checked) -> None:
        self.query_one("#results").mount(CheckRow(message.check))

    def on_checks_done(self, message: ChecksDone) -> None:
        self.query_one("#test", Button).label = "Test the connection"
        self.query_one("#results").scroll_visible(animate=False)

    def on_plans_loaded(self, message: PlansLoaded) -> None:
        self._plans = message.plans
        self._show_facts()

    def on_key_saved(self) -> None:
        self._show_facts()

    def on_load_failed(self, message: LoadFailed) -> None:
        self.app.notify(message.sentence, severity="error")

    def _show_theme(self, _theme: object) -> None:
        self.query_one("#theme", Button).label = self.app.theme

    def _show_facts(self) -> None:
        """What follows from the settings."""
        settings = self._settings
        self.query_one("#examiner", Select).value = settings.chosen_examiner
        self.query_one("#key", Static).update(plain(self._key_source()))
        self.query_one("#privacy", Static).update(plain(_privacy(settings)))
        self.query_one("#keys", Static).update(plain(self._keys()))
        self.query_one("#cost", Static).update(plain(self._costs()))

    def _key_source(self) -> str:
        settings = self._settings
        if variable := self._decided.get("api_key"):
            return f"from {variable}"
        if settings.api_key:
            return f"from {CONFIG_FILE}: safer in the keyring or in OPENAI_API_KEY"
        return "in the system's keyring" if settings.key_in_keyring else "none"

    def _costs(self) -> str:
        """What a mock takes, by the shortest plan and the longest."""
        cost = partial(self._bridge.engine.cost, length="standard", examiner="llm")
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
        choices = CHOICES[name]
        return _row(label, Select(choices, value=value, allow_blank=False, id=name, compact=True))


class KeyCard(Dialogue[str | None]):
    """Asks for a key to keep in the system's keyring; "" forgets the one that is there."""

    CSS_PATH = "settings.tcss"
    HELP = "Enter saves the key you typed in the system's keyring; Esc changes nothing."
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("back")]

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address

    def compose(self) -> ComposeResult:
        with Vertical(id="card"):
            yield Static(Content("Save a key in the system's keyring"), classes="card-title")
            yield Static(plain(f"For {self._address}. It is never written to a file."))
            yield Input(password=True, placeholder="paste the key", id="new-key", compact=True)
            with Horizontal(classes="buttons"):
                yield Button("Save", id="keep", compact=True)
                yield Button("Delete the saved key", id="forget", compact=True)
                yield Button("Back", id="back", compact=True)

    def on_mount(self) -> None:
        self.query_one("#new-key").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._keep(event.value)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        match event.button.id:
            case "keep":
                self._keep(self.query_one("#new-key", Input).value)
            case "forget":
                self.dismiss("")
            case _:
                self.dismiss(None)

    def action_back(self) -> None:
        self.dismiss(None)

    def _keep(self, key: str) -> None:
        if key.strip():
            self.dismiss(key.strip())


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
