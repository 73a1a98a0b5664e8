"""The table of actions: keys, footer, palette and remapping all follow it."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest
from support.stage import (
    NARROW,
    an_app,
    answers_on_disk,
    in_interview,
    sees,
    shown,
    type_in,
    until,
)
from textual.binding import Binding
from textual.dom import DOMNode

from interviewer.settings import load_settings
from tui import app
from tui.actions import ACTIONS, BY_ID


def our_widgets() -> list[type[DOMNode]]:
    for module in pkgutil.walk_packages([str(Path(app.__file__).parent)], "tui."):
        importlib.import_module(module.name)
    found: list[type[DOMNode]] = []
    waiting: list[type[DOMNode]] = [DOMNode]
    while waiting:
        below = waiting.pop().__subclasses__()
        found += [each for each in below if each.__module__.startswith("tui.")]
        waiting += below
    return found


def test_every_binding_has_an_id_of_its_own_from_the_table() -> None:
    assert len(BY_ID) == len(ACTIONS)
    bound = {
        binding.id
        for widget in our_widgets()
        for binding in widget.__dict__.get("BINDINGS", ())
        if isinstance(binding, Binding)
    }
    assert bound == set(BY_ID)


def test_what_is_undone_can_be_redone_everywhere() -> None:
    assert not {"ctrl+z", "ctrl+y"} & {key for each in ACTIONS for key in each.keys.split(",")}


def test_every_action_has_its_method() -> None:
    for widget in our_widgets():
        for binding in widget.__dict__.get("BINDINGS", ()):
            name = binding.action.removeprefix("app.")
            owner = widget if name == binding.action else an_app().__class__
            assert callable(getattr(owner, f"action_{name}", None)), binding.id


@pytest.mark.parametrize("keys", ["f12", "f12, ctrl+r"])
async def test_keys_can_be_remapped(keys: str) -> None:
    app = an_app(keys={"interview.send": keys})
    async with app.run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        await sees(pilot, "F12")
        await type_in(pilot, "alpha")
        await pilot.press("ctrl+s")
        await pilot.pause()
        assert answers_on_disk(pilot) == []
        await pilot.press("f12")
        await until(pilot, lambda: answers_on_disk(pilot) == ["alpha"])


async def test_an_unknown_id_is_told_with_the_nearest_one() -> None:
    async with an_app(keys={"interview.sned": "f9"}).run_test(notifications=True) as pilot:
        await sees(pilot, "did you mean")
        await sees(pilot, "interview.send")


async def test_an_unknown_theme_is_told_and_a_known_one_taken() -> None:
    async with an_app(theme="no-[b]such").run_test(notifications=True) as pilot:
        await sees(pilot, "There is no theme 'no-[b]such'")
    async with an_app(theme="textual-light").run_test(size=NARROW) as pilot:
        assert pilot.app.theme == "textual-light"


async def test_a_theme_is_taken_from_the_palette_and_kept_for_the_next_start() -> None:
    app = an_app()
    async with app.run_test(size=NARROW) as pilot:
        before = app.theme
        await pilot.pause()
        assert load_settings().theme is None
        app.action_change_theme()
        await sees(pilot, "Search for themes")
        await type_in(pilot, "gruvbox")
        await until(pilot, lambda: "dracula" not in shown(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: load_settings().theme == app.theme == "gruvbox" != before)
    again = an_app()
    async with again.run_test(size=NARROW):
        assert again.theme == "gruvbox"


def test_handlers_stay_short() -> None:
    long = [
        f"{widget.__name__}.{name}"
        for widget in our_widgets()
        for name, method in vars(widget).items()
        if name.startswith(("on_", "action_")) and inspect.isfunction(method)
        if len(inspect.getsource(method).splitlines()) > 13
    ]
    assert not long
