"""Settings: saved as they change, tested where they are set."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.endpoint import StubEndpoint
from support.stage import (
    NARROW,
    WIDE,
    an_app,
    engine_of,
    lines_with,
    opens,
    sees,
    shown,
    type_in,
    until,
)
from textual.pilot import Pilot
from textual.widgets import Input, Select

from interviewer.settings import Settings, load_settings
from tui.screens.home import HomeScreen
from tui.screens.settings import SettingsScreen

READY = '{"criteria": [{"id": "ready", "evidence": "", "verdict": "met", "missing": ""}]}'


@pytest.fixture
def server() -> Iterator[StubEndpoint]:
    with StubEndpoint(words=(READY,), judge=lambda _: READY) as stub:
        yield stub


async def at_settings(pilot: Pilot[None]) -> None:
    await pilot.press("f10")
    await opens(pilot, SettingsScreen)
    await sees(pilot, "Looks and keys")


async def fill(pilot: Pilot[None], name: str, text: str) -> None:
    write(pilot, name, text)
    await pilot.press("enter")


def write(pilot: Pilot[None], name: str, text: str) -> None:
    """Without leaving the field."""
    field = pilot.app.screen.query_one(f"#{name}", Input)
    field.focus()
    field.value = text


def in_use(pilot: Pilot[None]) -> Settings:
    return engine_of(pilot).settings


async def test_what_is_changed_is_used_at_once_and_saved() -> None:
    app = an_app()
    mine = app.settings.config_folder / "config.toml"
    mine.parent.mkdir(parents=True, exist_ok=True)
    mine.write_text('# mine\n[keys]\n"interview.hint" = "ctrl+g"\n')
    async with app.run_test(size=NARROW) as pilot:
        await at_settings(pilot)
        await fill(pilot, "base_url", "http://localhost:11434/v1")
        await fill(pilot, "model", "small")
        await fill(pilot, "price", "2.5")
        pilot.app.screen.query_one("#send_key", Select).value = "enter"
        await until(pilot, lambda: load_settings().send_key == "enter")
        assert in_use(pilot) == load_settings(keys=in_use(pilot).keys)
        assert (in_use(pilot).model, in_use(pilot).price) == ("small", 2.5)
        await sees(pilot, "Three-round mock: about 110,000 tokens (0.27)")
        await sees(pilot, "Your answers stay on this machine")
    assert mine.read_text().endswith('# mine\n[keys]\n"interview.hint" = "ctrl+g"\n')


async def test_a_field_is_saved_on_leaving_unless_it_makes_no_sense() -> None:
    async with an_app().run_test(size=WIDE, notifications=True) as pilot:
        await at_settings(pilot)
        examiner = pilot.app.screen.query_one("#examiner", Select)
        examiner.value = "llm"
        await sees(pilot, "Set an address or a key first.")
        assert (examiner.value, load_settings().examiner) == ("offline", None)
        pilot.app.clear_notifications()
        await fill(pilot, "model", "small")
        await until(pilot, lambda: load_settings().model == "small")
        await fill(pilot, "model", "")
        await until(pilot, lambda: load_settings().model is None)
        for price in ("cheap", "-1"):
            await fill(pilot, "price", price)
            await sees(pilot, "number")
            assert load_settings().price is None
            pilot.app.clear_notifications()
            await until(pilot, lambda: not lines_with(pilot, "number"))
        write(pilot, "price", "")
        for address in ("localhost:11434/v1", "sk-pasted-here"):
            write(pilot, "base_url", address)
            await pilot.press("f5")
            await sees(pilot, "is no web address")
            assert not lines_with(pilot, "endpoint")
            assert load_settings().base_url is None
            pilot.app.clear_notifications()
            await until(pilot, lambda: not lines_with(pilot, "is no web address"))
        write(pilot, "base_url", "")
        write(pilot, "model", "small")
        await pilot.press("escape")
        await opens(pilot, HomeScreen)
        assert load_settings().model == "small"


async def test_what_the_environment_decides_cannot_be_changed_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("INTERVIEWER_MODEL", "given")
    async with an_app().run_test(size=NARROW) as pilot:
        await at_settings(pilot)
        assert pilot.app.screen.query_one("#model", Input).disabled
        await sees(pilot, "from INTERVIEWER_MODEL")


async def test_a_local_server_is_set_up_without_a_mouse(server: StubEndpoint) -> None:
    """Besides what is typed: settings, to the fields, Enter after each, test."""
    names = {":": "colon", "/": "slash", ".": "full_stop"}
    async with an_app().run_test(size=NARROW) as pilot:
        await at_settings(pilot)
        await sees(pilot, "Address")
        await pilot.press("tab")
        await until(pilot, lambda: getattr(pilot.app.focused, "id", "") == "base_url")
        await pilot.press(*(names.get(char, char) for char in server.base_url), "enter")
        await until(pilot, lambda: load_settings().base_url == server.base_url)
        await pilot.press("tab", *"stub", "enter", "f5")
        await sees(pilot, "✓ model")
        assert load_settings().model == "stub"


async def test_a_key_goes_to_the_keyring_and_never_to_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept: dict[str, str] = {}
    monkeypatch.setattr("interviewer.settings.keychain.keep_key", kept.__setitem__)
    async with an_app().run_test(size=NARROW) as pilot:
        await at_settings(pilot)
        pilot.app.screen.query_one("#keyring").focus()
        await pilot.press("enter")
        await sees(pilot, "It is never written to a file.")
        await type_in(pilot, "sk-secret")
        assert "sk-secret" not in shown(pilot)
        await pilot.press("enter")
        await sees(pilot, "in the system's keyring")
        assert kept == {"https://api.openai.com/v1": "sk-secret"}
        assert "sk-secret" not in (in_use(pilot).config_folder / "config.toml").read_text()
        assert load_settings().key_in_keyring
