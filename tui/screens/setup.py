"""New mock: plans on the left, what the chosen one holds on the right, the choices below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Footer, Input, OptionList, RadioButton, RadioSet, Static
from textual.widgets.option_list import Option

from interviewer.errors import InterviewerError
from interviewer.examiner.registry import EXAMINERS
from interviewer.interview.plans import Length, extent, round_extent
from interviewer.plural import pluralize
from interviewer.rubric.own import delete_own
from tui import messages
from tui.actions import bindings
from tui.bridge import LoadFailed
from tui.widgets.dialogs import on_yes
from tui.widgets.pages import OverflowScroll, Page, ProblemLine, TitleBar, ViList
from tui.widgets.plain_text import one_line, plain

if TYPE_CHECKING:
    from interviewer.interview.plans import Length, Plan, PlanRound
    from interviewer.settings import Settings
    from tui.bridge import Bridge


BREAKPOINTS = [(0, "-slim"), (50, "-narrow"), (72, "-wide")]
LENGTHS = {"quick": "Quick", "standard": "Standard", "extended": "Extended"}
EXAMINER_TITLES = {kind.choice: kind.title for kind in EXAMINERS}
MODES = {"exam": "Exam", "practice": "Practice"}
MEANING = "Exam: grades at the end. Practice: grades after each question."
_NEW_LINE = Content("\n")
NO_ENDPOINT = "The LLM examiner needs a model: F10 opens the settings."


class SetupScreen(Page):
    """The choices for a new session; Enter twice starts with the defaults."""

    CSS_PATH = "setup.tcss"
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    HELP = (
        "Choose a plan or a topic, then Start; Enter twice takes the defaults. The right side "
        "shows what the plan holds."
    )
    BINDINGS = bindings("setup", "back")

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._plans: dict[str, Plan] = {}
        self._further: dict[str, Plan] = {}
        self._starts_when_loaded = False

    def compose(self) -> ComposeResult:
        settings = self.engine.settings
        yield TitleBar(Content("New mock"))
        with Container(id="page"), Vertical(id="frame"):
            with VerticalScroll(id="form", can_focus=False):
                with Horizontal(id="panes"):
                    yield ViList(id="plans")
                    with Vertical(id="right"), OverflowScroll(id="detail"):
                        yield Static(id="holds")
                yield from self._compose_choices(settings)
            with Horizontal(id="start-row"):
                yield Button("Start", id="start", variant="primary", compact=True, disabled=True)
        yield Footer()

    def _compose_choices(self, settings: Settings) -> ComposeResult:
        with Horizontal(id="sets"):
            yield _radio("length", LENGTHS, "standard")
            yield _radio("examiner", EXAMINER_TITLES, settings.chosen_examiner, _missing(settings))
            yield _radio("mode", MODES, "exam")
        with Horizontal(id="project-row"):
            yield Static(Content("Your project"), id="project-label")
            yield Input(
                settings.project or "",
                placeholder="a file, or a few lines with numbers",
                id="project",
                compact=True,
            )
        yield Static(id="note", classes="note")
        yield ProblemLine()

    def on_mount(self) -> None:
        plans = self.query_one("#plans", ViList)
        plans.add_option(Option(Content("Loading the plans…"), disabled=True))
        further = partial(self.engine.further_plans, self._bridge.now())
        self.load("questions", further, self._take_further)

    def on_screen_resume(self) -> None:
        self.load("plans", self.engine.plans, self._take_plans)
        settings = self.engine.settings
        missing = _missing(settings)
        for button in self.query("#examiner RadioButton").results(RadioButton):
            button.disabled = str(button.name) in missing
        self.query_one("#note", Static).update(
            Content(f"{MEANING} {NO_ENDPOINT}" if missing else MEANING)
        )

    # -- what is offered -------------------------------------------------------------------

    def _take_plans(self, found: tuple[tuple[Plan, ...], tuple[str, ...]]) -> None:
        plans, problems = found
        self._plans = {plan.id: plan for plan in plans}
        self._show_plans()
        self.query_one(ProblemLine).show("\n".join(problems))
        self.query_one("#start").disabled = not plans
        if self._plans and self._starts_when_loaded:
            self._start()

    def _take_further(self, plans: dict[str, Plan]) -> None:
        self._further = plans
        if self._plans:  # they come first, and the cursor begins on them
            self._show_plans()

    def on_load_failed(self, message: LoadFailed) -> None:
        message.stop()
        self.query_one(ProblemLine).show(message.sentence)

    def on_radio_set_changed(self, event: RadioSet.Changed) -> None:
        if event.radio_set.id in ("length", "examiner") and self._plans:
            self._show_plans()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._show_right(str(event.option.id))

    # -- what is chosen --------------------------------------------------------------------

    def on_option_list_option_selected(self) -> None:
        self.query_one("#start").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.action_start()

    def action_start(self) -> None:
        if self._plans:
            self._start()
        else:  # still on their way: the key is not lost
            self._starts_when_loaded = True

    def _start(self) -> None:
        plan = self._offered().get(self.query_one("#plans", ViList).chosen)
        project = self.query_one("#project", Input).value.strip()
        try:
            self.engine.check_notes(project)
        except InterviewerError as error:
            self.notify(str(error), severity="error")
            self.query_one("#project").focus()
            return
        if plan is not None:
            choice = messages.Choice(
                plan=plan,
                length=self._pressed("length"),
                examiner=self._pressed("examiner"),
                mode=self._pressed("mode"),
                project=project,
            )
            self.post_message(messages.BeginMock(lambda: choice, instead=True))

    def _offered(self) -> Mapping[str, Plan]:
        """The plans from files, then those that follow from the questions and past sessions."""
        return self._plans | self._further

    def _pressed(self, group: str) -> Any:
        button = self.query_one(f"#{group}", RadioSet).pressed_button
        assert button is not None  # a radio set always has one pressed
        return button.name

    def action_edit(self) -> None:
        """Change this plan; one that is not the candidate's own is saved as a copy."""
        if plan := self._offered().get(self.query_one("#plans", ViList).chosen):
            self.go("plan_editor", plan)

    def action_delete(self) -> None:
        """Delete a plan of the candidate's own; interviews keep what they were held by."""
        if plan := self._offered().get(self.query_one("#plans", ViList).chosen):
            self.load(
                "delete", partial(self.engine.own_plan, plan), partial(self._ask_to_delete, plan)
            )

    def _ask_to_delete(self, plan: Plan, path: Path | None) -> None:
        if path is None:
            self.notify("Only plans of your own can be deleted.")
            return
        question = f"Delete “{plan.title}” ({path.name})? Past sessions stay as they are."
        on_yes(self.app, question, partial(self._delete, path))

    def _delete(self, path: Path) -> None:
        self.load("delete", partial(delete_own, path), lambda _: self.on_screen_resume())

    # -- what is shown ---------------------------------------------------------------------

    def _show_plans(self) -> None:
        """A line for each, with what it takes at the chosen length; the cursor stays."""
        plans, length = self.query_one("#plans", ViList), self._pressed("length")
        plans.show(
            Option(_offered_row(plan, length), id=id_) for id_, plan in self._offered().items()
        )
        self._show_right(plans.chosen)

    def _show_right(self, chosen: str) -> None:
        """What the plan holds."""
        if plan := self._offered().get(chosen):
            length, examiner = self._pressed("length"), self._pressed("examiner")
            holds = described(plan, length, self.engine.cost(plan, length, examiner))
            self.query_one("#holds", Static).update(holds)
            self.query_one("#detail").scroll_home(animate=False)


