"""New mock: plan, length, examiner, exam or practice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Footer, Input, OptionList, RadioButton, RadioSet, Static
from textual.widgets.option_list import Option

from interviewer.errors import SettingsError
from interviewer.examiner.registry import EXAMINERS
from interviewer.report.plain import counted
from tui import messages
from tui.actions import bindings
from tui.screens.first_use import examiner_to_use
from tui.widgets.pages import Page, TitleBar, ViList
from tui.widgets.plain_text import one_line, plain

if TYPE_CHECKING:
    from interviewer.interview.plans import Plan
    from interviewer.settings import Settings
    from tui.bridge import Bridge


LENGTHS = {"quick": "Quick", "standard": "Standard", "extended": "Extended"}
EXAMINER_TITLES = {kind.choice: kind.title for kind in EXAMINERS}
MODES = {"exam": "Exam", "practice": "Practice"}
MEANING = (
    "Quick asks one question per round, Extended half as many again. "
    "Exam shows grades at the end, Practice after each question."
)
NO_ENDPOINT = "The LLM examiner needs a model: F10 opens the settings."


class SetupScreen(Page):
    """The choices for a new session; Enter twice starts with the defaults."""

    CSS_PATH = "setup.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("setup", "back")]

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._plans: tuple[Plan, ...] = ()

    def compose(self) -> ComposeResult:
        settings = self._bridge.engine.settings
        yield TitleBar(Content("New mock"))
        yield ViList(id="plans")
        with VerticalScroll(id="choices", can_focus=False):
            with Horizontal(id="sets"):
                yield _radio("length", LENGTHS, "standard")
                yield _radio(
                    "examiner", EXAMINER_TITLES, settings.chosen_examiner, _missing(settings)
                )
                yield _radio("mode", MODES, "exam")
            yield _project_field(settings)
            yield Static(Content(MEANING), classes="empty")
            if _missing(settings):
                yield Static(Content(NO_ENDPOINT), classes="empty")
            yield Static(id="problems", classes="problem")
        yield Button("Start", id="start", variant="primary", compact=True, disabled=True)
        yield Footer()

    def on_mount(self) -> None:
        plans = self.query_one("#plans", ViList)
        plans.add_option(Option(Content("Reading the plans…"), disabled=True))
        plans.focus()
        self._bridge.load(
            self, "plans", self._bridge.engine.plans, lambda found: messages.PlansLoaded(*found)
        )

    def on_plans_loaded(self, message: messages.PlansLoaded) -> None:
        self._plans = message.plans
        self._show_plans()
        self.query_one("#problems", Static).update(plain("\n".join(message.problems)))
        self.query_one("#start").disabled = not message.plans

    def on_load_failed(self, message: messages.LoadFailed) -> None:
        self.query_one("#plans", ViList).clear_options()
        self.query_one("#problems", Static).update(plain(message.sentence))

    def on_radio_set_changed(self, event: RadioSet.Changed) -> None:
        if event.radio_set.id == "length":
            self._show_plans()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.query_one("#start").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.action_start()

    def action_start(self) -> None:
        self._bridge.run(self, "start", self._start)

    async def _start(self) -> None:
        at = self.query_one("#plans", ViList).highlighted
        if not self._plans or at is None:
            return
        choice = self._choice(self._plans[at])
        try:
            self._bridge.engine.check_notes(choice.project)
        except SettingsError as error:
            self.notify(str(error), severity="error", markup=False)
            self.query_one("#project").focus()
            return
        examiner = await examiner_to_use(self.app, self._bridge, choice.examiner)
        if examiner is not None:
            self.post_message(messages.BeginMock(replace(choice, examiner=examiner)))

    def _show_plans(self) -> None:
        """The plans with what they take at the chosen length; the cursor stays."""
        plans, length = self.query_one("#plans", ViList), self._pressed("length")
        at = plans.highlighted or 0
        plans.set_options(Option(_offer(plan, length), id=plan.id) for plan in self._plans)
        plans.highlighted = at if self._plans else None

    def _choice(self, plan: Plan) -> messages.Choice:
        return messages.Choice(
            plan=plan,
            length=self._pressed("length"),
            examiner=self._pressed("examiner"),
            mode=self._pressed("mode"),
            project=self.query_one("#project", Input).value.strip(),
        )

    def _pressed(self, group: str) -> Any:
        button = self.query_one(f"#{group}", RadioSet).pressed_button
        assert button is not None  # a radio set always has one pressed
        return button.name


def _project_field(settings: Settings) -> Input:
    """The candidate's project, for plans that ask about one."""
    field = Input(
        settings.project or "",
        placeholder="path to a text or Markdown file, or a few sentences with numbers",
        id="project",
    )
    field.border_title = "Your project"
    return field


class SignedRadioButton(RadioButton):
    """Shows whether it is on by a sign, not by colour alone."""

    @property
    def _button(self) -> Content:  # Textual's own differs in colour alone
        return Content("(●) " if self.value else "( ) ")


def _radio(
    group: str, labels: Mapping[Any, str], chosen: str, without: frozenset[str] = frozenset()
) -> RadioSet:
    buttons = (
        SignedRadioButton(label, name=name, value=name == chosen, disabled=name in without)
        for name, label in labels.items()
    )
    radio = RadioSet(*buttons, id=group)
    radio.border_title = group.capitalize()
    return radio


def _missing(settings: Settings) -> frozenset[str]:
    """The examiners that are not available."""
    if settings.endpoint_configured:
        return frozenset()
    return frozenset(kind.choice for kind in EXAMINERS if kind.needs_endpoint)


def _offer(plan: Plan, length: str) -> Content:
    from interviewer.interview.plans import Length, extent

    takes = extent(plan, Length(length))
    rounds, questions = counted(len(plan.rounds), "round"), counted(takes.questions, "question")
    return Content.assemble(
        one_line(plan.title, "bold"),
        f" · {rounds} · {questions} · {takes.minutes:.3g} min\n",
        one_line(plan.description, "dim"),
    )
