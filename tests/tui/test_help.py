"""Help: exactly what keys do here, as configured, and nothing else."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from typing import Any

from support.helped import at_help, expected, listed
from support.rubrics import a_rubric
from support.stage import (
    NARROW,
    WIDE,
    an_app,
    editor,
    interviewing,
    lines_with,
    sees,
    shown,
    type_in,
    until,
)
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

import tui
from interviewer.grading.transcript import exchange
from interviewer.interview.debrief.questions import QuestionDebrief
from tui.app import InterviewerApp
from tui.interview.rail import NumbersScreen
from tui.interview.widgets import TimeUpCard
from tui.questions.editor import AnswerCard
from tui.questions.files import Preview
from tui.screens.first_use import AgreeCard, ModelPicker
from tui.screens.help import HelpScreen
from tui.screens.sessions import FilterChoices, filter_card
from tui.widgets.dialogs import Confirm, InputDialog, Reader
from tui.widgets.form import Field, FormCard
from tui.widgets.points import VerdictCard


async def test_it_opens_scrolls_and_closes() -> None:
    async with an_app().run_test(size=NARROW) as pilot:
        focused = pilot.app.focused
        for closing in ("f1", "question_mark", "escape", "q"):
            await at_help(pilot, "question_mark")
            await sees(pilot, "Choose a plan and start")
            await pilot.press("G")
            await sees(pilot, "Save what you typed and quit")
            await pilot.press(closing)
            await until(pilot, lambda: not isinstance(pilot.app.screen, HelpScreen))
            await until(pilot, lambda: pilot.app.focused is focused)


async def test_it_shows_keys_as_configured_and_closes_with_them() -> None:
    keys = {"app.toggle_help": "f12", "home.new": "z"}
    async with an_app(keys=keys).run_test(size=WIDE) as pilot:
        await at_help(pilot, "f12")
        await until(pilot, lambda: re.search(r"▌ +z +Choose a plan", shown(pilot)))
        await pilot.press("f12")
        await until(pilot, lambda: not isinstance(pilot.app.screen, HelpScreen))


async def test_the_editor_keeps_its_question_mark_its_text_and_the_focus() -> None:
    async with interviewing() as pilot:
        await type_in(pilot, "why")
        await pilot.press("question_mark")
        await until(pilot, lambda: editor(pilot).text == "why?")
        await at_help(pilot)
        await sees(pilot, "Send your answer")
        assert not lines_with(pilot, "F1 ?")
        await type_in(pilot, "xyz")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.focused is editor(pilot))
        await type_in(pilot, " now")
        await until(pilot, lambda: editor(pilot).text == "why? now")


ASKED = QuestionDebrief(1, 1, a_rubric(), None, None, (), exchange("Why?", "Because."))
DIALOGUES: dict[str, Callable[[InterviewerApp], Screen[Any]]] = {
    "confirm": lambda app: Confirm("Delete it?"),
    "time up": lambda app: TimeUpCard(True),
    "verdict": lambda app: VerdictCard(app.bridge, "5e551000", ASKED, may_retry=True),
    "prompt": lambda app: InputDialog("Import", "A file of questions.", lambda path: ""),
    "to be read": lambda app: Reader("Imported", Static("one")),
    "answer": lambda app: AnswerCard(app.bridge, "what-is-mfu", "What is MFU?"),
    "preview": lambda app: Preview("To be imported", ["one", "two"], writes=True, has_model=True),
    "model": lambda app: ModelPicker(app.bridge),
    "agree": lambda app: AgreeCard(app.bridge.engine),
    "numbers": lambda app: NumbersScreen(lambda command: None),
    "form": lambda app: FormCard("Round", [Field("title", "Title", "")]),
    "filter": lambda app: filter_card(FilterChoices(), ("A plan",), ("a topic",), ()),
}


async def test_help_opens_over_every_dialogue_and_leaves_it_as_it_was() -> None:
    app = an_app(api_key="sk-test", base_url="http://127.0.0.1:9", model="small")
    async with app.run_test(size=NARROW) as pilot:
        for make in DIALOGUES.values():
            home = app.screen
            dialogue = make(app)
            await app.push_screen(dialogue)
            await pilot.pause()
            fields = list(dialogue.query(Input))[:1]
            for field in fields:
                field.focus()
                await pilot.pause()
                await type_in(pilot, "half a word")
            focused, wanted = dialogue.focused, expected(pilot)
            await at_help(pilot)
            assert listed(pilot) == wanted
            assert wanted
            assert dialogue.HELP
            await until(pilot, lambda words=dialogue.HELP[:40]: lines_with(pilot, words))  # type: ignore[misc]
            await pilot.press("escape")
            await until(pilot, lambda below=dialogue: app.screen is below)  # type: ignore[misc]
            assert dialogue.focused is focused
            assert [field.value for field in fields] == ["half a word"] * len(fields)
            app.pop_screen()
            await until(pilot, lambda below=home: app.screen is below)  # type: ignore[misc]


def test_no_dialogue_is_without_help() -> None:
    for module in pkgutil.walk_packages(tui.__path__, "tui."):
        importlib.import_module(module.name)
    shown_here = {type(make(an_app())) for make in DIALOGUES.values()}
    ours = {each for each in kinds_of(ModalScreen) if each.__module__.startswith("tui.")}
    bases = {base for each in ours for base in each.__bases__}
    assert ours - bases - {HelpScreen} == shown_here


def kinds_of(cls: type[Any]) -> Iterator[type[Any]]:
    for each in cls.__subclasses__():
        yield each
        yield from kinds_of(each)