class ViRadioSet(RadioSet):
    """Radio buttons with vi keys."""

    BINDINGS = bindings("choice")


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
    radio = ViRadioSet(*buttons, id=group)
    radio.border_title = group.capitalize()
    return radio


def _missing(settings: Settings) -> frozenset[str]:
    if settings.endpoint_configured:
        return frozenset()
    return frozenset(kind.choice for kind in EXAMINERS if kind.needs_endpoint)


# -- a plan as it is offered: a line for the list, and what it holds -----------------------------


def _offered_row(plan: Plan, length: str) -> Content:
    rounds = pluralize(len(plan.rounds), "round")
    takes = f"{rounds:>8} {extent(plan, Length(length)).minutes:3.0f} min  "
    return Content.assemble((takes, "$text-muted"), one_line(plan.title))


def described(plan: Plan, length: str, cost: str = "") -> Content:
    """What it is like and takes, then its rounds: topics, who examines, questions, minutes.

    ``cost``: what a model takes for it, "" where none is asked.
    """
    takes = extent(plan, Length(length))
    facts = (
        pluralize(len(plan.rounds), "round"),
        pluralize(takes.questions, "question"),
        f"{takes.minutes:.3g} min",
        *filter(None, [cost]),
    )
    parts = [one_line(plan.title, "bold"), Content(" · ".join(facts))]
    if plan.description != plan.title:
        parts += [Content(""), one_line(plan.description)]
    for number, part in enumerate(plan.rounds, start=1):
        parts += [Content(""), *_round(number, part, Length(length))]
    return _NEW_LINE.join(parts)


def _round(number: int, part: PlanRound, length: Length) -> Iterator[Content]:
    takes = round_extent(part, length)
    yield one_line(f"{number}  {part.title}", "bold")
    asked = f"{pluralize(takes.questions, 'question')}, {takes.minutes:.3g} min"
    yield Content("   ") + one_line(f"{part.persona.name} · {asked}")
    if topics := _topics(part):
        yield plain(f"   {topics}", "$text-muted")


def _topics(part: PlanRound) -> str:
    picks = [pick for pick in (*(each.pick for each in part.in_parts), *part.ladder) if pick]
    topics = dict.fromkeys(topic for pick in picks for topic in pick.topics or pick.rounds)
    named = len(part.named)
    more = [f"{named} named" if part.parts else f"{named} fixed"] if named and picks else []
    return ", ".join([*topics, *more])
