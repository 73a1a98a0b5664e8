"""What must be settled before a model examines: which one, and that it may have the answers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from interviewer.errors import InterviewerError, SettingsError
from interviewer.examiner.registry import LLM, OFFLINE, chosen, kind_of
from tui.actions import bindings, keymap
from tui.bridge import LoadFailed
from tui.widgets.dialogs import Confirm, Dialogue, card
from tui.widgets.pages import ViList
from tui.widgets.plain_text import one_line, plain

if TYPE_CHECKING:
    from textual.app import App

    from tui.bridge import Bridge
    from tui.engine import Engine

WHAT_IS_SENT = (
    "Everything you answer, and your project notes, go there to be judged. The offline examiner "
    "keeps them here. You can change this in Settings."
)
LEFT_MODEL = "This interview went on with the offline examiner."
STAY_OFFLINE = ""
"""The result of the model picker where the offline examiner shall do it."""


async def examiner_to_use(app: App[Any], bridge: Bridge, choice: str) -> str | None:
    """The examiner that may begin now, after asking what is open; None to begin nothing."""
    if not chosen(choice).needs_endpoint:
        return choice
    engine = bridge.engine
    if engine.settings.needs_model:
        model = await app.push_screen_wait(ModelPicker(bridge))
        if not model:
            return model if model is None else OFFLINE.choice
        await keep(app, engine, {"model": model})
    if engine.settings.asks_before_sending:
        agreed = await app.push_screen_wait(AgreeCard(engine))
        if agreed is None:
            return None
        examiner = choice if agreed else OFFLINE.choice
        answers_to = {"answers_to": engine.settings.address} if agreed else {}
        await keep(app, engine, {"examiner": examiner, **answers_to})
        return examiner
    return choice


async def examiner_to_resume(app: App[Any], bridge: Bridge, session_id: str) -> str | None:
    """The same for a stored session: "" for the examiner it has, None to leave it as it is.

    One that went on offline may go back to the model, if that is who examines by default.
    """
    engine = bridge.engine
    if not engine.settings.endpoint_configured:
        return ""
    try:
        prefers_model = chosen(engine.settings.chosen_examiner).needs_endpoint
        if prefers_model and await asyncio.to_thread(engine.has_left_model, session_id):
            question = f"{LEFT_MODEL} Go back to the model at {engine.settings.route}?"
            back = await app.push_screen_wait(Confirm(question))
            return await examiner_to_use(app, bridge, LLM.choice) if back else ""
        if not (engine.settings.needs_model or engine.settings.asks_before_sending):
            return ""  # nothing is open, so its examiner need not be looked up
        had = await asyncio.to_thread(_examiner_of, engine, session_id)
    except InterviewerError:
        return ""  # told on the interview's screen, where it can be tried again
    examiner = await examiner_to_use(app, bridge, had)
    return "" if examiner == had else examiner


def _examiner_of(engine: Engine, session_id: str) -> str:
    from interviewer.interview.journal import load  # with the store, which no settings need

    return kind_of(load(engine.store, session_id).state.examiner).choice


async def keep(
    app: App[Any], engine: Engine, changes: Mapping[str, str | float | bool | None]
) -> None:
    """Use these settings from now on; says so if they could not be saved for the next start."""
    try:
        await asyncio.to_thread(engine.change, changes)
    except SettingsError as error:
        app.notify(str(error), severity="warning")
    app.set_keymap(keymap(engine.settings))


class ModelPicker(Dialogue[str | None]):
    """The models that the server offers, a field for another name, and a way to stay offline.

    The result is None for going back, STAY_OFFLINE for no model at all.
    """

    HELP = (
        "Choose one of the server's models, or type a name and press Enter. The offline examiner "
        "needs no model."
    )
    BINDINGS = bindings("back")

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._address = bridge.engine.settings.address

    def compose(self) -> ComposeResult:
        offline = Button("Offline examiner", id="offline", compact=True)
        yield card(
            "Which model?",
            Static(one_line(f"Asking {self._address} for its models…"), id="models-note"),
            ViList(id="models"),
            Input(placeholder="or type a name", id="model-name", compact=True),
            buttons=(offline, Button("Back", id="back", compact=True)),
        )

    def on_mount(self) -> None:
        self._bridge.load(self, "models", self._bridge.engine.models, self._show)

    def _show(self, names: tuple[str, ...]) -> None:
        options = [Option(one_line(name), id=name) for name in dict.fromkeys(names)]
        self.query_one(ViList).show(options)
        offers = "offers these:" if names else "lists no models; type a name."
        self.query_one("#models-note", Static).update(one_line(f"{self._address} {offers}"))

    def on_load_failed(self, message: LoadFailed) -> None:
        message.stop()
        self.query_one("#models-note", Static).update(plain(message.sentence, "$text-error"))
        if self.query_one(ViList).has_focus:  # not out of a name that is being typed
            self.query_one("#offline").focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(str(event.option.id))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if name := event.value.strip():
            self.dismiss(name)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(STAY_OFFLINE if event.button.id == "offline" else None)


class AgreeCard(Dialogue[bool | None]):
    """Asks once whether answers may leave this machine. Staying offline has the focus."""

    HELP = "No answer leaves this machine until you agree. Enter presses the button you are on."
    BINDINGS = bindings("back")

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine

    def compose(self) -> ComposeResult:
        route, model = self._engine.settings.route, self._engine.model()
        told = Static(plain(f"Sent to  {route}\nModel    {model}\n\n{WHAT_IS_SENT}"))
        stay = Button("Stay offline", id="offline", compact=True)
        send = Button("Send them", id="agree", compact=True)
        yield card("Your answers leave this machine", told, buttons=(stay, send))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "agree")
