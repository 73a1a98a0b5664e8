"""Keys of one's own: the table in print, what collides or cannot work."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command_line import called
from support.tables import table

import tui
from interviewer.settings import load_settings
from tui.actions import ACTIONS, problems

CASES = table("remapping", __file__)


def test_the_table_itself_has_no_problem() -> None:
    assert not [*problems({action.id: action.keys for action in ACTIONS})]


@pytest.mark.parametrize(("action", "keys", "told"), CASES["keys_that_cannot_work_are_told"])
def test_keys_that_cannot_work_are_told(action: str, keys: str, told: str) -> None:
    found = [*problems({action: keys})]
    assert bool(told) == bool(found)
    assert not told or any(told in sentence for sentence in found)


@pytest.mark.parametrize(("keys", "told"), CASES["keys_that_two_actions_share_are_told"])
def test_keys_that_two_actions_share_are_told(keys: dict[str, str], told: list[str]) -> None:
    found = [sentence for sentence in problems(keys) if "has it too" in sentence]
    assert len(found) == len(told)
    assert all(name in sentence for name, sentence in zip(told, found, strict=True))


FILE = Path(tui.__file__).parent / "KEYS.md"


def test_the_file_is_the_table() -> None:
    assert called("keys", "--defaults", "--markdown").stdout == FILE.read_text(encoding="utf-8")


def test_every_action_is_listed_as_configured() -> None:
    mine = load_settings().config_folder / "config.toml"
    mine.parent.mkdir(parents=True, exist_ok=True)
    mine.write_text('[keys]\n"interview.hint" = "?,ctrl+s"\n"interview.hnit" = "f12"\n')
    result = called("keys", "--json")
    rows = {row["id"]: row for row in json.loads(result.stdout)}
    assert list(rows) == [action.id for action in ACTIONS]
    assert all(row["does"] and row["where"] and row["keys"] for row in rows.values())
    assert rows["interview.hint"]["keys"] == ["question_mark", "ctrl+s"]
    assert [id_ for id_, row in rows.items() if row["changed"]] == ["interview.hint"]
    for words in ("'interview.send' has it too", "is typed as text", "did you mean"):
        assert words in result.stderr
    table = called("keys").stdout.splitlines()
    assert table[0].split() == ["ID", "KEYS", "WHAT", "THEY", "DO"]
    assert [line for line in table if " * " in line] == [
        line for line in table if line.startswith("interview.hint ")
    ]
