"""Making and changing a plan: its rounds on the left, what they hold on the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial, partialmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from interviewer.content.fields import Locator
from interviewer.errors import InterviewerError, RubricFileError
from interviewer.interview.own_plans import (
    asking,
    changed,
    drawing,
    new_round,
)
from interviewer.interview.plans import lint_plan
from interviewer.plural import pluralize
from tui import messages
from tui.actions import bindings
from tui.screens.setup import described
from tui.widgets.dialogs import InputDialog, on_yes
from tui.widgets.form import Field, FormCard
from tui.widgets.pages import TWO_PANES, Page, ProblemLine, TitleBar, ViList, ViScroll
from tui.widgets.plain_text import one_line, plain

if TYPE_CHECKING:
    from interviewer.content.fields import Problem
    from interviewer.interview.plans import Plan, PlanRound
    from tui.bridge import Bridge

FIXED = "This round draws in several parts, as its file says; add a round for your questions."
LEAVE = "Leave without saving this plan?"


class PlanEditor(Page):
    """A plan as it is being made; nothing is written before it is saved."""

    CSS_PATH = "plan_editor.tcss"
    AUTO_FOCUS = "#rounds"
    HORIZONTAL_BREAKPOINTS = TWO_PANES
    HELP = (
        "A plan of your own. Enter changes a round: its title, minutes, interviewer, and how many "
        "questions it draws of which topic. Questions that you marked can be put into it by name."
    )
    BINDINGS = bindings("plan_editor", "back")

    def __init__(self, bridge: Bridge, plan: Plan) -> None:
        super().__init__(bridge)
        self._plan = self._saved = plan
        self._is_saved = False
        self._topics: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        yield TitleBar(Content("Plan"))
        with Container(id="columns"):
            yield ViList(id="rounds")
            with ViScroll(id="holds-pane"):
                yield Static(id="holds")
        yield ProblemLine()
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        engine, plan = self.engine, self._plan
        self._show()
        self.load("known", lambda: (engine.own_plan(plan) is not None, engine.topics()), self._know)

    def _know(self, known: tuple[bool, tuple[str, ...]]) -> None:
        is_own, self._topics = known
        self._is_saved = self._is_saved or is_own
        self._show_title()

    def _show(self, at: str | None = None) -> None:
        plan = self._plan
        self.query_one("#rounds", ViList).show(map(_row, plan.rounds), at)
        self.query_one("#holds", Static).update(described(plan, "standard"))
        self._show_title()
        self.load("lint", partial(self._lint, plan), self._show_problems)
        self.refresh_bindings()

    def _show_title(self) -> None:
        title = Content("Plan · ") + one_line(self._plan.title)
        self.query_one(TitleBar).show(title, Content("not saved" if self._unsaved else ""))

    def _lint(self, plan: Plan) -> list[Problem]:
        """What keeps the plan from being filled."""
        return list(lint_plan(plan, self.engine.library(), Locator(Path(plan.id))))

    def _show_problems(self, problems: Sequence[Problem]) -> None:
        self.query_one(ProblemLine).show("\n".join(each.message for each in problems))

    @property
    def _unsaved(self) -> bool:
        return not self._is_saved or self._plan != self._saved

    @property
    def _at(self) -> int:
        return self.query_one("#rounds", ViList).highlighted or 0

    # -- changing it -----------------------------------------------------------------------

    def _take(self, rounds: Sequence[PlanRound], at: str | None = None) -> None:
        """Use these rounds, or say why they are no plan."""
        try:
            dumped = [part.model_dump() for part in rounds]
            self._plan = changed(self._plan, {"rounds": dumped})
        except InterviewerError as error:
            self.notify(str(error), severity="error")
        self._show(at)

    def _put(self, part: PlanRound) -> None:
        rounds = list(self._plan.rounds)
        rounds[self._at] = part
        self._take(rounds, part.id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        part = self._plan.rounds[self._at]

        def filled(values: Mapping[str, str]) -> PlanRound:
            number = partial(_number, values)
            people = {each.persona.name: each.persona for each in self._plan.rounds}
            persona = people.get(values["persona"], part.persona)
            new: dict[str, Any] = {
                "title": values["title"],
                "minutes": number("minutes"),
                "follow_ups": int(number("follow_ups")),
                "persona": persona.model_dump() | {"name": values["persona"]},
            }
            if not (part.parts or part.ladder):
                new |= drawing(part, values["topic"], int(number("drawn")))
            return changed(part, new)

        card = FormCard(f"Round: {part.title}", _fields(part, self._topics), filled)

        def keep(values: Mapping[str, str] | None) -> None:
            if values is not None:
                self._put(filled(values))

        self.app.push_screen(card, keep)

    def action_add(self) -> None:
        part = new_round(self._plan, self._plan.rounds[-1].persona.model_dump())
        self._take([*self._plan.rounds, part], part.id)

    def action_marked(self) -> None:
        """Put the questions that were marked in the list of questions into this round."""
        marked, part = tuple(self.engine.marked), self._plan.rounds[self._at]
        if part.parts or part.ladder:
            self.notify(FIXED)
        elif not marked:
            self.notify("Mark questions in the list of questions first.")
        else:
            try:
                self._put(changed(part, asking(part, marked)))
            except InterviewerError as error:
                self.notify(str(error), severity="error")

    def action_remove(self) -> None:
        rounds = list(self._plan.rounds)
        del rounds[self._at]
        if rounds:
            self._take(rounds)
        else:
            self.notify("A plan has at least one round.")

    def _move(self, by: int) -> None:
        rounds, at = list(self._plan.rounds), self._at
        if 0 <= at + by < len(rounds):
            rounds[at], rounds[at + by] = rounds[at + by], rounds[at]
            self._take(rounds, rounds[at + by].id)

    action_up = partialmethod(_move, -1)
    action_down = partialmethod(_move, 1)

    def action_rename(self) -> None:
        def rename(title: str | None) -> None:
            if title:
                self._plan = changed(self._plan, {"title": title})
                self._show()

        self.app.push_screen(
            InputDialog("Title", "What the plan is called:", text=self._plan.title), rename
        )

    # -- keeping and playing it ------------------------------------------------------------

    def action_save(self) -> None:
        save = partial(self.engine.save_plan, self._plan)

        def saved(found: tuple[Plan, Path]) -> None:
            self._plan, path = found
            self._saved, self._is_saved = self._plan, True
            self.notify(f"Saved as {path}")
            self._show()

        self.load("save", save, saved)

    def action_play(self) -> None:
        self.begin(partial(messages.Choice, self._plan))

    def action_back(self) -> None:
        if self._unsaved:
            on_yes(self.app, LEAVE, self.app.pop_screen)
        else:
            self.app.pop_screen()


def _number(values: Mapping[str, str], name: str) -> float:
    try:
        return float(values[name])
    except ValueError:
        what = name.replace("_", "-")
        raise RubricFileError(
            f"{values[name]!r} is no number of {what}; write one, as in 10."
        ) from None


def _fields(part: PlanRound, topics: Sequence[str]) -> list[Field]:
    topic = part.pick.topics[0] if part.pick and part.pick.topics else ""
    fields = [
        Field("title", "Title", part.title),
        Field("minutes", "Minutes", f"{part.minutes:g}"),
        Field("follow_ups", "Follow-ups", str(part.follow_ups)),
        Field("persona", "Interviewer", part.persona.name),
    ]
    if not (part.parts or part.ladder):
        fields += [
            Field("drawn", "Drawn", str(part.count - len(part.ask))),
            Field("topic", "of topic", topic, [("any", ""), *((each, each) for each in topics)]),
        ]
    return fields


def _row(part: PlanRound) -> Option:
    asked = pluralize(part.count, "question")
    facts = f"  {part.minutes:g} min · {part.persona.name} · {asked}"
    return Option(one_line(part.title, "bold") + plain(facts, "$text-muted"), id=part.id)
