"""A few seconds of the robot that types for ten minutes in ``evals/durability/robot.py``."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.typing_robot import (
    DELETE,
    F3,
    LEFT,
    SEND,
    Sheet,
    Stroke,
    Typist,
    Wanderer,
    character,
    replayed,
)
from support.typing_robot import edit as edited

RATE = 200.0
SEED = 20


def typed(*keys: str) -> list[Stroke]:
    commands = {SEND, F3}
    edits = {LEFT, DELETE}
    return [
        Stroke(key) if key in commands else edited(key) if key in edits else character(key)
        for key in keys
    ]


def test_the_account_follows_from_the_keys_alone() -> None:
    keys = typed(*"abd", LEFT, "c", SEND, *"xy", LEFT, LEFT, DELETE, SEND, "z", F3)
    assert replayed(keys, ["abcd", "y"]) == ([], Sheet("z", 1))
    assert replayed(keys, ["abcd", "I don't know."]) == ([], Sheet("zy", 1))
    assert replayed(keys, ["abc"])[0] == ["abc"]


@pytest.mark.parametrize("kind", [Typist, Wanderer])
def test_what_is_typed_is_stored_and_anything_may_be_pressed(
    tmp_path: Path, kind: type[Typist | Wanderer]
) -> None:
    robot = kind(tmp_path / "data", SEED, RATE)
    try:
        robot.work(seconds=6)
    finally:
        robot.close()
    assert robot.figures.lost == []
    assert robot.figures.checks if kind is Typist else robot.figures.keys.total() > RATE
