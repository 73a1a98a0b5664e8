"""Writing single keys of the config file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.tables import table

from interviewer.errors import SettingsError
from interviewer.settings import load_settings
from interviewer.settings.config_file import save

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
    save(tmp_path, {"model": 'a "quoted" name'})
    assert all(line in path.read_text().splitlines() for line in text.splitlines())
    settings = load_settings(environment={"INTERVIEWER_CONFIG_DIR": str(tmp_path)})
    assert settings.model == 'a "quoted" name'
    assert settings.keys == ({"interview.hint": "f9"} if "hint" in text else {})


def test_keys_of_an_action_that_was_renamed_are_its_own(tmp_path: Path) -> None:
    write(tmp_path, '[keys]\n"home.sprint" = "z"\n')
    settings = load_settings(environment={"INTERVIEWER_CONFIG_DIR": str(tmp_path)})
    assert settings.keys == {"home.mock": "z"}


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
        save(tmp_path, changes)
    assert path.read_text() == text
