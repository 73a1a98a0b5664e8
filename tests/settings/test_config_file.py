"""Writing single keys of the config file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.tables import table

from interviewer.errors import SettingsError
from interviewer.settings import load_settings
from interviewer.settings.config_file import save, save_keys
from tui.remapping import problems

CASES = table("config_file", __file__)

MINE = """\
# What I like.
theme = "nord"  # dark

rubric_folders = [
]

# My keys.
[keys]
"interview.hint" = "ctrl+g"  # easier
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_changed_key_leaves_the_rest_as_it_was_and_none_removes_one(tmp_path: Path) -> None:
    path = write(tmp_path, MINE)
    save(tmp_path, {"theme": "gruvbox"})
    assert path.read_text() == MINE.replace("nord", "gruvbox")
    save(tmp_path, {"theme": None, "model": None})
    assert "theme" not in path.read_text()


def test_a_new_key_comes_first_and_takes_no_comment(tmp_path: Path) -> None:
    path = write(tmp_path, MINE)
    save(tmp_path, {"model": "small", "timeout": 30.0})
    assert path.read_text() == f'model = "small"\ntimeout = 30.0\n\n{MINE}'
    settings = load_settings(environment={"INTERVIEWER_CONFIG_DIR": str(tmp_path)})
    assert (settings.model, settings.keys) == ("small", {"interview.hint": "ctrl+g"})


@pytest.mark.parametrize("text", CASES["new_keys_are_read_again_whatever_the_file_holds"])
def test_new_keys_are_read_again_whatever_the_file_holds(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text)
    environment = {"INTERVIEWER_CONFIG_DIR": str(tmp_path)}
    save(tmp_path, {"model": 'a "quoted" name'})
    assert all(line in path.read_text().splitlines() for line in text.splitlines())
    save_keys(tmp_path, {"interview.hint": "f12", "home.new": "z"})
    settings = load_settings(environment=environment)
    assert settings.model == 'a "quoted" name'
    assert settings.keys == {"interview.hint": "f12", "home.new": "z"}
    save_keys(tmp_path, {"interview.hint": None, "home.new": None})
    assert load_settings(environment=environment).keys == {}
    assert "hint" in text or all(
        line in path.read_text().splitlines() for line in text.splitlines()
    )


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    real = write(tmp_path / "dotfiles", MINE)
    (tmp_path / "config.toml").symlink_to(real)
    save(tmp_path, {"theme": "gruvbox"})
    assert (tmp_path / "config.toml").is_symlink()
    assert "gruvbox" in real.read_text()


@pytest.mark.parametrize(("text", "changes", "said"), CASES["what_may_not_stand_there_is"])
def test_what_may_not_stand_there_is_refused_and_nothing_changes(
    tmp_path: Path, text: str, changes: dict[str, Any], said: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(SettingsError, match=said):
        (save_keys if "interview.hint" in changes else save)(tmp_path, changes)
    assert path.read_text() == text


def test_keys_are_set_and_taken_away_where_they_stand(tmp_path: Path) -> None:
    path = write(tmp_path, MINE)
    save_keys(tmp_path, {"interview.hint": "f12", "home.new": "z"})
    changed = MINE.replace("ctrl+g", "f12") + '"home.new" = "z"\n'
    assert path.read_text() == changed
    save_keys(tmp_path, {"interview.hint": None, "no.such": None})
    settings = load_settings(environment={"INTERVIEWER_CONFIG_DIR": str(tmp_path)})
    assert settings.keys == {"home.new": "z"}
    assert path.read_text().startswith(MINE.partition('"interview')[0])


def test_keys_of_an_action_that_was_renamed_are_its_own_until_they_are_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERVIEWER_CONFIG_DIR", str(tmp_path))
    path = write(tmp_path, '[keys]\n"home.sprint" = "z"\n')
    assert load_settings().keys == {"home.mock": "z"}
    assert problems(load_settings().keys) == []
    save_keys(tmp_path, {"home.mock": None})
    assert path.read_text() == "[keys]\n"
